# SPDX-License-Identifier: GPL-3.0-or-later
"""The node group of the bone data: from where bones are to how they turn, stretch and twist.

Its mesh has six points for each bone, in blocks: the head, the head plus each of three unit axes
(the second along the bone), all moved by the bone itself; the tail, moved by the bone that carries
it; and one that tells by its place how often the bone has turned about itself and about the bone
before. What comes out has one point for each bone, with what the skin needs.
The formulas are those of posed_rig.cpp.
"""

from __future__ import annotations

from math import pi
from typing import Any

from .nodes import Formula, Quaternion, Value
from .turns import GUARD

# The cosines of half of 150 and of half of 90 degrees: between them a twist fades.
NO_TWIST, ALL_TWIST = 0.25881904510252076, 0.70710678118654752
# Vertex groups are attributes, too: names must not be those of bones.
PREFIX = "sinew_"
POLAR_STEPS = 6  # enough for bones that are ten times as long as wide
BLOCKS = 6
TURNS_UNIT = 10  # turns for the value 1 of a shape key, which is at most 10


def _nearest_rotation(formula: Formula, axes: list[Value]) -> list[Value]:
    """The rotation nearest to a matrix, by columns (Higham 1986), without its size at first."""
    volume = formula.math("ABSOLUTE", axes[0].dot(axes[1].cross(axes[2])))
    size = formula.math("POWER", formula.math("MAXIMUM", volume, 1e-12), -1.0 / 3.0)
    axes = [axis * size for axis in axes]
    for _ in range(POLAR_STEPS):
        x, y, z = axes
        across = [y.cross(z), z.cross(x), x.cross(y)]
        share = formula.math("DIVIDE", 0.5, x.dot(across[0]))
        axes = [axis * 0.5 + cofactor * share for axis, cofactor in zip(axes, across)]
    return axes


def _mixed(a: Value, b: Value, share: Value) -> Value:
    return a + (b - a) * share


def _quaternion(formula: Formula, axes: list[Value]) -> Quaternion:
    """Of a rotation by its columns: the row of 4 q q^T with the largest number on the diagonal."""
    (m00, m10, m20), (m01, m11, m21), (m02, m12, m22) = (axis.parts() for axis in axes)
    rows = [
        (formula.combined(m21 - m12, m02 - m20, m10 - m01), m00 + m11 + m22 + 1.0),
        (formula.combined(m00 - m11 - m22 + 1.0, m10 + m01, m02 + m20), m21 - m12),
        (formula.combined(m10 + m01, m11 - m00 - m22 + 1.0, m21 + m12), m02 - m20),
        (formula.combined(m02 + m20, m21 + m12, m22 - m00 - m11 + 1.0), m10 - m01),
    ]
    sizes = [rows[0][1], *(row[0].parts()[i] for i, row in enumerate(rows[1:]))]
    vector, w, size = *rows[0], sizes[0]
    for row, other in zip(rows[1:], sizes[1:]):
        is_larger = formula.math("GREATER_THAN", other, size)
        vector, w = _mixed(vector, row[0], is_larger), _mixed(w, row[1], is_larger)
        size = formula.math("MAXIMUM", size, other)
    return Quaternion(vector, w).normalized()


def _twist(formula: Formula, turn: Quaternion, axis: Value, told: Value) -> Value:
    """The twist of a turn about an axis, faded where the swing is large, with the full turns that
    bring it nearest to those that are told."""
    along = turn.vector.dot(axis)
    sign = formula.math("GREATER_THAN", turn.w, 0.0) * 2.0 - 1.0
    angle = formula.math("ARCTAN2", along * sign, turn.w * sign) * 2.0
    full = formula.math("ROUND", (told - angle / (2 * pi)) * GUARD)
    angle = angle + full * (2 * pi)
    closeness = formula.math("SQRT", turn.w * turn.w + along * along)
    t = (closeness - NO_TWIST) / (ALL_TWIST - NO_TWIST)
    t = formula.math("MAXIMUM", formula.math("MINIMUM", t, 1.0), 0.0)
    return angle * (t * t * (t * -2.0 + 3.0))


def make_bones_group(name: str) -> Any:
    """The node group. Attributes of the mesh: see bone_data.py."""
    formula = Formula(name)
    geometry = formula.input("Geometry", "NodeSocketGeometry")
    squash = formula.number_input("Squash")
    size = formula.node("GeometryNodeAttributeDomainSize", component="MESH")
    formula.link(geometry, size.inputs["Geometry"])
    points = Value(formula, size.outputs["Point Count"], False)
    count = formula.math("ROUND", points / float(BLOCKS))

    def block(number: int) -> Value:
        return formula.sample(geometry, formula.position(), formula.index() + count * float(number))

    head, tail, turns = formula.position(), block(4), block(5)
    posed = [block(k) - head for k in (1, 2, 3)]
    axes = _nearest_rotation(formula, posed)
    rest = Quaternion(formula.attribute(PREFIX + "rest_turn", "FLOAT_VECTOR"),
                      formula.attribute(PREFIX + "rest_turn_w", "FLOAT"))
    turn = _quaternion(formula, axes) * rest.conjugate()
    span = tail - head
    length, rest_length = span.length(), formula.attribute(PREFIX + "length", "FLOAT")
    # Where the bone has no length, it points as its joint does.
    flat = formula.math("LESS_THAN", length, 1e-20)
    direction = span.normalized() + axes[1] * flat
    swing = Quaternion(axes[1].cross(direction), axes[1].dot(direction) + 1.0).normalized()
    rotation = swing * turn
    thinner = formula.math("POWER", formula.math("MAXIMUM", length / rest_length, 1e-6), -0.5)
    wide, deep, shear = axes[0].dot(posed[0]), axes[2].dot(posed[2]), axes[0].dot(posed[2])
    factor = squash * (thinner - 1.0) + 1.0
    axis, side, third = (formula.attribute(PREFIX + name, "FLOAT_VECTOR")
                         for name in ("axis", "side", "third"))
    # What a vertex of the skin reads, packed so that little is left to be done for each.
    along = swing.rotate(axes[1])
    half = Quaternion(rotation.w * axis + rotation.vector.cross(axis), -rotation.vector.dot(axis))
    results = (
        ("turn", turn.vector), ("turn_w", turn.w),
        ("posed_side", rotation.rotate(side)), ("posed_axis", along),
        ("posed_third", rotation.rotate(third)),
        ("wider", (side * wide + third * shear) * factor - side),
        ("deeper", (side * shear + third * deep) * factor - third),
        ("rotation", rotation.vector), ("rotation_w", rotation.w),
        ("half_turn", half.vector), ("half_turn_w", half.w),
        ("stretch", direction * (length - rest_length)), ("turns", turns),
    )
    for attribute, value in results:
        geometry = formula.store(geometry, PREFIX + attribute, value)
    own = Quaternion(formula.attribute(PREFIX + "turn", "FLOAT_VECTOR"),
                     formula.attribute(PREFIX + "turn_w", "FLOAT"))

    def turn_of(link: str) -> Quaternion:
        index = formula.attribute(PREFIX + link, "INT")
        return Quaternion(formula.sample(geometry, own.vector, index),
                          formula.sample(geometry, own.w, index))

    turns = formula.attribute(PREFIX + "turns", "FLOAT_VECTOR")
    after = formula.sample(geometry, turns, formula.attribute(PREFIX + "next", "INT"))
    twist_head = _twist(formula, turn_of("parent").conjugate() * own, axis, turns.parts()[0])
    twist_tail = _twist(formula, own.conjugate() * turn_of("next"), axis, after.parts()[1])
    twist_head = formula.attribute(PREFIX + "own_share", "FLOAT") * twist_head * -1.0
    twist_tail = formula.attribute(PREFIX + "next_share", "FLOAT") * twist_tail
    twist = formula.combined(twist_head, twist_tail - twist_head, 0.0)
    geometry = formula.store(geometry, PREFIX + "twist", twist)
    kept = formula.node("GeometryNodeSeparateGeometry", domain="POINT")
    formula.link(geometry, kept.inputs["Geometry"])
    formula.link(formula.math("LESS_THAN", formula.index(), count - 0.5), kept.inputs["Selection"])
    return formula.finish(Geometry=("NodeSocketGeometry", kept.outputs["Selection"]))
