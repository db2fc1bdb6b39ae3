# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files as JSON and arrays: as much as is needed beside Blender's own add-on."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any, Optional
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
FLOAT = 5126


class Document:
    """The JSON of a glTF file and its buffers."""

    def __init__(self, path: str) -> None:
        data = Path(path).read_bytes()
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            self.json: dict[str, Any] = json.loads(data[20:20 + size])
            self.buffers = [data[28 + size:]] + [b""] * (len(self.json.get("buffers", ())) - 1)
        else:
            self.json = json.loads(data)
            self.buffers = [self._load(Path(path).parent, buffer)
                            for buffer in self.json.get("buffers", ())]

    @staticmethod
    def _load(folder: Path, buffer: dict[str, Any]) -> bytes:
        uri = buffer.get("uri", "")
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (folder / unquote(uri)).read_bytes() if uri else b""

    def array(self, accessor: int) -> Array:
        """The numbers of an accessor, (count, components); normalised ones as fractions."""
        info = self.json["accessors"][accessor]
        kind, width = np.dtype(_TYPES[info["componentType"]]), _WIDTHS[info["type"]]
        if "bufferView" not in info or "sparse" in info:
            raise ValueError("sparse and compressed accessors are not read here")
        view = self.json["bufferViews"][info["bufferView"]]
        start = view.get("byteOffset", 0) + info.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        table: Array = np.ndarray((info["count"], width), kind, self.buffers[view["buffer"]], start,
                                  (stride, kind.itemsize))
        if info.get("normalized"):
            return table / np.float32(np.iinfo(kind).max)
        return table

    def add(self, values: Array) -> int:
        """A new accessor of floats in the first buffer."""
        values = np.ascontiguousarray(values, np.float32)
        start = len(self.buffers[0]) + -len(self.buffers[0]) % 4
        self.buffers[0] = self.buffers[0].ljust(start, b"\0") + values.tobytes()
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": start,
                                         "byteLength": values.nbytes, "target": 34962})
        kinds = {width: name for name, width in _WIDTHS.items()}
        self.json["accessors"].append({
            "bufferView": len(self.json["bufferViews"]) - 1, "componentType": FLOAT,
            "count": len(values), "type": kinds[values.shape[1]]})
        return len(self.json["accessors"]) - 1

    def drop(self, accessors: set[int]) -> None:
        """Removes accessors that nothing refers to, each with a view of its own."""
        views = {self.json["accessors"][a]["bufferView"] for a in accessors}
        new_accessor = _renumbered(len(self.json["accessors"]), accessors)
        new_view = _renumbered(len(self.json["bufferViews"]), views)
        self._keep("accessors", accessors)
        data = b""
        for i, view in enumerate(self.json["bufferViews"]):
            if i not in views and view["buffer"] == 0:
                start = view.get("byteOffset", 0)
                data += b"\0" * (-len(data) % 4)
                view["byteOffset"] = len(data)
                data += self.buffers[0][start:start + view["byteLength"]]
        self.buffers[0] = data
        self._keep("bufferViews", views)
        for accessor in self.json["accessors"]:
            accessor["bufferView"] = new_view[accessor["bufferView"]]
        for image in self.json.get("images", ()):
            if "bufferView" in image:
                image["bufferView"] = new_view[image["bufferView"]]
        self._renumber(new_accessor)

    def _keep(self, name: str, without: set[int]) -> None:
        self.json[name] = [x for i, x in enumerate(self.json[name]) if i not in without]

    def _renumber(self, new: dict[int, int]) -> None:
        for mesh in self.json.get("meshes", ()):
            for primitive in mesh["primitives"]:
                if "indices" in primitive:
                    primitive["indices"] = new[primitive["indices"]]
                for attributes in (primitive["attributes"], *primitive.get("targets", ())):
                    for name in attributes:
                        attributes[name] = new[attributes[name]]
        for skin in self.json.get("skins", ()):
            if "inverseBindMatrices" in skin:
                skin["inverseBindMatrices"] = new[skin["inverseBindMatrices"]]
        for animation in self.json.get("animations", ()):
            for sampler in animation["samplers"]:
                sampler["input"], sampler["output"] = new[sampler["input"]], new[sampler["output"]]

    def write(self, path: str) -> None:
        """As a .glb."""
        data = self.buffers[0].ljust(len(self.buffers[0]) + -len(self.buffers[0]) % 4, b"\0")
        self.json["buffers"] = [{"byteLength": len(data)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        Path(path).write_bytes(
            b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(data))
            + struct.pack("<I", len(text)) + b"JSON" + text
            + struct.pack("<I", len(data)) + b"BIN\0" + data)


def _renumbered(count: int, without: set[int]) -> dict[int, int]:
    kept = [i for i in range(count) if i not in without]
    return {old: new for new, old in enumerate(kept)}


def extras_of(owner: dict[str, Any]) -> Optional[dict[str, Any]]:
    """What Sinew has written beside a thing of a glTF file."""
    found = (owner.get("extras") or {}).get("sinew")
    return found if isinstance(found, dict) and found.get("version") == 1 else None


def to_gltf(points: Array) -> Array:
    """From z up to y up."""
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def to_blender(points: Array) -> Array:
    """From y up to z up."""
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
