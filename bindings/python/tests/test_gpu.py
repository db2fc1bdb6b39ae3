# SPDX-License-Identifier: Apache-2.0
"""Arrays for shaders."""

from __future__ import annotations

import numpy as np
import pytest

import sinew


def rotated(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    t = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * t + np.cross(q[..., :3], t)


def test_read_as_the_page_says_they_place_vertices(arm: sinew.Rig) -> None:
    skin = sinew.GpuSkin(arm)
    pose = skin.pose(clip=0, time=0.4, method="stbs-lbs").reshape(-1, 6, 4).astype(float)
    q, posed, bind, *rows = (pose[:, k] for k in range(6))
    u = np.stack([row[:, 3] for row in rows], axis=1)
    scale = np.stack([row[:, :3] for row in rows], axis=1)
    placed = np.zeros((arm.vertex_count, 3))
    for v, (first, count, _, _) in enumerate(skin.vertices.astype(int)):
        for bone, weight, stretch, twist in skin.influences[first:first + count]:
            b = int(bone)
            angle = np.pi * (twist - 0.5) * posed[b, 3]
            turn = np.append(u[b] * np.sin(angle), np.cos(angle))
            arm_of = scale[b] @ (skin.positions[v] - bind[b, :3])
            head = posed[b, :3] + stretch * bind[b, 3] * rotated(q[b], u[b])
            placed[v] += weight * (head + rotated(q[b], rotated(turn, arm_of)))
    expected = sinew.Deformer(arm, "stbs-lbs", reference=True).at(clip=0, time=0.4).positions
    assert np.abs(placed - expected).max() < 1e-5


def test_gradients_shapes_and_tangents_are_there_if_wanted(arm: sinew.Rig) -> None:
    arm.add_shape("bulge", np.ones((arm.vertex_count, 3)))
    skin = sinew.GpuSkin(arm, gradients=True)
    assert skin.normals.shape == skin.positions.shape
    assert skin.gradients is not None and skin.gradients.shape[1] == 4
    assert skin.delta_ranges is not None and (skin.delta_ranges[:, 1] == 1).all()
    assert skin.deltas is not None and np.allclose(skin.deltas[0, :3], 1)
    assert skin.tangents is None
    weight = skin.pose().reshape(-1)[int(skin.deltas[0, 3])]
    assert weight == 0
    posed = sinew.Pose(arm)
    posed.shapes = [0.25]
    assert skin.pose(posed).reshape(-1)[int(skin.deltas[0, 3])] == 0.25
    plain = sinew.GpuSkin(sinew.sample("cigar", vertices=100))
    assert plain.gradients is None and plain.deltas is None and plain.delta_ranges is None


def test_a_pose_goes_where_it_should(arm: sinew.Rig) -> None:
    skin = sinew.GpuSkin(arm)
    fresh = skin.pose({"joints": {arm.joint_names[1]: {"bend": [50, "x"]}}})
    out = np.zeros_like(fresh)
    assert skin.pose({"joints": {arm.joint_names[1]: {"bend": [50, "x"]}}}, out=out) is out
    assert np.array_equal(out, fresh)
    for wrong in (np.zeros((1, 4), np.float32), np.zeros(fresh.shape), out[::-1]):
        with pytest.raises(sinew.UsageError, match="float32"):
            skin.pose(out=wrong)
    with pytest.raises(sinew.UsageError, match="delta-mush"):
        skin.pose(method="delta-mush")
    with pytest.raises(sinew.UsageError, match="nothing"):
        sinew.GpuSkin.blend("nothing")
