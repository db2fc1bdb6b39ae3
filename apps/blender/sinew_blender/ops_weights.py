# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for automatic weights, and for looking at what they say."""

# Blender reads annotations of properties: they must not be strings.
import json
import threading
from typing import Any, List, Optional

import bmesh
import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import chosen, live, sinew, weights
from .edit_mode import left_mesh_edit_mode

METHODS = (
    ("bbw", "Biharmonic", "Bounded biharmonic weights: the smoothest. A lattice fills the shape, "
     "so that holes, islands and overlaps do no harm"),
    ("heat", "Heat", "Heat that flows from the bones along the surface, as Blender's own, but on "
     "any mesh"),
    ("voxel", "Voxel", "Distances through a grid that fills the shape: for clothes, armour and "
     "other parts inside of each other"),
    ("shepard", "Shepard", "Distances to joints: fast, for rough shapes"),
    ("idw", "Inverse Distance", "Distances to bones: fast, blind to the shape"),
    ("rigid", "Rigid", "Each vertex follows the nearest bone alone: machines"),
    ("KEEP", "Keep Weights", "Leaves bone weights as they are, and computes endpoint weights for "
     "them"),
)
ENDPOINTS = (
    ("bbw", "Biharmonic", "Smooth along the bone and around it"),
    ("heat", "Heat", "By heat between the bone's ends"),
    ("idw", "Inverse Distance", "By distances to the bone's ends"),
    ("projection", "Projection", "By projection onto the bone: fast, with a kink at the ends"),
    ("none", "None", "No endpoint weights; projection is used where they are needed"),
)


class _Work:
    """The computation on a thread of its own."""

    def __init__(self, jobs: List[weights.Job]) -> None:
        self.jobs = jobs
        self.text = ""
        self.fraction = 0.0
        self.error: Optional[BaseException] = None
        self.is_cancelled = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            for number, job in enumerate(self.jobs):
                weights.compute(job, lambda stage, part: self._report(job, number, stage, part))
        except BaseException as raised:  # told to the user by the main thread
            self.error = raised

    def _report(self, job: weights.Job, number: int, stage: str, fraction: float) -> None:
        if self.is_cancelled:
            raise KeyboardInterrupt
        self.text = f"{job.rig.name}: {stage}"
        self.fraction = (number + fraction) / len(self.jobs)


running: List[_Work] = []
"""What is being computed beside Blender now: one thing at a time."""


class SINEW_OT_parent(bpy.types.Operator):
    """Parent selected meshes to the armature, with automatic weights that never fail"""

    bl_idname = "sinew.parent"
    bl_label = "Parent with Sinew"
    bl_options = {"REGISTER", "UNDO"}

    method: EnumProperty(name="Weights", items=METHODS, description="How bone weights are computed")
    endpoints: EnumProperty(name="Endpoints", items=ENDPOINTS,
                            description="How endpoint weights are computed, which say where "
                            "along a bone a vertex is")
    influences: IntProperty(name="Bones per Vertex", min=0, max=32, default=4,
                            description="At most so many bones move a vertex; 0: any number")
    vertices: EnumProperty(name="Vertices", description="Which vertices get new weights", items=(
        ("ALL", "All", "All vertices of the mesh"),
        ("SELECTED", "Selected", "Only those that are selected in edit mode"),
        ("UNWEIGHTED", "Without Weights", "Only those that no bone moves yet")))
    bones: EnumProperty(name="Bones", description="Which bones get new weights", items=(
        ("ALL", "All", "All bones that deform, except those whose groups are locked"),
        ("SELECTED", "Selected", "Only those that are selected in pose mode; the groups of others "
         "stay as they are")))
    lattice_nodes: IntProperty(name="Lattice", min=0, max=1000000,
                               description="About how many nodes fill the shape; 0: 12000")
    voxels: IntProperty(name="Voxels", min=0, max=512,
                        description="Cells along the longest side; 0: 96")
    power: FloatProperty(name="Power", min=0, max=100,
                         description="Power of the distance; 0: 8 for voxels, 4 else")
    heat: FloatProperty(name="Heat", min=0, max=1000,
                        description="How much heat bones give off; 0: 1")
    go_live: BoolProperty(name="Follow by Sinew", description="Let the meshes follow the armature "
                          "by stretchable, twistable bones")

    @classmethod
    def poll(cls, context: Any) -> bool:
        cls.poll_message_set("Weights are being computed" if running
                             else "Select meshes, then their armature")
        return (not running and chosen.armature_of(context) is not None
                and bool(chosen.meshes_of(context)))

    def draw(self, context: Any) -> None:
        layout = self.layout
        layout.use_property_split = True
        for name in ("method", "endpoints", "influences", "vertices", "bones"):
            layout.prop(self, name)
        for name in _OPTIONS.get(self.method, ()):
            layout.prop(self, name)
        layout.prop(self, "go_live")

    def _settings(self) -> weights.Settings:
        options = {name: getattr(self, name) for name in _OPTIONS.get(self.method, ())}
        keep = self.method == "KEEP"
        return weights.Settings("" if keep else self.method, self.endpoints,
                                0 if keep else self.influences, self.vertices, self.bones, options)

    def _prepare(self, context: Any) -> Optional[_Work]:
        armature = chosen.armature_of(context)
        # Edit mode keeps selections and weights to itself until it is left.
        for obj in chosen.meshes_of(context):
            obj.update_from_editmode()
        try:
            return _Work([weights.prepare(obj, armature, self._settings())
                          for obj in chosen.meshes_of(context)])
        except (ValueError, sinew.Error) as problem:
            self.report({"ERROR"}, str(problem))
            return None

    def _finish(self, work: _Work) -> set:
        if work.error is not None:
            if isinstance(work.error, (KeyboardInterrupt, sinew.Cancelled)):
                self.report({"INFO"}, "Cancelled: nothing has changed")
            else:
                self.report({"ERROR"}, str(work.error))
            return {"CANCELLED"}
        if bpy.context.mode == "EDIT_ARMATURE":
            bpy.ops.object.mode_set(mode="OBJECT")
        with left_mesh_edit_mode():
            for job in work.jobs:
                found = weights.apply(job)
                weights.attach(job.obj, job.armature)
                kind = "WARNING" if found["poor"] or found["uncovered"] else "INFO"
                told = "; ".join(found["findings"]) or "all vertices are covered"
                self.report({kind}, f"{job.obj.name}: {found['seconds']:.1f} s; {told}")
            if self.go_live:
                live.set_mode([job.obj for job in work.jobs], "NODES")
            else:
                live.refresh(work.jobs[0].armature)
        return {"FINISHED"}

    def execute(self, context: Any) -> set:
        work = self._prepare(context)
        if work is None:
            return {"CANCELLED"}
        work._run()
        return self._finish(work)

    def invoke(self, context: Any, event: Any) -> set:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        work = self._prepare(context)
        if work is None:
            return {"CANCELLED"}
        self._work = work
        running.append(work)
        work.thread.start()
        context.window_manager.progress_begin(0, 100)
        self._timer = context.window_manager.event_timer_add(0.1, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def _end(self, context: Any) -> None:
        running.remove(self._work)
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def cancel(self, context: Any) -> None:
        """Blender ends it, as when another file is opened."""
        self._work.is_cancelled = True
        self._end(context)

    def modal(self, context: Any, event: Any) -> set:
        work = self._work
        if event.type == "ESC" and event.value == "PRESS":
            work.is_cancelled = True
        if event.type == "TIMER":
            percent = 100 * work.fraction
            context.window_manager.progress_update(percent)
            context.workspace.status_text_set(f"Sinew: {percent:.0f}%  {work.text}   (Esc: cancel)")
            if not work.thread.is_alive():
                self._end(context)
                return self._finish(work)
        # Looking around is fine meanwhile; changing things is not.
        looks = event.type in {"MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "MOUSEMOVE",
                               "TIMER"}
        return {"PASS_THROUGH"} if looks else {"RUNNING_MODAL"}


_OPTIONS = {"bbw": ("lattice_nodes",), "voxel": ("voxels", "power"), "shepard": ("power",),
            "idw": ("power",), "heat": ("heat",)}


class SINEW_OT_select(bpy.types.Operator):
    """Select the vertices that the report is about, in edit mode"""

    bl_idname = "sinew.select_reported"
    bl_label = "Select Reported Vertices"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Which", description="What the report says about them", items=(
        ("uncovered", "Uncovered", "Vertices that no bone moves"),
        ("bleeding", "Bleeding", "Vertices moved by a bone that is far away along the surface")))

    mesh: StringProperty(name="Mesh", description="The mesh that the report is about; empty: the "
                         "active one")

    def execute(self, context: Any) -> set:
        obj = bpy.data.objects.get(self.mesh) if self.mesh else context.object
        if obj is None or obj.type != "MESH" or not obj.sinew.report:
            self.report({"ERROR"}, "Select a mesh whose weights were computed by Sinew")
            return {"CANCELLED"}
        if obj != context.object:
            if context.mode != "OBJECT":
                bpy.ops.object.mode_set(mode="OBJECT")
            for other in context.selected_objects:
                other.select_set(False)
            obj.select_set(True)
            context.view_layer.objects.active = obj
        wanted = set(json.loads(obj.sinew.report)[self.kind])
        # All of it within edit mode: undo does not see what changes on the way there.
        bpy.ops.object.mode_set(mode="EDIT")
        context.tool_settings.mesh_select_mode = (True, False, False)
        mesh = bmesh.from_edit_mesh(obj.data)
        for part in (*mesh.faces, *mesh.edges):
            part.select = False
        for vertex in mesh.verts:
            vertex.select = vertex.index in wanted
        mesh.select_flush_mode()
        bmesh.update_edit_mesh(obj.data, loop_triangles=False, destructive=False)
        self.report({"INFO"}, f"{len(wanted)} vertices are selected")
        return {"FINISHED"}


CLASSES = (SINEW_OT_parent, SINEW_OT_select)
