# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, drawn without a window, and the modal part of computing weights."""

import json
import time
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from character import bent_tube, from_sample, select
from sinew_blender import filters, live, ops_weights, panels, turns, weights


class Layout:
    """Notes what a panel draws; properties and operators must exist."""

    def __init__(self) -> None:
        self.drawn: list = []

    def _inner(self, **_: Any) -> "Layout":
        return self

    row = column = box = _inner

    def label(self, text: str = "", **_: Any) -> None:
        self.drawn.append(text)

    def separator(self) -> None:
        pass

    def prop(self, data: Any, name: str, **_: Any) -> None:
        data.path_resolve(name)
        self.drawn.append(name)

    def operator(self, name: str, **_: Any) -> Any:
        module, function = name.split(".")
        properties = getattr(getattr(bpy.ops, module), function).get_rna_type().properties
        self.drawn.append(name)
        return SimpleNamespace(**{prop: None for prop in properties.keys()})

    def prop_search(self, data: Any, name: str, owner: Any, listed: str, **_: Any) -> None:
        assert hasattr(owner, listed)
        self.prop(data, name)

    def template_curve_mapping(self, data: Any, name: str) -> None:
        assert getattr(data, name).curves
        self.drawn.append("curve")


def _draw(panel: Any, **context: Any) -> list:
    layout, given = Layout(), SimpleNamespace(**context)
    assert panel.poll(given)
    panel.draw(SimpleNamespace(layout=layout), given)
    return layout.drawn


def test_panels_draw() -> None:
    mesh, armature, _ = from_sample("arm", 300)
    assert "sinew.parent" in _draw(panels.SINEW_PT_weights, object=mesh)
    for mode in ("OFF", "NODES", "PREVIEW", "HELPERS"):
        live.set_mode([mesh], mode)
        for obj in (mesh, armature):
            drawn = _draw(panels.SINEW_PT_live, object=obj)
            assert drawn.count("sinew.live") == 4
            assert ("method" in drawn) == (mode in ("NODES", "PREVIEW"))
    live.set_mode([mesh], "OFF")
    mesh.sinew.report = json.dumps({
        "method": "bbw", "seconds": 1.5, "most_influences": 4, "findings": ["a finding " * 12],
        "poor": True, "empty_groups": ["x"], "uncovered": [1, 2], "bleeding": [3]})
    drawn = _draw(panels.SINEW_PT_weights, object=mesh)
    assert drawn.count("sinew.select_reported") == 2 and "2 without a bone" in drawn
    drawn = _draw(panels.SINEW_PT_weights, object=armature)
    assert drawn.count("sinew.select_reported") == 2 and mesh.name in drawn
    assert len(_draw(panels.SINEW_PT_bake, object=mesh)) == 5
    bone = armature.data.bones["hand"]
    assert "curve" not in _draw(panels.SINEW_PT_bone, object=armature, bone=bone)
    filters.add_curve(armature.data, bone, "twist")
    bone.sinew.share = "OWN"
    armature.pose.bones["hand"][turns.PROPERTY] = 2
    drawn = _draw(panels.SINEW_PT_bone, object=armature, bone=bone)
    assert drawn.count("curve") == 1 and "own_share" in drawn and '["sinew_turns"]' in drawn
    bone.sinew.muscle_joint, bone.sinew.has_muscle = "forearm", True
    bone.sinew.muscle_about = bone.sinew.muscle_sided = True
    drawn = _draw(panels.SINEW_PT_muscle, object=armature, bone=bone)
    assert {"muscle_stretch", "muscle_joint", "muscle_gain", "muscle_axis", "muscle_side",
            "sinew.filter"} <= set(drawn)
    armature.data.bones["forearm"].use_deform = False
    assert "forearm deforms nothing" in _draw(panels.SINEW_PT_muscle, object=armature, bone=bone)
    armature.data.bones["forearm"].use_deform = True
    assert _draw(panels.SINEW_PT_correct, object=mesh) == ["sinew.sculpt"]
    for _, menu in panels.MENUS:
        menu(SimpleNamespace(layout=Layout()), bpy.context)


def _modal(job: weights.Job, escape: bool) -> tuple:
    """Runs the modal part as Blender's loop does, with a timer; what it ended with and told."""
    told: list = []
    window = SimpleNamespace(progress_update=lambda value: None, progress_end=lambda: None,
                             event_timer_remove=lambda timer: None)
    context = SimpleNamespace(window_manager=window, workspace=SimpleNamespace(
        status_text_set=lambda text: told.append(text)))
    kind, work = ops_weights.SINEW_OT_parent, ops_weights._Work([job])
    operator = SimpleNamespace(_work=work, _timer=None, go_live=False,
                               report=lambda level, text: told.append(text))
    operator._finish = lambda done: kind._finish(operator, done)
    operator._end = lambda given: kind._end(operator, given)
    ops_weights.running.append(work)
    work.thread.start()
    if escape:
        kind.modal(operator, context, SimpleNamespace(type="ESC", value="PRESS"))
    while True:
        result = kind.modal(operator, context, SimpleNamespace(type="TIMER", value="NOTHING"))
        if result <= {"FINISHED", "CANCELLED"}:
            return result, told
        time.sleep(0.01)


def test_computing_goes_on_beside_blender_and_escape_ends_it() -> None:
    mesh, armature = bent_tube(80, 32)
    select(armature, mesh)
    settings = weights.Settings("bbw", "projection")
    result, told = _modal(weights.prepare(mesh, armature, settings), escape=True)
    assert result == {"CANCELLED"} and "Cancelled: nothing has changed" in told
    assert not mesh.vertex_groups and mesh.parent is None
    result, told = _modal(weights.prepare(mesh, armature, settings), escape=False)
    assert result == {"FINISHED"} and any("Esc" in str(text) for text in told) and told[-2] is None
    assert np.bincount([len(v.groups) > 0 for v in mesh.data.vertices]).tolist()[-1] == 2560
