# SPDX-License-Identifier: GPL-3.0-or-later
"""Automatic weights: equal to the program's, respectful, and never failing."""

import json
import os
import subprocess

import bpy
import numpy as np
from character import bent_tube, from_sample, new_armature, new_mesh, select
from sinew_blender import groups, rigs, weights
from sinew_blender.bones import read_bones


def _matrix(mesh, names) -> np.ndarray:
    skin = groups.read_skin(mesh, names, as_painted=True)
    result = np.zeros((len(mesh.data.vertices), len(names)))
    result[skin.vertices, skin.bones] = skin.weights
    return result


def _endpoints(mesh, names) -> np.ndarray:
    return _matrix(mesh, [groups.endpoint_group(name) for name in names])


def _read_dmat(path: str) -> np.ndarray:
    numbers = open(path, encoding="ascii").read().split()
    columns, rows = int(numbers[0]), int(numbers[1])
    return np.array(numbers[2:], float).reshape(columns, rows).T


def test_weights_are_those_of_the_program() -> None:
    program = os.environ.get("SINEW_CLI")
    if not program:
        print("    skipped: SINEW_CLI does not name the program")
        return
    mesh, armature, _ = from_sample("arm", 1200, weighted=False)
    bones = read_bones(armature)
    folder = bpy.app.tempdir
    rig = rigs.make_rig([mesh], armature, bones)
    rig.write(os.path.join(folder, "arm.glb"))
    for method, endpoints in (("heat", "bbw"), ("bbw", "projection"), ("voxel", "heat")):
        select(armature, mesh)
        assert bpy.ops.sinew.parent(method=method, endpoints=endpoints, influences=0) == {"FINISHED"}
        subprocess.run(
            [program, "weights", "arm.glb", "--quiet", "--method", method, "--endpoints", endpoints,
             "--bone-weights-out", "w.dmat", "--endpoint-weights-out", "e.dmat"],
            cwd=folder, check=True, stdout=subprocess.DEVNULL)
        ours, theirs = _matrix(mesh, bones.names), _read_dmat(os.path.join(folder, "w.dmat"))
        off = np.abs(ours - theirs).max()
        ends = np.abs(_endpoints(mesh, bones.names) - _read_dmat(os.path.join(folder, "e.dmat")))
        off_ends = ends[theirs > 0].max()
        print(f"    {method}, endpoints {endpoints}: off by {off:.1e} and {off_ends:.1e}")
        assert off < 1e-5 and off_ends < 1e-4 and theirs.shape == ours.shape


def test_influences_are_limited_and_sum_to_1() -> None:
    mesh, armature, _ = from_sample("mannequin", 1500, weighted=False)
    select(armature, mesh)
    bpy.ops.sinew.parent(method="voxel", endpoints="projection", influences=3)
    matrix = _matrix(mesh, read_bones(armature).names)
    assert (matrix > 0).sum(axis=1).max() <= 3 and np.abs(matrix.sum(axis=1) - 1).max() < 1e-5
    assert mesh.parent == armature and mesh.find_armature() == armature


def test_locked_groups_and_other_groups_stay() -> None:
    mesh, armature = bent_tube()
    count = len(mesh.data.vertices)
    lower = mesh.vertex_groups.new(name="lower")
    lower.add(list(range(count // 2)), 0.25, "REPLACE")
    lower.lock_weight = True
    mask = mesh.vertex_groups.new(name="mask")
    mask.add([0, 5], 0.5, "REPLACE")
    select(armature, mesh)
    bpy.ops.sinew.parent(method="heat", endpoints="projection")
    matrix = _matrix(mesh, ["lower", "upper", "mask"])
    assert np.abs(matrix[:count // 2, 0] - 0.25).max() < 1e-6 and matrix[count // 2:, 0].max() == 0
    assert np.flatnonzero(matrix[:, 2]).tolist() == [0, 5]
    # The upper bone has what is left, wherever it can.
    assert matrix[count // 2:, 1].min() > 0.999
    assert matrix[:, :2].sum(axis=1).min() > 0


def test_only_selected_vertices_and_bones_change() -> None:
    mesh, armature = bent_tube()
    count = len(mesh.data.vertices)
    select(armature, mesh)
    bpy.ops.sinew.parent(method="idw", endpoints="projection")
    before = _matrix(mesh, ["lower", "upper"])
    chosen = np.zeros(count, bool)
    chosen[100:200] = True
    mesh.data.vertices.foreach_set("select", chosen)
    bpy.ops.sinew.parent(method="rigid", endpoints="projection", vertices="SELECTED")
    after = _matrix(mesh, ["lower", "upper"])
    assert np.array_equal(before[~chosen], after[~chosen])
    assert set(np.unique(after[chosen])) <= {0.0, 1.0}
    for bone in armature.data.bones:
        bone.select = bone.name == "upper"
    bpy.ops.sinew.parent(method="heat", endpoints="projection", bones="SELECTED")
    last = _matrix(mesh, ["lower", "upper"])
    assert np.array_equal(last[:, 0], after[:, 0]) and last.sum(axis=1).min() > 0
    mesh.vertex_groups["lower"].remove([0, 1])
    mesh.vertex_groups["upper"].remove([0, 1])
    bpy.ops.sinew.parent(method="heat", endpoints="projection", vertices="UNWEIGHTED")
    filled = _matrix(mesh, ["lower", "upper"])
    assert np.abs(filled[2:] - last[2:]).max() == 0 and filled[:2].sum(axis=1).min() > 0.99


def test_several_meshes_at_once() -> None:
    first, armature = bent_tube()
    second = new_mesh("shirt", [v.co * 1.1 for v in first.data.vertices],
                      [p.vertices for p in first.data.polygons])
    select(armature, first, second)
    bpy.ops.sinew.parent(method="voxel", endpoints="projection", go_live=True)
    for mesh in (first, second):
        assert _matrix(mesh, ["lower", "upper"]).sum(axis=1).min() > 0.99
        assert mesh.sinew.mode == "NODES" and json.loads(mesh.sinew.report)["uncovered"] == []


def test_keep_computes_endpoints_alone() -> None:
    mesh, armature, _ = from_sample("arm", 500)
    names = read_bones(armature).names
    before, ends = _matrix(mesh, names), _endpoints(mesh, names)
    select(armature, mesh)
    bpy.ops.sinew.parent(method="KEEP", endpoints="heat")
    assert np.array_equal(_matrix(mesh, names), before)
    assert np.abs(_endpoints(mesh, names) - ends).max() > 0.01


def test_cancelling_changes_nothing() -> None:
    mesh, armature, _ = from_sample("arm", 1500)
    before = _matrix(mesh, read_bones(armature).names)
    job = weights.prepare(mesh, armature, weights.Settings("bbw"))

    def stop(stage: str, fraction: float) -> None:
        raise KeyboardInterrupt

    try:
        weights.compute(job, stop)
        raise AssertionError("it was not cancelled")
    except KeyboardInterrupt:
        pass
    assert np.array_equal(_matrix(mesh, read_bones(armature).names), before)


def test_mistakes_are_told() -> None:
    mesh, armature = bent_tube()
    for bone in armature.data.bones:
        bone.use_deform = False
    select(armature, mesh)
    try:
        bpy.ops.sinew.parent()
        raise AssertionError("no bone deforms, and it went well")
    except RuntimeError as problem:
        assert "no bone deforms" in str(problem), problem
    assert len(mesh.vertex_groups) == 0 and mesh.parent is None


def test_reported_vertices_can_be_selected() -> None:
    mesh, armature = bent_tube()
    select(armature, mesh)
    bpy.ops.sinew.parent(method="voxel", endpoints="projection")
    report = json.loads(mesh.sinew.report)
    report["bleeding"] = [3, 4, 9]
    mesh.sinew.report = json.dumps(report)
    select(mesh)
    assert bpy.ops.sinew.select_reported(kind="bleeding") == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [v.index for v in mesh.data.vertices if v.select] == [3, 4, 9]


# Torture: what artists' meshes are like.

def _cube(center, size) -> tuple[np.ndarray, list]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners * size + center, faces


def _tube_with(points, faces) -> tuple:
    mesh, armature = bent_tube()
    old = np.array([v.co for v in mesh.data.vertices])
    listed = [tuple(p.vertices) for p in mesh.data.polygons]
    bpy.data.objects.remove(mesh)
    both = np.concatenate([old, points])
    return both, listed + [tuple(i + len(old) for i in face) for face in faces], armature


def _torture():
    """Name: points, faces and armature."""
    points, faces, armature = _tube_with(*_cube((1.5, 0, 1), 0.1))
    yield "an island far from any bone", points, faces, armature
    points, faces, armature = _tube_with(*_cube((0, 0, 0.5), 0.05))
    yield "an island inside of the tube", points, faces, armature
    points, faces, armature = _tube_with(np.zeros((0, 3)), [])
    yield "every face twice, turned over", points, faces + [f[::-1] for f in faces], armature
    points, faces, armature = _tube_with(np.array([[0, 0, 3.0], [0, 0, 3], [0, 0, 3]]), [(0, 1, 2)])
    yield "a face without area", points, faces, armature
    points, faces, armature = _tube_with(np.array([[0.5, 0.5, 0.5]]), [])
    yield "a loose vertex", points, faces, armature
    points, faces, armature = _tube_with(np.array([[0.2, 0, 0], [0.6, 0, 0], [0.6, 0, 0.5]]),
                                         [(0, 1, 2)])
    yield "a fin that hangs in the air", points, faces, armature
    points, faces, armature = _tube_with(np.zeros((0, 3)), [])
    yield "a thousand times as large", points * 1000, faces, armature


def test_torture_meshes_on_which_blenders_own_weights_fail() -> None:
    failures = 0
    print(f"    {'':34}{'Blender, vertices without a bone':>34}{'Sinew':>8}")
    for name, points, faces, armature in _torture():
        bpy.data.objects.remove(armature)
        armature = new_armature("rig", [("lower", (0, 0, 0), (0, 0, 1), None),
                                        ("upper", (0, 0, 1), (0, 0, 2), "lower")])
        if "large" in name:
            armature.scale = (1000, 1000, 1000)
            bpy.context.view_layer.update()
        theirs, ours = new_mesh("theirs", points, faces), new_mesh("ours", points, faces)
        select(armature, theirs)
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
        select(armature, ours)
        bpy.ops.sinew.parent(method="bbw", endpoints="bbw")
        empty = [int((_matrix(mesh, ["lower", "upper"]).sum(axis=1) <= 0).sum())
                 for mesh in (theirs, ours)]
        failures += empty[0] > 0
        print(f"    {name:34}{empty[0]:>27} of {len(points)}{empty[1]:>8}")
        assert empty[1] == 0, name
        matrix = _matrix(ours, ["lower", "upper"])
        assert np.isfinite(matrix).all() and (matrix.sum(axis=0) > 0).all(), name
        report = json.loads(ours.sinew.report)
        assert report["uncovered"] == [] and report["empty_groups"] == []
        for obj in (theirs, ours, armature):
            bpy.data.objects.remove(obj)
    print(f"    Blender's own fail on {failures} of 7")
    assert failures >= 3
