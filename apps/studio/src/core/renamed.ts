// SPDX-License-Identifier: Apache-2.0
// The core keeps what belongs to joints and bones by their names. What belongs to renamed ones is told to it anew.
import type { Rig } from 'sinew';
import { jointKeys, type Muscle } from '../state/document';
import { filterStep, type Point } from './filter-curve';
import { musclesOf, setMuscle } from './muscles';

type Json = Readonly<Record<string, unknown>>;

/** Filters, muscles, drivers and correctives of a rig. */
export interface Settings {
  readonly joints: readonly string[];
  readonly boneJoints: Int32Array;
  readonly filters: readonly { readonly stretch: Float64Array; readonly twist: Float64Array }[];
  readonly muscles: readonly (Muscle | undefined)[];
  readonly drivers: { readonly drivers: readonly Json[]; readonly poseSpaces: readonly Json[] } & Json;
}

export function settingsOf(rig: Rig): Settings {
  return {
    joints: rig.jointNames,
    boneJoints: rig.boneJoints,
    filters: rig.boneNames.map((_, bone) => ({ stretch: rig.stretchFilter(bone), twist: rig.twistFilter(bone) })),
    muscles: musclesOf(rig),
    drivers: rig.drivers() as unknown as Settings['drivers'],
  };
}

/** Gives a rig the settings of the one that it was; `place` says where joints of that one are now, -1: nowhere. */
export function setSettings(rig: Rig, settings: Settings, place: (joint: number) => number): void {
  const names = rig.jointNames;
  const keys = jointKeys(names);
  const oldKeys = jointKeys(settings.joints);
  const boneJoints = [...rig.boneJoints];
  settings.boneJoints.forEach((joint, bone) => {
    const now = boneJoints.indexOf(place(joint));
    if (now < 0) return;
    for (const kind of ['stretch', 'twist'] as const) {
      const points = pairs(settings.filters[bone][kind]);
      if (points.length > 0) rig.edit([filterStep(kind, [names[boneJoints[now]]], points)]);
    }
    const muscle = settings.muscles[bone];
    if (!muscle) return;
    const { angle, ...rest } = muscle;
    const follows = angle ? place(oldKeys.indexOf(angle.joint)) : -1;
    setMuscle(rig, [now], follows < 0 || !angle ? rest : { ...rest, angle: { ...angle, joint: keys[follows] } });
  });
  const named = (joint: unknown): string | number | undefined => {
    const now = place(typeof joint === 'string' ? settings.joints.indexOf(joint) : (joint as number));
    return now < 0 ? undefined : names.indexOf(names[now]) === now && names[now] !== '' ? names[now] : now;
  };
  const kept = (list: readonly Json[]): Json[] => list.flatMap((item) => withJoints(item, named) ?? []) as Json[];
  const { drivers, poseSpaces } = settings.drivers;
  if (drivers.length + poseSpaces.length > 0) rig.edit([{ drivers: { ...settings.drivers, drivers: kept(drivers), poseSpaces: kept(poseSpaces) } }]);
}

// The same with other names of joints; undefined if one of them is gone.
function withJoints(value: unknown, named: (joint: unknown) => string | number | undefined): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withJoints(item, named));
    return items.includes(undefined) ? undefined : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value as Json)) {
    const isJoint = (name === 'joint' || name === 'source') && typeof part !== 'object';
    if (isJoint) made[name] = named(part);
    else if (name === 'joints' && Array.isArray(part)) made[name] = part.map(named).includes(undefined) ? undefined : part.map(named);
    else made[name] = withJoints(part, named);
    if (made[name] === undefined) return undefined;
  }
  return made;
}

const pairs = (flat: Float64Array): Point[] => Array.from({ length: flat.length / 2 }, (_, i): Point => [flat[2 * i], flat[2 * i + 1]]);
