# SPDX-License-Identifier: GPL-3.0-or-later
"""The bones of an armature as arrays, at rest and posed, in the armature's space."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import sinew

Array = NDArray[Any]

# A bone that is sheared by less, of its scale, is not.
SHEARLESS = 1e-6
# Nearer than this part of a bone's length, the next bone's head counts as its tail.
TOUCHING = 1e-4


@dataclass(frozen=True)
class Bones:
    """The bones that deform, parents before children."""

    names: list[str]
    parents: list[int]
    """The nearest bone above that deforms; -1: none."""
    rests: Array
    """(n, 4, 4) from each bone's space to the armature's."""
    tails: Array
    """(n, 3)"""
    index: dict[str, int] = field(default_factory=dict)

    @property
    def heads(self) -> Array:
        """(n, 3)"""
        heads: Array = self.rests[:, :3, 3]
        return heads

    def nexts(self) -> list[int]:
        """For each bone, the one below it that begins at its tail; -1: none."""
        result = [-1] * len(self.names)
        for i, parent in enumerate(self.parents):
            if parent >= 0 and result[parent] < 0 and np.array_equal(self.tails[parent],
                                                                     self.heads[i]):
                result[parent] = i
        return result

    def frames(self) -> Array:
        """(n, 3, 3) right-handed axes as columns, the second along the bone."""
        axes = self.tails - self.heads
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        sides = self.rests[:, :3, 0] - axes * np.sum(self.rests[:, :3, 0] * axes, axis=1)[:, None]
        other = self.rests[:, :3, 2] - axes * np.sum(self.rests[:, :3, 2] * axes, axis=1)[:, None]
        is_flat = np.linalg.norm(sides, axis=1) < 0.1
        sides = np.where(is_flat[:, None], np.cross(axes, other), sides)
        sides /= np.linalg.norm(sides, axis=1, keepdims=True)
        return np.stack([sides, axes, np.cross(sides, axes)], axis=2)


def deforms(bone: Any) -> bool:
    """Whether a bone has skin of its own: helpers have that of the bone they are part of."""
    if bone.sinew.helper_of:
        return False
    return bool(bone.use_deform or bone.sinew.is_split)


def _tail(bone: Any) -> Array:
    if bone.sinew.has_tail:
        rest = np.array(bone.matrix_local, dtype=float)
        local = np.array(bone.sinew.tail, dtype=float)
        return np.asarray(rest[:3, :3] @ local + rest[:3, 3])
    return np.array(bone.tail_local, dtype=float)


def read_bones(armature: Any) -> Bones:
    """The bones of an armature object. Raises ValueError where none deforms."""
    found = [bone for bone in armature.data.bones if deforms(bone)]
    if not found:
        raise ValueError(f"{armature.name}: no bone deforms (Bone properties, Deform)")
    index = {bone.name: i for i, bone in enumerate(found)}
    parents, tails = [], []
    rests = np.array([np.array(bone.matrix_local) for bone in found], dtype=float)
    # Of floats: without this, bones of the core would not meet where Blender's do.
    u, _, v = np.linalg.svd(rests[:, :3, :3])
    rests[:, :3, :3] = u @ v
    for bone in found:
        above = bone.parent
        while above is not None and above.name not in index:
            above = above.parent
        parents.append(-1 if above is None else index[above.name])
        tails.append(_tail(bone))
    result = Bones([bone.name for bone in found], parents, rests, np.array(tails), index)
    _touch(result)
    if _infers_tails(armature.data, result):
        own = [bone.sinew.has_tail for bone in found]
        result.tails[:] = np.where(np.array(own)[:, None], result.tails, _inferred_tails(result))
        _touch(result)
    return result


def _infers_tails(data: Any, bones: Bones) -> bool:
    """Whether tails as they are drawn mean nothing: importers put them anywhere."""
    if data.sinew.tails != "AUTO":
        return bool(data.sinew.tails == "INFERRED")
    children = np.bincount([p for p in bones.parents if p >= 0], minlength=len(bones.names))
    nexts = bones.nexts()
    met = [nexts[i] >= 0 for i in range(len(nexts)) if children[i] == 1]
    return bool(met) and 2 * sum(met) < len(met)


def _inferred_tails(bones: Bones) -> Array:
    """(n, 3) tails as the core has them for a skeleton of joints alone."""
    rig = sinew.Rig()
    rig.set_skeleton(bones.parents, joints_of(relative(bones.rests, bones.parents))[0],
                     bone_joints=np.arange(len(bones.names)))
    return np.array(rig.bone_tails)


def _touch(bones: Bones) -> None:
    """Tails that are as good as at the next bone's head are put there exactly."""
    lengths = np.linalg.norm(bones.tails - bones.heads, axis=1)
    for i, parent in enumerate(bones.parents):
        if parent < 0:
            continue
        if np.linalg.norm(bones.heads[i] - bones.tails[parent]) <= TOUCHING * lengths[parent]:
            bones.tails[parent] = bones.heads[i]


def pose_matrices(armature: Any, bones: Bones) -> Array:
    """(n, 4, 4) where the bones of an (evaluated) armature object are, in its space."""
    pose = armature.pose.bones
    return np.array([np.array(pose[name].matrix) for name in bones.names], dtype=float)


def quaternions(matrices: Array) -> Array:
    """(n, 4) x, y, z, w of rotations (n, 3, 3)."""
    m = matrices
    outer = np.empty((len(m), 4, 4))
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    diagonal = (1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz)
    for i, values in enumerate(diagonal):
        outer[:, i, i] = values
    pairs = {(0, 1): m[:, 1, 0] + m[:, 0, 1], (0, 2): m[:, 0, 2] + m[:, 2, 0],
             (1, 2): m[:, 2, 1] + m[:, 1, 2], (0, 3): m[:, 2, 1] - m[:, 1, 2],
             (1, 3): m[:, 0, 2] - m[:, 2, 0], (2, 3): m[:, 1, 0] - m[:, 0, 1]}
    for (i, j), values in pairs.items():
        outer[:, i, j] = outer[:, j, i] = values
    largest = np.argmax(np.stack(diagonal, axis=1), axis=1)
    rows = outer[np.arange(len(m)), largest]
    result: Array = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return result


def relative(matrices: Array, parents: list[int]) -> Array:
    """(n, 4, 4) against the bone above."""
    above = np.stack([np.eye(4) if p < 0 else matrices[p] for p in parents])
    result: Array = np.linalg.solve(above, matrices)
    return result


def split(linear: Array) -> tuple[Array, Array, Array]:
    """U, s, V with linear = U diag(s) V, U and V rotations; what shears has no shorter form."""
    u, s, v = np.linalg.svd(linear)
    for rotations in (u, v):
        mirrored = np.linalg.det(rotations) < 0
        if rotations is u:
            u[mirrored, :, 2] *= -1
        else:
            v[mirrored, 2, :] *= -1
        s[mirrored, 2] *= -1
    return u, s, v


def joint_pairs(locals_: Array) -> Array:
    """(2 n, 10) transforms of two joints for each bone, whose product is any affine map: R P by the
    rotation R and what is left, P = W S W^T. Without shear W is the identity, and with some as
    near to it as it gets: the first joint has the bone's turn."""
    u, _, v = split(locals_[:, :3, :3])
    turns = u @ v
    stretch = np.swapaxes(turns, 1, 2) @ locals_[:, :3, :3]
    joints = np.zeros((2 * len(locals_), 10))
    axes = np.tile(np.eye(3), (len(locals_), 1, 1))
    sizes = np.diagonal(stretch, axis1=1, axis2=2).copy()
    for i in np.flatnonzero(np.abs(stretch - sizes[:, :, None] * np.eye(3)).max(axis=(1, 2))
                            > SHEARLESS * np.abs(sizes).max(axis=1)):
        sizes[i], axes[i] = _nearest_axes(stretch[i])
    joints[0::2, :3] = locals_[:, :3, 3]
    joints[0::2, 3:7] = quaternions(turns @ axes)
    joints[0::2, 7:] = sizes
    joints[1::2, 3:7] = quaternions(np.swapaxes(axes, 1, 2))
    joints[1::2, 7:] = 1
    return joints


def _nearest_axes(symmetric: Array) -> tuple[Array, Array]:
    """The eigenvalues of a matrix, and a rotation near the identity to its eigenvectors."""
    values, vectors = np.linalg.eigh((symmetric + symmetric.T) / 2)
    orders = [list(order) for order in permutations(range(3))]
    order = orders[int(np.argmax([np.abs(vectors[range(3), order]).sum() for order in orders]))]
    vectors = vectors[:, order] * np.where(np.diagonal(vectors[:, order]) < 0, -1.0, 1.0)
    if np.linalg.det(vectors) < 0:
        vectors[:, np.argmin(np.abs(np.diagonal(vectors)))] *= -1
    return values[order], vectors


def joints_of(locals_: Array) -> tuple[Array, float]:
    """(n, 10) transforms of one joint for each bone, and the largest shear that they lose."""
    linear = locals_[:, :3, :3]
    u, s, v = split(linear)
    turns = u @ v
    stretch = np.swapaxes(turns, 1, 2) @ linear
    scales = np.diagonal(stretch, axis1=1, axis2=2)
    shear = np.abs(stretch - scales[:, :, None] * np.eye(3)).max() if len(linear) else 0.0
    joints = np.concatenate([locals_[:, :3, 3], quaternions(turns), scales], axis=1)
    return joints, float(shear)


def active_armature(obj: Optional[Any]) -> Optional[Any]:
    """The armature that a mesh follows, or the armature itself."""
    if obj is None:
        return None
    if obj.type == "ARMATURE":
        return obj
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None:
            return modifier.object
    return obj.parent if obj.parent is not None and obj.parent.type == "ARMATURE" else None
