# SPDX-License-Identifier: GPL-3.0-or-later
"""Animations in forms that any program plays: helper bones, shape keys, point caches.

All of them are made beside the character, which stays as it is.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from . import compat, muscles, rigs, sinew
from .bones import relative
from .edit_mode import edited
from .groups import BLEND_GROUP, endpoint_group, twist_group, write_groups
from .recording import Recording

Array = NDArray[Any]
CHANNELS = (("location", 3), ("rotation_quaternion", 4), ("scale", 3))


def _matrices(joints: Array) -> Array:
    """(n, 4, 4) of transforms (n, 10)."""
    x, y, z, w = joints[:, 3:7].T
    result = np.zeros((len(joints), 4, 4))
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    for i, row in enumerate(rows):
        for j, values in enumerate(row):
            result[:, i, j] = values * joints[:, 7 + j]
    result[:, :3, 3] = joints[:, :3]
    result[:, 3, 3] = 1
    return result


def _globals(rig: sinew.Rig) -> Array:
    """(n, 4, 4) where joints are at rest."""
    result = _matrices(np.array(rig.joint_rests))
    done: list[Array] = []
    for joint, parent in enumerate(rig.joint_parents):
        done.append(result[joint] if parent < 0 else done[parent] @ result[joint])
    return np.array(done)


def collection(name: str) -> Any:
    """Where baked objects go."""
    found = bpy.data.collections.get(name)
    if found is None:
        found = bpy.data.collections.new(name)
    if name not in bpy.context.scene.collection.children:
        bpy.context.scene.collection.children.link(found)
    return found


def _copied_mesh(obj: Any, name: str, place: Any) -> Any:
    """A copy of a mesh object, without what makes it follow an armature."""
    copy = obj.copy()
    copy.data = obj.data.copy()
    copy.name = name
    copy.sinew.mode, copy.sinew.report, copy.sinew.correctives = "OFF", "", ""
    place.objects.link(copy)
    for modifier in list(copy.modifiers):
        if modifier.type == "ARMATURE" or modifier.name.startswith("Sinew"):
            copy.modifiers.remove(modifier)
    for layer in [a.name for a in copy.data.attributes if a.name.startswith("sinew_")]:
        copy.data.attributes.remove(copy.data.attributes[layer])
    copy.animation_data_clear()
    return copy


def to_bones(recording: Recording, objects: Sequence[Any], armature: Any, *, segments: int = 0,
             max_error_percent: float = 0.0, influences: int = 4) -> tuple[Any, list[Any], Any]:
    """A plain armature with helper bones and keys, its meshes, and the core's report."""
    baked = recording.rig.bake(segments=segments, max_error_percent=max_error_percent,
                               influences=influences, squash=recording.squash, progress=False)
    place = collection(f"{armature.name} baked")
    copy = armature.copy()
    copy.data = armature.data.copy()
    copy.name = f"{armature.name} baked"
    copy.animation_data_clear()
    copy.data.sinew.filters = None
    for key in [key for key in copy.keys() if key.startswith("sinew ")]:
        del copy[key]  # of drivers, which are gone
    place.objects.link(copy)
    _plain_bones(copy, recording, baked.rig)
    _key_bones(copy, recording, baked.rig)
    copies = []
    counts = np.diff(baked.rig.weight_offsets.astype(np.int64))
    vertices = np.repeat(np.arange(len(counts)), counts)
    which, weights = np.array(baked.rig.weight_bones), np.array(baked.rig.weights)
    names, start = list(baked.rig.bone_names), 0
    for obj in objects:
        mesh = _copied_mesh(obj, f"{obj.name} baked", place)
        for name in (BLEND_GROUP, *(group_of(bone) for bone in recording.bones.names
                                    for group_of in (endpoint_group, twist_group))):
            group = mesh.vertex_groups.get(name)
            if group is not None:
                mesh.vertex_groups.remove(group)
        end = start + len(mesh.data.vertices)
        mine = (vertices >= start) & (vertices < end) & (weights > 0)
        write_groups(mesh, names, vertices[mine] - start, which[mine], weights[mine])
        start = end
        mesh.parent = copy
        mesh.modifiers.new("Armature", "ARMATURE").object = copy
        if mesh.data.shape_keys is not None:
            _key_shapes(mesh, obj, recording)
        copies.append(mesh)
    return copy, copies, baked.report


def _plain_bones(copy: Any, recording: Recording, rig: sinew.Rig) -> None:
    """Bones that deform and helpers, with nothing that moves them but keys."""
    for bone in copy.pose.bones:
        for constraint in list(bone.constraints):
            bone.constraints.remove(constraint)
        bone.custom_shape = None
        bone.rotation_mode = "QUATERNION"
        bone.matrix_basis.identity()
    rests, names = _globals(rig), rig.joint_names
    with edited(copy) as bones:
        for bone in list(bones):
            if bone.name not in recording.bones.index:
                bones.remove(bone)
        for joint, name in enumerate(names):
            bone = bones.get(name)
            if bone is None:
                bone = bones.new(name)
                bone.head, bone.tail = (0, 0, 0), (0, 0.02, 0)
                bone.matrix = Matrix(rests[joint].tolist())
            parent = rig.joint_parents[joint]
            bone.use_connect = False
            bone.parent = None if parent < 0 else bones[names[parent]]
            bone.inherit_scale = "FULL"
    for bone in copy.data.bones:
        bone.use_deform = True
        bone.use_inherit_rotation = bone.use_local_location = True
        bone.sinew.is_split, bone.sinew.helper_of = False, ""
        bone.sinew.stretch_curve = bone.sinew.twist_curve = bone.sinew.muscle_curve = ""
        bone.sinew.has_muscle = False
    for bone in copy.pose.bones:
        bone.rotation_mode = "QUATERNION"


def _key_bones(copy: Any, recording: Recording, rig: sinew.Rig) -> None:
    """Every bone in every frame."""
    # Where Blender has the bones at rest, which edit bones round.
    names = rig.joint_names
    rests = np.array([np.array(copy.data.bones[name].matrix_local) for name in names])
    inverse = np.linalg.inv(relative(rests, [int(p) for p in rig.joint_parents]))
    pose, values = sinew.Pose(rig), []
    for frame in recording.frames:
        pose.play(0, recording.time(frame))
        basis = inverse @ _matrices(pose.joints)
        parts = [Matrix(matrix.tolist()).decompose() for matrix in basis]
        values.append([[*place, *turn, *scale] for place, turn, scale in parts])
    table = np.array(values)
    turns = table[:, :, 3:7]
    for k in range(1, len(turns)):
        turns[k, np.sum(turns[k] * turns[k - 1], axis=1) < 0] *= -1
    action = bpy.data.actions.new(f"{copy.name}")
    curves = compat.curves_of(copy, action)
    for joint, name in enumerate(names):
        first = 0
        for channel, count in CHANNELS:
            path = f'pose.bones["{bpy.utils.escape_identifier(name)}"].{channel}'
            for index in range(count):
                _write_curve(curves.new(path, index=index), recording.frames,
                             table[:, joint, first + index])
            first += count


def _key_shapes(mesh: Any, obj: Any, recording: Recording) -> None:
    """The shape keys of a mesh in every frame, whatever moves them in the character."""
    keys = mesh.data.shape_keys
    keys.animation_data_clear()
    muscles.disown(mesh)
    pose, values = sinew.Pose(recording.rig), []
    for frame in recording.frames:
        pose.play(0, recording.time(frame))
        values.append(np.array(pose.shapes))
    columns = dict(zip(recording.rig.shape_names, np.array(values).T))
    curves = compat.curves_of(keys, bpy.data.actions.new(mesh.name))
    for key in list(keys.key_blocks)[1:]:
        column = columns.get(f"{obj.name}/{key.name}")
        if column is not None:
            path = f'key_blocks["{bpy.utils.escape_identifier(key.name)}"].value'
            _write_curve(curves.new(path), recording.frames, column)


def _write_curve(curve: Any, frames: range, values: Array) -> None:
    curve.keyframe_points.add(len(frames))
    points = np.stack([np.array(frames, float), values], axis=1).astype(np.float32)
    curve.keyframe_points.foreach_set("co", points.ravel())
    curve.keyframe_points.foreach_set("interpolation", np.ones(len(frames), np.int32))  # linear
    curve.update()


def _in_armature(obj: Any, armature: Any, name: str) -> Any:
    """A copy of a mesh whose own space is the armature's."""
    mesh = _copied_mesh(obj, name, collection(f"{armature.name} baked"))
    mesh.shape_key_clear()
    mesh.vertex_groups.clear()
    mesh.parent = armature
    mesh.matrix_parent_inverse.identity()
    mesh.matrix_basis.identity()
    points = rigs.transformed(rigs.vertices_of(mesh.data), rigs.to_armature(obj, armature))
    mesh.data.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.data.update()
    return mesh


def to_shapes(recording: Recording, obj: Any, armature: Any,
              max_error_percent: float = 0.0) -> tuple[Any, Any]:
    """A mesh with shape keys that fade from one to the next, and the core's report."""
    baked = recording.rig.bake_shapes("bake", method=obj.sinew.method, progress=False,
                                      max_error_percent=max_error_percent,
                                      frames_per_second=recording.fps, squash=recording.squash)
    rig = baked.rig
    mesh = _in_armature(obj, armature, f"{obj.name} shapes")
    base = np.array(rig.positions)
    mesh.data.vertices.foreach_set("co", base.astype(np.float32).ravel())
    mesh.shape_key_add(name="Basis")
    for number, name in enumerate(rig.shape_names):
        shape = rig.shape(number)
        places = base.copy()
        if shape.vertices is None:
            places += shape.positions
        else:
            places[shape.vertices] += shape.positions
        key = mesh.shape_key_add(name=name or f"key {number}")
        key.slider_min, key.slider_max = -10, 10
        key.data.foreach_set("co", places.astype(np.float32).ravel())
    pose, values = sinew.Pose(rig), []
    for frame in recording.frames:
        pose.play(0, recording.time(frame))
        values.append(pose.shapes)
    keys = mesh.data.shape_keys
    curves = compat.curves_of(keys, bpy.data.actions.new(mesh.name))
    for key, column in zip(list(keys.key_blocks)[1:], np.array(values).T):
        path = f'key_blocks["{bpy.utils.escape_identifier(key.name)}"].value'
        _write_curve(curves.new(path), recording.frames, column)
    return mesh, baked.report


def to_cache(recording: Recording, obj: Any, armature: Any, path: str,
             format: Optional[str] = None) -> Any:
    """A mesh with a Mesh Cache modifier, and the file that it plays."""
    kind = format or ("mdd" if path.lower().endswith(".mdd") else "pc2")
    data = recording.rig.bake_cache("bake", method=obj.sinew.method, format=kind,
                                    frames_per_second=recording.fps, squash=recording.squash,
                                    progress=False)
    with open(bpy.path.abspath(path), "wb") as file:
        file.write(data)
    mesh = _in_armature(obj, armature, f"{obj.name} cache")
    modifier = mesh.modifiers.new("Mesh Cache", "MESH_CACHE")
    modifier.cache_format = kind.upper()
    modifier.filepath = path
    modifier.frame_start = recording.frames[0] - recording.lead
    return mesh
