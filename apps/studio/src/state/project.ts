// SPDX-License-Identifier: Apache-2.0
// Project files, .sinew: a zip with the rig as .glb, what else the document has as JSON, and how it was looked at.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Document, KeyClip, Pose } from './document';

export interface Project {
  readonly rig: Uint8Array<ArrayBuffer>;
  readonly document: Partial<Document>;
  readonly bound: boolean;
  readonly camera?: readonly number[];
}

interface Contents {
  readonly format: 'sinew-project';
  readonly version: 1;
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
  return { format: 'sinew-project', version: 1, name, pose, pins, locks, method, clips, bound, camera };
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
  if (json.version !== 1) throw new Error(`project.json: version ${String(json.version)} is of a newer studio`);
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
  const clips = (json.clips as unknown[]).map((clip): KeyClip => {
    if (!isObject(clip) || typeof clip.name !== 'string' || typeof clip.loop !== 'boolean' || !Array.isArray(clip.keys)) return fail('clips');
    for (const key of clip.keys as unknown[]) {
      if (!isObject(key) || typeof key.time !== 'number' || !['linear', 'smooth', 'step'].includes(key.ease as string)) fail('clips');
      else pose(key.pose, 'clips');
    }
    return clip as unknown as KeyClip;
  });
  const camera = Array.isArray(json.camera) && json.camera.every((n) => typeof n === 'number') ? (json.camera as number[]) : undefined;
  return {
    document: { name: text('name'), pose: pose(json.pose, 'pose'), pins: strings('pins'), locks: strings('locks'), method: text('method'), clips },
    bound: typeof json.bound === 'boolean' ? json.bound : fail('bound'),
    camera,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
