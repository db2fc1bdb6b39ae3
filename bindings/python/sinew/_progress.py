# SPDX-License-Identifier: Apache-2.0
"""Long computations: a bar in a terminal or a notebook, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any, Callable, Optional, Protocol, TextIO, Union

from . import _abi
from ._errors import Cancelled
from ._library import check

Progress = Union[None, bool, Callable[[str, float], object]]
"""Who is told how far a computation is.

None: a bar in a terminal or a notebook, for what takes longer than half a second. False: nobody.
True: a bar even if the output is neither. A function: called with the stage and the fraction done;
what it raises ends the computation and is passed on.
"""

_PATIENCE = 0.5  # seconds before a bar appears
_PAUSE = 0.1  # seconds between two looks


class _Reporter(Protocol):
    def __call__(self, stage: str, fraction: float) -> object: ...

    def close(self) -> None: ...


def bar(stage: str, fraction: float, width: int = 30) -> str:
    """A line of text that shows how far something is.

    >>> bar("lattice", 0.5, width=10)
    '[#####.....]  50% lattice'
    """
    filled = int(width * min(max(fraction, 0.0), 1.0))
    return f"[{'#' * filled}{'.' * (width - filled)}] {100 * fraction:3.0f}% {stage}"


class _Paced:
    """Decides when to draw: not before it takes long, and not too often."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE

    def __call__(self, stage: str, fraction: float) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self.draw(bar(stage, fraction))

    def draw(self, line: str) -> None:
        raise NotImplementedError


class TerminalBar(_Paced):
    """A line that is drawn over itself, and gone at the end."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._drawn = False

    def draw(self, line: str) -> None:
        self._stream.write("\r" + line + "\x1b[K")
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class NotebookBar(_Paced):
    """A line of output of the cell, kept up to date."""

    def __init__(self, display: Callable[..., Any]) -> None:
        super().__init__()
        self._display = display
        self._shown: Any = None

    def draw(self, line: str) -> None:
        data = {"text/plain": line}
        if self._shown is None:
            self._shown = self._display(data, raw=True, display_id=True)
        else:
            self._shown.update(data, raw=True)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.update({"text/plain": bar("done", 1.0)}, raw=True)


class _Function:
    def __init__(self, function: Callable[[str, float], object]) -> None:
        self._function = function

    def __call__(self, stage: str, fraction: float) -> None:
        self._function(stage, fraction)

    def close(self) -> None:
        pass


def _notebook() -> Optional[NotebookBar]:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import]

    return NotebookBar(display)


def reporter_of(progress: Progress) -> Optional[_Reporter]:
    """Who is told, by what the caller has said."""
    if callable(progress):
        return _Function(progress)
    if progress is False:
        return None
    if progress not in (None, True):
        raise TypeError(f"progress must be a function, True, False or None, not {progress!r}")
    notebook = _notebook()
    if notebook:
        return notebook
    # None where there is no console, as under pythonw.
    if sys.stderr is not None and (progress or sys.stderr.isatty()):
        return TerminalBar(sys.stderr)
    return None


class Watch:
    """Around one long call: `with Watch(progress) as watch: watch.check(f(..., watch.callback))`.

    Python notices Ctrl-C only between its own instructions, so while C computes the signal is
    noted, the next progress report cancels, and what Ctrl-C means is done at the end.
    """

    def __init__(self, progress: Progress) -> None:
        self._reporter = reporter_of(progress)
        self._raised: Optional[BaseException] = None
        self._cancelled: Optional[Cancelled] = None
        self._interrupted = False
        self._previous: Any = None

    def __enter__(self) -> Watch:
        self.callback: Any = _abi.sinew_progress(self._report)
        if threading.current_thread() is threading.main_thread():
            previous = signal.getsignal(signal.SIGINT)
            if callable(previous):
                self._previous = previous
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        del self.callback  # it refers back to this
        previous, self._previous = self._previous, None
        if previous:
            signal.signal(signal.SIGINT, previous)
        if self._reporter:
            self._reporter.close()
        # A handler that only takes note of Ctrl-C: what was computed is not there all the same.
        reason = self._raised or self._cancelled
        self._raised = self._cancelled = None
        try:
            if self._interrupted and previous and not isinstance(reason, KeyboardInterrupt):
                previous(signal.SIGINT, None)
            if reason:
                raise reason
        finally:
            del reason  # it refers back to this

    def check(self, status: int) -> None:
        """Raises what the call ended with; if it was cancelled, the block ends with the reason."""
        try:
            check(status)
        except Cancelled as cancelled:
            self._cancelled = cancelled

    def _note(self, number: int, frame: Optional[FrameType]) -> None:
        self._interrupted = True

    def _report(self, user: Any, stage: Optional[bytes], fraction: float) -> int:
        # Nothing may be raised into C.
        try:
            if self._reporter and not self._interrupted:
                self._reporter((stage or b"").decode("utf-8", "replace"), fraction)
        except BaseException as raised:
            self._raised = raised
        return 1 if self._raised or self._interrupted else 0
