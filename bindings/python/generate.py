#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py HEADER OUTPUT: writes the C interface as Python declarations (sinew/_abi.py).

The package never repeats what the header says: numbers of enums, members of structs and arguments
of functions come from here. A declaration that is not understood ends the build.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

NUMBERS = {
    "int": "c_int",
    "float": "c_float",
    "double": "c_double",
    "size_t": "c_size_t",
    "int8_t": "c_int8",
    "uint8_t": "c_uint8",
    "int16_t": "c_int16",
    "uint16_t": "c_uint16",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
}


@dataclass
class Header:
    """What a header declares, in its order, with the types of ctypes."""

    version: str = ""
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    handles: list[str] = field(default_factory=list)
    structs: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    callbacks: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, tuple[str, list[str]]] = field(default_factory=dict)


class NotUnderstood(Exception):
    """A declaration that this script would have to guess."""


def type_of(header: Header, text: str) -> str:
    """The ctypes type of a C type without a name, as in "const char*"."""
    stars = text.count("*")
    word = re.sub(r"\bconst\b|\bstruct\b|[*\s]", "", text)
    if word == "char" and stars:
        base, stars = "c_char_p", stars - 1
    elif word == "void" and stars:
        base, stars = "c_void_p", stars - 1
    elif word in header.handles and stars:
        # Opaque: the number is all that there is to know.
        base, stars = "c_void_p", stars - 1
    elif word in NUMBERS:
        base = NUMBERS[word]
    elif word in header.enums:
        base = "c_int"
    elif word in header.structs or word in header.callbacks:
        base = word
    else:
        raise NotUnderstood(f"the type '{text.strip()}'")
    for _ in range(stars):
        base = f"POINTER({base})"
    return base


def declared(header: Header, text: str, in_struct: bool) -> list[tuple[str, str]]:
    """Names and types of a declaration, as in "double min[3], max[3]"."""
    first, *others = text.split(",")
    match = re.fullmatch(r"\s*(.*?[\s*])(\w+(?:\[\d*\])?)\s*", first, re.S)
    if not match or (others and "*" in text):
        raise NotUnderstood(f"the declaration '{text.strip()}'")
    result = []
    for name in [match[2], *(other.strip() for other in others)]:
        name, _, length = name.rstrip("]").partition("[")
        if not length:
            result.append((name, type_of(header, match[1])))
        elif in_struct:
            result.append((name, f"{type_of(header, match[1])} * {length}"))
        else:
            # An argument that is an array is a pointer.
            result.append((name, type_of(header, match[1] + "*")))
    return result


def parse(text: str) -> Header:
    """Reads a header. Raises NotUnderstood."""
    header = Header()
    version = re.search(r'#define SINEW_VERSION "([^"]+)"', text)
    if not version:
        raise NotUnderstood("the version")
    header.version = version[1]
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r'extern "C" \{', " ", text)
    text = re.sub(r"#ifdef __cplusplus\s*\}\s*#endif", " ", text)
    text = re.sub(r"^[ \t]*#.*$", " ", text, flags=re.M)
    # A statement ends with a semicolon outside braces.
    for statement in re.findall(r"(?:[^;{}]|\{[^{}]*\})+;", text):
        read_statement(header, " ".join(statement[:-1].split()))
    left = re.sub(r"(?:[^;{}]|\{[^{}]*\})+;", "", text).strip()
    if left:
        raise NotUnderstood(f"'{left[:60]}'")
    return header


def read_statement(header: Header, text: str) -> None:
    if match := re.fullmatch(r"typedef enum (\w+) \{(.*)\} \1", text):
        values: dict[str, int] = {}
        for item in filter(None, map(str.strip, match[2].split(","))):
            name, _, value = item.partition("=")
            number = int(value, 0) if value else max(values.values(), default=-1) + 1
            values[name.strip()] = number
        header.enums[match[1]] = values
    elif match := re.fullmatch(r"typedef struct (\w+) \1", text):
        header.handles.append(match[1])
    elif match := re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", text):
        members = filter(None, map(str.strip, match[2].split(";")))
        header.structs[match[1]] = [
            one for member in members for one in declared(header, member, True)
        ]
    elif match := re.fullmatch(r"typedef int \(\* ?(\w+)\)\((.*)\)", text):
        header.callbacks[match[1]] = arguments_of(header, match[2])
    elif match := re.fullmatch(r"SINEW_API (.*?[\s*])(\w+) ?\((.*)\)", text):
        header.functions[match[2]] = (type_of(header, match[1]), arguments_of(header, match[3]))
    else:
        raise NotUnderstood(f"'{text}'")


def arguments_of(header: Header, text: str) -> list[str]:
    if text.strip() == "void":
        return []
    return [kind for part in text.split(",") for _, kind in declared(header, part, False)]


def module(header: Header) -> str:
    """The text of the Python module."""
    used = " ".join(
        [kind for members in header.structs.values() for _, kind in members]
        + [kind for kinds in header.callbacks.values() for kind in kinds]
        + [kind for result, kinds in header.functions.values() for kind in [result, *kinds]]
    )
    names = sorted({*re.findall(r"\bc_\w+", used), "CFUNCTYPE", "POINTER", "Structure"})
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        '"""The C interface. Made from sinew.h by generate.py: do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from ctypes import (",
        *(f"    {name}," for name in names),
        ")",
        "from typing import Any",
        "",
        f'VERSION = "{header.version}"',
        "",
    ]
    for enum, values in header.enums.items():
        lines += [f"# {enum}", *(f"{name} = {value}" for name, value in values.items()), ""]
    for callback, kinds in header.callbacks.items():
        lines += [f"{callback} = CFUNCTYPE({', '.join(['c_int', *kinds])})", ""]
    for struct, members in header.structs.items():
        fields = [f'        ("{name}", {kind}),' for name, kind in members]
        lines += ["", f"class {struct}(Structure):", "    _fields_ = [", *fields, "    ]", ""]
    lines += ["", "# Results and arguments."]
    lines += ["FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {"]
    for function, (result, kinds) in header.functions.items():
        listed = "".join(f"{kind}, " for kind in kinds).rstrip()
        lines.append(f'    "{function}": ({result}, ({listed})),')
    return "\n".join([*lines, "}", ""])


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        header = parse(Path(sys.argv[1]).read_text(encoding="utf-8"))
    except NotUnderstood as problem:
        print(f"{sys.argv[1]}: cannot make Python of {problem}", file=sys.stderr)
        return 1
    Path(sys.argv[2]).write_text(module(header), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
