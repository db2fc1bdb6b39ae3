# SPDX-License-Identifier: GPL-3.0-or-later
"""What Sinew adds to a file that Blender's glTF add-on has written.

Blender's exporter splits and reorders vertices. An attribute with their numbers goes with them,
from which endpoint weights and blend shares are found; it leaves the file again.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import correctives, filters, glb, kept, muscles, rigs
from .bones import Bones, read_bones
from .groups import Skin, read_shares, read_skin

Array = NDArray[Any]
VERTEX = "_SINEW_VERTEX"
PARTS = "sinew_parts"
"""Of a mesh: the names of its parts, one per line, for each primitive of the file it is from."""


def number_vertices(obj: Any) -> None:
    """Adds the attribute."""
    layer = obj.data.attributes.new(VERTEX, "FLOAT", "POINT")
    layer.data.foreach_set("value", np.arange(len(obj.data.vertices), dtype=np.float32))


def forget_numbers(obj: Any) -> None:
    """Removes it again."""
    layer = obj.data.attributes.get(VERTEX)
    if layer is not None:
        obj.data.attributes.remove(layer)


def _is_number(attribute: str) -> bool:
    return attribute.endswith(VERTEX)


class _Vertices:
    """What a mesh has at its vertices, beside weights."""

    def __init__(self, obj: Any, armature: Any, bones: Bones, skin: Skin) -> None:
        rig = rigs.make_rig([obj], armature, bones, [skin])
        assert rig.endpoints is not None, "make_rig() gives them"
        self.count = len(bones.names)
        self.keys = skin.vertices * self.count + skin.bones
        self.endpoints = {"_ENDPOINT": np.array(rig.endpoints)}
        if rig.twist_endpoints is not None:
            self.endpoints["_TWIST_ENDPOINT"] = np.array(rig.twist_endpoints)
        self.shares = read_shares(obj)
        self.curves = _curve_weights(obj)

    def slots(self, word: str, vertices: Array, bones: Array) -> Array:
        """(n, 4) endpoint weights of so many slots; 0 where there is no influence."""
        wanted = vertices[:, None] * self.count + bones
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found = (self.keys[place] == wanted) & (bones >= 0)
        return np.where(found, self.endpoints[word][place], 0.0)


def curve_attribute(curve: int) -> str:
    """Of a mesh: painted weights of an influence curve, kept for the way out."""
    return f"curve_weight_{curve}"


def _curve_weights(obj: Any) -> list[Array]:
    """(n, 4) painted weights of four curves each."""
    result: list[Array] = []
    while curve_attribute(4 * len(result)) in obj.data.attributes:
        rows = np.zeros((len(obj.data.vertices), 4), np.float32)
        for column in range(4):
            layer = obj.data.attributes.get(curve_attribute(4 * len(result) + column))
            values = np.zeros(len(rows), np.float32)
            if layer is not None:
                layer.data.foreach_get("value", values)
            rows[:, column] = values
        result.append(rows)
    return result


def patch(path: str, objects: dict[str, Any],
          armature_of: dict[str, Any]) -> tuple[int, list[str]]:
    """Writes what Sinew knows of vertices and bones into a .glb; how many primitives got some, and
    what was lost."""
    document = glb.Document(path)
    done, numbers, written = 0, set(), []
    for node in document.json.get("nodes", ()):
        obj = objects.get(node.get("name", ""))
        if obj is None or "mesh" not in node or "skin" not in node:
            continue
        armature = armature_of[obj.name]
        skin = document.json["skins"][node["skin"]]
        bones = read_bones(armature)
        names = [document.json["nodes"][j].get("name", "") for j in skin["joints"]]
        place = np.array([bones.index.get(name, -1) for name in names])
        known = _Vertices(obj, armature, bones, read_skin(obj, bones.names))
        primitives = document.json["meshes"][node["mesh"]]["primitives"]
        for primitive in primitives:
            done += _patch_primitive(document, primitive["attributes"], place, known)
        parts = str(obj.data.get(PARTS, "")).split("\n")
        for primitive, part in zip(primitives, parts if len(parts) == len(primitives) else ()):
            if part:
                _extras(primitive)["name"] = part
        _settings(document, skin, names, armature, bones)
        written.append((obj, armature))
    lost = _document_extras(document, written)
    for mesh in document.json.get("meshes", ()):
        for primitive in mesh["primitives"]:
            for name in [n for n in primitive["attributes"] if _is_number(n)]:
                numbers.add(primitive["attributes"].pop(name))
    document.drop(numbers)
    document.write(path)
    return done, lost


def _extras(owner: dict[str, Any]) -> dict[str, Any]:
    """Where Sinew writes beside a thing of the file."""
    extras: dict[str, Any] = owner.setdefault("extras", {})
    result: dict[str, Any] = extras.setdefault("sinew", {"version": 1})
    return result


def _document_extras(document: glb.Document, written: list[tuple[Any, Any]]) -> list[str]:
    """What was kept beside armatures, and pose spaces of meshes; what was lost."""
    places, lost, spaces = kept.Places(document), [], []
    for armature in {armature.name: armature for _, armature in written}.values():
        found = kept.read(armature.data)
        extras, gone = kept.given_out(found.get("document", {}), places)
        lost += gone
        if extras:
            _extras(document.json).update(extras)
        for animation in document.json.get("animations", ()):
            told = found.get("animations", {}).get(animation.get("name", ""))
            if told:
                animation.setdefault("extras", {})["sinew"] = told
    for obj, _ in written:
        for number, space in enumerate(correctives.spaces(correctives.read(obj))):
            try:
                spaces.append(_space(space, obj, places))
            except kept.Lost as problem:
                lost.append(f"correctives {number} of {obj.name}: {problem}")
    if spaces:
        _extras(document.json)["poseSpaces"] = spaces
    return lost


def _space(space: correctives.Space, obj: Any, places: kept.Places) -> dict[str, Any]:
    """A pose space, in degrees."""
    table = np.degrees(space.table()[1:])
    result = {"joints": [places.node(joint) for joint in space.joints],
              "examples": [{"turns": turns.tolist(),
                            "shapes": [places.shape(obj.name, example.key)]}
                           for example, turns in zip(space.examples, table)]}
    if space.radius is not None:
        result["radius"] = float(np.degrees(space.radius))
    return result


def _patch_primitive(document: glb.Document, attributes: dict[str, int], place: Array,
                     known: _Vertices) -> int:
    number = next((n for n in attributes if _is_number(n)), None)
    if number is None or "_ENDPOINT_0" in attributes:
        return 0
    vertices = np.rint(document.array(attributes[number])[:, 0]).astype(np.int64)
    n = 0
    while f"JOINTS_{n}" in attributes:
        joints = document.array(attributes[f"JOINTS_{n}"]).astype(np.int64)
        weights = document.array(attributes[f"WEIGHTS_{n}"])
        bones = np.where(weights > 0, place[joints], -1)
        for word in known.endpoints:
            attributes[f"{word}_{n}"] = document.add(known.slots(word, vertices, bones))
        n += 1
    if known.shares is not None:
        attributes["_BLEND_SHARE"] = document.add(known.shares[vertices, None])
    for k, rows in enumerate(known.curves):
        attributes[f"_CURVE_WEIGHT_{k}"] = document.add(rows[vertices])
    return int(n > 0)


def _curve(points: Sequence[tuple[float, float]]) -> Any:
    listed = [list(point) for point in points]
    falls = any(b[1] < a[1] for a, b in zip(listed, listed[1:]))
    return {"free": listed} if falls else listed


def _settings(document: glb.Document, skin: dict[str, Any], names: list[str], armature: Any,
              bones: Bones) -> None:
    """The extras of a skin."""
    binds = kept.binds(document, skin)
    change = _change(binds, names, bones)
    places = _tails(binds, change, names, bones)
    node, pointed = dict(zip(names, skin["joints"])), _pointed(skin, names, bones)
    found: list[Optional[Any]] = [armature.data.bones.get(name) for name in names]
    known = [bone if name in bones.index else None for name, bone in zip(names, found)]
    extras = {
        "version": 1,
        "tails": [None if bone is None else places[bones.index[bone.name]].tolist()
                  for bone in known],
        "tailJoints": [None if bone is None else pointed[bones.index[bone.name]] for bone in known],
        "twistShares": [None if bone is None or bone.sinew.share == "AUTO"
                        else list(rigs.shares_of(bone)) for bone in known],
        "filters": [{kind: [] if bone is None else
                     _curve(filters.points_of(armature.data, bone, kind)) for kind in filters.KINDS}
                    for bone in known],
    }
    told = muscles.muscles_of(armature, bones)
    if told:
        extras["muscles"] = [_muscle(told.get(name), node, change) for name in names]
    skin.setdefault("extras", {})["sinew"] = extras


def _muscle(told: Optional[dict[str, Any]], node: dict[str, int],
            change: Array) -> Optional[dict[str, Any]]:
    """A muscle as files have it. The frames of joints are those of bones."""
    if told is None:
        return None
    result = dict(told)
    if "angle" in told:
        result["angle"] = {**told["angle"], "joint": node[told["angle"]["joint"]]}
    if "side" in told:
        result["side"] = (change[:3, :3] @ glb.to_gltf(np.array(told["side"], float))).tolist()
    return result


def _change(binds: Array, names: list[str], bones: Bones) -> Array:
    """(4, 4) from the armature's space, with y up, to that of the file's vertices. Joints of the
    file have the axes of Blender's bones."""
    turn = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])
    joint = next(j for j, name in enumerate(names) if name in bones.index)
    result: Array = binds[joint] @ np.linalg.inv(turn @ bones.rests[bones.index[names[joint]]])
    return result


def _tails(binds: Array, change: Array, names: list[str], bones: Bones) -> Array:
    """(bones, 3) tails in the space of the file's vertices."""
    joint = {name: j for j, name in enumerate(names)}
    tails = rigs.transformed(glb.to_gltf(bones.tails), change)
    for b, after in enumerate(bones.nexts()):
        # The core asks for the very same place.
        if after >= 0 and bones.names[after] in joint:
            tails[b] = binds[joint[bones.names[after]]][:3, 3]
    return tails


def _pointed(skin: dict[str, Any], names: list[str], bones: Bones) -> list[Optional[int]]:
    """(bones,) the node that each bone points to."""
    node = dict(zip(names, skin["joints"]))
    return [node.get(bones.names[after]) if after >= 0 else None for after in bones.nexts()]
