#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""order_functions.py MODULE: puts functions of a WebAssembly module beside those that they resemble, in place.

Gzip finds again what it has seen within the last 32 KB. A linker has functions in the order of its
files, and templates of one kind are far apart: in this order a module takes a twelfth less to
download, and is otherwise the same. The first ones, whose numbers take a byte, stay where they are.
"""

from __future__ import annotations

import sys
import zlib
from collections import Counter, deque
from heapq import heapify, heappop, heappush
from pathlib import Path

# Beyond which gzip forgets, less a little.
WINDOW = 30000
# Functions are compared by pieces of so many bytes, one of so many.
PIECE, ONE_OF = 6, 1
# A piece that more functions have says nothing about them.
COMMON = 400

IMPORTS, FUNCTIONS, EXPORTS, START, ELEMENTS, CODE = 2, 3, 7, 8, 9, 10


class NotUnderstood(Exception):
    """Something of WebAssembly that Emscripten's modules had none of."""


def number(data: bytes, at: int) -> tuple[int, int]:
    """The unsigned LEB128 number at that place, and where it ends."""
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result, at
        shift += 7


def packed(value: int) -> bytes:
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    result.append(value)
    return bytes(result)


def after(data: bytes, at: int, numbers: int) -> int:
    """Where so many LEB128 numbers end, of either sign."""
    for _ in range(numbers):
        while data[at] > 127:
            at += 1
        at += 1
    return at


# How many numbers follow an instruction; none after those that are missing.
OPERANDS = {**dict.fromkeys([0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0C, 0x0D, 0x18], 1), 0x11: 2,
            **dict.fromkeys(range(0x20, 0x27), 1), **dict.fromkeys(range(0x28, 0x3F), 2),
            0x3F: 1, 0x40: 1, 0x41: 1, 0x42: 1, 0xD0: 1}
BULK_OPERANDS = {8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}
CALL, RETURN_CALL, FUNCTION_REFERENCE = 0x10, 0x12, 0xD2


def after_vector(data: bytes, at: int) -> int:
    """Where an instruction on 128 bits ends, whose prefix was read."""
    kind, at = number(data, at)
    if kind in (12, 13):
        return at + 16
    if kind <= 11 or 84 <= kind <= 93:
        at = after(data, at, 2)
    return at + 1 if 21 <= kind <= 34 or 84 <= kind <= 91 else at


def calls_in(body: bytes) -> list[tuple[int, int, int]]:
    """Of each number of a function in a function's code: where it begins and ends, and the number."""
    groups, at = number(body, 0)
    for _ in range(groups):
        at = after(body, at, 1) + 1
    found = []
    while at < len(body):
        code = body[at]
        at += 1
        if code in (CALL, RETURN_CALL, FUNCTION_REFERENCE):
            value, end = number(body, at)
            found.append((at, end, value))
            at = end
        elif code == 0x0E:  # br_table
            count, at = number(body, at)
            at = after(body, at, count + 1)
        elif code == 0x1C:  # select of a type
            count, at = number(body, at)
            at += count
        elif code in (0x43, 0x44):
            at += 4 if code == 0x43 else 8
        elif code == 0xFC:
            kind, at = number(body, at)
            at = after(body, at, BULK_OPERANDS.get(kind, 0))
        elif code == 0xFD:
            at = after_vector(body, at)
        elif code == 0xFE:
            kind, at = number(body, at)
            at = after(body, at, 1 if kind == 3 else 2)
        elif code in OPERANDS:
            at = after(body, at, OPERANDS[code])
        elif not (code in (0x00, 0x01, 0x05, 0x0B, 0x0F, 0x19, 0x1A, 0x1B, 0xD1) or 0x45 <= code <= 0xC4):
            raise NotUnderstood(f"the instruction {code:#x}")
    if at != len(body) or body[-1] != 0x0B:
        raise NotUnderstood("a function that does not end where its size says")
    return found


def pieces_of(bodies: list[bytes]) -> list[list[int]]:
    """What functions are compared by: pieces that some have in common."""
    sets = []
    for body in bodies:
        pieces = (body[k:k + PIECE] for k in range(len(body) - PIECE))
        sets.append({h for h in map(zlib.crc32, pieces) if h % ONE_OF == 0})
    having = Counter(h for pieces in sets for h in pieces)
    return [sorted(h for h in pieces if 1 < having[h] <= COMMON) for pieces in sets]


def order_of(bodies: list[bytes], first: int) -> list[int]:
    """Next comes, always, the function of which the last ones have the largest part."""
    pieces = pieces_of(bodies)
    having: dict[int, list[int]] = {}
    for i, own in enumerate(pieces):
        for h in own:
            having.setdefault(h, []).append(i)
    shared = [0] * len(bodies)
    seen: Counter[int] = Counter()
    last: deque[int] = deque()
    size = 0
    order: list[int] = []
    placed = [False] * len(bodies)

    def key(i: int) -> tuple[float, int]:
        # Small ones need more in common.
        return -shared[i] / (len(pieces[i]) + 2), i

    best: list[tuple[float, int]] = []

    def place(i: int) -> None:
        nonlocal size
        order.append(i)
        placed[i] = True
        last.append(i)
        size += len(bodies[i])
        touched = set()
        for h in pieces[i]:
            seen[h] += 1
            if seen[h] == 1:
                for other in having[h]:
                    shared[other] += 1
                touched.update(having[h])
        while size > WINDOW and len(last) > 1:
            gone = last.popleft()
            size -= len(bodies[gone])
            for h in pieces[gone]:
                seen[h] -= 1
                if seen[h] == 0:
                    for other in having[h]:
                        shared[other] -= 1
        for other in touched:
            if not placed[other]:
                heappush(best, key(other))

    for i in range(min(first, len(bodies))):
        place(i)
    best += [key(i) for i in range(len(bodies)) if not placed[i]]
    heapify(best)
    while best:
        entry = heappop(best)
        i = entry[1]
        if placed[i]:
            continue
        if entry != key(i):  # as it was some functions ago
            heappush(best, key(i))
            continue
        place(i)
    return order


def sections_of(module: bytes) -> list[tuple[int, bytes]]:
    if module[:8] != b"\0asm\1\0\0\0":
        raise NotUnderstood("a file that is no module")
    sections, at = [], 8
    while at < len(module):
        size, begin = number(module, at + 1)
        sections.append((module[at], module[begin:begin + size]))
        at = begin + size
    return sections


def imported(section: bytes) -> int:
    """How many functions are, whose numbers come first."""
    count, at = number(section, 0)
    functions = 0
    for _ in range(count):
        for _ in range(2):
            size, at = number(section, at)
            at += size
        kind, at = section[at], at + 1
        functions += kind == 0
        if kind == 0:
            at = after(section, at, 1)
        elif kind in (1, 2):
            at += kind == 1
            limits, at = section[at], at + 1
            at = after(section, at, 1 + (limits & 1))
        else:
            at += 2 if kind == 3 else 1
            at = at if kind == 3 else after(section, at, 1)
    return functions


def items_of(section: bytes) -> list[bytes]:
    """Of a list of things with their sizes before them."""
    count, at = number(section, 0)
    items = []
    for _ in range(count):
        size, at = number(section, at)
        items.append(section[at:at + size])
        at += size
    return items


def renumbered_exports(section: bytes, numbers: list[int]) -> bytes:
    count, at = number(section, 0)
    result = bytearray(packed(count))
    for _ in range(count):
        size, begin = number(section, at)
        kind_at = begin + size
        value, end = number(section, kind_at + 1)
        result += section[at:kind_at + 1] + packed(numbers[value] if section[kind_at] == 0 else value)
        at = end
    return bytes(result)


def renumbered_elements(section: bytes, numbers: list[int]) -> bytes:
    count, at = number(section, 0)
    result = bytearray(packed(count))
    for _ in range(count):
        if section[at] != 0 or section[at + 1] != 0x41:
            raise NotUnderstood("elements other than those of a table from a constant place on")
        begin, at = at, after(section, at + 2, 1) + 1
        size, at = number(section, at)
        result += section[begin:after(section, begin + 2, 1) + 1] + packed(size)
        for _ in range(size):
            value, at = number(section, at)
            result += packed(numbers[value])
    return bytes(result)


def ordered(module: bytes) -> bytes:
    sections = sections_of(module)
    parts = dict(sections)
    if any(kind == 0 and body[1:5] == b"name" for kind, body in sections):
        raise NotUnderstood("names of functions, which would be others afterwards")
    before = imported(parts[IMPORTS])
    bodies, count_and_types = items_of(parts[CODE]), parts[FUNCTIONS]
    order = order_of(bodies, 128 - before)
    numbers = list(range(before)) + [0] * len(bodies)
    for new, old in enumerate(order):
        numbers[before + old] = before + new
    types, at = [], number(count_and_types, 0)[1]
    for _ in bodies:
        end = after(count_and_types, at, 1)
        types.append(count_and_types[at:end])
        at = end
    code = bytearray(packed(len(bodies)))
    for old in order:
        body, done, result = bodies[old], 0, bytearray()
        for begin, end, value in calls_in(body):
            result += body[done:begin] + packed(numbers[value])
            done = end
        result += body[done:]
        code += packed(len(result)) + result
    parts[CODE] = bytes(code)
    parts[FUNCTIONS] = packed(len(bodies)) + b"".join(types[old] for old in order)
    parts[EXPORTS] = renumbered_exports(parts[EXPORTS], numbers)
    if ELEMENTS in parts:
        parts[ELEMENTS] = renumbered_elements(parts[ELEMENTS], numbers)
    if START in parts:
        parts[START] = packed(numbers[number(parts[START], 0)[0]])
    out = bytearray(module[:8])
    for kind, body in sections:
        body = parts[kind] if kind in (FUNCTIONS, EXPORTS, START, ELEMENTS, CODE) else body
        out += bytes([kind]) + packed(len(body)) + body
    return bytes(out)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    path = Path(sys.argv[1])
    try:
        path.write_bytes(ordered(path.read_bytes()))
    except NotUnderstood as problem:
        print(f"{path}: cannot order {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
