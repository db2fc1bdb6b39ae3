# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters for tests, and what Blender and the core make of them."""

from typing import Any, Optional

import bpy
import numpy as np
import sinew_blender.sinew as sinew
from mathutils import Quaternion
from sinew_blender import glb, groups, preview, rigs


def new_mesh(name: str, points: Any, faces: Any) -> Any:
    """A mesh object in the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(points).tolist(), [], [list(map(int, face)) for face in faces])
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(obj)
    return obj


def new_armature(name: str, bones: Any) -> Any:
    """An armature of (name, head, tail, parent or None); children that touch are connected."""
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit = armature.data.edit_bones
    for bone, head, tail, parent in bones:
        new = edit.new(bone)
        new.head, new.tail = head, tail
        if parent is not None:
            new.parent = edit[parent]
            new.use_connect = (new.head - new.parent.tail).length < 1e-6
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def from_sample(name: str, vertices: int, weighted: bool = True) -> tuple[Any, Any, sinew.Rig]:
    """A built-in character: mesh, armature and the rig that they were made of."""
    rig = sinew.sample(name, vertices=vertices)
    mesh = new_mesh(name, glb.to_blender(np.array(rig.positions)), rig.triangles)
    heads, tails = (glb.to_blender(np.array(a)) for a in (rig.bone_heads, rig.bone_tails))
    joints = list(rig.bone_joints)
    bones = []
    for b, bone in enumerate(rig.bone_names):
        parent = rig.joint_parents[joints[b]]
        while parent >= 0 and parent not in joints:
            parent = rig.joint_parents[parent]
        above = rig.bone_names[joints.index(parent)] if parent >= 0 else None
        bones.append((bone, heads[b], tails[b], above))
    armature = new_armature(f"{name} rig", bones)
    if weighted:
        weigh(mesh, armature, rig)
    return mesh, armature, rig


def weigh(mesh: Any, armature: Any, rig: sinew.Rig) -> None:
    """The weights and endpoint weights of a rig, as groups, and an Armature modifier."""
    rows = np.repeat(np.arange(rig.vertex_count), np.diff(rig.weight_offsets.astype(np.int64)))
    names, which = list(rig.bone_names), np.array(rig.weight_bones)
    groups.write_groups(mesh, names, rows, which, np.array(rig.weights))
    if rig.endpoints is None:
        rig.compute_weights(None, endpoints="projection", progress=False)
    groups.write_groups(mesh, [groups.endpoint_group(n) for n in names], rows, which,
                        np.array(rig.endpoints))
    mesh.parent = armature
    mesh.modifiers.new("Armature", "ARMATURE").object = armature


def bent_tube(rings: int = 40, around: int = 16) -> tuple[Any, Any]:
    """A tube of two bones along z, with quads."""
    z, angle = np.meshgrid(np.linspace(0, 2, rings), np.arange(around) * 2 * np.pi / around,
                           indexing="ij")
    points = np.stack([0.2 * np.cos(angle), 0.2 * np.sin(angle), z], axis=-1).reshape(-1, 3)
    faces = [(r * around + a, r * around + (a + 1) % around, (r + 1) * around + (a + 1) % around,
              (r + 1) * around + a) for r in range(rings - 1) for a in range(around)]
    mesh = new_mesh("tube", points, faces)
    armature = new_armature("tube rig", [("lower", (0, 0, 0), (0, 0, 1), None),
                                         ("upper", (0, 0, 1), (0, 0, 2), "lower")])
    return mesh, armature


def select(active: Any, *others: Any) -> None:
    """Selects objects; the first is the active one."""
    for obj in bpy.context.scene.objects:
        obj.select_set(obj == active or obj in others)
    bpy.context.view_layer.objects.active = active


def evaluated(mesh: Any) -> np.ndarray:
    """Where Blender has the vertices now, in the mesh's space."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    return rigs.vertices_of(mesh.evaluated_get(graph).data)


def by_core(meshes: list[Any], armature: Any, method: Optional[str] = None) -> list[np.ndarray]:
    """Where the core has them, in double precision."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    found = preview.Preview(meshes, armature)
    found.deformers = {
        name: sinew.Deformer(one._rig, method or name, reference=True)
        for name, one in found.deformers.items()}
    places = found.deform(armature.evaluated_get(graph), meshes)
    assert places is not None
    return [rigs.transformed(points.astype(float), np.linalg.inv(rigs.to_armature(mesh, armature)))
            for mesh, points in zip(meshes, places)]


def pose_randomly(armature: Any, seed: int, turn: float = 0.5, scale: float = 0.1) -> None:
    """Turns every bone, twists it more, and scales it."""
    random = np.random.default_rng(seed)
    for bone in armature.pose.bones:
        if bone.bone.sinew.helper_of:
            continue
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = Quaternion(
            (1, *(turn * random.normal(size=3) * (0.5, 1, 0.5)))).normalized()
        bone.scale = 1 + scale * random.normal(size=3)


def animate(armature: Any, frames: int = 12) -> None:
    """Keys of a twist and a stretch."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    for frame, share in ((1, 0.0), (frames, 1.0)):
        for number, bone in enumerate(armature.pose.bones):
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (0.4 * share, (1.5 if number % 2 else -0.7) * share, 0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(1)
