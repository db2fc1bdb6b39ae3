# SPDX-License-Identifier: Apache-2.0
"""Files of any size for growth.py: long chains, many islands, many of everything that a file lists."""
import base64
import json
import struct
import zlib
from pathlib import Path

Vector = tuple[float, float, float]


def write(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def write_json(path: Path, value: object) -> str:
    return write(path, json.dumps(value))


def chain(count: int, step: Vector = (0, 1, 0), start: Vector = (0, 0, 0), name: str = "j") -> list[dict]:
    """Nodes of joints that hang one from the other; children are numbered from the first node."""
    nodes = [{"name": f"{name}{i}", "translation": list(step), "children": [i + 1]} for i in range(count)]
    nodes[0]["translation"] = list(start)
    del nodes[-1]["children"]
    return nodes


class Gltf:
    """A rig whose vertices hang from its joints in turn, one triangle to each three."""

    def __init__(self, joints: list[dict], roots: list[int], positions: list[Vector]):
        self.bytes = b""
        count = len(positions)
        self.document: dict = {
            "asset": {"version": "2.0"}, "scene": 0,
            "nodes": joints + [{"name": "body", "mesh": 0, "skin": 0}],
            "scenes": [{"nodes": roots + [len(joints)]}],
            "bufferViews": [], "accessors": [],
            "skins": [{"joints": list(range(len(joints)))}]}
        bounds = {"min": [min(p[k] for p in positions) for k in range(3)],
                  "max": [max(p[k] for p in positions) for k in range(3)]}
        bones = [(i * len(joints) // count) for i in range(count)]
        self.document["meshes"] = [{"name": "body", "primitives": [{
            "attributes": {
                "POSITION": self.add("VEC3", 5126, "f", [x for p in positions for x in p], bounds),
                "JOINTS_0": self.add("VEC4", 5123, "H", [x for b in bones for x in (b, 0, 0, 0)]),
                "WEIGHTS_0": self.add("VEC4", 5126, "f", [1, 0, 0, 0] * count)},
            "indices": self.add("SCALAR", 5125, "I", list(range(count)))}]}]

    def add(self, kind: str, component: int, letter: str, values: list, more: dict | None = None) -> int:
        data = struct.pack(f"<{len(values)}{letter}", *values)
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + b"\0" * (-len(data) % 4)
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        self.document["accessors"].append({"bufferView": len(self.document["bufferViews"]) - 1, "type": kind,
                                           "componentType": component, "count": len(values) // width, **(more or {})})
        return len(self.document["accessors"]) - 1

    def add_clip(self, name: str, joints: list[int], keys: int) -> None:
        """Turns joints to and fro."""
        times = self.add("SCALAR", 5126, "f", [k / 30 for k in range(keys)], {"min": [0], "max": [(keys - 1) / 30]})
        turns = self.add("VEC4", 5126, "f", [x for k in range(keys) for x in ((0, 0, 0, 1), (0, .6, 0, .8))[k % 2]])
        self.document.setdefault("animations", []).append({
            "name": name, "samplers": [{"input": times, "output": turns}],
            "channels": [{"sampler": 0, "target": {"node": j, "path": "rotation"}} for j in joints]})

    def write(self, path: Path) -> str:
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        self.document["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        return write_json(path, self.document)


def tower(triangles: int, apart: float = 2) -> list[Vector]:
    """Triangles one above the other."""
    return [p for i in range(triangles) for p in ((0.0, apart * i, 0.0), (1.0, apart * i, 0.0), (0.0, apart * i, 1.0))]


def obj(path: Path, positions: list[Vector], groups: bool = False) -> str:
    lines = [f"v {x} {y} {z}" for x, y, z in positions]
    for i in range(1, len(positions), 3):
        if groups:
            lines += [f"g part{i}", f"usemtl paint{i}"]
        lines.append(f"f {i} {i + 1} {i + 2}")
    return write(path, "\n".join(lines) + "\n")


def tgf(path: Path, count: int, length: float = 1) -> str:
    lines = [f"{i + 1} 0 {i * length} 0 j{i}" for i in range(count + 1)] + ["#"]
    return write(path, "\n".join(lines + [f"{i + 1} {i + 2}" for i in range(count)]) + "\n")


def bvh(path: Path, joints: int, frames: int) -> str:
    lines = ["HIERARCHY"]
    for i in range(joints):
        lines += [f"{'JOINT' if i else 'ROOT'} j{i}", "{", "OFFSET 0 1 0", "CHANNELS 3 Zrotation Xrotation Yrotation"]
    lines += ["End Site", "{", "OFFSET 0 1 0", "}"] + ["}"] * joints
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.04"]
    row = " ".join(["0 0 10"] * joints), " ".join(["5 0 20"] * joints)
    return write(path, "\n".join(lines + [row[i % 2] for i in range(frames)]) + "\n")


def png(path: Path, width: int, height: int) -> str:
    """A plain rectangle with two transparent pixels around it."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def is_inside(x: int, y: int) -> bool:
        return 2 <= x < width - 2 and 2 <= y < height - 2

    rows = b"".join(b"\0" + b"".join(bytes((200, 80, 40, 255 if is_inside(x, y) else 0)) for x in range(width))
                    for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return str(path)
