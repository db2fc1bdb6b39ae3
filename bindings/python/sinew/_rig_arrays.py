# SPDX-License-Identifier: Apache-2.0
"""What is in a rig: arrays that show its memory, and names."""

from __future__ import annotations

import difflib
import operator
import threading
from ctypes import byref, c_char_p, c_int
from typing import Iterable, NamedTuple, Optional, Union

import numpy as np

from . import _abi
from ._arrays import Array, matrices, view_of
from ._errors import UsageError
from ._library import Handle, check, count_of, lib, text


class Mesh(NamedTuple):
    """Vertices and triangles, as trimesh and others take them: `trimesh.Trimesh(*rig.mesh)`."""

    vertices: Array
    faces: Array


class Shape(NamedTuple):
    """A blend shape: how far vertices move at weight 1."""

    name: str
    vertices: Optional[Array]
    """Which vertices move; None: all of them."""
    positions: Array
    normals: Optional[Array]
    tangents: Optional[Array]
    default: float
    """Its weight at rest."""


def index_in(names: dict[str, int], count: int, key: Union[str, int], what: str) -> int:
    """The index of something by its name or number. Raises UsageError."""
    if isinstance(key, str):
        if key in names:
            return names[key]
        near = difflib.get_close_matches(key, names, 3)
        known = ", ".join(f"'{name}'" for name in near or list(names)[:10])
        raise UsageError(f"there is no {what} '{key}'" + (f"; there are {known}" if known else ""))
    number = operator.index(key)
    if not 0 <= number < count:
        raise UsageError(f"there is no {what} {number}; they count from 0, and there are {count}")
    return number


def numbered(names: Iterable[str]) -> dict[str, int]:
    """Names and where they are, the first where several are the same."""
    result: dict[str, int] = {}
    for index, name in enumerate(names):
        result.setdefault(name, index)
    return result


class RigArrays:
    """The part of a rig that only looks.

    Arrays of a rig show its memory and cannot be written to. They stay valid, whatever becomes of
    the rig: when a rig is changed while such an array is in use, the rig gets a copy of itself to
    change, and the array goes on showing the old values.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        # Looking and changing exclude each other: a pointer must not end before it is leased.
        self._lock = threading.RLock()
        self._names: dict[int, tuple[str, ...]] = {}
        self._kept: object = None

    def _view(self, field: int, index: int = 0) -> Optional[Array]:
        array = _abi.sinew_array()
        with self._lock:
            check(lib.sinew_rig_get(self._handle.ref, field, index, byref(array)))
            return view_of(self._handle, array)

    def _table(self, field: int, dtype: str, columns: int, index: int = 0) -> Array:
        """As _view(), and an empty array where there is none."""
        found = self._view(field, index)
        return np.empty((0, columns) if columns > 1 else 0, dtype) if found is None else found

    def _count(self, item: int) -> int:
        with self._lock:
            return count_of(lib.sinew_rig_count, self._handle.ref, item)

    def _names_of(self, item: int) -> tuple[str, ...]:
        with self._lock:
            if item not in self._names:
                result = []
                for index in range(self._count(item)):
                    name = c_char_p()
                    check(lib.sinew_rig_name(self._handle.ref, item, index, byref(name)))
                    result.append((name.value or b"").decode("utf-8", "replace"))
                self._names[item] = tuple(result)
            return self._names[item]

    def _index(self, item: int, key: Union[str, int], what: str) -> int:
        with self._lock:
            if isinstance(key, str):
                index = c_int()
                check(lib.sinew_rig_find(self._handle.ref, item, text(key), byref(index)))
                if index.value >= 0:
                    return index.value
            names = self._names_of(item)
            return index_in(numbered(names), len(names), key, what)

    # Names and numbers

    @property
    def name(self) -> str:
        """The name of the rig; "" if it has none."""
        return self._names_of(_abi.SINEW_RIG)[0]

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the joints.

        >>> import sinew
        >>> sinew.sample("cigar", vertices=200).joint_names
        ('bone', 'bone_end')
        """
        return self._names_of(_abi.SINEW_JOINT)

    @property
    def bone_names(self) -> tuple[str, ...]:
        """The names of the bones, each that of its joint."""
        return self._names_of(_abi.SINEW_BONE)

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts of the mesh."""
        return self._names_of(_abi.SINEW_PART)

    @property
    def material_names(self) -> tuple[str, ...]:
        """The names of the parts' materials."""
        return self._names_of(_abi.SINEW_MATERIAL)

    @property
    def shape_names(self) -> tuple[str, ...]:
        """The names of the blend shapes."""
        return self._names_of(_abi.SINEW_SHAPE)

    @property
    def clip_names(self) -> tuple[str, ...]:
        """The names of the clips."""
        return self._names_of(_abi.SINEW_CLIP)

    @property
    def control_names(self) -> tuple[str, ...]:
        """The names of the controls: free parameters to animate."""
        return self._names_of(_abi.SINEW_CONTROL)

    @property
    def notes(self) -> tuple[str, ...]:
        """Oddities of the file that was read, and how they were taken."""
        return self._names_of(_abi.SINEW_NOTE)

    @property
    def driver_count(self) -> int:
        """How many joints there are that others or controls move."""
        return self._count(_abi.SINEW_DRIVER)

    @property
    def shape_driver_count(self) -> int:
        """How many drivers of blend shapes there are."""
        return self._count(_abi.SINEW_SHAPE_DRIVER)

    @property
    def corrective_count(self) -> int:
        """How many examples of poses there are that turn blend shapes on."""
        return self._count(_abi.SINEW_CORRECTIVE)

    @property
    def vertex_count(self) -> int:
        """How many vertices there are."""
        return self._count(_abi.SINEW_VERTEX)

    # The mesh

    @property
    def positions(self) -> Array:
        """(n, 3) where vertices are, in mesh space at bind time."""
        return self._table(_abi.SINEW_POSITIONS, "f8", 3)

    @property
    def triangles(self) -> Array:
        """(n, 3) the vertices of each triangle."""
        return self._table(_abi.SINEW_TRIANGLES, "u4", 3)

    @property
    def mesh(self) -> Mesh:
        """Positions and triangles, for libraries that want these two.

        >>> import sinew
        >>> vertices, faces = sinew.sample("box", vertices=300).mesh
        >>> int(faces.max()) < len(vertices)
        True
        """
        return Mesh(self.positions, self.triangles)

    @property
    def normals(self) -> Optional[Array]:
        """(n, 3) per vertex, or per value if there are normal corners; None if there are none."""
        return self._view(_abi.SINEW_NORMALS)

    @property
    def normal_corners(self) -> Optional[Array]:
        """(n,) which normal each corner of each face has; None: that of its vertex."""
        return self._view(_abi.SINEW_NORMAL_CORNERS)

    @property
    def uvs(self) -> Optional[Array]:
        """(n, 2) texture coordinates, v upwards, as normals."""
        return self._view(_abi.SINEW_UVS)

    @property
    def uv_corners(self) -> Optional[Array]:
        """(n,) as normal_corners."""
        return self._view(_abi.SINEW_UV_CORNERS)

    @property
    def tangents(self) -> Optional[Array]:
        """(n, 4) per vertex, the last is the handedness."""
        return self._view(_abi.SINEW_TANGENTS)

    @property
    def colors(self) -> Optional[Array]:
        """(n, 4) per vertex: linear red, green, blue, alpha."""
        return self._view(_abi.SINEW_COLORS)

    @property
    def polygon_offsets(self) -> Optional[Array]:
        """(n + 1,) where each face begins in polygon_corners; None if all are triangles."""
        return self._view(_abi.SINEW_POLYGON_OFFSETS)

    @property
    def polygon_corners(self) -> Optional[Array]:
        """(n,) the vertices of the faces."""
        return self._view(_abi.SINEW_POLYGON_CORNERS)

    @property
    def tetrahedra(self) -> Optional[Array]:
        """(n, 4) the vertices of each tetrahedron."""
        return self._view(_abi.SINEW_TETRAHEDRA)

    @property
    def part_triangles(self) -> Array:
        """(n, 2) of each part: its first triangle, and how many it has."""
        return self._table(_abi.SINEW_PART_TRIANGLES, "u4", 2)

    def shape(self, shape: Union[str, int]) -> Shape:
        """A blend shape by name or number."""
        with self._lock:
            index = self._index(_abi.SINEW_SHAPE, shape, "shape")
            return Shape(
                self.shape_names[index],
                self._view(_abi.SINEW_SHAPE_VERTICES, index),
                self._table(_abi.SINEW_SHAPE_POSITIONS, "f8", 3, index),
                self._view(_abi.SINEW_SHAPE_NORMALS, index),
                self._view(_abi.SINEW_SHAPE_TANGENTS, index),
                float(self.shape_defaults[index]),
            )

    @property
    def shape_defaults(self) -> Array:
        """(n,) the weights of the blend shapes at rest."""
        return self._table(_abi.SINEW_SHAPE_DEFAULTS, "f8", 1)

    @property
    def control_defaults(self) -> Array:
        """(n,) the values of the controls at rest."""
        return self._table(_abi.SINEW_CONTROL_DEFAULTS, "f8", 1)

    # The skeleton

    @property
    def joint_parents(self) -> Array:
        """(n,) the joint above each; -1: a root."""
        return self._table(_abi.SINEW_JOINT_PARENTS, "i4", 1)

    @property
    def joint_rests(self) -> Array:
        """(n, 10) translation, rotation (x, y, z, w) and scale of each joint against its parent."""
        return self._table(_abi.SINEW_JOINT_RESTS, "f8", 10)

    @property
    def joint_twist_axes(self) -> Array:
        """(n, 3) unit vectors in the joints' own frames, along their bones: what they twist about;
        0 for a joint without a bone.

        >>> import sinew
        >>> sinew.sample("cigar", vertices=200).joint_twist_axes.shape[1]
        3
        """
        return self._table(_abi.SINEW_JOINT_TWIST_AXES, "f8", 3)

    @property
    def bone_joints(self) -> Array:
        """(n,) the joint of each bone."""
        return self._table(_abi.SINEW_BONE_JOINTS, "i4", 1)

    @property
    def bone_tail_joints(self) -> Array:
        """(n,) the joint at the tail of each bone; -1: there is none."""
        return self._table(_abi.SINEW_BONE_TAIL_JOINTS, "i4", 1)

    @property
    def bone_heads(self) -> Array:
        """(n, 3) where bones begin, in mesh space at bind time."""
        return self._table(_abi.SINEW_BONE_HEADS, "f8", 3)

    @property
    def bone_tails(self) -> Array:
        """(n, 3) where bones end."""
        return self._table(_abi.SINEW_BONE_TAILS, "f8", 3)

    @property
    def bone_inverse_binds(self) -> Array:
        """(n, 4, 4) matrices from mesh space into the joints' frames; a copy."""
        return matrices(self._table(_abi.SINEW_BONE_INVERSE_BINDS, "f8", 12))

    # The skin

    @property
    def weight_offsets(self) -> Array:
        """(n + 1,) where each vertex's influences begin in the arrays below, and the end."""
        return self._table(_abi.SINEW_WEIGHT_OFFSETS, "u8", 1)

    @property
    def weight_bones(self) -> Array:
        """(n,) the bone of each influence."""
        return self._table(_abi.SINEW_WEIGHT_BONES, "i4", 1)

    @property
    def weights(self) -> Array:
        """(n,) the weight of each influence. With scipy, as a sparse matrix of vertices by bones:
        `csr_matrix((rig.weights, rig.weight_bones, rig.weight_offsets))`."""
        return self._table(_abi.SINEW_WEIGHTS, "f8", 1)

    @property
    def endpoints(self) -> Optional[Array]:
        """(n,) the endpoint weight of each influence, 0 at the bone's head and 1 at its tail."""
        return self._view(_abi.SINEW_ENDPOINTS)

    @property
    def twist_endpoints(self) -> Optional[Array]:
        """(n,) endpoint weights for twist where they differ; None: as endpoints."""
        return self._view(_abi.SINEW_TWIST_ENDPOINTS)

    def weight_matrix(self) -> Array:
        """(vertices, bones) all weights, 0 where a bone has none; a copy.

        >>> import sinew
        >>> matrix = sinew.sample("cigar", vertices=200).weight_matrix()
        >>> bool(abs(matrix.sum(axis=1) - 1).max() < 1e-9)
        True
        """
        with self._lock:
            offsets, bones, weights = self.weight_offsets, self.weight_bones, self.weights
            result = np.zeros((self.vertex_count, self._count(_abi.SINEW_BONE)))
        if len(weights):
            rows = np.repeat(np.arange(len(result)), np.diff(offsets.astype(np.int64)))
            np.add.at(result, (rows, bones), weights)
        return result

    def stretch_filter(self, bone: Union[str, int]) -> Array:
        """(n, 2) points of the curve from endpoint weight to endpoint weight; empty: none."""
        index = self._index(_abi.SINEW_BONE, bone, "bone")
        return self._table(_abi.SINEW_STRETCH_FILTER, "f8", 2, index)

    def twist_filter(self, bone: Union[str, int]) -> Array:
        """(n, 2) the same for twist."""
        index = self._index(_abi.SINEW_BONE, bone, "bone")
        return self._table(_abi.SINEW_TWIST_FILTER, "f8", 2, index)
