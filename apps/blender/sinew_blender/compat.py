# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between versions of Blender; nothing else in the add-on asks for the version.

Tried in 3.4. What later versions need follows their release notes and is not tried here.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy

VERSION: tuple[int, int, int] = bpy.app.version


def hide_bone(armature: Any, bone: Any, collection: str) -> None:
    """Puts a bone out of sight: on the last layer, or since 4.0 into a hidden collection."""
    if VERSION < (4, 0, 0):
        layers = [False] * 32
        layers[31] = True
        bone.layers = layers
        return
    found = armature.collections.get(collection)
    if found is None:
        found = armature.collections.new(collection)
        found.is_visible = False
    for other in list(bone.collections):
        other.unassign(bone)
    found.assign(bone)


def is_selected(pose_bone: Any) -> bool:
    """Whether a bone is selected in pose mode: a property of the pose since 5.0."""
    return bool(pose_bone.select if VERSION >= (5, 0, 0) else pose_bone.bone.select)


def curves_of(owner: Any, action: Any) -> Any:
    """The F-curves of an action for an object or its shape keys, to be found and added to.

    Since 4.4 actions have slots, and since 5.0 curves are only reached through them.
    """
    data: Any = owner.animation_data or owner.animation_data_create()
    data.action = action
    if VERSION < (4, 4, 0):
        return action.fcurves
    slot = data.action_slot
    if slot is None:
        slot = action.slots.new(id_type=owner.id_type, name=owner.name)
        data.action_slot = slot
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def add_socket(tree: Any, name: str, kind: str, is_output: bool = False) -> None:
    """Adds an input or output to a node group: `tree.interface` since 4.0."""
    if VERSION < (4, 0, 0):
        (tree.outputs if is_output else tree.inputs).new(kind, name)
        return
    tree.interface.new_socket(name, in_out="OUTPUT" if is_output else "INPUT", socket_type=kind)


def input_identifier(tree: Any, name: str) -> str:
    """The name under which a modifier keeps the value of a group's input."""
    if VERSION < (4, 0, 0):
        return str(tree.inputs[name].identifier)
    for item in tree.interface.items_tree:
        if item.item_type == "SOCKET" and item.in_out == "INPUT" and item.name == name:
            return str(item.identifier)
    raise KeyError(name)


def prepare_gltf_importer() -> None:
    """The importer of 3.4 asks for a name that newer versions of numpy (as Debian's) have not."""
    if "bool" not in vars(numpy):
        setattr(numpy, "bool", bool)
