// SPDX-License-Identifier: Apache-2.0
import type { Pose as CorePose, Rig, Sinew } from 'sinew';
import { jointKeys, type Pose, type RigInfo, type Vec3 } from '../state/document';
import { shapesOf } from './correctives';
import { layersOf } from './layers';
import { vecAt } from './math';
import { musclesOf } from './muscles';

/** A pose as pose files have it. */
export function toldOf(pose: CorePose): Pose {
  const json = pose.toJson() as { joints: Pose['joints']; shapes?: Record<string, number>; controls?: Record<string, number> };
  return { joints: json.joints, shapes: json.shapes, controls: json.controls };
}

/** What the page is told of a rig. */
export function infoOf(sinew: Sinew, rig: Rig): RigInfo {
  const names = rig.jointNames;
  const keys = jointKeys(names);
  const parents = rig.jointParents;
  const rests = rig.jointRests;
  const boneJoints = rig.boneJoints;
  const tailJoints = rig.boneTailJoints;
  const heads = rig.boneHeads;
  const tails = rig.boneTails;
  const movable = new Set<string>();
  if (names.length > 0) {
    // What a pose of all joints leaves out is computed, or a node of the scene.
    const pose = new sinew.Pose(rig);
    for (const key of Object.keys(toldOf(pose).joints)) movable.add(key);
    pose.free();
  }
  const numbers = (from: number, count: number): number[] => [...rests.slice(from, from + count)];
  const pairs = (flat: Float64Array): [number, number][] =>
    Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  const controlDefaults = rig.controlDefaults;
  const hasWeights = rig.influenceCount > 0;
  const muscles = musclesOf(rig);
  return {
    vertices: rig.vertexCount,
    triangles: rig.triangleCount,
    hasWeights,
    hasEndpoints: hasWeights && rig.endpoints !== null,
    hasTwistEndpoints: hasWeights && rig.twistEndpoints !== null,
    joints: names.map((name, j) => ({
      key: keys[j],
      name,
      parent: parents[j],
      driven: !movable.has(keys[j]),
      isNode: !movable.has(keys[j]) && !boneJoints.includes(j) && !tailJoints.includes(j),
      rest: {
        translation: numbers(10 * j, 3) as unknown as Vec3,
        rotation: numbers(10 * j + 3, 4) as unknown as [number, number, number, number],
        scale: numbers(10 * j + 7, 3) as unknown as Vec3,
      },
    })),
    bones: Array.from(boneJoints, (joint, b) => ({
      joint,
      tailJoint: tailJoints[b],
      head: vecAt(heads, b),
      tail: vecAt(tails, b),
      stretchFilter: pairs(rig.stretchFilter(b)),
      twistFilter: pairs(rig.twistFilter(b)),
      ...(muscles[b] && { muscle: muscles[b] }),
    })),
    clips: rig.clips.map(({ name, duration }) => ({ name, duration })),
    ...shapesOf(rig),
    layers: layersOf(rig),
    controls: rig.controlNames.map((name, c) => ({ name, rest: controlDefaults[c] })),
    notes: rig.notes,
  };
}

