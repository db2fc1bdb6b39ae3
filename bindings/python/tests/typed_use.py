# SPDX-License-Identifier: Apache-2.0
"""A program that uses the package, for mypy: hints say what a user may write."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

import sinew


def walk(path: Path) -> npt.NDArray[np.float32]:
    rig = sinew.read(path)
    report = rig.compute_weights("bbw", progress=lambda stage, fraction: print(stage, fraction))
    if report["poor"]:
        raise sinew.InputError("poor weights")
    pose = sinew.Pose(rig, squash=True)
    pose.set({"joints": {"hand.L": {"twist": 90}}})
    deformer = sinew.Deformer(rig, "stbs-dqs", settings={})
    deformer.deform(pose, out=np.empty((rig.vertex_count, 3), np.float32))
    positions: npt.NDArray[np.float32] = deformer.at(clip="walk", time=0.5).positions
    first: str = rig.joint_names[0]
    sinew.Ik(rig, [first]).solve(pose, {first: [0.0, 1.0, 0.0]})
    rig.render(pose, width=300).write(path.with_suffix(".png"))
    return positions
