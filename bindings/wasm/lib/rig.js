// SPDX-License-Identifier: Apache-2.0
// Rigs from arrays.
import * as abi from './abi.js';
import { packedChannel } from './clips.js';
import { usageError } from './errors.js';
import { framesOf, indices, numbers, optionalIndices, optionalNumbers } from './numbers.js';
import { RigArrays } from './rig_arrays.js';

/** Triangles, or faces of any kind. */
function packedFaces(faces) {
  const isList = Array.isArray(faces);
  if (faces && !isList && !ArrayBuffer.isView(faces)) {
    return {
      polygon_offsets: indices(faces.offsets, 'offsets'),
      polygon_corners: indices(faces.corners, 'corners'),
    };
  }
  const rows = isList && faces.length > 0 && typeof faces[0] !== 'number';
  if (!rows || faces.every((face) => face.length === 3)) {
    return { triangles: indices(faces, 'faces', [3]) };
  }
  const offsets = new Uint32Array(faces.length + 1);
  faces.forEach((face, i) => {
    offsets[i + 1] = offsets[i] + face.length;
  });
  return {
    polygon_offsets: { data: offsets, columns: 1 },
    polygon_corners: indices(
      faces.flatMap((face) => Array.from(face)),
      'faces',
    ),
  };
}

/** Rows for each vertex, or one number for each influence. */
function packedWeights(rig, weights, { bones, offsets, endpoints, twistEndpoints }) {
  let columns = [1];
  if (offsets === undefined) {
    const given = numbers(weights, 'weights', null);
    const vertices = rig.vertexCount;
    columns = [vertices > 0 ? given.data.length / vertices : 1];
    if (!Number.isInteger(columns[0]) || columns[0] === 0) {
      throw usageError(`weights: ${given.data.length} numbers for ${vertices} vertices`);
    }
  }
  return {
    weights: numbers(weights, 'weights', columns),
    bones: optionalIndices(bones, 'bones', columns),
    offsets: optionalIndices(offsets, 'offsets'),
    endpoints: optionalNumbers(endpoints, 'endpoints', columns),
    twist_endpoints: optionalNumbers(twistEndpoints, 'twistEndpoints', columns),
  };
}

/** A class for one module. */
export function makeRig(core) {
  return class Rig extends RigArrays {
    /** `existing`: the number of a rig that C has made. */
    constructor(name, existing) {
      super(
        core,
        existing ??
          core.within((memory) => {
            const text = memory.text(name);
            return core.made((out) => core.c._sinew_rig_create(text, out));
          }),
      );
    }

    static of(pointer) {
      return new this(undefined, pointer);
    }

    /** Calls what changes the rig, with structs in memory. */
    change(call) {
      core.within((memory) => core.check(call(memory)));
      this.changed();
    }

    setMesh(positions, faces = [], options = {}) {
      this.change((memory) =>
        core.c._sinew_rig_set_mesh(
          this.pointer,
          memory.struct('sinew_mesh_data', {
            positions: numbers(positions, 'positions', [3]),
            ...packedFaces(faces),
            normals: optionalNumbers(options.normals, 'normals', [3]),
            normal_corners: optionalIndices(options.normalCorners, 'normalCorners'),
            uvs: optionalNumbers(options.uvs, 'uvs', [2]),
            uv_corners: optionalIndices(options.uvCorners, 'uvCorners'),
            tangents: optionalNumbers(options.tangents, 'tangents', [4]),
            colors: packedColors(options.colors, positions),
            tetrahedra: optionalIndices(options.tetrahedra, 'tetrahedra', [4]),
          }),
        ),
      );
    }

    setSkeleton(skeleton) {
      const { names } = skeleton;
      const parents = optionalIndices(skeleton.parents, 'parents');
      const points = optionalNumbers(skeleton.points, 'points', [3]);
      const joints = parents ? parents.data.length : (points?.data.length ?? 0) / 3;
      if (names && names.length !== joints) {
        throw usageError(`names: ${names.length} for ${joints} joints`);
      }
      const rests = optionalNumbers(skeleton.rests, 'rests', null);
      this.change((memory) =>
        core.c._sinew_rig_set_skeleton(
          this.pointer,
          memory.struct('sinew_skeleton_data', {
            joint_names: names && memory.texts(names, "a joint's name"),
            joint_parents: parents,
            joint_rests:
              rests && numbers(skeleton.rests, 'rests', rests.data.length === 10 * joints ? [10] : [3]),
            bone_joints: optionalIndices(skeleton.boneJoints, 'boneJoints'),
            bone_tails: optionalNumbers(skeleton.boneTails, 'boneTails', [3]),
            bone_inverse_binds:
              skeleton.boneInverseBinds && framesOf(skeleton.boneInverseBinds, 'boneInverseBinds'),
            points,
            segments: optionalIndices(skeleton.segments, 'segments', [2]),
          }),
        ),
      );
    }

    setWeights(weights, options = {}) {
      this.change((memory) =>
        core.c._sinew_rig_set_weights(
          this.pointer,
          memory.struct('sinew_weights_data', packedWeights(this, weights, options)),
        ),
      );
    }

    addShape(name, positions, options = {}) {
      this.change((memory) =>
        core.c._sinew_rig_add_shape(
          this.pointer,
          memory.struct('sinew_shape_data', {
            name,
            vertices: optionalIndices(options.vertices, 'vertices'),
            positions: numbers(positions, 'positions', [3]),
            normals: optionalNumbers(options.normals, 'normals', [3]),
            default_weight: options.default,
          }),
        ),
      );
    }

    addControl(name, defaultValue = 0) {
      this.change((memory) =>
        core.c._sinew_rig_add_control(this.pointer, memory.text(name), defaultValue),
      );
    }

    addClip(name, channels) {
      const packed = channels.map((channel) => packedChannel(this, channel));
      this.change((memory) =>
        core.c._sinew_rig_add_clip(
          this.pointer,
          memory.text(name),
          memory.structs('sinew_channel', packed),
          packed.length,
        ),
      );
    }

    removeClip(clip) {
      const index = this.index(abi.SINEW_CLIP, clip, 'clip');
      this.change(() => core.c._sinew_rig_remove_clip(this.pointer, index));
    }

    copy() {
      return this.constructor.of(core.made((out) => core.c._sinew_rig_copy(this.pointer, out)));
    }
  };
}

/** Three or four numbers for each vertex. */
function packedColors(colors, positions) {
  if (colors === undefined || colors === null) return undefined;
  const vertices = numbers(positions, 'positions', [3]).data.length / 3;
  const { data } = numbers(colors, 'colors', null);
  return numbers(colors, 'colors', data.length === 3 * vertices ? [3] : [4]);
}
