# SPDX-License-Identifier: Apache-2.0
"""The declarations are the header's, and the package uses all that it has."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sinew import _abi

SOURCE = Path(os.environ["SINEW_SOURCE"])
PACKAGE = SOURCE / "bindings" / "python"


def load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", PACKAGE / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


generate = load_generator()


def test_structs_lie_in_memory_as_the_compiler_has_them(tmp_path: Path) -> None:
    lines = ['#include "bindings/c/sinew.h"', "#include <stdio.h>", "int main() {"]
    expected = []
    for name, kind in vars(_abi).items():
        if name.startswith("sinew_") and isinstance(kind, type) and issubclass(
                kind, ctypes.Structure):
            lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
            expected.append(f"{name} {ctypes.sizeof(kind)}")
            for member, *_ in kind._fields_:
                place = f"offsetof(struct {name}, {member})"
                size = f"sizeof(static_cast<{name}*>(nullptr)->{member})"
                lines.append(f'printf("{name}.{member} %zu %zu\\n", {place}, {size});')
                field = getattr(kind, member)
                expected.append(f"{name}.{member} {field.offset} {field.size}")
    (tmp_path / "layout.cpp").write_text("\n".join([*lines, "}"]))
    program = tmp_path / "layout"
    subprocess.run([os.environ["SINEW_CXX"], f"-I{SOURCE}", "-Wno-invalid-offsetof",
                    str(tmp_path / "layout.cpp"), "-o", str(program)], check=True)
    printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    assert printed.splitlines() == expected
    assert len(expected) > 100


def test_every_function_of_the_header_is_declared_and_used() -> None:
    header = (SOURCE / "bindings" / "c" / "sinew.h").read_text()
    listed = re.findall(r"^SINEW_API [^;(]*?\b(sinew_\w+)\s*\(", header, re.M)
    assert list(_abi.FUNCTIONS) == listed
    package = "".join(path.read_text() for path in (PACKAGE / "sinew").glob("*.py"))
    unused = [name for name in listed if not re.search(rf"\blib(rary)?\.{name}\b", package)]
    # Only a name for messages that have one.
    assert unused == ["sinew_status_name"]


def test_every_field_of_a_rig_and_a_pose_is_shown() -> None:
    package = "".join(path.read_text() for path in (PACKAGE / "sinew").glob("*.py"))
    header = generate.parse((SOURCE / "bindings" / "c" / "sinew.h").read_text())
    for enum in ("sinew_field", "sinew_pose_field", "sinew_target", "sinew_interpolation"):
        for name in header.enums[enum]:
            assert name.endswith("FORCE_INT") or f"_abi.{name}" in package, name


@pytest.mark.parametrize("declaration", [
    "SINEW_API sinew_status sinew_new(unsigned long count);",
    "typedef union sinew_any { int a; float b; } sinew_any;",
    "typedef struct sinew_pair { int *first, *second; } sinew_pair;",
    "extern int sinew_number;",
])
def test_what_is_not_understood_ends_the_build(declaration: str) -> None:
    text = '#define SINEW_VERSION "1.2.3"\ntypedef enum sinew_status { SINEW_OK } sinew_status;\n'
    assert generate.parse(text).version == "1.2.3"
    with pytest.raises(generate.NotUnderstood):
        generate.parse(text + declaration)


def test_comments_preprocessor_and_values_are_read_as_c_reads_them() -> None:
    header = generate.parse("""
        #define SINEW_VERSION "1.2.3"
        /* typedef enum wrong { WRONG } wrong; */
        typedef enum sinew_kind { SINEW_A = 4, SINEW_B, SINEW_C = 0x10 } sinew_kind;
        typedef struct sinew_thing sinew_thing;
        typedef struct sinew_box {
          int width, height; double at[3]; const char* const* names;
        } sinew_box;
        SINEW_API sinew_kind sinew_make(const sinew_box* box, const double at[3],
                                        sinew_thing** thing);
    """)
    assert header.enums == {"sinew_kind": {"SINEW_A": 4, "SINEW_B": 5, "SINEW_C": 16}}
    assert header.structs["sinew_box"] == [("width", "c_int"), ("height", "c_int"),
                                           ("at", "c_double * 3"), ("names", "POINTER(c_char_p)")]
    assert header.functions["sinew_make"] == (
        "c_int", ["POINTER(sinew_box)", "POINTER(c_double)", "POINTER(c_void_p)"])
