# SPDX-License-Identifier: GPL-3.0-or-later
"""Automatic weights: prepared from a mesh, computed on any thread, written back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import NDArray

from . import compat, rigs, sinew
from .bones import Bones, read_bones
from .groups import Skin, endpoint_group, read_skin, write_groups

Array = NDArray[Any]
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Settings:
    """What the user has chosen."""

    method: str = "bbw"
    """A method of the core; "": keep the weights, and compute endpoint weights alone."""
    endpoints: str = "bbw"
    influences: int = 0
    vertices: str = "ALL"
    """Or "SELECTED", or "UNWEIGHTED": those without any weight."""
    bones: str = "ALL"
    """Or "SELECTED": those selected in pose mode; the groups of others stay as they are."""
    options: dict[str, float] = field(default_factory=dict)
    """Of the method: lattice_nodes, voxels, power, joints, heat."""


@dataclass
class Job:
    """One mesh, ready to be computed without touching Blender's data."""

    obj: Any
    armature: Any
    settings: Settings
    bones: Bones
    rig: sinew.Rig
    before: Skin
    """As it was painted."""
    free: Array
    """(bones,) which of them may change."""
    within: Optional[Array]
    """(vertices,) which of them may change; None: all."""
    report: dict[str, Any] = field(default_factory=dict)
    spare: Optional[sinew.Rig] = None


def prepare(obj: Any, armature: Any, settings: Settings) -> Job:
    """Reads what a computation needs. Raises ValueError where it makes no sense."""
    if not obj.data.polygons:
        raise ValueError(f"{obj.name} has no faces")
    bones = read_bones(armature)
    before = read_skin(obj, bones.names, as_painted=True)
    free = np.array([_is_free(obj, armature, name, settings) for name in bones.names])
    if not free.any():
        raise ValueError("every bone's group is locked, or no bone is selected")
    keep = settings.method == ""
    if keep and not len(before.weights):
        raise ValueError(f"{obj.name} has no weights to keep")
    skins = [read_skin(obj, bones.names)] if keep else None
    rig = rigs.make_rig([obj], armature, bones, skins)
    return Job(obj, armature, settings, bones, rig, before, free, _mask(obj, before, settings))


def _is_free(obj: Any, armature: Any, name: str, settings: Settings) -> bool:
    group = obj.vertex_groups.get(name)
    if group is not None and group.lock_weight:
        return False
    return settings.bones == "ALL" or compat.is_selected(armature.pose.bones[name])


def _mask(obj: Any, before: Skin, settings: Settings) -> Optional[Array]:
    count = len(obj.data.vertices)
    if settings.vertices == "SELECTED":
        selected = np.zeros(count, bool)
        obj.data.vertices.foreach_get("select", selected)
        return selected
    if settings.vertices == "UNWEIGHTED":
        totals = np.bincount(before.vertices, before.weights, count)
        unweighted: Array = totals <= 0
        return unweighted
    return None


def compute(job: Job, progress: Optional[Progress] = None) -> None:
    """Computes weights; takes long, and calls nothing of Blender. Raises sinew.Cancelled or what
    `progress` raises."""
    chosen = job.settings
    options = {name: value for name, value in chosen.options.items() if value}
    job.report = job.rig.compute_weights(
        chosen.method or None, endpoints=chosen.endpoints, influences=chosen.influences,
        progress=progress or False, **options)  # type: ignore[arg-type]
    if not job.free.all() and chosen.method:
        # For vertices that the others would leave without a bone.
        job.spare = sinew.Rig("spare")
        job.spare.set_mesh(job.rig.positions, job.rig.triangles)
        job.spare.set_skeleton(
            np.full(int(job.free.sum()), -1), job.bones.heads[job.free],
            bone_joints=np.arange(int(job.free.sum())), bone_tails=job.bones.tails[job.free])
        job.spare.compute_weights("rigid", endpoints="projection", progress=False)


def _influences(rig: sinew.Rig) -> tuple[Array, Array, Array, Optional[Array]]:
    counts = np.diff(rig.weight_offsets.astype(np.int64))
    return (np.repeat(np.arange(len(counts)), counts), np.array(rig.weight_bones, np.int64),
            np.array(rig.weights), None if rig.endpoints is None else np.array(rig.endpoints))


def _fitted(job: Job) -> tuple[Array, Array, Array, Array]:
    """Vertex, bone, weight and endpoint weight of each new influence of the free bones, scaled to
    what those that stay have left over."""
    count, settings = len(job.obj.data.vertices), job.settings
    vertices, bones, weights, found = _influences(job.rig)
    endpoints = np.full(len(weights), np.nan) if found is None else found
    if job.free.all():
        return vertices, bones, weights, endpoints
    old, stays = job.before, ~job.free[job.before.bones]
    fixed = np.bincount(old.vertices[stays], old.weights[stays], count)
    taken = np.bincount(old.vertices[stays], minlength=count)
    free = job.free[bones]
    vertices, bones, weights, endpoints = (a[free] for a in (vertices, bones, weights, endpoints))
    sums = np.bincount(vertices, weights, count)
    bare = np.flatnonzero((sums <= 0) & (fixed <= 0))
    if len(bare) and job.spare is not None:
        nearest, which, _, along = _influences(job.spare)
        mine = np.isin(nearest, bare)
        assert along is not None, "asked for above"
        numbers = np.flatnonzero(job.free)
        vertices = np.concatenate([vertices, nearest[mine]])
        bones = np.concatenate([bones, numbers[which[mine]]])
        weights = np.concatenate([weights, np.ones(int(mine.sum()))])
        endpoints = np.concatenate([endpoints, along[mine]])
        sums = np.bincount(vertices, weights, count)
    if settings.influences:
        order = np.lexsort((-weights, vertices))
        vertices, bones, weights, endpoints = (
            a[order] for a in (vertices, bones, weights, endpoints))
        starts = np.concatenate([[0], np.cumsum(np.bincount(vertices, minlength=count))])
        rank = np.arange(len(vertices)) - starts[vertices]
        kept = rank < np.maximum(settings.influences - taken[vertices], taken[vertices] == 0)
        vertices, bones, weights, endpoints = (
            a[kept] for a in (vertices, bones, weights, endpoints))
        sums = np.bincount(vertices, weights, count)
    left = np.clip(1 - fixed, 0, 1)
    weights = weights * left[vertices] / np.maximum(sums[vertices], 1e-30)
    some = weights > 0
    return vertices[some], bones[some], weights[some], endpoints[some]


def apply(job: Job) -> dict[str, Any]:
    """Writes the groups of what was computed, and the report, which it returns."""
    vertices, bones, weights, endpoints = _fitted(job)
    free = np.flatnonzero(job.free)
    place = np.full(len(job.free), -1)
    place[free] = np.arange(len(free))
    mine = job.free[bones]
    names = [job.bones.names[b] for b in free]
    if job.settings.method:
        write_groups(job.obj, names, vertices[mine], place[bones[mine]], weights[mine], job.within)
    known = mine & ~np.isnan(endpoints)
    if known.any():
        write_groups(job.obj, [endpoint_group(name) for name in names], vertices[known],
                     place[bones[known]], endpoints[known], job.within)
    after = read_skin(job.obj, job.bones.names)
    uncovered = np.flatnonzero(np.diff(after.offsets) == 0)
    report = {
        "method": job.report["method"], "seconds": job.report["seconds"],
        "findings": job.report["findings"], "poor": job.report["poor"],
        "most_influences": int(np.diff(after.offsets).max(initial=0)),
        "empty_groups": sorted(set(names) - {job.bones.names[b] for b in np.unique(after.bones)}),
        "bleeding": job.report["bleeding"]["vertices"], "uncovered": uncovered.tolist(),
    }
    job.obj.sinew.report = json.dumps(report)
    return report


def attach(obj: Any, armature: Any) -> None:
    """Parents a mesh to an armature where it stands, with an Armature modifier."""
    if obj.parent != armature:
        world = obj.matrix_world.copy()
        obj.parent = armature
        obj.matrix_parent_inverse = armature.matrix_world.inverted()
        obj.matrix_world = world
    if not any(m.type == "ARMATURE" and m.object == armature for m in obj.modifiers):
        obj.modifiers.new("Armature", "ARMATURE").object = armature
