# SPDX-License-Identifier: Apache-2.0
"""Rigs: files, weights, edits, bakes, measures and pictures."""

from __future__ import annotations

import os
from ctypes import POINTER, byref, c_char_p, c_float, c_uint8, cast
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _abi
from ._arrays import Array, described, numbers, options
from ._errors import Error, UsageError
from ._image import Image, image_from, path_text
from ._library import Handle, bytes_of, check, json_of, lib, new_buffer, text
from ._pose import AnyPose, Pose, pose_of
from ._progress import Progress, Watch
from ._rig_build import RigBuilding, json_text, plain

Report = dict[str, Any]
Path = Union[str, "os.PathLike[str]"]
Bytes = Union[bytes, bytearray, memoryview]


class VertexMeasures(NamedTuple):
    """What a deformation does at each vertex."""

    longest_edges: Array
    """The largest deformed length of an edge there against that at rest; 1 without edges."""
    shortest_edges: Array
    """The smallest."""
    shears: Array
    """The largest change of a right angle there, in radians."""
    faults: Array
    """Bits: 1 where the surface goes through itself, 2 where it is torn, crushed or bent out of
    shape."""


class Baked(NamedTuple):
    """A baked rig, how far it is from the true result, and how a script moves its helpers."""

    rig: Rig
    report: Report
    table: Optional[Report] = None


class Corrected(NamedTuple):
    """A rig with correctives, and how near its examples it gets."""

    rig: Rig
    report: Report


CorrectiveExample = Union[tuple[Union[Pose, Mapping[str, Any], str], ArrayLike],
                          tuple[Union[Pose, Mapping[str, Any], str], ArrayLike, str]]


def new_rig() -> Handle:
    """Where C puts a rig."""
    return Handle(lib.sinew_rig_free)


class Rig(RigBuilding):
    """A mesh, a skeleton, what ties them, and clips.

    Made by read(), sample() and from_mesh(), or empty, to be filled by set_mesh(), set_skeleton()
    and set_weights() or compute_weights().

    >>> import sinew
    >>> rig = sinew.sample("cigar", vertices=200)
    >>> rig
    <sinew.Rig 'cigar': ... vertices, 1 bone, 1 clip>
    >>> rig.compute_weights("rigid", endpoints="projection")["poor"]
    False
    """

    def __init__(self, name: Optional[str] = None) -> None:
        super().__init__(new_rig())
        check(lib.sinew_rig_create(text(name), byref(self._handle.ref)))

    @classmethod
    def _of(cls, handle: Handle) -> Rig:
        rig = cls.__new__(cls)
        RigBuilding.__init__(rig, handle)
        return rig

    def _frozen(self) -> Rig:
        """The rig as it is now: whoever changes this one gets a copy to do so."""
        with self._lock:
            rig = Rig._of(self._handle)
            rig._names = self._names
            rig._kept = self._handle.lease()
        return rig

    def copy(self) -> Rig:
        """A copy, to be changed on its own."""
        return Rig._of(self._copied())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Rig:
        return self.copy()

    def __repr__(self) -> str:
        counts = []
        for count, what in ((self.vertex_count, "vertices"), (len(self.bone_names), "bones"),
                            (len(self.clip_names), "clips")):
            one = {"vertices": "vertex"}.get(what, what[:-1])
            counts.append(f"{count} {one if count == 1 else what}")
        return f"<sinew.Rig {self.name!r}: {', '.join(counts)}>"

    # Files

    def write(self, path: Path) -> None:
        """Writes a file, completely or not at all.

        The whole rig to .glb or .gltf, the mesh to .obj, .off, .ply or .mesh, the skeleton to .tgf.
        What else was in a glTF file that the rig was read from is written, too.
        """
        rig = self._frozen()
        check(lib.sinew_rig_write(rig._handle.ref, path_text(path)))

    def to_bytes(self, format: str = "glb") -> bytes:
        """The bytes of a file; `format` is an extension, as in "glb".

        >>> import sinew
        >>> data = sinew.sample("cigar", vertices=200).to_bytes()
        >>> sinew.read(data, format="glb").bone_names
        ('bone',)
        """
        rig, buffer = self._frozen(), new_buffer()
        check(lib.sinew_rig_write_memory(rig._handle.ref, text(format), byref(buffer.ref)))
        return bytes_of(buffer)

    # Weights and edits

    def compute_weights(self, method: Optional[str] = None, *, endpoints: Optional[str] = None,
                        endpoints_from: Optional[str] = None, influences: int = 0,
                        lattice_nodes: int = 0, voxels: int = 0, power: float = 0.0,
                        joints: int = 0, heat: float = 0.0, progress: Progress = None) -> Report:
        """Computes bone weights and endpoint weights, and says how good they are.

        `method`: see weight_methods(); None: keep the rig's, "bbw" if it has none. `endpoints`: see
        endpoint_methods(), or "none"; None: "bbw". `influences`: at most so many bones per vertex;
        0: any number. The others belong to single methods; 0: the default. Ctrl-C ends it and
        leaves the rig as it was. "poor" in the report is True where a vertex is not covered, a
        solver has not converged, or a bone cannot stretch.
        """
        chosen = options(_abi.sinew_weights_options, method=method, endpoints=endpoints,
                         endpoints_from=endpoints_from, influences=influences,
                         lattice_nodes=lattice_nodes, voxels=voxels, power=power, joints=joints,
                         heat=heat)
        report: Report = self._long_change(lib.sinew_rig_compute_weights, byref(chosen), progress)
        return report

    def bone_links(self) -> list[dict[str, Any]]:
        """How each bone depends on others in a pose: one dict for each bone.

        "parent" and "own_share": against which bone its twist counts, and how much of it the bone
        takes off along itself. "next" and "next_share": whose twist it takes up, and how much.
        "tail_carrier": the bone that moves its tail. "end": the joint without a bone that does so
        instead. -1: none.

        >>> import sinew
        >>> rig = sinew.sample("arm", vertices=500)
        >>> [link["parent"] for link in rig.bone_links()][0]
        -1
        """
        rig, buffer = self._frozen(), new_buffer()
        check(lib.sinew_rig_bone_links(rig._handle.ref, byref(buffer.ref)))
        links: list[dict[str, Any]] = json_of(buffer)
        return links

    @property
    def muscles(self) -> dict[str, Any]:
        """The muscles of bones, by the bones' names. Assign to it to replace them all; {}: none.

        >>> import sinew
        >>> rig = sinew.sample("arm", vertices=500)
        >>> rig.muscles = {"upper_arm": {"stretch": 1.0}}
        >>> rig.muscles
        {'upper_arm': {'stretch': 1.0}}
        """
        rig, buffer = self._frozen(), new_buffer()
        check(lib.sinew_rig_muscles(rig._handle.ref, byref(buffer.ref)))
        muscles: dict[str, Any] = json_of(buffer)
        return muscles

    @muscles.setter
    def muscles(self, muscles: Union[Mapping[str, Any], str]) -> None:
        self._change(lib.sinew_rig_set_muscles, json_text(muscles, plain))

    def weight_report(self) -> Report:
        """How good the rig's weights are."""
        rig, buffer = self._frozen(), new_buffer()
        check(lib.sinew_rig_weight_report(rig._handle.ref, byref(buffer.ref)))
        report: Report = json_of(buffer)
        return report

    def edit(self, steps: Union[Sequence[Mapping[str, Any]], str], *,
             progress: Progress = None) -> Any:
        """Edits skin, settings and blend shapes by steps, in order, and says what each changed.

        The first entry of a step is its name and argument, others say more; see edit_steps(). Where
        the argument is a file, it may be what is in the file: a dict for a .json, rows of numbers
        for a .dmat, a Rig for another rig.

        >>> import sinew
        >>> rig = sinew.sample("mannequin", vertices=1000)
        >>> report = rig.edit([{"smooth": 2, "where": "forearm.L"}, {"prune": 4}])
        >>> other = sinew.sample("mannequin", vertices=500)
        >>> report = other.edit([{"transfer": rig}, {"offset-curves": {"roundness": 0.4}}])
        """
        kept = []

        def with_rigs(value: Any) -> Any:
            if not isinstance(value, Rig):
                return plain(value)
            kept.append(value._frozen())
            return {"rig": kept[-1]._handle.ref.value}

        return self._long_change(lib.sinew_rig_edit, json_text(steps, with_rigs), progress)

    # Motions

    def retarget(self, source: Rig, clip: Union[str, int] = 0, *, name: Optional[str] = None,
                 map: Union[Mapping[str, Any], str, None] = None, frames_per_second: float = 0.0,
                 tolerance: float = 0.0, all_keys: bool = False, in_place: bool = False,
                 rest_time: Optional[float] = None) -> Report:
        """Plays a clip of another rig, such as a .bvh, on this one, and adds it as a clip, or
        replaces the one of its name. Returns what was mapped, and "map", which can be edited and
        passed in: {"of the motion": "of the rig", ...}; None: by names and parts of the body.

        `frames_per_second`: 0: the motion's own. `tolerance` in degrees, within which keys are left
        out that others imply; 0: 0.1; `all_keys`: none are. `in_place`: the hips do not travel.
        `rest_time`: when the recorded body stands as at rest, if not at its file's rest pose.

        >>> import sinew
        >>> motion = sinew.sample("mannequin", vertices=300)
        >>> rig = sinew.sample("mannequin", vertices=500)
        >>> report = rig.retarget(motion, "walk", name="recorded")
        >>> "recorded" in rig.clip_names, report["unmapped_target"]
        (True, [])
        """
        chosen = options(_abi.sinew_retarget_options, name=name,
                         map=None if map is None else json_text(map),
                         frames_per_second=frames_per_second, tolerance=tolerance,
                         all_keys=all_keys, in_place=in_place,
                         has_rest_time=rest_time is not None, rest_time=rest_time)
        recorded, report = source._frozen(), new_buffer()
        index = recorded._index(_abi.SINEW_CLIP, clip, "clip")
        self._change(lib.sinew_rig_retarget, recorded._handle.ref, index, byref(chosen),
                     byref(report.ref))
        told: Report = json_of(report)
        return told

    def _long_change(self, function: Any, argument: Any, progress: Progress) -> Any:
        """Changes a copy, so that the rig can be read meanwhile, and takes it over at the end."""
        before, report = self._frozen(), new_buffer()
        after = before._copied()
        with Watch(progress) as watch:
            watch.check(function(after.ref, argument, watch.callback, None, byref(report.ref)))
        self._replace(before._handle, after)
        return json_of(report)

    # Baking

    def bake(self, *, segments: int = 0, max_error_percent: float = 0.0, influences: int = 0,
             joints: Optional[Sequence[str]] = None, all_bones: bool = False,
             endpoints: Optional[str] = None, live: Optional[str] = None, squash: bool = False,
             progress: Progress = None) -> Baked:
        """A rig whose stretch and twist are carried by ordinary joints that any engine plays.

        `segments` per bone; 0: as many as `max_error_percent` of a limb's radius requires. `joints`
        whose bones are split; None: those that twist or stretch. `live`: what moves helpers outside
        the clips, "none", "table" or "vrm". `squash`: bones that get longer get thinner; not with
        live helpers.
        """
        names = None
        if joints is not None:
            names = (c_char_p * len(joints))(*(text(name, "a joint's name") for name in joints))
        chosen = options(_abi.sinew_bake_options, segments=segments,
                         max_error_percent=max_error_percent, influences=influences, joints=names,
                         joint_count=len(joints or ()), all_bones=all_bones, endpoints=endpoints,
                         live=live, squash=squash)
        rig, baked, report, table = self._frozen(), new_rig(), new_buffer(), new_buffer()
        with Watch(progress) as watch:
            watch.check(lib.sinew_bake(rig._handle.ref, byref(chosen), watch.callback, None,
                                       byref(baked.ref), byref(report.ref), byref(table.ref)))
        return Baked(Rig._of(baked), json_of(report), json_of(table) if table.ref else None)

    def bake_shapes(self, clip: Union[str, int], *, method: Optional[str] = None,
                    max_error_percent: float = 0.0, frames_per_second: float = 0.0,
                    squash: bool = False, progress: Progress = None) -> Baked:
        """A mesh with blend shapes and a clip that fades between them, without a skeleton.
        `squash`: bones that get longer get thinner."""
        chosen = options(_abi.sinew_bake_clip_options, method=method,
                         max_error_percent=max_error_percent, frames_per_second=frames_per_second,
                         squash=squash)
        rig, baked, report = self._frozen(), new_rig(), new_buffer()
        index = rig._index(_abi.SINEW_CLIP, clip, "clip")
        with Watch(progress) as watch:
            watch.check(lib.sinew_bake_shapes(rig._handle.ref, index, byref(chosen),
                                              watch.callback, None, byref(baked.ref),
                                              byref(report.ref)))
        return Baked(Rig._of(baked), json_of(report))

    def bake_cache(self, clip: Union[str, int], *, method: Optional[str] = None,
                   frames_per_second: float = 0.0, format: str = "pc2", squash: bool = False,
                   progress: Progress = None) -> bytes:
        """A point cache, "pc2" or "mdd": every vertex in every frame. `squash`: bones that get
        longer get thinner."""
        chosen = options(_abi.sinew_bake_clip_options, method=method,
                         frames_per_second=frames_per_second, format=format, squash=squash)
        rig, file = self._frozen(), new_buffer()
        index = rig._index(_abi.SINEW_CLIP, clip, "clip")
        with Watch(progress) as watch:
            watch.check(lib.sinew_bake_cache(rig._handle.ref, index, byref(chosen),
                                             watch.callback, None, byref(file.ref)))
        return bytes_of(file)

    # Correctives

    def correct(self, examples: Sequence[CorrectiveExample], *, method: Optional[str] = None,
                joints: Optional[Sequence[str]] = None, radius: float = 0.0,
                tolerance: float = 0.0, squash: bool = False,
                progress: Progress = None) -> Corrected:
        """The rig with a blend shape for each example, which the pose drives: off at rest, on in
        the example's pose, where `method` then shows the example.

        An example is a pose of this rig, by joints, as a pose file has it (a dict or a Pose), and
        the positions of all vertices there, in world space; a name may follow. `joints` whose turns
        count; None: those that a pose turns. `radius`: how far in degrees from its pose an example
        matters; 0: everywhere. `tolerance`: a share of the mesh's size; the report lists vertices
        that are further from their example.
        """
        rig = self._frozen()
        poses, names, places = [], [], []
        for example in examples:
            fields: tuple[Any, ...] = tuple(example)
            pose, positions = fields[0], fields[1]
            poses.append(json_text(pose.to_dict() if isinstance(pose, Pose) else pose))
            places.append(numbers(positions, "positions", (3,)))
            if places[-1].shape[0] != rig.vertex_count:
                raise UsageError(f"an example has {places[-1].shape[0]} vertices, the rig has "
                                 f"{rig.vertex_count}")
            names.append(text(fields[2] if len(fields) > 2 else "", "a name"))
        count = len(poses)
        joint_list = None
        if joints is not None:
            joint_list = (c_char_p * len(joints))(*(text(name, "a joint's name")
                                                    for name in joints))
        together = np.concatenate(places) if places else np.zeros((0, 3))
        chosen = options(_abi.sinew_correct_options, method=method,
                         names=(c_char_p * count)(*names), joints=joint_list,
                         joint_count=len(joints or ()), radius=radius, tolerance=tolerance,
                         squash=squash)
        corrected, report = new_rig(), new_buffer()
        with Watch(progress) as watch:
            watch.check(lib.sinew_correct(rig._handle.ref, (c_char_p * count)(*poses), count,
                                          byref(described(together)), byref(chosen),
                                          watch.callback, None, byref(corrected.ref),
                                          byref(report.ref)))
        return Corrected(Rig._of(corrected), json_of(report))

    @property
    def drivers(self) -> Report:
        """What computes joints and blend shapes: controls, drivers and pose spaces."""
        rig, buffer = self._frozen(), new_buffer()
        check(lib.sinew_rig_drivers(rig._handle.ref, byref(buffer.ref)))
        told: Report = json_of(buffer)
        return told

    # Looking at it

    def measure(self, pose: AnyPose = None, *, clip: Union[str, int, None] = None,
                time: float = 0.0, methods: Union[str, Sequence[str], None] = None) -> Report:
        """What methods do to a pose: volume, edges, strain, cross-sections, twist, parts that
        should be rigid, self-intersections. `methods`: names; None: all."""
        names = methods if methods is None or isinstance(methods, str) else ",".join(methods)
        rig, buffer = self._frozen(), new_buffer()
        wanted = pose_of(lambda: Pose(rig), pose, clip, time)
        check(lib.sinew_measure(rig._handle.ref, wanted._handle.ref, text(names),
                                byref(buffer.ref)))
        report: Report = json_of(buffer)
        return report

    def measure_vertices(self, pose: AnyPose = None, *, clip: Union[str, int, None] = None,
                         time: float = 0.0, method: str = "stbs-dqs") -> VertexMeasures:
        """What a method does to a pose at each vertex, to mark the worst places.

        >>> import sinew
        >>> rig = sinew.sample("cigar", vertices=200)
        >>> measures = rig.measure_vertices({"joints": {"bone": {"stretch": 1.5}}})
        >>> bool(measures.longest_edges.max() > 1.1), int(measures.faults.max()) < 4
        (True, True)
        """
        rig = self._frozen()
        wanted = pose_of(lambda: Pose(rig), pose, clip, time)
        count = rig.vertex_count
        result = VertexMeasures(np.empty(count, np.float32), np.empty(count, np.float32),
                                np.empty(count, np.float32), np.empty(count, np.uint8))
        floats = POINTER(c_float)
        places = options(_abi.sinew_vertex_measures, vertex_count=count,
                         longest_edges=cast(result.longest_edges.ctypes.data, floats),
                         shortest_edges=cast(result.shortest_edges.ctypes.data, floats),
                         shears=cast(result.shears.ctypes.data, floats),
                         faults=cast(result.faults.ctypes.data, POINTER(c_uint8)))
        check(lib.sinew_measure_vertices(rig._handle.ref, wanted._handle.ref, text(method),
                                         byref(places)))
        return result

    def compare(self, pose: AnyPose = None, *, clip: Union[str, int, None] = None,
                time: float = 0.0, methods: Union[str, Sequence[str], None] = None,
                title: Optional[str] = None, view: Optional[str] = None,
                focus: Optional[str] = None, size: int = 0, stripes: bool = False) -> Image:
        """A sheet with a picture for each method and its numbers below; faults are red.

        `methods`: names; None: linear and dual quaternion blending, without and with stretch and
        twist. `size`: about the side of each picture in pixels; 0: 400. `stripes` along the bones
        show the twist. `view` and `focus` as render() has them.

        >>> import sinew
        >>> rig = sinew.sample("cigar", vertices=200)
        >>> sheet = rig.compare(clip=0, time=0.5, methods=["lbs", "stbs-dqs"], size=100)
        >>> sheet.width > 200
        True
        """
        names = methods if methods is None or isinstance(methods, str) else ",".join(methods)
        chosen = options(_abi.sinew_comparison_options, methods=names, title=title, view=view,
                         focus=focus, size=size, stripes=stripes)
        rig = self._frozen()
        wanted = pose_of(lambda: Pose(rig, same_intent=True), pose, clip, time)
        return image_from(lib.sinew_draw_comparison, rig._handle.ref, wanted._handle.ref,
                          byref(chosen))

    def render(self, pose: AnyPose = None, *, clip: Union[str, int, None] = None,
               time: float = 0.0, width: int = 0, height: int = 0, method: Optional[str] = None,
               view: Optional[str] = None, colors: Optional[str] = None,
               bone: Union[str, int, None] = None, wire: bool = False, skeleton: bool = False,
               color: Optional[str] = None, background: Optional[str] = None,
               focus: Optional[str] = None, field_of_view: float = 0.0,
               orthographic: bool = False, ground: bool = True) -> Image:
        """A picture, which a notebook shows; without a pose or clip, of the mesh at bind time.

        `view`: "front", "back", "left", "right", "top", "bottom", "three-quarter" or
        "azimuth,elevation" in degrees. `colors` show "weights" (of `bone`), "endpoints" or "bones".
        `color`: one for all, as in "#c8b090". `background`: a colour, or "transparent". `focus`:
        fill the picture with what moves with this joint and those below it.

        >>> import sinew
        >>> sinew.sample("cigar", vertices=200).render(width=60, height=40)
        <sinew.Image 60 x 40>
        """
        chosen = options(_abi.sinew_draw_options, width=width, height=height, method=method,
                         view=view, colors=colors, bone=None if bone is None else str(bone),
                         wire=wire, skeleton=skeleton, color=color, background=background,
                         focus=focus, field_of_view=field_of_view, orthographic=orthographic,
                         no_ground=not ground)
        rig = self._frozen()
        if pose is None and clip is None:
            return image_from(lib.sinew_draw, rig._handle.ref, None, byref(chosen))
        wanted = pose_of(lambda: Pose(rig), pose, clip, time)
        return image_from(lib.sinew_draw, rig._handle.ref, wanted._handle.ref, byref(chosen))

    def _repr_png_(self) -> Optional[bytes]:
        try:
            return self.render(width=480).to_png()
        except Error:
            return None  # nothing to draw: a notebook then shows the text


def read(source: Union[Path, Bytes], *, format: Optional[str] = None) -> Rig:
    """Reads a mesh (.obj, .off, .ply, .mesh), a skeleton (.tgf), a skeleton and its motion (.bvh),
    or all of it (.glb, .gltf). From a path, whose extension decides; or from the bytes of a file,
    with its extension as `format`."""
    handle = new_rig()
    if isinstance(source, (bytes, bytearray, memoryview)):
        if format is None:
            raise UsageError('bytes need a format, as in read(data, format="glb")')
        data = np.frombuffer(source, np.uint8)
        check(lib.sinew_rig_read_memory(data.ctypes.data, data.size, text(format),
                                        byref(handle.ref)))
    else:
        if format is not None:
            raise UsageError("a format is for bytes; a file has its extension")
        check(lib.sinew_rig_read(path_text(source), byref(handle.ref)))
    return Rig._of(handle)


def from_mesh(mesh: Any, *, name: Optional[str] = None) -> Rig:
    """A rig with the mesh of another library: what has `vertices` and `faces` (trimesh, PyMeshLab)
    or `triangles` (Open3D), or a pair of both. Bones and weights are still to come.

    >>> import sinew
    >>> rig = sinew.from_mesh(sinew.sample("box", vertices=300).mesh)
    >>> rig.set_skeleton(points=[[0, 0, 0], [0, 1, 0]], segments=[[0, 1]])
    """
    faces = getattr(mesh, "faces", getattr(mesh, "triangles", None))
    vertices = getattr(mesh, "vertices", None)
    if vertices is None or faces is None:
        try:
            vertices, faces = mesh
        except (TypeError, ValueError):
            raise TypeError(f"{type(mesh).__name__} has no vertices and faces") from None
    rig = Rig(name)
    rig.set_mesh(np.asarray(vertices), np.asarray(faces))
    return rig


def sample(name: str, *, vertices: int = 0, progress: Progress = None) -> Rig:
    """A built-in character by name, see samples(), with about so many vertices; 0: 5000.

    >>> import sinew
    >>> "walk" in sinew.sample("mannequin", vertices=1000).clip_names
    True
    """
    handle = new_rig()
    with Watch(progress) as watch:
        watch.check(lib.sinew_rig_sample(text(name), vertices, watch.callback, None,
                                         byref(handle.ref)))
    return Rig._of(handle)
