# SPDX-License-Identifier: Apache-2.0
"""Building rigs from arrays, and changing them."""

from __future__ import annotations

import json
from ctypes import byref, c_char_p
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _abi
from ._arrays import Array, frames, numbers, options
from ._clips import Channel, Clip, packed, read_clip
from ._errors import UsageError
from ._library import Handle, check, lib, text
from ._rig_arrays import RigArrays


def plain(value: Any) -> Any:
    """For json.dumps: numbers and arrays of numpy as Python's own."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be part of JSON")


def json_text(value: Union[Mapping[str, Any], Sequence[Any], str],
              default: Callable[[Any], Any] = plain) -> bytes:
    """JSON, or what can be written as JSON, as C takes it."""
    written = value if isinstance(value, str) else json.dumps(value, default=default)
    return text(written, "JSON") or b""


def _optional(values: Optional[ArrayLike], what: str,
              columns: Optional[Sequence[int]] = (1,)) -> Optional[Array]:
    return None if values is None else numbers(values, what, columns)


def _faces(faces: Any) -> dict[str, Array]:
    """Triangles, faces with as many corners each, or a list of faces of any kind."""
    if not isinstance(faces, np.ndarray) and len({len(face) for face in faces}) > 1:
        offsets = np.cumsum([0, *(len(face) for face in faces)])
        listed = np.concatenate([np.asarray(face) for face in faces])
        return {"polygon_offsets": offsets, "polygon_corners": numbers(listed, "faces")}
    array = np.asarray(faces)
    if array.ndim == 2 and array.shape[1] > 3:
        corners = numbers(array.reshape(-1), "faces")
        return {"polygon_offsets": np.arange(0, array.size + 1, array.shape[1]),
                "polygon_corners": corners}
    return {"triangles": numbers(array, "faces", (3,))}


class RigBuilding(RigArrays):
    """The part of a rig that changes it. A call that raises has changed nothing."""

    def _change(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._lock:
            # Nobody's arrays change: who still shows the old memory keeps it.
            handle = self._copied() if self._handle.is_leased() else self._handle
            check(function(handle.ref, *arguments))
            self._handle = handle
            self._names = {}

    def _copied(self) -> Handle:
        handle = Handle(lib.sinew_rig_free)
        with self._lock:
            check(lib.sinew_rig_copy(self._handle.ref, byref(handle.ref)))
        return handle

    def _replace(self, before: Handle, after: Handle) -> None:
        """Ends a long change, which was made to a copy."""
        with self._lock:
            if self._handle is not before:
                raise UsageError("another thread changed the rig meanwhile")
            self._handle = after
            self._names = {}

    def set_mesh(self, vertices: ArrayLike, faces: Any = (), *,
                 normals: Optional[ArrayLike] = None, normal_corners: Optional[ArrayLike] = None,
                 uvs: Optional[ArrayLike] = None, uv_corners: Optional[ArrayLike] = None,
                 tangents: Optional[ArrayLike] = None, colors: Optional[ArrayLike] = None,
                 tetrahedra: Optional[ArrayLike] = None) -> None:
        """Replaces the mesh and its shapes.

        `faces` is an array with 3 or more columns, or a list of faces with any number of corners
        each. Weights are kept if the number of vertices is the same, and dropped if not.

        >>> import sinew
        >>> rig = sinew.Rig()
        >>> rig.set_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]])
        >>> rig.triangles.shape
        (2, 3)
        """
        data = options(
            _abi.sinew_mesh_data,
            positions=numbers(vertices, "vertices", (3,)),
            normals=_optional(normals, "normals", (3,)),
            normal_corners=_optional(normal_corners, "normal_corners"),
            uvs=_optional(uvs, "uvs", (2,)),
            uv_corners=_optional(uv_corners, "uv_corners"),
            tangents=_optional(tangents, "tangents", (4,)),
            colors=_optional(colors, "colors", (3, 4)),
            tetrahedra=_optional(tetrahedra, "tetrahedra", (4,)),
            **_faces(faces),
        )
        self._change(lib.sinew_rig_set_mesh, byref(data))

    def set_skeleton(self, parents: Optional[ArrayLike] = None, rests: Optional[ArrayLike] = None,
                     *, names: Optional[Sequence[str]] = None,
                     bone_joints: Optional[ArrayLike] = None,
                     bone_tails: Optional[ArrayLike] = None,
                     bone_inverse_binds: Optional[ArrayLike] = None,
                     points: Optional[ArrayLike] = None,
                     segments: Optional[ArrayLike] = None) -> None:
        """Replaces the skeleton, and keeps what can be kept.

        Either joints: `parents` (-1: a root) and `rests` against them, (n, 3) translations or
        (n, 10) as `joint_rests`; with bones of your own, or one for each joint. Or `points` and
        `segments` between them, (n, 2), each a bone.

        Weights, filters and channels of clips follow their bones and joints by name; those of bones
        and joints that are gone are dropped, and the other weights of a vertex scaled to the same
        sum. The mesh, shapes, controls, base colours and base textures stay. What else was in the
        file is dropped.

        >>> import sinew
        >>> rig = sinew.Rig()
        >>> rig.set_skeleton([-1, 0], [[0, 0, 0], [0, 1, 0]], names=["hip", "knee"])
        >>> rig.bone_names
        ('hip', 'knee')
        """
        listed = None
        if names is not None:
            count = len(np.asarray(points if parents is None else parents))
            if len(names) != count:
                raise UsageError(f"names: {len(names)} for {count} joints")
            listed = (c_char_p * count)(*(text(name, "a joint's name") for name in names))
        data = options(
            _abi.sinew_skeleton_data,
            joint_names=listed,
            joint_parents=_optional(parents, "parents"),
            joint_rests=_optional(rests, "rests", (10, 3)),
            bone_joints=_optional(bone_joints, "bone_joints"),
            bone_tails=_optional(bone_tails, "bone_tails", (3,)),
            bone_inverse_binds=None if bone_inverse_binds is None
            else frames(bone_inverse_binds, "bone_inverse_binds"),
            points=_optional(points, "points", (3,)),
            segments=_optional(segments, "segments", (2,)),
        )
        self._change(lib.sinew_rig_set_skeleton, byref(data))

    def set_weights(self, weights: Any, bones: Optional[ArrayLike] = None,
                    offsets: Optional[ArrayLike] = None, *, endpoints: Optional[ArrayLike] = None,
                    twist_endpoints: Optional[ArrayLike] = None) -> None:
        """Replaces bone weights and both kinds of endpoint weights.

        `weights` is a matrix of vertices by bones, dense or of scipy.sparse; or, with `bones`,
        (vertices, slots) as in glTF; or, with `offsets`, too, one number for each influence.
        Endpoint weights have the form of the weights.

        >>> import sinew
        >>> rig = sinew.sample("cigar", vertices=200)
        >>> rig.set_weights(rig.weight_matrix())
        >>> rig.endpoints is None
        True
        """
        if hasattr(weights, "tocsr"):
            if bones is not None or offsets is not None:
                raise UsageError("a sparse matrix of weights has its own bones and offsets")
            matrix = weights.tocsr()
            weights, bones, offsets = matrix.data, matrix.indices, matrix.indptr
        data = options(
            _abi.sinew_weights_data,
            weights=numbers(weights, "weights", None),
            bones=_optional(bones, "bones", None),
            offsets=_optional(offsets, "offsets"),
            endpoints=_optional(endpoints, "endpoints", None),
            twist_endpoints=_optional(twist_endpoints, "twist_endpoints", None),
        )
        self._change(lib.sinew_rig_set_weights, byref(data))

    def add_shape(self, name: str, positions: ArrayLike, *, vertices: Optional[ArrayLike] = None,
                  normals: Optional[ArrayLike] = None, default: float = 0.0) -> None:
        """Adds a blend shape: how far all vertices, or these, move at weight 1."""
        data = options(
            _abi.sinew_shape_data,
            name=name,
            vertices=_optional(vertices, "vertices"),
            positions=numbers(positions, "positions", (3,)),
            normals=_optional(normals, "normals", (3,)),
            default_weight=default,
        )
        self._change(lib.sinew_rig_add_shape, byref(data))

    def add_control(self, name: str, default: float = 0.0) -> None:
        """Adds a free parameter to animate."""
        self._change(lib.sinew_rig_add_control, text(name), default)

    # Clips

    def clip(self, clip: Union[str, int]) -> Clip:
        """A clip by name or number."""
        with self._lock:
            return read_clip(self, self._index(_abi.SINEW_CLIP, clip, "clip"))

    @property
    def clips(self) -> tuple[Clip, ...]:
        """All clips."""
        with self._lock:
            return tuple(self.clip(index) for index in range(len(self.clip_names)))

    def add_clip(self, name: str, channels: Sequence[Channel]) -> None:
        """Adds a clip of curves at the end."""
        with self._lock:
            each = [packed(self, channel) for channel in channels]
            listed = (_abi.sinew_channel * len(each))(*each)
            self._change(lib.sinew_rig_add_clip, text(name), listed, len(each))

    def add_keys(self, keys: Union[Mapping[str, Any], str]) -> None:
        """Adds a clip through poses, or replaces the one of its name; as a dict or JSON.

        >>> import sinew
        >>> rig = sinew.sample("cigar", vertices=200)
        >>> rig.add_keys({"name": "twist", "keys": [
        ...     {"time": 0, "pose": {"joints": {}}},
        ...     {"time": 2, "pose": {"joints": {"bone": {"twist": 90}}}}]})
        >>> rig.clip("twist").duration
        2.0
        """
        self._change(lib.sinew_rig_add_keys, json_text(keys))

    def remove_clip(self, clip: Union[str, int]) -> None:
        """Removes a clip by name or number; those after it move up."""
        with self._lock:
            index = self._index(_abi.SINEW_CLIP, clip, "clip")
            self._change(lib.sinew_rig_remove_clip, index)
