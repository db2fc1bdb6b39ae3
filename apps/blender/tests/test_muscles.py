# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles: shape keys with drivers that swell the skin as the core does."""

import os

import bpy
import numpy as np
from character import animate, evaluated, from_sample, pose_randomly, select
from sinew_blender import filters, groups, live, muscles, rigs, sinew
from sinew_blender.bones import joints_of, pose_matrices, read_bones, relative

CLOSE = 1e-5  # of characters about as large as 1


def _by_core(mesh, armature) -> np.ndarray:
    """Where the core has the vertices, by muscles of its own."""
    bpy.context.view_layer.update()
    bones = read_bones(armature)
    rig = rigs.make_rig([mesh], armature, bones, [groups.read_skin(mesh, bones.names)])
    rig.muscles = muscles.muscles_of(armature, bones)
    pose = sinew.Pose(rig, squash=armature.data.sinew.squash, follow=False)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    joints, shear = joints_of(relative(pose_matrices(posed, bones), bones.parents))
    assert shear < 1e-5, "joints of the core cannot shear"
    pose.joints = joints
    places = np.array(sinew.Deformer(rig, mesh.sinew.method, reference=True).deform(pose), float)
    return rigs.transformed(places, np.linalg.inv(rigs.to_armature(mesh, armature)))


def _off(mesh, armature) -> float:
    return float(np.abs(evaluated(mesh) - _by_core(mesh, armature)).max())


def _drivers(mesh) -> list:
    data = mesh.data.shape_keys.animation_data
    return [curve.driver for curve in data.drivers]


def _biceps(armature, bone: str = "upper_arm", joint: str = "forearm") -> None:
    chosen = armature.data.bones[bone].sinew
    chosen.muscle_stretch, chosen.muscle_joint = 0.0, joint
    chosen.has_muscle = True


def _bend(armature, angle: float = 1.5, bone: str = "forearm") -> None:
    posed = armature.pose.bones[bone]
    posed.rotation_mode, posed.rotation_euler = "XYZ", (angle, 0.3, 0.2)


def test_every_kind_of_muscle_is_the_cores() -> None:
    mesh, armature, _ = from_sample("arm", 800)
    # Not where the armature's own space is, and the armature larger than it was.
    armature.location, armature.rotation_euler, armature.scale = (1, 2, 3), (0.3, 0.2, 0.1), (2,) * 3
    mesh.location, mesh.rotation_euler = (0.02, 0, 0.01), (0.02, 0.1, 0)
    bpy.context.view_layer.update()
    mesh.sinew.method = "stbs-dqs"
    live.set_mode([mesh], "NODES")
    select(armature)
    upper, forearm, hand = (armature.data.bones[name] for name in ("upper_arm", "forearm", "hand"))
    _bend(armature)
    plain = evaluated(mesh)
    _biceps(armature)
    seen = {"by an angle": evaluated(mesh)}
    assert _off(mesh, armature) < CLOSE
    upper.sinew.muscle_about, upper.sinew.muscle_axis = True, (0.9, 0.1, -0.2)
    seen["about an axis"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    upper.sinew.muscle_start, upper.sinew.muscle_end = 2.0, 0.5
    seen["in another range"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    upper.sinew.muscle_sided, upper.sinew.muscle_side = True, (0.2, -0.9, 0.1)
    seen["on one side"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    filters.set_points(armature.data, upper, "muscle", [(0, 0.2), (0.3, 1), (0.6, 0.1), (1, 0)])
    live.refresh(armature)
    seen["with a profile"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    forearm.sinew.has_muscle = True
    armature.pose.bones["forearm"].scale = (1, 0.6, 1)
    seen["by its length, with a bone behind it"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    hand.sinew.has_muscle, hand.sinew.muscle_stretch = True, -0.7
    armature.pose.bones["hand"].scale = (1, 1.9, 1)
    seen["by its length, the last one"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    armature.data.sinew.squash = True
    live.refresh(armature)
    seen["with volume kept by all bones"] = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    before = plain
    for name, points in seen.items():
        print(f"    {name}: moved by {np.abs(points - before).max():.4f}")
        assert np.abs(points - before).max() > 1e-4, name
        before = points
    assert sorted(mesh.data.shape_keys.key_blocks.keys()) == [
        "Basis", "bulge_forearm", "bulge_hand", "bulge_upper_arm"]
    assert all(driver.is_simple_expression and driver.is_valid for driver in _drivers(mesh))


def test_every_way_has_them() -> None:
    mesh, armature, _ = from_sample("mannequin", 1200)
    select(armature)
    for side in ("L", "R"):
        _biceps(armature, f"upper_arm.{side}", f"forearm.{side}")
        armature.data.bones[f"thigh.{side}"].sinew.has_muscle = True
    pose_randomly(armature, 3, scale=0)
    for side in ("L", "R"):
        thigh = armature.pose.bones[f"thigh.{side}"]
        thigh.scale = (1, 0.7, 1)
        for bone in thigh.children_recursive:
            bone.rotation_quaternion = (1, 0, 0, 0)  # turned, they would be sheared
    posed = {}
    for mode in ("NODES", "PREVIEW", "HELPERS", "OFF"):
        for method in ("stbs-lbs", "stbs-dqs"):
            mesh.sinew.method = method
            live.set_mode([mesh], mode)
            off = _off(mesh, armature) if mode in ("NODES", "PREVIEW") else 0.0
            print(f"    {mode}, {method}: off by {off:.1e}")
            assert off < CLOSE
            posed[mode, method] = evaluated(mesh)
    near = np.abs(posed["HELPERS", "stbs-lbs"] - posed["NODES", "stbs-lbs"]).max()
    for key in list(mesh.data.shape_keys.key_blocks)[1:]:
        key.mute = True
    bulge = np.abs(posed["OFF", "stbs-lbs"] - evaluated(mesh)).max()
    print(f"    helper bones: off by {near:.4f}; bulges move by {bulge:.4f}")
    assert bulge > 0.005


def test_they_follow_paint_and_go_without_a_trace() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    select(armature)
    _biceps(armature)
    _bend(armature)
    assert list(mesh.data.shape_keys.key_blocks.keys()) == ["Basis", "bulge_upper_arm"]
    before = evaluated(mesh)
    group = mesh.vertex_groups[groups.endpoint_group("upper_arm")]
    group.add(list(range(len(mesh.data.vertices))), 0.9, "REPLACE")
    live.refresh(armature)
    mesh.sinew.method = "stbs-lbs"
    live.set_mode([mesh], "NODES")
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - before).max() > 1e-3
    armature.data.bones["upper_arm"].sinew.has_muscle = False
    assert mesh.data.shape_keys is None
    # Shape keys of the user's own stay, with a basis that was there before.
    mesh.shape_key_add(name="Basis")
    mesh.shape_key_add(name="bulge_upper_arm")
    armature.data.bones["upper_arm"].sinew.has_muscle = True
    assert list(mesh.data.shape_keys.key_blocks.keys()) == [
        "Basis", "bulge_upper_arm", "bulge_upper_arm.001"]
    armature.data.bones["upper_arm"].sinew.has_muscle = False
    assert list(mesh.data.shape_keys.key_blocks.keys()) == ["Basis", "bulge_upper_arm"]
    assert not mesh.data.shape_keys.animation_data.drivers


def test_undo_to_where_the_key_was_still_to_come_makes_it() -> None:
    mesh, armature, _ = from_sample("arm", 300)
    select(armature)
    _biceps(armature)
    # As in a window: the setting is a step of undo, and the key comes a moment later.
    muscles.remove([mesh])
    bpy.ops.ed.undo_push(message="muscle")
    armature.location.x = 1
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.ed.undo()
    keys = bpy.data.objects["arm"].data.shape_keys
    assert keys is not None and "bulge_upper_arm" in keys.key_blocks


def test_every_bake_has_them() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    select(armature)
    _biceps(armature)
    animate(armature)
    mesh.sinew.method = "stbs-lbs"
    live.set_mode([mesh], "NODES")
    select(mesh)
    bpy.ops.sinew.bake_bones(max_error=1, influences=8)
    bpy.ops.sinew.bake_shapes(max_error=0.05)
    bpy.ops.sinew.bake_cache(folder=bpy.app.tempdir)
    made = bpy.data.objects["arm baked"]
    assert not made.data.shape_keys.animation_data.drivers
    wanted, scene = {}, bpy.context.scene
    for frame in (1, 7, 12):
        scene.frame_set(frame)
        wanted[frame] = evaluated(mesh)
    for obj in (mesh, armature):
        obj.hide_viewport = True
    armature.animation_data_clear()
    for name, most in (("arm baked", 0.002), ("arm shapes", 0.001), ("arm cache", 1e-5)):
        off = 0.0
        for frame, points in wanted.items():
            scene.frame_set(frame)
            off = max(off, float(np.abs(evaluated(bpy.data.objects[name]) - points).max()))
        print(f"    {name}: off by {off:.1e}")
        assert off < most, name
    assert max(key.value for key in made.data.shape_keys.key_blocks) > 0.05


def test_files_have_them_without_the_add_on() -> None:
    mesh, armature, _ = from_sample("arm", 400)
    select(armature)
    _biceps(armature)
    _bend(armature, 1.2)
    live.set_mode([mesh], "NODES")
    before = evaluated(mesh)
    path = os.path.join(bpy.app.tempdir, "muscle.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    mesh, armature = bpy.data.objects["arm"], bpy.data.objects["arm rig"]
    assert np.abs(evaluated(mesh) - before).max() < 1e-6
    import addon_utils

    addon_utils.disable("sinew_blender")
    try:
        mesh, armature = bpy.data.objects["arm"], bpy.data.objects["arm rig"]
        assert np.abs(evaluated(mesh) - before).max() < 1e-6
        value = mesh.data.shape_keys.key_blocks["bulge_upper_arm"].value
        armature.pose.bones["forearm"].rotation_euler = (0.1, 0, 0)
        evaluated(mesh)
        assert mesh.data.shape_keys.key_blocks["bulge_upper_arm"].value < value - 0.1
    finally:
        addon_utils.enable("sinew_blender")
