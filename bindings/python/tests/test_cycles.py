# SPDX-License-Identifier: Apache-2.0
"""Ten thousand of each object leave nothing behind; test_arrays.py has rigs, poses and images."""

from __future__ import annotations

import gc
import resource
from typing import Callable

import numpy as np

import sinew


def expect_no_leak(cycle: Callable[[], None]) -> None:
    sinew.set_thread_count(1)
    gc.collect()
    handles = sinew.handle_count()
    for _ in range(500):
        cycle()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(10_000):
        cycle()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    sinew.set_thread_count(0)
    assert sinew.handle_count() == handles
    assert grown < 2000, f"{grown} KiB"


def test_deformers_solvers_painters_and_gpu_skins() -> None:
    rig = sinew.sample("cigar", vertices=60)
    pose = sinew.Pose(rig)
    tip = len(rig.joint_names) - 1

    def cycle() -> None:
        sinew.Deformer(rig, "stbs-lbs").deform(pose)
        sinew.Ik(rig, [tip])
        painter = sinew.Painter(rig)
        painter.begin(0, radius=0.5)
        painter.dab(0, [1, 0, 0])
        painter.end()
        painter.strokes()
        sinew.GpuSkin(rig, gradients=True).pose(pose)

    expect_no_leak(cycle)


def test_puppets() -> None:
    pixels = np.zeros((6, 6, 4), np.uint8)
    pixels[1:5, 1:5] = 255
    image = sinew.Image(pixels)
    bones = {"joints": [{"name": "a", "position": [3, 5]}, {"name": "b", "position": [3, 1]}],
             "bones": [{"name": "bone", "from": "a", "to": "b"}]}

    def cycle() -> None:
        sinew.Puppet(image, bones=bones, cut="alpha", weights="rigid", endpoints="none",
                     longest_edge=100).bones

    expect_no_leak(cycle)
