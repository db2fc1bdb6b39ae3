# SPDX-License-Identifier: Apache-2.0
# Imports baked models into Blender and compares its armature deform with our linear blend skinning,
# at the times of each clip that sinew_dump wrote down.
#   blender -b --factory-startup --python-exit-code 3 --python compare_bake.py -- MANIFEST
#
# The importer merges and reorders vertices, so they are matched by their place at bind: each of ours
# with all of Blender's that lie there (seams have several), of which the nearest after the deform
# counts. Whatever has no partner fails.
#
# Compared are the moments at keys of the clips. Between them Blender interpolates the components of
# quaternions, not their angle as glTF wants it: what that makes is printed, and not judged.
import json
import os
import struct
import sys
import tempfile

import numpy

numpy.bool = bool  # which the importer of Blender 3.4 still asks for
import bpy  # noqa: E402
from mathutils import Matrix, kdtree  # noqa: E402

TOLERANCE = 1e-4  # of the shape's size

# The importer turns y up into z up.
TO_GLTF = numpy.array(Matrix(((1, 0, 0), (0, 0, 1), (0, -1, 0))))


def chunks(path):
    """The JSON and the binary chunk of a .glb."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def bind_positions(document, binary, part):
    """Of one primitive, as the file has them."""
    node = document["nodes"][part["node"]]
    primitive = document["meshes"][node["mesh"]]["primitives"][part["primitive"]]
    accessor = document["accessors"][primitive["attributes"]["POSITION"]]
    view = document["bufferViews"][accessor["bufferView"]]
    assert accessor["componentType"] == 5126
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", 12)
    return numpy.array(
        [
            numpy.frombuffer(binary, "<f4", 3, start + i * stride)
            for i in range(accessor["count"])
        ],
        dtype=float,
    )


def mesh_points(mesh):
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(float)


def in_world(points, world):
    matrix = numpy.array(world)
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def partners(ours, theirs, size):
    """For each of ours, all of theirs at the same place."""
    tree = kdtree.KDTree(len(theirs))
    for i, point in enumerate(theirs):
        tree.insert(point, i)
    tree.balance()
    found = [[i for _, i, _ in tree.find_range(point, 1e-6 * size)] for point in ours]
    lost = sum(1 for near in found if not near)
    if lost:
        sys.exit(f"{lost} of {len(ours)} vertices have no partner in Blender")
    return found


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    return [o for o in bpy.data.objects if o.type == "ARMATURE"]


def rest_poses(document, binary):
    """By armature and bone, as the file has them: of a copy of it that has no animations."""
    still = {key: value for key, value in document.items() if key != "animations"}
    text = json.dumps(still).encode()
    text += b" " * (-len(text) % 4)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "still.glb")
        with open(path, "wb") as file:
            file.write(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(binary)))
            file.write(struct.pack("<I", len(text)) + b"JSON" + text)
            file.write(struct.pack("<I", len(binary)) + b"BIN\0" + binary)
        return {
            (o.name, bone.name): bone.matrix_basis.copy()
            for o in load(path)
            for bone in o.pose.bones
        }


def play(action, armatures, rest):
    """What the action does not move stands as the file has it, not as the last action left it."""
    for armature in armatures:
        for bone in armature.pose.bones:
            bone.matrix_basis = rest[armature.name, bone.name]
        for track in armature.animation_data.nla_tracks:
            track.mute = True
        armature.animation_data.action = action


def let_shapes_be_negative():
    """The importer leaves the sliders of shape keys from 0 to 1, and Blender keeps values within."""
    for keys in bpy.data.shape_keys:
        for block in keys.key_blocks:
            block.slider_min, block.slider_max = -10, 10


def compare(model):
    document, binary = chunks(model["file"])
    rest = rest_poses(document, binary)
    armatures = [o for o in load(model["file"]) if o.animation_data]
    let_shapes_be_negative()
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature()]
    bound = numpy.concatenate(
        [bind_positions(document, binary, p) for p in model["clips"][0]["ours"][0]["parts"]]
    )
    size = numpy.abs(bound).max()
    raw = numpy.concatenate([mesh_points(o.data) for o in meshes]) @ TO_GLTF.T
    near = partners(bound, raw, size)
    worst, between, moments = 0.0, 0.0, 0
    actions = {}
    for armature in armatures:
        for track in armature.animation_data.nla_tracks:
            actions[track.name] = track.strips[0].action
    if len(actions) != len(model["clips"]):
        sys.exit(f"{model['file']}: {len(actions)} actions of {len(model['clips'])} clips")
    for clip in model["clips"]:
        # A clip without a name gets one from Blender.
        action = actions[clip["name"]] if clip["name"] else next(iter(actions.values()))
        play(action, armatures, rest)
        for moment in clip["ours"]:
            # Clips begin at frame 0; parts of frames are allowed.
            frame = moment["time"] * fps
            scene.frame_set(int(frame), subframe=frame - int(frame))
            graph = bpy.context.evaluated_depsgraph_get()
            posed = []
            for mesh in meshes:
                evaluated = mesh.evaluated_get(graph)
                posed.append(in_world(mesh_points(evaluated.data), evaluated.matrix_world))
            theirs = numpy.concatenate(posed) @ TO_GLTF.T
            ours = numpy.concatenate(
                [numpy.array(part["positions"]).reshape(-1, 3) for part in moment["parts"]]
            )
            extent = numpy.linalg.norm(ours.max(0) - ours.min(0))
            off = max(
                numpy.linalg.norm(theirs[candidates] - mine, axis=1).min() / extent
                for mine, candidates in zip(ours, near)
            )
            if moment["key"]:
                worst = max(worst, off)
                moments += 1
            else:
                between = max(between, off)
    print(
        f"{model['file']}: {moments} moments, Blender is off by {worst:.2e}, "
        f"between keys by {between:.2e}"
    )
    return moments > 0 and worst <= TOLERANCE


def main():
    with open(sys.argv[sys.argv.index("--") + 1], encoding="utf8") as file:
        models = json.load(file)
    if not models:
        print("no real models: set SINEW_ASSETS")
    results = [compare(model) for model in models]
    sys.exit(0 if all(results) else 1)


main()
