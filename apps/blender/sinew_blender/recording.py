# SPDX-License-Identifier: GPL-3.0-or-later
"""The animation of an armature as a clip of the core, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from . import preview, rigs, sinew
from .bones import Bones, joints_of, pose_matrices, read_bones, relative
from .groups import read_skin
from .turns import Turns

Array = NDArray[Any]


@dataclass(frozen=True)
class Recording:
    """A rig with one clip."""

    rig: sinew.Rig
    bones: Bones
    frames: range
    fps: float
    shear: float
    """How far joints of the core, which cannot shear, are from Blender's bones at worst."""
    squash: bool
    """Whether bones that get longer get thinner."""
    lead: int
    """Frames of the clip before the first one, in which bones make the turns they begin with."""

    def time(self, frame: int) -> float:
        """When a frame is, in seconds of the clip."""
        return (frame - self.frames[0] + self.lead) / self.fps


def _shares(links: Sequence[dict[str, Any]], bones: Bones) -> list[dict[str, str]]:
    """Twist shares as they are in the whole character, for a part of it alone."""
    steps = []
    for i, link in enumerate(links):
        above = bones.parents[i]
        parent_share = links[above]["next_share"] if above >= 0 and links[above]["next"] == i else 0
        steps.append({"twist-share": f"{bones.names[i]}={parent_share},{link['own_share']}"})
    return steps


def record(objects: Sequence[Any], armature: Any, frames: range,
           whole: Sequence[Any] = ()) -> Recording:
    """Plays the scene once. `whole`: all meshes of the character, of which `objects` are some."""
    scene = bpy.context.scene
    bones = read_bones(armature)
    rig = rigs.make_rig(objects, armature, bones, [read_skin(o, bones.names) for o in objects])
    if len(whole) > len(objects):
        everything = rigs.make_rig(whole, armature, bones,
                                   [read_skin(o, bones.names) for o in whole])
        rig.edit(_shares(everything.bone_links(), bones), progress=False)
    for obj in objects:
        preview.add_shapes(rig, obj, list(objects), armature)
    turns, first_turns = Turns(bones, rig.bone_links()), None
    joints: list[Array] = []
    shapes, shear, before = [], 0.0, scene.frame_current
    for frame in frames:
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        posed = armature.evaluated_get(graph)
        matrices = pose_matrices(posed, bones)
        if not joints:
            first_turns = turns.count(posed, matrices)
        transforms, lost = joints_of(relative(matrices, bones.parents))
        joints.append(transforms)
        shapes.append(preview.shape_weights(list(objects)))
        shear = max(shear, lost)
    scene.frame_set(before)
    fps = scene.render.fps / scene.render.fps_base
    lead = [] if first_turns is None else _wound_up(joints[0], first_turns, turns.local_axes())
    _add_clip(rig, np.array(lead + joints), np.array(len(lead) * shapes[:1] + shapes), fps)
    return Recording(rig, bones, frames, fps, shear, armature.data.sinew.squash, len(lead))


def _wound_up(joints: Array, turns: Array, axes: Array) -> list[Array]:
    """From no turns to so many, in steps that the core can follow, short of the last one."""
    steps = int(np.ceil(8 * np.abs(turns).max()))
    result = []
    for step in range(steps):
        half = np.pi * turns * (step / steps - 1)
        x, y, z, w = joints[:, 3:7].T
        a, b, c = (axes * np.sin(half)[:, None]).T
        d = np.cos(half)
        result.append(joints.copy())
        result[-1][:, 3:7] = np.stack([
            w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
            w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c], axis=1)
    return result


def _add_clip(rig: sinew.Rig, joints: Array, shapes: Array, fps: float) -> None:
    times = np.arange(len(joints)) / fps
    # The shorter way from each rotation to the next.
    turns = joints[:, :, 3:7]
    for frame in range(1, len(turns)):
        opposite = np.sum(turns[frame] * turns[frame - 1], axis=1) < 0
        turns[frame, opposite] *= -1
    channels = []
    for joint in range(joints.shape[1]):
        for target, columns in (("translation", slice(0, 3)), ("rotation", slice(3, 7)),
                                ("scale", slice(7, 10))):
            channels.append(sinew.Channel(target, joint, times, joints[:, joint, columns]))
    if shapes.size:
        channels.append(sinew.Channel("shapes", 0, times, shapes))
    rig.add_clip("bake", channels)
