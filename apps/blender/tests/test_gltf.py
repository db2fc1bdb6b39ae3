# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of Sinew through Blender and back."""

import json
import os

import bpy
import numpy as np
from character import by_core, evaluated, from_sample, pose_randomly
from sinew_blender import filters, glb, groups, live, sinew
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
    assert bpy.ops.sinew.import_gltf(filepath=path) == {"FINISHED"}
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


def test_what_blender_has_nothing_for_is_kept() -> None:
    _, path = _file()
    document = glb.Document(path)
    nodes = [node.get("name") for node in document.json["nodes"]]
    document.json.setdefault("extras", {})["sinew"] = {
        "version": 1, "controls": [{"name": "breath", "default": 0}],
        "drivers": [{"joint": nodes.index("hand.L"),
                     "share": {"source": nodes.index("forearm.L"), "share": 0.5}}]}
    document.write(path)
    _, armature = _imported(path)
    out = os.path.join(bpy.app.tempdir, "out.glb")
    bpy.ops.sinew.export_gltf(filepath=out)
    written = glb.Document(out)
    extras, nodes = written.json["extras"]["sinew"], [n.get("name") for n in written.json["nodes"]]
    assert extras["controls"][0]["name"] == "breath", json.dumps(extras)
    assert nodes[extras["drivers"][0]["joint"]] == "hand.L"
    assert nodes[extras["drivers"][0]["share"]["source"]] == "forearm.L"


def test_a_plain_character_gets_endpoint_weights_on_its_way_out() -> None:
    mesh, armature, rig = from_sample("arm", 500)
    out = os.path.join(bpy.app.tempdir, "plain.glb")
    armature.location = (1, 2, 3)
    mesh.location = (0.2, 0, 0)
    bpy.context.view_layer.update()
    assert bpy.ops.sinew.export_gltf(filepath=out) == {"FINISHED"}
    again = sinew.read(out)
    assert again.endpoints is not None and again.endpoints.max() > 0.9
    lengths = np.linalg.norm(rig.bone_tails - rig.bone_heads, axis=1)
    order = [again.bone_names.index(name) for name in rig.bone_names]
    found = np.linalg.norm(again.bone_tails - again.bone_heads, axis=1)[order]
    assert np.abs(found - lengths).max() < 1e-5
