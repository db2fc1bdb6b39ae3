# SPDX-License-Identifier: GPL-3.0-or-later
"""Import and export of glTF with what Sinew knows."""

# Blender reads annotations of properties: they must not be strings.
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import compat, gltf_export, gltf_import, live, muscles, sinew
from .bones import active_armature


class SINEW_OT_import_gltf(bpy.types.Operator, ImportHelper):
    """Import a .glb or .gltf with what Sinew has written, as endpoint weights, filters and muscles"""

    bl_idname = "sinew.import_gltf"
    bl_label = "Import glTF with Sinew"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".glb"
    filter_glob: StringProperty(default="*.glb;*.gltf", options={"HIDDEN"})

    def execute(self, context: Any) -> set:
        compat.prepare_gltf_importer()
        try:
            bpy.ops.import_scene.gltf(filepath=self.filepath)
        except RuntimeError as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        for text in gltf_import.lost:
            self.report({"WARNING"}, f"Not taken over: {text}")
        return {"FINISHED"}


class SINEW_OT_export_gltf(bpy.types.Operator, ExportHelper):
    """Export a .glb that has what Sinew knows, as endpoint weights, filters and muscles"""

    bl_idname = "sinew.export_gltf"
    bl_label = "Export glTF with Sinew"
    bl_options = {"REGISTER"}

    filename_ext = ".glb"
    filter_glob: StringProperty(default="*.glb", options={"HIDDEN"})
    use_selection: BoolProperty(name="Selected Only", description="Export selected objects only")
    all_influences: BoolProperty(name="All Influences", default=True,
                                 description="All bones of a vertex; if not, the four largest")

    def execute(self, context: Any) -> set:
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        meshes = [o for o in context.scene.objects if o.type == "MESH"
                  and active_armature(o) is not None and o in live.meshes_of(active_armature(o))]
        armatures = {o.name: active_armature(o) for o in meshes}
        modes = {o: o.sinew.mode for o in meshes if o.sinew.mode in ("NODES", "PREVIEW")}
        try:
            # The exporter reads the Armature modifier.
            live.set_mode(list(modes), "OFF")
            # Muscles are written as what they are, beside the skin.
            muscles.remove(meshes)
            for obj in meshes:
                gltf_export.number_vertices(obj)
            bpy.ops.export_scene.gltf(
                filepath=self.filepath, export_format="GLB", export_attributes=True,
                export_all_influences=self.all_influences, use_selection=self.use_selection)
            done, lost = gltf_export.patch(self.filepath, {o.name: o for o in meshes}, armatures)
        except (RuntimeError, ValueError, OSError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        finally:
            for obj in meshes:
                gltf_export.forget_numbers(obj)
            for mode in set(modes.values()):
                live.set_mode([o for o, m in modes.items() if m == mode], mode)
            for armature in set(armatures.values()):
                live.refresh(armature)
        for text in lost:
            self.report({"WARNING"}, f"Not written: {text}")
        if done:
            self.report({"INFO"}, f"Written to {self.filepath}")
        else:
            self.report({"WARNING"}, f"{self.filepath} has no endpoint weights: no mesh that was "
                        "exported follows an armature")
        return {"FINISHED"}


CLASSES = (SINEW_OT_import_gltf, SINEW_OT_export_gltf)
