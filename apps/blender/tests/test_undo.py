# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo after every operator brings back what was there, and redo what it made."""

import hashlib
import json
import os

import bpy
import numpy as np
from character import animate, bent_tube, evaluated, select
from sinew_blender import filters, groups, sinew

# Writes a file and changes nothing else.
WITHOUT_UNDO = {"export_gltf"}


def _digest(*arrays) -> str:
    return hashlib.md5(b"".join(np.asarray(a).tobytes() for a in arrays)).hexdigest()


def _drivers(owner) -> list:
    data = owner.animation_data if owner is not None else None
    return sorted((c.data_path, c.driver.expression) for c in data.drivers) if data else []


def _object(obj) -> dict:
    found = {"parent": obj.parent.name if obj.parent else None, "mode": obj.mode,
             "modifiers": [(m.name, m.type, m.show_viewport) for m in obj.modifiers],
             "way": obj.sinew.mode, "report": obj.sinew.report, "sculpt": obj.sinew.sculpt,
             "correctives": obj.sinew.correctives, "drivers": _drivers(obj),
             "keys": sorted(key for key in obj.keys() if key != "sinew")}
    if obj.type == "MESH":
        mesh, elements = obj.data, groups.read_elements(obj.data)
        selected = np.zeros(len(mesh.vertices), bool)
        mesh.vertices.foreach_get("select", selected)
        found.update(
            groups=[group.name for group in obj.vertex_groups],
            active=obj.vertex_groups.active.name if obj.vertex_groups else None,
            weights=_digest(elements.counts, elements.groups, elements.weights),
            attributes=sorted(a.name for a in mesh.attributes if not a.name.startswith(".")),
            selected=np.flatnonzero(selected).tolist(), shapes=list(mesh.shape_keys.key_blocks.keys())
            if mesh.shape_keys else [], key_drivers=_drivers(mesh.shape_keys))
        places = np.zeros(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", places)
        found["places"] = _digest(places)
    if obj.type == "ARMATURE":
        found["bones"] = [(b.name, b.use_deform, b.sinew.helper_of) for b in obj.data.bones]
        found["filters"] = [filters.points_of(obj.data, b, kind) or bool(
            filters.curve_node(obj.data, b, kind))
            for b in obj.data.bones for kind in (*filters.KINDS, "muscle")]
        found["pose"] = [sorted(b.keys()) for b in obj.pose.bones]
        found["constraints"] = [c.name for b in obj.pose.bones for c in b.constraints]
    return found


def _state() -> dict:
    """Everything that the add-on's operators change."""
    return {obj.name: _object(obj) for obj in bpy.data.objects}


def _differs(a: dict, b: dict) -> str:
    """What is not the same."""
    told = [f"objects {sorted(set(a) ^ set(b))}"] if set(a) != set(b) else []
    for name in set(a) & set(b):
        told += [f"{name}.{key}: {a[name][key]} -> {b[name][key]}"
                 for key in a[name] if a[name][key] != b[name].get(key)]
    return "; ".join(told)


def test_every_operator_can_be_undone() -> None:
    done: set = set()

    def undone(name: str, **options) -> None:
        """Calls it as a button does, which pushes a step of undo where the operator asks for it."""
        before = _state()
        assert getattr(bpy.ops.sinew, name)("EXEC_DEFAULT", True, **options) == {"FINISHED"}, name
        after = _state()
        assert _differs(before, after), f"{name} did nothing"
        bpy.ops.ed.undo()
        assert not _differs(before, _state()), f"{name}: {_differs(before, _state())}"
        bpy.ops.ed.redo()
        assert not _differs(after, _state()), f"{name}, redone: {_differs(after, _state())}"
        done.add(name)
        print(f"    {name} {' '.join(map(str, options.values()))}")

    def push(message: str) -> None:
        bpy.ops.ed.undo_push(message=message)

    path = os.path.join(bpy.app.tempdir, "arm.glb")
    sinew.sample("arm", vertices=300).write(path)
    mesh, armature = bent_tube()
    select(armature, mesh)
    push("start")
    undone("parent", method="heat", endpoints="projection")
    for way in ("NODES", "PREVIEW", "HELPERS", "NODES"):
        undone("live", mode=way)
    tube, rig = bpy.data.objects["tube"], bpy.data.objects["tube rig"]
    rig.data.bones.active = rig.data.bones["lower"]
    select(rig, tube)
    push("chosen")
    undone("filter", kind="twist")
    undone("filter", kind="muscle")
    undone("turns")
    undone("turns")
    undone("key_turns")
    tube = bpy.data.objects["tube"]
    tube.vertex_groups["lower"].add([0, 1, 2], 0.5, "REPLACE")
    tube.data.attributes.remove(tube.data.attributes["sinew_skin_0"])
    push("painted")
    undone("refresh")
    bent = bpy.data.objects["tube rig"].pose.bones["upper"]
    bent.rotation_mode, bent.rotation_euler = "XYZ", (0.8, 0, 0)
    select(bpy.data.objects["tube"])
    push("bent")
    undone("sculpt")
    bpy.context.object.data.vertices[320].co.x += 0.1
    push("sculpted")
    undone("correct")
    animate(bpy.data.objects["tube rig"], 4)
    push("animated")
    undone("bake_bones", segments=2)
    undone("bake_shapes")
    undone("bake_cache", folder=bpy.app.tempdir)
    tube = bpy.data.objects["tube"]
    select(tube)
    report = json.loads(tube.sinew.report)
    report["bleeding"] = [3, 4, 9]
    tube.sinew.report = json.dumps(report)
    tube.vertex_groups.active_index = tube.vertex_groups["lower"].index
    push("told")
    undone("select_reported", kind="bleeding")
    bpy.ops.object.mode_set(mode="OBJECT")
    push("back")
    for of in ("ENDPOINT", "TWIST", "BLEND"):
        undone("paint_endpoints", of=of)
    bpy.ops.object.mode_set(mode="OBJECT")
    push("back again")
    undone("import_gltf", filepath=path)
    assert np.isfinite(evaluated(bpy.data.objects["tube"])).all()
    names = {name for name in dir(bpy.ops.sinew) if not name.startswith("_")}
    assert done == names - WITHOUT_UNDO, names ^ done
