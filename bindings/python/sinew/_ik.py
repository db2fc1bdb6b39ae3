# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics: joints dragged to where they should be."""

from __future__ import annotations

from ctypes import byref, c_double
from dataclasses import dataclass
from typing import TYPE_CHECKING, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _abi
from ._arrays import Array, options, vector
from ._errors import UsageError
from ._library import Handle, check, lib
from ._pose import Pose

if TYPE_CHECKING:
    from ._rig import Rig

_LENGTHS = {
    "kept": _abi.SINEW_LENGTHS_KEPT,
    "beyond-reach": _abi.SINEW_LENGTHS_BEYOND_REACH,
    "free": _abi.SINEW_LENGTHS_FREE,
}
_CHILDREN = {
    "automatic": _abi.SINEW_CHILDREN_AUTOMATIC,
    "follow": _abi.SINEW_CHILDREN_FOLLOW,
    "stay": _abi.SINEW_CHILDREN_STAY,
}
_KINDS = {
    "cone": _abi.SINEW_LIMIT_CONE,
    "hinge": _abi.SINEW_LIMIT_HINGE,
    "axes": _abi.SINEW_LIMIT_AXES,
}


@dataclass(frozen=True)
class IkHandle:
    """A joint that can be given a goal.

    `root` is the first joint above it that turns; None: two bones lie between, as in an arm.
    `lengths` of the bones: "kept", "beyond-reach" (longer where the goal is out of reach) or "free"
    (the joint is dragged, and its neighbours stretch). `children` of a joint that is dragged:
    "automatic", "follow" or "stay".
    """

    joint: Union[str, int]
    root: Union[str, int, None] = None
    lengths: str = "kept"
    children: str = "automatic"


@dataclass(frozen=True)
class IkLimit:
    """How a joint's rotation is limited, relative to rest, in radians.

    "cone": at most max[0] away from the axis, twisted by min[1] to max[1] about it; "hinge": min[0]
    to max[0] about the axis; "axes": each component of the rotation vector from min to max.
    """

    joint: Union[str, int]
    kind: str
    min: Sequence[float]
    max: Sequence[float]
    axis: Sequence[float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class IkGoal:
    """Where a handle should be, in world space.

    Without a position it stays where the pose has it; without a rotation it turns with its parent;
    without a pole the chain bends as in the pose. `release` goes from 0, which counts fully, to 1,
    as if there were no handle.
    """

    position: Optional[ArrayLike] = None
    rotation: Optional[ArrayLike] = None
    pole: Optional[ArrayLike] = None
    release: float = 0.0


def _choice(table: dict[str, int], name: str, what: str) -> int:
    if name not in table:
        raise UsageError(f"there is no {what} '{name}'; there are {', '.join(table)}")
    return table[name]


def _given(values: Optional[ArrayLike], count: int, what: str) -> Optional[tuple[float, ...]]:
    return None if values is None else vector(values, count, what)


def _goal(goal: Union[IkGoal, ArrayLike, None]) -> _abi.sinew_ik_goal:
    if not isinstance(goal, IkGoal):
        goal = IkGoal(position=goal)
    return options(
        _abi.sinew_ik_goal,
        has_position=goal.position is not None,
        has_rotation=goal.rotation is not None,
        has_pole=goal.pole is not None,
        position=_given(goal.position, 3, "position"),
        rotation=_given(goal.rotation, 4, "rotation"),
        pole=_given(goal.pole, 3, "pole"),
        release=goal.release,
    )


class Ik:
    """A skeleton prepared for handles. `limits` are in place of those that the rig keeps for the
    same joints; without `rig_limits` these do not hold at all. `softness` is the part of a chain's
    length before full extension in which it slows down.

    >>> import sinew
    >>> rig = sinew.sample("mannequin", vertices=1000)
    >>> pose = sinew.Pose(rig)
    >>> ik = sinew.Ik(rig, ["hand.L"])
    >>> ik.solve(pose, {"hand.L": pose.bone_heads[rig.bone_names.index("hand.L")]}).round(6)
    array([0.])
    """

    def __init__(self, rig: Rig, handles: Sequence[Union[IkHandle, str, int]], *,
                 limits: Sequence[IkLimit] = (), rig_limits: bool = True,
                 softness: float = 0.0) -> None:
        every = [one if isinstance(one, IkHandle) else IkHandle(one) for one in handles]
        self._joints = [one.joint for one in every]
        self._handle = Handle(lib.sinew_ik_free)
        with rig._lock:
            def joint(key: Union[str, int]) -> int:
                return rig._index(_abi.SINEW_JOINT, key, "joint")

            dragged = [
                options(_abi.sinew_ik_handle, joint=joint(one.joint),
                        root=-1 if one.root is None else joint(one.root),
                        lengths=_choice(_LENGTHS, one.lengths, "kind of lengths"),
                        children=_choice(_CHILDREN, one.children, "kind of children"))
                for one in every
            ]
            limited = [
                options(_abi.sinew_ik_limit, joint=joint(one.joint),
                        kind=_choice(_KINDS, one.kind, "kind of limit"),
                        axis=vector(one.axis, 3, "axis"), min=vector(one.min, 3, "min"),
                        max=vector(one.max, 3, "max"))
                for one in limits
            ]
            array = (_abi.sinew_ik_limit * len(limited))(*limited)
            chosen = options(_abi.sinew_ik_options, limits=array, limit_count=len(limited),
                             softness=softness, without_rig_limits=not rig_limits)
            check(lib.sinew_ik_create(rig._handle.ref,
                                      (_abi.sinew_ik_handle * len(dragged))(*dragged),
                                      len(dragged), byref(chosen), byref(self._handle.ref)))

    def solve(self, pose: Pose,
              goals: Mapping[Union[str, int], Union[IkGoal, ArrayLike, None]]) -> Array:
        """Changes a pose so that handles are at their goals: positions or IkGoal, by joint.

        Handles without a goal stay where they are. Returns how far each is from its goal.
        """
        unknown = [key for key in goals if key not in self._joints]
        if unknown:
            raise UsageError(f"there is no handle {unknown[0]!r}; there are {self._joints}")
        each = [_goal(goals.get(joint)) for joint in self._joints]
        distances = (c_double * len(each))()
        with pose._lock:
            check(lib.sinew_ik_solve(self._handle.ref, pose._handle.ref,
                                     (_abi.sinew_ik_goal * len(each))(*each), len(each),
                                     distances))
        return np.array(distances)
