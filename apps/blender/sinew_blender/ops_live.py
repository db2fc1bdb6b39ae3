# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for live deformation, filters and endpoint groups."""

# Blender reads annotations of properties: they must not be strings.
from typing import Any, List

import bpy
from bpy.props import EnumProperty

from . import filters, live, sinew
from .bones import active_armature
from .groups import endpoint_group


def _meshes(context: Any) -> List[Any]:
    obj = context.object
    if obj is not None and obj.type == "ARMATURE":
        chosen = [o for o in context.selected_objects if o.type == "MESH"]
        return chosen or live.meshes_of(obj)
    return [o for o in {obj, *context.selected_objects} if o is not None and o.type == "MESH"]


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
        return active_armature(context.object) is not None and bool(_meshes(context))

    def execute(self, context: Any) -> set:
        try:
            live.set_mode(_meshes(context), self.mode)
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
        live.refresh(active_armature(context.object))
        return {"FINISHED"}


class SINEW_OT_filter(bpy.types.Operator):
    """Add or remove a curve that reshapes the bone's endpoint weights"""

    bl_idname = "sinew.filter"
    bl_label = "Filter"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Of", description="What the curve spreads along the bone", items=(
        ("stretch", "Stretch", "How stretch is spread along the bone"),
        ("twist", "Twist", "How twist is spread along the bone")))

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.object is not None and _bone(context) is not None

    def execute(self, context: Any) -> set:
        armature, bone = context.object, _bone(context)
        if filters.curve_node(armature.data, bone, self.kind) is None:
            filters.add_curve(armature.data, bone, self.kind)
        else:
            filters.remove_curve(armature.data, bone, self.kind)
        live.mark(armature)
        return {"FINISHED"}


class SINEW_OT_paint_endpoints(bpy.types.Operator):
    """Make the active group the one with endpoint weights of the active bone, or back"""

    bl_idname = "sinew.paint_endpoints"
    bl_label = "Paint Endpoint Weights"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        obj = context.object
        return (obj is not None and obj.type == "MESH" and active_armature(obj) is not None
                and obj.vertex_groups.active is not None)

    def execute(self, context: Any) -> set:
        obj = context.object
        armature: Any = active_armature(obj)
        name = obj.vertex_groups.active.name
        pairs = {bone.name: endpoint_group(bone.name) for bone in armature.data.bones}
        pairs.update({group: bone for bone, group in pairs.items()})
        wanted = pairs.get(name)
        if wanted is None:
            self.report({"ERROR"}, f"{name} is not the group of a bone")
            return {"CANCELLED"}
        group = obj.vertex_groups.get(wanted) or obj.vertex_groups.new(name=wanted)
        obj.vertex_groups.active_index = group.index
        self.report({"INFO"}, f"Painting {wanted}")
        return {"FINISHED"}


def _bone(context: Any) -> Any:
    obj = context.object
    return obj.data.bones.active if obj is not None and obj.type == "ARMATURE" else None


CLASSES = (SINEW_OT_live, SINEW_OT_refresh, SINEW_OT_filter, SINEW_OT_paint_endpoints)
