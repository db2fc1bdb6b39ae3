# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: any type, copies only where needed, memory that stays valid."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest

import sinew
from sinew._arrays import frames, matrices, numbers

TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8",
                                   ">f4", ">f8", ">i4", "?", "longdouble"])
def test_any_type_of_number_is_taken(dtype: str) -> None:
    rig = sinew.Rig()
    rig.set_mesh(TRIANGLE.astype(dtype), [[0, 1, 2]])
    assert np.array_equal(rig.positions, TRIANGLE)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">u2"])
def test_any_type_of_index_is_taken(dtype: str) -> None:
    rig = sinew.Rig()
    rig.set_mesh(TRIANGLE, np.array([[0, 1, 2]], dtype))
    assert rig.triangles.tolist() == [[0, 1, 2]]


def test_any_layout_in_memory_is_taken() -> None:
    wide = np.zeros((3, 8))
    wide[:, 2:5] = TRIANGLE
    layouts: list[Any] = [TRIANGLE[::-1][::-1], np.asfortranarray(TRIANGLE), wide[:, 2:5],
                          TRIANGLE.tolist(), np.repeat(TRIANGLE, 2, axis=0)[::2]]
    packed = np.zeros(3, [("tag", "u1"), ("at", "<f8", 3)])
    packed["at"] = TRIANGLE
    layouts.append(packed["at"])
    for layout in layouts:
        rig = sinew.Rig()
        rig.set_mesh(layout, [[0, 1, 2]])
        assert np.array_equal(rig.positions, TRIANGLE)


def test_only_what_c_cannot_read_is_copied() -> None:
    for fine in (TRIANGLE, TRIANGLE.astype("f4"), TRIANGLE[::2], TRIANGLE[:, :2],
                 np.arange(6)[::2]):
        assert np.shares_memory(numbers(fine, "it", None), fine)
    for odd in (TRIANGLE[::-1], TRIANGLE[:, ::2], TRIANGLE.T, TRIANGLE.astype(">f8"),
                np.broadcast_to(TRIANGLE[:1], (3, 3))):
        given = numbers(odd, "it", None)
        assert not np.shares_memory(given, odd) and np.array_equal(given, odd)


@pytest.mark.parametrize("bad, message", [
    (np.zeros((3, 2)), r"vertices: an array of shape \(3, 2\), not \(n, 3\)"),
    (np.zeros((3, 3, 3)), "vertices: 3 dimensions"),
    (np.float64(3), "vertices: 0 dimensions"),
    (np.zeros((3, 3), complex), "vertices: complex128 is not a type of number"),
    (np.array([["a", "b", "c"]]), "vertices: <U1 is not a type of number"),
    (np.full((3, 3), np.nan), ""),
])
def test_arrays_that_make_no_sense_are_refused(bad: Any, message: str) -> None:
    rig = sinew.Rig()
    with pytest.raises(sinew.Error, match=message):
        rig.set_mesh(bad, [[0, 1, 2]])
    assert rig.vertex_count == 0


def test_views_show_memory_of_the_rig_and_cannot_be_written_to(arm: sinew.Rig) -> None:
    first, second = arm.positions, arm.positions
    assert np.shares_memory(first, second)
    assert first.dtype == np.float64 and first.shape == (arm.vertex_count, 3)
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1
    with pytest.raises(ValueError):
        first.flags.writeable = True


def test_views_keep_memory_alive() -> None:
    gc.collect()
    before = sinew.handle_count()
    positions = sinew.sample("arm", vertices=600).positions[10:20]
    expected = positions.copy()
    gc.collect()
    others = [sinew.sample("arm", vertices=600) for _ in range(3)]
    assert np.array_equal(positions, expected)
    assert sinew.handle_count() == before + 1 + len(others)
    del positions, others
    assert sinew.handle_count() == before


def test_views_stay_as_they_were_when_the_rig_changes(arm: sinew.Rig) -> None:
    weights, offsets, name = arm.weights, arm.weight_offsets, arm.bone_names
    expected = weights.copy()
    arm.set_weights(np.eye(len(name))[np.zeros(arm.vertex_count, int)])
    assert np.array_equal(weights, expected)
    assert arm.weights.tolist() == [1.0] * arm.vertex_count
    assert len(offsets) == arm.vertex_count + 1
    arm.set_mesh(TRIANGLE, [[0, 1, 2]])
    assert np.array_equal(weights, expected)
    assert arm.vertex_count == 3 and len(arm.weights) == 0


def test_a_rig_without_views_is_changed_in_place(arm: sinew.Rig) -> None:
    handle = arm._handle
    arm.add_control("mood")
    assert arm._handle is handle
    view = arm.positions
    arm.add_control("wind")
    assert arm._handle is not handle
    changed = arm._handle
    del view
    arm.add_control("rain")
    assert arm._handle is changed
    assert arm.control_names == ("mood", "wind", "rain")


def test_a_change_that_fails_leaves_the_rig_and_its_views(arm: sinew.Rig) -> None:
    view, handle = arm.positions, arm._handle
    with pytest.raises(sinew.Error):
        arm.set_weights(np.zeros((5, 2)))
    assert arm._handle is handle and np.shares_memory(arm.positions, view)


def test_names_are_read_again_after_a_change(arm: sinew.Rig) -> None:
    assert arm.control_names == ()
    arm.add_control("mood", 0.25)
    assert arm.control_names == ("mood",)
    assert arm.control_defaults.tolist() == [0.25]


def test_threads_may_look_while_others_change(arm: sinew.Rig) -> None:
    expected = arm.positions.copy()
    failures: list[BaseException] = []

    def look() -> None:
        try:
            for _ in range(200):
                assert np.array_equal(arm.positions, expected)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(30):
        arm.add_control(f"control {number}")
    for thread in threads:
        thread.join()
    assert not failures
    assert len(arm.control_names) == 30


def test_matrices_and_frames_are_each_others_inverse() -> None:
    rows = np.arange(24.0).reshape(2, 12)
    square = matrices(rows)
    assert square[0, :3, 0].tolist() == [0, 1, 2] and square[0, :3, 3].tolist() == [9, 10, 11]
    for form in (square, square[:, :3], rows):
        assert np.array_equal(frames(form, "it"), rows)


def test_ten_thousand_rigs_poses_images_and_views_leave_nothing() -> None:
    import resource

    def cycle(count: int) -> None:
        for _ in range(count):
            copy = rig.copy()
            view = copy.positions
            copy.add_control("mood")
            sinew.Pose(copy).play(0, 0.1)
            sinew.Image(pixels).pixels
            with pytest.raises(sinew.UsageError):
                copy.clip("nobody")
            del view

    rig = sinew.sample("cigar", vertices=60)
    pixels = np.zeros((4, 4, 4), np.uint8)
    gc.collect()
    handles = sinew.handle_count()
    cycle(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cycle(10_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert sinew.handle_count() == handles
    assert grown < 2000, f"{grown} KiB"
