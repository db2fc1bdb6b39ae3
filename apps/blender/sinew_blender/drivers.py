# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables of Blender's drivers. Expressions made of them are simple ones, which Blender evaluates
itself, without Python, and are short of 256 characters."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

_TURN = (("w", "ROT_W"), ("x", "ROT_X"), ("y", "ROT_Y"), ("z", "ROT_Z"))


def scripted(curve: Any) -> Any:
    """The driver of a curve, for an expression and without variables."""
    driver = curve.driver
    driver.type = "SCRIPTED"
    while driver.variables:
        driver.variables.remove(driver.variables[0])
    return driver


def add_transform(driver: Any, name: str, armature: Any, bone: str, kind: str,
                  space: str = "WORLD_SPACE") -> None:
    """A number of the transform of a bone or, without a name, of the armature object."""
    variable = driver.variables.new()
    variable.name, variable.type = name, "TRANSFORMS"
    target = variable.targets[0]
    target.id, target.bone_target, target.transform_type = armature, bone, kind
    target.transform_space, target.rotation_mode = space, "QUATERNION"


def add_turn(driver: Any, armature: Any, bone: str) -> None:
    """Variables w, x, y, z: how a bone is turned from rest, in its own frame."""
    for name, kind in _TURN:
        add_transform(driver, name, armature, bone, kind, "LOCAL_SPACE")


def add_distance(driver: Any, name: str, armature: Any, bones: Sequence[str]) -> None:
    """The distance between the heads of two bones, in the world."""
    variable = driver.variables.new()
    variable.name, variable.type = name, "LOC_DIFF"
    for target, bone in zip(variable.targets, bones):
        target.id, target.bone_target = armature, bone


def add_property(driver: Any, name: str, owner: Any, path: str) -> None:
    """Any property, by its path."""
    variable = driver.variables.new()
    variable.name = name
    variable.targets[0].id, variable.targets[0].data_path = owner, path


def along(axis: Iterable[float]) -> str:
    """How much of a turn's vector part is along an axis in the bone's frame."""
    return "({:.6f}*x+{:.6f}*y+{:.6f}*z)".format(*(float(value) for value in axis))


def twist(axis: Iterable[float]) -> str:
    """The angle of a turn about an axis, within half a turn."""
    return f"2*atan2({along(axis)}*(1 if w>=0 else -1),abs(w))"
