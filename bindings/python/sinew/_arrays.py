# SPDX-License-Identifier: Apache-2.0
"""Between numpy and the C interface: copies only where memory is not as C can read it."""

from __future__ import annotations

from ctypes import Structure, sizeof
from typing import Any, Optional, Sequence, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi
from ._errors import UsageError
from ._library import Handle, text

Array = NDArray[Any]
AnyStruct = TypeVar("AnyStruct", bound=Structure)

_TYPES = {
    "f4": _abi.SINEW_FLOAT32,
    "f8": _abi.SINEW_FLOAT64,
    "i1": _abi.SINEW_INT8,
    "u1": _abi.SINEW_UINT8,
    "i2": _abi.SINEW_INT16,
    "u2": _abi.SINEW_UINT16,
    "i4": _abi.SINEW_INT32,
    "u4": _abi.SINEW_UINT32,
    "i8": _abi.SINEW_INT64,
    "u8": _abi.SINEW_UINT64,
}
_DTYPES = {number: np.dtype(name) for name, number in _TYPES.items()}


class _Memory:
    """Memory of a handle, as numpy looks at it. The array keeps this, and this the handle."""

    __slots__ = ("__array_interface__", "_lease")

    def __init__(self, handle: Handle, address: int, dtype: np.dtype[Any], shape: tuple[int, ...],
                 strides: tuple[int, ...]) -> None:
        self._lease = handle.lease()
        self.__array_interface__ = {"version": 3, "data": (address, True), "typestr": dtype.str,
                                    "shape": shape, "strides": strides}


def shown(handle: Handle, address: int, dtype: np.dtype[Any], shape: tuple[int, ...],
          strides: tuple[int, ...]) -> Array:
    """A read-only array over memory that belongs to a handle, which lives as long as the array."""
    return np.asarray(_Memory(handle, address, dtype, shape, strides))


def view_of(handle: Handle, array: _abi.sinew_array) -> Optional[Array]:
    """The array that C describes; None where there is none. One component: one dimension."""
    if array.type == _abi.SINEW_NONE:
        return None
    dtype = _DTYPES[array.type]
    columns = array.components
    shape = (array.count,) if columns == 1 else (array.count, columns)
    if not array.count or not array.data:
        return np.empty(shape, dtype)
    strides = (array.stride,) if columns == 1 else (array.stride, dtype.itemsize)
    return shown(handle, array.data, dtype, shape, strides)


def numbers(values: ArrayLike, what: str, columns: Optional[Sequence[int]] = (1,)) -> Array:
    """An array that C can read: as it is where possible, a copy where not.

    `columns` has the allowed lengths of a row; None: any; 1: one number for each.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise UsageError(f"{what}: {array.dtype} is not a type of number")
    if array.ndim == 0 or array.ndim > 2:
        raise UsageError(f"{what}: {array.ndim} dimensions, not 1 or 2")
    if array.size == 0 and columns is not None:
        array = array.reshape(0, columns[0])
    width = 1 if array.ndim == 1 else array.shape[1]
    if columns is not None and width not in columns:
        wanted = " or ".join(f"(n, {count})" if count > 1 else "(n,)" for count in columns)
        raise UsageError(f"{what}: an array of shape {array.shape}, not {wanted}")
    if array.dtype.str[1:] not in _TYPES:
        array = array.astype(np.float64 if array.dtype.kind == "f" else np.int64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    dense = array.ndim == 1 or array.shape[1] == 1 or array.strides[1] == array.itemsize
    if not (dense and array.flags.aligned and array.strides[0] >= width * array.itemsize):
        array = np.ascontiguousarray(array)
    return array


def vector(values: ArrayLike, count: int, what: str) -> tuple[float, ...]:
    """So many numbers. Raises UsageError."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (count,):
        raise UsageError(f"{what}: an array of shape {array.shape}, not ({count},)")
    return tuple(array.tolist())


def described(array: Array) -> _abi.sinew_array:
    """How C sees an array of numbers(); the array must outlive it."""
    width = 1 if array.ndim == 1 else array.shape[1]
    return _abi.sinew_array(array.ctypes.data, array.shape[0], array.strides[0], width,
                            _TYPES[array.dtype.str[1:]])


def options(kind: type[AnyStruct], /, **members: Any) -> AnyStruct:
    """A struct of the C interface. Strings and arrays live as long as it does; None is left out."""
    result = kind()
    kept = []
    for name, value in members.items():
        if value is None:
            continue
        if isinstance(value, str):
            value = text(value, name)
        elif isinstance(value, np.ndarray):
            kept.append(value)
            value = described(value)
        setattr(result, name, value)
    result.struct_size = sizeof(kind)
    result.kept = kept
    return result


def matrices(frames: Array) -> Array:
    """4x4 matrices, for column vectors, of frames as C has them: columns, then translation."""
    result = np.zeros((len(frames), 4, 4))
    result[:, :3, :] = frames.reshape(-1, 4, 3).transpose(0, 2, 1)
    result[:, 3, 3] = 1
    return result


def frames(values: ArrayLike, what: str) -> Array:
    """Frames as C takes them, of 4x4 or 3x4 matrices or of rows of twelve."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 3 and array.shape[1:] in ((4, 4), (3, 4)):
        return np.ascontiguousarray(array[:, :3, :].transpose(0, 2, 1)).reshape(-1, 12)
    return numbers(array, what, (12,))
