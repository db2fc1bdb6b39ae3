# SPDX-License-Identifier: GPL-3.0-or-later
"""The fast preview: the core deforms meshes, and an attribute takes them to the viewport."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import rigs, sinew
from .bones import Bones, joint_pairs, pose_matrices, read_bones, relative
from .groups import read_skin
from .nodes_skin import POSITION_ATTRIBUTE
from .turns import Turns

Array = NDArray[Any]


class Preview:
    """The meshes of one armature, bound to the core's methods."""

    def __init__(self, objects: list[Any], armature: Any, method: Optional[str] = None) -> None:
        """`method`: for all of them, in place of their own."""
        self.bones: Bones = read_bones(armature)
        self.names = [obj.name for obj in objects]
        skins = [read_skin(obj, self.bones.names) for obj in objects]
        rig = rigs.make_rig(objects, armature, self.bones, skins, in_pairs=True)
        self.turns = Turns(self.bones, rig.bone_links())
        for obj in objects:
            add_shapes(rig, obj, objects, armature)
        self.rig = rig
        self.deformers = {own: sinew.Deformer(rig, method or own)
                          for own in {obj.sinew.method for obj in objects}}
        self.pose = sinew.Pose(rig, squash=armature.data.sinew.squash, follow=False)
        self.last: Optional[bytes] = None

    def joints(self, armature: Any) -> tuple[Array, Optional[Array]]:
        """Where an (evaluated) armature has the joints, two for each bone, and how many full turns
        the second ones are told; None: no bone has made more than half of one."""
        matrices = pose_matrices(armature, self.bones)
        joints, turns = joint_pairs(relative(matrices, self.bones.parents)), None
        counted = self.turns.count(armature, matrices)
        if counted is not None:
            # The core counts from where the second joint is untwisted, which with shear may be a
            # full turn away from the bone's own.
            turns = counted + np.rint(self.turns.twists(matrices) - self._second_twists(joints))
        return joints, turns

    def _second_twists(self, joints: Array) -> Array:
        """(n,) the twists from rest of the second joints, in turns from -1/2 to 1/2."""
        a = joint_pairs(self.turns.rests)[1::2, 3:7]
        b = joints[1::2, 3:7]
        w = np.sum(a * b, axis=1)
        vectors = a[:, 3:] * b[:, :3] - b[:, 3:] * a[:, :3] - np.cross(a[:, :3], b[:, :3])
        along = np.sum(vectors * self.turns.local_axes(), axis=1)
        sign = np.where(w < 0, -1.0, 1.0)
        result: Array = np.arctan2(along * sign, w * sign) / np.pi
        return result

    def deform(self, armature: Any, objects: list[Any]) -> Optional[list[Array]]:
        """Where the vertices are, in the armature's space; None if nothing has moved."""
        joints, turns = self.joints(armature)
        shapes = shape_weights(objects)
        state = joints.tobytes() + shapes.tobytes() + (b"" if turns is None else turns.tobytes())
        if state == self.last:
            return None
        self.last = state
        if turns is None:
            self.pose.joints = joints
        else:
            self.pose.set(told_pose(joints, turns))
        if len(shapes):
            self.pose.shapes = shapes
        found = {name: one.deform(self.pose) for name, one in self.deformers.items()}
        ends = np.cumsum([0, *(len(obj.data.vertices) for obj in objects)])
        return [found[obj.sinew.method][a:b] for obj, a, b in zip(objects, ends, ends[1:])]


def told_pose(joints: Array, turns: Optional[Array]) -> dict[str, Any]:
    """A pose by joints in pairs, of which the second ones have made so many full turns."""
    told = {}
    for number, joint in enumerate(joints.tolist()):
        told[str(number)] = {"translation": joint[:3], "rotation": joint[3:7], "scale": joint[7:]}
        if number % 2 and turns is not None and turns[number // 2]:
            told[str(number)]["twist"] = 360 * turns[number // 2]
    return {"joints": told}


def keys_of(obj: Any) -> list[Any]:
    """The shape keys of a mesh, without the basis."""
    keys = obj.data.shape_keys
    return [] if keys is None or not keys.use_relative else list(keys.key_blocks)[1:]


def moves_of(key: Any) -> Array:
    """(vertices, 3) what a shape key does, in the mesh's space."""
    places = np.empty((2, 3 * len(key.data)), np.float32)
    key.data.foreach_get("co", places[0])
    key.relative_key.data.foreach_get("co", places[1])
    result: Array = (places[0] - places[1]).reshape(-1, 3).astype(float)
    return result


def add_shapes(rig: sinew.Rig, obj: Any, objects: list[Any], armature: Any) -> None:
    """The shape keys of one of the meshes."""
    first = sum(len(other.data.vertices) for other in objects[:objects.index(obj)])
    linear = rigs.to_armature(obj, armature)[:3, :3]
    vertices = np.arange(first, first + len(obj.data.vertices))
    for key in keys_of(obj):
        rig.add_shape(f"{obj.name}/{key.name}", moves_of(key) @ linear.T, vertices=vertices)


def shape_weights(objects: list[Any]) -> Array:
    """The values of all shape keys."""
    return np.array([0.0 if key.mute else key.value for obj in objects for key in keys_of(obj)])


_previews: dict[str, Preview] = {}


def forget(armature: Any) -> None:
    """Binds anew when the armature moves next."""
    _previews.pop(armature.name, None)


def forget_all() -> None:
    """Of every armature: another file was loaded."""
    _previews.clear()


def update(armature: Any, objects: list[Any], depsgraph: Any) -> bool:
    """Deforms the meshes for where the armature is now; False if it has not moved."""
    found = _previews.get(armature.name)
    if found is None or found.names != [obj.name for obj in objects]:
        found = _previews[armature.name] = Preview(objects, armature)
    places = found.deform(armature.evaluated_get(depsgraph), objects)
    if places is None:
        return False
    for obj, points in zip(objects, places):
        matrix = rigs.to_armature(obj, armature)
        if not np.array_equal(matrix, np.eye(4)):
            points = rigs.transformed(points, np.linalg.inv(matrix)).astype(np.float32)
        layer = obj.data.attributes.get(POSITION_ATTRIBUTE)
        if layer is not None and obj.sinew.mode == "PREVIEW":
            layer.data.foreach_set("vector", np.ascontiguousarray(points).ravel())
            obj.data.update_tag()
    return True
