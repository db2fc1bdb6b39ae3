# SPDX-License-Identifier: Apache-2.0
"""Pictures and puppets."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sinew


def test_pixels_come_back_as_they_were(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 4), np.uint8)
    image = sinew.Image(pixels)
    assert np.array_equal(image.pixels, pixels) and np.array_equal(np.asarray(image), pixels)
    assert np.array(image, copy=True).flags.writeable
    image.write(tmp_path / "a.png")
    for source in (tmp_path / "a.png", image.to_png(), memoryview(image.to_png())):
        assert np.array_equal(sinew.Image.read(source).pixels, pixels)
    wide = np.zeros((5, 9, 4), np.uint8)
    wide[:, 1:8] = pixels
    for layout in (wide[:, 1:8], pixels[::-1][::-1], np.asfortranarray(pixels),
                   pixels.astype(int), pixels / 255):
        assert np.array_equal(sinew.Image(layout).pixels, pixels)
    opaque = sinew.Image(pixels[:, :, :3]).pixels
    assert np.array_equal(opaque[:, :, :3], pixels[:, :, :3]) and (opaque[:, :, 3] == 255).all()


def test_pixels_outlive_their_image() -> None:
    gc.collect()
    before = sinew.handle_count()
    pixels = sinew.Image(np.full((300, 300), 0.2)).pixels
    others = [sinew.Image(np.ones((300, 300))) for _ in range(3)]
    assert (pixels[:, :, :3] == 51).all() and len(others) == 3
    assert not pixels.flags.writeable
    del pixels, others
    assert sinew.handle_count() == before


@pytest.mark.parametrize("bad", [np.zeros(3), np.zeros((2, 2, 5)), np.full((2, 2), 300),
                                 np.array([["a"]]), np.zeros((0, 4)), np.full((2, 2), -1)])
def test_pixels_that_make_no_sense_are_refused(bad: Any) -> None:
    with pytest.raises(sinew.UsageError):
        sinew.Image(bad)


def test_files_that_are_no_pictures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(sinew.FileError, match="missing.png"):
        sinew.Image.read(tmp_path / "missing.png")
    for data in (b"", b"no picture"):
        with pytest.raises(sinew.InputError):
            sinew.Image.read(data)
    with pytest.raises(sinew.FileError):
        sinew.Image([[0.5]]).write(tmp_path / "no folder" / "a.png")


@pytest.fixture(scope="module")
def dancer() -> sinew.SamplePicture:
    return sinew.sample_picture("dancer", size=160)


def test_a_drawing_comes_to_life(dancer: sinew.SamplePicture) -> None:
    assert "dancer" in sinew.sample_pictures()
    puppet = sinew.Puppet(dancer.image, bones=dancer.bones, weights="rigid", endpoints="none",
                          longest_edge=12)
    puppet.add_motion(dancer.motion)
    puppet.add_loop(sinew.puppet_loops()[0])
    first, loop = puppet.motions
    assert len(puppet.rig().bone_names) == len(puppet.bones["bones"])
    assert isinstance(puppet.report, dict)
    still = puppet.draw(size=80)
    moved = puppet.draw(first, 0.7, size=80)
    assert max(still.width, still.height) == 80
    assert still.pixels.shape != moved.pixels.shape or not np.array_equal(still.pixels,
                                                                          moved.pixels)
    assert puppet._repr_png_().startswith(b"\x89PNG")
    assert np.array_equal(puppet.draw(1, 0.3, size=60).pixels,
                          puppet.draw(loop, 0.3, size=60).pixels)
    with pytest.raises(sinew.UsageError, match="there is no motion"):
        puppet.draw("nothing")
    with pytest.raises(sinew.UsageError):
        puppet.draw(9)
    with pytest.raises(sinew.UsageError):
        puppet.add_loop("nothing")
    with pytest.raises(sinew.Error):
        puppet.add_motion({"joints": {"nobody": []}})


def test_pictures_without_a_figure_are_refused(dancer: sinew.SamplePicture) -> None:
    with pytest.raises(sinew.Error):
        sinew.Puppet(sinew.Image(np.zeros((20, 20, 4), np.uint8)))
    with pytest.raises(sinew.Error):
        sinew.Puppet(dancer.image, bones="{")
    with pytest.raises(sinew.Error):
        sinew.Puppet(dancer.image, mask=sinew.Image(np.ones((3, 3))))
    with pytest.raises(sinew.UsageError, match="dancer"):
        sinew.sample_picture("danzer")
