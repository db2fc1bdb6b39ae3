#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes API pages from the installed headers, and refuses public names without a comment.

    docs/api/make_pages.py FOLDER [HEADERS]     pages in FOLDER/html; HEADERS: src/sinew

Ends with 1 where a public class, struct, enum, alias, constant, function or member has no comment, or
Doxygen warns. A comment speaks for the declaration below it or before it on its line, and for the
functions right below that one. Names that need none, because it could say nothing new:
  - constructors without parameters, destructors, copies, moves and comparisons;
  - arithmetic operators and subscripts;
  - values of an enum that stands on one line, and what is declared on one line with a name that has a
    comment: it speaks for all of them;
  - data members of a struct that has a comment, where their own names say the rest.
"""
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

here = Path(__file__).resolve().parent
top = here.parent.parent


def public_headers(root):
    """Those directly in a folder, those in reference/, and the front header."""
    found = [*root.glob("*.h"), *root.glob("*/*.h"), *root.glob("*/reference/*.h")]
    return sorted(found)


def groups():
    """One module for each component, with one for each of its folders, from the table of dataflow.md."""
    lines, components = [], set()
    for line in (top / "docs" / "dataflow.md").read_text().splitlines():
        row = re.match(r"\| `(\w+)/` \| (\w+) \| (.+?) \|", line)
        if not row:
            continue
        folder, component, purpose = row.groups()
        if component not in components:
            components.add(component)
            lines.append(f"/** @defgroup component_{component} sinew::{component} */")
        lines.append(f"/** @defgroup {folder} {folder}\n    @ingroup component_{component}\n    @brief {purpose} */")
    return "\n".join(lines) + "\n"


def run_doxygen(folder, root):
    for old in ("html", "xml"):
        shutil.rmtree(folder / old, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "groups.dox").write_text(groups())
    inputs = [folder / "groups.dox", *public_headers(root)]
    version = re.search(r"VERSION ([0-9.]+) LANG", (top / "CMakeLists.txt").read_text())[1]
    settings = (here / "Doxyfile").read_text() + "\n".join(
        [
            f"PROJECT_NUMBER = {version}",
            f'OUTPUT_DIRECTORY = "{folder}"',
            f'STRIP_FROM_PATH = "{root.parent}"',
            f'STRIP_FROM_INC_PATH = "{root.parent}"',
            "INPUT = " + " ".join(f'"{path}"' for path in inputs),
            f'FILTER_PATTERNS = "*.h={sys.executable} {here / "doc_comments.py"}"',
        ]
    )
    done = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"doxygen failed\n{done.stderr}")
    return done.stderr.strip().splitlines()


def text_of(element):
    found = [element.find(tag) for tag in ("briefdescription", "detaileddescription")]
    return "".join("".join(part.itertext()) for part in found if part is not None).strip()


class Check:
    def __init__(self, folder, base):
        self.base = base  # that locations are relative to
        self.missing, self.counts = [], {}
        self.seen = set()
        index = ElementTree.parse(folder / "xml" / "index.xml").getroot()
        for compound in index.findall("compound"):
            if compound.get("kind") in ("class", "struct", "union", "namespace", "group", "file"):
                page = ElementTree.parse(folder / "xml" / f"{compound.get('refid')}.xml")
                self.compound(page.getroot().find("compounddef"))

    def compound(self, node):
        kind, name = node.get("kind"), node.findtext("compoundname")
        documented = bool(text_of(node))
        if kind in ("class", "struct", "union"):
            if node.get("prot") != "public":
                return
            self.count("types")
            if not documented:
                self.missing.append((self.place(node), name))
        members = list(node.iter("memberdef"))
        explained = {self.place(m) for m in members if m.get("kind") == "variable" and text_of(m)}
        for member in members:
            self.member(member, "" if kind in ("group", "file") else name, documented, explained)

    def member(self, node, owner, documented, explained):
        if node.get("prot") == "private" or node.get("kind") == "define":
            return
        if node.get("id") in self.seen:
            return
        self.seen.add(node.get("id"))
        kind, name = node.get("kind"), node.findtext("name")
        whole = node.findtext("qualifiedname") or f"{owner}::{name}"
        in_type = bool(owner) and owner != "sinew"
        arguments = node.findtext("argsstring") or ""
        self.count({"function": "functions", "friend": "functions", "enum": "types", "typedef": "types"}.get(
            kind, "members" if in_type else "constants"))
        has_text = bool(text_of(node))
        if kind == "enum":
            self.enum(node, whole, has_text)
        if has_text:
            return
        if kind in ("function", "friend") and self.says_itself(name, owner, arguments):
            return
        place = self.place(node)
        if kind == "variable" and (place in explained or (in_type and documented)):
            return
        self.missing.append((place, whole))

    def enum(self, node, whole, documented):
        location = node.find("location")
        lines = (self.base / location.get("file")).read_text().splitlines()
        is_one_line = "}" in lines[int(location.get("line")) - 1]
        for value in node.findall("enumvalue"):
            self.count("values")
            if not text_of(value) and not (documented and is_one_line):
                self.missing.append((self.place(node), f"{whole}::{value.findtext('name')}"))

    def says_itself(self, name, owner, arguments):
        own = owner.split("::")[-1].split("<")[0]
        if name == f"~{own}" or re.fullmatch(r"operator *(==|!=|<=>|[-+*/]=?|\[\]|=)", name):
            return True
        inner = arguments[1 : arguments.rfind(")")].strip()
        return name == own and (inner == "" or re.fullmatch(rf"(const )?{own} ?&&? ?\w*", inner) is not None)

    def place(self, node):
        location = node.find("location")
        return f"{location.get('file')}:{location.get('line')}"

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1


def main():
    folder = Path(sys.argv[1]).resolve()
    root = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else top / "src" / "sinew"
    warnings = run_doxygen(folder, root)
    check = Check(folder, root.parent)
    for warning in warnings:
        print(warning)
    for place, name in sorted(set(check.missing)):
        print(f"{place}: {name} has no comment")
    total = sum(check.counts.values())
    parts = ", ".join(f"{n} {what}" for what, n in sorted(check.counts.items()))
    print(f"{len(public_headers(root))} public headers, {total} public names ({parts}); "
          f"{len(set(check.missing))} without a comment, {len(warnings)} warnings")
    print(f"Pages: {folder / 'html' / 'index.html'}")
    sys.exit(1 if check.missing or warnings else 0)


if __name__ == "__main__":
    main()
