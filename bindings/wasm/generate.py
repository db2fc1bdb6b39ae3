#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py HEADER FOLDER: writes the C interface as JavaScript (FOLDER/abi.js).

Beside it come a C++ file that fails to compile where a struct lies in memory otherwise
(abi_check.cpp), and the linker's lists of what to export (exports.txt for all of the interface,
exports_runtime.txt for the functions of the sources that are named after the folder).

The parser is that of the Python package.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
sys.dont_write_bytecode = True
from generate import Header, NotUnderstood, parse  # noqa: E402

# Bytes on wasm32, and the letter by which the JavaScript writes them.
NUMBERS = {
    "c_int": (4, "i32"),
    "c_float": (4, "f32"),
    "c_double": (8, "f64"),
    "c_size_t": (4, "u32"),
    "c_int8": (1, "i8"),
    "c_uint8": (1, "u8"),
    "c_int16": (2, "i16"),
    "c_uint16": (2, "u16"),
    "c_int32": (4, "i32"),
    "c_uint32": (4, "u32"),
    "c_char_p": (4, "string"),
    "c_void_p": (4, "u32"),
}


def layout_of(header: Header, layouts: dict[str, dict], kind: str) -> tuple[int, int, str, int]:
    """Size, alignment, name and number of a member of this type."""
    base, _, count = kind.partition(" * ")
    if base.startswith("POINTER("):
        size, align, name = 4, 4, "u32"
    elif base in layouts:
        size, align, name = layouts[base]["size"], layouts[base]["align"], base
    elif base in NUMBERS:
        size, name = NUMBERS[base]
        align = size
    else:
        raise NotUnderstood(f"the member type {kind}")
    number = int(count) if count else 1
    return size * number, align, name, number


def structs_of(header: Header) -> dict[str, dict]:
    layouts: dict[str, dict] = {}
    for struct, members in header.structs.items():
        at, most, fields = 0, 1, {}
        for name, kind in members:
            size, align, type_name, number = layout_of(header, layouts, kind)
            at = (at + align - 1) // align * align
            most = max(most, align)
            fields[name] = [at, type_name] if number == 1 else [at, type_name, number]
            at += size
        layouts[struct] = {"size": (at + most - 1) // most * most, "align": most, "fields": fields}
    return layouts


def javascript(header: Header) -> str:
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             "// The C interface. Made from sinew.h by generate.py: do not edit.", "",
             f"export const VERSION = {json.dumps(header.version)};", ""]
    for enum, values in header.enums.items():
        shown = {name: value for name, value in values.items() if "FORCE_INT" not in name}
        lines += [f"// {enum}", *(f"export const {name} = {value};" for name, value in shown.items()), ""]
    lines += ["// Of each struct its size and, for each member, where it is, its type, and how many.",
              "export const STRUCTS = {"]
    for struct, layout in structs_of(header).items():
        lines += [f"  {struct}: {{", f"    size: {layout['size']},", "    fields: {"]
        lines += [f"      {name}: {json.dumps(where)}," for name, where in layout["fields"].items()]
        lines += ["    },", "  },"]
    return "\n".join([*lines, "};", ""])


def check(header: Header) -> str:
    lines = ["// Made by generate.py: what abi.js says of structs is what the compiler says.",
             "#include <cstddef>", "", '#include "bindings/c/sinew.h"', ""]
    for struct, layout in structs_of(header).items():
        lines.append(f"static_assert(sizeof({struct}) == {layout['size']});")
        for name, where in layout["fields"].items():
            lines.append(f"static_assert(offsetof({struct}, {name}) == {where[0]});")
    return "\n".join([*lines, ""])


def exports(functions: list[str]) -> str:
    names = ["malloc", "free", "sinew_wasm_progress", *functions]
    return json.dumps([f"_{name}" for name in names]) + "\n"


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        header = parse(Path(sys.argv[1]).read_text(encoding="utf-8"))
        texts = {"abi.js": javascript(header), "abi_check.cpp": check(header),
                 "exports.txt": exports(list(header.functions))}
    except NotUnderstood as problem:
        print(f"{sys.argv[1]}: cannot make JavaScript of {problem}", file=sys.stderr)
        return 1
    runtime = "".join(Path(source).read_text(encoding="utf-8") for source in sys.argv[3:])
    defined = [name for name in header.functions if re.search(rf"^\S.*\b{name}\(", runtime, re.M)]
    texts["exports_runtime.txt"] = exports(defined)
    for name, text in texts.items():
        path = Path(sys.argv[2]) / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
