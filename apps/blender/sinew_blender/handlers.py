# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender tells the add-on: poses, paint, edits, files."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent

from . import live, muscles, preview
from .bones import active_armature

_busy = False


def _previewed() -> dict[Any, list[Any]]:
    """The armatures with a mesh in the fast preview, and all their meshes that follow by nodes."""
    found: dict[Any, list[Any]] = {}
    for name in live.previewed:
        obj = bpy.data.objects.get(name)
        is_shown = obj is not None and obj.sinew.mode == "PREVIEW"
        armature = active_armature(obj) if is_shown else None
        if armature is not None and armature not in found:
            found[armature] = live.followers(armature)
    return found


@persistent
def update_previews(scene: Any, depsgraph: Any = None) -> None:
    """The armature has moved: the core deforms its meshes."""
    global _busy
    if _busy or live.is_refreshing() or not live.previewed:
        return
    # Renders have the nodes, and must not find data changed under their hands.
    if depsgraph is not None and depsgraph.mode == "RENDER":
        return
    _busy = True
    try:
        graph = depsgraph or bpy.context.evaluated_depsgraph_get()
        for armature, objects in _previewed().items():
            preview.update(armature, objects, graph)
    finally:
        _busy = False


@persistent
def notice_changes(scene: Any, depsgraph: Any) -> None:
    """Weights, settings or rest poses may have changed: nodes are refreshed when there is time."""
    if _busy or live.is_refreshing():
        return
    for update in depsgraph.updates:
        kind = type(update.id).__name__
        if kind == "Object" and update.is_updated_geometry and update.id.type == "MESH":
            obj = bpy.data.objects.get(update.id.name)
            if obj is not None and obj.mode in ("WEIGHT_PAINT", "EDIT"):
                live.mark(active_armature(obj))
        elif kind == "Armature":
            for obj in bpy.data.objects:
                is_meant = obj.type == "ARMATURE" and obj.data.name == update.id.name
                if is_meant and obj.mode == "EDIT":
                    live.mark(obj)
        elif "NodeTree" in kind:
            for obj in bpy.data.objects:
                if obj.type == "ARMATURE" and obj.data.sinew.filters is not None:
                    if obj.data.sinew.filters.name == update.id.name:
                        live.mark(obj)
    if bpy.app.background:
        live.refresh_marked()  # there are no timers; a mesh may have left edit mode


def _show_preview(is_shown: bool) -> None:
    for obj in bpy.data.objects:
        if obj.type == "MESH" and obj.sinew.mode == "PREVIEW":
            live.show_preview(obj, is_shown)


@persistent
def before_saving(*_: Any) -> None:
    """A file is to look the same without the add-on: it has the nodes, not the preview."""
    _show_preview(False)


@persistent
def after_saving(*_: Any) -> None:
    """Back to the preview."""
    _show_preview(True)


@persistent
def after_loading(*_: Any) -> None:
    """Another file."""
    preview.forget_all()
    live.find_previewed()
    _show_preview(True)
    update_previews(bpy.context.scene)


@persistent
def after_undo(*_: Any) -> None:
    """Objects are new ones; whatever was bound to the old is bound anew."""
    preview.forget_all()
    live.find_previewed()
    for obj in bpy.data.objects:
        if obj.type == "ARMATURE" and muscles.is_stale(obj, live.meshes_of(obj)):
            live.mark(obj)


HANDLERS = (
    ("depsgraph_update_post", update_previews), ("depsgraph_update_post", notice_changes),
    ("frame_change_post", update_previews), ("save_pre", before_saving),
    ("save_post", after_saving), ("load_post", after_loading),
    ("undo_post", after_undo), ("redo_post", after_undo),
)


def register() -> None:
    """Asks to be told."""
    # Not from within a registration at startup, where there is no data yet.
    if hasattr(bpy.data, "objects"):
        live.find_previewed()
        _show_preview(True)
    for name, function in HANDLERS:
        getattr(bpy.app.handlers, name).append(function)


def unregister() -> None:
    """Not any more; meshes in the preview go over to nodes."""
    for name, function in HANDLERS:
        listed = getattr(bpy.app.handlers, name)
        if function in listed:
            listed.remove(function)
    if bpy.app.timers.is_registered(live.refresh_marked):
        bpy.app.timers.unregister(live.refresh_marked)
    _show_preview(False)
