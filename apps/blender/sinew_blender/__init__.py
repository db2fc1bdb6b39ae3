# SPDX-License-Identifier: GPL-3.0-or-later
"""Sinew for Blender: stretchable, twistable bones, and automatic weights that never fail.

The folder `sinew` has the Python package of the same name and its library, under the Apache
licence 2.0; everything else is under the GNU GPL, version 3 or later.
"""

import bpy

from . import handlers, ops_bake, ops_correct, ops_gltf, ops_live, ops_weights, panels, props
from .gltf_import import glTF2ImportUserExtension  # found by Blender's glTF importer

bl_info = {
    "name": "Sinew",
    "description": "Stretchable, twistable bones and automatic weights that never fail",
    "author": "The Sinew authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Sinew, Object > Parent, File > Import and Export",
    "category": "Rigging",
}

__all__ = ["bl_info", "glTF2ImportUserExtension", "register", "unregister"]

_CLASSES = (*ops_weights.CLASSES, *ops_live.CLASSES, *ops_correct.CLASSES, *ops_bake.CLASSES,
            *ops_gltf.CLASSES, *panels.CLASSES)


def register() -> None:
    """Blender turns the add-on on."""
    props.register()
    for kind in _CLASSES:
        bpy.utils.register_class(kind)
    panels.register()
    handlers.register()


def unregister() -> None:
    """Blender turns it off; files stay as they are, and look the same."""
    handlers.unregister()
    panels.unregister()
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
    props.unregister()
