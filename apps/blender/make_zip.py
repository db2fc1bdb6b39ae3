#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_zip.py STAGE FOLDER: packs the Blender add-on with the Python package in STAGE/sinew into FOLDER.

One zip serves as a legacy add-on and, from Blender 4.2 on, as an extension. The libraries that the
package needs and that not every Linux has travel in it, with their licences. Prints the path.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "bindings" / "python"))

import archive  # noqa: E402

NAME = "sinew_blender"


def contents(stage: Path, version: str) -> dict[str, bytes]:
    """Names in the zip, and bytes."""
    files = {path.name: path.read_bytes()
             for path in (HERE / NAME).iterdir() if path.suffix in (".py", ".toml")}
    if f'version = "{version}"' not in files["blender_manifest.toml"].decode():
        raise SystemExit(f"blender_manifest.toml is not of version {version}")
    package, licences = archive.package(stage)
    files.update({f"sinew/{name}": data for name, data in package.items()})
    files.update({f"licenses/{name}": data for name, data in licences.items()})
    files["licenses/GPL-3.0-or-later"] = (HERE / "LICENSE").read_bytes()
    return {f"{NAME}/{name}": data for name, data in sorted(files.items())}


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    stage, folder = Path(sys.argv[1]), Path(sys.argv[2])
    version = archive.version_of(stage)
    path = folder / f"{NAME}-{version}-linux-x64.zip"
    archive.write_zip(path, contents(stage, version))
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
