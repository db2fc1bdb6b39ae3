#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""package.py BUILD FOLDER [THREADS]: the npm package, from the builds of the presets wasm and wasm-threads."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "wasm").mkdir(parents=True)
    for pattern in ("*.js", "*.d.ts", "package.json", "README.md"):
        for file in HERE.glob(pattern):
            shutil.copy(file, folder)
    shutil.copytree(HERE / "lib", folder / "lib")
    shutil.copy(build / "bindings" / "wasm" / "made" / "abi.js", folder / "lib")
    shutil.copy(HERE.parents[1] / "LICENSE", folder)
    for modules in [build, *map(Path, sys.argv[3:])]:
        for file in (modules / "modules").iterdir():
            shutil.copyfile(file, folder / "wasm" / file.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
