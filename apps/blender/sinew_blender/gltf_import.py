# SPDX-License-Identifier: GPL-3.0-or-later
"""A hook of Blender's glTF importer that restores what Sinew wrote into a file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import filters, glb, sinew
from .groups import endpoint_group, write_groups


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
    """Endpoint groups of meshes, and settings of bones."""
    document = glb.Document(gltf.filename)
    meshes, skins = document.json["meshes"], document.json.get("skins", ())
    has_extras = any(glb.extras_of(skin) for skin in skins)
    has_endpoints = any("_ENDPOINT_0" in primitive["attributes"]
                        for mesh in meshes for primitive in mesh["primitives"])
    if not has_extras and not has_endpoints:
        return
    rig = sinew.read(gltf.filename)
    for node, obj in pairs:
        joints = skins[node.skin]["joints"]
        names = [gltf.vnodes[joint].blender_bone_name for joint in joints]
        restore_endpoints(document, meshes[node.mesh], obj, names)
        armature = obj.find_armature()
        if armature is not None:
            restore_bones(rig, armature, names, [document.json["nodes"][j].get("name", "")
                                                 for j in joints])
            restore_shares(glb.extras_of(skins[node.skin]) or {}, armature, names)
            keep_extras(document, armature)


def restore_endpoints(document: glb.Document, mesh: dict[str, Any], obj: Any,
                      names: list[str]) -> None:
    """The importer takes the vertices that are used, primitive after primitive."""
    vertices, bones, values, first = [], [], [], 0
    for primitive in mesh["primitives"]:
        attributes = primitive["attributes"]
        if "indices" in primitive:
            used = np.unique(document.array(primitive["indices"]))
        else:
            used = np.arange(document.json["accessors"][attributes["POSITION"]]["count"])
        n = 0
        while f"_ENDPOINT_{n}" in attributes and f"JOINTS_{n}" in attributes:
            joints = document.array(attributes[f"JOINTS_{n}"])[used]
            weights = document.array(attributes[f"WEIGHTS_{n}"])[used]
            endpoints = document.array(attributes[f"_ENDPOINT_{n}"])[used]
            row, column = np.nonzero(weights > 0)
            vertices.append(row + first)
            bones.append(joints[row, column].astype(np.int64))
            values.append(endpoints[row, column].astype(float))
            n += 1
        first += len(used)
    if not vertices or first != len(obj.data.vertices):
        return
    write_groups(obj, [endpoint_group(name) for name in names], np.concatenate(vertices),
                 np.concatenate(bones), np.concatenate(values))


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
    """Controls, drivers and offset curves, which Blender has nothing for, with names for nodes."""
    extras = glb.extras_of(document.json)
    if extras:
        nodes = [node.get("name", "") for node in document.json["nodes"]]
        armature.data.sinew.extras = json.dumps({"extras": extras, "nodes": nodes})
