# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs of the core, made of a mesh and its armature, in the armature's space."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import filters, sinew
from .bones import Bones, joint_pairs, joints_of, relative
from .groups import BLEND_SHARE, Skin, read_shares

Array = NDArray[Any]
MIXED = "stbs-mixed"


def to_armature(obj: Any, armature: Any) -> Array:
    """(4, 4) from the mesh's space to the armature's."""
    inverse = np.linalg.inv(np.array(armature.matrix_world, dtype=float))
    result: Array = inverse @ np.array(obj.matrix_world, dtype=float)
    return result


def transformed(points: Array, matrix: Array) -> Array:
    """Points, moved by a matrix."""
    result: Array = points @ matrix[:3, :3].T + matrix[:3, 3]
    return result


def vertices_of(mesh: Any) -> Array:
    """(n, 3) the vertices of a mesh, without shape keys."""
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(float)


def _faces(mesh: Any) -> tuple[Array, Array]:
    """The corners of all faces, and how many each has."""
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    starts = np.empty(len(mesh.polygons), np.int32)
    totals = np.empty(len(mesh.polygons), np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    mesh.polygons.foreach_get("loop_total", totals)
    order = np.argsort(starts)
    return corners, totals[order]


def set_meshes(rig: sinew.Rig, objects: Sequence[Any], armature: Any) -> None:
    """Gives a rig the meshes of objects, one after the other, in the armature's space."""
    points, corners, totals, first = [], [], [], 0
    for obj in objects:
        points.append(transformed(vertices_of(obj.data), to_armature(obj, armature)))
        these, counts = _faces(obj.data)
        corners.append(these + first)
        totals.append(counts)
        first += len(obj.data.vertices)
    sizes, listed = np.concatenate(totals), np.concatenate(corners)
    if len(sizes) and (sizes == sizes[0]).all():
        rig.set_mesh(np.concatenate(points), listed.reshape(-1, sizes[0]))
    else:
        rig.set_mesh(np.concatenate(points), np.split(listed, np.cumsum(sizes)[:-1]))


def set_skeleton(rig: sinew.Rig, bones: Bones, in_pairs: bool = False) -> None:
    """Gives a rig the bones of an armature.

    `in_pairs`: two joints for each bone, so that poses may shear them, as Blender's can.
    """
    locals_ = relative(bones.rests, bones.parents)
    if in_pairs:
        parents = [p for above in bones.parents for p in (2 * above + 1 if above >= 0 else -1, 0)]
        parents[1::2] = range(0, 2 * len(bones.names), 2)
        names = [name for bone in bones.names for name in ("", bone)]
        rig.set_skeleton(parents, joint_pairs(locals_), names=names,
                         bone_joints=np.arange(1, 2 * len(bones.names), 2), bone_tails=bones.tails)
    else:
        rig.set_skeleton(bones.parents, joints_of(locals_)[0], names=bones.names,
                         bone_joints=np.arange(len(bones.names)), bone_tails=bones.tails)


def shares_of(bone: Any) -> tuple[float, float]:
    """Of the bone before and of the bone itself: together at most 1."""
    before = float(bone.sinew.parent_share)
    return before, min(float(bone.sinew.own_share), 1 - before)


def steps_of(armature: Any, bones: Bones) -> list[dict[str, str]]:
    """Filters and twist shares of the armature, as steps of Rig.edit()."""
    steps = []
    for name in bones.names:
        bone = armature.data.bones[name]
        for kind, step in (("stretch", "filter"), ("twist", "twist-filter")):
            points = filters.points_of(armature.data, bone, kind)
            if points:
                steps.append({step: f"{name}={filters.step_text(points)}"})
        if bone.sinew.share == "OWN":
            steps.append({"twist-share": "{}={!r},{!r}".format(name, *shares_of(bone))})
    return steps


def set_skin(rig: sinew.Rig, skin: Skin) -> None:
    """Gives a rig weights. Endpoint weights that are missing are those of projection, and those for
    twist that are missing the ordinary ones."""
    endpoints, twists = skin.endpoints, skin.twists
    if endpoints is None or np.isnan(endpoints).any():
        rig.set_weights(skin.weights, skin.bones, skin.offsets)
        rig.compute_weights(None, endpoints="projection", progress=False)
        projected = rig.endpoints
        assert projected is not None, "computed just now"
        endpoints = (np.array(projected) if endpoints is None
                     else np.where(np.isnan(endpoints), projected, endpoints))
    if twists is not None:
        twists = np.where(np.isnan(twists), endpoints, twists)
    rig.set_weights(skin.weights, skin.bones, skin.offsets, endpoints=endpoints,
                    twist_endpoints=twists)


def blend_shares(objects: Sequence[Any]) -> Optional[Array]:
    """(vertices,) of several meshes, one after the other; None: none of them has any."""
    found = [read_shares(obj) for obj in objects]
    if all(shares is None for shares in found):
        return None
    result: Array = np.concatenate([
        np.full(len(obj.data.vertices), BLEND_SHARE) if shares is None else shares
        for obj, shares in zip(objects, found)])
    return result


def joined(skins: Sequence[Skin]) -> Skin:
    """The influences of several meshes, one after the other."""
    if len(skins) == 1:
        return skins[0]
    ends = np.cumsum([0, *(len(skin.weights) for skin in skins)])
    offsets = [skin.offsets[:-1] + start for skin, start in zip(skins, ends)]

    def all_of(parts: list[Optional[Array]]) -> Optional[Array]:
        if all(part is None for part in parts):
            return None
        result: Array = np.concatenate([
            np.full(len(skin.weights), np.nan) if part is None else part
            for skin, part in zip(skins, parts)])
        return result

    return Skin(np.concatenate([*offsets, ends[-1:]]),
                np.concatenate([skin.bones for skin in skins]),
                np.concatenate([skin.weights for skin in skins]),
                all_of([skin.endpoints for skin in skins]), all_of([skin.twists for skin in skins]))


def make_rig(objects: Sequence[Any], armature: Any, bones: Bones,
             skins: Optional[Sequence[Skin]] = None, in_pairs: bool = False) -> sinew.Rig:
    """Meshes and their armature as a rig, with all settings."""
    rig = sinew.Rig(objects[0].name)
    set_meshes(rig, objects, armature)
    set_skeleton(rig, bones, in_pairs)
    if skins is not None:
        set_skin(rig, joined(skins))
        steps: list[dict[str, Any]] = [*steps_of(armature, bones)]
        # Thousands of numbers, which nothing else reads.
        is_mixed = any(obj.sinew.method == MIXED for obj in objects)
        shares = blend_shares(objects) if is_mixed else None
        if shares is not None:
            steps.append({"blend-share": shares.tolist()})
        if steps:
            rig.edit(steps, progress=False)
    return rig
