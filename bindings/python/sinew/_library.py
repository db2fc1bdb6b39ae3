# SPDX-License-Identifier: Apache-2.0
"""The shared library: found, declared, and called with its statuses turned into exceptions."""

from __future__ import annotations

import ctypes
import json
import sys
import weakref
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Callable, Optional

from . import _abi
from ._errors import UsageError, error_of

_NAMES = {"win32": "sinew_c.dll", "darwin": "libsinew_c.dylib"}


def _load() -> ctypes.CDLL:
    path = Path(__file__).parent / _NAMES.get(sys.platform, "libsinew_c.so")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as problem:
        raise ImportError(f"sinew: its library does not load: {problem}") from problem
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    loaded = library.sinew_version().decode()
    if loaded != _abi.VERSION:
        raise ImportError(f"sinew {_abi.VERSION}: {path} is of version {loaded}")
    return library


lib: Any = _load()


def check(status: int) -> None:
    """Raises what the last call of this thread ended with, unless it went well."""
    if status:
        raise error_of(status, lib.sinew_last_error().decode("utf-8", "replace"))


class _Lease:
    """Held by every array that shows the memory of a handle."""

    __slots__ = ("handle", "__weakref__")

    def __init__(self, handle: Handle) -> None:
        self.handle = handle


class Handle:
    """A handle of the C interface, freed with the last reference to it.

    Empty when made: pass `byref(handle.ref)` where C writes one, and `handle.ref` where it reads.
    """

    __slots__ = ("ref", "_free", "_lease")

    def __init__(self, free: Callable[[c_void_p], int]) -> None:
        self.ref = c_void_p()
        self._free = free
        self._lease: Optional[weakref.ref[_Lease]] = None

    def __del__(self) -> None:
        if self.ref:
            self._free(self.ref)

    def lease(self) -> _Lease:
        """Something that keeps the handle as long as it lives. Arrays that show memory hold it."""
        lease = self._lease() if self._lease else None
        if lease is None:
            lease = _Lease(self)
            self._lease = weakref.ref(lease)
        return lease

    def is_leased(self) -> bool:
        """Whether an array still shows memory of this handle, so that it must not change."""
        return self._lease is not None and self._lease() is not None


def text(value: Optional[str], what: str = "a name") -> Optional[bytes]:
    """A string as C takes it."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {type(value).__name__}")
    encoded = value.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise UsageError(f"{what} has a zero byte: {value!r}")
    return encoded


def new_buffer() -> Handle:
    """Where C puts a file or JSON."""
    return Handle(lib.sinew_buffer_free)


def bytes_of(buffer: Handle) -> bytes:
    """The bytes of a buffer."""
    data, size = c_char_p(), c_size_t()
    check(lib.sinew_buffer_data(buffer.ref, byref(data), byref(size)))
    address = ctypes.cast(data, c_void_p).value
    return ctypes.string_at(address, size.value) if address else b""


def json_of(buffer: Handle) -> Any:
    """What the JSON in a buffer says."""
    return json.loads(bytes_of(buffer))


def count_of(function: Callable[..., int], *arguments: Any) -> int:
    """The number that a function of the C interface counts."""
    count = c_size_t()
    check(function(*arguments, byref(count)))
    return count.value


def names_of(count: Callable[..., int], name: Callable[..., int]) -> tuple[str, ...]:
    """The names in a list of the library, such as its methods for weights."""
    result = []
    for index in range(count_of(count)):
        one = c_char_p()
        check(name(index, byref(one)))
        result.append((one.value or b"").decode())
    return tuple(result)


def described(count: Callable[..., int], info: Callable[..., int]) -> dict[str, str]:
    """The names in a list of the library, with a line about each."""
    result = {}
    for index in range(count_of(count)):
        name, line = c_char_p(), c_char_p()
        check(info(index, byref(name), byref(line)))
        result[(name.value or b"").decode()] = (line.value or b"").decode()
    return result


def set_thread_count(count: int) -> None:
    """How many threads one call may use; 0: all that the machine has, which is the default.

    Results have the same bits whatever the number.

    >>> import sinew
    >>> sinew.set_thread_count(1)
    >>> sinew.thread_count()
    1
    >>> sinew.set_thread_count(0)
    """
    check(lib.sinew_set_thread_count(count))


def thread_count() -> int:
    """How many threads one call uses."""
    count = c_int()
    check(lib.sinew_get_thread_count(byref(count)))
    return count.value


def handle_count() -> int:
    """How many things of the library are in use, to find leaks: rigs, poses, images, ..."""
    return count_of(lib.sinew_handle_count)
