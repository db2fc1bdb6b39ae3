# SPDX-License-Identifier: Apache-2.0
"""What the library has to choose from."""

from __future__ import annotations

from ctypes import byref, c_char_p, sizeof
from typing import NamedTuple

from . import _abi
from ._library import check, count_of, described, lib, names_of


class Method(NamedTuple):
    """A way to deform, and what it needs and can do."""

    name: str
    summary: str
    reads_endpoints: bool
    """Reads endpoint weights."""
    twists: bool
    """Bones twist along their length."""
    scales: bool
    """A bone that changes length scales all of its skin along its axis."""
    settings: dict[str, str]
    """What Deformer takes as settings, with a line about each."""


def methods() -> dict[str, Method]:
    """The methods to deform by.

    >>> import sinew
    >>> sinew.methods()["stbs-dqs"].twists
    True
    """
    result = {}
    for index in range(count_of(lib.sinew_method_count)):
        info = _abi.sinew_method_info(sizeof(_abi.sinew_method_info))
        check(lib.sinew_method_get(index, byref(info)))
        settings = {}
        for setting in range(info.setting_count):
            name, line = c_char_p(), c_char_p()
            check(lib.sinew_method_setting(index, setting, byref(name), byref(line)))
            settings[(name.value or b"").decode()] = (line.value or b"").decode()
        result[info.name.decode()] = Method(info.name.decode(), info.summary.decode(),
                                            bool(info.reads_endpoints), bool(info.twists),
                                            bool(info.scales), settings)
    return result


def weight_methods() -> tuple[str, ...]:
    """The methods for bone weights.

    >>> import sinew
    >>> "bbw" in sinew.weight_methods()
    True
    """
    return names_of(lib.sinew_weight_method_count, lib.sinew_weight_method_name)


def endpoint_methods() -> tuple[str, ...]:
    """The methods for endpoint weights."""
    return names_of(lib.sinew_endpoint_method_count, lib.sinew_endpoint_method_name)


class EditStep(NamedTuple):
    """A kind of step of Rig.edit()."""

    name: str
    argument: str
    """What its argument is called; "" if it takes none."""
    help: str


def edit_steps() -> dict[str, EditStep]:
    """The steps of Rig.edit()."""
    result = {}
    for index in range(count_of(lib.sinew_edit_step_count)):
        words = [c_char_p(), c_char_p(), c_char_p()]
        check(lib.sinew_edit_step_info(index, *map(byref, words)))
        step = EditStep(*((word.value or b"").decode() for word in words))
        result[step.name] = step
    return result


def samples() -> dict[str, str]:
    """The built-in characters, with a line about each.

    >>> import sinew
    >>> "mannequin" in sinew.samples()
    True
    """
    return described(lib.sinew_sample_count, lib.sinew_sample_info)


def sample_pictures() -> dict[str, str]:
    """The built-in drawings, with a line about each."""
    return described(lib.sinew_sample_picture_count, lib.sinew_sample_picture_info)


def puppet_loops() -> tuple[str, ...]:
    """The ready-made motions of puppets."""
    return names_of(lib.sinew_puppet_loop_count, lib.sinew_puppet_loop_name)
