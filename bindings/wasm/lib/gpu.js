// SPDX-License-Identifier: Apache-2.0
// Rigs and poses as shaders read them.
import * as abi from './abi.js';
import { usageError } from './errors.js';
import { Handle } from './handle.js';

/** A class for one module, whose poses are of this class. */
export function makeGpuSkin(core, Pose) {
  return class GpuSkin extends Handle {
    #pose;
    #space;

    constructor(rig, { gradients = false } = {}) {
      const rigPointer = Handle.pointerOf(core, rig, 'a rig');
      const pointer = core.within((memory) => {
        const chosen = memory.struct('sinew_gpu_skin_options', { gradients });
        return core.made((out) => core.c._sinew_gpu_skin_create(rigPointer, chosen, out));
      });
      const pose = new Pose(rig);
      const space = { pointer: 0, texels: 0, method: 0, name: null };
      super(core, '_sinew_gpu_skin_free', pointer, () => {
        core.c._free(space.pointer);
        core.c._free(space.method);
        pose.free();
      });
      this.#pose = pose;
      this.#space = space;
    }

    #array(field) {
      const pointer = Handle.pointerOf(core, this, 'a GPU skin');
      core.check(core.c._sinew_gpu_skin_get(pointer, field, core.scratch));
      return core.array(core.scratch);
    }

    get positions() {
      return this.#array(abi.SINEW_GPU_POSITIONS) ?? new Float32Array(0);
    }

    get normals() {
      return this.#array(abi.SINEW_GPU_NORMALS) ?? new Float32Array(0);
    }

    get tangents() {
      return this.#array(abi.SINEW_GPU_TANGENTS);
    }

    get vertices() {
      return this.#array(abi.SINEW_GPU_VERTICES) ?? new Float32Array(0);
    }

    get influences() {
      return this.#array(abi.SINEW_GPU_INFLUENCES) ?? new Float32Array(0);
    }

    get gradients() {
      return this.#array(abi.SINEW_GPU_GRADIENTS);
    }

    get deltaRanges() {
      return this.#array(abi.SINEW_GPU_DELTA_RANGES);
    }

    get deltas() {
      return this.#array(abi.SINEW_GPU_DELTAS);
    }

    /** Its name in memory, kept for the next frame. */
    #method(name) {
      const space = this.#space;
      if (space.name !== name) {
        core.c._free(space.method);
        space.method = core.within((memory) => memory.kept(memory.text(name, 'method')));
        space.name = name;
      }
      return space.method;
    }

    pose(moment = {}, { method = 'stbs-dqs', out } = {}) {
      Handle.pointerOf(core, this, 'a GPU skin');
      let pose = moment instanceof Pose ? moment : moment.pose;
      if (!(pose instanceof Pose) || moment.clip !== undefined) {
        pose = this.#pose;
        pose.goTo(moment);
      }
      const texels = core.count((to) => core.c._sinew_gpu_pose_size(pose.pointer, to));
      if (out !== undefined && (!(out instanceof Float32Array) || out.length < 4 * texels)) {
        throw usageError(`out must be a Float32Array with room for ${4 * texels} numbers`);
      }
      const space = this.#space;
      if (space.texels < texels) {
        core.c._free(space.pointer);
        Object.assign(space, { pointer: 0, texels: 0 });
        Object.assign(space, { pointer: core.allocate(16 * texels), texels });
      }
      const name = this.#method(method);
      core.check(core.c._sinew_gpu_pose(pose.pointer, name, space.pointer, 4 * texels));
      const floats = core.floats(space.pointer, 4 * texels);
      if (out === undefined) return floats.slice();
      out.set(floats);
      return out;
    }

    static blend(method) {
      return core.within((memory) => {
        core.check(core.c._sinew_gpu_blend(memory.text(method, 'method'), core.scratch));
        return core.data.getFloat32(core.scratch, true);
      });
    }
  };
}
