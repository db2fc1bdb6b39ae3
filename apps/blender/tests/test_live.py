# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that follow their armature: what Blender has is what the core computes."""

import os

import bpy
import numpy as np
from mathutils import Vector
from character import (
    animate,
    bent_tube,
    by_core,
    evaluated,
    from_sample,
    new_mesh,
    pose_randomly,
    select,
    weigh,
)
from sinew_blender import filters, glb, groups, helpers, live, rigs, sinew, turns
from sinew_blender.bones import read_bones

CLOSE = 1e-5  # of characters about as large as 1


def _off(mesh, armature) -> float:
    return float(np.abs(evaluated(mesh) - by_core([mesh], armature)[0]).max())


def test_nodes_are_exact() -> None:
    mesh, armature, _ = from_sample("mannequin", 1500)
    for method in ("stbs-lbs", "stbs-dqs"):
        mesh.sinew.method = method
        live.set_mode([mesh], "NODES")
        for seed in range(3):
            pose_randomly(armature, seed)
            off = _off(mesh, armature)
            moved = np.abs(evaluated(mesh) - np.array([v.co for v in mesh.data.vertices])).max()
            print(f"    {method}: off by {off:.1e}, moved by {moved:.2f}")
            assert off < CLOSE < moved


def test_twists_stretches_and_squashes_are_exact() -> None:
    mesh, armature, _ = from_sample("arm", 800)
    hand, forearm = armature.pose.bones["hand"], armature.pose.bones["forearm"]
    live.set_mode([mesh], "NODES")
    hand.rotation_mode = "XYZ"
    hand.rotation_euler = (0, np.radians(170), 0)
    assert _off(mesh, armature) < CLOSE
    forearm.scale = (1, 1.8, 1)
    assert _off(mesh, armature) < CLOSE
    armature.data.sinew.squash = True
    live.refresh(armature)
    thin = evaluated(mesh)
    assert _off(mesh, armature) < CLOSE
    armature.data.sinew.squash = False
    live.refresh(armature)
    assert np.abs(evaluated(mesh) - thin).max() > 0.01


def test_full_turns_count_where_channels_tell_them() -> None:
    mesh, armature, rig = from_sample("arm", 500)
    mesh.sinew.method, mesh.sinew.segments = "stbs-lbs", 32
    core = sinew.Deformer(rig, "stbs-lbs")
    wanted = {turn: glb.to_blender(core.at({"joints": {"hand": {"twist": turn}}}).positions)
              for turn in (140, 500, -940)}
    assert np.abs(wanted[500] - wanted[140]).max() > 0.02
    select(armature)
    armature.data.bones.active = armature.data.bones["hand"]

    def pose(mode: str, turn: float) -> None:
        hand, angle = armature.pose.bones["hand"], np.radians(turn)
        hand.rotation_mode = mode
        if mode == "QUATERNION":
            whole = round((turn - 140) / 360)
            hand[turns.PROPERTY] = whole
            left = angle - 2 * np.pi * whole
            hand.rotation_quaternion = (np.cos(left / 2), 0, np.sin(left / 2), 0)
        elif mode == "AXIS_ANGLE":
            hand.rotation_axis_angle = (angle, 0, 1, 0)
        else:
            hand.rotation_euler = (0, angle, 0)

    for way in ("NODES", "PREVIEW", "HELPERS"):
        live.set_mode([mesh], way)
        worst = 0.0
        for mode in ("YZX", "AXIS_ANGLE", "QUATERNION"):
            if mode == "QUATERNION":
                bpy.ops.sinew.turns()
            for turn, points in wanted.items():
                pose(mode, turn)
                armature.update_tag()
                worst = max(worst, float(np.abs(evaluated(mesh) - points).max()))
        bpy.ops.sinew.turns()
        assert turns.PROPERTY not in armature.pose.bones["hand"]
        print(f"    {way}: off by {worst:.1e}")
        # 29 degrees from helper to helper.
        assert worst < (2e-3 if way == "HELPERS" else CLOSE)
    if armature.animation_data:
        assert all(curve.driver.is_simple_expression for curve in armature.animation_data.drivers)
    live.set_mode([mesh], "NODES")
    keys = armature.sinew.bone_data.data.shape_keys
    assert all(curve.driver.is_simple_expression for curve in keys.animation_data.drivers)
    # Bent as well, and with the bone before it turned, as the core has it.
    pose("XYZ", 500)
    armature.pose.bones["hand"].rotation_euler[0] = 0.6
    armature.pose.bones["forearm"].rotation_mode = "XYZ"
    armature.pose.bones["forearm"].rotation_euler = (0.3, 4.0, 0)
    assert _off(mesh, armature) < CLOSE


def test_turns_of_quaternions_are_counted_from_frame_to_frame() -> None:
    mesh, armature, rig = from_sample("arm", 400)
    mesh.sinew.method = "stbs-lbs"
    live.set_mode([mesh], "NODES")
    hand, scene = armature.pose.bones["hand"], bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 25
    hand.rotation_mode = "QUATERNION"
    angles = np.concatenate([np.linspace(0, 890, 13), np.linspace(890, -400, 13)[1:]])
    for frame, angle in enumerate(np.radians(angles), start=1):
        hand.rotation_quaternion = (np.cos(angle / 2), 0, np.sin(angle / 2), 0)
        hand.keyframe_insert("rotation_quaternion", frame=frame)
    core = sinew.Deformer(rig, "stbs-lbs")

    def worst() -> float:
        result = 0.0
        for frame in range(1, 26):
            scene.frame_set(frame)
            pose = {"joints": {"hand": {"twist": float(angles[frame - 1])}}}
            wanted = glb.to_blender(core.at(pose).positions)
            result = max(result, float(np.abs(evaluated(mesh) - wanted).max()))
        return result

    assert worst() > 0.02, "quaternions tell nothing of them"
    select(armature)
    armature.data.bones.active = armature.data.bones["hand"]
    scene.frame_set(4)
    assert bpy.ops.sinew.key_turns() == {"FINISHED"} and scene.frame_current == 4
    off = worst()
    print(f"    nodes: off by {off:.1e}")
    assert off < CLOSE
    live.set_mode([mesh], "PREVIEW")
    off = worst()
    print(f"    preview: off by {off:.1e}")
    assert off < CLOSE
    hand.rotation_mode = "XYZ"
    try:
        bpy.ops.sinew.key_turns()
        raise AssertionError("its channels count already")
    except RuntimeError as problem:
        assert "quaternions" in str(problem), problem


def test_a_child_that_moves_away_stretches_its_parent() -> None:
    mesh, armature, _ = from_sample("arm", 800)
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones["hand"].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    live.set_mode([mesh], "NODES")
    armature.pose.bones["hand"].location = (0.03, 0.1, 0.02)
    assert _off(mesh, armature) < CLOSE
    mesh.sinew.segments = 8
    exact = evaluated(mesh)
    mesh.sinew.method = "stbs-lbs"
    live.set_mode([mesh], "NODES")
    exact = evaluated(mesh)
    live.set_mode([mesh], "HELPERS")
    off = np.abs(evaluated(mesh) - exact).max()
    print(f"    helper bones: off by {off:.1e}")
    assert off < 1e-4


def test_objects_may_stand_anywhere() -> None:
    mesh, armature, rig = from_sample("arm", 500, weighted=False)
    weigh(mesh, armature, rig)
    armature.location, armature.rotation_euler = (1, 2, 3), (0.3, 0.2, 0.1)
    mesh.location, mesh.rotation_euler, mesh.scale = (0.1, 0, 0.2), (0.5, 0.1, 0.7), (1.2, 1.2, 1.2)
    bpy.context.view_layer.update()
    live.set_mode([mesh], "NODES")
    pose_randomly(armature, 1)
    assert _off(mesh, armature) < CLOSE


def test_constraints_and_drivers_of_bones_count() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    live.set_mode([mesh], "NODES")
    empty = bpy.data.objects.new("aim", None)
    bpy.context.collection.objects.link(empty)
    empty.rotation_euler = (0.4, 0.9, 0.2)
    copied = armature.pose.bones["hand"].constraints.new("COPY_ROTATION")
    copied.target = empty
    driver = armature.pose.bones["forearm"].driver_add("scale", 1).driver
    driver.expression = "1.3"
    before = np.array([v.co for v in mesh.data.vertices])
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - before).max() > 0.05


def test_filters_and_shares_count() -> None:
    mesh, armature, _ = from_sample("arm", 800)
    live.set_mode([mesh], "NODES")
    armature.pose.bones["hand"].rotation_mode = "XYZ"
    armature.pose.bones["hand"].rotation_euler = (0, 2, 0)
    plain, bone = evaluated(mesh), armature.data.bones["forearm"]
    filters.set_points(armature.data, bone, "twist", [(0, 0), (0.4, 0.8), (0.7, 0.3), (1, 1)])
    filters.set_points(armature.data, bone, "stretch", [(0.2, 0), (0.5, 0.6), (1, 1)])
    armature.pose.bones["forearm"].scale = (1, 1.5, 1)
    live.refresh(armature)
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - plain).max() > 0.02
    filtered, hand = evaluated(mesh), armature.data.bones["hand"]
    hand.sinew.share, hand.sinew.parent_share, hand.sinew.own_share = "OWN", 0.3, 0.2
    live.refresh(armature)
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - filtered).max() > 0.01


def test_twist_has_endpoint_weights_of_its_own_and_vertices_their_blend() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    live.set_mode([mesh], "NODES")
    hand, forearm = armature.pose.bones["hand"], armature.pose.bones["forearm"]
    hand.rotation_mode, hand.rotation_euler = "XYZ", (0.2, 2, 0)
    forearm.scale = (1, 1.5, 1)
    plain, count = evaluated(mesh), len(mesh.data.vertices)
    select(mesh)
    mesh.vertex_groups.active_index = mesh.vertex_groups["forearm"].index
    assert bpy.ops.sinew.paint_endpoints(of="TWIST") == {"FINISHED"}
    assert mesh.vertex_groups.active.name == "endpoint_twist.forearm"
    assert mesh.mode == "WEIGHT_PAINT"
    live.refresh(armature)
    assert np.abs(evaluated(mesh) - plain).max() < 1e-6, "a new group changes nothing"
    mesh.vertex_groups.active.add(list(range(count)), 0.5, "REPLACE")
    live.refresh(armature)
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - plain).max() > 0.02
    assert bpy.ops.sinew.paint_endpoints(of="TWIST") == {"FINISHED"}
    assert mesh.vertex_groups.active.name == "forearm", "and back"
    ways = {}
    for method in ("stbs-lbs", "stbs-dqs", "stbs-mixed"):
        mesh.sinew.method = method
        live.refresh(armature)
        ways[method] = evaluated(mesh)
        assert _off(mesh, armature) < CLOSE, method
    half = (ways["stbs-lbs"] + ways["stbs-dqs"]) / 2
    assert np.abs(half - ways["stbs-mixed"]).max() < 1e-6, "half and half without a group"
    armature.data.bones.active = armature.data.bones["forearm"]
    assert bpy.ops.sinew.paint_endpoints(of="BLEND") == {"FINISHED"}
    live.refresh(armature)
    assert np.abs(half - evaluated(mesh)).max() < 1e-6, "a new group changes nothing"
    mesh.vertex_groups["blend share"].add(list(range(count // 2)), 1.0, "REPLACE")
    mesh.vertex_groups["blend share"].remove(list(range(count // 2, count)))
    live.refresh(armature)
    mixed = evaluated(mesh)
    assert np.abs(mixed[:count // 2] - ways["stbs-dqs"][:count // 2]).max() < 1e-6
    assert np.abs(mixed[count // 2:] - ways["stbs-lbs"][count // 2:]).max() < 1e-6
    assert np.abs(ways["stbs-lbs"] - ways["stbs-dqs"]).max() > 1e-3
    assert _off(mesh, armature) < CLOSE
    bpy.ops.object.mode_set(mode="OBJECT")


def test_endpoint_weights_can_be_painted_and_mirror() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    live.set_mode([mesh], "NODES")
    armature.pose.bones["forearm"].scale = (1, 1.5, 1)
    before = evaluated(mesh)
    group = mesh.vertex_groups[groups.endpoint_group("forearm")]
    group.add(list(range(len(mesh.data.vertices))), 0.5, "REPLACE")
    live.refresh(armature)
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - before).max() > 0.02
    for bone, other in (("arm.L", "arm.R"), ("LeftArm", "RightArm"), ("hip_r", "hip_l")):
        assert bpy.utils.flip_name(groups.endpoint_group(bone)) == groups.endpoint_group(other)


def test_endpoint_groups_mirror_and_smooth_by_blenders_own_operators() -> None:
    x, z = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(0, 1, 5), indexing="ij")
    points = np.stack([x, 0 * x, z], axis=-1).reshape(-1, 3)
    mesh = new_mesh("strip", points, [(5 * i + j, 5 * i + j + 1, 5 * i + j + 6, 5 * i + j + 5)
                                      for i in range(8) for j in range(4)])
    left, right = (mesh.vertex_groups.new(name=groups.endpoint_group(n)) for n in ("a.L", "a.R"))
    values = np.where(points[:, 0] > 0, points[:, 2], 0)
    for index, value in enumerate(values):
        left.add([index], float(value), "REPLACE")
    select(mesh)
    mesh.vertex_groups.active_index = left.index
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    bpy.ops.object.vertex_group_mirror(mirror_weights=True, flip_group_names=True)
    copied = _values(mesh, right.name)
    assert np.abs(copied[points[:, 0] < 0] - points[points[:, 0] < 0, 2]).max() < 1e-6
    mesh.vertex_groups.active_index = mesh.vertex_groups[right.name].index
    bpy.ops.object.vertex_group_smooth(group_select_mode="ACTIVE", factor=0.5, repeat=2)
    assert np.abs(_values(mesh, right.name) - copied).max() > 0.01
    bpy.ops.object.mode_set(mode="OBJECT")


def test_nodes_refresh_by_themselves() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    live.set_mode([mesh], "NODES")
    armature.pose.bones["forearm"].scale = (1, 1.5, 1)
    before = evaluated(mesh)
    select(mesh)
    mesh.vertex_groups.active_index = mesh.vertex_groups[groups.endpoint_group("forearm")].index
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    bpy.ops.object.vertex_group_smooth(group_select_mode="ACTIVE", factor=0.9, repeat=20)
    evaluated(mesh)
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - before).max() > 1e-3
    bpy.ops.object.mode_set(mode="OBJECT")
    # In edit mode a mesh has no attributes to write to: what is meant for them waits.
    bpy.ops.object.mode_set(mode="EDIT")
    mesh.vertex_groups.active_index = mesh.vertex_groups["forearm"].index
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.object.vertex_group_smooth(group_select_mode="ACTIVE", factor=0.9, repeat=20)
    bpy.context.view_layer.update()
    assert bpy.ops.sinew.refresh() == {"FINISHED"} and mesh.mode == "EDIT"
    assert bpy.ops.sinew.live(mode="NODES") == {"FINISHED"} and mesh.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert _off(mesh, armature) < CLOSE
    # A point of a curve is dragged.
    bone = armature.data.bones["forearm"]
    filters.set_points(armature.data, bone, "stretch", [(0, 0), (0.5, 0.2), (1, 1)])
    live.refresh(armature)
    before, node = evaluated(mesh), filters.curve_node(armature.data, bone, "stretch")
    node.mapping.curves[0].points[1].location = (0.5, 0.9)
    node.mapping.update()
    armature.data.sinew.filters.update_tag()
    evaluated(mesh)
    assert _off(mesh, armature) < CLOSE and np.abs(evaluated(mesh) - before).max() > 1e-3


def _values(mesh, name: str) -> np.ndarray:
    elements, index = groups.read_elements(mesh.data), mesh.vertex_groups[name].index
    result, mine = np.zeros(len(mesh.data.vertices)), elements.groups == index
    result[elements.vertices[mine]] = elements.weights[mine]
    return result


def test_preview_is_what_nodes_are_and_files_have_nodes() -> None:
    mesh, armature, _ = from_sample("arm", 800)
    animate(armature)
    live.set_mode([mesh], "NODES")
    scene, wanted = bpy.context.scene, {}
    for frame in (1, 6, 12):
        scene.frame_set(frame)
        wanted[frame] = evaluated(mesh)
    live.set_mode([mesh], "PREVIEW")
    for frame in (6, 12, 1, 12):
        scene.frame_set(frame)
        assert np.abs(evaluated(mesh) - wanted[frame]).max() < CLOSE, frame
    armature.pose.bones["hand"].scale = (1.2, 1.4, 0.9)
    assert _off(mesh, armature) < CLOSE
    scene.frame_set(6)
    last = evaluated(mesh)
    path = os.path.join(bpy.app.tempdir, "preview.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert not mesh.modifiers["Sinew"].show_viewport, "the preview is back after saving"
    bpy.ops.wm.open_mainfile(filepath=path)
    mesh = bpy.data.objects["arm"]
    assert np.abs(evaluated(mesh) - last).max() < CLOSE
    bpy.context.scene.frame_set(7)
    bpy.context.scene.frame_set(6)
    assert np.abs(evaluated(mesh) - last).max() < CLOSE


def test_helper_bones_come_close_and_go_without_a_trace() -> None:
    mesh, armature, _ = from_sample("arm", 800)
    mesh.sinew.method = "stbs-lbs"
    mesh.sinew.segments = 8
    hand = armature.pose.bones["hand"]
    hand.rotation_mode = "XYZ"
    hand.rotation_euler = (0.2, 2.5, 0)
    forearm = armature.pose.bones["forearm"]
    forearm.rotation_mode, forearm.rotation_euler = "XYZ", (0.3, -1.2, 0)
    live.set_mode([mesh], "NODES")
    exact, count = evaluated(mesh), len(mesh.vertex_groups)
    live.set_mode([mesh], "OFF")
    plain = np.abs(evaluated(mesh) - exact).max()
    live.set_mode([mesh], "HELPERS")
    off = np.abs(evaluated(mesh) - exact).max()
    print(f"    helper bones: off by {off:.4f}, Blender's own by {plain:.4f}")
    assert off < 0.05 * plain
    assert all(curve.driver.is_simple_expression for curve in armature.animation_data.drivers)
    bones = read_bones(armature).names
    live.set_mode([mesh], "NODES")
    assert np.abs(evaluated(mesh) - exact).max() < 1e-6
    assert read_bones(armature).names == bones and len(mesh.vertex_groups) == count
    assert not any(key.startswith("sinew ") for key in armature.keys())
    assert helpers.helper_name("arm.L", 2) == "arm_twist2.L"


def test_shape_keys_come_first() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    mesh.shape_key_add(name="Basis")
    key = mesh.shape_key_add(name="wide")
    for point in key.data:
        point.co *= 1.05
    key.value = 0.7
    for mode in ("NODES", "PREVIEW"):
        live.set_mode([mesh], mode)
        pose_randomly(armature, 5 if mode == "NODES" else 6)
        assert _off(mesh, armature) < CLOSE, mode


def test_tails_that_an_importer_has_drawn_do_not_matter() -> None:
    mesh, armature, _ = from_sample("mannequin", 800)
    bones = read_bones(armature)
    wanted = rigs.make_rig([mesh], armature, bones, [groups.read_skin(mesh, bones.names)])
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False
    for bone in armature.data.edit_bones:
        bone.tail = bone.head + Vector((0.01, 0.02, 0.03))
    bpy.ops.object.mode_set(mode="OBJECT")
    bones = read_bones(armature)
    rig = rigs.make_rig([mesh], armature, bones, [groups.read_skin(mesh, bones.names)])
    shares = [[(link["own_share"], link["next_share"], link["next"]) for link in one.bone_links()]
              for one in (wanted, rig)]
    other = [name for name, a, b in zip(bones.names, *shares) if a != b]
    print(f"    of {len(bones.names)} bones these are shared otherwise: {', '.join(other) or 'none'}")
    assert len(other) <= 2 and not any("arm" in name or "hand" in name for name in other)
    armature.data.sinew.tails = "DRAWN"
    assert np.allclose(read_bones(armature).tails - bones.heads, (0.01, 0.02, 0.03), atol=1e-6)
    armature.data.sinew.tails = "AUTO"
    for mode in ("NODES", "HELPERS"):
        mesh.sinew.method = "stbs-lbs"
        live.set_mode([mesh], mode)
        armature.pose.bones["hand.L"].rotation_mode = "QUATERNION"
        armature.pose.bones["hand.L"].rotation_quaternion = (0.8, -0.57, 0.1, 0.1)
        if mode == "NODES":
            assert _off(mesh, armature) < CLOSE
            exact = evaluated(mesh)
        else:
            off = np.abs(evaluated(mesh) - exact).max()
            print(f"    helper bones: off by {off:.4f}")
            assert off < 0.004


def test_modifiers_keep_their_order() -> None:
    mesh, armature, _ = from_sample("arm", 300)
    mesh.modifiers.new("Subdivision", "SUBSURF").levels = 1
    for mode, names in (("NODES", ["Armature", "Sinew", "Subdivision"]),
                        ("PREVIEW", ["Armature", "Sinew Preview", "Sinew", "Subdivision"]),
                        ("OFF", ["Armature", "Subdivision"])):
        live.set_mode([mesh], mode)
        assert [m.name for m in mesh.modifiers] == names
        pose_randomly(armature, 1)
        assert len(evaluated(mesh)) > 3 * len(mesh.data.vertices)
    live.set_mode([mesh], "NODES")
    with_nodes = evaluated(mesh)
    live.set_mode([mesh], "PREVIEW")
    pose_randomly(armature, 2)
    evaluated(mesh)
    pose_randomly(armature, 1)
    evaluated(mesh)
    assert np.abs(evaluated(mesh) - with_nodes).max() < CLOSE


def test_vertices_without_a_bone_stay() -> None:
    mesh, armature = bent_tube()
    mesh.parent = armature
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    mesh.vertex_groups.new(name="lower").add(list(range(100)), 1.0, "REPLACE")
    for mode in ("NODES", "PREVIEW"):
        live.set_mode([mesh], mode)
        armature.pose.bones["lower"].rotation_mode = "XYZ"
        armature.pose.bones["lower"].rotation_euler = (0.5 + (mode == "NODES"), 0, 0)
        moved = np.abs(evaluated(mesh) - np.array([v.co for v in mesh.data.vertices])).max(axis=1)
        assert moved[100:].max() < 1e-6 < moved[:100].max()
