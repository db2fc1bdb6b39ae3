# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of Sinew has that Blender has nothing for: kept beside the armature, and written again.

Controls, generalized bones, driven shapes, limits of joints and settings of offset curves are about
joints by the numbers of their nodes and about axes of the joints' frames. An import renames joints
and turns their frames, and an export has new numbers: kept are names, and axes in the frames of
Blender's bones, which are those of the joints that are written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional

import numpy as np
from numpy.typing import NDArray

from . import glb

Array = NDArray[Any]
_AXES = "xyz"


class Lost(Exception):
    """Something that cannot be said in other frames, or about joints that are gone."""


@dataclass(frozen=True)
class Frames:
    """Where the joints of a file have gone."""

    names: list[str]
    """For each node the name that it has in Blender."""
    turns: dict[int, Array]
    """For each node that is a bone: from the frame it had to the bone's."""
    parents: dict[int, int]

    def turned(self, node: int, vector: Any) -> list[float]:
        """A vector in the frame of a joint."""
        return [float(v) for v in self.turns.get(node, np.eye(3)) @ np.asarray(vector, float)]

    def permuted(self, node: int) -> tuple[Array, Array]:
        """For each axis of the bone, which one of the joint it was, and its sign."""
        turn = self.turns.get(node, np.eye(3))
        whole = np.rint(turn)
        if np.abs(turn - whole).max() > 1e-3:
            raise Lost("its bone is turned against the joint of the file")
        return np.argmax(np.abs(whole), axis=1), whole.sum(axis=1)


def frames_of(document: glb.Document, names: list[str], bones: dict[int, Any]) -> Frames:
    """`bones`: for nodes that have become bones, these."""
    nodes, parents = document.json["nodes"], parents_of(document)
    places: dict[int, Array] = {}

    def place(node: int) -> Array:
        if node not in places:
            above = place(parents[node]) if node in parents else np.eye(3)
            places[node] = above @ _rotation(nodes[node])
        return places[node]

    for skin in document.json.get("skins", ()):
        if "inverseBindMatrices" in skin:
            for joint, bind in zip(skin["joints"], binds(document, skin)):
                places[joint] = nearest_rotation(bind[:3, :3])
    turns = {}
    for node, bone in bones.items():
        rest = np.array(bone.matrix_local, dtype=float)[:3, :3]
        turns[node] = nearest_rotation(np.linalg.inv(rest) @ glb.to_blender(place(node).T).T)
    return Frames(names, turns, parents)


def parents_of(document: glb.Document) -> dict[int, int]:
    """For each node that has one, the node above it."""
    return {child: i for i, node in enumerate(document.json["nodes"])
            for child in node.get("children", ())}


def binds(document: glb.Document, skin: dict[str, Any]) -> Array:
    """(n, 4, 4) where the joints of a skin are at bind, in the space of the file's vertices."""
    inverse = document.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).astype(float)
    result: Array = np.linalg.inv(np.swapaxes(inverse, 1, 2))
    return result


def nearest_rotation(matrix: Array) -> Array:
    """Without scale and shear."""
    u, _, v = np.linalg.svd(matrix)
    result: Array = u @ v
    return result


def _rotation(node: dict[str, Any]) -> Array:
    if "matrix" in node:
        return nearest_rotation(np.array(node["matrix"], float).reshape(4, 4).T[:3, :3])
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


# In

def taken_in(extras: dict[str, Any], frames: Frames,
             shape_of: Callable[[int, int], Optional[list[str]]]) -> tuple[dict[str, Any], list[str]]:
    """The extras of a document without pose spaces, with names for nodes and in the frames of
    bones; and what was lost. `shape_of`: object and shape key of a node's blend shape."""
    lost: list[str] = []

    def each(member: str, convert: Callable[[Any], Any]) -> Iterator[Any]:
        for number, entry in enumerate(extras.get(member, ())):
            try:
                yield convert(entry)
            except Lost as problem:
                lost.append(f"{member} {number}: {problem}")

    def driver(entry: dict[str, Any]) -> dict[str, Any]:
        return _driver_in(entry, frames, shape_of)

    def limit(entry: dict[str, Any]) -> dict[str, Any]:
        return {"joint": frames.names[entry["joint"]],
                "limit": _limit_in(entry["limit"], entry["joint"], frames)}

    result = {key: value for key, value in extras.items() if key not in ("poseSpaces", "version")}
    for member, convert in (("drivers", driver), ("limits", limit)):
        if member in extras:
            result[member] = list(each(member, convert))
    if "offsetCurves" in extras:
        result["offsetCurves"] = _curves(extras["offsetCurves"], lambda node: frames.names[node])
    return {key: value for key, value in result.items() if value}, lost


def _driver_in(entry: dict[str, Any], frames: Frames,
               shape_of: Callable[[int, int], Optional[list[str]]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if "shape" in entry:
        shape = shape_of(*entry["shape"])
        if shape is None:
            raise Lost("its blend shape is not in Blender")
        result["shape"] = shape
    else:
        result["joint"] = frames.names[entry["joint"]]
    if "share" in entry:
        source = entry["share"]["source"]
        apart = frames.turns.get(entry["joint"], np.eye(3)) - frames.turns.get(source, np.eye(3))
        if np.abs(apart).max() > 1e-3:
            raise Lost("the bones of its joints are turned in two ways against those of the file")
        result["share"] = {**entry["share"], "source": frames.names[source]}
        return result
    follow = dict(entry["follow"])
    if "angle" in follow:
        node = follow["angle"]["joint"]
        follow["angle"] = {**follow["angle"], "joint": frames.names[node]}
        if "axis" in follow["angle"]:
            follow["angle"]["axis"] = frames.turned(node, follow["angle"]["axis"])
    if "axis" in follow:
        node = entry["joint"]
        if follow.get("property") == "scale":
            axis = np.asarray(follow["axis"], float)
            if np.ptp(axis) > 0:
                follow["axis"] = axis[frames.permuted(node)[0]].tolist()
        elif follow.get("property") == "translation":
            follow["axis"] = frames.turned(frames.parents.get(node, -1), follow["axis"])
        else:
            follow["axis"] = frames.turned(node, follow["axis"])
    return {**result, "follow": follow}


def _limit_in(limit: dict[str, Any], node: int, frames: Frames) -> dict[str, Any]:
    result = dict(limit)
    for name in ("hinge", "axis"):
        if name in result:
            result[name] = frames.turned(node, result[name])
    if any(axis in limit for axis in _AXES):
        which, signs = frames.permuted(node)
        for axis in _AXES:
            result.pop(axis, None)
        for axis, old, sign in zip(_AXES, which, signs):
            if _AXES[old] in limit:
                low, high = limit[_AXES[old]]
                result[axis] = [low, high] if sign > 0 else [-high, -low]
    return result


def _curves(settings: dict[str, Any], renamed: Callable[[Any], Any]) -> dict[str, Any]:
    """Settings of offset curves, with other names for joints."""
    result = dict(settings)
    if "curves" in settings:
        result["curves"] = [{**curve, "bones": [renamed(bone) for bone in curve["bones"]],
                             **({"leadIn": renamed(curve["leadIn"])} if "leadIn" in curve else {})}
                            for curve in settings["curves"]]
    return result


# Out

class Places:
    """The nodes and blend shapes of a document by their names."""

    def __init__(self, document: glb.Document) -> None:
        self.document = document
        self.nodes = {node.get("name", ""): i for i, node in enumerate(document.json["nodes"])}

    def node(self, name: str) -> int:
        """A node."""
        if name not in self.nodes:
            raise Lost(f"there is no {name}")
        return self.nodes[name]

    def shape(self, obj: str, key: str) -> list[int]:
        """A shape key."""
        node = self.node(obj)
        mesh = self.document.json["meshes"][self.document.json["nodes"][node].get("mesh", 0)]
        names = (mesh.get("extras") or {}).get("targetNames", [])
        if key not in names:
            raise Lost(f"{obj} has no shape key {key}")
        return [node, names.index(key)]


def given_out(kept: dict[str, Any], places: Places) -> tuple[dict[str, Any], list[str]]:
    """The extras of a document, and what was lost on the way."""
    lost: list[str] = []

    def numbered(value: Any, key: str = "") -> Any:
        if key in ("joint", "source"):
            return places.node(value)
        if key == "shape":
            return places.shape(*value)
        if isinstance(value, dict):
            return {name: numbered(member, name) for name, member in value.items()}
        return value

    result = dict(kept)
    for member in ("drivers", "limits"):
        entries = []
        for number, entry in enumerate(kept.get(member, ())):
            try:
                entries.append(numbered(entry))
            except Lost as problem:
                lost.append(f"{member} {number}: {problem}")
        if member in kept:
            result[member] = entries
    try:
        if "offsetCurves" in kept:
            result["offsetCurves"] = _curves(kept["offsetCurves"], places.node)
    except Lost as problem:
        lost.append(f"offset curves: {problem}")
        del result["offsetCurves"]
    return result, lost


def read(armature: Any) -> dict[str, Any]:
    """What an armature keeps: "document" and "animations", by their names."""
    return dict(json.loads(armature.sinew.extras)) if armature.sinew.extras else {}


def write(armature: Any, document: dict[str, Any], animations: dict[str, Any]) -> None:
    """Keeps it."""
    if document or animations:
        armature.sinew.extras = json.dumps({"document": document, "animations": animations})
