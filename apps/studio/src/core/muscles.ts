// SPDX-License-Identifier: Apache-2.0
// Muscles of bones, to and from the core, and what the panel needs to know of them.
import type { Muscle as CoreMuscle, Rig } from 'sinew';
import { boneOfJoint, jointKeys, mirroredKey, type Muscle, type RigInfo, type Vec3 } from '../state/document';
import { evaluate, type Point } from './filter-curve';

/** How much a muscle without a profile swells where: nothing at the ends, most in the middle. */
export const bump = (e: number): number => 16 * e * e * (1 - e) * (1 - e);

/** Points on the bump, to begin a profile with. */
export const bumpPoints: readonly Point[] = [0, 0.25, 0.5, 0.75, 1].map((x): Point => [x, bump(x)]);

/** B(e) of a profile. */
export const profileAt = (profile: readonly Point[], e: number): number => (profile.length === 0 ? bump(e) : evaluate(profile, e));

/** Directions that people have words for. */
export const sides: readonly { readonly name: string; readonly direction: Vec3 | undefined }[] = [
  { name: 'all around', direction: undefined },
  { name: 'front', direction: [0, 0, 1] },
  { name: 'back', direction: [0, 0, -1] },
  { name: 'up', direction: [0, 1, 0] },
  { name: 'down', direction: [0, -1, 0] },
  { name: 'left', direction: [1, 0, 0] },
  { name: 'right', direction: [-1, 0, 0] },
];

/** The word for a direction; its numbers where there is none. */
export function sideName(side: Vec3 | undefined): string {
  const known = sides.find(({ direction }) => direction?.join() === side?.join());
  return known?.name ?? (side as Vec3).map((value) => Number(value.toFixed(2))).join(', ');
}

/** The muscle that a bone most likely has: one that the joint at its tail tenses, or its own length where there is none. */
export function firstMuscle(info: RigInfo, bone: number): Muscle {
  const { tailJoint } = info.bones[bone];
  if (tailJoint < 0 || info.joints[tailJoint].driven) return { profile: [], stretch: 1 };
  return { profile: [], stretch: 0, angle: { joint: info.joints[tailJoint].key, range: [0, 120], gain: 0.4 } };
}

/** Whether nothing drives it: then it is none. */
export const isIdle = ({ stretch, angle }: Muscle): boolean => stretch === 0 && !angle;

/** The bone on the other side, and a muscle as its mirror image; undefined if nobody is there, or about an axis. */
export function mirroredMuscle(info: RigInfo, bone: number, muscle: Muscle): { readonly bone: number; readonly muscle: Muscle } | undefined {
  const partner = mirroredKey(info, info.joints[info.bones[bone].joint].key);
  const other = partner === undefined ? -1 : boneOfJoint(info, info.joints.findIndex(({ key }) => key === partner));
  if (other < 0 || muscle.angle?.axis) return undefined;
  const { angle, side } = muscle;
  return {
    bone: other,
    muscle: {
      ...muscle,
      ...(angle && { angle: { ...angle, joint: mirroredKey(info, angle.joint) ?? angle.joint } }),
      ...(side && { side: [-side[0] || 0, side[1], side[2]] as const }),
    },
  };
}

// How the core's files name bones and joints: by name where it is the first of that name.
const nameOf = (names: readonly string[], index: number): string | number =>
  names[index] !== '' && names.indexOf(names[index]) === index ? names[index] : index;
const numberOf = (names: readonly string[], name: string | number): number => {
  const found = typeof name === 'string' ? names.indexOf(name) : name;
  return found >= 0 ? found : Number(name);
};

/** The muscle of each bone. */
export function musclesOf(rig: Rig): (Muscle | undefined)[] {
  const made = new Array<Muscle | undefined>(rig.boneCount);
  const bones = rig.boneNames;
  const joints = rig.jointNames;
  const keys = jointKeys(joints);
  for (const [name, { profile = [], stretch = 0, angle, side }] of Object.entries(rig.muscles)) {
    made[numberOf(bones, name)] = {
      profile,
      stretch,
      ...(angle && { angle: { ...angle, joint: keys[numberOf(joints, angle.joint)] } }),
      ...(side && { side }),
    };
  }
  return made;
}

/** Gives bones a muscle; null takes theirs away. */
export function setMuscle(rig: Rig, bones: readonly number[], muscle: Muscle | null): void {
  const names = rig.boneNames;
  const joints = rig.jointNames;
  const told: CoreMuscle | undefined = muscle === null || isIdle(muscle) ? undefined : toldMuscle(muscle, joints);
  const changed = bones.map((bone): [string, CoreMuscle | undefined] => [String(nameOf(names, bone)), told]);
  const all = Object.entries({ ...rig.muscles, ...Object.fromEntries(changed) });
  rig.muscles = Object.fromEntries(all.filter((entry): entry is [string, CoreMuscle] => entry[1] !== undefined));
}

function toldMuscle({ profile, stretch, angle, side }: Muscle, joints: readonly string[]): CoreMuscle {
  return {
    ...(profile.length > 0 && { profile: profile.map(([x, y]): [number, number] => [x, y]) }),
    ...(stretch !== 0 && { stretch }),
    ...(angle && {
      angle: {
        joint: nameOf(joints, jointKeys(joints).indexOf(angle.joint)),
        range: [angle.range[0], angle.range[1]],
        gain: angle.gain,
        ...(angle.axis && { axis: [...angle.axis] as [number, number, number] }),
      },
    }),
    ...(side && { side: [...side] as [number, number, number] }),
  };
}
