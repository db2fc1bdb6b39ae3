# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that bake."""

# Blender reads annotations of properties: they must not be strings.
import os
from typing import Any, List

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty

from . import bake, chosen, live, recording, sinew
from .bones import active_armature

SHEARED = 1e-3


class _Bake:
    bl_options = {"REGISTER", "UNDO"}
    report: Any  # Blender's, as the next one
    poll_message_set: Any

    @classmethod
    def poll(cls, context: Any) -> bool:
        armature = active_armature(context.object)
        cls.poll_message_set("Select a mesh with an Armature modifier, or its armature")
        return armature is not None and bool(live.meshes_of(armature))

    def _frames(self, context: Any) -> range:
        return range(context.scene.frame_start, context.scene.frame_end + 1)

    def _chosen(self, context: Any) -> List[Any]:
        everyone = live.meshes_of(active_armature(context.object))
        return [o for o in everyone if o in chosen.meshes_of(context)] or everyone

    def _bake(self, context: Any) -> str:
        raise NotImplementedError

    def execute(self, context: Any) -> set:
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        modes = {o: o.sinew.mode for o in live.meshes_of(active_armature(context.object))}
        helped = [o for o, mode in modes.items() if mode == "HELPERS"]
        try:
            if helped:
                live.set_mode(helped, "OFF")
            self.report({"INFO"}, self._bake(context))
        except (ValueError, OSError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        finally:
            if helped:
                live.set_mode(helped, "HELPERS")
        return {"FINISHED"}

    def _tell(self, recorded: recording.Recording) -> None:
        if recorded.shear > SHEARED:
            self.report({"WARNING"}, f"bones are sheared by {recorded.shear:.3g}, which joints "
                        "cannot be: the bake has the nearest bones without shear")


class SINEW_OT_bake_bones(bpy.types.Operator, _Bake):
    """Bake the animation into a plain armature with helper bones and keys, for any engine"""

    bl_idname = "sinew.bake_bones"
    bl_label = "Bake to Helper Bones"

    segments: IntProperty(name="Segments", min=0, max=32,
                          description="Segments of each bone that twists; 0: as many as the "
                          "error needs")
    max_error: FloatProperty(name="Error", min=0.01, max=100, default=2, subtype="PERCENTAGE",
                             description="Largest error, in per cent of a limb's radius")
    influences: IntProperty(name="Bones per Vertex", min=1, max=32, default=4,
                            description="At most so many bones per vertex; engines take 4 or 8")

    def _bake(self, context: Any) -> str:
        armature = active_armature(context.object)
        meshes = live.meshes_of(armature)
        recorded = recording.record(meshes, armature, self._frames(context))
        self._tell(recorded)
        error = 0.0 if self.segments else self.max_error
        made, _, report = bake.to_bones(recorded, meshes, armature, segments=self.segments,
                                        max_error_percent=error, influences=self.influences)
        return (f"{made.name}: {report['helpers']} helper bones, off by "
                f"{report['max_error_box']:.2g}% of the character at most")


class SINEW_OT_bake_shapes(bpy.types.Operator, _Bake):
    """Bake the animation into shape keys with a curve for each"""

    bl_idname = "sinew.bake_shapes"
    bl_label = "Bake to Shape Keys"

    max_error: FloatProperty(name="Error", min=0.001, max=10, default=0.1, subtype="PERCENTAGE",
                             description="Largest error, in per cent of the size of the mesh")

    def _bake(self, context: Any) -> str:
        armature, told = active_armature(context.object), []
        for obj in self._chosen(context):
            recorded = recording.record([obj], armature, self._frames(context),
                                        live.meshes_of(armature))
            self._tell(recorded)
            mesh, _ = bake.to_shapes(recorded, obj, armature, self.max_error)
            told.append(f"{mesh.name}: {len(mesh.data.shape_keys.key_blocks) - 1} shape keys")
        return "; ".join(told)


class SINEW_OT_bake_cache(bpy.types.Operator, _Bake):
    """Bake the animation into a point cache file, and a mesh that plays it"""

    bl_idname = "sinew.bake_cache"
    bl_label = "Bake to Point Cache"

    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//",
                           description="Where the files go, named after the meshes")
    format: EnumProperty(name="Format", items=(("pc2", "PC2", "3ds Max and most others"),
                                               ("mdd", "MDD", "LightWave and most others")),
                         description="Format of the file")

    def invoke(self, context: Any, event: Any) -> set:
        shown: set = context.window_manager.invoke_props_dialog(self)
        return shown

    def _bake(self, context: Any) -> str:
        armature, told = active_armature(context.object), []
        if self.folder.startswith("//") and not bpy.data.filepath:
            raise ValueError("save the file first, or choose a folder")
        for obj in self._chosen(context):
            recorded = recording.record([obj], armature, self._frames(context),
                                        live.meshes_of(armature))
            self._tell(recorded)
            path = os.path.join(self.folder, f"{bpy.path.clean_name(obj.name)}.{self.format}")
            bake.to_cache(recorded, obj, armature, path, self.format)
            told.append(path)
        return ", ".join(told)


CLASSES = (SINEW_OT_bake_bones, SINEW_OT_bake_shapes, SINEW_OT_bake_cache)
