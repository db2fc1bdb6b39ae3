# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of endpoint weights, as curves of nodes that Blender can show and edit.

The points of a curve are the filter's. Between them the core's monotone cubic counts, which
Blender's own drawing of the curve follows closely.
"""

from __future__ import annotations

from typing import Any, Optional

import bpy
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
KINDS = ("stretch", "twist")
"""Of filters. A third kind of curve, "muscle", is the profile of a bone's muscle."""
# What a new curve is like, or the lack of one.
_PLAIN: dict[str, list[tuple[float, float]]] = {
    "stretch": [(0.0, 0.0), (1.0, 1.0)], "twist": [(0.0, 0.0), (1.0, 1.0)], "muscle": []}
_NEW = {**_PLAIN, "muscle": [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]}


def curve_node(armature: Any, bone: Any, kind: str) -> Optional[Any]:
    """The node with a bone's filter; None if it has none."""
    tree = armature.sinew.filters
    name = getattr(bone.sinew, f"{kind}_curve")
    return tree.nodes.get(name) if tree is not None and name else None


def add_curve(armature: Any, bone: Any, kind: str) -> Any:
    """A curve for a bone: at first a filter that leaves everything as it is, or a bump."""
    if armature.sinew.filters is None:
        tree = bpy.data.node_groups.new(f".Sinew filters of {armature.name}", "GeometryNodeTree")
        armature.sinew.filters = tree
    node = armature.sinew.filters.nodes.new("ShaderNodeFloatCurve")
    node.label = f"{bone.name}: {kind}"
    setattr(bone.sinew, f"{kind}_curve", node.name)
    _write(node, _NEW[kind])
    return node


def remove_curve(armature: Any, bone: Any, kind: str) -> None:
    """Takes a filter away."""
    node = curve_node(armature, bone, kind)
    if node is not None:
        armature.sinew.filters.nodes.remove(node)
    setattr(bone.sinew, f"{kind}_curve", "")


def points_of(armature: Any, bone: Any, kind: str) -> list[tuple[float, float]]:
    """The points of a filter, ascending in x and within 0 and 1; none: there is no filter."""
    node = curve_node(armature, bone, kind)
    if node is None:
        return []
    points: dict[float, float] = {}
    for point in node.mapping.curves[0].points:
        x, y = (min(max(float(value), 0.0), 1.0) for value in point.location)
        points[x] = y
    listed = sorted(points.items())
    return [] if listed == _PLAIN[kind] else listed


def set_points(armature: Any, bone: Any, kind: str, points: Any) -> None:
    """Makes a filter have these points; none: takes it away."""
    remove_curve(armature, bone, kind)
    if not len(points):
        return
    _write(add_curve(armature, bone, kind), points)


def _write(node: Any, points: Any) -> None:
    curve = node.mapping.curves[0]
    while len(curve.points) < len(points):
        curve.points.new(0.5, 0.5)
    while len(curve.points) > max(len(points), 2):
        curve.points.remove(curve.points[-1])
    listed = list(points) * 2 if len(points) == 1 else list(points)
    for place, (x, y) in zip(curve.points, listed):
        place.location = (x, y)
        place.handle_type = "AUTO_CLAMPED"
    node.mapping.update()


def step_text(points: list[tuple[float, float]]) -> str:
    """A filter as the core's editing steps take it."""
    if not points:
        return "none"
    values = [y for _, y in points]
    free = "free:" if any(b < a for a, b in zip(values, values[1:])) else ""
    return free + ",".join(f"{x!r}:{y!r}" for x, y in points)


def evaluate(points: list[tuple[float, float]], values: Array) -> Array:
    """The filter at some endpoint weights: monotone cubics (Fritsch and Butland 1984)."""
    if not points:
        return values
    x, y = (np.array(column) for column in zip(*points))
    if len(points) == 1:
        return np.full_like(values, y[0])
    h, secants = np.diff(x), np.diff(y) / np.diff(x)
    slopes = np.empty(len(x))
    slopes[0], slopes[-1] = secants[0], secants[-1]
    before, after = secants[:-1], secants[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = 3 * (h[:-1] + h[1:]) / ((2 * h[1:] + h[:-1]) / before
                                       + (h[1:] + 2 * h[:-1]) / after)
    slopes[1:-1] = np.where(before * after > 0, inner, 0.0)
    i = np.clip(np.searchsorted(x, values, side="right") - 1, 0, len(h) - 1)
    t = np.clip((values - x[i]) / h[i], 0.0, 1.0)
    s = 1 - t
    result = (y[i] * (1 + 2 * t) * s * s + y[i + 1] * t * t * (3 - 2 * t)
              + h[i] * slopes[i] * t * s * s - h[i] * slopes[i + 1] * t * t * s)
    low, high = np.minimum(y[i], y[i + 1]), np.maximum(y[i], y[i + 1])
    clipped: Array = np.clip(result, low, high)
    return clipped
