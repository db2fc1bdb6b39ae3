# SPDX-License-Identifier: GPL-3.0-or-later
"""The node group of the skin: stretchable, twistable bones, linear or by dual quaternions.

p' = sum_i w_i { a'_i + R_i K_i(e_i) (e_i s_i + p - a_i) }, evaluated from the bone data and, for
each slot of influences, two attributes of the mesh: `sinew_bone_<k>`, which bone, and
`sinew_skin_<k>`, its weight and its filtered endpoint weights of stretch and twist. Slot 0 has the
largest weight. The formulas are those of skinning.cpp.
"""

from __future__ import annotations

from typing import Any

from .nodes import Formula, Quaternion, Value, shared
from .nodes_bones import PREFIX

POSITION_ATTRIBUTE = "sinew_position"
BLEND_ATTRIBUTE = "sinew_blend"
METHODS = {"stbs-lbs": "Linear", "stbs-dqs": "Dual", "stbs-mixed": "Mixed"}
"""Those that nodes evaluate, and what the names of their node groups have of them."""


def bone_attribute(slot: int) -> str:
    """Which bone has this slot."""
    return f"sinew_bone_{slot}"


def skin_attribute(slot: int) -> str:
    """Its weight and endpoint weights."""
    return f"sinew_skin_{slot}"


class _Influence:
    """What one bone does to a vertex."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.bones = formula.input("Bones", "NodeSocketGeometry")
        self.bone = formula.number_input("Bone")
        self.weight, self.stretch, twist = formula.vector_input("Skin").parts()
        self.offset = formula.vector_input("Point") - self.at("head")
        twist_head, twist_change, _ = self.at("twist").parts()
        self.angle = formula.math("MULTIPLY_ADD", twist_change, twist, twist_head)

    def at(self, name: str, kind: str = "FLOAT_VECTOR") -> Value:
        """An attribute of the bone."""
        value = self.formula.attribute(PREFIX + name, kind)
        return self.formula.sample(self.bones, value, self.bone)

    def scaled(self) -> Value:
        """How far the scale across the bone moves the vertex at bind."""
        return self.formula.sum_of(((self.at("side"), self.offset.dot(self.at("wider"))),
                                    (self.at("third"), self.offset.dot(self.at("deeper")))),
                                   self.formula.combined(0.0, 0.0, 0.0))

    def moved(self, offset: Value, sine: Value, cosine: Value) -> Value:
        """Where a point goes that lies at this offset from the head at bind."""
        formula = self.formula
        x, z = offset.dot(self.at("side")), offset.dot(self.at("third"))
        head = formula.sample(self.bones, formula.position(), self.bone)
        return formula.sum_of((
            (self.at("posed_axis"), offset.dot(self.at("axis"))),
            (self.at("posed_side"), cosine * x + sine * z),
            (self.at("posed_third"), cosine * z - sine * x),
            (self.at("stretch"), self.stretch)), head)


def make_linear_influence(name: str) -> Any:
    """What one bone adds to the sum of a linear blend."""
    formula = Formula(name)
    one = _Influence(formula)
    sine, cosine = formula.math("SINE", one.angle), formula.math("COSINE", one.angle)
    moved = one.moved(one.offset + one.scaled(), sine, cosine) * one.weight
    return formula.finish(Moved=("NodeSocketVector", moved))


def make_dual_influence(name: str) -> Any:
    """What one bone adds to the dual quaternion, with the sign of the pivot's side.

    Blending does not depend on the origin, which is put at the vertex: a bone's translation is then
    the way of the vertex itself.
    """
    formula = Formula(name)
    one = _Influence(formula)
    half = one.angle * 0.5
    sine, cosine = formula.math("SINE", half), formula.math("COSINE", half)
    rotation = one.at("rotation") * cosine + one.at("half_turn") * sine
    rotation_w = one.at("rotation_w", "FLOAT") * cosine + one.at("half_turn_w", "FLOAT") * sine
    turned = (rotation.dot(formula.vector_input("Pivot"))
              + rotation_w * formula.number_input("Pivot w"))
    flip = formula.math("LESS_THAN", turned, 0.0) * -2.0 + 1.0
    share = one.weight * flip
    # The sine and cosine of the whole angle.
    moved = one.moved(one.offset, sine * cosine * 2.0, sine * sine * -2.0 + 1.0)
    dual = moved * rotation_w + moved.cross(rotation)
    return formula.finish(
        Rotation=("NodeSocketVector", rotation),
        Rotation_w=("NodeSocketFloat", rotation_w),
        Real=("NodeSocketVector", rotation * share),
        Real_w=("NodeSocketFloat", rotation_w * share),
        Dual=("NodeSocketVector", dual * share),
        Dual_w=("NodeSocketFloat", moved.dot(rotation) * share * -1.0),
        Point=("NodeSocketVector", one.scaled() * one.weight))


def _slot(formula: Formula, tree: Any, slot: int, **more: Any) -> Any:
    return formula.group(tree, Bone=formula.attribute(bone_attribute(slot), "INT"),
                         Skin=formula.attribute(skin_attribute(slot), "FLOAT_VECTOR"), **more)


def _linear(formula: Formula, bones: Any, point: Value, slots: int) -> Value:
    tree = shared("Sinew Linear", make_linear_influence)
    nodes = [_slot(formula, tree, k, Bones=bones, Point=point) for k in range(slots)]
    result = formula.output(nodes[0], "Moved")
    for node in nodes[1:]:
        result = result + formula.output(node, "Moved")
    return result


def _dual(formula: Formula, bones: Any, point: Value, slots: int) -> Value:
    tree = shared("Sinew Dual", make_dual_influence)
    # Without a pivot nothing is opposite to it.
    first = _slot(formula, tree, 0, Bones=bones, Point=point)
    names = ("Real", "Real w", "Dual", "Dual w", "Point")
    sums = {name: formula.output(first, name) for name in names}
    for k in range(1, slots):
        node = _slot(formula, tree, k, Bones=bones, Point=point,
                     Pivot=formula.output(first, "Rotation"),
                     Pivot_w=formula.output(first, "Rotation w"))
        for name, value in sums.items():
            sums[name] = value + formula.output(node, name)
    real, dual = sums["Real"], sums["Dual"]
    square = real.dot(real) + sums["Real w"] * sums["Real w"]
    shift = (dual * sums["Real w"] - real * sums["Dual w"] + real.cross(dual)) / square
    return Quaternion(real, sums["Real w"]).normalized().rotate(sums["Point"]) + shift


def _mixed_blend(formula: Formula, bones: Any, point: Value, slots: int) -> Value:
    """Both, by the share that each vertex has of dual quaternions."""
    linear = _linear(formula, bones, point, slots)
    dual = _dual(formula, bones, point, slots)
    return linear + (dual - linear) * formula.attribute(BLEND_ATTRIBUTE, "FLOAT")


_BLENDS = {"stbs-lbs": _linear, "stbs-dqs": _dual, "stbs-mixed": _mixed_blend}


def make_skin_group(name: str, slots: int, method: str) -> Any:
    """The node group of a mesh whose vertices have up to so many bones."""
    formula = Formula(name)
    geometry = formula.input("Geometry", "NodeSocketGeometry")
    bones = formula.input("Bones", "NodeSocketObject")
    own = formula.node("GeometryNodeObjectInfo", transform_space="ORIGINAL")
    seen = formula.node("GeometryNodeObjectInfo", transform_space="RELATIVE")
    for node in (own, seen):
        formula.link(bones, node.inputs["Object"])
    shift = Value(formula, seen.outputs["Location"], True)
    scale = Value(formula, seen.outputs["Scale"], True)

    def turned(value: Value, back: bool) -> Value:
        node = formula.node("ShaderNodeVectorRotate", rotation_type="EULER_XYZ", invert=back)
        formula.link(value, node.inputs["Vector"])
        formula.link(seen.outputs["Rotation"], node.inputs["Rotation"])
        return Value(formula, node.outputs["Vector"], True)

    # From the mesh's own space to the armature's, and back.
    point = turned(formula.position() - shift, True) / scale
    posed = _BLENDS[method](formula, own.outputs["Geometry"], point, slots)
    placed = formula.node("GeometryNodeSetPosition")
    formula.link(geometry, placed.inputs["Geometry"])
    weight = formula.attribute(skin_attribute(0), "FLOAT_VECTOR").parts()[0]
    formula.link(formula.math("GREATER_THAN", weight, 0.0), placed.inputs["Selection"])
    formula.link(turned(posed * scale, False) + shift, placed.inputs["Position"])
    return formula.finish(Geometry=("NodeSocketGeometry", placed.outputs["Geometry"]))


def make_preview_group(name: str) -> Any:
    """The node group that puts vertices where the core says."""
    formula = Formula(name)
    geometry = formula.input("Geometry", "NodeSocketGeometry")
    placed = formula.node("GeometryNodeSetPosition")
    formula.link(geometry, placed.inputs["Geometry"])
    formula.link(formula.attribute(POSITION_ATTRIBUTE, "FLOAT_VECTOR"), placed.inputs["Position"])
    return formula.finish(Geometry=("NodeSocketGeometry", placed.outputs["Geometry"]))
