# SPDX-License-Identifier: GPL-3.0-or-later
"""How long it takes, beside Blender's own, in one run: printed, not judged."""

import time

import bpy
import numpy as np
from character import evaluated, from_sample, select
from sinew_blender import groups, live, preview, weights
from sinew_blender.bones import read_bones

VERTICES = 30000


def _best(call, count: int = 5) -> tuple:
    """The least time by the clock, and the least of all processors together."""
    times = []
    for _ in range(count):
        start = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return tuple(min(column) for column in zip(*times))


def _print(title: str, times: dict, unit: float) -> None:
    print(f"    {title + ':':50}{'clock':>8}{'processors':>12}")
    for name, (clock, work) in times.items():
        print(f"    {name:50}{unit * clock:8.2f}{unit * work:12.2f}")


def test_a_frame() -> None:
    mesh, armature, _ = from_sample("mannequin", VERTICES)
    hand, turn = armature.pose.bones["hand.L"], [0.0]
    hand.rotation_mode = "XYZ"

    def frame() -> None:
        turn[0] += 0.01
        hand.rotation_euler = (0, turn[0], 0)
        bpy.context.view_layer.update()
        # The handler of the preview has changed the mesh by now.
        bpy.context.view_layer.update()

    times = {"Blender's Armature modifier": _best(frame)}
    modifier = mesh.modifiers["Armature"]
    modifier.use_deform_preserve_volume = True
    times["the same, preserving volume"] = _best(frame)
    modifier.use_deform_preserve_volume = False
    for method in ("stbs-lbs", "stbs-dqs"):
        mesh.sinew.method = method
        live.set_mode([mesh], "NODES")
        frame()
        times[f"{method} by nodes"] = _best(frame)
        live.set_mode([mesh], "PREVIEW")
        frame()
        times[f"{method} by the preview"] = _best(frame)
    mesh.sinew.segments = 4
    live.set_mode([mesh], "HELPERS")
    frame()
    helpers = sum(1 for bone in armature.data.bones if bone.sinew.helper_of)
    times[f"{helpers} helper bones"] = _best(frame)
    _print(f"a frame of {len(mesh.data.vertices)} vertices, 57 bones, ms", times, 1000)
    assert np.isfinite(evaluated(mesh)).all() and not preview._previews


def test_weights() -> None:
    mesh, armature, _ = from_sample("mannequin", VERTICES, weighted=False)
    select(armature, mesh)
    bpy.context.view_layer.update()
    times = {"Blender's automatic weights": _best(
        lambda: bpy.ops.object.parent_set(type="ARMATURE_AUTO"), 1)}
    for method in ("heat", "voxel"):
        jobs = []
        settings = weights.Settings(method, "projection", 4)
        times[f"{method}: reading"] = _best(
            lambda: jobs.append(weights.prepare(mesh, armature, settings)), 1)
        times[f"{method}: the core"] = _best(lambda: weights.compute(jobs[0]), 1)
        times[f"{method}: writing weights and endpoint weights"] = _best(
            lambda: weights.apply(jobs[0]), 1)
    names = read_bones(armature).names
    elements = groups.read_elements(mesh.data)
    times["reading all groups"] = _best(lambda: groups.read_elements(mesh.data), 3)
    skin = groups.read_skin(mesh, names)
    times["writing all weights once more"] = _best(
        lambda: groups.write_groups(mesh, names, skin.vertices, skin.bones, skin.weights), 3)
    _print(f"{len(mesh.data.vertices)} vertices, {len(elements.weights)} memberships, s", times, 1)
