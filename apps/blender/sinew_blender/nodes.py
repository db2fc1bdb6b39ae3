# SPDX-License-Identifier: GPL-3.0-or-later
"""Formulas as geometry nodes: values with operators, which add a node each."""

from __future__ import annotations

from typing import Any, Callable, Sequence, Union

import bpy

from . import compat

Number = Union[int, float]

REVISION = 2  # of the node groups: raised when one changes, so that files get new ones


class Value:
    """An output of a node: a number or a vector at every point."""

    def __init__(self, formula: Formula, socket: Any, is_vector: bool) -> None:
        self.formula = formula
        self.socket = socket
        self.is_vector = is_vector

    def _with(self, operation: str, other: Union[Value, Number]) -> Value:
        other_is_vector = isinstance(other, Value) and other.is_vector
        if self.is_vector or other_is_vector:
            return self.formula.vector(operation, self, other)
        return self.formula.math(operation, self, other)

    def __add__(self, other: Union[Value, Number]) -> Value:
        return self._with("ADD", other)

    def __sub__(self, other: Union[Value, Number]) -> Value:
        return self._with("SUBTRACT", other)

    def __mul__(self, other: Union[Value, Number]) -> Value:
        if self.is_vector and not (isinstance(other, Value) and other.is_vector):
            return self.formula.vector("SCALE", self, other)
        if isinstance(other, Value) and other.is_vector and not self.is_vector:
            return self.formula.vector("SCALE", other, self)
        return self._with("MULTIPLY", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Union[Value, Number]) -> Value:
        if self.is_vector and not (isinstance(other, Value) and other.is_vector):
            return self.formula.vector("SCALE", self, self.formula.math("DIVIDE", 1.0, other))
        return self._with("DIVIDE", other)

    def __neg__(self) -> Value:
        return self * -1.0

    def dot(self, other: Value) -> Value:
        """The inner product."""
        return self.formula.vector("DOT_PRODUCT", self, other)

    def cross(self, other: Value) -> Value:
        """The outer product."""
        return self.formula.vector("CROSS_PRODUCT", self, other)

    def length(self) -> Value:
        """The length of a vector."""
        return self.formula.vector("LENGTH", self)

    def normalized(self) -> Value:
        """The unit vector; 0 stays 0."""
        return self.formula.vector("NORMALIZE", self)

    def parts(self) -> tuple[Value, Value, Value]:
        """x, y, z."""
        node = self.formula.node("ShaderNodeSeparateXYZ")
        self.formula.link(self, node.inputs[0])
        return (Value(self.formula, node.outputs[0], False),
                Value(self.formula, node.outputs[1], False),
                Value(self.formula, node.outputs[2], False))


class Quaternion:
    """A rotation: its vector part and w."""

    def __init__(self, vector: Value, w: Value) -> None:
        self.vector = vector
        self.w = w

    def __mul__(self, other: Quaternion) -> Quaternion:
        """This one after the other."""
        a, b = self, other
        return Quaternion(a.w * b.vector + b.w * a.vector + a.vector.cross(b.vector),
                          a.w * b.w - a.vector.dot(b.vector))

    def conjugate(self) -> Quaternion:
        """The way back."""
        return Quaternion(-self.vector, self.w)

    def normalized(self) -> Quaternion:
        """With length 1."""
        formula = self.w.formula
        norm = formula.math("SQRT", self.vector.dot(self.vector) + self.w * self.w)
        return Quaternion(self.vector / norm, self.w / norm)

    def rotate(self, point: Value) -> Value:
        """A point, turned. The quaternion must have length 1."""
        double = self.vector.cross(point) * 2.0
        return point + self.w * double + self.vector.cross(double)


class Formula:
    """A node group that is being written."""

    def __init__(self, name: str) -> None:
        self.tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
        self._input: Any = None
        self._constants: dict[str, Value] = {}

    def node(self, kind: str, **properties: Any) -> Any:
        """A new node."""
        node = self.tree.nodes.new(kind)
        for name, value in properties.items():
            setattr(node, name, value)
        node.location = (180 * (len(self.tree.nodes) // 12), -160 * (len(self.tree.nodes) % 12))
        return node

    def link(self, value: Union[Value, Number, Any], socket: Any) -> None:
        """Connects a value or a socket to an input, or sets it."""
        if isinstance(value, Value):
            self.tree.links.new(value.socket, socket)
        elif isinstance(value, (int, float)):
            if socket.type == "VECTOR":
                socket.default_value = (value, value, value)
            else:
                socket.default_value = value
        else:
            self.tree.links.new(value, socket)

    def input(self, name: str, kind: str) -> Any:
        """The socket of an input of the group; added if it is not there."""
        if self._input is None:
            self._input = self.node("NodeGroupInput")
        if name not in self._input.outputs:
            compat.add_socket(self.tree, name, kind)
        return self._input.outputs[name]

    def number_input(self, name: str) -> Value:
        """A number that the group is given."""
        return Value(self, self.input(name, "NodeSocketFloat"), False)

    def vector_input(self, name: str) -> Value:
        """A vector that the group is given."""
        return Value(self, self.input(name, "NodeSocketVector"), True)

    def finish(self, **outputs: tuple[str, Any]) -> Any:
        """Ends the group with these outputs: kinds, and values or sockets."""
        for name, (kind, _) in outputs.items():
            compat.add_socket(self.tree, name.replace("_", " "), kind, is_output=True)
        end = self.node("NodeGroupOutput")
        for name, (_, value) in outputs.items():
            self.link(value, end.inputs[name.replace("_", " ")])
        return self.tree

    def math(self, operation: str, *values: Union[Value, Number]) -> Value:
        """A node for numbers."""
        node = self.node("ShaderNodeMath", operation=operation)
        for value, socket in zip(values, node.inputs):
            self.link(value, socket)
        return Value(self, node.outputs[0], False)

    def sum_of(self, values: Sequence[tuple[Value, Value]], start: Value) -> Value:
        """Vectors times numbers, added to a start: a node or two for each."""
        for vector, number in values:
            start = start + vector * number
        return start

    def vector(self, operation: str, *values: Union[Value, Number]) -> Value:
        """A node for vectors."""
        node = self.node("ShaderNodeVectorMath", operation=operation)
        sockets = [node.inputs[0], node.inputs["Scale"] if operation == "SCALE" else node.inputs[1]]
        for value, socket in zip(values, sockets):
            self.link(value, socket)
        is_number = operation in ("DOT_PRODUCT", "LENGTH")
        return Value(self, node.outputs["Value" if is_number else "Vector"], not is_number)

    def combined(self, x: Union[Value, Number], y: Union[Value, Number],
                 z: Union[Value, Number]) -> Value:
        """A vector of three numbers."""
        node = self.node("ShaderNodeCombineXYZ")
        for value, socket in zip((x, y, z), node.inputs):
            self.link(value, socket)
        return Value(self, node.outputs[0], True)

    def attribute(self, name: str, kind: str) -> Value:
        """A named attribute: "FLOAT", "INT" or "FLOAT_VECTOR"."""
        if name not in self._constants:
            node = self.node("GeometryNodeInputNamedAttribute", data_type=kind)
            node.inputs["Name"].default_value = name
            socket = next(s for s in node.outputs if s.enabled and s.name == "Attribute")
            self._constants[name] = Value(self, socket, kind == "FLOAT_VECTOR")
        return self._constants[name]

    def field(self, kind: str, output: str, is_vector: bool) -> Value:
        """What every point has of itself: its index, its position."""
        if kind not in self._constants:
            self._constants[kind] = Value(self, self.node(kind).outputs[output], is_vector)
        return self._constants[kind]

    def index(self) -> Value:
        """The number of each point."""
        return self.field("GeometryNodeInputIndex", "Index", False)

    def position(self) -> Value:
        """The place of each point."""
        return self.field("GeometryNodeInputPosition", "Position", True)

    def sample(self, geometry: Any, value: Value, index: Value) -> Value:
        """The value at a point of another geometry."""
        kind = "FLOAT_VECTOR" if value.is_vector else "FLOAT"
        node = self.node("GeometryNodeSampleIndex", data_type=kind, domain="POINT", clamp=True)
        self.link(geometry, node.inputs["Geometry"])
        target = next(s for s in node.inputs if s.enabled and s.name == "Value")
        self.link(value, target)
        self.link(index, node.inputs["Index"])
        output = next(s for s in node.outputs if s.enabled and s.name == "Value")
        return Value(self, output, value.is_vector)

    def store(self, geometry: Any, name: str, value: Value) -> Any:
        """The geometry with one more attribute."""
        kind = "FLOAT_VECTOR" if value.is_vector else "FLOAT"
        node = self.node("GeometryNodeStoreNamedAttribute", data_type=kind, domain="POINT")
        self.link(geometry, node.inputs["Geometry"])
        node.inputs["Name"].default_value = name
        self.link(value, next(s for s in node.inputs if s.enabled and s.name == "Value"))
        return node.outputs["Geometry"]

    def group(self, tree: Any, **inputs: Any) -> Any:
        """Another group inside of this one."""
        node = self.node("GeometryNodeGroup", node_tree=tree)
        for name, value in inputs.items():
            self.link(value, node.inputs[name.replace("_", " ")])
        return node

    def output(self, node: Any, name: str) -> Value:
        """An output of a group."""
        socket = node.outputs[name]
        return Value(self, socket, socket.type == "VECTOR")


def shared(name: str, make: Callable[[str], Any]) -> Any:
    """A node group that several meshes use: the file's, if it is of this revision, or a new one."""
    mark = f"{name}, revision {REVISION}"
    for tree in bpy.data.node_groups:
        if tree.get("sinew") == mark:
            return tree
    tree = make(name)
    tree["sinew"] = mark
    return tree
