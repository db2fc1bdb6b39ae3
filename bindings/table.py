#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""table.py [--check]: which part of the C interface each binding reaches, into docs/bindings.md.

Counted in the sources of the bindings, by the sections of sinew.h, so that it cannot lie. With
--check nothing is written; ends with 1 where the page has another table.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent
PAGE = TOP.parent / "docs" / "bindings.md"
BEGIN, END = "<!-- table: bindings/table.py -->\n", "<!-- end of table -->\n"
# Where each binding is, and which of its files call the C interface.
BINDINGS = {
    "C": ("c", "*.h"),
    "Python": ("python/sinew", "*.py"),
    "JavaScript": ("wasm", "**/*.js"),
}


def sections() -> dict[str, list[str]]:
    """The functions of the header, by the heading above them."""
    header = (TOP / "c" / "sinew.h").read_text(encoding="utf-8")
    parts = re.split(r"^/\* ---- (.*?) ---- \*/$", header, flags=re.M)
    result = {}
    for heading, text in zip(parts[1::2], parts[2::2]):
        result[heading] = re.findall(r"^SINEW_API [^;(]*?\b(sinew_\w+)\s*\(", text, re.M)
    return result


def table() -> str:
    texts = {
        name: "".join(path.read_text(encoding="utf-8") for path in (TOP / folder).glob(files))
        for name, (folder, files) in BINDINGS.items()
        if (TOP / folder).is_dir()
    }
    lines = ["| functions for | " + " | ".join(texts) + " |", "|---" * (len(texts) + 1) + "|"]
    for heading, functions in sections().items():
        cells = [heading]
        for text in texts.values():
            # WebAssembly has an underscore before each name.
            missing = [name for name in functions if not re.search(rf"\b_?{name}\b", text)]
            reached = len(functions) - len(missing)
            listed = ", ".join(f"`{name}`" for name in missing)
            cells.append(f"{reached}" if not missing else f"{reached}, not {listed}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{PAGE}: has no place for the table", file=sys.stderr)
        return 1
    new = before + BEGIN + table() + END + after
    if "--check" in sys.argv[1:]:
        if new != page:
            print(f"{PAGE}: the table is not up to date; run bindings/table.py", file=sys.stderr)
            return 1
    else:
        PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
