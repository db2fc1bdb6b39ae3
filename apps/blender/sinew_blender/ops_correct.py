# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for correctives: a copy to sculpt on, and back."""

# Blender reads annotations of properties: they must not be strings.
import json
from math import degrees
from typing import Any, Optional

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, StringProperty

from . import compat, correctives, live, muscles, preview, rigs, sinew
from .bones import active_armature


def shown_by(obj: Any) -> str:
    """The core's method that shows a mesh now. Raises ValueError where it has none."""
    if obj.sinew.mode in ("NODES", "PREVIEW"):
        return str(obj.sinew.method)
    if obj.sinew.mode == "HELPERS":
        return "stbs-lbs"
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.use_deform_preserve_volume:
            raise ValueError(f"{obj.name} follows by Blender's Preserve Volume, which cannot be "
                             "taken back: let it follow by Sinew")
    return "lbs"


def _to_correct(context: Any) -> Optional[Any]:
    """The mesh that a corrective is for: the active one, or the only one of the armature."""
    obj, armature = context.object, active_armature(context.object)
    if armature is None or obj.sinew.sculpt:
        return None
    everyone = live.meshes_of(armature)
    if obj in everyone:
        return obj
    return everyone[0] if len(everyone) == 1 else None


class SINEW_OT_sculpt(bpy.types.Operator):
    """Make a copy of the mesh as it is posed now, to sculpt how it ought to look"""

    bl_idname = "sinew.sculpt"
    bl_label = "Sculpt Corrective"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        cls.poll_message_set("Select a mesh with an Armature modifier, in a pose")
        return context.object is not None and _to_correct(context) is not None

    def execute(self, context: Any) -> set:
        obj, armature = _to_correct(context), active_armature(context.object)
        assert obj is not None and armature is not None, "poll() asks for them"
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            found = preview.Preview([obj], armature, shown_by(obj))
        except (ValueError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        posed = armature.evaluated_get(context.evaluated_depsgraph_get())
        turns = correctives.turns_of(posed, found.bones)
        if not turns:
            self.report({"ERROR"}, "No bone is turned: pose the armature first")
            return {"CANCELLED"}
        joints, full = found.joints(posed)
        places = found.deform(posed, [obj])
        assert places is not None, "asked for the first time"
        copy = _copy(obj, armature, places[0])
        values = preview.shape_weights([obj]).tolist()
        copy.sinew.sculpt = json.dumps({
            "pose": preview.told_pose(joints, full), "turns": turns, "method": shown_by(obj),
            "values": dict(zip([key.name for key in preview.keys_of(obj)], values))})
        copy.sinew.sculpt_of = obj
        for other in context.selected_objects:
            other.select_set(False)
        obj.hide_set(True)
        copy.select_set(True)
        context.view_layer.objects.active = copy
        self.report({"INFO"}, f"Sculpt {copy.name}, then Use as Corrective")
        return {"FINISHED"}


def _copy(obj: Any, armature: Any, places: Any) -> Any:
    """A plain mesh object with vertices at places in the armature's space."""
    mesh = obj.data.copy()
    copy = bpy.data.objects.new(f"{obj.name} sculpt", mesh)
    for collection in obj.users_collection:
        collection.objects.link(copy)
    copy.shape_key_clear()
    for layer in [a.name for a in mesh.attributes if a.name.startswith("sinew_")]:
        mesh.attributes.remove(mesh.attributes[layer])
    points = rigs.transformed(places.astype(float), np.linalg.inv(rigs.to_armature(obj, armature)))
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.update()
    copy.matrix_world = obj.matrix_world
    return copy


class SINEW_OT_correct(bpy.types.Operator):
    """Make the sculpted copy a shape key of its character, which the pose turns on"""

    bl_idname = "sinew.correct"
    bl_label = "Use as Corrective"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", description="Of the shape key; empty: after the bone that "
                         "is turned most")
    bones: EnumProperty(name="Bones", description="Whose turns count", items=(
        ("TURNED", "Turned", "All bones that the pose turns"),
        ("SELECTED", "Selected", "Those of them that are selected in pose mode")))
    radius: FloatProperty(name="Radius", min=0, max=360, description="How far from its pose the "
                          "corrective matters, in degrees; 0: everywhere, up to the other poses")

    @classmethod
    def poll(cls, context: Any) -> bool:
        obj = context.object
        cls.poll_message_set("Select a copy made by Sculpt Corrective")
        return obj is not None and bool(obj.sinew.sculpt) and obj.sinew.sculpt_of is not None

    def execute(self, context: Any) -> set:
        copy = context.object
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        obj, told = copy.sinew.sculpt_of, json.loads(copy.sinew.sculpt)
        try:
            example, off = self._add(obj, copy, told)
        except (ValueError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        mesh = copy.data
        bpy.data.objects.remove(copy)
        bpy.data.meshes.remove(mesh)
        obj.hide_set(False)
        obj.select_set(True)
        context.view_layer.objects.active = obj
        if off:
            self.report({"WARNING"}, f"{example.key}: {len(off)} vertices cannot get to where they "
                        f"were sculpted; the farthest is off by {max(off):.3g}")
        else:
            self.report({"INFO"}, f"{example.key} is on where {', '.join(example.joints)} "
                        f"{'is' if len(example.joints) == 1 else 'are'} turned as here")
        return {"FINISHED"}

    def _add(self, obj: Any, copy: Any, told: Any) -> tuple:
        armature = active_armature(obj)
        if armature is None or len(copy.data.vertices) != len(obj.data.vertices):
            raise ValueError(f"{copy.name} has {len(copy.data.vertices)} vertices, {obj.name} "
                             f"{len(obj.data.vertices)}: sculpt without changing the mesh")
        joints = [name for name in told["turns"] if self.bones == "TURNED"
                  or compat.is_selected(armature.pose.bones[name])]
        if not joints:
            raise ValueError("none of the selected bones was turned")
        angles = {name: float(np.linalg.norm(told["turns"][name])) for name in joints}
        most = max(joints, key=lambda name: angles[name])
        name = self.name or f"{most} {degrees(angles[most]):.0f}"
        example = correctives.Example(name, told["turns"], joints,
                                      np.radians(self.radius) if self.radius else None)
        before = correctives.read(obj)
        space = correctives.spaces([*before, example])[-1]
        correctives.factors(space)
        if any(other.radius != example.radius for other in space.examples):
            raise ValueError("examples of the same bones must have the same radius")
        places = rigs.vertices_of(copy.data)
        rig = preview.Preview([obj], armature, told["method"]).rig
        corrected = rig.correct(
            [(told["pose"], rigs.transformed(places, rigs.to_armature(obj, armature)), name)],
            method=told["method"], squash=armature.data.sinew.squash, progress=False)
        off = [vertex["distance"] for vertex in corrected.report["correctives"][0]["off"]]
        moved = _moves(corrected.rig, len(preview.keys_of(obj)), obj, armature)
        stays = {key: value for key, value in told["values"].items()
                 if key not in [other.key for other in space.examples]}
        moved -= _mix(obj, stays)
        _, basis = muscles.with_basis(obj)
        key = obj.shape_key_add(name=name)
        example.key = key.name
        key.data.foreach_set("co", (basis + moved).astype(np.float32).ravel())
        correctives.write(obj, [*before, example])
        correctives.refresh(armature, live.meshes_of(armature))
        live.refresh(armature)
        return example, off


def _moves(rig: sinew.Rig, number: int, obj: Any, armature: Any) -> Any:
    """A blend shape as movements of the mesh's vertices, in its space."""
    shape, result = rig.shape(number), np.zeros((rig.vertex_count, 3))
    vertices = slice(None) if shape.vertices is None else shape.vertices
    result[vertices] = shape.positions
    return result @ np.linalg.inv(rigs.to_armature(obj, armature)[:3, :3]).T


def _mix(obj: Any, values: Any) -> Any:
    """What shape keys with these values do to a mesh."""
    result = np.zeros((len(obj.data.vertices), 3))
    for key in preview.keys_of(obj):
        if values.get(key.name):
            result += values[key.name] * preview.moves_of(key)
    return result


CLASSES = (SINEW_OT_sculpt, SINEW_OT_correct)
