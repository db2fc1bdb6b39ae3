# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertex groups in bulk: bone weights, and beside them endpoint weights and blend shares.

Blender has no call that reads or writes all groups. Reading visits every element once; writing
adds vertices to groups with 0, list by list, and then sets each vertex's weights in one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

import bpy
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LONGEST_NAME = 63  # bytes of a group's name


BLEND_GROUP = "blend share"
"""The group with the share of dual quaternions of each vertex, for the mixed method."""
BLEND_SHARE = 0.5
"""Of meshes without the group."""


def endpoint_group(bone: str) -> str:
    """The group with a bone's endpoint weights."""
    return _beside(bone, "endpoint")


def twist_group(bone: str) -> str:
    """The group with a bone's endpoint weights for twist, where they differ."""
    return _beside(bone, "endpoint_twist")


def _beside(bone: str, word: str) -> str:
    """A name that Blender mirrors with the bone's.

    `<word>.<bone>`: Blender mirrors names by their ends, so that `endpoint.arm.L` becomes
    `endpoint.arm.R`; where the side is at the front (LeftArm) it is `<bone>.<word>`.
    """
    flipped = bpy.utils.flip_name(bone)
    front = f"{word}.{bone}"
    if flipped == bone or bpy.utils.flip_name(front) == f"{word}.{flipped}":
        return front
    return f"{bone}.{word}"


@dataclass(frozen=True)
class Elements:
    """Every membership of a vertex in a group, vertex by vertex."""

    counts: Array
    groups: Array
    weights: Array

    @property
    def vertices(self) -> Array:
        """The vertex of each."""
        return np.repeat(np.arange(len(self.counts)), self.counts)


def read_elements(mesh: Any) -> Elements:
    """All memberships of a mesh."""
    counts, groups, weights = [], [], []
    for vertex in mesh.vertices:
        elements = vertex.groups
        counts.append(len(elements))
        for element in elements:
            groups.append(element.group)
            weights.append(element.weight)
    return Elements(np.array(counts, np.int64), np.array(groups, np.int64),
                    np.array(weights, np.float64))


@dataclass(frozen=True)
class Skin:
    """Influences of vertices: those of v are offsets[v] to offsets[v + 1] - 1."""

    offsets: Array
    bones: Array
    weights: Array
    endpoints: Optional[Array]
    """NaN where there is none."""
    twists: Optional[Array]
    """Endpoint weights for twist where they differ; NaN where they do not."""

    @property
    def vertices(self) -> Array:
        """The vertex of each influence."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def _lookup(obj: Any, names: list[str]) -> Array:
    """For each group of an object, which of the names it has; -1: none."""
    numbers = {name: i for i, name in enumerate(names)}
    found = [numbers.get(group.name, -1) for group in obj.vertex_groups]
    return np.array(found or [-1], np.int64)


def read_skin(obj: Any, names: list[str], as_painted: bool = False) -> Skin:
    """The weights of these bones, with sum 1 at each vertex (if not `as_painted`), and their
    endpoint weights, those for twist as well."""
    elements = read_elements(obj.data)
    vertices, count = elements.vertices, len(names)
    bone = _lookup(obj, names)[elements.groups]
    is_weight = (bone >= 0) & (elements.weights > 0)
    keys = vertices[is_weight] * count + bone[is_weight]
    order = np.argsort(keys, kind="stable")
    keys, weights = keys[order], elements.weights[is_weight][order]
    rows = keys // count
    if not as_painted:
        weights = weights / np.bincount(rows, weights, len(elements.counts))[rows]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(elements.counts)))])

    def beside(group_of: Callable[[str], str]) -> Optional[Array]:
        of_bone = _lookup(obj, [group_of(name) for name in names])[elements.groups]
        is_there = of_bone >= 0
        if not is_there.any():
            return None
        their_keys = vertices[is_there] * count + of_bone[is_there]
        order = np.argsort(their_keys)
        return _found(keys, their_keys[order], elements.weights[is_there][order])

    return Skin(offsets, keys % count, weights, beside(endpoint_group), beside(twist_group))


def read_shares(obj: Any) -> Optional[Array]:
    """(vertices,) the blend shares of a mesh, 0 where a vertex is not in the group; None: there is
    no group."""
    group = obj.vertex_groups.get(BLEND_GROUP)
    if group is None:
        return None
    elements = read_elements(obj.data)
    result, mine = np.zeros(len(elements.counts)), elements.groups == group.index
    result[elements.vertices[mine]] = elements.weights[mine]
    return result


def _found(wanted: Array, keys: Array, values: Array) -> Array:
    """The values at sorted keys; NaN where a key is missing."""
    if not len(keys):
        return np.full(len(wanted), np.nan)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], np.nan)


def write_groups(obj: Any, names: list[str], vertices: Array, group_of: Array, values: Array,
                 within: Optional[Array] = None) -> None:
    """Makes groups have these members and no others.

    One entry for each member: its vertex, which of `names` it belongs to, its weight. `within`:
    only these vertices change (a mask). Groups that are missing are added.
    """
    for name in names:
        if len(name.encode()) > LONGEST_NAME:
            raise ValueError(f"a group's name is too long: {name}")
        if name not in obj.vertex_groups:
            obj.vertex_groups.new(name=name)
    places = np.array([obj.vertex_groups[name].index for name in names], np.int64)
    if within is not None:
        kept = within[vertices]
        vertices, group_of, values = vertices[kept], group_of[kept], values[kept]
    total = len(obj.vertex_groups)
    keys = vertices * total + places[group_of]
    elements = read_elements(obj.data)
    is_ours = np.isin(elements.groups, places)
    if within is not None:
        is_ours &= within[elements.vertices]
    present = elements.vertices[is_ours] * total + elements.groups[is_ours]
    stale, missing = np.setdiff1d(present, keys), np.setdiff1d(keys, present)
    for name, place in zip(names, places):
        group = obj.vertex_groups[name]
        group.remove((stale[stale % total == place] // total).tolist())
        added = (missing[missing % total == place] // total).tolist()
        if added:
            group.add(added, 0.0, "ADD")
    _set_weights(obj, keys, values)


def _set_weights(obj: Any, keys: Array, values: Array) -> None:
    """Sets weights by vertex and group, of vertices that are members already."""
    elements = read_elements(obj.data)
    order = np.argsort(keys)
    ours = elements.vertices * len(obj.vertex_groups) + elements.groups
    new = _found(ours, keys[order], values[order])
    weights = np.where(np.isnan(new), elements.weights, new).astype(np.float32)
    ends = np.cumsum(elements.counts).tolist()
    start = 0
    for vertex, end in zip(obj.data.vertices, ends):
        if end > start:
            vertex.groups.foreach_set("weight", weights[start:end])
        start = end
    obj.data.update()
