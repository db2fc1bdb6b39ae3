# SPDX-License-Identifier: GPL-3.0-or-later
"""A hook of Blender's glTF importer that restores what Sinew wrote into a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Optional

import numpy as np
from numpy.typing import NDArray

from . import correctives, filters, glb, kept, live, muscles, rigs, sinew
from .gltf_export import PARTS, curve_attribute
from .groups import BLEND_GROUP, BLEND_SHARE, endpoint_group, twist_group, write_groups

Array = NDArray[Any]
lost: list[str] = []
"""What could not be taken over from the last file."""


class glTF2ImportUserExtension:
    """Found by the importer by its name."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Any, Any]] = []

    def gather_import_node_after_hook(self, vnode: Any, gltf_node: Any, obj: Any,
                                      gltf: Any) -> None:
        """A node has become an object."""
        if obj is not None and obj.type == "MESH" and getattr(gltf_node, "skin", None) is not None:
            self.pairs.append((gltf_node, obj))

    def gather_import_scene_after_nodes_hook(self, gltf_scene: Any, scene: Any, gltf: Any) -> None:
        """All objects are there."""
        lost.clear()
        if not self.pairs:
            return
        try:
            restore(gltf, self.pairs)
        except Exception as problem:
            # The importer prints it and goes on; our own operator tells it.
            lost.append(str(problem))
            raise


def restore(gltf: Any, pairs: list[tuple[Any, Any]]) -> None:
    """Groups and attributes of meshes, and settings of bones."""
    document = glb.Document(gltf.filename)
    meshes, skins = document.json["meshes"], document.json.get("skins", ())
    extras = glb.extras_of(document.json) or {}
    has_attributes = any(name in primitive["attributes"] for name in ("_ENDPOINT_0", "_BLEND_SHARE")
                         for mesh in meshes for primitive in mesh["primitives"])
    if not extras and not has_attributes and not any(glb.extras_of(skin) for skin in skins):
        return
    rig = sinew.read(gltf.filename)
    objects = {gltf.data.nodes.index(node): obj for node, obj in pairs}
    armatures = []
    for node, obj in pairs:
        joints = skins[node.skin]["joints"]
        names = [gltf.vnodes[joint].blender_bone_name for joint in joints]
        restore_vertices(document, meshes[node.mesh], obj, names)
        keep_parts(meshes[node.mesh], obj)
        armature = obj.find_armature()
        if armature is None:
            continue
        restore_bones(rig, armature, names, [document.json["nodes"][j].get("name", "")
                                             for j in joints])
        restore_shares(glb.extras_of(skins[node.skin]) or {}, armature, names)
        if armature not in armatures:
            armatures.append(armature)
    for armature in armatures:
        frames = _frames(document, gltf, armature)
        with live.undisturbed():
            restore_muscles(rig, armature, frames, document)
        keep_extras(document, extras, armature, frames, objects)
        for number, space in enumerate(extras.get("poseSpaces", ())):
            restore_space(space, number, armature, frames, objects, document)
        correctives.refresh(armature, live.meshes_of(armature))
        live.refresh(armature)


def _frames(document: glb.Document, gltf: Any, armature: Any) -> kept.Frames:
    names, bones = [], {}
    for number, node in enumerate(document.json["nodes"]):
        name = getattr(gltf.vnodes.get(number), "blender_bone_name", None)
        names.append(name or node.get("name", ""))
        if name is not None and name in armature.data.bones:
            bones[number] = armature.data.bones[name]
    return kept.frames_of(document, names, bones)


@dataclass(frozen=True)
class _Part:
    """A primitive, and where its vertices are in Blender's mesh: the importer takes the vertices
    that are used, primitive after primitive."""

    document: glb.Document
    attributes: dict[str, int]
    used: Array
    first: int

    def rows(self, name: str) -> Array:
        """An attribute of the vertices that are used."""
        return self.document.array(self.attributes[name])[self.used]


def _parts(document: glb.Document, mesh: dict[str, Any]) -> Iterator[_Part]:
    first = 0
    for primitive in mesh["primitives"]:
        attributes = primitive["attributes"]
        if "indices" in primitive:
            used = np.unique(document.array(primitive["indices"]))
        else:
            used = np.arange(document.json["accessors"][attributes["POSITION"]]["count"])
        yield _Part(document, attributes, used, first)
        first += len(used)


def restore_vertices(document: glb.Document, mesh: dict[str, Any], obj: Any,
                     names: list[str]) -> None:
    """Endpoint weights, blend shares and painted weights of curves."""
    parts = list(_parts(document, mesh))
    if sum(len(part.used) for part in parts) != len(obj.data.vertices):
        return
    for word, group_of in (("_ENDPOINT", endpoint_group), ("_TWIST_ENDPOINT", twist_group)):
        _restore_endpoints(parts, obj, word, [group_of(name) for name in names])
    if any("_BLEND_SHARE" in part.attributes for part in parts):
        shares = np.full(len(obj.data.vertices), BLEND_SHARE)
        for part in parts:
            if "_BLEND_SHARE" in part.attributes:
                shares[part.first:part.first + len(part.used)] = part.rows("_BLEND_SHARE")[:, 0]
        every = np.arange(len(shares))
        write_groups(obj, [BLEND_GROUP], every, np.zeros_like(every), shares)
        obj.sinew.method = rigs.MIXED
    _restore_curve_weights(parts, obj)


def _restore_endpoints(parts: list[_Part], obj: Any, word: str, groups: list[str]) -> None:
    vertices, bones, values = [], [], []
    for part in parts:
        n = 0
        while f"{word}_{n}" in part.attributes and f"JOINTS_{n}" in part.attributes:
            row, column = np.nonzero(part.rows(f"WEIGHTS_{n}") > 0)
            vertices.append(row + part.first)
            bones.append(part.rows(f"JOINTS_{n}")[row, column].astype(np.int64))
            values.append(part.rows(f"{word}_{n}")[row, column].astype(float))
            n += 1
    if vertices:
        write_groups(obj, groups, np.concatenate(vertices), np.concatenate(bones),
                     np.concatenate(values))


def _restore_curve_weights(parts: list[_Part], obj: Any) -> None:
    """Of offset curves, which Blender has nothing for: an attribute for each curve."""
    n = 0
    while any(f"_CURVE_WEIGHT_{n}" in part.attributes for part in parts):
        rows = np.zeros((len(obj.data.vertices), 4), np.float32)
        for part in parts:
            if f"_CURVE_WEIGHT_{n}" in part.attributes:
                rows[part.first:part.first + len(part.used)] = part.rows(f"_CURVE_WEIGHT_{n}")
        for column in range(4):
            layer = obj.data.attributes.new(curve_attribute(4 * n + column), "FLOAT", "POINT")
            layer.data.foreach_set("value", np.ascontiguousarray(rows[:, column]))
        n += 1


def restore_bones(rig: sinew.Rig, armature: Any, names: list[str], nodes: list[str]) -> None:
    """Tails and filters, which the core has read."""
    index = {name: b for b, name in enumerate(rig.bone_names)}
    tails = glb.to_blender(np.array(rig.bone_tails))
    for name, node in zip(names, nodes):
        bone, b = armature.data.bones.get(name), index.get(node)
        if bone is None or b is None:
            continue
        inverse = np.linalg.inv(np.array(bone.matrix_local, dtype=float))
        bone.sinew.has_tail = True
        bone.sinew.tail = inverse[:3, :3] @ tails[b] + inverse[:3, 3]
        filters.set_points(armature.data, bone, "stretch", rig.stretch_filter(b).tolist())
        filters.set_points(armature.data, bone, "twist", rig.twist_filter(b).tolist())


def restore_shares(extras: dict[str, Any], armature: Any, names: list[str]) -> None:
    """Twist shares that the file sets."""
    for name, share in zip(names, extras.get("twistShares", ())):
        bone = armature.data.bones.get(name)
        if bone is None or share is None:
            continue
        parent, own = share if isinstance(share, list) else (share, 1 - share)
        bone.sinew.share = "OWN"
        bone.sinew.parent_share, bone.sinew.own_share = parent, own


def restore_muscles(rig: sinew.Rig, armature: Any, frames: kept.Frames,
                    document: glb.Document) -> None:
    """Muscles, which the core has read."""
    nodes = {node.get("name", ""): i for i, node in enumerate(document.json["nodes"])}
    for name, told in rig.muscles.items():
        bone = armature.data.bones.get(frames.names[nodes[name]]) if name in nodes else None
        if bone is None:
            continue
        angle = told.get("angle")
        if angle and angle["joint"] not in nodes:
            lost.append(f"the angle of {angle['joint']}, which has no name of its own")
            del told["angle"]
        elif angle:
            node = nodes[angle["joint"]]
            angle["joint"] = frames.names[node]
            if "axis" in angle:
                angle["axis"] = frames.turned(node, angle["axis"])
        if "side" in told:
            told["side"] = glb.to_blender(np.array(told["side"], float)).tolist()
        muscles.set_muscle(armature.data, bone, told)


def _shape_of(document: glb.Document, objects: dict[int, Any], node: int,
              target: int) -> Optional[tuple[Any, str]]:
    """Object and shape key of a node's blend shape; None: Blender has no such."""
    obj = objects.get(node)
    keys = obj.data.shape_keys if obj is not None else None
    if keys is None:
        return None
    mesh = document.json["meshes"][document.json["nodes"][node]["mesh"]]
    names = (mesh.get("extras") or {}).get("targetNames", [])
    blocks = list(keys.key_blocks.keys())
    if target < len(names) and names[target] in blocks:
        return obj, names[target]
    return (obj, blocks[target + 1]) if target + 1 < len(blocks) else None


def restore_space(space: dict[str, Any], number: int, armature: Any, frames: kept.Frames,
                  objects: dict[int, Any], document: glb.Document) -> None:
    """The examples of a pose space, each beside its mesh."""
    joints = [frames.names[joint] for joint in space["joints"]]
    if not all(joint in armature.data.bones for joint in joints):
        lost.append(f"poseSpaces {number}: a joint of it is no bone")
        return
    radius = np.radians(space["radius"]) if "radius" in space else None
    for example in space["examples"]:
        turns = {frames.names[joint]: np.radians(frames.turned(joint, turn)).tolist()
                 for joint, turn in zip(space["joints"], example["turns"])}
        for node, target in example["shapes"]:
            found = _shape_of(document, objects, node, target)
            if found is None:
                lost.append(f"poseSpaces {number}: a blend shape of it is not in Blender")
                continue
            obj, key = found
            correctives.write(obj, [*correctives.read(obj),
                                    correctives.Example(key, turns, joints, radius)])


def keep_parts(mesh: dict[str, Any], obj: Any) -> None:
    """The names of parts, one for each primitive."""
    names = [(glb.extras_of(primitive) or {}).get("name", "") for primitive in mesh["primitives"]]
    if any(names):
        obj.data[PARTS] = "\n".join(names)


def keep_extras(document: glb.Document, extras: dict[str, Any], armature: Any, frames: kept.Frames,
                objects: dict[int, Any]) -> None:
    """What Blender has nothing for, and the curves of controls of clips."""
    def shape_of(node: int, target: int) -> Optional[list[str]]:
        found = _shape_of(document, objects, node, target)
        return None if found is None else [found[0].name, found[1]]

    taken, gone = kept.taken_in(extras, frames, shape_of)
    lost.extend(gone)
    animations = {animation.get("name", ""): glb.extras_of(animation)
                  for animation in document.json.get("animations", ())
                  if glb.extras_of(animation)}
    kept.write(armature.data, taken, animations)
