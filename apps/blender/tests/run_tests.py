# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip into an empty Blender and runs the tests beside this file.

    blender -b --factory-startup --python-exit-code 3 --python run_tests.py -- ZIP [NAME ...]

BLENDER_USER_SCRIPTS must name an empty folder. SINEW_CLI is the program `sinew`, if there is one.
Tests are functions test_*; NAME picks those that have it in their file or name.
"""

import importlib
import os
import sys
import time
import traceback
from pathlib import Path

import bpy

HERE = Path(__file__).resolve().parent
ADDON = "sinew_blender"


def install(path: str) -> None:
    """As a user does by Preferences, Add-ons, Install."""
    bpy.ops.preferences.addon_install(filepath=path)
    bpy.ops.preferences.addon_enable(module=ADDON)
    assert ADDON in bpy.context.preferences.addons, "the add-on is not enabled"


def main() -> int:
    arguments = sys.argv[sys.argv.index("--") + 1:]
    install(arguments[0])
    os.environ["SINEW_ZIP"] = arguments[0]
    sys.path.insert(0, str(HERE))
    failed, passed = [], 0
    raised: list = []  # in handlers, where Blender prints it and goes on

    def note(kind, value, trace) -> None:
        raised.append(value)
        traceback.print_exception(kind, value, trace)

    sys.excepthook = note
    for path in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, function in list(vars(module).items()):
            full = f"{path.stem}.{name}"
            if not name.startswith("test_") or not callable(function):
                continue
            if arguments[1:] and not any(word in full for word in arguments[1:]):
                continue
            bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
            start = time.perf_counter()
            try:
                function()
                assert not raised, raised
                passed += 1
                print(f"ok      {full} ({time.perf_counter() - start:.1f} s)", flush=True)
            except Exception:
                failed.append(full)
                raised.clear()
                traceback.print_exc()
                print(f"FAILED  {full}", flush=True)
    print(f"{passed} passed, {len(failed)} failed {' '.join(failed)}")
    return 1 if failed or not passed else 0


sys.exit(main())
