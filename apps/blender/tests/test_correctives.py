# SPDX-License-Identifier: GPL-3.0-or-later
"""Correctives: sculpted poses come out as they were sculpted, and fade as the core has it."""

import bpy
import numpy as np
from character import evaluated, from_sample, select
from sinew_blender import correctives, groups, live, rigs, sinew
from sinew_blender.bones import joints_of, pose_matrices, read_bones, relative

SIZE = 1e-4  # of the character's, which is about as large as 1


def _turn(armature, **turns) -> None:
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = np.radians(turns.get(bone.name, (0, 0, 0)))


def _sculpted(mesh, armature, push: float = 0.02, **options) -> np.ndarray:
    """Sculpts a bump into the pose that is there; how the mesh ought to look."""
    select(mesh)
    assert bpy.ops.sinew.sculpt() == {"FINISHED"}
    copy = bpy.context.object
    assert copy.sinew.sculpt_of == mesh and mesh.hide_get()
    places = rigs.vertices_of(copy.data)
    assert np.abs(places - evaluated(mesh)).max() < 1e-5, "the copy looks like the mesh"
    centre = places[np.argmax(np.linalg.norm(places - places.mean(axis=0), axis=1) < 0.2)]
    distances = np.linalg.norm(places - centre, axis=1)
    places += np.exp(-(distances / 0.1) ** 2)[:, None] * (0, -push, push)
    copy.data.vertices.foreach_set("co", places.astype(np.float32).ravel())
    copy.data.update()
    # Posing goes on while it is sculpted.
    kept = [bone.rotation_euler.copy() for bone in armature.pose.bones]
    _turn(armature, hand=(10, 20, 30))
    assert bpy.ops.sinew.correct(**options) == {"FINISHED"}
    for bone, angles in zip(armature.pose.bones, kept):
        bone.rotation_euler = angles
    assert bpy.context.object == mesh and not mesh.hide_get() and not copy_left(mesh)
    return places


def copy_left(mesh) -> bool:
    return any(obj.sinew.sculpt for obj in bpy.data.objects)


def _off(mesh, places) -> float:
    return float(np.abs(evaluated(mesh) - places).max())


def _value(mesh, name: str) -> float:
    bpy.context.view_layer.update()
    return mesh.data.shape_keys.key_blocks[name].value


def test_sculpted_poses_come_out_as_they_were_sculpted() -> None:
    poses = {"bent": {"forearm": (80, 0, 0)}, "twisted": {"forearm": (40, 60, 10)},
             "waved": {"hand": (-50, 0, 20)}}
    for mode, method in (("NODES", "stbs-dqs"), ("NODES", "stbs-lbs"), ("PREVIEW", "stbs-mixed"),
                         ("OFF", "stbs-dqs"), ("HELPERS", "stbs-lbs")):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        mesh, armature, _ = from_sample("arm", 600)
        mesh.location, mesh.rotation_euler = (0.02, 0, 0.01), (0.02, 0.1, 0)
        armature.scale = (1.5, 1.5, 1.5)
        bpy.context.view_layer.update()
        mesh.sinew.method, mesh.sinew.segments = method, 8
        live.set_mode([mesh], mode)
        rest, sculpted = evaluated(mesh), {}
        if mode == "HELPERS":
            # Their copy is exact, and they are not.
            _turn(armature, **poses["waved"])
            select(mesh)
            assert bpy.ops.sinew.sculpt() == {"FINISHED"}
            places = rigs.vertices_of(bpy.context.object.data)
            near = np.abs(places - evaluated(mesh)).max()
            print(f"    helper bones: the copy is off by {near:.1e}")
            assert near < 2e-3
            continue
        for name, pose in poses.items():
            _turn(armature, **pose)
            sculpted[name] = _sculpted(mesh, armature, name=name)
            assert _off(mesh, sculpted[name]) < SIZE, name
        worst = 0.0
        for name, pose in poses.items():
            _turn(armature, **pose)
            worst = max(worst, _off(mesh, sculpted[name]))
            others = [_value(mesh, other) for other in poses if other != name]
            assert abs(_value(mesh, name) - 1) < 1e-4 and max(np.abs(others)) < 1e-4, (name, others)
        print(f"    {mode}, {method}: off by {worst:.1e}")
        assert worst < SIZE
        _turn(armature)
        assert _off(mesh, rest) < 1e-5, "nothing at rest"
        found = [curve.driver for data in (mesh.data.shape_keys, armature)
                 for curve in data.animation_data.drivers]
        assert all(driver.is_simple_expression and driver.is_valid for driver in found)


def test_weights_between_examples_are_the_cores() -> None:
    mesh, armature, _ = from_sample("arm", 300)
    live.set_mode([mesh], "NODES")
    poses = [{"forearm": (80, 0, 0)}, {"forearm": (20, 50, 0)}, {"forearm": (50, 0, 0),
             "hand": (30, 0, 40)}]
    for radius in (0.0, 60.0):
        for number, pose in enumerate(poses):
            _turn(armature, **pose)
            _sculpted(mesh, armature, name=f"key {number}", radius=radius)
        examples = correctives.read(mesh)
        bones = read_bones(armature)
        rig = rigs.make_rig([mesh], armature, bones, [groups.read_skin(mesh, bones.names)])
        for example in examples:
            rig.add_shape(example.key, np.zeros((1, 3)), vertices=[0])
        space = {"joints": ["forearm", "hand"], "examples": [
            {"turns": [np.degrees(example.turns.get(joint, (0, 0, 0))).tolist()
                       for joint in ("forearm", "hand")], "shapes": [example.key]}
            for example in examples]}
        if radius:
            space["radius"] = radius
        rig.edit([{"drivers": {"drivers": [], "poseSpaces": [space]}}], progress=False)
        pose, worst, seen = sinew.Pose(rig, follow=False), 0.0, []
        for share in np.linspace(0, 1.2, 7):
            _turn(armature, forearm=(80 * share, 30 * share * (1 - share), 5), hand=(20 * share, 0, 0))
            bpy.context.view_layer.update()
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            pose.joints = joints_of(relative(pose_matrices(posed, bones), bones.parents))[0]
            values = [_value(mesh, example.key) for example in examples]
            worst, seen = max(worst, float(np.abs(values - pose.shapes).max())), [*seen, values]
        print(f"    radius {radius:.0f}: off by {worst:.1e}")
        assert worst < 1e-4 and np.ptp(seen, axis=0).max() > 0.5
        for key in list(mesh.data.shape_keys.key_blocks)[1:]:
            key.driver_remove("value")
        mesh.shape_key_clear()
        mesh.sinew.correctives = ""


def test_many_examples_fit_into_drivers() -> None:
    mesh, armature, _ = from_sample("arm", 200)
    mesh.shape_key_add(name="Basis")
    random = np.random.default_rng(1)
    examples = []
    for number in range(20):
        key = mesh.shape_key_add(name=f"key {number}")
        turns = {"forearm": random.normal(size=3).tolist(), "hand": random.normal(size=3).tolist()}
        examples.append(correctives.Example(key.name, turns, ["forearm", "hand"]))
    correctives.write(mesh, examples)
    correctives.refresh(armature, [mesh])
    found = [curve.driver for data in (mesh.data.shape_keys, armature)
             for curve in data.animation_data.drivers]
    assert all(driver.is_simple_expression and driver.is_valid for driver in found)
    example = examples[7]
    for joint, turn in example.turns.items():
        bone, angle = armature.pose.bones[joint], np.linalg.norm(turn)
        bone.rotation_mode = "AXIS_ANGLE"
        bone.rotation_axis_angle = (angle, *(np.array(turn) / angle))
    values = [_value(mesh, e.key) for e in examples]
    assert abs(values[7] - 1) < 1e-3 and max(v for i, v in enumerate(values) if i != 7) < 1e-3, values
    # Deleted by Blender's own button: the others go on, and refreshing forgets it.
    key = mesh.data.shape_keys.key_blocks["key 3"]
    key.driver_remove("value")
    mesh.shape_key_remove(key)
    select(mesh)
    assert bpy.ops.sinew.refresh() == {"FINISHED"} and len(correctives.read(mesh)) == 19
    armature.data.bones["hand"].name = "fist"
    try:
        bpy.ops.sinew.refresh()
        raise AssertionError("a bone is gone, and it went well")
    except RuntimeError as problem:
        assert "no bone hand" in str(problem), problem


def test_other_shape_keys_and_muscles_stay_out_of_it() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    live.set_mode([mesh], "NODES")
    mesh.shape_key_add(name="Basis")
    wide = mesh.shape_key_add(name="wide")
    for point in wide.data:
        point.co *= 1.03
    wide.value = 0.6
    select(armature)
    chosen = armature.data.bones["upper_arm"].sinew
    chosen.muscle_stretch, chosen.muscle_joint, chosen.has_muscle = 0.0, "forearm", True
    _turn(armature, forearm=(70, 10, 0))
    assert _value(mesh, "bulge_upper_arm") > 0.1
    places = _sculpted(mesh, armature)
    assert "forearm 70" in mesh.data.shape_keys.key_blocks or "forearm 71" in mesh.data.shape_keys.key_blocks
    print(f"    off by {_off(mesh, places):.1e}")
    assert _off(mesh, places) < SIZE
    armature.data.bones["upper_arm"].sinew.has_muscle = False
    assert _off(mesh, places) > 1e-3, "the muscle was no part of it"


def test_mistakes_are_told() -> None:
    mesh, armature, _ = from_sample("arm", 200)
    select(mesh)
    for problem, cause in (("No bone is turned", lambda: None),
                           ("Preserve Volume", lambda: (
                               _turn(armature, hand=(30, 0, 0)), setattr(
                                   mesh.modifiers["Armature"], "use_deform_preserve_volume", True)))):
        cause()
        try:
            bpy.ops.sinew.sculpt()
            raise AssertionError(problem)
        except RuntimeError as raised:
            assert problem in str(raised), raised
    mesh.modifiers["Armature"].use_deform_preserve_volume = False
    for text in ("", "same pose"):
        bpy.ops.sinew.sculpt()
        try:
            assert bpy.ops.sinew.correct() == {"FINISHED"} and not text
        except RuntimeError as raised:
            assert text and text in str(raised), raised
            bpy.data.objects.remove(bpy.context.object)
            mesh.hide_set(False)
        select(mesh)
