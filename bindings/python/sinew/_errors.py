# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, by the status of the C interface. The message is the core's own."""

from __future__ import annotations

from . import _abi


class Error(Exception):
    """Everything that Sinew raises.

    >>> import sinew
    >>> try:
    ...     sinew.sample("manequin")
    ... except sinew.Error as error:
    ...     print(type(error).__name__)
    UsageError
    """


class UsageError(Error, ValueError):
    """The call makes no sense: a name or number that is not there, sizes that do not fit."""


class InputError(Error, ValueError):
    """Data or a file that breaks a rule; the message names the place."""


class FileError(Error, OSError):
    """The operating system refused to read or write a file."""


class Cancelled(Error):
    """The computation was asked to stop."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""


class InternalError(Error, RuntimeError):
    """A fault of Sinew: please report it."""


_BY_STATUS: dict[int, type[Error]] = {
    _abi.SINEW_ERROR_USAGE: UsageError,
    _abi.SINEW_ERROR_INPUT: InputError,
    _abi.SINEW_ERROR_FILE: FileError,
    _abi.SINEW_CANCELLED: Cancelled,
    _abi.SINEW_ERROR_MEMORY: OutOfMemoryError,
    # Handles never leave this package: a wrong one is a fault of ours.
    _abi.SINEW_ERROR_HANDLE: InternalError,
    _abi.SINEW_ERROR_INTERNAL: InternalError,
}


def error_of(status: int, message: str) -> Error:
    """The exception for a status that is not SINEW_OK."""
    return _BY_STATUS.get(status, InternalError)(message)
