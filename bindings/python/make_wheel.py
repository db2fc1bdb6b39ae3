#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_wheel.py STAGE FOLDER: packs the staged package (STAGE/sinew) as a wheel into FOLDER.

The shared library travels in it, and beside the library those that it is linked to and that not
every Linux has. Prints the path of the wheel, and to stderr what it still needs of a machine.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import sys
import sysconfig
from pathlib import Path

import archive

HERE = Path(__file__).resolve().parent


def tag() -> str:
    """py3-none-PLATFORM: any Python 3, on a machine with this C library or a newer one."""
    name, version = platform.libc_ver()
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if name == "glibc" and machine.startswith("linux_"):
        machine = f"manylinux_{version.replace('.', '_')}_{machine.removeprefix('linux_')}"
    return f"py3-none-{machine}"


def metadata(version: str) -> str:
    return "\n".join([
        "Metadata-Version: 2.1",
        "Name: sinew",
        f"Version: {version}",
        "Summary: Stretchable, twistable bones for any character",
        "License: Apache-2.0",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy>=1.21",
        "Classifier: License :: OSI Approved :: Apache Software License",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Topic :: Multimedia :: Graphics :: 3D Modeling",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(encoding="utf-8"),
    ])


def contents(stage: Path, version: str) -> dict[str, bytes]:
    """Names in the wheel, and bytes."""
    package, licences = archive.package(stage)
    info = f"sinew-{version}.dist-info"
    files = {f"sinew/{name}": data for name, data in package.items()}
    files.update({f"{info}/licenses/{name}": data for name, data in licences.items()})
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: sinew make_wheel.py\n"
                              f"Root-Is-Purelib: false\nTag: {tag()}\n").encode()
    return files


def record(files: dict[str, bytes], name: str) -> bytes:
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    return "\n".join([*lines, f"{name},,", ""]).encode()


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    stage, folder = Path(sys.argv[1]), Path(sys.argv[2])
    version = archive.version_of(stage)
    files = contents(stage, version)
    listing = f"sinew-{version}.dist-info/RECORD"
    files[listing] = record(files, listing)
    wheel = folder / f"sinew-{version}-{tag()}.whl"
    archive.write_zip(wheel, files)
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
