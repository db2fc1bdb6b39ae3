# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on in a window: see window.sh. Steps are a generator, resumed by a timer of Blender, so
that its own loop handles events and draws in between."""

import json
import os
import sys
import time
import traceback
from pathlib import Path

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
ZIP = sys.argv[sys.argv.index("--") + 1]
LONGEST = 120.0  # seconds that anything may take


def view() -> dict:
    """The 3D view, as operators are given it."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    return {"window": window, "area": area, "region": region}


def picture(name: str) -> None:
    """What the window shows, if somebody wants to look at it."""
    folder = os.environ.get("PICTURES")
    if folder:
        with bpy.context.temp_override(**view()):
            bpy.ops.screen.screenshot(filepath=os.path.join(folder, f"{name}.png"))


def event(kind: str, value: str, x: int, y: int, **more) -> None:
    """A key or a button, at a place of the window."""
    view()["window"].event_simulate(type=kind, value=value, x=int(x), y=int(y), **more)


def tap(kind: str, x: int, y: int, **more) -> None:
    """Pressed and let go."""
    event(kind, "PRESS", x, y, **more)
    event(kind, "RELEASE", x, y, **more)


def until(is_so, what: str):
    """Waits."""
    start = time.monotonic()
    while not is_so():
        assert time.monotonic() - start < LONGEST, f"waited in vain: {what}"
        yield 0.1


def sidebar() -> object:
    """The region with the tabs."""
    return next(r for r in view()["area"].regions if r.type == "UI")


def steps():
    bpy.ops.preferences.addon_install(filepath=ZIP)
    bpy.ops.preferences.addon_enable(module="sinew_blender")
    from character import evaluated, from_sample, select
    from sinew_blender import live, ops_weights

    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    mesh, armature, _ = from_sample("arm", 3000, weighted=False)
    select(armature, mesh)
    space = view()["area"].spaces.active
    space.show_region_ui = True
    space.region_3d.view_perspective = "ORTHO"
    yield 0.5
    with bpy.context.temp_override(**view()):
        bpy.ops.view3d.view_axis(type="FRONT")
        bpy.ops.view3d.view_selected()
    bpy.ops.ed.undo_push(message="start")
    yield 1.0
    # The tab is the last one, after Item, Tool and View.
    region = sidebar()
    tab = region.x + region.width - 12, region.y + region.height - 162
    event("MOUSEMOVE", "NOTHING", *tab)
    yield 0.3
    tap("LEFTMOUSE", *tab)
    yield 0.5
    picture("1-sidebar")

    # Computing goes on beside Blender, and Esc ends it.
    region = view()["region"]
    middle = region.x + region.width // 2, region.y + region.height // 2
    running = ops_weights.running
    with bpy.context.temp_override(**view()):
        assert bpy.ops.sinew.parent("INVOKE_DEFAULT", True, method="bbw",
                                    lattice_nodes=60000) == {"RUNNING_MODAL"}
    assert len(running) == 1
    yield from until(lambda: running[0].fraction > 0, "progress")
    yield 0.5
    picture("2-computing")
    tap("ESC", *middle)
    yield from until(lambda: not running, "Esc")
    assert len(mesh.vertex_groups) == 0 and mesh.parent is None, "Esc leaves everything as it was"
    yield 0.3
    picture("3-cancelled")
    print("ok      Esc ends the computation", flush=True)

    with bpy.context.temp_override(**view()):
        bpy.ops.sinew.parent("INVOKE_DEFAULT", True, method="heat", endpoints="bbw")
    yield from until(lambda: not running, "weights")
    yield 0.5
    assert mesh.vertex_groups and json.loads(mesh.sinew.report)["uncovered"] == []
    picture("4-report")
    tap("Z", *middle, ctrl=True)
    yield from until(lambda: not bpy.data.objects["arm"].vertex_groups, "Ctrl Z")
    tap("Z", *middle, ctrl=True, shift=True)
    yield from until(lambda: bool(bpy.data.objects["arm"].vertex_groups), "Shift Ctrl Z")
    print("ok      weights by a button, undone and redone by keys", flush=True)

    # A brush on endpoint weights, with nodes that follow by themselves.
    mesh, armature = bpy.data.objects["arm"], bpy.data.objects["arm rig"]
    select(mesh)
    live.set_mode([mesh], "NODES")
    armature.pose.bones["forearm"].scale = (1, 1.4, 1)
    mesh.vertex_groups.active_index = mesh.vertex_groups["forearm"].index
    with bpy.context.temp_override(**view()):
        bpy.ops.sinew.paint_endpoints("EXEC_DEFAULT", True, of="ENDPOINT")
    yield 1.0
    name = mesh.vertex_groups.active.name
    assert mesh.mode == "WEIGHT_PAINT" and name == "endpoint.forearm"
    brush = bpy.context.tool_settings.weight_paint.brush
    brush.weight, brush.strength = 0.0, 1.0
    bpy.context.tool_settings.unified_paint_settings.weight = 0.0
    bpy.context.tool_settings.unified_paint_settings.size = 60
    before, posed = _values(mesh, name), evaluated(mesh)
    bone = armature.pose.bones["forearm"]
    place = armature.matrix_world @ bone.tail
    region = view()["region"]
    at = location_3d_to_region_2d(region, view()["area"].spaces.active.region_3d, place)
    x, y = region.x + at[0], region.y + at[1]
    picture("5-before-the-stroke")
    event("MOUSEMOVE", "NOTHING", x - 40, y)
    yield 0.2
    event("LEFTMOUSE", "PRESS", x - 40, y)
    yield 0.1
    for step in range(9):
        event("MOUSEMOVE", "NOTHING", x - 40 + 10 * step, y)
        yield 0.05
    event("LEFTMOUSE", "RELEASE", x + 40, y)
    yield from until(lambda: np.abs(_values(mesh, name) - before).max() > 0.2, "the stroke")
    yield from until(lambda: np.abs(evaluated(mesh) - posed).max() > 0.005, "nodes that follow")
    picture("6-after-the-stroke")
    changed = int((np.abs(_values(mesh, name) - before) > 0.01).sum())
    print(f"ok      a stroke changed {changed} endpoint weights, and the nodes followed", flush=True)
    tap("Z", *middle, ctrl=True)
    yield from until(lambda: np.abs(_values(bpy.data.objects["arm"], name) - before).max() < 1e-6,
                     "undo of the stroke")
    print("ok      the stroke is undone", flush=True)

    # A tooltip, of the first button of the tab.
    bpy.ops.object.mode_set(mode="OBJECT")
    region = sidebar()
    event("MOUSEMOVE", "NOTHING", region.x + 60, region.y + region.height - 46)
    yield 0.3
    event("MOUSEMOVE", "NOTHING", region.x + 62, region.y + region.height - 46)
    yield 2.5
    picture("7-tooltip")
    armature = bpy.data.objects["arm rig"]
    select(armature)
    armature.data.bones.active = armature.data.bones["forearm"]
    bpy.ops.object.mode_set(mode="POSE")
    yield 0.5  # until the properties have been drawn for it
    properties = next(a for a in view()["window"].screen.areas if a.type == "PROPERTIES")
    properties.spaces.active.context = "BONE"
    with bpy.context.temp_override(**view()):
        bpy.ops.sinew.filter("EXEC_DEFAULT", True, kind="twist")
    yield 1.0
    picture("8-bone")

    # A muscle.
    mesh = bpy.data.objects["arm"]
    with bpy.context.temp_override(**view()):
        bpy.ops.sinew.filter("EXEC_DEFAULT", True, kind="twist")
    upper, forearm = armature.data.bones["upper_arm"], armature.pose.bones["forearm"]
    armature.data.bones.active = upper
    upper.sinew.muscle_stretch, upper.sinew.muscle_joint, upper.sinew.has_muscle = 0, "forearm", True
    forearm.rotation_mode, forearm.rotation_euler = "XYZ", (0, 0, 1.4)
    forearm.scale = (1, 1, 1)
    yield from until(lambda: mesh.data.shape_keys is not None, "the muscle's shape key")
    key = mesh.data.shape_keys.key_blocks["bulge_upper_arm"]
    yield from until(lambda: key.value > 0.2, "its driver")
    # For the picture: all panels but that of the bone closed, and the one of the muscle open.
    for header, keys in (((1236, 324), {"ctrl": True}), ((1236, 587), {})):
        event("MOUSEMOVE", "NOTHING", *header)
        yield 0.3
        tap("LEFTMOUSE", *header, **keys)
        yield 1.0
    picture("9-muscle")
    print(f"ok      a muscle is driven to {key.value:.2f}", flush=True)

    # A corrective.
    bpy.ops.object.mode_set(mode="OBJECT")
    select(mesh)
    with bpy.context.temp_override(**view()):
        bpy.ops.sinew.sculpt("EXEC_DEFAULT", True)
    copy = bpy.context.view_layer.objects.active
    assert copy.sinew.sculpt_of == mesh
    bpy.ops.object.mode_set(mode="SCULPT")
    yield 0.5
    picture("10-sculpt")
    places = np.array([v.co for v in copy.data.vertices])
    x, y = view()["region"].x + 330, view()["region"].y + view()["region"].height // 2
    event("MOUSEMOVE", "NOTHING", x, y)
    yield 0.2
    event("LEFTMOUSE", "PRESS", x, y)
    for step in range(9):
        event("MOUSEMOVE", "NOTHING", x + 8 * step, y)
        yield 0.05
    event("LEFTMOUSE", "RELEASE", x + 72, y)
    yield 0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    moved = np.abs(np.array([v.co for v in copy.data.vertices]) - places).max()
    assert moved > 1e-4, "the brush has changed nothing"
    wanted = np.array([v.co for v in copy.data.vertices])
    with bpy.context.temp_override(**view()):
        bpy.ops.sinew.correct("EXEC_DEFAULT", True)
    yield 0.5
    off = np.abs(evaluated(mesh) - wanted).max()
    header = 988, 739
    event("MOUSEMOVE", "NOTHING", *header)
    yield 0.3
    tap("LEFTMOUSE", *header)
    yield 0.5
    picture("11-corrected")
    print(f"ok      sculpted by {moved:.4f}, shown to {off:.1e}", flush=True)
    assert off < 1e-4


def _values(mesh, name: str) -> np.ndarray:
    from sinew_blender import groups

    elements, index = groups.read_elements(mesh.data), mesh.vertex_groups[name].index
    result, mine = np.zeros(len(mesh.data.vertices)), elements.groups == index
    result[elements.vertices[mine]] = elements.weights[mine]
    return result


def run(going) -> object:
    try:
        return next(going)
    except StopIteration:
        print("the window was tried", flush=True)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        picture("failed")
        sys.stdout.flush()
        os._exit(3)


bpy.context.preferences.view.show_splash = False  # it would take the first events
GOING = steps()
bpy.app.timers.register(lambda: run(GOING), first_interval=1.0)
