# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on keeps in a file, beside vertex groups and node groups."""

# Blender reads annotations of properties: they must not be strings.
from math import pi
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
    has_muscle: BoolProperty(
        name="Muscle", update=_changed,
        description="Let the skin swell across the bone, by a shape key with a driver")
    muscle_stretch: FloatProperty(
        name="By Length", min=-10, max=10, soft_min=0, soft_max=2, default=1, update=_changed,
        description="How much the skin swells as the bone gets shorter. With 1, a limb of constant "
        "width keeps its volume. Not with Keep Volume, which does that already")
    muscle_joint: StringProperty(
        name="By Angle of", update=_changed,
        description="The bone whose turn from rest makes the skin swell, as a forearm a biceps")
    muscle_start: FloatProperty(
        name="From", min=-pi, max=pi, subtype="ANGLE", update=_changed,
        description="Up to this angle there is no swelling")
    muscle_end: FloatProperty(
        name="To", min=-pi, max=pi, default=2 * pi / 3, subtype="ANGLE", update=_changed,
        description="From this angle on there is all of it")
    muscle_gain: FloatProperty(
        name="Gain", min=-10, max=10, soft_min=0, soft_max=1, default=0.4, update=_changed,
        description="How much farther from the bone the skin is then: 0.4 is 40%")
    muscle_about: BoolProperty(
        name="About One Axis", update=_changed,
        description="Count the turn about an axis alone, with its sign; if not, the whole turn")
    muscle_axis: FloatVectorProperty(
        name="Axis", size=3, default=(1, 0, 0), update=_changed,
        description="The axis, in the frame of the bone that turns")
    muscle_sided: BoolProperty(
        name="One Side", update=_changed, description="Swell on one side of the bone alone")
    muscle_side: FloatVectorProperty(
        name="Side", size=3, default=(0, -1, 0), subtype="DIRECTION", update=_changed,
        description="The side that swells, a direction in the armature's space; -Y is the front")
    stretch_curve: StringProperty()
    twist_curve: StringProperty()
    muscle_curve: StringProperty()
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
    correctives: StringProperty()
    sculpt: StringProperty()  # of a copy to sculpt on: the pose it is in
    sculpt_of: PointerProperty(type=bpy.types.Object)
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
