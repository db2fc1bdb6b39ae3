# SPDX-License-Identifier: GPL-3.0-or-later
"""Full turns of bones, which a posed bone's matrix cannot show.

Channels can: Euler angles and the angle of axis and angle go on through any number of turns.
Quaternions cannot; there a custom property of the pose bone counts them. A bone's twist is then the
one within half a turn, plus the turns that bring it nearest to what the channels say.
"""

from __future__ import annotations

from math import pi
from typing import Any, Iterator, Optional, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from . import drivers
from .bones import Bones, quaternions, relative, split

Array = NDArray[Any]

PROPERTY = "sinew_turns"
"""Of pose bones: how many full turns are added."""
# Half a turn either way is nobody's full turn.
GUARD = 0.999


def add_property(bone: Any) -> None:
    """Gives a pose bone the property."""
    bone[PROPERTY] = 0
    bone.id_properties_ui(PROPERTY).update(
        description="Full turns about itself that the bone's rotation does not show")


class Channel:
    """Where a bone's turn about an axis is told: the channel next to that axis, and its sign."""

    def __init__(self, bones: Bones, joint: int, axis: Array) -> None:
        local = bones.rests[joint, :3, :3].T @ axis
        self.bone = bones.names[joint]
        self.component = int(np.argmax(np.abs(local)))
        self.sign = 1.0 if local[self.component] > 0 else -1.0

    def read(self, armature: Any) -> float:
        """The turns that the channels of an (evaluated) armature tell."""
        bone = armature.pose.bones[self.bone]
        turns = float(bone.get(PROPERTY, 0))
        if bone.rotation_mode == "AXIS_ANGLE":
            angle = bone.rotation_axis_angle
            turns += angle[0] * angle[1 + self.component] / (2 * pi)
        elif bone.rotation_mode != "QUATERNION":
            turns += bone.rotation_euler[self.component] / (2 * pi)
        return self.sign * turns

    def drive(self, driver: Any, armature: Any) -> str:
        """The same as an expression, with the variables that it takes."""
        path = f'pose.bones["{bpy.utils.escape_identifier(self.bone)}"]'
        paths = {"m": f"{path}.rotation_mode", "e": f"{path}.rotation_euler[{self.component}]",
                 "a": f"{path}.rotation_axis_angle[0]",
                 "c": f"{path}.rotation_axis_angle[{1 + self.component}]"}
        told = "((m>0)*e+(m<0)*a*c)*0.1591549431"
        if PROPERTY in armature.pose.bones[self.bone]:
            paths["n"] = f'{path}["{PROPERTY}"]'
            told = f"({told}+n)"
        for name, data_path in paths.items():
            drivers.add_property(driver, name, armature, data_path)
        return f"{self.sign:.0f}*{told}"


def channels(bones: Bones, links: Sequence[dict[str, Any]]) -> Iterator[tuple[int, str, Channel]]:
    """For each bone whose twist somebody takes: its number, about whose axis ("own": its own,
    "before": that of the bone before it), and the channel."""
    axes = bones.frames()[:, :, 1]
    for i, link in enumerate(links):
        if link["own_share"]:
            yield i, "own", Channel(bones, i, axes[i])
        before = link["parent"]
        if before >= 0 and links[before]["next"] == i and links[before]["next_share"]:
            yield i, "before", Channel(bones, i, axes[before])


class Turns:
    """Counts the full turns of bones about themselves."""

    def __init__(self, bones: Bones, links: Sequence[dict[str, Any]]) -> None:
        self.bones, self.axes = bones, bones.frames()[:, :, 1]
        self.channels = {i: Channel(bones, i, self.axes[i]) for i, _, _ in channels(bones, links)}
        self.rests = relative(bones.rests, bones.parents)

    def local_axes(self) -> Array:
        """(n, 3) each bone's direction in its own frame."""
        axes: Array = np.einsum("nji,nj->ni", self.bones.rests[:, :3, :3], self.axes)
        return axes

    def count(self, armature: Any, matrices: Array) -> Optional[Array]:
        """(n,) of an (evaluated) armature whose bones are here; None: nobody has turned so far."""
        told = {i: channel.read(armature) for i, channel in self.channels.items()}
        if not any(abs(turns) > 0.5 for turns in told.values()):
            return None
        twists, result = self.twists(matrices), np.zeros(len(self.bones.names))
        for i, turns in told.items():
            result[i] = np.round(GUARD * (turns - twists[i]))
        return result if result.any() else None

    def twists(self, matrices: Array) -> Array:
        """(n,) how far bones that are here have turned about themselves, in turns from -1/2 to
        1/2."""
        now = np.linalg.solve(self.rests, relative(matrices, self.bones.parents))
        u, _, v = split(now[:, :3, :3])
        turned = quaternions(u @ v)
        turned[turned[:, 3] < 0] *= -1
        along = np.einsum("ni,ni->n", turned[:, :3], self.local_axes())
        result: Array = np.arctan2(along, turned[:, 3]) / pi
        return result

    def followed(self, bone: int, twists: Array) -> Array:
        """(frames,) the full turns to be told of a bone with these twists frame by frame, if each
        is less than half a turn from the last."""
        sign = Channel(self.bones, bone, self.axes[bone]).sign
        result: Array = sign * np.rint(np.unwrap(twists, period=1.0) - twists)
        return result
