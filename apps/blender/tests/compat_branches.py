#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every branch of compat.py, with stand-ins for Blender that have what a version has and no more.

    python3 compat_branches.py

Who has what is from Blender's own lists of changes: developer.blender.org/docs/release_notes (4.0
and 4.4, Python API) and docs.blender.org/api/5.0/change_log.html. That the stand-ins are right is
not shown by this; a Blender of that version is needed for that.
"""

import importlib.util
import sys
import unittest
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

SOURCE = Path(__file__).resolve().parents[1] / "sinew_blender" / "compat.py"


def compat_in(version: tuple) -> Any:
    """compat.py as a Blender of this version loads it."""
    bpy = ModuleType("bpy")
    bpy.app = SimpleNamespace(version=version)  # type: ignore[attr-defined]
    sys.modules["bpy"] = bpy
    spec = importlib.util.spec_from_file_location("compat", SOURCE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Collection:
    """Of bones, since 4.0."""

    def __init__(self, name: str) -> None:
        self.name, self.is_visible, self.bones = name, True, []

    def assign(self, bone: Any) -> bool:
        self.bones.append(bone)
        bone.collections.append(self)
        return True

    def unassign(self, bone: Any) -> bool:
        self.bones.remove(bone)
        bone.collections.remove(self)
        return True


class Collections(dict):
    """Of an armature, since 4.0: found and made by name."""

    def new(self, name: str) -> Collection:
        self[name] = Collection(name)
        return self[name]


class Curves(list):
    """F-curves."""

    def new(self, path: str, index: int = 0) -> tuple:
        self.append((path, index))
        return self[-1]


class Strip:
    """Of a layer of an action, since 4.4."""

    def __init__(self) -> None:
        self.bags: dict = {}

    def channelbag(self, slot: Any, *, ensure: bool = False) -> Any:
        if ensure and slot.name not in self.bags:
            self.bags[slot.name] = SimpleNamespace(fcurves=Curves())
        return self.bags.get(slot.name)


class Listed(list):
    """A collection whose new() takes keywords."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def new(self, *names: Any, **given: Any) -> Any:
        self.append(self.make(*names, **given))
        return self[-1]


def slotted_action() -> Any:
    """An action since 5.0, without curves of its own."""
    return SimpleNamespace(
        slots=Listed(lambda *, id_type, name: SimpleNamespace(id_type=id_type, name=name)),
        layers=Listed(lambda name: SimpleNamespace(name=name, strips=Listed(
            lambda *, type: Strip()))))


class Owner:
    """An object or shape keys that can be animated."""

    def __init__(self, **more: Any) -> None:
        self.animation_data: Any = None
        self.name, self.more = "arm", more
        for name, value in more.items():
            setattr(self, name, value)

    def animation_data_create(self) -> Any:
        slots = {"action_slot": None} if "id_type" in self.more else {}
        self.animation_data = SimpleNamespace(action=None, **slots)
        return self.animation_data


class Branches(unittest.TestCase):
    def test_helpers_are_hidden_by_layers_before_4_0(self) -> None:
        bone = SimpleNamespace(layers=[True] + [False] * 31)
        compat_in((3, 6, 0)).hide_bone(SimpleNamespace(), bone, "Sinew helpers")
        self.assertEqual(bone.layers, [False] * 31 + [True])

    def test_helpers_are_hidden_by_a_collection_since_4_0(self) -> None:
        armature = SimpleNamespace(collections=Collections())
        shown = armature.collections.new("Bones")
        bones = [SimpleNamespace(collections=[]) for _ in range(2)]
        for bone in bones:
            shown.assign(bone)
            compat_in((4, 0, 0)).hide_bone(armature, bone, "Sinew helpers")
        self.assertEqual(list(armature.collections), ["Bones", "Sinew helpers"])
        hidden = armature.collections["Sinew helpers"]
        self.assertFalse(hidden.is_visible)
        self.assertEqual((shown.bones, hidden.bones), ([], bones))

    def test_selection_is_the_bones_before_5_0_and_the_poses_since(self) -> None:
        for chosen in (True, False):
            old = SimpleNamespace(bone=SimpleNamespace(select=chosen))
            self.assertIs(compat_in((4, 5, 0)).is_selected(old), chosen)
            new = SimpleNamespace(bone=SimpleNamespace(), select=chosen)
            self.assertIs(compat_in((5, 0, 0)).is_selected(new), chosen)

    def test_curves_are_the_actions_before_4_4(self) -> None:
        owner, action = Owner(), SimpleNamespace(fcurves=Curves())
        self.assertIs(compat_in((4, 3, 0)).curves_of(owner, action), action.fcurves)
        self.assertIs(owner.animation_data.action, action)

    def test_curves_are_a_slots_since_4_4(self) -> None:
        for version in ((4, 4, 0), (5, 0, 0)):
            compat, owner, action = compat_in(version), Owner(id_type="OBJECT"), slotted_action()
            curves = compat.curves_of(owner, action)
            curves.new("location", index=1)
            self.assertEqual([slot.id_type for slot in action.slots], ["OBJECT"])
            self.assertIs(owner.animation_data.action_slot, action.slots[0])
            # Asked again, it is the same slot, layer and strip.
            self.assertIs(compat.curves_of(owner, action), curves)
            self.assertEqual((len(action.slots), len(action.layers),
                              len(action.layers[0].strips)), (1, 1, 1))

    def test_sockets_are_lists_of_the_tree_before_4_0(self) -> None:
        made: list = []
        sockets = [SimpleNamespace(new=lambda kind, name, side=side: made.append((side, kind, name)))
                   for side in ("in", "out")]
        tree = SimpleNamespace(inputs=sockets[0], outputs=sockets[1])
        compat = compat_in((3, 4, 1))
        compat.add_socket(tree, "Bones", "NodeSocketObject")
        compat.add_socket(tree, "Geometry", "NodeSocketGeometry", is_output=True)
        self.assertEqual(made, [("in", "NodeSocketObject", "Bones"),
                                ("out", "NodeSocketGeometry", "Geometry")])
        tree = SimpleNamespace(inputs={"Bones": SimpleNamespace(identifier="Input_2")})
        self.assertEqual(compat.input_identifier(tree, "Bones"), "Input_2")

    def test_sockets_are_of_an_interface_since_4_0(self) -> None:
        items: list = [SimpleNamespace(item_type="PANEL", name="Bones")]

        def new_socket(name: str, *, in_out: str, socket_type: str) -> None:
            items.append(SimpleNamespace(item_type="SOCKET", name=name, in_out=in_out,
                                         socket_type=socket_type, identifier=f"Socket_{len(items)}"))

        tree = SimpleNamespace(interface=SimpleNamespace(items_tree=items, new_socket=new_socket))
        compat = compat_in((4, 2, 0))
        compat.add_socket(tree, "Bones", "NodeSocketGeometry", is_output=True)
        compat.add_socket(tree, "Bones", "NodeSocketObject")
        self.assertEqual(compat.input_identifier(tree, "Bones"), "Socket_2")
        self.assertEqual((items[2].in_out, items[2].socket_type), ("INPUT", "NodeSocketObject"))
        with self.assertRaises(KeyError):
            compat.input_identifier(tree, "Squash")

    def test_the_importer_of_3_4_finds_the_name_it_asks_numpy_for(self) -> None:
        import numpy

        had = vars(numpy).get("bool")
        vars(numpy).pop("bool", None)
        try:
            compat_in((3, 4, 1)).prepare_gltf_importer()
            self.assertIs(vars(numpy)["bool"], bool)
        finally:
            if had is not None:
                setattr(numpy, "bool", had)


if __name__ == "__main__":
    unittest.main()
