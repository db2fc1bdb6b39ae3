# SPDX-License-Identifier: Apache-2.0
"""Poses, inverse kinematics and deforming."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sinew


def test_a_pose_is_set_by_joints_dict_text_and_file(arm: sinew.Rig, tmp_path: Path) -> None:
    pose = sinew.Pose(arm)
    rest = pose.joints
    assert np.allclose(rest, arm.joint_rests)
    wanted = {"joints": {arm.joint_names[1]: {"rotation": np.array([0, 0, 0.6, 0.8])}}}
    pose.set(wanted)
    turned = pose.joints
    assert np.allclose(turned[1, 3:7], [0, 0, 0.6, 0.8])
    text = json.dumps(pose.to_dict())
    (tmp_path / "pose.json").write_text(text)
    for form in (text, tmp_path / "pose.json", pose.to_dict()):
        pose.rest()
        assert np.allclose(pose.joints, rest)
        pose.set(form)
        assert np.allclose(pose.joints, turned)
    pose.joints = rest
    pose.set_joint(arm.joint_names[1], rotation=[0, 0, 0.6, 0.8])
    assert np.allclose(pose.joints, turned)
    pose.set_joint(1, translation=[1, 2, 3], scale=[2, 2, 2])
    assert np.allclose(pose.joints[1], [1, 2, 3, 0, 0, 0.6, 0.8, 2, 2, 2])


def test_frames_carry_the_skin_of_a_rigid_bone(arm: sinew.Rig) -> None:
    pose = sinew.Pose(arm)
    pose.set({"joints": {arm.joint_names[1]: {"bend": [50, "x"]}}})
    ones = np.ones((len(arm.bone_heads), 1))
    heads = np.einsum("bij,bj->bi", pose.bone_frames, np.hstack([arm.bone_heads, ones]))
    assert np.allclose(heads[:, :3], pose.bone_heads)
    assert pose.joint_frames.shape == (len(arm.joint_names), 4, 4)
    assert np.allclose(np.linalg.norm(pose.bone_rotations, axis=1), 1)
    assert pose.bone_tails.shape == pose.bone_heads.shape
    assert pose.bone_twists.shape == (len(ones), 2)


def test_arrays_of_a_pose_are_copies(arm: sinew.Rig) -> None:
    pose = sinew.Pose(arm)
    before = pose.bone_tails
    expected = before.copy()
    pose.set({"joints": {arm.joint_names[0]: {"bend": [50, "x"]}}})
    assert np.array_equal(before, expected) and not np.allclose(pose.bone_tails, expected)


def test_shapes_and_controls_of_a_pose(arm: sinew.Rig) -> None:
    arm.add_shape("bulge", np.ones((arm.vertex_count, 3)), default=0.5)
    arm.add_control("mood", 0.25)
    pose = sinew.Pose(arm)
    assert pose.shapes.tolist() == [0.5] and pose.controls.tolist() == [0.25]
    pose.shapes = [2]
    pose.controls = np.array([1], "f4")
    assert pose.shapes.tolist() == [2] and pose.controls.tolist() == [1]
    moved = sinew.Deformer(arm, "lbs").deform(pose)
    assert np.allclose(moved, sinew.Deformer(arm, "lbs").at(clip=None).positions + 1.5, atol=1e-5)


def test_poses_that_make_no_sense_are_refused(arm: sinew.Rig) -> None:
    pose = sinew.Pose(arm)
    before = pose.joints
    bad: list[Any] = [{"joints": {"nobody": {}}}, "{", "[]", {"joints": 3}]
    for form in bad:
        with pytest.raises(sinew.Error):
            pose.set(form)
    with pytest.raises(sinew.UsageError, match="there is no clip 'nothing'"):
        pose.play("nothing", 0)
    with pytest.raises(sinew.UsageError, match="there is no joint 'nobody'"):
        pose.set_joint("nobody", rotation=[0, 0, 0, 1])
    with pytest.raises(sinew.UsageError, match="shape"):
        pose.joints = np.zeros((2, 9))
    with pytest.raises(sinew.Error):
        pose.joints = np.zeros((1, 10))
    with pytest.raises(sinew.Error):
        pose.joints = before * np.nan
    with pytest.raises(sinew.Error):
        pose.shapes = [1, 2, 3]
    for short in ([0, 1], 1.0):
        with pytest.raises(sinew.UsageError, match=r"rotation: .* not \(4,\)"):
            pose.set_joint(0, rotation=short)
    with pytest.raises(FileNotFoundError):
        pose.set(Path("missing.json"))
    assert np.array_equal(pose.joints, before)


def test_a_hand_goes_where_it_is_dragged() -> None:
    rig = sinew.sample("mannequin", vertices=500)
    pose, ik = sinew.Pose(rig), sinew.Ik(rig, ["hand.L", sinew.IkHandle("foot.L")])
    bone = rig.bone_names.index("hand.L")
    goal = pose.bone_heads[bone] + [-0.1, 0.1, 0.1]
    distances = ik.solve(pose, {"hand.L": goal})
    assert distances.shape == (2,) and distances.max() < 1e-6
    assert np.allclose(pose.bone_heads[bone], goal, atol=1e-6)
    far = sinew.Ik(rig, [sinew.IkHandle("hand.L", lengths="beyond-reach")],
                   limits=[sinew.IkLimit("forearm.L", "hinge", [-1, 0, 0], [3, 0, 0], [1, 0, 0])],
                   softness=0.1)
    assert far.solve(pose, {"hand.L": sinew.IkGoal(position=goal, pole=[0, 0, 5])}).shape == (1,)
    with pytest.raises(sinew.UsageError, match="there is no handle"):
        ik.solve(pose, {"hand.R": goal})
    with pytest.raises(sinew.UsageError, match="kind of lengths"):
        sinew.Ik(rig, [sinew.IkHandle("hand.L", lengths="long")])
    with pytest.raises(sinew.UsageError, match="there is no joint"):
        sinew.Ik(rig, ["tentacle"])
    with pytest.raises(sinew.UsageError, match="position"):
        ik.solve(pose, {"hand.L": [1, 2]})


@pytest.mark.parametrize("method", list(sinew.methods()))
def test_every_method_deforms_as_its_reference(arm: sinew.Rig, method: str) -> None:
    size = np.ptp(arm.positions, axis=0).max()
    fast = sinew.Deformer(arm, method).at(clip=0, time=1, normals=True)
    slow = sinew.Deformer(arm, method, reference=True).at(clip=0, time=1)
    assert fast.normals is not None
    assert np.abs(fast.positions - slow.positions).max() < 1e-4 * size
    assert np.abs(fast.positions - arm.positions).max() > 0.01 * size


def test_at_rest_nothing_moves(arm: sinew.Rig) -> None:
    posed = sinew.Deformer(arm).at()
    assert np.abs(posed.positions - arm.positions).max() < 1e-5
    assert posed.mesh.vertices is posed.vertices and posed.mesh.faces is posed.faces


@pytest.mark.parametrize("method", ["lbs", "stbs-dqs"])
def test_results_go_into_the_callers_memory(arm: sinew.Rig, method: str) -> None:
    count = arm.vertex_count
    deformer, pose = sinew.Deformer(arm, method), sinew.Pose(arm)
    pose.play(0, 0.5)
    expected, normals = np.empty((count, 3), "f4"), np.empty((count, 3), "f4")
    assert deformer.deform(pose, out=expected, normals=normals) is expected
    buffer = np.full(count, 7, [("at", "f4", 3), ("color", "u4"), ("normal", "f4", 3)])
    deformer.deform(pose, out=buffer["at"], normals=buffer["normal"])
    assert np.array_equal(buffer["at"], expected) and np.array_equal(buffer["normal"], normals)
    assert (buffer["color"] == 7).all()
    packed = np.zeros(count, [("tag", "u1"), ("at", "f4", 3)])
    others = [np.empty((count, 3)), np.empty((3, count), "f4").T, np.empty((count, 3), ">f4"),
              np.empty((count, 3), "f4")[::-1], packed["at"], np.empty((count, 6), "f4")[:, ::2]]
    # Positions alone are summed in another order than positions with normals.
    size, with_normals = np.ptp(arm.positions, axis=0).max(), expected.copy()
    deformer.deform(pose, out=expected)
    assert np.abs(expected - with_normals).max() < 1e-6 * size
    for out in others:
        assert deformer.deform(pose, out=out) is out
        assert np.array_equal(out, expected)
    assert np.array_equal(deformer.at(clip=0, time=0.5, out=others[0]).positions, expected)


def test_memory_that_does_not_fit_is_refused(arm: sinew.Rig) -> None:
    deformer, pose = sinew.Deformer(arm), sinew.Pose(arm)
    locked = np.empty((arm.vertex_count, 3), "f4")
    locked.flags.writeable = False
    for out, message in ((np.empty((5, 3), "f4"), "shape"), (locked, "written"),
                         (np.empty((arm.vertex_count, 3), int), "fractions")):
        with pytest.raises(sinew.UsageError, match=f"out: .*{message}"):
            deformer.deform(pose, out=out)
    with pytest.raises(TypeError, match="out must be an array"):
        deformer.deform(pose, out=[1, 2, 3])  # type: ignore[arg-type]
    with pytest.raises(sinew.UsageError):
        deformer.at(tangents=True)
    other = sinew.Pose(sinew.sample("mannequin", vertices=500))
    with pytest.raises(sinew.UsageError):
        deformer.deform(other)
    with pytest.raises(sinew.UsageError, match="stbs"):
        sinew.Deformer(arm, "stbs")
    with pytest.raises(sinew.Error):
        sinew.Deformer(arm, settings={"nonsense": 1})
    with pytest.raises(sinew.UsageError):
        sinew.Deformer(sinew.Rig())
    with pytest.raises(sinew.UsageError, match="give one of them"):
        deformer.at(pose, clip=0)


def test_a_deformer_is_of_the_rig_as_it_was(arm: sinew.Rig) -> None:
    deformer = sinew.Deformer(arm)
    expected = deformer.at(clip=0, time=0.5).positions
    count = arm.vertex_count
    arm.set_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert deformer.vertex_count == count
    assert np.array_equal(deformer.at(clip=0, time=0.5).positions, expected)
    assert np.array_equal(deformer.copy().at(clip=0, time=0.5).positions, expected)


def test_threads_share_a_deformer_or_have_copies(arm: sinew.Rig) -> None:
    deformer = sinew.Deformer(arm)
    times = np.linspace(0, 1, 8)
    expected = [deformer.at(clip=0, time=time).positions for time in times]
    got: dict[tuple[int, int], Any] = {}

    def work(number: int, own: sinew.Deformer) -> None:
        for index, time in enumerate(times):
            got[number, index] = own.at(clip=0, time=time).positions

    threads = [threading.Thread(target=work, args=(number, own)) for number, own in
               enumerate((deformer, deformer, deformer.copy(), deformer.copy()))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 32
    for (_, index), positions in got.items():
        assert np.array_equal(positions, expected[index])


def test_the_number_of_threads_does_not_change_a_bit(arm: sinew.Rig) -> None:
    results = []
    for count in (1, 0):
        sinew.set_thread_count(count)
        arm.compute_weights("voxel", endpoints="projection", voxels=32)
        results.append((arm.weights.tobytes(), sinew.Deformer(arm).at(clip=0).positions.tobytes()))
    assert results[0] == results[1]
    with pytest.raises(sinew.UsageError):
        sinew.set_thread_count(-1)
