# SPDX-License-Identifier: Apache-2.0
"""Weights painted stroke by stroke."""

from __future__ import annotations

from ctypes import byref, c_double, c_int, c_size_t
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _abi
from ._arrays import Array, options, vector, view_of
from ._library import Handle, check, json_of, lib, new_buffer

if TYPE_CHECKING:
    from ._rig import Rig


class SurfacePoint(NamedTuple):
    """A point of a triangle: three numbers with the sum 1 say where."""

    triangle: int
    barycentric: tuple[float, float, float]


class PaintedRows(NamedTuple):
    """Rows of weights: those of vertices[i] are offsets[i] to offsets[i + 1] - 1."""

    vertices: Array
    offsets: Array
    bones: Array
    weights: Array
    endpoints: Optional[Array]
    twist_endpoints: Optional[Array]


def _three(values: ArrayLike, what: str) -> Any:
    return (c_double * 3)(*vector(values, 3, what))


class Painter:
    """Paints bone weights, endpoint weights and twist endpoint weights of a rig.

    A dab costs what it reaches, whatever the size of the mesh. The rig changes only by apply().
    `locks`: names or numbers of bones that keep their weights. `mirror_point` and `mirror_normal`:
    the plane of strokes that are mirrored; None: x = 0.

    >>> import sinew
    >>> rig = sinew.sample("mannequin", vertices=1000)
    >>> painter = sinew.Painter(rig)
    >>> elbow = painter.pick(rig.bone_heads[rig.bone_names.index("forearm.L")])
    >>> painter.begin("forearm.L", radius=0.1, mode="add")
    >>> painter.dab(elbow.triangle, elbow.barycentric) > 0
    True
    >>> painter.end()
    >>> rows = painter.changed()
    >>> len(rows.offsets) == len(rows.vertices) + 1
    True
    >>> again = sinew.sample("mannequin", vertices=1000)
    >>> report = again.edit([{"paint": painter.strokes()}])
    >>> painter.apply(rig)
    >>> bool((again.weights == rig.weights).all())
    True
    """

    def __init__(self, rig: Rig, *, locks: Union[str, int, list[Union[str, int]], None] = None,
                 mirror_point: Optional[ArrayLike] = None,
                 mirror_normal: Optional[ArrayLike] = None) -> None:
        if isinstance(locks, (list, tuple)):
            locks = ",".join(str(lock) for lock in locks)
        chosen = options(
            _abi.sinew_painter_options,
            locks=None if locks is None else str(locks),
            mirror_point=None if mirror_point is None else vector(mirror_point, 3, "mirror_point"),
            mirror_normal=None if mirror_normal is None
            else vector(mirror_normal, 3, "mirror_normal"),
        )
        frozen = rig._frozen()
        self._handle = Handle(lib.sinew_painter_free)
        check(lib.sinew_painter_create(frozen._handle.ref, byref(chosen), byref(self._handle.ref)))

    def pick(self, origin: ArrayLike, direction: Optional[ArrayLike] = None
             ) -> Optional[SurfacePoint]:
        """Where a ray first meets the mesh at bind time; None if it meets nothing. Without a
        direction, the point of the mesh nearest to `origin`."""
        triangle, at = c_int(), (c_double * 3)()
        check(lib.sinew_painter_pick(
            self._handle.ref, _three(origin, "origin"),
            None if direction is None else _three(direction, "direction"), byref(triangle), at))
        return None if triangle.value < 0 else SurfacePoint(triangle.value, (at[0], at[1], at[2]))

    def begin(self, bone: Union[str, int, None] = None, *, radius: float, mode: str = "add",
              target: str = "bone-weights", strength: float = 0.5, value: float = 1.0,
              falloff: str = "smooth", mirror: bool = False) -> None:
        """Begins a stroke, the unit of undo, and ends the one before.

        `mode`: "add", "subtract", "replace" (by `value`), "smooth" or "sharpen"; `target`:
        "bone-weights", "endpoints" or "twist-endpoints"; `falloff`: "smooth", "linear" or
        "constant". `radius` is along the surface, `strength` above 0 and up to 1. Smoothing and
        sharpening bone weights is for all bones, and needs none.
        """
        brush = options(_abi.sinew_brush, bone=None if bone is None else str(bone), mode=mode,
                        target=target, falloff=falloff, radius=radius, strength=strength,
                        value=value, mirror=mirror)
        check(lib.sinew_painter_begin(self._handle.ref, byref(brush)))

    def dab(self, triangle: int, barycentric: ArrayLike) -> int:
        """Paints around a point of a triangle; returns how many vertices changed."""
        changed = c_size_t()
        check(lib.sinew_painter_dab(self._handle.ref, triangle, _three(barycentric, "barycentric"),
                                    byref(changed)))
        return changed.value

    def end(self) -> None:
        """Ends the stroke."""
        check(lib.sinew_painter_end(self._handle.ref))

    def undo(self) -> bool:
        """Takes the last stroke back; False if there is none."""
        done = c_int()
        check(lib.sinew_painter_undo(self._handle.ref, byref(done)))
        return bool(done.value)

    def redo(self) -> bool:
        """Paints what was undone last; False if there is nothing."""
        done = c_int()
        check(lib.sinew_painter_redo(self._handle.ref, byref(done)))
        return bool(done.value)

    def changed(self) -> PaintedRows:
        """The rows that the last dab, undo or redo changed, as they are now."""
        rows = options(_abi.sinew_painted_rows)
        check(lib.sinew_painter_changed(self._handle.ref, byref(rows)))

        def copied(array: Any) -> Optional[Array]:
            view = view_of(self._handle, array)
            return None if view is None else view.copy()

        def table(array: Any, dtype: str) -> Array:
            found = copied(array)
            return np.empty(0, dtype) if found is None else found

        return PaintedRows(table(rows.vertices, "u4"), table(rows.offsets, "u8"),
                           table(rows.bones, "i4"), table(rows.weights, "f8"),
                           copied(rows.endpoints), copied(rows.twist_endpoints))

    def strokes(self) -> dict[str, Any]:
        """All strokes that were not undone, as {"paint": ...} of Rig.edit() takes them."""
        buffer = new_buffer()
        check(lib.sinew_painter_strokes(self._handle.ref, byref(buffer.ref)))
        strokes: dict[str, Any] = json_of(buffer)
        return strokes

    def apply(self, rig: Rig) -> None:
        """Puts the painted weights into a rig: the one that the painter was made for, or a copy."""
        def put(handle: Any) -> int:
            status: int = lib.sinew_painter_apply(self._handle.ref, handle)
            return status

        rig._change(put)
