# SPDX-License-Identifier: GPL-3.0-or-later
"""Which armature and which meshes an operator is about."""

from __future__ import annotations

from typing import Any, Optional

from . import live
from .bones import active_armature


def armature_of(context: Any) -> Optional[Any]:
    """The active armature, the only selected one, or the one that the active mesh follows."""
    obj = context.object
    if obj is not None and obj.type == "ARMATURE":
        return obj
    selected = [o for o in context.selected_objects if o.type == "ARMATURE"]
    return selected[0] if len(selected) == 1 else active_armature(obj)


def meshes_of(context: Any) -> list[Any]:
    """The selected meshes; without any, the active object if it is one."""
    return [o for o in context.selected_objects if o.type == "MESH"] or [
        o for o in (context.object,) if o is not None and o.type == "MESH"]


def followers_of(context: Any) -> list[Any]:
    """The same; without any, all meshes that follow the active armature."""
    obj = context.object
    followers = live.meshes_of(obj) if obj is not None and obj.type == "ARMATURE" else []
    return meshes_of(context) or followers


def active_bone(context: Any) -> Optional[Any]:
    """The active bone of the active armature."""
    obj = context.object
    return obj.data.bones.active if obj is not None and obj.type == "ARMATURE" else None
