#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_zip.py STAGE FOLDER: packs the Blender add-on with the Python package in STAGE/sinew into FOLDER.

One zip serves as a legacy add-on and, from Blender 4.2 on, as an extension. The libraries that the
package needs and that not every Linux has travel in it, with their licences. Prints the path.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import zipfile
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
NAME = "sinew_blender"


def _wheel_tools() -> ModuleType:
    """What the wheel is made by knows which libraries travel."""
    path = TOP / "bindings" / "python" / "make_wheel.py"
    spec = importlib.util.spec_from_file_location("make_wheel", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def contents(stage: Path) -> tuple[str, dict[str, bytes]]:
    """The version, and names in the zip with their bytes."""
    declared = (stage / "sinew" / "_abi.py").read_text(encoding="utf-8")
    version = re.search(r'^VERSION = "(.+)"$', declared, re.M)
    assert version, "generate.py writes the version"
    files = {f"{NAME}/{path.name}": path.read_bytes()
             for path in sorted((HERE / NAME).iterdir()) if path.suffix in (".py", ".toml")}
    manifest = files[f"{NAME}/blender_manifest.toml"].decode()
    if f'version = "{version[1]}"' not in manifest:
        raise SystemExit(f"blender_manifest.toml is not of version {version[1]}")
    for path, data in _wheel_tools().contents(stage, version[1]).items():
        if path.startswith("sinew/"):
            files[f"{NAME}/{path}"] = data
        elif "/licenses/" in path:
            files[f"{NAME}/licenses/{Path(path).name}"] = data
    files[f"{NAME}/licenses/GPL-3.0-or-later"] = (HERE / "LICENSE").read_bytes()
    return version[1], files


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    stage, folder = Path(sys.argv[1]), Path(sys.argv[2])
    version, files = contents(stage)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}-{version}-linux-x64.zip"
    partial = path.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same input, the same file
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            archive.writestr(entry, data)
    os.replace(partial, path)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
