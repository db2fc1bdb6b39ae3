#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the program's work grow in proportion to its input, or with its square?

    growth.py SINEW [CASE ...]     all cases unless some are named; needs valgrind

Each case is a command on an input of size n, 2n and 4n, on one thread. Instructions are counted (callgrind), so
the clock and other programs do not matter. From 2n to 4n work may grow by 2.6 times what it grows from n to 2n: in
proportion it is 2, with the square 4. What does not depend on n cancels."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable

from inputs import Gltf, bvh, chain, obj, png, tgf, tower, write_json

BOUND = 2.6
Case = tuple[int, Callable[[Path, int], list[str]]]


def rig(folder: Path, joints: list[dict], triangles: int = 4, roots: tuple[int, ...] = (0,)) -> Gltf:
    return Gltf(joints, list(roots), tower(triangles))


def read_rig(joints: Callable[[int], list[dict]]) -> Callable[[Path, int], list[str]]:
    return lambda folder, n: ["info", rig(folder, joints(n)).write(folder / "in.gltf")]


def edited(folder: Path, n: int, *steps: str) -> list[str]:
    return ["edit", rig(folder, chain(n)).write(folder / "in.gltf"), "-o", str(folder / "out.glb"), *steps]


def two_sides(folder: Path, n: int) -> list[str]:
    left = chain(n, start=(-1, 0, 0), name="L")
    right = [{**node, "children": [child + n for child in node["children"]]} if "children" in node else node
             for node in chain(n, start=(1, 0, 0), name="R")]
    model = Gltf(left + right, [0, n], tower(4))
    return ["edit", model.write(folder / "in.gltf"), "-o", str(folder / "out.glb"), "--mirror", "x"]


def posed(folder: Path, n: int) -> list[str]:
    pose = write_json(folder / "pose.json", {"joints": {f"j{i}": {"twist": 30, "bend": [5, "x"]} for i in range(n)}})
    return ["deform", rig(folder, chain(n)).write(folder / "in.gltf"), "--pose", pose, "--method", "stbs-dqs", "-o", str(folder / "out.obj")]


def reaching(folder: Path, n: int) -> list[str]:
    pose = write_json(folder / "pose.json", {"targets": {f"j{n - 1}": {"position": [n / 2, n / 2, 0], "root": "j0"}}})
    return ["deform", rig(folder, chain(n)).write(folder / "in.gltf"), "--pose", pose, "-o", str(folder / "out.obj")]


def moving(folder: Path, n: int) -> Gltf:
    model = rig(folder, chain(n))
    model.add_clip("wave", list(range(n)), 8)
    return model


def baked(folder: Path, n: int) -> list[str]:
    return ["bake", moving(folder, n).write(folder / "in.gltf"), "-o", str(folder / "out.glb"), "--endpoints", "projection"]


def clip(folder: Path, n: int) -> list[str]:
    model = rig(folder, chain(3))
    model.add_clip("wave", [0, 1, 2], n)
    return ["deform", model.write(folder / "in.gltf"), "--clip", "wave", "--time", str(n / 60), "-o", str(folder / "out.obj")]


def clips(folder: Path, n: int) -> list[str]:
    model = rig(folder, chain(3))
    for i in range(n):
        model.add_clip(f"wave{i}", [0, 1], 4)
    return ["edit", model.write(folder / "in.gltf"), "-o", str(folder / "out.glb"), "--normalize"]


def meshes(folder: Path, n: int) -> list[str]:
    model = rig(folder, chain(3))
    document = model.document
    for i in range(1, n):
        document["meshes"].append({"name": f"body{i}", "primitives": document["meshes"][0]["primitives"]})
        document["nodes"].append({"name": f"body{i}", "mesh": i, "skin": 0})
        document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    return ["edit", model.write(folder / "in.gltf"), "-o", str(folder / "out.glb"), "--smooth", "1"]


def problems(folder: Path, n: int) -> list[str]:
    model = rig(folder, chain(3))
    model.document["materials"] = [{"name": "m", "alphaCutoff": -1, "emissiveFactor": [2, 0, 0]} for _ in range(n)]
    return ["info", model.write(folder / "in.gltf")]


def same_names(folder: Path, n: int) -> list[str]:
    joints = [{**node, "name": "joint"} for node in chain(n)]
    return ["pose", rig(folder, joints).write(folder / "in.gltf"), "-o", str(folder / "out.json")]


def keys(folder: Path, n: int) -> list[str]:
    file = write_json(folder / "keys.json", {"keys": [{"time": i / 10, "pose": {"joints": {"j1": {"twist": i % 90}}}} for i in range(n)]})
    return ["animate", rig(folder, chain(3)).write(folder / "in.gltf"), "--keys", file, "-o", str(folder / "out.glb")]


def motion(folder: Path, n: int, joints: int) -> list[str]:
    file = bvh(folder / "in.bvh", joints, n)
    return ["animate", rig(folder, chain(joints)).write(folder / "in.gltf"), "--motion", file, "-o", str(folder / "out.glb")]


def map_of_motion(folder: Path, n: int) -> list[str]:
    file = bvh(folder / "in.bvh", n, 4)
    mapping = write_json(folder / "map.json", {f"j{i}": f"j{i}" for i in range(n)})
    return ["animate", rig(folder, chain(n)).write(folder / "in.gltf"), "--motion", file, "--map", mapping, "-o", str(folder / "out.glb")]


def strokes(folder: Path, n: int) -> list[str]:
    dabs = [{"position": [0.2, 0, 0.2]}, {"ray": {"origin": [0.2, 1, 0.2], "direction": [0, -1, 0]}}]
    file = write_json(folder / "strokes.json", {"format": "sinew-strokes", "version": 1, "strokes": [
        {"bone": f"j{i % 3}", "radius": 0.1, "dabs": dabs} for i in range(n)]})
    return ["edit", rig(folder, chain(3)).write(folder / "in.gltf"), "-o", str(folder / "out.glb"), "--paint", file]


def drivers(folder: Path, n: int) -> list[str]:
    follow = {"property": "rotation", "axis": [1, 0, 0], "control": "breath",
              "curve": {"interpolation": "linear", "times": [0, 1], "values": [0, 10]}}
    file = write_json(folder / "drivers.json", {"controls": [{"name": "breath", "default": 0}],
                                                "drivers": [{"joint": f"j{i}", "follow": follow} for i in range(1, n)]})
    return edited(folder, n, "--drivers", file)


def limits(folder: Path, n: int) -> list[str]:
    return edited(folder, n, "--limits", write_json(folder / "limits.json", {"limits": {f"j{i}": {"cone": 60} for i in range(n)}}))


def islands(method: str, *more: str) -> Callable[[Path, int], list[str]]:
    return lambda folder, n: ["weights", obj(folder / "in.obj", tower(n)), "--skeleton", tgf(folder / "in.tgf", 1),
                              "--method", method, *more, "-o", str(folder / "out.glb")]


def bones(method: str) -> Callable[[Path, int], list[str]]:
    return lambda folder, n: ["weights", obj(folder / "in.obj", tower(4)), "--skeleton", tgf(folder / "in.tgf", n, 8 / n),
                              "--method", method, "--endpoints", "projection", "-o", str(folder / "out.glb")]


def bones_of_picture(folder: Path, n: int) -> list[str]:
    skeleton = write_json(folder / "bones.json", {"joints": {f"j{i}": [4 + 120 * i / n, 16] for i in range(n + 1)},
                                                  "bones": [{"from": f"j{i}", "to": f"j{i + 1}"} for i in range(n)]})
    return ["image", png(folder / "in.png", 128, 32), "--skeleton", skeleton, "--weights", "rigid", "--endpoints", "projection",
            "-o", str(folder / "out.glb")]


CASES: dict[str, Case] = {
    "tails of joints at one place": (250, read_rig(lambda n: chain(n, step=(0, 0, 0)))),
    "bones of two sides": (125, two_sides),
    "joints of one name": (250, same_names),
    "a pose of a chain": (250, posed),
    "a chain that reaches": (250, reaching),
    "bones that are baked": (60, baked),
    "keys of a clip": (500, clip),
    "clips of a file": (40, clips),
    "meshes of a file": (40, meshes),
    "problems of a file": (1000, problems),
    "keys of a file": (500, keys),
    "frames of a motion": (1000, lambda f, n: motion(f, n, 3)),
    "joints of a motion": (100, lambda f, n: motion(f, 4, n)),
    "joints of a map": (100, map_of_motion),
    "strokes": (500, strokes),
    "drivers": (125, drivers),
    "limits": (125, limits),
    "muscles": (250, lambda f, n: edited(f, n, "--muscle", ",".join(f"j{i}" for i in range(n)))),
    "steps of editing": (125, lambda f, n: edited(f, 3, *["--filter", "j1=0:0,1:1"] * n)),
    "locks": (250, lambda f, n: edited(f, n, "--lock", ",".join(f"j{i}" for i in range(n)), "--smooth", "1")),
    "groups of a mesh": (1000, lambda f, n: ["info", obj(f / "in.obj", tower(n), groups=True)]),
    "islands, bbw": (500, islands("bbw", "--lattice-nodes", "64", "--endpoints", "projection")),
    "islands, heat": (800, islands("heat", "--endpoints", "projection")),
    "islands, voxel": (400, islands("voxel", "--voxels", "8", "--endpoints", "projection")),
    "bones, rigid": (500, bones("rigid")),
    "bones, heat": (1000, bones("heat")),
    "bones of a picture": (100, bones_of_picture),
}


def instructions(sinew: str, case: Case, n: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sinew, *case[1](folder, n), "--threads", "1", "--quiet"]
        result = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", *command],
                                capture_output=True, text=True, errors="replace")
        counted = re.search(r"Collected : (\d+)", result.stderr)
        # 1 is a result that is poor: the shapes here are.
        if result.returncode not in (0, 1) or counted is None:
            raise RuntimeError(f"status {result.returncode}: {' '.join(command[1:])}\n{result.stderr[-2000:]}")
        return int(counted[1])


def main() -> int:
    sinew, names = sys.argv[1], sys.argv[2:] or list(CASES)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = {name: [pool.submit(instructions, sinew, CASES[name], scale * CASES[name][0]) for scale in (1, 2, 4)]
                  for name in names}
        print(f"{'case':32} {'n':>6} {'at n':>14} {'at 2n':>14} {'at 4n':>14}  growth")
        for name in names:
            few, more, most = (count.result() for count in counts[name])
            growth = (most - more) / max(1, more - few)
            failed += growth > BOUND
            print(f"{name:32} {CASES[name][0]:6} {few:14,} {more:14,} {most:14,}  {growth:.2f}{'  TOO FAST' if growth > BOUND else ''}",
                  flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
