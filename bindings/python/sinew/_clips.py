# SPDX-License-Identifier: Apache-2.0
"""Clips: curves over time, and what they move."""

from __future__ import annotations

from ctypes import byref, c_double, c_size_t, sizeof
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Union

from numpy.typing import ArrayLike

from . import _abi
from ._arrays import Array, numbers, options, view_of
from ._errors import UsageError
from ._library import check, lib

if TYPE_CHECKING:
    from ._rig_arrays import RigArrays

_TARGETS = {
    "translation": _abi.SINEW_TRANSLATION,
    "rotation": _abi.SINEW_ROTATION,
    "scale": _abi.SINEW_SCALE,
    "shapes": _abi.SINEW_SHAPE_WEIGHTS,
    "control": _abi.SINEW_CONTROL_VALUE,
    "euler": _abi.SINEW_EULER_ROTATION,
}
_INTERPOLATIONS = {
    "step": _abi.SINEW_STEP,
    "linear": _abi.SINEW_LINEAR,
    "hermite": _abi.SINEW_HERMITE,
    "bezier": _abi.SINEW_BEZIER,
}
_ITEMS = {"shapes": (_abi.SINEW_SHAPE, "shape"), "control": (_abi.SINEW_CONTROL, "control")}


@dataclass(frozen=True)
class Channel:
    """One curve of a clip and what it moves.

    `target` is "translation", "rotation" (quaternions x, y, z, w) or "scale" of a joint, "shapes"
    (the weights of the shapes from `index` on) or "control"; "euler" is only read. `index` is the
    number or name of the joint, shape or control. `interpolation` is "step", "linear" or "hermite",
    which has a slope per second before and after each key; "bezier" is only read.

    >>> import sinew
    >>> turn = sinew.Channel("rotation", "bone", [0, 1], [[0, 0, 0, 1], [0, 0.6, 0, 0.8]])
    >>> rig = sinew.sample("cigar", vertices=200)
    >>> rig.add_clip("turn", [turn])
    >>> rig.clip("turn").duration
    1.0
    """

    target: str
    index: Union[int, str]
    times: ArrayLike
    values: ArrayLike
    interpolation: str = "linear"
    in_slopes: Optional[ArrayLike] = None
    out_slopes: Optional[ArrayLike] = None


@dataclass(frozen=True)
class Clip:
    """A clip of a rig, as it was when it was asked for."""

    name: str
    duration: float
    """In seconds."""
    channels: tuple[Channel, ...]


def _name_in(table: dict[str, int], number: int) -> str:
    return next(name for name, value in table.items() if value == number)


def read_clip(rig: RigArrays, index: int) -> Clip:
    """A clip, its arrays showing the memory of the rig. The rig must be locked."""
    handle = rig._handle
    duration, count = c_double(), c_size_t()
    check(lib.sinew_rig_clip(handle.ref, index, byref(duration), byref(count)))
    channels = []
    for number in range(count.value):
        found = _abi.sinew_channel(sizeof(_abi.sinew_channel))
        check(lib.sinew_rig_channel(handle.ref, index, number, byref(found)))
        times, values = view_of(handle, found.times), view_of(handle, found.values)
        channels.append(
            Channel(
                _name_in(_TARGETS, found.target),
                found.index,
                () if times is None else times,
                () if values is None else values,
                _name_in(_INTERPOLATIONS, found.interpolation),
                view_of(handle, found.in_slopes),
                view_of(handle, found.out_slopes),
            )
        )
    return Clip(rig.clip_names[index], duration.value, tuple(channels))


def _number_in(table: dict[str, int], name: str, what: str) -> int:
    if name not in table:
        raise UsageError(f"there is no {what} '{name}'; there are {', '.join(table)}")
    return table[name]


def _curve(values: Optional[ArrayLike], what: str) -> Optional[Array]:
    return None if values is None else numbers(values, what, None)


def packed(rig: RigArrays, channel: Channel) -> _abi.sinew_channel:
    """A channel as C takes it."""
    item, what = _ITEMS.get(channel.target, (_abi.SINEW_JOINT, "joint"))
    return options(
        _abi.sinew_channel,
        target=_number_in(_TARGETS, channel.target, "target"),
        interpolation=_number_in(_INTERPOLATIONS, channel.interpolation, "interpolation"),
        index=rig._index(item, channel.index, what),
        times=numbers(channel.times, "times"),
        values=_curve(channel.values, "values"),
        in_slopes=_curve(channel.in_slopes, "in_slopes"),
        out_slopes=_curve(channel.out_slopes, "out_slopes"),
    )
