# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of docs/blender.md, in Blender, with the add-on enabled:

    BLENDER_USER_SCRIPTS=FOLDER blender -b --factory-startup --python make_pictures.py -- FOLDER_OF_PICTURES
"""

import os
import sys
from math import pi, radians
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent / "tests"))
bpy.ops.preferences.addon_enable(module="sinew_blender")

from character import from_sample, new_armature, new_mesh, select  # noqa: E402
from sinew_blender import groups, live  # noqa: E402
from test_weights import _cube, _tube_with  # noqa: E402

OUT = sys.argv[sys.argv.index("--") + 1]
SKIN = (0.72, 0.6, 0.5, 1)


def start() -> None:
    """An empty scene."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def draw(name: str, center: tuple, width: float, size: tuple, turn: float = 0.0,
         colors: str = "OBJECT") -> None:
    """A picture without perspective, from the front or turned about the vertical axis."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.data.type, camera.data.ortho_scale = "ORTHO", width
    angle = radians(turn)
    camera.location = np.array(center) + 10 * np.array([np.sin(angle), -np.cos(angle), 0.35])
    camera.rotation_euler = (pi / 2 - np.arctan(0.35), 0, angle)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.view_settings.view_transform = "Standard"
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_cavity = "STUDIO", colors, False
    shading.background_type, shading.background_color = "VIEWPORT", (0.93, 0.93, 0.93)
    if scene.world is None:
        scene.world = bpy.data.worlds.new("world")
    scene.world.color = (0.93, 0.93, 0.93)
    scene.display.render_aa = "16"
    scene.render.filepath = os.path.join(OUT, f"{name}.png")
    bpy.ops.render.render(write_still=True)


def smooth(mesh: object) -> None:
    """Without facets."""
    mesh.data.polygons.foreach_set("use_smooth", [True] * len(mesh.data.polygons))
    mesh.color = SKIN


def paint(mesh: object, values: np.ndarray, known: np.ndarray) -> None:
    """Colours of weights, as Blender's weight paint has them; grey where there is none."""
    layer = mesh.data.color_attributes.new("weights", "FLOAT_COLOR", "POINT")
    mesh.data.color_attributes.active_color = layer
    x = np.clip(values, 0, 1)[:, None]
    stops = np.array([[0.02, 0.05, 0.8], [0, 0.7, 0.75], [0.05, 0.7, 0.05], [0.85, 0.75, 0.02],
                      [0.8, 0.04, 0.02]])
    place = x[:, 0] * 4
    low = np.minimum(place.astype(int), 3)
    color = stops[low] + (stops[low + 1] - stops[low]) * (place - low)[:, None]
    color = np.where(known[:, None], color, 0.35)
    layer.data.foreach_set("color", np.c_[color, np.ones(len(x))].astype(np.float32).ravel())


def weights_of(mesh: object, name: str) -> tuple:
    """The weights of one group, and which vertices have any bone."""
    count = len(mesh.data.vertices)
    values, known = np.zeros(count), np.zeros(count, bool)
    group = mesh.vertex_groups.get(name)
    for vertex in mesh.data.vertices:
        for element in vertex.groups:
            known[vertex.index] |= element.weight > 0
            if group is not None and element.group == group.index:
                values[vertex.index] = element.weight
    return values, known


def follow() -> None:
    """An arm with a turned and stretched wrist: Blender's two ways, and ours."""
    start()
    for number, kind in enumerate(("linear", "volume", "sinew")):
        mesh, armature, _ = from_sample("arm", 12000)
        smooth(mesh)
        armature.location = (0, 0, -0.3 * number)
        hand = armature.pose.bones["hand"]
        hand.rotation_mode, hand.rotation_euler = "XYZ", (0, radians(165), 0)
        armature.pose.bones["forearm"].scale = (1, 1.35, 1)
        hand.bone.inherit_scale = "NONE"
        mesh.modifiers["Armature"].use_deform_preserve_volume = kind == "volume"
        if kind == "sinew":
            live.set_mode([mesh], "NODES")
    draw("blender-follow", (0.36, 0, -0.3), 1.0, (560, 460), turn=-8)


def automatic() -> None:
    """A tube with a loose triangle and a button: Blender's automatic weights, and ours."""
    start()
    points, faces = _tube_with(*_cube((0.55, 0, 1.5), 0.1))
    corner = np.array([(0.5, 0, 0.5), (0.6, 0, 0.5), (0.5, 0, 0.6)])
    faces = [*faces, tuple(range(len(points), len(points) + 3))]
    points = np.concatenate([points, corner])
    for number in range(2):
        place = np.array([1.5 * number, 0, 0])
        mesh = new_mesh("tube", points + place, faces)
        armature = new_armature("rig", [("lower", place, place + (0, 0, 1), None),
                                        ("upper", place + (0, 0, 1), place + (0, 0, 2), "lower")])
        bpy.context.view_layer.update()
        select(armature, mesh)
        if number == 0:
            bpy.ops.object.parent_set(type="ARMATURE_AUTO")
        else:
            bpy.ops.sinew.parent(method="bbw")
        smooth(mesh)
        paint(mesh, *weights_of(mesh, "upper"))
    draw("blender-weights", (0.95, 0, 1), 3.2, (560, 480), colors="VERTEX")


def endpoints() -> None:
    """Endpoint weights of a forearm, as they are painted."""
    start()
    mesh, armature, _ = from_sample("arm", 12000, weighted=False)
    select(armature, mesh)
    bpy.ops.sinew.parent(method="heat", endpoints="bbw", influences=0)
    smooth(mesh)
    values, _ = weights_of(mesh, groups.endpoint_group("forearm"))
    _, known = weights_of(mesh, "forearm")
    part, _ = weights_of(mesh, "forearm")
    paint(mesh, values, known & (part > 0.02))
    draw("blender-endpoints", (0.36, 0, 0), 0.9, (560, 220), turn=-8, colors="VERTEX")


def muscle() -> None:
    """A bent arm without and with a biceps."""
    start()
    for number in range(2):
        mesh, armature, _ = from_sample("arm", 12000)
        smooth(mesh)
        armature.location = (0.62 * number, 0, 0)
        forearm = armature.pose.bones["forearm"]
        axis = forearm.bone.matrix_local.to_3x3().transposed() @ Vector((0, -1, 0))
        forearm.rotation_mode, forearm.rotation_axis_angle = "AXIS_ANGLE", (radians(110), *axis)
        live.set_mode([mesh], "NODES")
        if number:
            select(armature)
            chosen = armature.data.bones["upper_arm"].sinew
            chosen.muscle_stretch, chosen.muscle_joint, chosen.muscle_gain = 0, "forearm", 0.6
            chosen.muscle_sided, chosen.muscle_side = True, (0, 0, 1)
            chosen.has_muscle = True
    draw("blender-muscle", (0.48, 0, 0.1), 1.35, (560, 280))


follow()
automatic()
endpoints()
muscle()
