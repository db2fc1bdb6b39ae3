# SPDX-License-Identifier: GPL-3.0-or-later
"""In and out of edit mode, for as long as something needs it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator

import bpy


@contextmanager
def left_mesh_edit_mode() -> Iterator[None]:
    """Outside of the edit mode of meshes, which keeps their data to itself; then back."""
    was_there = bpy.context.mode == "EDIT_MESH"
    if was_there:
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if was_there:
            bpy.ops.object.mode_set(mode="EDIT")


@contextmanager
def edited(armature: Any) -> Iterator[Any]:
    """The edit bones of an armature object; afterwards everything is selected as it was."""
    layer = bpy.context.view_layer
    active, mode = layer.objects.active, bpy.context.mode
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    was_hidden = armature.hide_get()
    shown = armature.hide_viewport
    armature.hide_viewport = False
    armature.hide_set(False)
    layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        yield armature.data.edit_bones
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
        armature.hide_set(was_hidden)
        armature.hide_viewport = shown
        layer.objects.active = active
        if active is not None and mode == "POSE":
            bpy.ops.object.mode_set(mode="POSE")
