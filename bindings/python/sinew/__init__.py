# SPDX-License-Identifier: Apache-2.0
"""Sinew: stretchable, twistable bones for any character.

>>> import sinew
>>> rig = sinew.sample("mannequin", vertices=1000)  # or sinew.read("hero.glb")
>>> report = rig.compute_weights("voxel", endpoints="projection")
>>> posed = sinew.Deformer(rig, "stbs-dqs").at(clip="walk", time=0.5)
>>> posed.positions.shape == (rig.vertex_count, 3)
True
"""

from ._abi import VERSION as __version__
from ._catalog import (
    EditStep,
    Method,
    edit_steps,
    endpoint_methods,
    methods,
    puppet_loops,
    sample_pictures,
    samples,
    weight_methods,
)
from ._clips import Channel, Clip
from ._deform import Deformer, Posed
from ._errors import (
    Cancelled,
    Error,
    FileError,
    InputError,
    InternalError,
    OutOfMemoryError,
    UsageError,
)
from ._gpu import GpuSkin
from ._ik import Ik, IkGoal, IkHandle, IkLimit
from ._image import Image, animation
from ._library import handle_count, set_thread_count, thread_count
from ._painter import PaintedRows, Painter, SurfacePoint
from ._pose import Pose
from ._puppet import Puppet, SamplePicture, sample_picture
from ._rig import Baked, Corrected, Rig, VertexMeasures, from_mesh, read, sample
from ._rig_arrays import Mesh, Shape

__all__ = [
    "Baked",
    "Cancelled",
    "Channel",
    "Clip",
    "Corrected",
    "Deformer",
    "EditStep",
    "Error",
    "FileError",
    "GpuSkin",
    "Ik",
    "IkGoal",
    "IkHandle",
    "IkLimit",
    "Image",
    "InputError",
    "InternalError",
    "Mesh",
    "Method",
    "OutOfMemoryError",
    "PaintedRows",
    "Painter",
    "Pose",
    "Posed",
    "Puppet",
    "Rig",
    "SamplePicture",
    "Shape",
    "SurfacePoint",
    "UsageError",
    "VertexMeasures",
    "__version__",
    "animation",
    "edit_steps",
    "endpoint_methods",
    "from_mesh",
    "handle_count",
    "methods",
    "puppet_loops",
    "read",
    "sample",
    "sample_picture",
    "sample_pictures",
    "samples",
    "set_thread_count",
    "thread_count",
    "weight_methods",
]
