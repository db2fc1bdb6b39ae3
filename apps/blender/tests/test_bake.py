# SPDX-License-Identifier: GPL-3.0-or-later
"""What is baked plays as the character does, in Blender and in files."""

import os

import bpy
import numpy as np
from mathutils import Matrix
from character import animate, evaluated, from_sample, select
from sinew_blender import glb, live, rigs, sinew


def _frames(mesh) -> dict:
    scene, result = bpy.context.scene, {}
    for frame in (1, 5, 9, 12):
        scene.frame_set(frame)
        matrix = np.array(mesh.matrix_world, dtype=float)
        result[frame] = rigs.transformed(evaluated(mesh), matrix)
    return result


def _animated() -> tuple:
    mesh, armature, _ = from_sample("arm", 800)
    animate(armature)
    mesh.sinew.method = "stbs-lbs"
    live.set_mode([mesh], "NODES")
    # Not where the armature's own space is, and yet where its bones are.
    mesh.data.transform(Matrix.Translation((-0.1, -0.2, 0)))
    mesh.location = (0.1, 0.2, 0)
    armature.rotation_euler = (0.2, 0, 0.4)
    bpy.context.view_layer.update()
    return mesh, armature, _frames(mesh)


def _worst(found: dict, wanted: dict) -> float:
    return max(float(np.abs(found[frame] - wanted[frame]).max()) for frame in wanted)


def test_helper_bones_with_keys_play_and_export() -> None:
    mesh, armature, wanted = _animated()
    select(mesh)
    assert bpy.ops.sinew.bake_bones(max_error=2, influences=8) == {"FINISHED"}
    made, baked = bpy.data.objects["arm baked"], bpy.data.objects["arm rig baked"]
    assert not baked.animation_data.drivers and not any(b.constraints for b in baked.pose.bones)
    off = _worst(_frames(made), wanted)
    print(f"    off by {off:.4f} with {len(baked.data.bones) - len(armature.data.bones)} helpers")
    assert off < 0.002, "two per cent of a limb of 5 cm, on a model of half a metre"
    path = os.path.join(bpy.app.tempdir, "baked.glb")
    select(baked, made)
    bpy.ops.export_scene.gltf(filepath=path, use_selection=True, export_all_influences=True)
    rig = sinew.read(path)
    fps = bpy.context.scene.render.fps
    bones, played = sinew.Deformer(rig, "lbs"), _frames(made)
    for frame, points in played.items():
        # Files may begin at the first key or at frame 0.
        clip = rig.clip(0)
        start = 1 if abs(clip.duration - 11 / fps) < 0.5 / fps else 0
        at = glb.to_blender(bones.at(clip=0, time=(frame - start) / fps).positions)
        distance = _nearest(at, points)
        assert distance < 2e-4, (frame, distance)


def test_baked_bones_survive_fbx() -> None:
    mesh, _, wanted = _animated()
    select(mesh)
    bpy.ops.sinew.bake_bones(max_error=2, influences=8)
    made, baked = bpy.data.objects["arm baked"], bpy.data.objects["arm rig baked"]
    path = os.path.join(bpy.app.tempdir, "baked.fbx")
    select(baked, made)
    bpy.ops.export_scene.fbx(filepath=path, use_selection=True, add_leaf_bones=False,
                             bake_anim_simplify_factor=0.0, bake_anim_use_all_actions=False,
                             bake_anim_use_nla_strips=False)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    # Which would put the first frame at the second.
    bpy.ops.import_scene.fbx(filepath=path, anim_offset=0)
    again = next(o for o in bpy.data.objects if o.type == "MESH")
    off = _worst(_frames(again), wanted)
    print(f"    off by {off:.4f}")
    assert off < 0.004


def _nearest(points: np.ndarray, others: np.ndarray) -> float:
    """The largest distance of a point to the nearest of the others: exporters reorder."""
    return max(float(np.linalg.norm(others - point, axis=1).min()) for point in points)


def test_shape_keys_play() -> None:
    mesh, _, wanted = _animated()
    select(mesh)
    assert bpy.ops.sinew.bake_shapes(max_error=0.1) == {"FINISHED"}
    made = bpy.data.objects["arm shapes"]
    off = _worst(_frames(made), wanted)
    size = np.ptp(wanted[1], axis=0).max()
    print(f"    off by {100 * off / size:.3f}% with {len(made.data.shape_keys.key_blocks) - 1} keys")
    assert off < 0.0012 * np.linalg.norm(np.ptp(wanted[1], axis=0))


def test_point_caches_are_exact() -> None:
    mesh, _, wanted = _animated()
    for kind in ("pc2", "mdd"):
        select(mesh)
        assert bpy.ops.sinew.bake_cache(folder=bpy.app.tempdir, format=kind) == {"FINISHED"}
        made = bpy.data.objects["arm cache"]
        assert _worst(_frames(made), wanted) < 1e-5, kind
        bpy.data.objects.remove(made)


def test_stretched_bones_that_get_thinner_do_so_in_every_bake() -> None:
    mesh, armature, _ = _animated()
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones["hand"].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    hand = armature.pose.bones["hand"]
    for frame, way in ((1, 0.0), (12, 0.15)):
        hand.location = (0, way, 0)
        hand.keyframe_insert("location", frame=frame)
    live.refresh(armature)
    stretched = _frames(mesh)
    armature.data.sinew.squash = True
    live.refresh(armature)
    wanted = _frames(mesh)
    assert np.abs(wanted[12] - stretched[12]).max() > 0.005
    select(mesh)
    bpy.ops.sinew.bake_bones(max_error=2, influences=8)
    bpy.ops.sinew.bake_shapes(max_error=0.1)
    bpy.ops.sinew.bake_cache(folder=bpy.app.tempdir)
    for name, most in (("arm baked", 0.002), ("arm shapes", 0.0015), ("arm cache", 1e-5)):
        off = _worst(_frames(bpy.data.objects[name]), wanted)
        print(f"    {name}: off by {off:.1e}")
        assert off < most


def test_a_bake_begins_with_the_turns_that_a_bone_has_made() -> None:
    mesh, armature, _ = _animated()
    hand = armature.pose.bones["hand"]
    for frame, angle in ((1, 400.0), (12, 900.0)):
        hand.rotation_euler = (0, np.radians(angle), 0)
        hand.keyframe_insert("rotation_euler", frame=frame)
    live.refresh(armature)
    wanted = _frames(mesh)
    select(mesh)
    bpy.ops.sinew.bake_bones(max_error=2, influences=8)
    bpy.ops.sinew.bake_shapes(max_error=0.1)
    bpy.ops.sinew.bake_cache(folder=bpy.app.tempdir)
    for name, most in (("arm baked", 0.003), ("arm shapes", 0.0015), ("arm cache", 1e-5)):
        off = _worst(_frames(bpy.data.objects[name]), wanted)
        print(f"    {name}: off by {off:.1e}")
        assert off < most


def test_helpers_in_use_are_baked_as_well() -> None:
    mesh, armature, wanted = _animated()
    live.set_mode([mesh], "HELPERS")
    count = len(armature.data.bones)
    select(mesh)
    assert bpy.ops.sinew.bake_bones(segments=6, influences=8) == {"FINISHED"}
    assert mesh.sinew.mode == "HELPERS" and len(armature.data.bones) == count
    assert _worst(_frames(bpy.data.objects["arm baked"]), wanted) < 0.004
