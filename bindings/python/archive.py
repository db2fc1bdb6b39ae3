# SPDX-License-Identifier: Apache-2.0
"""What the wheel and the Blender add-on are both packed by.

The shared library travels in them, and beside it those that it is linked to and that not every
Linux has, with their licences.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

# The C library, the C++ library and what belongs to them: the same on every Linux.
EVERYWHERE = re.compile(
    r"(linux-vdso|ld-linux.*|libc|libm|libpthread|libdl|librt|libgcc_s|libstdc\+\+)\.so.*")
# What is compiled or linked into the library itself, by Debian's names: their licences travel, too.
INSIDE = ("libdraco-dev", "libstb-dev", "libwebp-dev", "nlohmann-json3-dev")
MOMENT = (2020, 1, 1, 0, 0, 0)  # the same input makes the same file


def version_of(stage: Path) -> str:
    """The version of the staged package."""
    declared = (stage / "sinew" / "_abi.py").read_text(encoding="utf-8")
    version = re.search(r'^VERSION = "(.+)"$', declared, re.M)
    assert version, "generate.py writes the version"
    return version[1]


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


def package(stage: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files of the folder `sinew` by name, with libraries; and licences by name. Says on stderr
    what is still needed of a machine."""
    files = {path.name: path.read_bytes()
             for path in sorted((stage / "sinew").iterdir()) if path.is_file()}
    licences = {"LICENSE": (Path(__file__).resolve().parents[2] / "LICENSE").read_bytes()}
    for name in INSIDE:
        licence = Path("/usr/share/doc") / name / "copyright"
        if licence.exists():
            licences[name] = licence.read_bytes()
    library = (stage / "sinew" / "libsinew_c.so").resolve()
    for name, found in sorted(needed_by(library).items()):
        if EVERYWHERE.fullmatch(name):
            print(f"needs of the machine: {name}", file=sys.stderr)
            continue
        print(f"travels along: {name} ({found})", file=sys.stderr)
        files[name] = found.read_bytes()
        licences[name] = licence_of(found).read_bytes()
    return files, licences


def write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    """Writes a zip, in this order, or nothing; the same files make the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            archive.writestr(entry, data)
    os.replace(partial, path)
