// SPDX-License-Identifier: Apache-2.0
// Poses: where joints, shapes and controls are at one moment.
import * as abi from './abi.js';
import { indexIn } from './arguments.js';
import { usageError } from './errors.js';
import { Handle } from './handle.js';
import { matrices, numbers } from './numbers.js';

const ARRAY = abi.STRUCTS.sinew_array.fields;
const PARTS = { translation: [0, 3], rotation: [3, 4], scale: [7, 3] };

/** A list of so many numbers. */
export function vector(values, count, what) {
  if (values?.length !== count) throw usageError(`${what}: ${count} numbers expected`);
  return values;
}

/** A class for one module. */
export function makePose(core) {
  return class Pose extends Handle {
    #joints;
    #clips;

    constructor(rig, options = {}) {
      const pointer = Handle.pointerOf(core, rig, 'a rig');
      super(
        core,
        '_sinew_pose_free',
        core.within((memory) => {
          const chosen = memory.struct('sinew_pose_options', {
            squash: options.squash,
            same_intent: options.sameIntent,
            follow: options.follow,
          });
          return core.made((out) => core.c._sinew_pose_create(pointer, chosen, out));
        }),
      );
      this.#joints = rig.names(abi.SINEW_JOINT);
      this.#clips = rig.names(abi.SINEW_CLIP);
    }

    get pointer() {
      return Handle.pointerOf(core, this, 'a pose');
    }

    rest() {
      core.check(core.c._sinew_pose_rest(this.pointer));
    }

    play(clip, time) {
      const index = indexIn(this.#clips, clip, 'clip');
      core.check(core.c._sinew_pose_play(this.pointer, index, time));
    }

    setJoint(joint, change) {
      const index = indexIn(this.#joints, joint, 'joint');
      // The transform as it is now, changed where it is asked for.
      core.check(core.c._sinew_pose_get(this.pointer, abi.SINEW_POSE_JOINTS, core.scratch));
      const now = core.u32(core.scratch + ARRAY.data[0]) + 80 * index;
      core.heap.copyWithin(core.scratch, now, now + 80);
      const transform = core.doubles(core.scratch, 10);
      for (const [part, [first, count]] of Object.entries(PARTS)) {
        if (change[part]) transform.set(vector(change[part], count, part), first);
      }
      core.check(core.c._sinew_pose_set_joint(this.pointer, index, core.scratch));
    }

    #array(field) {
      core.check(core.c._sinew_pose_get(this.pointer, field, core.scratch));
      return core.array(core.scratch) ?? new Float64Array(0);
    }

    #set(call, values, what, columns) {
      const given = numbers(values, what, [columns]);
      core.within((memory) => core.check(call(this.pointer, memory.array(given))));
    }

    get joints() {
      return this.#array(abi.SINEW_POSE_JOINTS);
    }

    set joints(transforms) {
      this.#set(core.c._sinew_pose_set_joints, transforms, 'joints', 10);
    }

    get shapes() {
      return this.#array(abi.SINEW_POSE_SHAPES);
    }

    set shapes(weights) {
      this.#set(core.c._sinew_pose_set_shapes, weights, 'shapes', 1);
    }

    get controls() {
      return this.#array(abi.SINEW_POSE_CONTROLS);
    }

    set controls(values) {
      this.#set(core.c._sinew_pose_set_controls, values, 'controls', 1);
    }

    get jointFrames() {
      return matrices(this.#array(abi.SINEW_POSE_JOINT_FRAMES));
    }

    get boneHeads() {
      return this.#array(abi.SINEW_POSE_BONE_HEADS);
    }

    get boneTails() {
      return this.#array(abi.SINEW_POSE_BONE_TAILS);
    }

    get boneRotations() {
      return this.#array(abi.SINEW_POSE_BONE_ROTATIONS);
    }

    get boneTwists() {
      return this.#array(abi.SINEW_POSE_BONE_TWISTS);
    }

    get boneBulges() {
      return this.#array(abi.SINEW_POSE_BONE_BULGES);
    }

    get boneFrames() {
      return matrices(this.#array(abi.SINEW_POSE_BONE_FRAMES));
    }

    /** Brings the pose to a moment; without a pose or clip, to rest. */
    goTo({ pose, clip, time = 0 }) {
      if (pose !== undefined && clip !== undefined) {
        throw usageError('a pose and a clip: give one of them');
      }
      if (clip !== undefined) this.play(clip, time);
      else if (pose === undefined) this.rest();
      else if (this.set) this.set(pose);
      else throw new TypeError('a Pose expected');
    }
  };
}
