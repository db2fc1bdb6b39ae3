# SPDX-License-Identifier: GPL-3.0-or-later
"""The bone data: a hidden mesh that tells node groups where bones are.

Its points follow the bones by an ordinary Armature modifier, so that constraints, drivers, undo
and renders without this add-on all work.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from . import compat, drivers
from .bones import Bones, quaternions
from .nodes import shared
from .nodes_bones import BLOCKS, PREFIX, TURNS_UNIT, make_bones_group
from .turns import channels

GROUP = "Sinew Bones"


def _attribute(mesh: Any, name: str, kind: str, values: Any) -> None:
    layer = mesh.attributes.new(PREFIX + name, kind, "POINT")
    size = 3 if kind == "FLOAT_VECTOR" else 1
    full = np.zeros((len(mesh.vertices), size), np.int32 if kind == "INT" else np.float32)
    full[:len(values)] = np.asarray(values).reshape(len(values), size)
    layer.data.foreach_set("vector" if kind == "FLOAT_VECTOR" else "value", full.ravel())


def fill(obj: Any, armature: Any, bones: Bones, links: list[dict[str, Any]]) -> None:
    """Gives the bone data these bones of an armature, which hang together in this way."""
    count, heads, frames = len(bones.names), bones.heads, bones.frames()
    points = np.concatenate([heads, *(heads + frames[:, :, k] for k in range(3)), bones.tails,
                             np.zeros_like(heads)])
    assert len(points) == BLOCKS * count
    old = obj.data
    obj.shape_key_clear()
    mesh = bpy.data.meshes.new(old.name if old else "Sinew bones")
    mesh.from_pydata(points.tolist(), [], [])
    turns = quaternions(frames)
    _attribute(mesh, "head", "FLOAT_VECTOR", heads)
    _attribute(mesh, "axis", "FLOAT_VECTOR", frames[:, :, 1])
    _attribute(mesh, "side", "FLOAT_VECTOR", frames[:, :, 0])
    _attribute(mesh, "third", "FLOAT_VECTOR", frames[:, :, 2])
    _attribute(mesh, "length", "FLOAT", np.linalg.norm(bones.tails - heads, axis=1))
    _attribute(mesh, "rest_turn", "FLOAT_VECTOR", turns[:, :3])
    _attribute(mesh, "rest_turn_w", "FLOAT", turns[:, 3])
    for name in ("parent", "next"):
        # Who has none is compared with itself.
        _attribute(mesh, name, "INT", [i if link[name] < 0 else link[name]
                                       for i, link in enumerate(links)])
    _attribute(mesh, "own_share", "FLOAT", [link["own_share"] for link in links])
    _attribute(mesh, "next_share", "FLOAT", [link["next_share"] for link in links])
    obj.data = mesh
    if old is not None and old.users == 0:
        bpy.data.meshes.remove(old)
    obj.vertex_groups.clear()
    for i, name in enumerate(bones.names):
        tails = [4 * count + k for k, link in enumerate(links) if link["tail_carrier"] == i]
        obj.vertex_groups.new(name=name).add([i, count + i, 2 * count + i, 3 * count + i, *tails],
                                             1.0, "REPLACE")
    _drive_turns(obj, armature, bones, links)


def _drive_turns(obj: Any, armature: Any, bones: Bones, links: list[dict[str, Any]]) -> None:
    """Shape keys that tell by the places of the last points how often bones have turned: x about
    themselves, y about the bone before. Nodes cannot ask for channels, drivers of keys can."""
    first = (BLOCKS - 1) * len(bones.names)
    # A driver that asks for a property before Blender has copied it is switched off for good.
    armature.update_tag()
    for i, about, channel in channels(bones, links):
        if obj.data.shape_keys is None:
            obj.shape_key_add(name="Basis")
        key = obj.shape_key_add(name=f"{about} {bones.names[i]}")
        key.data[first + i].co = (TURNS_UNIT, 0, 0) if about == "own" else (0, TURNS_UNIT, 0)
        key.slider_min, key.slider_max = -10, 10
        driver = drivers.scripted(key.driver_add("value"))
        driver.expression = f"{channel.drive(driver, armature)}/{TURNS_UNIT:.0f}"


def make(armature: Any, name: str) -> Any:
    """A new object for the bone data of an armature, below it and out of sight."""
    obj = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    for collection in armature.users_collection:
        collection.objects.link(obj)
    obj.parent = armature
    obj.hide_viewport = obj.hide_render = obj.hide_select = True
    follow = obj.modifiers.new("Armature", "ARMATURE")
    follow.object = armature
    nodes = obj.modifiers.new("Sinew", "NODES")
    nodes.node_group = shared(GROUP, make_bones_group)
    return obj


def set_squash(obj: Any, squash: bool) -> None:
    """Whether stretched bones get thinner."""
    modifier = obj.modifiers["Sinew"]
    modifier[compat.input_identifier(modifier.node_group, "Squash")] = 1.0 if squash else 0.0
