# SPDX-License-Identifier: Apache-2.0
"""Pictures brought to life."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _abi
from ._arrays import options
from ._errors import UsageError
from ._image import Image, _new_image, image_from
from ._library import Handle, check, json_of, lib, new_buffer, text
from ._progress import Progress, Watch
from ._rig import Report, Rig, new_rig
from ._rig_build import json_text


class SamplePicture(NamedTuple):
    """A built-in drawing, bones on it and a motion of them."""

    image: Image
    bones: Report
    motion: Report


def sample_picture(name: str, *, size: int = 0) -> SamplePicture:
    """A built-in drawing by name, see sample_pictures(), `size` pixels wide and high; 0: 1024."""
    image, bones, motion = _new_image(), new_buffer(), new_buffer()
    check(lib.sinew_sample_picture(text(name), size, byref(image.ref), byref(bones.ref),
                                   byref(motion.ref)))
    return SamplePicture(Image._of(image), json_of(bones), json_of(motion))


class Puppet:
    """A figure cut out of a picture, meshed and tied to bones.

    `bones`: as the attribute has them, in pixels; None: `auto_bones` of them (0: 12) are placed
    along the figure's middle. `mask`: bright where the figure is; None: found by `cut`, "alpha" or
    "background". The others are as in `sinew image`; 0 and None: the default.

    >>> import sinew
    >>> dancer = sinew.sample_picture("dancer", size=200)
    >>> puppet = sinew.Puppet(dancer.image, bones=dancer.bones, weights="rigid", endpoints="none")
    >>> puppet.add_motion(dancer.motion)
    >>> puppet.motions
    ('dance',)
    """

    def __init__(self, image: Image, *, bones: Union[Mapping[str, Any], str, None] = None,
                 auto_bones: int = 0, mask: Optional[Image] = None, cut: Optional[str] = None,
                 alpha: float = 0.0, background: Optional[str] = None, tolerance: float = 0.0,
                 holes: Optional[str] = None, margin: float = 0.0, outline_tolerance: float = 0.0,
                 longest_edge: float = 0.0, weights: Optional[str] = None,
                 endpoints: Optional[str] = None, pixels_per_unit: float = 0.0,
                 progress: Progress = None) -> None:
        chosen = options(_abi.sinew_puppet_options,
                         bones=None if bones is None else json_text(bones).decode(),
                         auto_bones=auto_bones, mask=mask and mask._handle.ref.value, cut=cut,
                         alpha=alpha, background=background, tolerance=tolerance, holes=holes,
                         margin=margin, outline_tolerance=outline_tolerance,
                         longest_edge=longest_edge, weights=weights, endpoints=endpoints,
                         pixels_per_unit=pixels_per_unit)
        self._handle = Handle(lib.sinew_puppet_free)
        with Watch(progress) as watch:
            watch.check(lib.sinew_puppet_create(image._handle.ref, byref(chosen), watch.callback,
                                                None, byref(self._handle.ref)))

    def _json(self, function: Any) -> Report:
        buffer = new_buffer()
        check(function(self._handle.ref, byref(buffer.ref)))
        found: Report = json_of(buffer)
        return found

    @property
    def bones(self) -> Report:
        """The bones, in pixels from the upper left corner, to be edited and used again."""
        return self._json(lib.sinew_puppet_bones)

    @property
    def report(self) -> Report:
        """How good its weights are."""
        return self._json(lib.sinew_puppet_report)

    @property
    def motions(self) -> tuple[str, ...]:
        """The names of its motions, in order."""
        return self.rig().clip_names

    def add_loop(self, name: str, *, pins: Union[str, Sequence[str], None] = None) -> None:
        """Adds a ready-made motion, see puppet_loops(). `pins`: joints that stay where they are,
        "feet" or "none"; None: what suits the motion."""
        pinned = pins if pins is None or isinstance(pins, str) else ",".join(pins)
        check(lib.sinew_puppet_add_loop(self._handle.ref, text(name), text(pinned)))

    def add_motion(self, motion: Union[Mapping[str, Any], str]) -> None:
        """Adds a motion from a dict or JSON: how joints are dragged over time."""
        check(lib.sinew_puppet_add_motion(self._handle.ref, json_text(motion)))

    def rig(self) -> Rig:
        """The puppet as a textured rig, with its motions as clips."""
        handle = new_rig()
        check(lib.sinew_puppet_rig(self._handle.ref, byref(handle.ref)))
        return Rig._of(handle)

    def draw(self, motion: Union[str, int, None] = None, time: float = 0.0, *,
             method: Optional[str] = None, size: int = 0, background: Optional[str] = None,
             squash: bool = False, skeleton: bool = False) -> Image:
        """A picture at a time of one of its motions, in seconds; without one, as in its picture."""
        index = -1
        if isinstance(motion, str):
            if motion not in self.motions:
                raise UsageError(f"there is no motion '{motion}'; there are {self.motions}")
            index = self.motions.index(motion)
        elif motion is not None:
            index = motion
        chosen = options(_abi.sinew_stage_options, method=method, size=size,
                         background=background, squash=squash, skeleton=skeleton)
        return image_from(lib.sinew_puppet_draw, self._handle.ref, index, time, byref(chosen))

    def _repr_png_(self) -> bytes:
        return self.draw(skeleton=True, size=480).to_png()
