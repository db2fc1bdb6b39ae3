# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of Sinew through Blender and back."""

import os

import bpy
import numpy as np
from character import by_core, evaluated, from_sample, pose_randomly
from mathutils import Matrix
from sinew_blender import bake, filters, glb, gltf_import, groups, live, sinew
from sinew_blender.bones import read_bones

TWIST = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.25)]


def _file(name: str = "mannequin") -> tuple:
    """A sample with everything that a file can hold."""
    rig = sinew.sample(name, vertices=1200)
    rig.compute_weights(None, endpoints="heat", progress=False)
    rig.edit([{"twist-filter": "forearm.L=free:0:0,0.5:1,1:0.25"},
              {"filter": "thigh.L=0:0,0.5:0.25,1:1"}, {"twist-share": "hand.L=0.5,0.25"}],
             progress=False)
    path = os.path.join(bpy.app.tempdir, f"{name}.glb")
    rig.write(path)
    return rig, path


def _imported(path: str) -> tuple:
    assert bpy.ops.sinew.import_gltf(filepath=path) == {"FINISHED"} and not gltf_import.lost
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature()]
    return meshes[0], meshes[0].find_armature()


def test_importing_restores_endpoints_and_settings() -> None:
    rig, path = _file()
    mesh, armature = _imported(path)
    skin = groups.read_skin(mesh, list(rig.bone_names))
    assert np.abs(skin.endpoints - rig.endpoints).max() < 1e-6
    bones = armature.data.bones
    assert filters.points_of(armature.data, bones["forearm.L"], "twist") == TWIST
    assert filters.points_of(armature.data, bones["thigh.L"], "stretch") == [
        (0.0, 0.0), (0.5, 0.25), (1.0, 1.0)]
    hand = bones["hand.L"].sinew
    assert (hand.share, hand.parent_share, hand.own_share) == ("OWN", 0.5, 0.25)
    found = read_bones(armature)
    order = [found.index[name] for name in rig.bone_names]
    assert np.abs(glb.to_gltf(found.tails)[order] - rig.bone_tails).max() < 1e-5
    live.set_mode([mesh], "NODES")
    pose_randomly(armature, 2)
    assert np.abs(evaluated(mesh) - by_core([mesh], armature)[0]).max() < 1e-5


def test_a_clip_plays_as_in_the_core() -> None:
    rig = sinew.sample("arm", vertices=600)
    path = os.path.join(bpy.app.tempdir, "arm.glb")
    rig.write(path)
    rig = sinew.read(path)
    mesh, armature = _imported(path)
    live.set_mode([mesh], "NODES")
    scene = bpy.context.scene
    armature.animation_data.action = next(
        track.strips[0].action for track in armature.animation_data.nla_tracks
        if track.name == rig.clip_names[0])
    deformer, fps = sinew.Deformer(rig, "stbs-dqs"), scene.render.fps / scene.render.fps_base
    # At keys of the file, between which Blender interpolates in its own way.
    times = sorted({float(t) for channel in rig.clip(0).channels for t in channel.times})
    worst = 0.0
    for time in times[::max(1, len(times) // 6)]:
        frame = time * fps
        scene.frame_set(int(frame), subframe=frame - int(frame))
        wanted = deformer.at(clip=0, time=time).positions
        worst = max(worst, float(np.abs(glb.to_gltf(evaluated(mesh)) - wanted).max()))
    print(f"    off by {worst:.1e}")
    assert worst < 1e-5


def test_exporting_keeps_them() -> None:
    rig, path = _file()
    mesh, armature = _imported(path)
    live.set_mode([mesh], "NODES")
    out = os.path.join(bpy.app.tempdir, "out.glb")
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    assert mesh.sinew.mode == "NODES" and "_SINEW_VERTEX" not in mesh.data.attributes
    document = glb.Document(out)
    names = {name for m in document.json["meshes"] for p in m["primitives"] for name in p["attributes"]}
    assert "_ENDPOINT_0" in names and not any("SINEW" in name for name in names), names
    again = sinew.read(out)
    # Exporters reorder: vertices are matched by their places.
    apart = [np.linalg.norm(rig.positions - p, axis=1) for p in again.positions]
    match = [int(distances.argmin()) for distances in apart]
    assert max(distances.min() for distances in apart) < 1e-5
    wanted, ends = rig.weight_matrix()[match], _endpoint_matrix(rig)[match]
    order = [again.bone_names.index(name) for name in rig.bone_names]
    assert np.abs(again.weight_matrix()[:, order] - wanted).max() < 1e-5
    found = _endpoint_matrix(again)[:, order]
    assert np.abs(found - ends)[wanted > 1e-6].max() < 1e-5
    assert np.array_equal(again.twist_filter("forearm.L"), TWIST)
    shares = document.json["skins"][0]["extras"]["sinew"]["twistShares"]
    joints = [document.json["nodes"][j]["name"] for j in document.json["skins"][0]["joints"]]
    assert shares[joints.index("hand.L")] == [0.5, 0.25] and shares.count(None) == len(shares) - 1
    tails = np.array(again.bone_tails)[order]
    assert np.abs(tails - rig.bone_tails).max() < 1e-5
    pose = {"joints": {"hand.L": {"twist": 120}, "shin.R": {"stretch": 1.4}}}
    there = sinew.Deformer(again, "stbs-lbs").at(pose).positions
    here = sinew.Deformer(rig, "stbs-lbs").at(pose).positions[match]
    print(f"    posed: off by {np.abs(there - here).max():.1e}")
    assert np.abs(there - here).max() < 2e-5


def _endpoint_matrix(rig, values=None) -> np.ndarray:
    result = np.zeros((rig.vertex_count, len(rig.bone_names)))
    rows = np.repeat(np.arange(rig.vertex_count), np.diff(rig.weight_offsets.astype(np.int64)))
    result[rows, rig.weight_bones] = rig.endpoints if values is None else values
    return result


def test_twist_endpoints_blend_shares_and_curve_weights_go_there_and_back() -> None:
    rig = sinew.sample("arm", vertices=600)
    rig.compute_weights(None, endpoints="heat", progress=False)
    shares = np.linspace(0, 1, rig.vertex_count) ** 2
    bones = len(rig.bone_names)
    rig.edit([{"twist-endpoints": "projection"}, {"blend-share": shares.tolist()},
              {"offset-curves": {"curves": [{"bones": list(rig.bone_names[:2])}]}}], progress=False)
    assert np.abs(rig.twist_endpoints - rig.endpoints).max() > 0.05
    path = os.path.join(bpy.app.tempdir, "arm.glb")
    rig.write(path)
    painted = np.stack([shares, 1 - shares, 0 * shares, 0 * shares], axis=1).astype(np.float32)
    document = glb.Document(path)
    attributes = document.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["_CURVE_WEIGHT_0"] = document.add(painted)
    document.write(path)
    mesh, armature = _imported(path)
    skin = groups.read_skin(mesh, list(rig.bone_names))
    assert np.abs(skin.endpoints - rig.endpoints).max() < 1e-6
    assert np.abs(skin.twists - rig.twist_endpoints).max() < 1e-6
    assert np.abs(groups.read_shares(mesh) - shares).max() < 1e-6
    assert mesh.sinew.method == "stbs-mixed"
    live.set_mode([mesh], "NODES")
    pose_randomly(armature, 3)
    assert np.abs(evaluated(mesh) - by_core([mesh], armature)[0]).max() < 1e-5
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    out = os.path.join(bpy.app.tempdir, "out.glb")
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    again = sinew.read(out)
    apart = np.linalg.norm(np.asarray(again.positions)[:, None] - rig.positions, axis=2)
    match = apart.argmin(axis=1)
    assert apart.min(axis=1).max() < 1e-5
    order = [again.bone_names.index(name) for name in rig.bone_names]
    assert len(order) == bones
    has_weight = rig.weight_matrix()[match] > 1e-6
    for name in ("endpoints", "twist_endpoints"):
        found = _endpoint_matrix(again, getattr(again, name))[:, order]
        wanted = _endpoint_matrix(rig, getattr(rig, name))[match]
        assert np.abs(found - wanted)[has_weight].max() < 1e-5, name
    written = glb.Document(out)
    attributes = written.json["meshes"][0]["primitives"][0]["attributes"]
    assert np.abs(written.array(attributes["_BLEND_SHARE"])[:, 0] - shares[match]).max() < 1e-6
    assert np.abs(written.array(attributes["_CURVE_WEIGHT_0"]) - painted[match]).max() < 1e-6
    # Not bent: joints of the file have the axes of Blender's bones.
    pose = {"joints": {"hand": {"twist": 120}, "forearm": {"twist": -80, "stretch": 1.3}}}
    there = sinew.Deformer(again).at(pose).positions
    here = sinew.Deformer(rig).at(pose).positions[match]
    print(f"    posed, by the mixed method: off by {np.abs(there - here).max():.1e}")
    assert np.abs(there - here).max() < 2e-5


MUSCLES = {"upper_arm.L": {"angle": {"joint": "forearm.L", "range": [0, 120], "gain": 0.4,
                                     "axis": [0.1, -0.9, 0.3]}, "side": [0.1, 0.2, 0.9],
                           "profile": [[0, 0], [0.4, 1], [1, 0.25]]},
           "thigh.R": {"stretch": 1.0}}


def test_muscles_go_there_and_back() -> None:
    rig = sinew.sample("mannequin", vertices=1000)
    rig.compute_weights(None, endpoints="heat", progress=False)
    rig.muscles = MUSCLES
    path, out = (os.path.join(bpy.app.tempdir, name) for name in ("strong.glb", "out.glb"))
    rig.write(path)
    mesh, armature = _imported(path)
    assert {"bulge_upper_arm.L", "bulge_thigh.R"} <= set(mesh.data.shape_keys.key_blocks.keys())
    live.set_mode([mesh], "NODES")
    # Blender's bones have other axes than the file's joints: poses are told by a turn of all.
    turn = {"forearm.L": (100.0, (0.2, -0.8, 0.1))}
    pose = {"joints": {name: {"bend": [angle, list(axis)]} for name, (angle, axis) in turn.items()}}
    pose["joints"]["thigh.R"] = {"stretch": 0.7}
    wanted = sinew.Deformer(rig, "stbs-dqs").at(pose).positions
    plain = rig.copy()
    plain.muscles = {}
    bulge = np.abs(sinew.Deformer(plain, "stbs-dqs").at(pose).positions - wanted).max()
    _pose_by(rig, pose, armature)
    off = np.abs(glb.to_gltf(evaluated(mesh)) - wanted).max()
    print(f"    in Blender: off by {off:.1e}, muscles move by {bulge:.3f}")
    assert off < 2e-5 and bulge > 0.01
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    keys = list(mesh.data.shape_keys.key_blocks.keys())
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    assert sorted(mesh.data.shape_keys.key_blocks.keys()) == sorted(keys), "and are back afterwards"
    again = sinew.read(out)
    assert not again.shape_names, "as muscles, and not as blend shapes, too"
    assert set(again.muscles) == set(MUSCLES)
    back = again.muscles["upper_arm.L"]
    assert np.allclose(back["side"], MUSCLES["upper_arm.L"]["side"], atol=1e-5)
    assert np.allclose(back["profile"], MUSCLES["upper_arm.L"]["profile"], atol=1e-6)
    apart = np.linalg.norm(np.asarray(again.positions)[:, None] - rig.positions, axis=2)
    match = apart.argmin(axis=1)
    there = sinew.Deformer(again, "stbs-dqs").at(_in_frames_of(again, rig, pose)).positions
    print(f"    in the file: off by {np.abs(there - wanted[match]).max():.1e}")
    assert np.abs(there - wanted[match]).max() < 2e-5


def _globals(rig, joints) -> dict:
    """Where joints are, by their names."""
    locals_, parents = bake._matrices(np.array(joints)), list(rig.joint_parents)

    def place(joint: int) -> np.ndarray:
        above = np.eye(4) if parents[joint] < 0 else place(parents[joint])
        return above @ locals_[joint]

    return {name: place(joint) for joint, name in enumerate(rig.joint_names)}


def _pose_by(rig, pose, armature) -> None:
    """Puts the bones of an armature where a pose has the joints of a rig."""
    told = sinew.Pose(rig, follow=False)
    told.set(pose)
    posed, rests = _globals(rig, told.joints), _globals(rig, rig.joint_rests)
    turn = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])
    for bone in armature.data.bones:
        if bone.name in posed:
            moved = turn @ posed[bone.name] @ np.linalg.inv(rests[bone.name]) @ np.linalg.inv(turn)
            place = moved @ np.array(bone.matrix_local)
            armature.pose.bones[bone.name].matrix = Matrix(place.tolist())
            bpy.context.view_layer.update()


def _in_frames_of(rig, other, pose) -> dict:
    """A pose of another rig, whose joints have other axes: bends by axes in the mesh's space."""
    places, others = _globals(rig, rig.joint_rests), _globals(other, other.joint_rests)
    result = {**pose, "joints": {}}
    for name, told in pose["joints"].items():
        told = dict(told)
        if "bend" in told:
            angle, axis = told["bend"]
            axis = np.eye(3)["xyz".index(axis)] if isinstance(axis, str) else np.array(axis)
            axis = places[name][:3, :3].T @ others[name][:3, :3] @ axis
            told["bend"] = [angle, axis.tolist()]
        result["joints"][name] = told
    return result


def test_correctives_go_there_and_back() -> None:
    rig = sinew.sample("arm", vertices=500)
    rig.compute_weights(None, endpoints="heat", progress=False)
    examples = []
    for number, pose in enumerate(({"forearm": {"bend": [80, [0, 1, 0.2]]}},
                                   {"forearm": {"bend": [30, "y"], "twist": 50}})):
        points = np.array(sinew.Deformer(rig, "dqs").at({"joints": pose}).positions)
        examples.append(({"joints": pose}, points + (0, 0.01, 0), f"sculpted {number}"))
    rig = rig.correct(examples, method="stbs-lbs", progress=False).rig
    path, out = (os.path.join(bpy.app.tempdir, name) for name in ("corrected.glb", "out.glb"))
    rig.write(path)
    mesh, armature = _imported(path)
    mesh.sinew.method = "stbs-lbs"
    live.set_mode([mesh], "NODES")
    between = {"joints": {"forearm": {"bend": [60, [0, 1, 0.1]], "twist": 20}}}
    for pose in (examples[0][0], examples[1][0], between):
        _pose_by(rig, pose, armature)
        off = np.abs(glb.to_gltf(evaluated(mesh)) - sinew.Deformer(rig, "stbs-lbs").at(pose).positions)
        print(f"    in Blender: off by {off.max():.1e}")
        assert off.max() < 1e-4
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    again = sinew.read(out)
    assert again.corrective_count == rig.corrective_count == 2
    apart = np.linalg.norm(np.asarray(again.positions)[:, None] - rig.positions, axis=2)
    match = apart.argmin(axis=1)
    for pose in (examples[0][0], examples[1][0], between):
        wanted = sinew.Deformer(rig, "stbs-lbs").at(pose).positions[match]
        there = sinew.Deformer(again, "stbs-lbs").at(_in_frames_of(again, rig, pose)).positions
        print(f"    in the file: off by {np.abs(there - wanted).max():.1e}")
        assert np.abs(there - wanted).max() < 1e-4


def test_what_blender_has_nothing_for_is_kept() -> None:
    rig, path = _file()
    line = {"interpolation": "linear", "times": [0, 90], "values": [0, 30]}
    rig.add_shape("smile", np.full((rig.vertex_count, 3), 0.01))
    rig.edit([{"drivers": {
        "controls": [{"name": "breath", "default": 0}],
        "drivers": [
            {"joint": "hand.L", "follow": {"property": "rotation", "axis": [0.3, 0.8, 0.1],
                                           "angle": {"joint": "shin.R", "axis": [1, 0.5, 0]},
                                           "curve": line}},
            {"joint": "foot.L", "share": {"source": "foot.R", "share": 0.5}},
            {"joint": "head", "follow": {"property": "translation", "axis": [0.1, 0.002, -0.003],
                                         "control": "breath", "curve": line}},
            {"joint": "neck", "follow": {"property": "scale", "axis": [1, 0.5, 0.25],
                                         "control": "breath", "curve": {
                                             **line, "times": [0, 0.1], "values": [1, 1.5]}}},
            {"shape": "smile", "follow": {"control": "breath", "curve": {**line, "times": [0, 1]}}}]}},
        {"limits": {"limits": {"shin.R": {"hinge": [0.9, 0.1, 0], "range": [0, 150]},
                               "upper_arm.R": {"cone": 60, "twist": [-20, 30], "axis": [0.1, 1, 0]},
                               "forearm.R": {"x": [-30, 40], "z": [-5, 90]}}}}], progress=False)
    rig.write(path)
    document = glb.Document(path)
    document.json["animations"][0].setdefault("extras", {})["sinew"] = {
        "version": 1, "controls": [{"control": 0, "curve": {
            "interpolation": "linear", "times": [0, 1], "values": [0, 1]}}]}
    moved = document.json["animations"][0]["name"]
    parts = document.json["meshes"][0]["primitives"]
    parts[0].setdefault("extras", {})["sinew"] = {"version": 1, "name": "left sleeve"}
    document.write(path)
    rig = sinew.read(path)
    mesh, armature = _imported(path)
    out = os.path.join(bpy.app.tempdir, "out.glb")
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    written, again = glb.Document(out), sinew.read(out)
    assert len(parts) == len(written.json["meshes"][0]["primitives"])
    assert written.json["meshes"][0]["primitives"][0]["extras"]["sinew"]["name"] == "left sleeve"
    animation = next(a for a in written.json["animations"] if a.get("name") == moved)
    assert animation["extras"]["sinew"]["controls"][0]["curve"]["values"] == [0, 1]
    assert again.drivers["controls"] == rig.drivers["controls"]
    assert len(again.drivers["drivers"]) == len(rig.drivers["drivers"]) == 5
    # Both rigs do the same: one pose, told in the frames of each.
    apart = np.linalg.norm(np.asarray(again.positions)[:, None] - rig.positions, axis=2)
    match = apart.argmin(axis=1)
    for pose in ({"joints": {"shin.R": {"bend": [70, [0.9, 0.2, 0.1]]}}},
                 {"joints": {"foot.R": {"bend": [40, [0.2, 0.2, 1]]}}},
                 {"joints": {}, "controls": {"breath": 0.03}}):
        wanted = sinew.Deformer(rig, "stbs-lbs").at(pose).positions
        there = sinew.Deformer(again, "stbs-lbs").at(_in_frames_of(again, rig, pose)).positions
        moved_by = np.abs(wanted - sinew.Deformer(rig, "stbs-lbs").at({"joints": {}}).positions).max()
        off = np.abs(there - wanted[match]).max()
        print(f"    driven: off by {off:.1e} of {moved_by:.2f}")
        assert off < 5e-5 < 0.01 < moved_by
    wanted, found = _limits(path, rig), _limits(out, again)
    assert wanted.keys() == found.keys() == {"shin.R", "upper_arm.R", "forearm.R"}
    for joint, (numbers, ends) in wanted.items():
        assert found[joint][0] == numbers and np.abs(found[joint][1] - ends).max() < 1e-4, joint


def _limits(path: str, rig) -> dict:
    """Limits of a file in the mesh's space: what is no axis, and the ends of ranges along axes."""
    document, places, result = glb.Document(path), _globals(rig, rig.joint_rests), {}
    for entry in document.json["extras"]["sinew"]["limits"]:
        limit, name = entry["limit"], document.json["nodes"][entry["joint"]]["name"]
        turn = places[name][:3, :3]
        ends = [turn @ np.eye(3)["xyz".index(k)] * end for k in "xyz" if k in limit
                for end in limit[k]]
        ends += [turn @ np.array(limit[k]) for k in ("hinge", "axis") if k in limit]
        order = np.lexsort(np.round(ends, 2).T)
        result[name] = ({k: v for k, v in limit.items() if k in ("range", "cone", "twist")},
                        np.array(ends)[order])
    return result


def test_a_plain_character_gets_endpoint_weights_on_its_way_out() -> None:
    mesh, armature, rig = from_sample("arm", 500)
    out = os.path.join(bpy.app.tempdir, "plain.glb")
    armature.location = (1, 2, 3)
    mesh.location = (0.2, 0, 0)
    # Joints are written as at rest, from which the angles of muscles, limits and drivers count.
    for bone in armature.pose.bones:
        bone.rotation_mode, bone.rotation_euler = "XYZ", (0.5, 0.6, 0.7)
    bpy.context.view_layer.update()
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    again = sinew.read(out)
    places = _globals(again, again.joint_rests)
    wanted = {bone.name: armature.matrix_world @ bone.head_local for bone in armature.data.bones}
    off = max(np.abs(glb.to_blender(places[name][:3, 3]) - place).max()
              for name, place in wanted.items())
    print(f"    joints at rest: off by {off:.1e}")
    assert off < 1e-5
    assert again.endpoints is not None and again.endpoints.max() > 0.9
    lengths = np.linalg.norm(rig.bone_tails - rig.bone_heads, axis=1)
    order = [again.bone_names.index(name) for name in rig.bone_names]
    found = np.linalg.norm(again.bone_tails - again.bone_heads, axis=1)[order]
    assert np.abs(found - lengths).max() < 1e-5
