# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that follow their armature by stretchable, twistable bones while it is posed.

Ways, of which each mesh has one:
- OFF: Blender's own Armature modifier;
- NODES: geometry nodes evaluate the exact formula; renders and files work without the add-on;
- PREVIEW: in the viewport the core computes the same, faster; renders and files have the nodes;
- HELPERS: ordinary bones with drivers, which approximate it and export anywhere.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterable, Iterator, Optional

import bpy
import numpy as np

from . import bone_data, compat, filters, helpers, muscles, preview, rigs
from .bones import Bones, active_armature, read_bones
from .groups import BLEND_SHARE, Skin, read_skin
from .nodes import shared
from .nodes_skin import (
    BLEND_ATTRIBUTE,
    METHODS,
    POSITION_ATTRIBUTE,
    bone_attribute,
    make_preview_group,
    make_skin_group,
    skin_attribute,
)

MODES = (
    ("OFF", "Blender", "Blender's own Armature modifier: linear or dual quaternion skinning"),
    ("NODES", "Exact", "Stretchable, twistable bones by geometry nodes: exact, in renders and in "
     "files without this add-on, too"),
    ("PREVIEW", "Fast Preview", "The same, computed by the Sinew library in the viewport: several "
     "times as fast. Renders use the geometry nodes"),
    ("HELPERS", "Helper Bones", "Ordinary bones with drivers that share out twist and stretch: "
     "approximate, for export and other programs"),
)
NODES_MODIFIER, PREVIEW_MODIFIER = "Sinew", "Sinew Preview"
MOST_SLOTS = 16  # bones per vertex that nodes evaluate

previewed: set[str] = set()
"""The names of meshes in the fast preview."""
_marked: set[str] = set()
_depth = 0


def followers(armature: Any) -> list[Any]:
    """The meshes that follow an armature by nodes, in an order that stays."""
    return sorted((obj for obj in bpy.data.objects
                   if obj.type == "MESH" and obj.sinew.mode in ("NODES", "PREVIEW")
                   and active_armature(obj) == armature), key=lambda obj: str(obj.name))


def meshes_of(armature: Any) -> list[Any]:
    """The meshes with an Armature modifier for an armature, in an order that stays."""
    return sorted((obj for obj in bpy.data.objects
                   if obj.type == "MESH" and obj != armature.sinew.bone_data
                   and any(m.type == "ARMATURE" and m.object == armature for m in obj.modifiers)),
                  key=lambda obj: str(obj.name))


def set_mode(objects: Iterable[Any], mode: str) -> None:
    """Switches meshes to one of the ways. Helper bones are for all meshes of an armature, or for
    none. Raises ValueError where there is no armature."""
    by_armature: dict[Any, list[Any]] = {}
    for obj in objects:
        armature = active_armature(obj)
        if armature is None or obj not in meshes_of(armature):
            raise ValueError(f"{obj.name} has no Armature modifier")
        by_armature.setdefault(armature, []).append(obj)
    with undisturbed():
        for armature, chosen in by_armature.items():
            _switch(armature, chosen, mode)
        find_previewed()


def _switch(armature: Any, chosen: list[Any], mode: str) -> None:
    everyone = meshes_of(armature)
    leaves_helpers = any(obj.sinew.mode == "HELPERS" for obj in everyone)
    if leaves_helpers:
        helpers.remove(everyone, armature)
    for obj in everyone if leaves_helpers or mode == "HELPERS" else chosen:
        _leave(obj)
        obj.sinew.mode = mode if mode == "HELPERS" or obj in chosen else "OFF"
        _arrange(obj)
    _refresh(armature)
    if mode == "HELPERS":
        helpers.build(everyone, armature)


def find_previewed() -> None:
    """Looks for meshes in the fast preview; another file or an undo has brought others."""
    previewed.clear()
    previewed.update(obj.name for obj in bpy.data.objects
                     if obj.type == "MESH" and obj.sinew.mode == "PREVIEW")


def _leave(obj: Any) -> None:
    for name in (NODES_MODIFIER, PREVIEW_MODIFIER):
        modifier = obj.modifiers.get(name)
        if modifier is not None:
            obj.modifiers.remove(modifier)
    for name in [a.name for a in obj.data.attributes if a.name.startswith("sinew_")]:
        obj.data.attributes.remove(obj.data.attributes[name])


def _arrange(obj: Any) -> None:
    """Modifiers of a mesh, as its way has them."""
    by_nodes = obj.sinew.mode in ("NODES", "PREVIEW")
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE":
            modifier.show_viewport = modifier.show_render = not by_nodes


def _modifier(obj: Any, name: str) -> Any:
    """The modifier of nodes with this name, right behind the Armature modifier."""
    modifier = obj.modifiers.get(name)
    if modifier is None:
        modifier = obj.modifiers.new(name, "NODES")
        last = len(obj.modifiers) - 1
        place = next(i for i, m in enumerate(obj.modifiers) if m.type == "ARMATURE")
        with bpy.context.temp_override(object=obj):
            bpy.ops.object.modifier_move_to_index(modifier=name, index=min(place + 1, last))
    return modifier


def is_refreshing() -> bool:
    """Whether what has changed was changed here."""
    return _depth > 0


@contextmanager
def undisturbed() -> Iterator[None]:
    """While handlers must not act on changes that are only half made."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


def refresh(armature: Any) -> None:
    """Brings nodes up to date with weights, settings and the rest pose."""
    with undisturbed():
        _refresh(armature)


def renew(armature: Any) -> None:
    """Makes anew what follows an armature, helper bones as well."""
    helped = [obj for obj in meshes_of(armature) if obj.sinew.mode == "HELPERS"]
    if helped:
        set_mode(helped, "HELPERS")
    else:
        refresh(armature)


def _refresh(armature: Any) -> None:
    muscles.refresh(armature, meshes_of(armature))
    objects = followers(armature)
    if not objects:
        _forget(armature)
        return
    bones = read_bones(armature)
    skins = [read_skin(obj, bones.names) for obj in objects]
    rig = rigs.make_rig(objects, armature, bones, skins)
    data = armature.sinew.bone_data
    if data is None:
        data = armature.sinew.bone_data = bone_data.make(armature, f"{armature.name} bones")
    bone_data.fill(data, armature, bones, rig.bone_links())
    bone_data.set_squash(data, armature.data.sinew.squash)
    start, endpoints = 0, rig.endpoints
    assert endpoints is not None, "make_rig() gives them"
    twists = endpoints if rig.twist_endpoints is None else rig.twist_endpoints
    for obj, skin in zip(objects, skins):
        end = start + len(skin.weights)
        slots = write_slots(obj, armature, bones, skin, endpoints[start:end], twists[start:end])
        start = end
        modifier = _modifier(obj, NODES_MODIFIER)
        modifier.node_group = _skin_group(slots, obj.sinew.method)
        modifier[compat.input_identifier(modifier.node_group, "Bones")] = data
        if obj.sinew.mode == "PREVIEW":
            _preview_modifier(obj)
            show_preview(obj, True)
        obj.update_tag()
    preview.forget(armature)


def _forget(armature: Any) -> None:
    preview.forget(armature)
    data = armature.sinew.bone_data
    if data is not None:
        mesh = data.data
        bpy.data.objects.remove(data)
        bpy.data.meshes.remove(mesh)


def _skin_group(slots: int, method: str) -> Any:
    name = f"Sinew Skin {METHODS[method]} {slots}"
    return shared(name, lambda name: make_skin_group(name, slots, method))


def _preview_modifier(obj: Any) -> None:
    if POSITION_ATTRIBUTE not in obj.data.attributes:
        obj.data.attributes.new(POSITION_ATTRIBUTE, "FLOAT_VECTOR", "POINT")
    modifier = _modifier(obj, PREVIEW_MODIFIER)
    modifier.node_group = shared("Sinew Preview", make_preview_group)
    modifier.show_render = False


def show_preview(obj: Any, is_shown: bool) -> None:
    """Whether the viewport has the preview or the nodes of a mesh in the fast preview."""
    for name, shown in ((NODES_MODIFIER, not is_shown), (PREVIEW_MODIFIER, is_shown)):
        modifier = obj.modifiers.get(name)
        if modifier is not None:
            modifier.show_viewport = shown


def write_slots(obj: Any, armature: Any, bones: Bones, skin: Skin, endpoints: Any,
                twists: Any) -> int:
    """Influences as attributes of the mesh, the largest weight first; how many slots there are."""
    stretch, twist = np.array(endpoints), np.array(twists)
    for b, name in enumerate(bones.names):
        bone, mine = armature.data.bones[name], skin.bones == b
        for kind, values in (("stretch", stretch), ("twist", twist)):
            points = filters.points_of(armature.data, bone, kind)
            if points:
                values[mine] = filters.evaluate(points, values[mine])
    vertices = skin.vertices
    order = np.lexsort((-skin.weights, vertices))
    slot = np.arange(len(order)) - skin.offsets[vertices]
    count = int(slot.max(initial=0)) + 1
    slots = min(count, MOST_SLOTS)
    table = np.zeros((slots, len(skin.offsets) - 1, 3), np.float32)
    which = np.zeros((slots, len(skin.offsets) - 1), np.int32)
    kept = slot < slots
    at = (slot[kept], vertices[kept])
    which[at] = skin.bones[order][kept]
    for column, values in enumerate((skin.weights, stretch, twist)):
        table[(*at, column)] = values[order][kept]
    if count > slots:
        table[:, :, 0] /= np.maximum(table[:, :, 0].sum(axis=0), 1e-30)
    shares = _shares(obj) if obj.sinew.method == rigs.MIXED else None
    _write_attributes(obj.data, which, table, shares)
    return slots


def _shares(obj: Any) -> Any:
    shares = rigs.blend_shares([obj])
    full = np.full(len(obj.data.vertices), BLEND_SHARE) if shares is None else shares
    return full.astype(np.float32)


def _write_attributes(mesh: Any, which: Any, table: Any, shares: Optional[Any]) -> None:
    wanted = {} if shares is None else {BLEND_ATTRIBUTE: ("FLOAT", "value", shares)}
    for k in range(len(which)):
        wanted[bone_attribute(k)] = ("INT", "value", which[k])
        wanted[skin_attribute(k)] = ("FLOAT_VECTOR", "vector", table[k])
    ours = ("sinew_bone_", "sinew_skin_", BLEND_ATTRIBUTE)
    stale = [a.name for a in mesh.attributes if a.name.startswith(ours)
             and (a.name not in wanted or len(a.data) != len(mesh.vertices))]
    for name in stale:
        mesh.attributes.remove(mesh.attributes[name])
    for name, (kind, member, values) in wanted.items():
        if name not in mesh.attributes:
            mesh.attributes.new(name, kind, "POINT")
        mesh.attributes[name].data.foreach_set(member, values.ravel())


def _concerned(armature: Any) -> list[Any]:
    """The meshes that a refresh of an armature changes."""
    everyone = meshes_of(armature)
    return everyone if muscles.concerns(armature, everyone) else followers(armature)


def mark(armature: Optional[Any]) -> None:
    """Something that nodes or muscles depend on has changed: they are refreshed when Blender is
    idle."""
    if armature is None or is_refreshing() or not _concerned(armature):
        return
    _marked.add(armature.name)
    if bpy.app.background:
        refresh_marked()
    elif not bpy.app.timers.is_registered(refresh_marked):
        bpy.app.timers.register(refresh_marked, first_interval=0.2)


def mark_all(context: Any) -> None:
    """The same for whatever is active."""
    mark(active_armature(getattr(context, "object", None)))


def refresh_marked() -> Optional[float]:
    """Refreshes what was marked; seconds until the next try, if something has to wait. Meshes in
    edit mode do: until it is left they have no attributes to write to."""
    waiting = set()
    while _marked:
        name = _marked.pop()
        armature = bpy.data.objects.get(name)
        if armature is None or armature.type != "ARMATURE":
            continue
        if any(obj.mode == "EDIT" for obj in _concerned(armature)):
            waiting.add(name)
        else:
            refresh(armature)
    _marked.update(waiting)
    return 0.5 if waiting else None
