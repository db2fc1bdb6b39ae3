#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""python_calls.py [SINEW]: what Python adds to a call, beside the program SINEW for comparison.

With PYTHONPATH set to python/ of a build folder, or with the wheel installed. Prints CSV: the least
of many calls, as other processes only ever add to it.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import time
from typing import Callable

import numpy as np

import sinew


def least(call: Callable[[], object], seconds: float = 0.5) -> float:
    """The time of one call, in seconds."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begun)
    return best


def overheads() -> dict[str, Callable[[], object]]:
    """Calls that have next to nothing to do, so that the way there and back is what they take."""
    rig = sinew.sample("cigar", vertices=20)
    deformer, pose = sinew.Deformer(rig, "lbs"), sinew.Pose(rig)
    out = np.empty((rig.vertex_count, 3), np.float32)
    return {
        "thread_count": sinew.thread_count,
        "rig.vertex_count": lambda: rig.vertex_count,
        "rig.positions": lambda: rig.positions,
        "rig.joint_names": lambda: rig.joint_names,
        "pose.play": lambda: pose.play(0, 0.5),
        "pose.joints": lambda: pose.joints,
        "deform (20 vertices, out)": lambda: deformer.deform(pose, out=out),
    }


def native(program: str) -> dict[str, float]:
    """ns per vertex by method, as the program measures them on one thread."""
    printed = subprocess.run([program, "bench", "deform", "--threads", "1"], check=True,
                             capture_output=True, text=True).stdout
    rows = csv.DictReader(io.StringIO(printed))
    return {row["case"]: float(row["ns_per_item"]) for row in rows}


def main() -> None:
    for name, call in overheads().items():
        print(f"call,{name},{1e6 * least(call):.2f} us")
    beside = native(sys.argv[1]) if len(sys.argv) > 1 else {}
    sinew.set_thread_count(1)
    # As the program has it: four influences, in the middle of the first clip.
    rig = sinew.sample("mannequin", vertices=100_000)
    rig.edit([{"prune": 4}])
    pose = sinew.Pose(rig)
    pose.play(0, rig.clip(0).duration / 2)
    out = np.empty((rig.vertex_count, 3), np.float32)
    for method in ("lbs", "dqs", "stbs-lbs", "stbs-dqs"):
        deformer = sinew.Deformer(rig, method)
        per_vertex = 1e9 * least(lambda: deformer.deform(pose, out=out)) / rig.vertex_count
        case = f"mannequin/{method}"
        told = f",{beside[case]:.2f} natively" if case in beside else ""
        print(f"deform,{method},{per_vertex:.2f} ns/vertex{told}")


if __name__ == "__main__":
    main()
