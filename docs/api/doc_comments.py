#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Doxygen's filter: prints a header with its plain // comments as doc comments, line for line.

A comment belongs to the declaration below it, or before it on its line. One above several functions
without a blank line between them belongs to each, and so does one above several aliases or constants, or
a type and its functions. Comments in function bodies, and those with a blank line below, stay as they are.
"""
import re
import sys
from pathlib import Path

TEMPLATE = re.compile(r"^\s*(template\s*<([^<>]|<[^<>]*>)*>\s*)*(friend\s+|inline\s+)*")
ACCESS = ("public:", "private:", "protected:")
# Destructors, copies and moves.
SPECIAL = re.compile(r"(virtual )?~|.*\boperator\b|(\w+)\((const )?\2&&?")


def escaped(text):
    """Text that Doxygen shows as it is, with `quoted` parts as code."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([\\@<>#&])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def split(line):
    """The code of a line, with strings and characters blanked out, and what its // comment says."""
    code, quote, i = "", "", 0
    while i < len(line):
        c = line[i]
        if quote:
            i += c == "\\"
            quote = "" if c == quote else quote
        elif c in "\"'" and not (c == "'" and i and line[i - 1].isdigit()):  # as in 1'000
            quote = c
        elif line.startswith("//", i):
            return code, line[i + 2 :]
        else:
            code += c
        i += 1
    return code, None


class Filter:
    def __init__(self, text, group, title):
        self.lines = text.split("\n")
        self.out = list(self.lines)
        self.group, self.title = group, title
        self.scopes = []  # of each open brace: what it is of, and the comment above it
        self.round = 0  # open parentheses
        self.statement, self.start = "", 0  # what is being read, and the line that it begins on
        self.comment = None  # above it
        # Of the declaration above it, and its kind, while no blank line comes between.
        self.shared = None
        self.remark = None  # behind it: lines from and to, and the column

    def scope(self):
        return self.scopes[-1][0] if self.scopes else "namespace"

    def run(self):
        above = []  # the lines of a comment that nothing has followed yet
        for number in range(self.file_comment(), len(self.lines)):
            code, remark = split(self.lines[number])
            bare = code.strip()
            between = not self.statement.strip() and self.scope() != "body"
            if between and not bare and remark is not None:
                if not self.continues_remark(number, remark):
                    above.append(number)
            elif between and not bare:
                above, self.shared = [], None
            elif between and bare.startswith("#"):
                above = []
            elif between and bare in ACCESS:
                above, self.shared = [], None
            else:
                self.code_line(number, code, remark, above)
                above = []
        return "\n".join(self.out)

    def file_comment(self):
        """The comment at the top: of the file, or of the front header, which is the main page."""
        self.out[0] = f"/// @mainpage {self.title}" if self.title else "/// @file"
        number, fenced = 1, False
        while self.lines[number].startswith("//"):
            text = self.lines[number][2:]
            fence = text.strip().startswith("```")
            self.out[number] = "///" + (text if fenced or fence else escaped(text))
            fenced ^= fence
            number += 1
        return number

    def code_line(self, number, code, remark, above):
        inside = self.scope()
        if not self.statement.strip() and inside != "body":
            self.start, self.comment = number, None
            if above:
                self.comment = " ".join(escaped(self.lines[n].split("//", 1)[1].strip()) for n in above)
                for n in above:
                    indent, text = self.lines[n].split("//", 1)
                    self.out[n] = f"{indent}///{escaped(text)}"
        start, depth = self.start, len(self.scopes)
        ended = self.scan(code, number, remark is not None)
        bare = code.strip()
        if remark is None or inside == "body" or not bare or bare.startswith(("}", "namespace")):
            return
        if ended or len(self.scopes) > depth:
            self.out[number] = self.out[number].replace("//" + remark, "").rstrip()
            self.put_before(start, escaped(remark.strip()))
            self.remark = (start, number, self.lines[number].index("//" + remark))

    def put_before(self, number, text):
        line = self.out[number]
        indent = line[: len(line) - len(line.lstrip())]
        self.out[number] = f"{indent}/** {text} */ {line.lstrip()}"

    def continues_remark(self, number, remark):
        """Whether the line goes on with the comment at the end of the one above."""
        if not self.remark or number != self.remark[1] + 1:
            return False
        start, _, column = self.remark
        if self.lines[number].index("//") != column:
            return False
        self.out[start] = self.out[start].replace(" */", f" {escaped(remark.strip())} */", 1)
        self.out[number] = ""
        self.remark = (start, number, column)
        return True

    def scan(self, code, number, has_remark):
        """Follows braces; whether a declaration ends on the line."""
        ended = False
        for c in code:
            self.round += (c == "(") - (c == ")")
            if c == "{":
                self.open(number)
            elif c == "}":
                ended |= self.close(number, has_remark)
            elif self.scope() == "body":
                continue
            elif self.round == 0 and (c == ";" or (c == "," and self.scope() == "enum")):
                self.declared(has_remark)
                ended = True
            else:
                self.statement += c
                if self.statement.strip() in ACCESS:
                    self.statement = ""
        # The last value of an enum has no comma.
        if self.scope() == "enum" and self.statement.strip():
            self.declared(has_remark)
            ended = True
        return ended

    def open(self, number):
        word = re.match(r"(namespace|struct|class|union|enum)\b", TEMPLATE.sub("", self.statement))
        if self.round or self.scope() == "body" or not word:
            self.scopes.append(("body", None))
            return
        kind = word[1] if word[1] in ("namespace", "enum") else "type"
        if kind == "namespace":
            if self.group and not self.scopes:
                self.out[number] += f" /** @addtogroup {self.group} */ /** @{{ */"
        self.scopes.append((kind, self.comment))
        self.statement, self.comment, self.shared = "", None, None

    def close(self, number, has_remark):
        kind, comment = self.scopes.pop()
        if kind == "body":
            is_function = "(" in TEMPLATE.sub("", self.statement)
            if self.scope() == "body" or self.round or not is_function:
                return False
            self.declared(has_remark)
            return True
        if kind == "namespace" and self.group and not self.scopes:
            self.out[number] = "/** @} */ " + self.out[number]
        self.statement, self.shared = "", (comment, "type") if comment else None
        return True

    def declared(self, has_remark):
        """The statement is a whole declaration: gives it the comment that it shares with the one above."""
        text, self.statement = TEMPLATE.sub("", self.statement).strip(), ""
        if not text or self.scope() == "enum":
            return
        kind = "alias" if text.startswith("using ") else "function" if "(" in text else "data"
        if self.comment:
            self.shared = (self.comment, kind)
        elif self.shared and not has_remark and not SPECIAL.match(text):
            is_member = kind == "data" and self.scope() == "type"
            if kind in ("function", self.shared[1]) and not is_member:
                self.put_before(self.start, self.shared[0])
        self.comment = None


def main():
    path = Path(sys.argv[1])
    parts = path.parts[len(path.parts) - path.parts[::-1].index("sinew") :]
    is_front = len(parts) == 1
    sys.stdout.write(Filter(path.read_text(), "" if is_front else parts[0], "Sinew" if is_front else "").run())


if __name__ == "__main__":
    main()
