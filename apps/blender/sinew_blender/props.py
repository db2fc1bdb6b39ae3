# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on keeps in a file, beside vertex groups and node groups."""

# Blender reads annotations of properties: they must not be strings.
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from . import live

METHODS = (
    ("stbs-dqs", "Dual Quaternions", "Stretchable, twistable bones, blended as dual quaternions: "
     "joints that bend keep their volume"),
    ("stbs-lbs", "Linear", "Stretchable, twistable bones, blended linearly, as in game engines"),
    ("stbs-mixed", "Mixed", "Both, each vertex as much as the vertex group \"blend share\" says: "
     "from 0, linear, to 1, dual quaternions. Half and half without that group"),
)
SHARES = (
    ("AUTO", "Automatic", "Tubes take the twist of the joints at their ends: a forearm that of the "
     "hand"),
    ("OWN", "My Own", "The shares below"),
)

TAILS = (
    ("AUTO", "Automatic", "As drawn where most bones end at the next one, inferred where not"),
    ("DRAWN", "As Drawn", "Where the armature has them"),
    ("INFERRED", "Inferred", "At the next joint, whatever the importer has drawn"),
)


def _changed(owner: Any, context: Any) -> None:
    live.mark_all(context)


class SinewBone(bpy.types.PropertyGroup):
    """Settings of a bone."""

    share: EnumProperty(
        name="Twist Share", items=SHARES, update=_changed,
        description="Who takes the twist of this bone's joint: the bone before it, or this bone")
    parent_share: FloatProperty(
        name="Bone Before", min=0, max=1, update=_changed,
        description="How much of the joint's twist is spread along the bone before it")
    own_share: FloatProperty(
        name="This Bone", min=0, max=1, default=1, update=_changed,
        description="How much of the joint's twist is spread along this bone")
    stretch_curve: StringProperty()
    twist_curve: StringProperty()
    has_tail: BoolProperty()
    tail: FloatVectorProperty(size=3)
    is_split: BoolProperty()
    helper_of: StringProperty()


class SinewArmature(bpy.types.PropertyGroup):
    """Settings of an armature."""

    tails: EnumProperty(
        name="Tails", items=TAILS, update=_changed,
        description="Where bones end, for stretch and twist. The armature is not changed")
    squash: BoolProperty(
        name="Keep Volume", update=_changed,
        description="Bones that get longer get thinner, in all meshes of the armature that follow "
        "by Exact or Fast Preview, and in what is baked")
    filters: PointerProperty(type=bpy.types.NodeTree)
    extras: StringProperty()


class SinewMesh(bpy.types.PropertyGroup):
    """Settings of a mesh object."""

    mode: StringProperty(default="OFF")
    method: EnumProperty(
        name="Method", items=METHODS, update=_changed,
        description="How the motions of several bones are blended")
    segments: IntProperty(
        name="Segments", min=1, max=32, default=4,
        description="Helper bones along a bone, less one. With 4, half a turn of twist is off by "
        "7.6% of a limb's radius, with 8 by 1.9%")
    bone_data: PointerProperty(type=bpy.types.Object)  # of an armature
    report: StringProperty()


CLASSES = (SinewBone, SinewArmature, SinewMesh)
_OWNERS = {"Bone": SinewBone, "Armature": SinewArmature, "Object": SinewMesh}


def register() -> None:
    """Adds the properties."""
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    for owner, kind in _OWNERS.items():
        setattr(getattr(bpy.types, owner), "sinew", PointerProperty(type=kind))


def unregister() -> None:
    """Takes them away; files keep their values."""
    for owner in _OWNERS:
        delattr(getattr(bpy.types, owner), "sinew")
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
