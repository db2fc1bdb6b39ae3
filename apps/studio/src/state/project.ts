// SPDX-License-Identifier: Apache-2.0
// Project files, .sinew: a zip with the rig as .glb, what else the document has as JSON, and how it was looked at.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { channelsOfPoses, fitClip, withKeys, type PoseKey } from './channels';
import type { Channel, Document, Key, KeyClip, Pose, RigInfo } from './document';

export interface Project {
  readonly rig: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** What else the document has, for the rig when it is open. */
  document(info: RigInfo): Partial<Document>;
  readonly bound: boolean;
  readonly camera?: readonly number[];
}

interface Contents {
  readonly format: 'sinew-project';
  readonly version: 2;
  readonly name: string;
  readonly pose: Pose;
  readonly pins: readonly string[];
  readonly locks: readonly string[];
  readonly method: string;
  readonly clips: readonly KeyClip[];
  /** Whether the weights in rig.glb mean anything. */
  readonly bound: boolean;
  readonly camera?: readonly number[];
}

/** What a document has beside its rig. */
export function contentsOf(document: Document, camera?: readonly number[]): Contents {
  const { name, pose, pins, locks, method, clips } = document;
  const bound = document.rig.info.hasWeights;
  return { format: 'sinew-project', version: 2, name, pose, pins, locks, method, clips, bound, camera };
}

export function writeProject(rig: Uint8Array, document: Document, camera?: readonly number[]): Uint8Array<ArrayBuffer> {
  // The same document has the same bytes: no times.
  const fixed = { mtime: new Date(1980, 0, 1), level: 6 as const };
  return zipSync({
    'rig.glb': [rig, fixed],
    'project.json': [strToU8(JSON.stringify(contentsOf(document, camera), null, 1)), fixed],
  });
}

/** Throws an Error that says what is wrong with it. */
export function readProject(bytes: Uint8Array): Project {
  let files: Record<string, Uint8Array<ArrayBuffer>>;
  try {
    files = unzipSync(bytes) as Record<string, Uint8Array<ArrayBuffer>>;
  } catch {
    throw new Error('it is not a project: a zip with rig.glb and project.json is expected');
  }
  const rig = files['rig.glb'];
  const text = files['project.json'];
  if (!rig || !text) throw new Error(`there is no ${rig ? 'project.json' : 'rig.glb'} in it`);
  let json: unknown;
  try {
    json = JSON.parse(strFromU8(text));
  } catch {
    throw new Error('project.json is not JSON');
  }
  return { rig, ...parseContents(json) };
}

/** Checks what was stored. Throws an Error that names the member. */
export function parseContents(json: unknown): Omit<Project, 'rig'> {
  if (!isObject(json) || json.format !== 'sinew-project') throw new Error('project.json: "format" is not "sinew-project"');
  if (json.version !== 1 && json.version !== 2) throw new Error(`project.json: version ${JSON.stringify(json.version)} is of a newer studio`);
  const fail = (name: string): never => {
    throw new Error(`project.json: "${name}" is not what it should be`);
  };
  const strings = (name: string): readonly string[] => {
    const value = json[name];
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : fail(name);
  };
  const text = (name: string): string => (typeof json[name] === 'string' ? json[name] : fail(name));
  const pose = (value: unknown, name: string): Pose => {
    if (!isObject(value) || !isObject(value.joints)) return fail(name);
    for (const joint of Object.values(value.joints)) if (!isObject(joint)) fail(name);
    return value as unknown as Pose;
  };
  if (!Array.isArray(json.clips)) fail('clips');
  const ease = (value: unknown): boolean => ['linear', 'smooth', 'step'].includes(value as string) || isNumbers(value, 4);
  const poseKey = (key: unknown): PoseKey => {
    if (!isObject(key) || !isTime(key.time) || !ease(key.ease)) return fail('clips');
    pose(key.pose, 'clips');
    return key as unknown as PoseKey;
  };
  const channel = (value: unknown): Channel => {
    if (!isObject(value) || typeof value.name !== 'string' || !Array.isArray(value.keys) || value.keys.length === 0) return fail('clips');
    if (typeof value.kind !== 'string' || !Object.hasOwn(valueChecks, value.kind)) return fail('clips');
    const isValue = valueChecks[value.kind as Channel['kind']];
    for (const key of value.keys as unknown[]) {
      if (!isObject(key) || !isTime(key.time) || !ease(key.ease) || !isValue(key.value)) fail('clips');
    }
    return { kind: value.kind as Channel['kind'], name: value.name, keys: withKeys(value.keys as Key[], []) };
  };
  // Before version 2 keys were whole poses: they become channels when it is known what is at rest.
  const clips = (json.clips as unknown[]).map((clip): ((info: RigInfo) => KeyClip) => {
    if (!isObject(clip) || typeof clip.name !== 'string' || typeof clip.loop !== 'boolean') return fail('clips');
    const { name, loop } = clip;
    const list = json.version === 1 ? clip.keys : clip.channels;
    if (!Array.isArray(list)) return fail('clips');
    if (json.version === 1) {
      const poses = list.map(poseKey);
      return (info) => fitClip({ name, loop, channels: channelsOfPoses(info, poses) }, info);
    }
    const channels = list.map(channel);
    return (info) => fitClip({ name, loop, channels }, info);
  });
  const camera = Array.isArray(json.camera) && json.camera.every((n) => typeof n === 'number') ? (json.camera as number[]) : undefined;
  const name = text('name');
  const rest = { name, pose: pose(json.pose, 'pose'), pins: strings('pins'), locks: strings('locks'), method: text('method') };
  return {
    name,
    document: (info) => ({ ...rest, clips: clips.map((clip) => clip(info)) }),
    bound: typeof json.bound === 'boolean' ? json.bound : fail('bound'),
    camera,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isTime = (value: unknown): boolean => isNumber(value) && (value as number) >= 0;
const isNumbers = (value: unknown, count: number): boolean => Array.isArray(value) && value.length === count && value.every(isNumber);

const valueChecks: Record<Channel['kind'], (value: unknown) => boolean> = {
  rotation: (value) =>
    isObject(value) &&
    (value.rotation === undefined || isNumbers(value.rotation, 4)) &&
    (value.twist === undefined || isNumber(value.twist)) &&
    (value.bend === undefined || Array.isArray(value.bend)),
  translation: (value) => isNumbers(value, 3),
  scale: (value) => isNumbers(value, 3),
  stretch: isNumber,
  target: (value) => isObject(value) && isNumbers(value.position, 3) && isNumber(value.weight) && ['kept', 'beyond-reach', 'free'].includes(value.lengths as string),
  shape: isNumber,
  control: isNumber,
};
