// SPDX-License-Identifier: Apache-2.0
// Rigs bound to a method, and what it makes of a pose.
import * as abi from './abi.js';
import { usageError } from './errors.js';
import { Handle } from './handle.js';

const OUTPUT = abi.STRUCTS.sinew_output;

/** What a setting is given, as text: several for a list. */
function packedSettings(memory, settings) {
  const pairs = Object.entries(settings ?? {}).flatMap(([name, value]) =>
    [value].flat().map((word) => ({ name, value: String(word) })),
  );
  return { settings: memory.structs('sinew_setting', pairs), setting_count: pairs.length };
}

/** Where floats go: an array, where they begin, and how many lie between two vertices. */
function targetOf(given, vertices, columns, what) {
  const target = given instanceof Float32Array ? { array: given, offset: 0, stride: columns } : given;
  const { array, offset, stride } = target;
  if (!(array instanceof Float32Array)) throw new TypeError(`${what} must be a Float32Array`);
  if (!Number.isInteger(offset) || !Number.isInteger(stride) || offset < 0 || stride < columns) {
    throw usageError(`${what}: offset ${offset} and stride ${stride}`);
  }
  const needed = vertices > 0 ? offset + (vertices - 1) * stride + columns : 0;
  if (array.length < needed) {
    throw usageError(`${what}: room for ${array.length} numbers, ${needed} are needed`);
  }
  return target;
}

function copyTo({ array, offset, stride }, source, columns) {
  if (stride === columns) {
    array.set(source, offset);
    return;
  }
  for (let from = 0, to = offset; from < source.length; from += columns, to += stride) {
    for (let k = 0; k < columns; ++k) array[to + k] = source[from + k];
  }
}

/** A class for one module, whose poses are of this class. */
export function makeDeformer(core, Pose) {
  return class Deformer extends Handle {
    // What copies share: the pose of at(), the triangles.
    #shared;
    #space;

    constructor(rig, method = 'stbs-dqs', options = {}, existing = null) {
      const rigPointer = existing ? 0 : Handle.pointerOf(core, rig, 'a rig');
      const pointer = existing
        ? existing.pointer
        : core.within((memory) => {
            const chosen = memory.struct('sinew_deformer_options', {
              method,
              ...packedSettings(memory, options.settings),
              rough_normals: options.roughNormals,
              reference: options.reference,
            });
            return core.made((out) => core.c._sinew_deformer_create(rigPointer, chosen, out));
          });
      const shared = existing?.shared ?? {
        method,
        vertexCount: rig.vertexCount,
        triangles: rig.triangles,
        pose: new Pose(rig),
        users: 0,
      };
      shared.users += 1;
      const space = { pointer: 0 };
      const release = () => {
        core.c._free(space.pointer);
        shared.users -= 1;
        if (shared.users === 0) shared.pose.free();
      };
      super(core, '_sinew_deformer_free', pointer, release);
      this.#shared = shared;
      this.#space = space;
    }

    get pointer() {
      return Handle.pointerOf(core, this, 'a deformer');
    }

    get method() {
      return this.#shared.method;
    }

    get vertexCount() {
      return this.#shared.vertexCount;
    }

    get triangles() {
      return this.#shared.triangles;
    }

    view(pose, { normals = false, tangents = false } = {}) {
      const vertices = this.vertexCount;
      // Room for all of it, and for the struct, made once.
      if (this.#space.pointer === 0) {
        this.#space.pointer = core.allocate(OUTPUT.size + 40 * vertices);
      }
      const output = this.#space.pointer;
      const positionsAt = output + OUTPUT.size;
      const normalsAt = positionsAt + 12 * vertices;
      const tangentsAt = normalsAt + 12 * vertices;
      const { data } = core;
      const set = (name, value) => data.setUint32(output + OUTPUT.fields[name][0], value, true);
      set('struct_size', OUTPUT.size);
      set('vertex_count', vertices);
      set('positions', positionsAt);
      set('position_stride', 0);
      set('normals', normals ? normalsAt : 0);
      set('normal_stride', 0);
      set('tangents', tangents ? tangentsAt : 0);
      set('tangent_stride', 0);
      const posed = Handle.pointerOf(core, pose, 'a pose');
      core.check(core.c._sinew_deformer_deform(this.pointer, posed, output));
      return {
        positions: core.floats(positionsAt, 3 * vertices),
        normals: normals ? core.floats(normalsAt, 3 * vertices) : null,
        tangents: tangents ? core.floats(tangentsAt, 4 * vertices) : null,
      };
    }

    deform(pose, positions = new Float32Array(3 * this.vertexCount), { normals, tangents } = {}) {
      const vertices = this.vertexCount;
      const to = targetOf(positions, vertices, 3, 'positions');
      const toNormals = normals && targetOf(normals, vertices, 3, 'normals');
      const toTangents = tangents && targetOf(tangents, vertices, 4, 'tangents');
      const posed = this.view(pose, { normals: !!normals, tangents: !!tangents });
      copyTo(to, posed.positions, 3);
      if (toNormals) copyTo(toNormals, posed.normals, 3);
      if (toTangents) copyTo(toTangents, posed.tangents, 4);
      return positions;
    }

    at(moment = {}, wanted = {}) {
      let { pose } = moment;
      if (!(pose instanceof Pose) || moment.clip !== undefined) {
        pose = this.#shared.pose;
        pose.goTo(moment);
      }
      const posed = this.view(pose, wanted);
      return {
        positions: posed.positions.slice(),
        normals: posed.normals?.slice() ?? null,
        tangents: posed.tangents?.slice() ?? null,
      };
    }

    copy() {
      const pointer = core.made((out) => core.c._sinew_deformer_copy(this.pointer, out));
      return new this.constructor(null, this.method, {}, { pointer, shared: this.#shared });
    }
  };
}

/** The methods to deform by. */
export function methodsOf(core) {
  const { size, fields } = abi.STRUCTS.sinew_method_info;
  const result = {};
  core.within((memory) => {
    const info = memory.space(size);
    const count = core.count((out) => core.c._sinew_method_count(out));
    for (let i = 0; i < count; ++i) {
      core.data.setUint32(info + fields.struct_size[0], size, true);
      core.check(core.c._sinew_method_get(i, info));
      const number = (name) => core.u32(info + fields[name][0]);
      const settings = {};
      for (let k = 0; k < number('setting_count'); ++k) {
        const [name, help] = core.strings(2, (a, b) => core.c._sinew_method_setting(i, k, a, b));
        settings[name] = help;
      }
      const name = core.string(number('name'));
      result[name] = {
        name,
        summary: core.string(number('summary')),
        readsEndpoints: number('reads_endpoints') !== 0,
        twists: number('twists') !== 0,
        scales: number('scales') !== 0,
        settings,
      };
    }
  });
  return result;
}
