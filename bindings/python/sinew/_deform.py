# SPDX-License-Identifier: Apache-2.0
"""Rigs bound to a method, and what it makes of a pose."""

from __future__ import annotations

import threading
from ctypes import POINTER, byref, c_float, cast, sizeof
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi
from ._arrays import Array, options
from ._errors import UsageError
from ._library import Handle, check, lib, text
from ._pose import AnyPose, Pose, pose_of
from ._rig_arrays import Mesh

if TYPE_CHECKING:
    from ._rig import Rig

_Floats = POINTER(c_float)


@dataclass(frozen=True)
class Posed:
    """A deformed mesh, in world space."""

    positions: NDArray[np.float32]
    triangles: Array
    normals: Optional[NDArray[np.float32]] = None
    tangents: Optional[NDArray[np.float32]] = None

    @property
    def mesh(self) -> Mesh:
        """Positions and triangles, as `trimesh.Trimesh(*posed.mesh)` takes them."""
        return Mesh(self.positions, self.triangles)

    @property
    def vertices(self) -> NDArray[np.float32]:
        """The positions, by the name that most libraries of meshes give them."""
        return self.positions

    @property
    def faces(self) -> Array:
        """The triangles, likewise."""
        return self.triangles


def _words(value: object) -> list[str]:
    """What a setting is given, as text: several for a list."""
    if isinstance(value, (list, tuple)):
        return [word for one in value for word in _words(one)]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(value)]


def _settings(settings: Optional[Mapping[str, object]]) -> Any:
    pairs = [
        _abi.sinew_setting(text(name, "a setting"), text(word, name))
        for name, value in (settings or {}).items()
        for word in _words(value)
    ]
    return (_abi.sinew_setting * len(pairs))(*pairs)


class _Target:
    """Where C writes floats: the caller's memory if it can be, memory of our own if not."""

    __slots__ = ("given", "floats")

    def __init__(self, given: Array, rows: int, columns: int, what: str) -> None:
        if not isinstance(given, np.ndarray):
            raise TypeError(f"{what} must be an array, not {type(given).__name__}")
        if given.shape != (rows, columns):
            raise UsageError(f"{what}: an array of shape {given.shape}, not ({rows}, {columns})")
        if not given.flags.writeable:
            raise UsageError(f"{what}: an array that cannot be written to")
        if given.dtype.kind != "f":
            raise UsageError(f"{what}: {given.dtype} holds no fractions")
        self.given = self.floats = given
        strides = given.strides
        if (given.dtype != np.float32 or not given.flags.aligned or strides[1] != 4
                or strides[0] < columns * 4):
            self.floats = np.empty((rows, columns), np.float32)

    def finish(self) -> None:
        if self.floats is not self.given:
            self.given[...] = self.floats


class Deformer:
    """A rig bound to a method, to be deformed in one pose after another.

    It keeps what it needs of the rig, as the rig was when the deformer was made. `method`: see
    methods(); None: "stbs-mixed" if the rig has blend shares, else "stbs-dqs". `settings` are
    those of the method; what is missing has the default for this rig.
    `rough_normals`: binding and normals take less time, and normals deviate where weights change.
    `reference`: in double precision, slowly, to check against.

    >>> import sinew
    >>> rig = sinew.sample("mannequin", vertices=1000)
    >>> posed = sinew.Deformer(rig, "stbs-dqs").at(clip="walk", time=0.5)
    >>> posed.positions.dtype, posed.positions.shape == rig.positions.shape
    (dtype('float32'), True)
    """

    def __init__(self, rig: Rig, method: Optional[str] = None, *,
                 settings: Optional[Mapping[str, object]] = None, rough_normals: bool = False,
                 reference: bool = False) -> None:
        listed = _settings(settings)
        chosen = options(_abi.sinew_deformer_options, method=method, settings=listed,
                         setting_count=len(listed), rough_normals=rough_normals,
                         reference=reference)
        self._handle = Handle(lib.sinew_deformer_free)
        self._rig = rig._frozen()
        check(lib.sinew_deformer_create(self._rig._handle.ref, byref(chosen),
                                        byref(self._handle.ref)))
        self._prepare()

    def _prepare(self) -> None:
        self._pose = Pose(self._rig)
        self._lock = threading.Lock()
        self.triangles: Array = self._rig.triangles
        self.vertex_count: int = self._rig.vertex_count

    def deform(self, pose: Pose, out: Optional[Array] = None, *, normals: Optional[Array] = None,
               tangents: Optional[Array] = None) -> Array:
        """Deforms the rig in a pose and returns the positions, (vertices, 3).

        Into `out` if it is given: an array of any type of float with any strides. What is float32
        with the numbers of a vertex side by side, such as a field of a vertex buffer, is written
        to directly. Likewise normals, (vertices, 3), and tangents, (vertices, 4); these, if wanted.

        >>> import numpy, sinew
        >>> rig = sinew.sample("cigar", vertices=200)
        >>> deformer, pose = sinew.Deformer(rig, "lbs"), sinew.Pose(rig)
        >>> buffer = numpy.zeros(rig.vertex_count, [("position", "f4", 3), ("normal", "f4", 3)])
        >>> _ = deformer.deform(pose, out=buffer["position"], normals=buffer["normal"])
        >>> bool(abs(buffer["position"] - rig.positions).max() < 1e-6)
        True
        """
        count = self.vertex_count
        if out is None:
            out = np.empty((count, 3), np.float32)
        places = _Target(out, count, 3, "out")
        output = _abi.sinew_output(sizeof(_abi.sinew_output), count,
                                   cast(places.floats.ctypes.data, _Floats),
                                   places.floats.strides[0])
        targets = [places]
        if normals is not None:
            target = _Target(normals, count, 3, "normals")
            output.normals = cast(target.floats.ctypes.data, _Floats)
            output.normal_stride = target.floats.strides[0]
            targets.append(target)
        if tangents is not None:
            target = _Target(tangents, count, 4, "tangents")
            output.tangents = cast(target.floats.ctypes.data, _Floats)
            output.tangent_stride = target.floats.strides[0]
            targets.append(target)
        check(lib.sinew_deformer_deform(self._handle.ref, pose._handle.ref, byref(output)))
        for target in targets:
            target.finish()
        return out

    def at(self, pose: AnyPose = None, *, clip: Union[str, int, None] = None, time: float = 0.0,
           out: Optional[Array] = None, normals: bool = False, tangents: bool = False) -> Posed:
        """The rig at a time of a clip, in seconds, or in a pose: a Pose, or what Pose.set() takes.

        >>> import sinew
        >>> deformer = sinew.Deformer(sinew.sample("cigar", vertices=200))
        >>> posed = deformer.at({"joints": {"bone": {"twist": 90}}}, normals=True)
        >>> posed.normals.shape == posed.positions.shape
        True
        """
        count = self.vertex_count
        deformed_normals = np.empty((count, 3), np.float32) if normals else None
        deformed_tangents = np.empty((count, 4), np.float32) if tangents else None
        with self._lock:
            wanted = pose_of(lambda: self._pose, pose, clip, time)
            positions = self.deform(wanted, out, normals=deformed_normals,
                                    tangents=deformed_tangents)
        return Posed(positions, self.triangles, deformed_normals, deformed_tangents)

    def copy(self) -> Deformer:
        """Another one that shares what was computed, for another character or thread."""
        other = Deformer.__new__(Deformer)
        other._handle = Handle(lib.sinew_deformer_free)
        check(lib.sinew_deformer_copy(self._handle.ref, byref(other._handle.ref)))
        other._rig = self._rig
        other._prepare()
        return other
