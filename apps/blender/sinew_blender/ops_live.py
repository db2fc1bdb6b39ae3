# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for live deformation, filters and endpoint groups."""

# Blender reads annotations of properties: they must not be strings.
from typing import Any, Optional

import bpy
import numpy as np
from bpy.props import EnumProperty

from . import chosen, compat, correctives, filters, live, sinew, turns
from .bones import active_armature, pose_matrices, read_bones
from .edit_mode import left_mesh_edit_mode
from .groups import (
    BLEND_GROUP,
    BLEND_SHARE,
    endpoint_group,
    read_skin,
    twist_group,
    write_groups,
)

PAINTED = (
    ("ENDPOINT", "Endpoint Weights", "Paint where vertices are along the bone of the active group, "
     "from 0 at its head to 1 at its tail. Again: back to the bone's weights"),
    ("TWIST", "For Twist", "Paint endpoint weights that count for twist alone, where they are to "
     "differ. Again: back to the bone's weights"),
    ("BLEND", "Blend Share", "Paint how much of dual quaternions a vertex gets by the method "
     "Mixed: 0 is linear. Again: back to the bone's weights"),
)


class SINEW_OT_live(bpy.types.Operator):
    """Choose how meshes follow their armature"""

    bl_idname = "sinew.live"
    bl_label = "Follow by Sinew"
    bl_options = {"REGISTER", "UNDO"}

    mode: EnumProperty(name="Way", items=live.MODES, default="NODES",
                       description="How the mesh follows its armature")

    @classmethod
    def description(cls, context: Any, properties: Any) -> str:
        return next(text for name, _, text in live.MODES if name == properties.mode)

    @classmethod
    def poll(cls, context: Any) -> bool:
        cls.poll_message_set("Select a mesh with an Armature modifier, or its armature")
        return active_armature(context.object) is not None and bool(chosen.followers_of(context))

    def execute(self, context: Any) -> set:
        try:
            with left_mesh_edit_mode():
                live.set_mode(chosen.followers_of(context), self.mode)
        except (ValueError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class SINEW_OT_refresh(bpy.types.Operator):
    """Take over changed weights, settings and rest poses now; happens by itself while painting"""

    bl_idname = "sinew.refresh"
    bl_label = "Refresh"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return active_armature(context.object) is not None

    def execute(self, context: Any) -> set:
        armature = active_armature(context.object)
        try:
            with left_mesh_edit_mode():
                correctives.refresh(armature, live.meshes_of(armature))
                live.refresh(armature)
        except (ValueError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class SINEW_OT_filter(bpy.types.Operator):
    """Add or remove a curve along the bone, from its head to its tail"""

    bl_idname = "sinew.filter"
    bl_label = "Curve along the Bone"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Of", description="What the curve is about", items=(
        ("stretch", "Stretch", "How stretch is spread along the bone"),
        ("twist", "Twist", "How twist is spread along the bone"),
        ("muscle", "Muscle", "How much the skin swells where along the bone; without a curve, most "
         "in the middle")))

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.object is not None and chosen.active_bone(context) is not None

    def execute(self, context: Any) -> set:
        armature, bone = context.object, chosen.active_bone(context)
        if filters.curve_node(armature.data, bone, self.kind) is None:
            filters.add_curve(armature.data, bone, self.kind)
        else:
            filters.remove_curve(armature.data, bone, self.kind)
        live.mark(armature)
        return {"FINISHED"}


class SINEW_OT_turns(bpy.types.Operator):
    """Add or remove a property that counts full turns of the bone, where quaternions cannot"""

    bl_idname = "sinew.turns"
    bl_label = "Count Full Turns"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return chosen.active_bone(context) is not None

    def execute(self, context: Any) -> set:
        armature: Any = context.object
        posed = armature.pose.bones[armature.data.bones.active.name]
        if turns.PROPERTY in posed:
            posed.driver_remove(f'["{turns.PROPERTY}"]')
            del posed[turns.PROPERTY]
        else:
            turns.add_property(posed)
        live.renew(armature)
        return {"FINISHED"}


class SINEW_OT_key_turns(bpy.types.Operator):
    """Play the scene, count the full turns of bones that are turned by quaternions, and key them"""

    bl_idname = "sinew.key_turns"
    bl_label = "Key Full Turns"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return chosen.active_bone(context) is not None

    def execute(self, context: Any) -> set:
        armature: Any = context.object
        bones = read_bones(armature)
        counted = turns.Turns(bones, [{"own_share": 1, "parent": -1} for _ in bones.names])
        wanted = [b for b, name in enumerate(bones.names) if self._is_meant(armature, name)]
        if not wanted:
            self.report({"ERROR"}, "Select bones that deform and are turned by quaternions")
            return {"CANCELLED"}
        scene, twists = context.scene, []
        frames, now = range(scene.frame_start, scene.frame_end + 1), scene.frame_current
        for frame in frames:
            scene.frame_set(frame)
            posed = armature.evaluated_get(context.evaluated_depsgraph_get())
            twists.append(counted.twists(pose_matrices(posed, bones)))
        most = 0
        for b in wanted:
            told = counted.followed(b, np.array(twists)[:, b]).astype(int)
            _key_turns(armature.pose.bones[bones.names[b]], frames, told)
            most = max(most, int(np.abs(told).max()))
        scene.frame_set(now)
        live.renew(armature)
        self.report({"INFO"}, f"{len(wanted)} bones, at most {most} full turns")
        return {"FINISHED"}

    @staticmethod
    def _is_meant(armature: Any, name: str) -> bool:
        bone = armature.pose.bones[name]
        is_chosen = armature.data.bones.active == bone.bone or (
            armature.mode == "POSE" and compat.is_selected(bone))
        return bool(is_chosen and bone.rotation_mode == "QUATERNION")


def _key_turns(bone: Any, frames: range, told: Any) -> None:
    """Keys where the number changes, and right before."""
    path = f'["{turns.PROPERTY}"]'
    if turns.PROPERTY not in bone:
        turns.add_property(bone)
    for k, frame in enumerate(frames):
        here = told[max(k - 1, 0):k + 2]
        if k == 0 or len(set(here.tolist())) > 1:
            bone[turns.PROPERTY] = int(told[k])
            bone.keyframe_insert(path, frame=frame)


class SINEW_OT_paint_endpoints(bpy.types.Operator):
    """Paint another group of the active bone; again: back to its weights"""

    bl_idname = "sinew.paint_endpoints"
    bl_label = "Paint Endpoint Weights"
    bl_options = {"REGISTER", "UNDO"}

    of: EnumProperty(name="Group", description="What is painted", items=PAINTED)

    @classmethod
    def description(cls, context: Any, properties: Any) -> str:
        return next(text for name, _, text in PAINTED if name == properties.of)

    @classmethod
    def poll(cls, context: Any) -> bool:
        obj = context.object
        cls.poll_message_set("Select a mesh with an Armature modifier and vertex groups")
        return (obj is not None and obj.type == "MESH" and active_armature(obj) is not None
                and obj.vertex_groups.active is not None)

    def execute(self, context: Any) -> set:
        obj = context.object
        bone = _painted_bone(obj, active_armature(obj))
        if bone is None:
            self.report({"ERROR"}, f"{obj.vertex_groups.active.name} is not the group of a bone: "
                        "choose a bone's group first")
            return {"CANCELLED"}
        wanted = {"ENDPOINT": endpoint_group(bone), "TWIST": twist_group(bone),
                  "BLEND": BLEND_GROUP}[self.of]
        if obj.vertex_groups.active.name == wanted:
            wanted = bone
        if obj.mode != "WEIGHT_PAINT":
            bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
        group = obj.vertex_groups.get(wanted) or _new_group(obj, wanted, bone)
        obj.vertex_groups.active_index = group.index
        self.report({"INFO"}, f"Painting the group {wanted}")
        return {"FINISHED"}


def _painted_bone(obj: Any, armature: Any) -> Optional[str]:
    """The bone that the active group belongs to; blend shares are of all: then the active bone."""
    name, active = obj.vertex_groups.active.name, armature.data.bones.active
    for bone in armature.data.bones:
        if name in (bone.name, endpoint_group(bone.name), twist_group(bone.name)):
            return str(bone.name)
    return str(active.name) if name == BLEND_GROUP and active is not None else None


def _new_group(obj: Any, name: str, bone: str) -> Any:
    """A group that changes nothing at first."""
    group = obj.vertex_groups.new(name=name)
    every = np.arange(len(obj.data.vertices))
    if name == BLEND_GROUP:
        group.add(every.tolist(), BLEND_SHARE, "REPLACE")
    elif name == twist_group(bone):
        skin = read_skin(obj, [bone])
        if skin.endpoints is not None:
            known = ~np.isnan(skin.endpoints)
            write_groups(obj, [name], skin.vertices[known], skin.bones[known],
                         skin.endpoints[known])
    return obj.vertex_groups[name]


CLASSES = (SINEW_OT_live, SINEW_OT_refresh, SINEW_OT_filter, SINEW_OT_turns, SINEW_OT_key_turns,
           SINEW_OT_paint_endpoints)
