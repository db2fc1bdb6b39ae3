# SPDX-License-Identifier: GPL-3.0-or-later
"""Correctives: shape keys that poses turn on, from meshes sculpted in these poses.

The core takes a sculpted mesh back through the skinning (docs/methods/correctives.md). What it then
computes for every pose, weights by radial basis functions over the turns of some bones, is done here
by drivers: of properties of the armature object (squared distances to examples by bone, basis
functions) and of the shape keys themselves. Nothing of it needs Python or the add-on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import drivers
from .bones import Bones, pose_matrices, quaternions, relative, split

Array = NDArray[Any]
# Properties of the armature object: of the drivers here.
_PROPERTY = "sinew pose "
_TERMS = 12  # of a sum in one expression
# Turned less than this, in radians, a bone is as at rest.
TURNED = 0.02
_SIZE = "sqrt(x*x+y*y+z*z)"


@dataclass
class Example:
    """A shape key that is on in a pose."""

    key: str
    turns: dict[str, list[float]]
    """Rotation vectors from rest, in radians and in the bones' own frames; others are at rest."""
    joints: list[str]
    """The bones whose turns count."""
    radius: Optional[float] = None
    """In radians: how far from its pose it matters; None: everywhere."""


@dataclass
class Space:
    """Examples that have to do with each other, as their bones have."""

    joints: list[str] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    @property
    def radius(self) -> Optional[float]:
        """That of all."""
        return self.examples[0].radius

    def table(self) -> Array:
        """(1 + examples, joints, 3) the turns at rest, then those of the examples."""
        rows = [[example.turns.get(joint, (0, 0, 0)) for joint in self.joints]
                for example in self.examples]
        return np.array([np.zeros((len(self.joints), 3)), *rows])


def read(obj: Any) -> list[Example]:
    """The examples of a mesh, as far as their shape keys are still there."""
    keys = obj.data.shape_keys
    if not obj.sinew.correctives or keys is None:
        return []
    found = [Example(**told) for told in json.loads(obj.sinew.correctives)]
    return [example for example in found if example.key in keys.key_blocks]


def write(obj: Any, examples: Sequence[Example]) -> None:
    """Keeps examples beside a mesh."""
    obj.sinew.correctives = json.dumps([vars(example) for example in examples])


def spaces(examples: Sequence[Example]) -> list[Space]:
    """Examples with a bone in common belong together."""
    result: list[Space] = []
    for example in examples:
        joined = Space(list(example.joints), [example])
        for space in [s for s in result if set(s.joints) & set(joined.joints)]:
            result.remove(space)
            joined.joints = space.joints + [j for j in joined.joints if j not in space.joints]
            joined.examples = space.examples + joined.examples
        result.append(joined)
    return result


def turns_of(armature: Any, bones: Bones) -> dict[str, list[float]]:
    """How the bones of an (evaluated) armature object are turned from rest."""
    rests = relative(bones.rests, bones.parents)
    now = np.linalg.solve(rests, relative(pose_matrices(armature, bones), bones.parents))
    u, _, v = split(now[:, :3, :3])
    turned = quaternions(u @ v)
    turned[turned[:, 3] < 0] *= -1
    sines = np.linalg.norm(turned[:, :3], axis=1)
    angles = 2 * np.arctan2(sines, turned[:, 3])
    vectors = turned[:, :3] * (angles / np.maximum(sines, 1e-30))[:, None]
    return {name: vector.tolist() for name, vector, angle in zip(bones.names, vectors, angles)
            if angle > TURNED}


def factors(space: Space) -> Array:
    """(centers + 1, examples) of basis functions in weights, the constants last: PoseWeights of the
    core. Raises ValueError where poses cannot be told apart."""
    table = space.table()
    squares = ((table[:, None] - table[None]) ** 2).sum(axis=(2, 3))
    count = len(table)
    apart = squares + np.eye(count) * 1e6
    if apart.min() < 1e-6:
        raise ValueError("two examples have the same pose, or one is as at rest")
    system = np.ones((count + 1, count + 1))
    system[:count, :count] = _basis(squares, space.radius)
    system[count, count] = 0
    sides = np.zeros((count + 1, count - 1))
    sides[1:count] = np.eye(count - 1)
    if space.radius is not None:
        return np.concatenate([np.linalg.solve(system[:count, :count], sides[:count]),
                               np.zeros((1, count - 1))])
    return np.asarray(np.linalg.solve(system, sides))


def _basis(squares: Array, radius: Optional[float]) -> Array:
    result: Array = np.sqrt(squares) if radius is None else np.exp(-squares / radius ** 2)
    return result


def refresh(armature: Any, objects: Sequence[Any]) -> None:
    """Drivers for the examples of all meshes of an armature, anew. Raises ValueError where a bone
    is gone that they are about."""
    found = [(obj, space) for obj in objects for space in spaces(read(obj))]
    for obj, space in found:
        for joint in space.joints:
            if joint not in armature.pose.bones:
                raise ValueError(f"{obj.name}: there is no bone {joint}, which turns on "
                                 f"{space.examples[0].key}")
    for name in [key for key in armature.keys() if key.startswith(_PROPERTY)]:
        armature.driver_remove(f'["{name}"]')
        del armature[name]
    writer = _Writer(armature)
    for obj, space in found:
        writer.add(obj.data.shape_keys.key_blocks, space)
    armature.update_tag()  # as in bone_data.py


class _Writer:
    """Makes drivers of one armature."""

    def __init__(self, armature: Any) -> None:
        self.armature = armature
        self.count = 0

    def _property(self) -> tuple[str, Any]:
        """A new property, as a path, and its driver."""
        name = f"{_PROPERTY}{self.count}"
        self.count += 1
        self.armature[name] = 0.0
        path = f'["{name}"]'
        return path, drivers.scripted(self.armature.driver_add(path))

    def _square(self, joint: str, turn: Array) -> str:
        """The squared distance of a bone's rotation vector to another one: of an angle t about n to
        r it is t t + r r - 2 t n r."""
        path, driver = self._property()
        drivers.add_turn(driver, self.armature, joint)
        angle = f"atan2({_SIZE},abs(w))"
        driver.expression = f"4*pow({angle},2)"
        if turn.any():
            driver.expression += (
                f"+{turn @ turn:.7f}-4*{angle}/max({_SIZE},0.0000001)*(1 if w>=0 else -1)*"
                f"{drivers.along(turn)}")
        return path

    def _sum(self, paths: Sequence[str], shares: Sequence[float]) -> tuple[str, Sequence[str]]:
        """An expression and what it reads: terms beyond some are summed up before."""
        terms = list(zip(paths, shares))
        while len(terms) > _TERMS:
            path, driver = self._property()
            self._finish(driver, "{}", terms[:_TERMS])
            terms = [*terms[_TERMS:], (path, 1.0)]
        text = "+".join(f"{share:.7g}*v{i}" for i, (_, share) in enumerate(terms))
        return text.replace("+-", "-"), [path for path, _ in terms]

    def _finish(self, driver: Any, expression: str, terms: Sequence[tuple[str, float]]) -> None:
        text, paths = self._sum([path for path, _ in terms], [share for _, share in terms])
        for i, path in enumerate(paths):
            drivers.add_property(driver, f"v{i}", self.armature, path)
        driver.expression = expression.format(text)

    def add(self, keys: Any, space: Space) -> None:
        """Drivers of the shape keys of a space."""
        table, basis = space.table(), []
        for turns in table:
            squares = [(self._square(joint, turn), 1.0)
                       for joint, turn in zip(space.joints, turns)]
            path, driver = self._property()
            radius = space.radius
            self._finish(driver, "sqrt(max({},0))" if radius is None
                         else f"exp(-({{}})/{radius * radius:.7g})", squares)
            basis.append(path)
        solved = factors(space)
        for example, shares in zip(space.examples, solved.T):
            driver = drivers.scripted(keys[example.key].driver_add("value"))
            constant = f"{shares[-1]:.7g}+{{}}"
            self._finish(driver, f"smoothstep(0,1,{constant})", list(zip(basis, shares[:-1])))
            driver.expression = driver.expression.replace("+-", "-")
