#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_wheel.py STAGE FOLDER: packs the staged package (STAGE/sinew) as a wheel into FOLDER.

The shared library travels in it, and beside the library those that it is linked to and that not
every Linux has. Prints the path of the wheel, and to stderr what it still needs of a machine.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The C library, the C++ library and what belongs to them: the same on every Linux.
EVERYWHERE = re.compile(
    r"(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt|libgcc_s|libstdc\+\+)\.so.*")
# What is compiled or linked into the library itself, by Debian's names: their licences travel, too.
INSIDE = ("libdraco-dev", "libstb-dev", "libwebp-dev", "nlohmann-json3-dev", "zlib1g-dev")
MOMENT = (2020, 1, 1, 0, 0, 0)  # the same input makes the same file


def needed_by(library: Path) -> dict[str, Path]:
    """The shared libraries that one is linked to, directly or not, and where they were found."""
    listed = subprocess.run(["ldd", str(library)], check=True, capture_output=True, text=True)
    result = {}
    for line in listed.stdout.splitlines():
        name, _, found = line.strip().partition(" => ")
        name = Path(name.split(" ")[0]).name
        if "not found" in found:
            raise SystemExit(f"{library}: {name} is not found")
        result[name] = Path(found.split(" ")[0]) if found else Path(name)
    return result


def licence_of(library: Path) -> Path:
    """What Debian says about the copyright of a library."""
    # /lib is /usr/lib, and packages know their files by either name.
    path = str(library.resolve())
    for name in (path, path.removeprefix("/usr")):
        owner = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if owner.returncode == 0:
            return Path("/usr/share/doc") / owner.stdout.split(":")[0] / "copyright"
    raise SystemExit(f"{library}: of no package, so its licence is not known")


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
    files = {}
    for path in sorted((stage / "sinew").iterdir()):
        if path.is_file():
            files[f"sinew/{path.name}"] = path.read_bytes()
    info = f"sinew-{version}.dist-info"
    files[f"{info}/licenses/LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
    for package in INSIDE:
        licence = Path("/usr/share/doc") / package / "copyright"
        if licence.exists():
            files[f"{info}/licenses/{package}"] = licence.read_bytes()
    library = (stage / "sinew" / "libsinew_c.so").resolve()
    for name, found in sorted(needed_by(library).items()):
        if EVERYWHERE.fullmatch(name):
            print(f"needs of the machine: {name}", file=sys.stderr)
            continue
        print(f"travels in the wheel: {name} ({found})", file=sys.stderr)
        files[f"sinew/{name}"] = found.read_bytes()
        files[f"{info}/licenses/{name}"] = licence_of(found).read_bytes()
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
    declared = (stage / "sinew" / "_abi.py").read_text(encoding="utf-8")
    version = re.search(r'^VERSION = "(.+)"$', declared, re.M)
    assert version, "generate.py writes the version"
    files = contents(stage, version[1])
    listing = f"sinew-{version[1]}.dist-info/RECORD"
    files[listing] = record(files, listing)
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"sinew-{version[1]}-{tag()}.whl"
    partial = wheel.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in path else 0o644) << 16
            archive.writestr(entry, data)
    os.replace(partial, wheel)
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
