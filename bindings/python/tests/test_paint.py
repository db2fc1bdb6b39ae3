# SPDX-License-Identifier: Apache-2.0
"""Painting, steps that are given what is in files, motions of others, and measures of vertices."""

from __future__ import annotations

import numpy as np
import pytest

import sinew


@pytest.fixture
def arm() -> sinew.Rig:
    return sinew.sample("arm", vertices=300)


def test_strokes_replay_to_the_same_bits_and_are_undone(arm: sinew.Rig) -> None:
    before = arm.weights.copy()
    painter = sinew.Painter(arm)
    at = painter.pick(arm.bone_tails[0])
    assert at is not None
    painter.begin(0, radius=0.5, mode="replace", value=0.25, falloff="linear")
    assert painter.dab(at.triangle, at.barycentric) > 0
    painter.end()
    assert (arm.weights == before).all()
    copy = arm.copy()
    painter.apply(arm)
    assert len(arm.weights) != len(before) or (arm.weights != before).any()
    copy.edit([{"paint": painter.strokes()}])
    assert (copy.weights == arm.weights).all()
    rows = painter.changed()
    assert painter.undo()
    assert painter.changed().vertices.tolist() == rows.vertices.tolist()
    assert painter.strokes()["strokes"] == []
    assert painter.redo()
    assert painter.changed().weights.tolist() == rows.weights.tolist()
    assert not painter.redo() and painter.undo() and not painter.undo()


def test_a_painter_refuses_what_makes_no_sense(arm: sinew.Rig) -> None:
    painter = sinew.Painter(arm, locks=[0])
    with pytest.raises(sinew.UsageError, match="begin"):
        painter.dab(0, [1, 0, 0])
    with pytest.raises(sinew.UsageError, match="brush.mode"):
        painter.begin(0, radius=1, mode="erase")
    with pytest.raises(sinew.UsageError, match="shape"):
        painter.pick([0, 0])
    assert painter.pick([100, 100, 100], [1, 0, 0]) is None
    with pytest.raises(sinew.UsageError, match="nobody"):
        sinew.Painter(arm, locks="nobody")


def test_steps_take_arrays_and_rigs(arm: sinew.Rig) -> None:
    shares = np.linspace(0, 1, arm.vertex_count)
    report = arm.edit([{"blend-share": shares}])
    assert report["steps"][0]["most"] == 1
    other = sinew.sample("arm", vertices=200)
    report = other.edit([{"transfer": arm}])
    assert report["steps"][0]["step"] == "transfer"
    with pytest.raises(sinew.InputError, match="/0/paint/format"):
        arm.edit([{"paint": {}}])


def test_motions_are_read_from_bytes() -> None:
    rig = sinew.sample("mannequin", vertices=300)
    motion = sinew.read(rig.to_bytes("bvh"), format="bvh")
    report = rig.retarget(motion, name="recorded", all_keys=True)
    again = rig.retarget(motion, name="recorded", map=report["map"])
    assert again["keys"] < report["keys"]
    assert rig.clip_names.count("recorded") == 1
    with pytest.raises(sinew.UsageError, match="clip"):
        rig.retarget(motion, "nobody")


def test_another_skeleton_keeps_the_weights_of_the_bones_it_has(arm: sinew.Rig) -> None:
    before = arm.weights.copy()
    arm.set_skeleton(arm.joint_parents, arm.joint_rests, names=arm.joint_names,
                     bone_joints=arm.bone_joints, bone_tails=arm.bone_tails,
                     bone_inverse_binds=arm.bone_inverse_binds)
    assert (arm.weights == before).all()


def test_animations_want_pictures_of_one_size() -> None:
    small, large = sinew.Image(np.zeros((2, 2))), sinew.Image(np.zeros((3, 3)))
    assert sinew.animation([small, small], 0.1, format="apng")[:4] == b"\x89PNG"
    with pytest.raises(sinew.UsageError, match="pixels"):
        sinew.animation([small, large], 0.1)
    with pytest.raises(sinew.UsageError):
        sinew.animation([], 0.1)
