# SPDX-License-Identifier: Apache-2.0
"""Poses: where joints, shapes and controls are at one moment."""

from __future__ import annotations

import os
import threading
from ctypes import byref, c_double
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _abi
from ._arrays import Array, described, matrices, numbers, options, vector, view_of
from ._errors import UsageError
from ._library import Handle, check, json_of, lib, new_buffer
from ._rig_arrays import index_in, numbered
from ._rig_build import json_text

if TYPE_CHECKING:
    from ._rig import Rig


class Pose:
    """The joints, shapes and controls of a rig at one moment, and where the bones are then.

    It keeps what it needs of the rig, as the rig was when the pose was made. Its arrays are copies.
    `squash`: stretched bones get thinner and keep their volume. `same_intent`: methods whose bones
    do not twist or stretch are given as much as they can express. `follow`: twists go on from the
    last pose, through full turns.

    >>> import sinew
    >>> pose = sinew.Pose(sinew.sample("cigar", vertices=200))
    >>> pose.set({"joints": {"bone": {"twist": 90}}})
    >>> pose.bone_heads.shape
    (1, 3)
    """

    def __init__(self, rig: Rig, *, squash: bool = False, same_intent: bool = False,
                 follow: bool = False) -> None:
        self._handle = Handle(lib.sinew_pose_free)
        # Nothing changes the pose while memory of it is copied.
        self._lock = threading.RLock()
        chosen = options(_abi.sinew_pose_options, squash=squash, same_intent=same_intent,
                         follow=follow)
        with rig._lock:
            self._joint_names = rig.joint_names
            self._clip_names = rig.clip_names
            check(lib.sinew_pose_create(rig._handle.ref, byref(chosen), byref(self._handle.ref)))

    def _array(self, field: int, columns: int) -> Array:
        array = _abi.sinew_array()
        with self._lock:
            check(lib.sinew_pose_get(self._handle.ref, field, byref(array)))
            view = view_of(self._handle, array)
            return np.empty((0, columns) if columns > 1 else 0) if view is None else view.copy()

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._lock:
            check(function(self._handle.ref, *arguments))

    def rest(self) -> None:
        """Back to rest."""
        self._call(lib.sinew_pose_rest)

    def play(self, clip: Union[str, int], time: float) -> None:
        """A clip at a time in seconds; before its start and after its end it stands still."""
        names = self._clip_names
        index = index_in(numbered(names), len(names), clip, "clip")
        self._call(lib.sinew_pose_play, index, time)

    def set(self, pose: Union[Mapping[str, Any], str, os.PathLike[str]]) -> None:
        """Takes a pose from a dict, JSON, or the file at a path (pathlib): by bones or by joints.

        >>> import sinew
        >>> pose = sinew.Pose(sinew.sample("mannequin", vertices=1000))
        >>> pose.set({"joints": {"forearm.L": {"bend": [40, "x"], "stretch": 1.3}}})
        """
        if isinstance(pose, os.PathLike):
            pose = Path(pose).read_text(encoding="utf-8")
        self._call(lib.sinew_pose_set_json, json_text(pose))

    def to_dict(self) -> dict[str, Any]:
        """The pose by joints, as set() takes it."""
        buffer = new_buffer()
        self._call(lib.sinew_pose_write_json, byref(buffer.ref))
        found: dict[str, Any] = json_of(buffer)
        return found

    def set_joint(self, joint: Union[str, int], *, translation: Optional[ArrayLike] = None,
                  rotation: Optional[ArrayLike] = None, scale: Optional[ArrayLike] = None) -> None:
        """Changes a joint against its parent; what is left out stays as it is."""
        names = self._joint_names
        index = index_in(numbered(names), len(names), joint, "joint")
        with self._lock:
            transform = self.joints[index]
            for what, place, value in (("translation", slice(0, 3), translation),
                                       ("rotation", slice(3, 7), rotation),
                                       ("scale", slice(7, 10), scale)):
                if value is not None:
                    transform[place] = vector(value, place.stop - place.start, what)
            self._call(lib.sinew_pose_set_joint, index, (c_double * 10)(*transform))

    @property
    def joints(self) -> Array:
        """(n, 10) translation, rotation (x, y, z, w), scale of each joint against its parent."""
        return self._array(_abi.SINEW_POSE_JOINTS, 10)

    @joints.setter
    def joints(self, transforms: ArrayLike) -> None:
        array = numbers(transforms, "joints", (10,))
        self._call(lib.sinew_pose_set_joints, byref(described(array)))

    @property
    def shapes(self) -> Array:
        """(n,) the weights of all blend shapes."""
        return self._array(_abi.SINEW_POSE_SHAPES, 1)

    @shapes.setter
    def shapes(self, weights: ArrayLike) -> None:
        array = numbers(weights, "shapes")
        self._call(lib.sinew_pose_set_shapes, byref(described(array)))

    @property
    def controls(self) -> Array:
        """(n,) all controls."""
        return self._array(_abi.SINEW_POSE_CONTROLS, 1)

    @controls.setter
    def controls(self, values: ArrayLike) -> None:
        array = numbers(values, "controls")
        self._call(lib.sinew_pose_set_controls, byref(described(array)))

    @property
    def joint_frames(self) -> Array:
        """(n, 4, 4) matrices from the joints' frames to world space."""
        return matrices(self._array(_abi.SINEW_POSE_JOINT_FRAMES, 12))

    @property
    def bone_heads(self) -> Array:
        """(n, 3) where bones begin, in world space."""
        return self._array(_abi.SINEW_POSE_BONE_HEADS, 3)

    @property
    def bone_tails(self) -> Array:
        """(n, 3) where bones end."""
        return self._array(_abi.SINEW_POSE_BONE_TAILS, 3)

    @property
    def bone_rotations(self) -> Array:
        """(n, 4) how bones have turned since bind time: quaternions."""
        return self._array(_abi.SINEW_POSE_BONE_ROTATIONS, 4)

    @property
    def bone_twists(self) -> Array:
        """(n, 2) how bones are twisted at head and tail, in radians."""
        return self._array(_abi.SINEW_POSE_BONE_TWISTS, 2)

    @property
    def bone_bulges(self) -> Array:
        """(n,) the drives of bones' muscles, by which the skin swells across them; 0 without one."""
        return self._array(_abi.SINEW_POSE_BONE_BULGES, 1)

    @property
    def bone_frames(self) -> Array:
        """(n, 4, 4) matrices from mesh space at bind time to world space."""
        return matrices(self._array(_abi.SINEW_POSE_BONE_FRAMES, 12))


AnyPose = Union[Pose, Mapping[str, Any], str, "os.PathLike[str]", None]
"""A pose, or what Pose.set() takes; None: rest, or the moment of a clip that is given beside it."""


def pose_of(make: Callable[[], Pose], wanted: AnyPose, clip: Union[str, int, None],
            time: float) -> Pose:
    """The pose that a call asks for: its own, or one of `make` brought to what is wanted."""
    if wanted is not None and clip is not None:
        raise UsageError("a pose and a clip: give one of them")
    if isinstance(wanted, Pose):
        return wanted
    pose = make()
    if clip is not None:
        pose.play(clip, time)
    elif wanted is not None:
        pose.set(wanted)
    else:
        pose.rest()
    return pose
