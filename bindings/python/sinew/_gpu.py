# SPDX-License-Identifier: Apache-2.0
"""Rigs and poses as shaders read them."""

from __future__ import annotations

import threading
from ctypes import POINTER, byref, c_float, cast
from typing import TYPE_CHECKING, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi
from ._arrays import Array, options, view_of
from ._errors import UsageError
from ._library import Handle, check, count_of, lib, text
from ._pose import AnyPose, Pose, pose_of

if TYPE_CHECKING:
    from ._rig import Rig


class GpuSkin:
    """A rig for shaders: float32 arrays to be uploaded once, and one for each pose.

    The page docs/gpu.md has the layout; the shaders are in bindings/shaders. `gradients`: also what
    normals need that are those of the deformed surface. Arrays that the rig does not have are None.

    >>> import sinew
    >>> rig = sinew.sample("arm", vertices=300)
    >>> skin = sinew.GpuSkin(rig)
    >>> skin.vertices.shape == (rig.vertex_count, 4), skin.influences.shape[1], skin.gradients
    (True, 4, None)
    >>> pose = skin.pose(clip=0, time=0.5, method="stbs-dqs")
    >>> pose.dtype, pose.shape == (6 * len(rig.bone_heads), 4)
    (dtype('float32'), True)
    """

    def __init__(self, rig: Rig, *, gradients: bool = False) -> None:
        chosen = options(_abi.sinew_gpu_skin_options, gradients=gradients)
        self._handle = Handle(lib.sinew_gpu_skin_free)
        self._rig = rig._frozen()
        check(lib.sinew_gpu_skin_create(self._rig._handle.ref, byref(chosen),
                                        byref(self._handle.ref)))
        self._pose = Pose(self._rig)
        self._lock = threading.Lock()

    def _optional(self, field: int) -> Optional[Array]:
        array = _abi.sinew_array()
        check(lib.sinew_gpu_skin_get(self._handle.ref, field, byref(array)))
        return view_of(self._handle, array)

    def _array(self, field: int) -> Array:
        array = self._optional(field)
        return np.empty((0, 4), np.float32) if array is None else array

    @property
    def positions(self) -> Array:
        """The mesh at bind, (vertices, 3)."""
        return self._array(_abi.SINEW_GPU_POSITIONS)

    @property
    def normals(self) -> Array:
        """Normals at bind, those of the triangles if the rig has none, (vertices, 3)."""
        return self._array(_abi.SINEW_GPU_NORMALS)

    @property
    def tangents(self) -> Optional[Array]:
        """Tangents at bind, (vertices, 4)."""
        return self._optional(_abi.SINEW_GPU_TANGENTS)

    @property
    def vertices(self) -> Array:
        """First influence, count, count with neighbours, share of dual quaternions."""
        return self._array(_abi.SINEW_GPU_VERTICES)

    @property
    def influences(self) -> Array:
        """Bone, weight, endpoint weights of stretch and twist, in whole rows of a texture."""
        return self._array(_abi.SINEW_GPU_INFLUENCES)

    @property
    def gradients(self) -> Optional[Array]:
        """Three texels for each influence."""
        return self._optional(_abi.SINEW_GPU_GRADIENTS)

    @property
    def delta_ranges(self) -> Optional[Array]:
        """First delta and count, (vertices, 2), if there are shapes."""
        return self._optional(_abi.SINEW_GPU_DELTA_RANGES)

    @property
    def deltas(self) -> Optional[Array]:
        """Three texels for each shape that moves a vertex."""
        return self._optional(_abi.SINEW_GPU_DELTAS)

    def pose(self, pose: AnyPose = None, *, clip: Union[str, int, None] = None, time: float = 0.0,
             method: str = "stbs-dqs", out: Optional[Array] = None) -> NDArray[np.float32]:
        """The texels of a pose, (texels, 4): a Pose, what Pose.set() takes, or a time of a clip.

        Into `out` if it is given, a float32 array of that shape in one piece.
        """
        with self._lock:
            wanted = pose_of(lambda: self._pose, pose, clip, time)
            texels = count_of(lib.sinew_gpu_pose_size, wanted._handle.ref)
            if out is None:
                out = np.empty((texels, 4), np.float32)
            if not (isinstance(out, np.ndarray) and out.dtype == np.float32 and out.flags.carray
                    and out.shape == (texels, 4)):
                raise UsageError(f"out must be a float32 array of shape ({texels}, 4) in one piece")
            check(lib.sinew_gpu_pose(wanted._handle.ref, text(method, "method"),
                                     cast(out.ctypes.data, POINTER(c_float)), out.size))
            return out

    @staticmethod
    def blend(method: str) -> float:
        """How the shaders blend by a method: 0 linearly, 1 by dual quaternions, -1 by the vertex.

        >>> import sinew
        >>> [sinew.GpuSkin.blend(name) for name in ("lbs", "stbs-dqs", "mixed")]
        [0.0, 1.0, -1.0]
        """
        result = c_float()
        check(lib.sinew_gpu_blend(text(method, "method"), byref(result)))
        return result.value
