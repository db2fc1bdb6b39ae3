# SPDX-License-Identifier: GPL-3.0-or-later
"""Automatic weights: equal to the program's, respectful, and never failing."""

import json
import os
import subprocess

import bpy
import numpy as np
from character import bent_tube, from_sample, new_armature, new_mesh, select
from sinew_blender import groups, rigs, sinew, weights
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


def _named(path: str, table: np.ndarray, names: list) -> np.ndarray:
    """The columns of a table in another order: files have bones that deform nothing, too."""
    found = sinew.read(path).bone_names
    return table[:, [found.index(name) for name in names]]


def test_weights_are_those_of_the_program() -> None:
    program = os.environ.get("SINEW_CLI")
    if not program:
        print("    skipped: SINEW_CLI does not name the program")
        return
    # Bones at places that floats hold exactly: files round them, and lattices notice.
    mesh, armature = bent_tube()
    bones = read_bones(armature)
    folder = bpy.app.tempdir
    rig = rigs.make_rig([mesh], armature, bones)
    rig.set_weights(np.eye(len(bones.names))[np.zeros(len(mesh.data.vertices), int)])
    rig.write(os.path.join(folder, "tube.glb"))
    for method, endpoints, nodes in (("heat", "heat", 0), ("bbw", "bbw", 2000),
                                     ("voxel", "idw", 0), ("shepard", "projection", 0)):
        select(armature, mesh)
        assert bpy.ops.sinew.parent(method=method, endpoints=endpoints, influences=0,
                                    lattice_nodes=nodes) == {"FINISHED"}
        more = ["--lattice-nodes", str(nodes)] if nodes else []
        done = subprocess.run(
            [program, "weights", "tube.glb", "--quiet", "--method", method, "--endpoints", endpoints,
             "--bone-weights-out", "w.dmat", "--endpoint-weights-out", "e.dmat", *more],
            cwd=folder, stdout=subprocess.DEVNULL)
        assert done.returncode in (0, 1), "1 says that the report finds them poor"
        theirs, ends = (_named(os.path.join(folder, "tube.glb"),
                               _read_dmat(os.path.join(folder, name)), bones.names)
                        for name in ("w.dmat", "e.dmat"))
        ours = _matrix(mesh, bones.names)
        off = np.abs(ours - theirs).max()
        off_ends = np.abs(_endpoints(mesh, bones.names) - ends)[theirs > 0].max()
        print(f"    {method}, endpoints {endpoints}: off by {off:.1e} and {off_ends:.1e}")
        assert off < 1e-5 and off_ends < 1e-5 and theirs.shape == ours.shape


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
    both = (matrix[:, 0] > 0) & (matrix[:, 1] > 0)
    assert both.any() and np.abs(matrix[both, 1] - 0.75).max() < 1e-6
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
    # By the panel of the armature, which is the active one after parenting.
    report["bleeding"] = [7]
    mesh.sinew.report = json.dumps(report)
    select(armature)
    bpy.ops.object.mode_set(mode="POSE")
    assert bpy.ops.sinew.select_reported(kind="bleeding", mesh=mesh.name) == {"FINISHED"}
    assert bpy.context.object == mesh and mesh.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [v.index for v in mesh.data.vertices if v.select] == [7]
    select(armature)
    try:
        bpy.ops.sinew.select_reported(kind="bleeding")
        raise AssertionError("an armature has no report")
    except RuntimeError as problem:
        assert "computed by Sinew" in str(problem), problem


# Torture: what artists' meshes are like.

def _cube(center, size) -> tuple[np.ndarray, list]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners * size + center, faces


def _closed(points: np.ndarray, faces: list) -> tuple:
    return points, faces + [tuple(range(15, -1, -1)), tuple(range(len(points) - 16, len(points)))]


def _tube_with(points=(), faces=()) -> tuple:
    """A closed tube of two bones, and an island of its own."""
    mesh, armature = bent_tube()
    old = np.array([v.co for v in mesh.data.vertices])
    old, listed = _closed(old, [tuple(p.vertices) for p in mesh.data.polygons])
    bpy.data.objects.remove(mesh)
    bpy.data.objects.remove(armature)
    extra = np.asarray(points, float).reshape(-1, 3)
    return (np.concatenate([old, extra]),
            listed + [tuple(i + len(old) for i in face) for face in faces])


def _torture():
    """Name, points, faces and where the armature stands."""
    here, corner = (0, 0, 0), [(0.5, 0, 0.5), (0.6, 0, 0.5), (0.5, 0, 0.6)]
    yield "a tube, for comparison", *_tube_with(), here
    yield "a loose triangle beside it", *_tube_with(corner, [(0, 1, 2)]), here
    yield "a face without area", *_tube_with(corner[:1] * 3, [(0, 1, 2)]), here
    yield "two faces back to back", *_tube_with(corner, [(0, 1, 2), (2, 1, 0)]), here
    yield "a button beside it", *_tube_with(*_cube((1.5, 0, 1), 0.1)), here
    grid = [(1.5 + 0.1 * i, 0, 0.1 * j) for i in range(12) for j in range(12)]
    squares = [(i * 12 + j, i * 12 + j + 1, i * 12 + j + 13, i * 12 + j + 12)
               for i in range(11) for j in range(11)]
    yield "a cape beside it", *_tube_with(grid, squares), here
    points, faces = _tube_with()
    shells = [points, points * (2, 2, 1.1) - (0, 0, 0.1), points * (3, 3, 1.2) - (0, 0, 0.2)]
    count = len(points)
    nested = [tuple(i + k * count for i in face) for k in range(3) for face in faces]
    yield "three shells in each other", np.concatenate(shells), nested, here
    yield "ten kilometres from the origin", points + 1e4, faces, (1e4, 1e4, 1e4)


def test_torture_meshes_on_which_blenders_own_weights_fail() -> None:
    failures, cases = 0, 0
    print(f"    {'':34}{'vertices':>10}{'without a bone: Blender':>26}{'Sinew':>8}")
    for name, points, faces, place in _torture():
        z = np.array([[0, 0, k] for k in range(3)]) + place
        armature = new_armature("rig", [("lower", z[0], z[1], None), ("upper", z[1], z[2], "lower")])
        theirs, ours = new_mesh("theirs", points, faces), new_mesh("ours", points, faces)
        bpy.context.view_layer.update()
        select(armature, theirs)
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
        select(armature, ours)
        bpy.ops.sinew.parent(method="bbw", endpoints="projection", lattice_nodes=1000)
        empty = [int((_matrix(mesh, ["lower", "upper"]).sum(axis=1) <= 0).sum())
                 for mesh in (theirs, ours)]
        print(f"    {name:34}{len(points):>10}{empty[0]:>26}{empty[1]:>8}")
        if "comparison" in name:
            assert empty[0] == 0, "Blender's own are asked in the wrong way"
        else:
            cases, failures = cases + 1, failures + (empty[0] > 0)
        matrix = _matrix(ours, ["lower", "upper"])
        assert empty[1] == 0 and np.isfinite(matrix).all() and (matrix.sum(axis=0) > 0).all(), name
        report = json.loads(ours.sinew.report)
        assert report["uncovered"] == [] and report["empty_groups"] == []
        for obj in (theirs, ours, armature):
            bpy.data.objects.remove(obj)
    print(f"    Blender's own fail on {failures} of {cases}")
    assert failures == cases
