# SPDX-License-Identifier: GPL-3.0-or-later
"""A hook of Blender's glTF importer that restores what Sinew wrote into a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np
from numpy.typing import NDArray

from . import filters, glb, rigs, sinew
from .gltf_export import curve_attribute
from .groups import BLEND_GROUP, BLEND_SHARE, endpoint_group, twist_group, write_groups

Array = NDArray[Any]


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
        if self.pairs:
            restore(gltf, self.pairs)


def restore(gltf: Any, pairs: list[tuple[Any, Any]]) -> None:
    """Groups and attributes of meshes, and settings of bones."""
    document = glb.Document(gltf.filename)
    meshes, skins = document.json["meshes"], document.json.get("skins", ())
    has_extras = any(glb.extras_of(skin) for skin in skins)
    has_attributes = any(name in primitive["attributes"] for name in ("_ENDPOINT_0", "_BLEND_SHARE")
                         for mesh in meshes for primitive in mesh["primitives"])
    if not has_extras and not has_attributes:
        return
    rig = sinew.read(gltf.filename)
    for node, obj in pairs:
        joints = skins[node.skin]["joints"]
        names = [gltf.vnodes[joint].blender_bone_name for joint in joints]
        restore_vertices(document, meshes[node.mesh], obj, names)
        armature = obj.find_armature()
        if armature is not None:
            restore_bones(rig, armature, names, [document.json["nodes"][j].get("name", "")
                                                 for j in joints])
            restore_shares(glb.extras_of(skins[node.skin]) or {}, armature, names)
            keep_extras(document, armature)


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


def keep_extras(document: glb.Document, armature: Any) -> None:
    """Controls, drivers and offset curves, which Blender has nothing for, with names for nodes.
    Limits of joints are not among them: they are about axes that an import changes."""
    extras = {key: value for key, value in (glb.extras_of(document.json) or {}).items()
              if key != "limits"}
    if extras:
        nodes = [node.get("name", "") for node in document.json["nodes"]]
        armature.data.sinew.extras = json.dumps({"extras": extras, "nodes": nodes})
