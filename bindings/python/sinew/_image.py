# SPDX-License-Identifier: Apache-2.0
"""Pictures in memory, which notebooks show by themselves."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_int, c_uint8
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Array, shown
from ._errors import UsageError
from ._library import Handle, bytes_of, check, lib, new_buffer, text


def path_text(path: Union[str, os.PathLike[str]]) -> Optional[bytes]:
    """A path as C takes it."""
    name = os.fspath(path)
    return text(os.fsdecode(name), "a path")


def _rgba(pixels: ArrayLike) -> Array:
    """Four bytes for each pixel, of grey, colours without alpha, or numbers from 0 to 1."""
    array = np.asarray(pixels)
    if array.ndim == 2:
        array = array[:, :, None].repeat(3, axis=2)
    if array.ndim != 3 or array.shape[2] not in (3, 4):
        raise UsageError(f"pixels: an array of shape {array.shape}, not (height, width, 3 or 4)")
    if array.dtype.kind == "f":
        array = (np.clip(array, 0, 1) * 255).round()
    elif array.dtype.kind == "b":
        array = array * 255
    elif array.dtype.kind not in "iu" or (array.size and (array.min() < 0 or array.max() > 255)):
        raise UsageError("pixels: numbers from 0 to 255, or fractions from 0 to 1")
    if array.shape[2] == 3:
        array = np.concatenate([array, np.full_like(array[:, :, :1], 255)], axis=2)
    return array.astype(np.uint8, copy=False)


class Image:
    """A picture: red, green, blue, alpha, a byte each, sRGB with straight alpha. It never changes.

    `pixels` is (height, width), (height, width, 3) or (height, width, 4): bytes, or numbers from 0
    to 1. In a notebook, an image as the last line of a cell is shown.

    >>> import sinew
    >>> image = sinew.Image([[0.0, 1.0], [0.5, 0.5]])
    >>> image
    <sinew.Image 2 x 2>
    >>> image.pixels[0, 1].tolist()
    [255, 255, 255, 255]
    """

    def __init__(self, pixels: ArrayLike) -> None:
        array = _rgba(pixels)
        if array.strides[1:] != (4, 1) or array.strides[0] < array.shape[1] * 4:
            array = np.ascontiguousarray(array)
        self._handle = _new_image()
        check(lib.sinew_image_create(array.shape[1], array.shape[0],
                                     array.ctypes.data_as(POINTER(c_uint8)), array.strides[0],
                                     byref(self._handle.ref)))

    @classmethod
    def _of(cls, handle: Handle) -> Image:
        image = cls.__new__(cls)
        image._handle = handle
        return image

    @classmethod
    def read(cls, source: Union[str, os.PathLike[str], bytes, bytearray, memoryview]) -> Image:
        """Reads a .png, .jpg or .webp from a path, or from bytes."""
        handle = _new_image()
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = np.frombuffer(source, np.uint8)
            check(lib.sinew_image_read_memory(data.ctypes.data, data.size, byref(handle.ref)))
        else:
            check(lib.sinew_image_read(path_text(source), byref(handle.ref)))
        return cls._of(handle)

    @property
    def pixels(self) -> Array:
        """(height, width, 4) bytes, from the top down; not a copy, and cannot be written to."""
        width, height, data = c_int(), c_int(), POINTER(c_uint8)()
        check(lib.sinew_image_data(self._handle.ref, byref(width), byref(height), byref(data)))
        address = ctypes.cast(data, ctypes.c_void_p).value or 0
        return shown(self._handle, address, np.dtype(np.uint8), (height.value, width.value, 4),
                     (width.value * 4, 4, 1))

    @property
    def width(self) -> int:
        """In pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """In pixels."""
        return int(self.pixels.shape[0])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Array:
        if copy:
            return np.array(self.pixels, dtype)
        return self.pixels if dtype is None else self.pixels.astype(dtype, copy=False)

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a .png, completely or not at all."""
        check(lib.sinew_image_write(self._handle.ref, path_text(path)))

    def to_png(self) -> bytes:
        """The bytes of a .png."""
        buffer = new_buffer()
        check(lib.sinew_image_write_memory(self._handle.ref, byref(buffer.ref)))
        return bytes_of(buffer)

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def __repr__(self) -> str:
        return f"<sinew.Image {self.width} x {self.height}>"


def animation(images: Sequence[Image], seconds_per_frame: float = 0.04, *,
              format: str = "gif") -> bytes:
    """The bytes of an animation that repeats for ever: "gif", or "apng" with all colours. All
    pictures must have the same size.

    >>> import sinew
    >>> rig = sinew.sample("cigar", vertices=200)
    >>> frames = [rig.render(clip=0, time=time, width=40) for time in (0.0, 0.5)]
    >>> sinew.animation(frames, 0.5)[:6]
    b'GIF89a'
    """
    listed = (ctypes.c_void_p * len(images))(*(image._handle.ref.value for image in images))
    buffer = new_buffer()
    check(lib.sinew_image_write_animation(listed, len(images), seconds_per_frame, text(format),
                                          byref(buffer.ref)))
    return bytes_of(buffer)


def _new_image() -> Handle:
    return Handle(lib.sinew_image_free)


def image_from(function: Any, *arguments: Any) -> Image:
    """The image that a function of the C interface writes to its last argument."""
    handle = _new_image()
    check(function(*arguments, byref(handle.ref)))
    return Image._of(handle)
