# SPDX-License-Identifier: GPL-3.0-or-later
"""Helper bones: twist and stretch shared out over ordinary bones, by drivers.

They are the core's baked form. A bone of N segments gets N + 1 helpers along itself, among which
its weights are divided by endpoint weight; each takes its share of the twists at both ends. Groups
of the bone itself stay as they are: the bone just does not deform any more, so that all of it can
be undone.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from mathutils import Matrix

from . import compat, drivers, rigs
from .bones import Bones, read_bones
from .edit_mode import edited
from .groups import read_skin, write_groups
from .nodes_bones import ALL_TWIST, NO_TWIST
from .turns import GUARD, Channel

COLLECTION = "Sinew helpers"


def helper_name(bone: str, number: int) -> str:
    """A name that Blender still knows the side of: arm_twist1.L."""
    if bone[-2:] in (".L", ".R", "_L", "_R", ".l", ".r", "_l", "_r"):
        return f"{bone[:-2]}_twist{number}{bone[-2:]}"
    return f"{bone}_twist{number}"


def _property(bone: int, end: str) -> str:
    """By number: properties have shorter names than bones may have."""
    return f"sinew {end} {bone}"


def _half_turn(name: str) -> str:
    return f"{name} half"


def _split_bones(bones: Bones, links: Sequence[dict[str, Any]]) -> list[int]:
    """Those that take twist, or that another bone may stretch."""
    return [i for i, link in enumerate(links)
            if link["own_share"] or link["next_share"] or link["tail_carrier"] != i]


def build(objects: Sequence[Any], armature: Any) -> None:
    """Gives an armature helpers, and these meshes groups for them."""
    bones = read_bones(armature)
    skins = [read_skin(obj, bones.names) for obj in objects]
    rig = rigs.make_rig(objects, armature, bones, skins)
    links = rig.bone_links()
    chosen = _split_bones(bones, links)
    if not chosen:
        raise ValueError(f"{armature.name}: no bone twists or stretches")
    segments = max(obj.sinew.segments for obj in objects)
    baked = rig.bake(segments=segments, influences=1000, live="table", progress=False,
                     joints=[bones.names[i] for i in chosen])
    assert baked.table is not None, "asked for"
    rows = baked.table["helpers"]
    _add_bones(armature, bones, links, chosen, rows)
    for i in chosen:
        bone = armature.data.bones[bones.names[i]]
        bone.use_deform, bone.sinew.is_split = False, True
    _add_drivers(armature, bones, links, chosen, rows)
    _write_weights(objects, baked.rig, rows)


def _place(row: dict[str, Any]) -> str:
    """The name of a helper in Blender."""
    return helper_name(row["joint"], int(row["helper"].rsplit("_twist", 1)[1]))


def _base_name(bone: str) -> str:
    return f"{bone} aim"


def _needs_base(armature: Any, bones: Bones, links: Sequence[dict[str, Any]], i: int) -> bool:
    """Whether a bone beyond its tail can move on its own, and stretch it by that."""
    carrier = links[i]["tail_carrier"]
    return carrier != i and not armature.data.bones[bones.names[carrier]].use_connect


def _add_bones(armature: Any, bones: Bones, links: Sequence[dict[str, Any]], chosen: Sequence[int],
               rows: Sequence[dict[str, Any]]) -> None:
    frames = bones.frames()
    based = {i for i in chosen if _needs_base(armature, bones, links, i)}
    with edited(armature) as edit_bones:
        def add(name: str, i: int, place: float, size: float, parent: Any) -> Any:
            bone = edit_bones.new(name)
            matrix = np.eye(4)
            matrix[:3, :3] = frames[i]
            matrix[:3, 3] = bones.heads[i] + place * (bones.tails[i] - bones.heads[i])
            bone.head, bone.tail = (0, 0, 0), (0, size, 0)
            bone.matrix = Matrix(matrix.tolist())
            bone.parent = parent
            return bone

        for i in based:
            length = float(np.linalg.norm(bones.tails[i] - bones.heads[i]))
            base = add(_base_name(bones.names[i]), i, 0.0, length, edit_bones[bones.names[i]])
            base.use_deform = False
        for row in rows:
            i = bones.index[row["joint"]]
            above = _base_name(row["joint"]) if i in based else row["joint"]
            size = 0.2 * float(np.linalg.norm(bones.tails[i] - bones.heads[i]))
            bone = add(_place(row), i, row["place"], size, edit_bones[above])
            bone.inherit_scale = "NONE"
    for name, of in [*((_base_name(bones.names[i]), bones.names[i]) for i in based),
                     *((_place(row), row["joint"]) for row in rows)]:
        bone = armature.data.bones[name]
        bone.sinew.helper_of = of
        compat.hide_bone(armature.data, bone, COLLECTION)
    for i in based:
        constraint = armature.pose.bones[_base_name(bones.names[i])].constraints.new("STRETCH_TO")
        constraint.target, constraint.subtarget = armature, bones.names[links[i]["tail_carrier"]]
        constraint.rest_length = float(np.linalg.norm(bones.tails[i] - bones.heads[i]))
        constraint.volume, constraint.keep_axis = "NO_VOLUME", "SWING_Y"


def _new_driver(armature: Any, name: str) -> Any:
    """The driver of a new object property."""
    armature[name] = 0.0
    return drivers.scripted(armature.driver_add(f'["{name}"]'))


def _twist_driver(armature: Any, name: str, bones: Bones, joint: int, axis: Any) -> None:
    """Object properties that have the twist of a bone about an axis: within half a turn, and with
    its full turns and faded where the swing is large."""
    bone, local = bones.names[joint], bones.rests[joint, :3, :3].T @ axis
    driver = _new_driver(armature, _half_turn(name))
    drivers.add_turn(driver, armature, bone)
    driver.expression = drivers.twist(local)
    driver = _new_driver(armature, name)
    drivers.add_turn(driver, armature, bone)
    told = Channel(bones, joint, axis).drive(driver, armature)
    drivers.add_property(driver, "t", armature, f'["{_half_turn(name)}"]')
    along = drivers.along(local)
    driver.expression = (f"(t+6.283185307*round({GUARD}*({told}-t*0.1591549431)))*"
                         f"smoothstep({NO_TWIST:.6f},{ALL_TWIST:.6f},sqrt(w*w+{along}*{along}))")


def _add_drivers(armature: Any, bones: Bones, links: Sequence[dict[str, Any]],
                 chosen: Sequence[int], rows: Sequence[dict[str, Any]]) -> None:
    frames = bones.frames()
    armature.update_tag()  # as in bone_data.py
    for i in chosen:
        link, axis = links[i], frames[i][:, 1]
        if link["own_share"]:
            _twist_driver(armature, _property(i, "own"), bones, i, axis)
        if link["next_share"]:
            _twist_driver(armature, _property(i, "next"), bones, link["next"], axis)
    for row in rows:
        bone, i = armature.pose.bones[_place(row)], bones.index[row["joint"]]
        bone.rotation_mode = "XYZ"
        scale = bone.constraints.new("COPY_SCALE")
        scale.target, scale.subtarget, scale.use_y = armature, row["joint"], False
        place, link = row["place"], links[i]
        terms = {"own": -(1 - place) * link["own_share"], "next": place * link["next_share"]}
        terms = {end: share for end, share in terms.items() if share}
        if not terms:
            continue
        driver = drivers.scripted(bone.driver_add("rotation_euler", 1))
        for end in terms:
            drivers.add_property(driver, end, armature, f'["{_property(i, end)}"]')
        driver.expression = "+".join(f"({share:.6f})*{end}" for end, share in terms.items())


def _write_weights(objects: Sequence[Any], rig: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Groups of the helpers; all others stay."""
    index = {name: b for b, name in enumerate(rig.bone_names)}
    place = np.full(len(index), -1)
    for number, row in enumerate(rows):
        place[index[row["helper"]]] = number
    counts = np.diff(rig.weight_offsets.astype(np.int64))
    vertices = np.repeat(np.arange(len(counts)), counts)
    which, weights = place[np.array(rig.weight_bones)], np.array(rig.weights)
    names, start = [_place(row) for row in rows], 0
    for obj in objects:
        end = start + len(obj.data.vertices)
        mine = (vertices >= start) & (vertices < end) & (which >= 0) & (weights > 0)
        write_groups(obj, names, vertices[mine] - start, which[mine], weights[mine])
        start = end


def remove(objects: Sequence[Any], armature: Any) -> None:
    """Takes all helpers of an armature away again, and their groups from these meshes."""
    names = [bone.name for bone in armature.data.bones if bone.sinew.helper_of]
    for obj in objects:
        for name in names:
            group = obj.vertex_groups.get(name)
            if group is not None:
                obj.vertex_groups.remove(group)
    for bone in armature.data.bones:
        if bone.sinew.is_split:
            bone.use_deform, bone.sinew.is_split = True, False
    if not names:
        return
    for name in names:
        armature.pose.bones[name].driver_remove("rotation_euler")
    for key in [key for key in armature.keys() if key.startswith(("sinew own ", "sinew next "))]:
        armature.driver_remove(f'["{key}"]')
        del armature[key]
    with edited(armature) as edit_bones:
        for name in names:
            edit_bones.remove(edit_bones[name])
