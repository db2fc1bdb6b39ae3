// SPDX-License-Identifier: Apache-2.0
// Blend shapes that the pose turns on.
import type { Rig } from 'sinew';
import { jointKeys, type CorrectiveInfo, type ShapeInfo } from '../state/document';

interface Drivers {
  readonly controls: readonly unknown[];
  readonly drivers: readonly { readonly shape?: string | number }[];
  readonly poseSpaces: readonly {
    readonly joints: readonly (string | number)[];
    readonly examples: readonly { readonly shapes: readonly (string | number)[] }[];
  }[];
}

// The core names shapes and joints by name where it can, and by number elsewhere.
const placesOf = (names: readonly string[], key: string | number): number[] =>
  typeof key === 'number' ? [key] : names.flatMap((name, i) => (name === key ? [i] : []));

/** The shapes of a rig, and those of them that follow the pose. */
export function shapesOf(rig: Rig): { shapes: ShapeInfo[]; correctives: CorrectiveInfo[] } {
  const names = rig.shapeNames;
  const rests = rig.shapeDefaults;
  const joints = rig.jointNames;
  const keys = jointKeys(joints);
  const { drivers, poseSpaces } = driversOf(rig);
  const driven = new Set(drivers.flatMap(({ shape }) => (shape === undefined ? [] : placesOf(names, shape))));
  const correctives: CorrectiveInfo[] = [];
  for (const space of poseSpaces) {
    const followed = space.joints.map((joint) => keys[placesOf(joints, joint)[0]]);
    for (const shape of space.examples.flatMap((example) => example.shapes.flatMap((key) => placesOf(names, key)))) {
      driven.add(shape);
      correctives.push({ name: names[shape], shape, joints: followed });
    }
  }
  return { shapes: names.map((name, s) => ({ name, rest: rests[s], driven: driven.has(s) })), correctives };
}

/** Lets a corrective no longer follow the pose: its shape stays, to be set by hand. */
export function releaseCorrective(rig: Rig, shape: number): void {
  const names = rig.shapeNames;
  const told = driversOf(rig);
  const poseSpaces = told.poseSpaces
    .map((space) => ({ ...space, examples: space.examples.filter(({ shapes }) => !shapes.some((key) => placesOf(names, key).includes(shape))) }))
    .filter(({ examples }) => examples.length > 0);
  rig.edit([{ drivers: { ...told, poseSpaces } }]);
}

const driversOf = (rig: Rig): Drivers => rig.drivers() as unknown as Drivers;
