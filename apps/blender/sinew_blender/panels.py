# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and menus."""

from __future__ import annotations

import json
from typing import Any

import bpy

from . import correctives, filters, live, muscles, turns
from .bones import active_armature
from .ops_live import PAINTED


class _MeshPanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Sinew"

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.object is not None and context.object.type in ("MESH", "ARMATURE")


class SINEW_PT_weights(_MeshPanel, bpy.types.Panel):
    """Automatic weights and their report"""

    bl_idname = "SINEW_PT_weights"
    bl_label = "Weights"

    def draw(self, context: Any) -> None:
        layout = self.layout
        layout.operator("sinew.parent", icon="MOD_ARMATURE")
        layout.operator("sinew.parent", text="Endpoint Weights Only").method = "KEEP"
        obj = context.object
        if obj.type == "MESH":
            column = layout.column(align=True)
            column.label(text="Paint", icon="BRUSH_DATA")
            for name, label, _ in PAINTED:
                column.operator("sinew.paint_endpoints", text=label).of = name
        # After parenting the armature is the active one.
        for mesh in [obj] if obj.type == "MESH" else live.meshes_of(obj):
            if mesh.sinew.report:
                _draw_report(layout.box(), mesh.name, json.loads(mesh.sinew.report))


def _draw_report(box: Any, mesh: str, report: dict[str, Any]) -> None:
    box = box.column(align=True)
    box.label(text=mesh, icon="MESH_DATA")
    for text in (f"{report['method']}, {report['seconds']:.1f} s",
                 f"at most {report['most_influences']} bones per vertex", *report["findings"]):
        for line in _wrapped(text):
            box.label(text=line)
    if report["empty_groups"]:
        box.label(text=f"{len(report['empty_groups'])} bones move nothing", icon="ERROR")
    for kind, text in (("uncovered", "without a bone"), ("bleeding", "moved from afar")):
        if report[kind]:
            row = box.row()
            row.label(text=f"{len(report[kind])} {text}", icon="ERROR")
            button = row.operator("sinew.select_reported", text="Select")
            button.kind, button.mesh = kind, mesh


def _wrapped(text: str, width: int = 28) -> list[str]:
    """Lines that a sidebar as Blender opens it has room for."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


class SINEW_PT_live(_MeshPanel, bpy.types.Panel):
    """How meshes follow their armature"""

    bl_idname = "SINEW_PT_live"
    bl_label = "Follow"

    def draw(self, context: Any) -> None:
        layout, obj = self.layout, context.object
        armature = active_armature(obj)
        if armature is None:
            layout.label(text="Parent a mesh to an armature first")
            return
        shown = obj if obj.type == "MESH" else next(iter(live.meshes_of(armature)), None)
        if shown is None:
            layout.label(text="No mesh follows this armature")
            return
        column = layout.column(align=True)
        for name, label, _ in live.MODES:
            column.operator("sinew.live", text=label, depress=shown.sinew.mode == name).mode = name
        if shown.sinew.mode in ("NODES", "PREVIEW"):
            layout.prop(shown.sinew, "method", text="")
            layout.prop(armature.data.sinew, "squash")
            layout.operator("sinew.refresh", icon="FILE_REFRESH")
        elif shown.sinew.mode != "HELPERS":
            layout.prop(shown.sinew, "segments", text="Helper Segments")


class SINEW_PT_correct(_MeshPanel, bpy.types.Panel):
    """Shape keys that poses turn on"""

    bl_idname = "SINEW_PT_correct"
    bl_label = "Correctives"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        layout, obj = self.layout, context.object
        if obj.sinew.sculpt:
            layout.label(text=f"For {obj.sinew.sculpt_of.name}" if obj.sinew.sculpt_of
                         else "Its character is gone")
            layout.operator("sinew.correct", icon="SHAPEKEY_DATA")
            return
        layout.operator("sinew.sculpt", icon="SCULPTMODE_HLT")
        column = layout.column(align=True)
        for example in correctives.read(obj) if obj.type == "MESH" else ():
            key = obj.data.shape_keys.key_blocks[example.key]
            column.prop(key, "value", text=key.name, slider=True)


class SINEW_PT_bake(_MeshPanel, bpy.types.Panel):
    """The animation for other programs"""

    bl_idname = "SINEW_PT_bake"
    bl_label = "Bake and Export"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        column = self.layout.column(align=True)
        column.operator("sinew.bake_bones", icon="BONE_DATA")
        column.operator("sinew.bake_shapes", icon="SHAPEKEY_DATA")
        column.operator("sinew.bake_cache", icon="FILE_CACHE")
        self.layout.operator("sinew.export_gltf", icon="EXPORT")
        self.layout.operator("sinew.import_gltf", icon="IMPORT")


class SINEW_PT_bone(bpy.types.Panel):
    """Settings of the active bone"""

    bl_idname = "SINEW_PT_bone"
    bl_label = "Sinew"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "bone"

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.bone is not None

    def draw(self, context: Any) -> None:
        layout, bone = self.layout, context.bone
        layout.use_property_split = True
        layout.prop(bone.sinew, "share")
        if bone.sinew.share == "OWN":
            layout.prop(bone.sinew, "parent_share", slider=True)
            layout.prop(bone.sinew, "own_share", slider=True)
        armature = context.object.data
        posed = context.object.pose.bones[bone.name]
        row = layout.row()
        if turns.PROPERTY in posed:
            row.prop(posed, f'["{turns.PROPERTY}"]', text="Full Turns")
            row.operator("sinew.turns", text="", icon="X")
        else:
            row.label(text="Full Turns")
            row.operator("sinew.turns", text="", icon="ADD")
        row.operator("sinew.key_turns", text="", icon="KEY_HLT")
        layout.prop(armature.sinew, "tails")
        for kind in filters.KINDS:
            _draw_curve(layout, armature, bone, kind, f"{kind.title()} Filter")


def _draw_curve(layout: Any, armature: Any, bone: Any, kind: str, text: str) -> None:
    node = filters.curve_node(armature, bone, kind)
    row = layout.row()
    row.label(text=text)
    row.operator("sinew.filter", text="", icon="ADD" if node is None else "X").kind = kind
    if node is not None:
        layout.template_curve_mapping(node, "mapping")


class SINEW_PT_muscle(bpy.types.Panel):
    """How the skin of the active bone swells"""

    bl_idname = "SINEW_PT_muscle"
    bl_label = "Muscle"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "bone"
    bl_parent_id = "SINEW_PT_bone"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.bone is not None

    def draw_header(self, context: Any) -> None:
        self.layout.prop(context.bone.sinew, "has_muscle", text="")

    def draw(self, context: Any) -> None:
        layout, bone, armature = self.layout, context.bone, context.object.data
        chosen = bone.sinew
        layout.use_property_split = True
        layout.active = chosen.has_muscle
        layout.prop(chosen, "muscle_stretch")
        layout.prop_search(chosen, "muscle_joint", armature, "bones", icon="BONE_DATA")
        if chosen.muscle_joint and not muscles.has_joint(armature, bone):
            layout.label(text=f"{chosen.muscle_joint} deforms nothing", icon="ERROR")
        elif chosen.muscle_joint:
            column = layout.column(align=True)
            column.prop(chosen, "muscle_start")
            column.prop(chosen, "muscle_end")
            column.prop(chosen, "muscle_gain")
            layout.prop(chosen, "muscle_about")
            if chosen.muscle_about:
                layout.prop(chosen, "muscle_axis")
        layout.prop(chosen, "muscle_sided")
        if chosen.muscle_sided:
            layout.prop(chosen, "muscle_side", text="")
        _draw_curve(layout, armature, bone, "muscle", "Profile")


def _parent_menu(self: Any, context: Any) -> None:
    self.layout.separator()
    self.layout.operator("sinew.parent", icon="MOD_ARMATURE")


def _weights_menu(self: Any, context: Any) -> None:
    self.layout.separator()
    self.layout.operator("sinew.parent", text="Automatic by Sinew")
    for name, label, _ in PAINTED:
        self.layout.operator("sinew.paint_endpoints", text=f"Paint {label}").of = name


def _import_menu(self: Any, context: Any) -> None:
    self.layout.operator("sinew.import_gltf", text="glTF with Sinew (.glb)")


def _export_menu(self: Any, context: Any) -> None:
    self.layout.operator("sinew.export_gltf", text="glTF with Sinew (.glb)")


CLASSES = (SINEW_PT_weights, SINEW_PT_live, SINEW_PT_correct, SINEW_PT_bake, SINEW_PT_bone,
           SINEW_PT_muscle)
MENUS = (("VIEW3D_MT_object_parent", _parent_menu), ("VIEW3D_MT_paint_weight", _weights_menu),
         ("TOPBAR_MT_file_import", _import_menu), ("TOPBAR_MT_file_export", _export_menu))


def register() -> None:
    """Adds the entries of menus."""
    for menu, draw in MENUS:
        getattr(bpy.types, menu).append(draw)


def unregister() -> None:
    """Takes them away."""
    for menu, draw in MENUS:
        getattr(bpy.types, menu).remove(draw)
