#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How long the shader takes on this machine's GPU, through EGL without a window (OpenGL ES 3.1).

gpu_frames.py save FILE.npz [VERTICES]   a character and a pose; needs the package sinew
gpu_frames.py time FILE.npz [COUNT ...]  prints CSV; needs numpy and a GPU's driver alone. Counts of
                                         vertices beyond the character's own are made of copies of
                                         it. Results are compared with the reference.
"""

from __future__ import annotations

import ctypes
import sys
import time
from ctypes import byref, c_char_p, c_float, c_int, c_uint, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

SHADER = Path(__file__).resolve().parent.parent / "bindings" / "shaders" / "sinew.glsl"
METHODS = {"lbs": 0.0, "dqs": 1.0, "stbs-lbs": 0.0, "stbs-dqs": 1.0}
MAIN = """
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Rest { vec4 rest[]; };
layout(std430, binding = 1) writeonly buffer Results { vec4 results[]; };
uniform int count;
uniform float blend;
void main() {
  int v = int(gl_GlobalInvocationID.x);
  if (v >= count) return;
  vec3 p = rest[3 * v].xyz, n = rest[3 * v + 1].xyz, t = vec3(0.0);
#ifdef NORMALS
  sinew_deform(p, n, t, rest[3 * v + 2], 0, blend);
  results[2 * v + 1] = vec4(n, 0.0);
#else
  p = sinew_position(p, rest[3 * v + 2], 0, blend);
#endif
  results[2 * v] = vec4(p, 1.0);
}
"""


def save(path: str, vertices: int) -> None:
    import sinew

    rig = sinew.sample("mannequin", vertices=vertices)
    skin = sinew.GpuSkin(rig, gradients=True)
    arrays = {name: getattr(skin, name)
              for name in ("positions", "normals", "vertices", "influences", "gradients")}
    for method in METHODS:
        arrays[f"pose {method}"] = skin.pose(clip=0, time=0.4, method=method)
        posed = sinew.Deformer(rig, method, reference=True).at(clip=0, time=0.4, normals=True)
        arrays[f"positions {method}"], arrays[f"normals {method}"] = posed.positions, posed.normals
    np.savez_compressed(path, **arrays)


class Gl:
    """OpenGL ES without a window. Functions are looked up by their names."""

    def __init__(self) -> None:
        egl = ctypes.CDLL("libEGL.so.1")
        egl.eglGetProcAddress.restype = c_void_p
        self._find = egl.eglGetProcAddress
        self._known: dict[str, Any] = {}
        display = self._display(egl)
        egl.eglCreateContext.restype = c_void_p
        egl.eglCreateContext.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
        egl.eglMakeCurrent.argtypes = [c_void_p] * 4
        if not egl.eglBindAPI(0x30A0):
            raise SystemExit("no OpenGL ES")
        wanted = (c_int * 5)(0x3098, 3, 0x30FB, 1, 0x3038)
        context = egl.eglCreateContext(display, None, None, wanted)
        if not context or not egl.eglMakeCurrent(display, None, None, context):
            raise SystemExit(f"no context of OpenGL ES 3.1: error {egl.eglGetError():#x}")
        self.renderer = ctypes.string_at(self.call("glGetString", 0x1F01, result=c_void_p)).decode()

    def _display(self, egl: Any) -> Any:
        """The first device that can be opened, or else Mesa's."""
        devices, found = (c_void_p * 16)(), c_int()
        egl.eglInitialize.argtypes = [c_void_p, c_void_p, c_void_p]
        choices = [(0x31DD, None)]
        if self._find(b"eglQueryDevicesEXT"):
            self.call("eglQueryDevicesEXT", 16, devices, byref(found))
            choices = [(0x313F, devices[i]) for i in range(found.value)] + choices
        for platform, device in choices:
            display = self.call("eglGetPlatformDisplayEXT", platform, c_void_p(device), None,
                                result=c_void_p)
            if display and egl.eglInitialize(display, None, None):
                return display
        raise SystemExit("no GPU can be opened through EGL")

    def call(self, name: str, *arguments: Any, result: Any = c_int) -> Any:
        if name not in self._known:
            self._known[name] = ctypes.CFUNCTYPE(result)(self._find(name.encode()))
        return self._known[name](*arguments)

    def program(self, source: str) -> int:
        shader = self.call("glCreateShader", 0x91B9)
        text = c_char_p(source.encode())
        self.call("glShaderSource", shader, 1, ctypes.pointer(text), c_void_p())
        self.call("glCompileShader", shader)
        program = self.call("glCreateProgram")
        self.call("glAttachShader", program, shader)
        self.call("glLinkProgram", program)
        good = c_int()
        self.call("glGetProgramiv", program, 0x8B82, ctypes.pointer(good))
        if not good.value:
            log = ctypes.create_string_buffer(4000)
            self.call("glGetShaderInfoLog", shader, 4000, c_void_p(), log)
            raise SystemExit(log.value.decode())
        return int(program)

    def texture(self, texels: np.ndarray) -> int:
        made = c_uint()
        self.call("glGenTextures", 1, ctypes.pointer(made))
        self.call("glBindTexture", 0x0DE1, int(made.value))
        self.call("glTexParameteri", 0x0DE1, 0x2801, 0x2600)
        self.call("glTexParameteri", 0x0DE1, 0x2800, 0x2600)
        width = min(len(texels), 4096)
        self.call("glTexImage2D", 0x0DE1, 0, 0x8814, width, len(texels) // width, 0, 0x1908, 0x1406,
                  c_void_p(texels.ctypes.data))
        return made.value

    def buffer(self, binding: int, size: int, data: Any = None) -> None:
        made = c_uint()
        self.call("glGenBuffers", 1, ctypes.pointer(made))
        self.call("glBindBufferBase", 0x90D2, binding, int(made.value))
        self.call("glBufferData", 0x90D2, c_void_p(size),
                  c_void_p(data.ctypes.data if data is not None else None), 0x88E4)


def padded(texels: np.ndarray) -> np.ndarray:
    rows = -(-len(texels) // 4096)
    if rows < 2:
        return np.ascontiguousarray(texels)
    return np.concatenate([texels, np.zeros((rows * 4096 - len(texels), 4), np.float32)])


def copies(arrays: dict[str, np.ndarray], count: int) -> dict[str, np.ndarray]:
    """The character so often that there are so many vertices, each with influences of its own."""
    own = len(arrays["positions"])
    times = -(-count // own)
    vertices = arrays["vertices"]
    used = int(vertices[-1, 0] + vertices[-1, 2])
    shifted = [vertices + np.float32([k * used, 0, 0, 0]) for k in range(times)]
    result = {"vertices": np.concatenate(shifted)[:count]}
    for name in ("positions", "normals"):
        result[name] = np.tile(arrays[name], (times, 1))[:count]
    result["influences"] = padded(np.tile(arrays["influences"][:used], (times, 1)))
    result["gradients"] = padded(np.tile(arrays["gradients"][:3 * used], (times, 1)))
    return result


def frame_seconds(gl: Gl, pose: np.ndarray, count: int) -> float:
    """The least of several runs of many frames: the pose uploaded, every vertex deformed."""
    def frames(how_many: int) -> float:
        gl.call("glFinish")
        begun = time.perf_counter()
        for _ in range(how_many):
            gl.call("glTexSubImage2D", 0x0DE1, 0, 0, 0, len(pose), 1, 0x1908, 0x1406,
                    c_void_p(pose.ctypes.data))
            gl.call("glDispatchCompute", -(-count // 64), 1, 1)
            gl.call("glMemoryBarrier", -1)
        gl.call("glFinish")
        return (time.perf_counter() - begun) / how_many

    once = frames(1)
    many = max(3, min(300, int(0.2 / once)))
    return min(frames(many) for _ in range(5))


def worst(gl: Gl, count: int, column: int, expected: np.ndarray) -> float:
    size = 32 * count
    address = gl.call("glMapBufferRange", 0x90D2, c_void_p(0), c_void_p(size), 1, result=c_void_p)
    values = np.frombuffer((c_float * (8 * count)).from_address(address), np.float32).copy()
    gl.call("glUnmapBuffer", 0x90D2)
    actual = values.reshape(count, 2, 4)[:len(expected), column, :3]
    return float(np.linalg.norm(actual - expected[:count], axis=1).max())


def measure(path: str, counts: list[int]) -> None:
    arrays = dict(np.load(path))
    gl = Gl()
    print(f"# {gl.renderer}; {arrays['influences'].shape[0]} influences of "
          f"{len(arrays['positions'])} vertices")
    print("vertices,method,what,microseconds,nanoseconds per vertex,off by")
    for count in counts or [len(arrays["positions"])]:
        mesh = copies(arrays, count)
        rest = np.zeros((count, 3, 4), np.float32)
        rest[:, 0, :3], rest[:, 1, :3] = mesh["positions"], mesh["normals"]
        rest[:, 2] = mesh["vertices"]
        for what, defines in {"positions": "", "normals": "#define NORMALS\n",
                              "exact normals": "#define NORMALS\n#define SINEW_GRADIENTS\n"}.items():
            program = gl.program("#version 310 es\n" + defines + SHADER.read_text() + MAIN)
            gl.call("glUseProgram", program)
            units = {"sinew_influences": mesh["influences"], "sinew_gradients": mesh["gradients"],
                     "sinew_pose": arrays["pose lbs"]}
            for unit, (name, texels) in enumerate(units.items()):
                gl.call("glActiveTexture", 0x84C0 + unit)
                gl.texture(texels)
                gl.call("glUniform1i", gl.call("glGetUniformLocation", program,
                                               c_char_p(name.encode())), unit)
            gl.buffer(0, rest.nbytes, rest)
            gl.buffer(1, 32 * count)
            place = c_char_p(b"count")
            gl.call("glUniform1i", gl.call("glGetUniformLocation", program, place), count)
            for method, blend in METHODS.items():
                place = c_char_p(b"blend")
                gl.call("glUniform1f", gl.call("glGetUniformLocation", program, place),
                        c_float(blend))
                seconds = frame_seconds(gl, np.ascontiguousarray(arrays[f"pose {method}"]), count)
                off = worst(gl, count, 0, arrays[f"positions {method}"])
                if what == "exact normals":
                    off = max(off, worst(gl, count, 1, arrays[f"normals {method}"]))
                print(f"{count},{method},{what},{seconds * 1e6:.1f},{seconds * 1e9 / count:.3f},"
                      f"{off:.1e}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) >= 3 and sys.argv[1] == "save":
        save(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 100_000)
    elif len(sys.argv) >= 3 and sys.argv[1] == "time":
        measure(sys.argv[2], [int(word) for word in sys.argv[3:]])
    else:
        sys.exit(__doc__)
