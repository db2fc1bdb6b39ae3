// SPDX-License-Identifier: Apache-2.0
// Inverse kinematics: joints dragged to where they should be.
import * as abi from './abi.js';
import { choice } from './arguments.js';
import { usageError } from './errors.js';
import { Handle } from './handle.js';
import { vector } from './pose.js';

const LENGTHS = {
  kept: abi.SINEW_LENGTHS_KEPT,
  'beyond-reach': abi.SINEW_LENGTHS_BEYOND_REACH,
  free: abi.SINEW_LENGTHS_FREE,
};
const CHILDREN = {
  automatic: abi.SINEW_CHILDREN_AUTOMATIC,
  follow: abi.SINEW_CHILDREN_FOLLOW,
  stay: abi.SINEW_CHILDREN_STAY,
};
const KINDS = {
  cone: abi.SINEW_LIMIT_CONE,
  hinge: abi.SINEW_LIMIT_HINGE,
  axes: abi.SINEW_LIMIT_AXES,
};

const isKey = (value) => typeof value === 'string' || typeof value === 'number';

/** A goal as C takes it; three numbers are a position. */
function packedGoal(goal) {
  const given = goal ?? {};
  const { position, rotation, pole, release } = given.length === undefined ? given : { position: given };
  return {
    has_position: position !== undefined,
    has_rotation: rotation !== undefined,
    has_pole: pole !== undefined,
    position: position && vector(position, 3, 'position'),
    rotation: rotation && vector(rotation, 4, 'rotation'),
    pole: pole && vector(pole, 3, 'pole'),
    release,
  };
}

/** A class for one module. */
export function makeIk(core) {
  return class Ik extends Handle {
    #joints;

    constructor(rig, handles, { limits = [], rigLimits = true, softness = 0 } = {}) {
      const pointer = Handle.pointerOf(core, rig, 'a rig');
      const every = handles.map((one) => (isKey(one) ? { joint: one } : one));
      const joint = (key) => rig.index(abi.SINEW_JOINT, key, 'joint');
      const dragged = every.map((one) => ({
        joint: joint(one.joint),
        root: one.root === undefined || one.root === null ? -1 : joint(one.root),
        lengths: choice(LENGTHS, one.lengths ?? 'kept', 'kind of lengths'),
        children: choice(CHILDREN, one.children ?? 'automatic', 'kind of children'),
      }));
      const limited = limits.map((one) => ({
        joint: joint(one.joint),
        kind: choice(KINDS, one.kind, 'kind of limit'),
        axis: one.axis && vector(one.axis, 3, 'axis'),
        min: vector(one.min, 3, 'min'),
        max: vector(one.max, 3, 'max'),
      }));
      super(
        core,
        '_sinew_ik_free',
        core.within((memory) => {
          const options = memory.struct('sinew_ik_options', {
            limits: memory.structs('sinew_ik_limit', limited),
            limit_count: limited.length,
            softness,
            without_rig_limits: rigLimits ? 0 : 1,
          });
          const list = memory.structs('sinew_ik_handle', dragged);
          return core.made((out) => core.c._sinew_ik_create(pointer, list, dragged.length, options, out));
        }),
      );
      this.#joints = every.map((one) => one.joint);
    }

    solve(pose, goals) {
      const joints = this.#joints;
      let each = goals;
      if (!Array.isArray(goals)) {
        const given = goals instanceof Map ? goals : new Map(Object.entries(goals));
        const handleOf = (key) =>
          joints.findIndex((joint) => joint === key || (!(goals instanceof Map) && String(joint) === key));
        each = joints.map(() => null);
        for (const [key, goal] of given) {
          const handle = handleOf(key);
          if (handle < 0) throw usageError(`there is no handle '${key}'; there are ${joints.join(', ')}`);
          each[handle] = goal;
        }
      }
      return core.within((memory) => {
        const list = memory.structs('sinew_ik_goal', each.map(packedGoal));
        const distances = memory.space(8 * Math.max(joints.length, each.length));
        core.check(
          core.c._sinew_ik_solve(
            Handle.pointerOf(core, this, 'an Ik'),
            Handle.pointerOf(core, pose, 'a pose'),
            list,
            each.length,
            distances,
          ),
        );
        return core.doubles(distances, each.length).slice();
      });
    }
  };
}
