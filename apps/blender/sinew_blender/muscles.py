# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles: bones whose skin swells across them as they get shorter or a joint bends.

The core's formula is a movement at bind for each vertex, times one number for each bone in a pose.
That is a shape key with a driver: in Blender, too, a muscle is one, `bulge_<bone>`. So it works
before whatever makes the mesh follow, in renders and without the add-on.
"""

from __future__ import annotations

from math import degrees
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import drivers, filters, rigs, sinew
from .bones import Bones, deforms, read_bones
from .groups import read_skin

Array = NDArray[Any]
LEAST_DRIVE = -0.9  # as in the core: a tenth of the radius is left
LEAST_RANGE = 0.1  # degrees
# Of the datablock of shape keys: which of them are ours, one per line, and whether the basis is.
OWNED, OWNED_BASIS = "sinew_bulges", "sinew_basis"


def key_name(bone: str) -> str:
    """The shape key of a bone's muscle, as the core's bake calls it."""
    return f"bulge_{bone}"


def has_joint(armature: Any, bone: Any) -> bool:
    """Whether the bone whose angle is to drive a muscle is one that deforms."""
    joint = armature.bones.get(bone.sinew.muscle_joint)
    return joint is not None and deforms(joint)


def muscle_of(armature: Any, bone: Any) -> Optional[dict[str, Any]]:
    """A bone's muscle as the core takes it, in the armature's space and in degrees; None: it has
    none, or nothing drives it."""
    chosen = bone.sinew
    if not chosen.has_muscle:
        return None
    told: dict[str, Any] = {}
    if chosen.muscle_stretch:
        told["stretch"] = float(chosen.muscle_stretch)
    if has_joint(armature, bone) and chosen.muscle_gain:
        start, end = degrees(chosen.muscle_start), degrees(chosen.muscle_end)
        if not chosen.muscle_about:
            start, end = max(start, 0.0), max(end, 0.0)
        if abs(end - start) < LEAST_RANGE:
            end = start - LEAST_RANGE if start > 90 else start + LEAST_RANGE
        told["angle"] = {"joint": chosen.muscle_joint, "range": [start, end],
                         "gain": float(chosen.muscle_gain)}
        if chosen.muscle_about and any(chosen.muscle_axis):
            told["angle"]["axis"] = list(chosen.muscle_axis)
    if not told:
        return None
    if chosen.muscle_sided and any(chosen.muscle_side):
        told["side"] = list(chosen.muscle_side)
    profile = filters.points_of(armature, bone, "muscle")
    if profile:
        told["profile"] = [list(point) for point in profile]
    return told


def set_muscle(armature: Any, bone: Any, told: dict[str, Any]) -> None:
    """The other way round."""
    chosen, angle = bone.sinew, told.get("angle")
    chosen.has_muscle = True
    chosen.muscle_stretch = told.get("stretch", 0.0)
    chosen.muscle_joint = angle["joint"] if angle else ""
    if angle:
        chosen.muscle_start, chosen.muscle_end = np.radians(angle["range"])
        chosen.muscle_gain = angle["gain"]
        chosen.muscle_about = "axis" in angle
        if chosen.muscle_about:
            chosen.muscle_axis = angle["axis"]
    chosen.muscle_sided = "side" in told
    if chosen.muscle_sided:
        chosen.muscle_side = told["side"]
    filters.set_points(armature, bone, "muscle", told.get("profile", ()))


def muscles_of(armature: Any, bones: Bones) -> dict[str, Any]:
    """All muscles of an armature object, by the names of their bones."""
    found = {name: muscle_of(armature.data, armature.data.bones[name]) for name in bones.names}
    return {name: told for name, told in found.items() if told is not None}


def concerns(armature: Any, objects: Sequence[Any]) -> bool:
    """Whether there is a muscle, or a shape key left of one."""
    return (any(muscle_of(armature.data, bone) for bone in armature.data.bones)
            or any(_owned(obj) for obj in objects))


def is_stale(armature: Any, objects: Sequence[Any]) -> bool:
    """Whether there are muscles without a shape key, or the other way round: undo may know of one
    and not yet of the other."""
    has_muscles = any(muscle_of(armature.data, bone) for bone in armature.data.bones)
    return bool(objects) and has_muscles != any(_owned(obj) for obj in objects)


def disown(obj: Any) -> None:
    """Leaves the shape keys of a mesh as they are, for good."""
    for name in (OWNED, OWNED_BASIS):
        if name in obj.data.shape_keys.keys():
            del obj.data.shape_keys[name]


def _owned(obj: Any) -> list[str]:
    keys = obj.data.shape_keys
    names = [] if keys is None else str(keys.get(OWNED, "")).split("\n")
    return [name for name in names if name and name in keys.key_blocks]


def refresh(armature: Any, objects: Sequence[Any]) -> None:
    """Brings the shape keys of these meshes up to date with weights and settings."""
    if not concerns(armature, objects):
        return
    bones = read_bones(armature)
    muscles = muscles_of(armature, bones)
    for obj in objects:
        wanted = _bulges(obj, armature, bones, muscles) if muscles else {}
        _remove_keys(obj, set(_owned(obj)) - {key_name(bone) for bone in wanted})
        if wanted:
            _write_keys(obj, armature, bones, muscles, wanted)


def remove(objects: Sequence[Any]) -> None:
    """Takes all shape keys of muscles away."""
    for obj in objects:
        _remove_keys(obj, set(_owned(obj)))


def _bulges(obj: Any, armature: Any, bones: Bones,
            muscles: dict[str, Any]) -> dict[str, tuple[Array, Array]]:
    """For each bone whose muscle moves a mesh: which vertices, and where to, in the mesh's space."""
    rig = rigs.make_rig([obj], armature, bones, [read_skin(obj, bones.names)])
    rig.muscles = muscles
    skin = sinew.GpuSkin(rig)
    if skin.delta_ranges is None or skin.deltas is None:
        return {}
    counts = np.array(skin.delta_ranges)[:, 1].astype(np.int64)
    vertices = np.repeat(np.arange(len(counts)), counts)
    texels = np.array(skin.deltas, float).reshape(-1, 4)[:3 * len(vertices):3]
    # Drives lie behind six texels for each bone: docs/gpu.md.
    which = texels[:, 3].astype(np.int64) - 24 * len(bones.names)
    back = np.linalg.inv(rigs.to_armature(obj, armature)[:3, :3])
    moves = texels[:, :3] @ back.T
    return {bones.names[b]: (vertices[which == b], moves[which == b]) for b in np.unique(which)}


def with_basis(obj: Any) -> tuple[Any, Array]:
    """The shape keys of a mesh, which gets a basis if it has none, and (vertices, 3) the basis."""
    if obj.data.shape_keys is None:
        obj.shape_key_add(name="Basis")
    keys: Any = obj.data.shape_keys
    basis = np.empty((len(obj.data.vertices), 3), np.float32)
    keys.reference_key.data.foreach_get("co", basis.ravel())
    return keys, basis


def _write_keys(obj: Any, armature: Any, bones: Bones, muscles: dict[str, Any],
                wanted: dict[str, tuple[Array, Array]]) -> None:
    owned, had_none = _owned(obj), obj.data.shape_keys is None
    keys, basis = with_basis(obj)
    if had_none:
        keys[OWNED_BASIS] = True
    made = []
    for bone, (vertices, moves) in wanted.items():
        name = key_name(bone)
        key = keys.key_blocks[name] if name in owned else obj.shape_key_add(name=name)
        key.slider_min, key.slider_max = -1, 10
        places = basis.copy()
        places[vertices] += moves.astype(np.float32)
        key.data.foreach_set("co", places.ravel())
        _drive(key, armature, bones, bone, muscles[bone])
        made.append(key.name)
    keys[OWNED] = "\n".join(made)
    obj.data.update()


def _remove_keys(obj: Any, names: set[str]) -> None:
    keys = obj.data.shape_keys
    for name in names:
        keys.key_blocks[name].driver_remove("value")
        obj.shape_key_remove(keys.key_blocks[name])
    if names:
        keys[OWNED] = "\n".join(_owned(obj))
    if keys is not None and len(keys.key_blocks) == 1 and keys.get(OWNED_BASIS):
        obj.shape_key_clear()


def _drive(key: Any, armature: Any, bones: Bones, bone: str, told: dict[str, Any]) -> None:
    """The drive of a muscle as a driver: muscle_drive() of the core."""
    driver, terms = drivers.scripted(key.driver_add("value")), []
    if told.get("stretch") and not armature.data.sinew.squash:
        factor = _add_length(driver, armature, bones, bones.index[bone])
        terms.append(f"{told['stretch']:.6g}*(1/sqrt(max({factor},0.000001))-1)")
    angle = told.get("angle")
    if angle:
        drivers.add_turn(driver, armature, angle["joint"])
        axis = angle.get("axis")
        turned = ("2*atan2(sqrt(x*x+y*y+z*z),abs(w))" if axis is None
                  else drivers.twist(np.array(axis) / np.linalg.norm(axis)))
        start, end = np.radians(angle["range"])
        terms.append(f"{angle['gain']:.6g}*clamp(({turned}-{start:.7f})/{end - start:.7f})"
                     .replace("--", "+"))
    driver.expression = f"max({LEAST_DRIVE},{'+'.join(terms) or '0'})".replace("+-", "-")


def _add_length(driver: Any, armature: Any, bones: Bones, bone: int) -> str:
    """How long a bone is against rest. Distances and scales are in the world, and so is the size of
    the armature object, which is divided out."""
    drivers.add_transform(driver, "o", armature, "", "SCALE_AVG")
    after = bones.nexts()[bone]
    span = bones.tails[bone] - bones.heads[bone]
    if after >= 0:
        drivers.add_distance(driver, "d", armature, [bones.names[bone], bones.names[after]])
        return f"d/(o*{np.linalg.norm(span):.9g})"
    # Its own scale moves its tail, which need not be where Blender draws it.
    local = bones.rests[bone, :3, :3].T @ span / np.linalg.norm(span)
    terms = []
    for name, share in zip("abc", local):
        if abs(share) > 1e-3:
            kind = "SCALE_" + "XYZ"["abc".index(name)]
            drivers.add_transform(driver, name, armature, bones.names[bone], kind)
            terms.append(f"{share * share:.6f}*{name}*{name}")
    return f"sqrt({'+'.join(terms)})/o"
