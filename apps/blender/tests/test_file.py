# SPDX-License-Identifier: GPL-3.0-or-later
"""Files, renders, and life after the add-on."""

import json
import os
import subprocess

import bpy
import numpy as np
from character import animate, evaluated, from_sample, pose_randomly, select
from sinew_blender import live

# What a Blender without the add-on says about a file: where vertices are at a frame.
ASK = """
import bpy, json, sys
bpy.context.scene.frame_set(9)
graph = bpy.context.evaluated_depsgraph_get()
mesh = bpy.data.objects["arm"].evaluated_get(graph).data
json.dump([list(v.co) for v in mesh.vertices], open(sys.argv[-1], "w"))
"""

# Installs the add-on, opens a file with it, uninstalls it, saves the file and opens that.
UNINSTALL = """
import bpy, json, os, sys
zipped, path, answer = sys.argv[-3:]
bpy.ops.preferences.addon_install(filepath=zipped)
bpy.ops.preferences.addon_enable(module="sinew_blender")
bpy.ops.wm.open_mainfile(filepath=path)
folder = os.path.join(bpy.utils.user_resource("SCRIPTS", path="addons"), "sinew_blender")
assert os.path.isdir(folder) and bpy.data.objects["arm"].sinew.mode == "PREVIEW"
try:
    bpy.ops.preferences.addon_remove(module="sinew_blender")
except RuntimeError:
    pass  # it redraws its area at the end, and there is none
assert not os.path.exists(folder) and not hasattr(bpy.types.Object, "sinew")
bpy.ops.wm.save_mainfile()
bpy.ops.wm.open_mainfile(filepath=path)
bpy.context.scene.frame_set(9)
graph = bpy.context.evaluated_depsgraph_get()
mesh = bpy.data.objects["arm"].evaluated_get(graph).data
json.dump([list(v.co) for v in mesh.vertices], open(answer, "w"))
"""


def _pixels(path: str) -> np.ndarray:
    image = bpy.data.images.load(path)
    pixels = np.array(image.pixels[:])
    bpy.data.images.remove(image)
    return pixels


def _set_up_render() -> None:
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.seed = "CYCLES", 1, 0
    scene.cycles.use_denoising = False
    scene.render.resolution_x = scene.render.resolution_y = 96
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 1.2
    camera.location, camera.rotation_euler = (0.3, -3, 0), (np.pi / 2, 0, 0)
    light = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    for obj in (camera, light):
        scene.collection.objects.link(obj)
    scene.camera = camera


def _asked_without_add_on(path: str, name: str) -> tuple:
    """Vertices, and a picture rendered by the command line."""
    folder = bpy.app.tempdir
    script, answer, picture = (os.path.join(folder, f"{name}{e}") for e in (".py", ".json", " "))
    with open(script, "w", encoding="utf-8") as file:
        file.write(ASK)
    environment = {**os.environ, "BLENDER_USER_SCRIPTS": os.path.join(folder, "none")}
    subprocess.run([bpy.app.binary_path, "-b", "--factory-startup", path, "--python-exit-code", "3",
                    "--python", script, "--render-output", picture + "####", "--render-format",
                    "PNG", "--render-frame", "9", "--", answer],
                   check=True, env=environment, stdout=subprocess.DEVNULL)
    with open(answer, encoding="utf-8") as file:
        return np.array(json.load(file)), _pixels(picture + "0009.png")


def test_files_and_renders_are_the_same_with_and_without_the_add_on() -> None:
    mesh, armature, _ = from_sample("arm", 600)
    animate(armature)
    _set_up_render()
    scene, pictures = bpy.context.scene, {}
    for mode in ("OFF", "NODES", "PREVIEW"):
        live.set_mode([mesh], mode)
        scene.frame_set(9)
        here = evaluated(mesh)
        scene.render.filepath = os.path.join(bpy.app.tempdir, f"here {mode}.png")
        bpy.ops.render.render(write_still=True)
        pictures[mode] = _pixels(scene.render.filepath)
        if mode == "OFF":
            continue
        # At another frame than the one that is asked for.
        scene.frame_set(3)
        path = os.path.join(bpy.app.tempdir, f"{mode}.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
        there, seen = _asked_without_add_on(path, mode)
        assert np.abs(there - here).max() < 1e-5, mode
        assert np.abs(seen - pictures[mode]).max() < 0.02, mode
    assert np.abs(pictures["NODES"] - pictures["PREVIEW"]).max() < 0.02
    assert np.abs(pictures["NODES"] - pictures["OFF"]).max() > 0.1, "the render shows the difference"


def test_saved_files_open_again() -> None:
    mesh, armature, _ = from_sample("arm", 400)
    live.set_mode([mesh], "NODES")
    bone = armature.data.bones["hand"].sinew
    bone.share, bone.parent_share = "OWN", 0.25
    pose_randomly(armature, 4)
    before = evaluated(mesh)
    path = os.path.join(bpy.app.tempdir, "again.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    mesh, armature = bpy.data.objects["arm"], bpy.data.objects["arm rig"]
    assert np.abs(evaluated(mesh) - before).max() < 1e-6 and mesh.sinew.mode == "NODES"
    assert armature.data.bones["hand"].sinew.parent_share == 0.25
    live.refresh(armature)
    assert np.abs(evaluated(mesh) - before).max() < 1e-6


def test_switching_the_add_on_off_changes_nothing() -> None:
    import addon_utils

    mesh, armature, _ = from_sample("arm", 400)
    live.set_mode([mesh], "PREVIEW")
    pose_randomly(armature, 4)
    before = evaluated(mesh)
    name = mesh.name
    addon_utils.disable("sinew_blender")
    try:
        mesh = bpy.data.objects[name]
        assert not hasattr(bpy.types.Object, "sinew")
        assert np.abs(evaluated(mesh) - before).max() < 1e-5
        pose = bpy.data.objects["arm rig"].pose.bones["hand"]
        pose.rotation_mode, pose.rotation_euler = "XYZ", (1.0, 0.5, 0)
        assert np.abs(evaluated(mesh) - before).max() > 0.01, "it goes on following"
    finally:
        addon_utils.enable("sinew_blender")
    assert mesh.sinew.mode == "PREVIEW"


def test_uninstalling_leaves_the_file_as_it_was() -> None:
    mesh, armature, _ = from_sample("arm", 400)
    animate(armature)
    select(armature)
    armature.data.bones["upper_arm"].sinew.has_muscle = True
    armature.pose.bones["upper_arm"].scale = (1, 0.8, 1)
    live.set_mode([mesh], "PREVIEW")
    bpy.context.scene.frame_set(9)
    here, folder = evaluated(mesh), bpy.app.tempdir
    path, script, answer = (os.path.join(folder, f"left.{end}") for end in ("blend", "py", "json"))
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    with open(script, "w", encoding="utf-8") as file:
        file.write(UNINSTALL)
    environment = {**os.environ, "BLENDER_USER_SCRIPTS": os.path.join(folder, "own")}
    subprocess.run([bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "3",
                    "--python", script, "--", os.environ["SINEW_ZIP"], path, answer],
                   check=True, env=environment, stdout=subprocess.DEVNULL)
    with open(answer, encoding="utf-8") as file:
        assert np.abs(np.array(json.load(file)) - here).max() < 1e-5


def test_everything_has_a_tooltip() -> None:
    names = [name for name in dir(bpy.ops.sinew) if not name.startswith("_")]
    assert len(names) >= 14, names
    for name in names:
        kind = getattr(bpy.ops.sinew, name).get_rna_type()
        assert kind.description and not kind.description.endswith("."), name
        for prop in kind.properties:
            # All but the first are Blender's own.
            if prop.identifier not in ("rna_type", "filepath", "check_existing", "filter_glob"):
                assert prop.description, f"{name}.{prop.identifier}"
    shown = {"Armature": ("tails", "squash"), "Object": ("method", "segments"),
             "Bone": ("share", "parent_share", "own_share", "has_muscle",
                      *(f"muscle_{name}" for name in ("stretch", "joint", "start", "end", "gain",
                                                      "about", "axis", "sided", "side")))}
    for owner, identifiers in shown.items():
        properties = getattr(bpy.types, owner).bl_rna.properties["sinew"].fixed_type.properties
        for identifier in identifiers:
            assert properties[identifier].description, identifier
