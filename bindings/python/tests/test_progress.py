# SPDX-License-Identifier: Apache-2.0
"""Progress is reported, and long computations can be ended."""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any, Iterator

import numpy as np
import pytest

import sinew
from sinew import _progress


def compute(rig: sinew.Rig, progress: Any) -> None:
    rig.compute_weights("voxel", endpoints="projection", voxels=32, progress=progress)


def test_stages_and_fractions_are_told(arm: sinew.Rig) -> None:
    told: list[tuple[str, float]] = []
    compute(arm, lambda stage, fraction: told.append((stage, fraction)))
    fractions = [fraction for _, fraction in told]
    assert len(told) > 2 and all(isinstance(stage, str) and stage for stage, _ in told)
    assert 0 <= min(fractions) <= max(fractions) <= 1


def test_what_the_callback_raises_ends_the_computation(arm: sinew.Rig) -> None:
    class Enough(Exception):
        pass

    def stop(stage: str, fraction: float) -> None:
        raise Enough(stage)

    gc.collect()
    handle, handles = arm._handle, sinew.handle_count()
    with pytest.raises(Enough):
        compute(arm, stop)
    assert arm._handle is handle and sinew.handle_count() == handles


def test_the_callback_may_look_at_the_rig_and_keep_what_it_saw(arm: sinew.Rig) -> None:
    seen: list[Any] = []
    expected = arm.weights.copy()
    compute(arm, lambda stage, fraction: seen.append(arm.weights))
    assert all(np.array_equal(weights, expected) for weights in seen)


def test_a_change_meanwhile_is_noticed(arm: sinew.Rig) -> None:
    changes = iter([lambda: arm.add_control("mood")])
    with pytest.raises(sinew.UsageError, match="changed the rig meanwhile"):
        compute(arm, lambda stage, fraction: next(changes, lambda: None)())
    assert arm.control_names == ("mood",)


@pytest.fixture(autouse=True)
def heed_ctrl_c() -> Iterator[None]:
    """As in a terminal: what a shell starts in the background does not heed it."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


def test_ctrl_c_ends_the_computation_and_leaves_the_rig(arm: sinew.Rig) -> None:
    gc.collect()
    handle, handles = arm._handle, sinew.handle_count()

    def interrupt(stage: str, fraction: float) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        compute(arm, interrupt)
    assert arm._handle is handle and sinew.handle_count() == handles
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_ones_own_is_called_and_the_computation_is_cancelled(arm: sinew.Rig) -> None:
    noted: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        with pytest.raises(sinew.Cancelled):
            compute(arm, lambda stage, fraction: os.kill(os.getpid(), signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, previous)
    assert noted == [signal.SIGINT]


def test_ctrl_c_reaches_a_computation_that_nobody_watches() -> None:
    """As in a terminal: the signal comes while C computes, not while Python does."""
    program = """
import sinew, sys
rig = sinew.sample("mannequin", vertices=6000)
print("go", flush=True)
try:
    while True:
        rig.compute_weights("bbw", progress=False)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout
        assert child.stdout.readline() == "go\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    assert (out, errors) == ("interrupted\n", "")


def test_other_threads_compute_without_signals(arm: sinew.Rig) -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            compute(arm, None)
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failures


def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "_PAUSE", 0.0)


def test_a_terminal_has_a_bar_that_is_gone_at_the_end(
        arm: sinew.Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    patient(monkeypatch)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    compute(arm, None)
    assert "%" in terminal.getvalue() and terminal.getvalue().endswith("\r\x1b[K")
    terminal.truncate(0)
    compute(arm, False)
    assert "%" not in terminal.getvalue()


def test_a_file_has_no_bar_unless_it_is_asked_for(
        arm: sinew.Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch)
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    compute(arm, None)
    assert file.getvalue() == ""
    compute(arm, True)
    assert "%" in file.getvalue()


def test_what_is_quick_has_no_bar(arm: sinew.Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 1000.0)
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    compute(arm, True)
    assert file.getvalue() == ""


def test_a_notebook_has_a_bar_that_ends_full(
        arm: sinew.Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch)
    shown: list[str] = []

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Any:
        assert raw and display_id
        shown.append(data["text/plain"])
        return SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))

    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython",
                        SimpleNamespace(get_ipython=lambda: shell))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "IPython.display",
                        SimpleNamespace(display=display))  # type: ignore[arg-type]
    compute(arm, None)
    assert len(shown) > 2 and "100% done" in shown[-1]


def test_progress_that_is_none_of_these_is_refused(arm: sinew.Rig) -> None:
    with pytest.raises(TypeError, match="progress must be"):
        compute(arm, "loud")
