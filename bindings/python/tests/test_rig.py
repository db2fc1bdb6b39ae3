# SPDX-License-Identifier: Apache-2.0
"""Rigs: files, building, weights, edits, clips, bakes, measures, pictures."""

from __future__ import annotations

import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sinew


def quad() -> sinew.Rig:
    rig = sinew.Rig("quad")
    rig.set_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    return rig


def test_files_of_every_kind_come_back(arm: sinew.Rig, tmp_path: Path) -> None:
    for extension in ("glb", "gltf", "obj", "off", "ply"):
        path = tmp_path / f"ärm.{extension}"
        arm.write(path)
        again = sinew.read(path)
        assert again.vertex_count == arm.vertex_count
        assert np.allclose(again.positions, arm.positions, atol=1e-5)
    arm.write(str(tmp_path / "arm.tgf"))
    assert len(sinew.read(tmp_path / "arm.tgf").bone_names) == len(arm.bone_names)


def test_a_rig_in_memory_is_the_rig_in_the_file(arm: sinew.Rig, tmp_path: Path) -> None:
    arm.write(tmp_path / "arm.glb")
    data = arm.to_bytes("glb")
    assert data == (tmp_path / "arm.glb").read_bytes()
    for form in (data, bytearray(data), memoryview(data)):
        assert np.array_equal(sinew.read(form, format="glb").triangles, arm.triangles)


def test_files_that_are_not_there_or_wrong_say_so(tmp_path: Path) -> None:
    with pytest.raises(sinew.FileError, match="missing.glb") as caught:
        sinew.read(tmp_path / "missing.glb")
    assert isinstance(caught.value, OSError)
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv zero 0 0\n")
    with pytest.raises(sinew.InputError, match="bad.obj.*2"):
        sinew.read(tmp_path / "bad.obj")
    with pytest.raises(sinew.Error):
        sinew.read(b"", format="glb")
    with pytest.raises(sinew.UsageError, match="bytes need a format"):
        sinew.read(b"glTF")
    with pytest.raises(sinew.UsageError, match="has its extension"):
        sinew.read("hero.glb", format="glb")
    with pytest.raises(sinew.UsageError, match="zero byte"):
        sinew.read("hero\0.glb")
    with pytest.raises(TypeError):
        sinew.read(3)  # type: ignore[arg-type]
    with pytest.raises(sinew.Error):
        quad().write(tmp_path / "quad.docx")
    with pytest.raises(sinew.FileError):
        quad().write(tmp_path / "no folder" / "quad.glb")


def test_samples_are_what_the_list_says() -> None:
    assert "mannequin" in sinew.samples()
    with pytest.raises(sinew.UsageError, match="mannequin"):
        sinew.sample("manequin")


def test_faces_may_have_any_number_of_corners() -> None:
    rig = sinew.Rig()
    points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]]
    rig.set_mesh(points, [[0, 1, 2, 3], [1, 4, 2]])
    assert rig.polygon_offsets is not None and rig.polygon_offsets.tolist() == [0, 4, 7]
    assert len(rig.triangles) == 3
    rig.set_mesh(points[:4], np.array([[0, 1, 2, 3]], np.uint8))
    assert len(rig.triangles) == 2
    with pytest.raises(sinew.InputError):
        rig.set_mesh(points, [[0, 1, 9]])
    with pytest.raises(sinew.UsageError):
        rig.set_mesh(points, [[0, 1]])


def test_a_mesh_of_another_library_becomes_a_rig() -> None:
    vertices, faces = sinew.sample("box", vertices=100).mesh
    others: list[Any] = [SimpleNamespace(vertices=vertices, faces=faces),
                         SimpleNamespace(vertices=vertices, triangles=faces), (vertices, faces),
                         sinew.Mesh(vertices, faces)]
    for other in others:
        rig = sinew.from_mesh(other, name="box")
        assert np.array_equal(rig.positions, vertices) and rig.name == "box"
    with pytest.raises(TypeError, match="no vertices and faces"):
        sinew.from_mesh(3)


def test_bones_with_given_tails_hang_together(arm: sinew.Rig) -> None:
    rig = sinew.Rig("again")
    rig.set_mesh(*arm.mesh)
    rig.set_skeleton(arm.joint_parents, arm.joint_rests, names=arm.joint_names,
                     bone_joints=arm.bone_joints, bone_tails=arm.bone_tails)
    rig.set_weights(arm.weights, arm.weight_bones, arm.weight_offsets)
    links = rig.bone_links()
    assert links == arm.bone_links()
    forearm = links[arm.bone_names.index("forearm")]
    assert forearm["next"] == forearm["tail_carrier"] == arm.bone_names.index("hand")
    assert forearm["next_share"] == 1 and forearm["end"] == -1


def test_muscles_are_set_and_drive_poses(arm: sinew.Rig) -> None:
    rig = arm.copy()
    assert rig.muscles == {}
    muscle = {"stretch": 1.0, "angle": {"joint": "forearm", "range": [0.0, 90.0], "gain": 0.5}}
    rig.muscles = {"upper_arm": muscle}
    assert rig.muscles == {"upper_arm": muscle}
    pose = sinew.Pose(rig)
    upper = rig.bone_names.index("upper_arm")
    assert pose.bone_bulges.shape == (len(rig.bone_names),) and abs(pose.bone_bulges[upper]) < 1e-12
    pose.set({"joints": {"forearm": {"bend": [45, [0, -1, 0]]}}})
    assert abs(pose.bone_bulges[upper] - 0.25) < 1e-6
    with pytest.raises(sinew.Error, match="wing"):
        rig.muscles = {"wing": {"stretch": 1}}
    rig.edit([{"muscle": "upper_arm=none"}, {"muscle": "forearm", "by-stretch": "0.5"}])
    assert rig.muscles == {"forearm": {"stretch": 0.5}}


def test_skeletons_from_joints_and_from_segments() -> None:
    rig = quad()
    rig.set_skeleton([-1, 0], [[0, 0, 0], [0, 1, 0]], names=["hip", "knee"])
    assert rig.joint_names == ("hip", "knee") and rig.joint_parents.tolist() == [-1, 0]
    rig.set_skeleton([-1, 0], [[0, 0, 0], [0, 1, 0]], bone_joints=[0], bone_tails=[[0, 2, 0]],
                     bone_inverse_binds=np.eye(4)[None])
    assert rig.bone_tails.tolist() == [[0, 2, 0]]
    assert rig.bone_tail_joints.tolist() == [-1]
    assert np.array_equal(rig.bone_inverse_binds, np.eye(4)[None])
    rig.set_skeleton(points=[[0, 0, 0], [0, 1, 0]], segments=[[0, 1]], names=["a", "b"])
    assert rig.bone_heads.tolist() == [[0, 0, 0]] and rig.bone_tails.tolist() == [[0, 1, 0]]
    with pytest.raises(sinew.UsageError, match="names: 1 for 2 joints"):
        rig.set_skeleton([-1, 0], [[0, 0, 0], [0, 1, 0]], names=["hip"])
    with pytest.raises(sinew.Error):
        rig.set_skeleton([1, 0], [[0, 0, 0], [0, 1, 0]])
    with pytest.raises(sinew.UsageError):
        rig.set_skeleton()


def test_weights_are_taken_in_three_forms_and_sparse() -> None:
    rig = quad()
    rig.set_skeleton([-1, 0], [[0, 0, 0], [0, 1, 0]])
    matrix = np.array([[1, 0], [0.75, 0.25], [0.5, 0.5], [0, 1]])
    bones, offsets, data = [0, 0, 1, 0, 1, 1], [0, 1, 3, 5, 6], [1, 0.75, 0.25, 0.5, 0.5, 1]
    csr = SimpleNamespace(data=np.array(data), indices=np.array(bones), indptr=np.array(offsets))
    sparse = SimpleNamespace(tocsr=lambda: csr)
    rig.set_weights(matrix)
    assert np.array_equal(rig.weight_matrix(), matrix)
    assert rig.weight_offsets.tolist() == offsets and rig.weight_bones.tolist() == bones
    rig.set_weights(matrix, np.tile([0, 1], (4, 1)), endpoints=np.full((4, 2), 0.5))
    assert np.array_equal(rig.weight_matrix(), matrix)
    assert rig.endpoints is not None and rig.endpoints.tolist() == [0.5] * 6
    rig.set_weights(data, bones, offsets)
    assert np.array_equal(rig.weight_matrix(), matrix) and rig.endpoints is None
    rig.set_weights(sparse)
    assert np.array_equal(rig.weight_matrix(), matrix)
    with pytest.raises(sinew.UsageError, match="sparse"):
        rig.set_weights(sparse, bones)
    for bad in (matrix[:3], matrix[:, :1], -matrix, matrix * np.nan):
        with pytest.raises(sinew.Error):
            rig.set_weights(bad)
    assert np.array_equal(rig.weight_matrix(), matrix)


def test_computing_weights_reports_and_keeps_other_arrays(arm: sinew.Rig) -> None:
    before = arm.weights
    expected = before.copy()
    report = arm.compute_weights("voxel", endpoints="projection", influences=2, voxels=32)
    assert isinstance(report, dict) and report["poor"] in (True, False)
    assert np.array_equal(before, expected)
    assert np.diff(arm.weight_offsets.astype(int)).max() <= 2
    assert arm.weight_report().keys()
    with pytest.raises(sinew.UsageError, match="voxel"):
        arm.compute_weights("voxle")
    with pytest.raises(sinew.UsageError):
        arm.compute_weights("rigid", voxels=32)
    with pytest.raises(sinew.Error):
        quad().compute_weights("rigid")


def test_edits_are_made_in_order_and_reported(arm: sinew.Rig) -> None:
    assert "smooth" in sinew.edit_steps() and sinew.edit_steps()["prune"].argument
    assert arm.edit([{"smooth": 1}, {"prune": 1}])
    assert np.diff(arm.weight_offsets.astype(int)).max() == 1
    with pytest.raises(sinew.Error, match="smoth"):
        arm.edit([{"smoth": 1}])
    with pytest.raises(sinew.Error):
        arm.edit("[")


def test_clips_are_read_as_they_were_added(arm: sinew.Rig) -> None:
    count = len(arm.clip_names)
    joint = arm.joint_names[-1]
    arm.add_shape("bulge", np.ones((arm.vertex_count, 3)), default=0.5)
    arm.add_control("mood")
    arm.add_clip("nod", [
        sinew.Channel("rotation", joint, [0, 1], [[0, 0, 0, 1], [0, 0.6, 0, 0.8]]),
        sinew.Channel("translation", 0, np.array([0, 2], "f4"), np.zeros((2, 3)), "step"),
        sinew.Channel("control", "mood", [0, 0.5], [0, 1], "hermite", [0, 0], [1, 1]),
        sinew.Channel("shapes", "bulge", [0, 1], [[0], [1]]),
    ])
    clip = arm.clip("nod")
    assert clip.duration == 2 and arm.clips[count].name == "nod"
    turn, move, mood, bulge = clip.channels
    assert turn.target == "rotation" and turn.index == len(arm.joint_names) - 1
    assert np.allclose(turn.values, [[0, 0, 0, 1], [0, 0.6, 0, 0.8]])
    assert move.interpolation == "step" and np.array_equal(move.times, [0, 2])
    assert mood.target == "control" and np.array_equal(mood.out_slopes, [1, 1])
    assert bulge.target == "shapes"
    assert arm.shape("bulge").default == 0.5 and arm.shape(0).name == "bulge"
    arm.remove_clip("nod")
    assert len(arm.clip_names) == count
    for channel in (sinew.Channel("turn", 0, [0], [[0, 0, 0, 1]]),
                    sinew.Channel("rotation", "nobody", [0], [[0, 0, 0, 1]]),
                    sinew.Channel("rotation", 0, [0], [[0, 0, 1]]),
                    sinew.Channel("rotation", 0, [0], [[0, 0, 0, 1]], "cubic"),
                    sinew.Channel("scale", 0, [1, 0], [[1, 1, 1], [1, 1, 1]])):
        with pytest.raises(sinew.Error):
            arm.add_clip("bad", [channel])
    with pytest.raises(sinew.UsageError, match="there is no clip 'nod'"):
        arm.remove_clip("nod")
    with pytest.raises(sinew.UsageError, match="there is no clip 99"):
        arm.clip(99)
    with pytest.raises(TypeError):
        arm.clip(0.5)  # type: ignore[arg-type]
    assert arm.clip(np.int64(0)).name == arm.clip_names[0]


def test_keys_make_a_clip(arm: sinew.Rig) -> None:
    joint = arm.joint_names[1]
    arm.add_keys({"name": "wring", "keys": [
        {"time": 0, "pose": {"joints": {}}},
        {"time": np.float32(1.5), "pose": {"joints": {joint: {"twist": np.array(60)}}}}]})
    assert arm.clip("wring").duration == 1.5
    with pytest.raises(sinew.Error):
        arm.add_keys({"name": "bad"})
    with pytest.raises(TypeError, match="cannot be part of JSON"):
        arm.add_keys({"name": object()})


def test_shapes_that_do_not_fit_are_refused(arm: sinew.Rig) -> None:
    with pytest.raises(sinew.UsageError):
        arm.add_shape("bad", np.zeros((3, 3)))
    with pytest.raises(sinew.UsageError, match="there is no shape"):
        arm.shape("bad")
    with pytest.raises(TypeError, match="string"):
        arm.add_control(3)  # type: ignore[arg-type]


def test_copies_are_changed_on_their_own(arm: sinew.Rig) -> None:
    for other in (arm.copy(), copy.copy(arm), copy.deepcopy(arm)):
        other.add_control("mood")
        assert other.control_names == ("mood",) and arm.control_names == ()


def test_correctives_show_their_example_in_its_pose(arm: sinew.Rig) -> None:
    bent = {"joints": {"forearm": {"bend": [90, "y"]}}}
    wanted = np.array(sinew.Deformer(arm, "dqs").at(bent).positions, dtype=float)
    made = arm.correct([(bent, wanted, "elbow")], method="lbs")
    assert made.rig.shape_names[-1] == "elbow" and made.report["poor"] is False
    assert made.rig.corrective_count == 1 and made.rig.shape_driver_count == 0
    assert made.rig.drivers["poseSpaces"][0]["joints"] == ["forearm"]
    size = np.linalg.norm(np.ptp(arm.positions, axis=0))
    shown = sinew.Deformer(made.rig, "lbs").at(bent).positions
    assert np.abs(shown - wanted).max() < 1e-4 * size
    assert np.abs(sinew.Deformer(arm, "lbs").at(bent).positions - wanted).max() > 1e-3 * size
    pose = sinew.Pose(made.rig)
    assert pose.shapes[-1] == 0
    pose.set(bent)
    assert pose.shapes[-1] == pytest.approx(1)
    with pytest.raises(sinew.UsageError, match="vertices"):
        arm.correct([(bent, wanted[1:])])
    with pytest.raises(sinew.InputError, match="turns no joint"):
        arm.correct([({"joints": {}}, wanted)])
    with pytest.raises(sinew.UsageError, match="nobody"):
        arm.correct([(bent, wanted)], joints=["nobody"])


def test_baking_gives_rigs_reports_and_caches(arm: sinew.Rig) -> None:
    clip = arm.clip_names[0]
    baked = arm.bake(segments=2, live="table")
    assert len(baked.rig.joint_names) > len(arm.joint_names)
    assert isinstance(baked.report, dict) and isinstance(baked.table, dict)
    shapes = arm.bake_shapes(clip, max_error_percent=5, frames_per_second=4)
    assert len(shapes.rig.shape_names) > 0 and shapes.table is None
    cache = arm.bake_cache(clip, frames_per_second=4)
    assert cache.startswith(b"POINTCACHE2")
    assert arm.bake_cache(clip, frames_per_second=4, format="mdd") != cache
    assert arm.bake_cache("bend_twist_stretch", squash=True) != arm.bake_cache("bend_twist_stretch")
    with pytest.raises(sinew.UsageError, match="thinner"):
        arm.bake(live="table", squash=True)
    with pytest.raises(sinew.Error):
        arm.bake(joints=["nobody"])
    with pytest.raises(sinew.Error):
        arm.bake_cache(clip, format="abc")
    with pytest.raises(sinew.UsageError, match="there is no clip"):
        arm.bake_shapes("nobody")


def test_measures_are_a_dict(arm: sinew.Rig) -> None:
    report = arm.measure(clip=0, time=0.5, methods=["lbs", "stbs-dqs"])
    assert isinstance(report, dict) and "stbs-dqs" in str(report)
    with pytest.raises(sinew.UsageError):
        arm.measure(methods="nonsense")
    with pytest.raises(sinew.UsageError, match="give one of them"):
        arm.measure(sinew.Pose(arm), clip=0)


def test_pictures_show_themselves(arm: sinew.Rig) -> None:
    image = arm.render(clip=0, time=0.5, width=80, height=60, skeleton=True, colors="bones")
    assert (image.width, image.height) == (80, 60)
    assert image._repr_png_().startswith(b"\x89PNG")
    assert (arm._repr_png_() or b"").startswith(b"\x89PNG")
    assert sinew.Rig()._repr_png_() is None
    assert len(np.unique(image.pixels.reshape(-1, 4), axis=0)) > 10
    bound = arm.render(width=80, height=60, view="front", colors="weights", bone=0, ground=False)
    assert not np.array_equal(bound.pixels, image.pixels)
    for bad in ({"view": "nowhere"}, {"color": "nothing"}, {"width": -3}, {"method": "nothing"}):
        with pytest.raises(sinew.UsageError):
            arm.render(**bad)  # type: ignore[arg-type]
