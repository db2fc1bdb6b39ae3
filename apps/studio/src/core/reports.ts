// SPDX-License-Identifier: Apache-2.0
// What the page is told of what the core has reported: the part that people see, with types.
import type { Report } from 'sinew';
import type { MotionMap } from './protocol';

export interface WeightReport {
  readonly poor: boolean;
  readonly findings: readonly string[];
  readonly bleeding: readonly number[];
  readonly influences: { readonly mean: number; readonly max: number };
  readonly uncovered: number;
  readonly hasEndpoints: boolean;
}

/** Errors are in percent. */
export interface BakeReport {
  readonly maxError: number;
  readonly bound: number | null;
  readonly isWithinBound: boolean;
  readonly remedy: string;
  readonly maxErrorBox: number;
  readonly plainErrorBox: number;
  readonly helpers: number;
  readonly maxInfluences: number;
  readonly clips: number;
  readonly poses: number;
}

export interface CorrectiveReport {
  readonly name: string;
  readonly joints: readonly string[];
  readonly moved: number;
  /** Vertices that do not get to where they were put. */
  readonly off: readonly number[];
}

/** Null: there is nothing of it to be measured. */
export interface MethodMeasures {
  readonly method: string;
  readonly distortedArea: number;
  readonly newCrossings: number;
  readonly smallestRadius: number | null;
  readonly twistNearJoints: number | null;
  readonly volumeChange: number | null;
}

export type OperationReport =
  | { readonly kind: 'skeleton'; readonly dropped: readonly string[] }
  | { readonly kind: 'motion'; readonly mapped: number; readonly left: number; readonly map: MotionMap };

export const weightReport = (report: Report): WeightReport => ({
  poor: report.poor,
  findings: report.findings,
  bleeding: report.bleeding.vertices,
  influences: { mean: report.influences.mean, max: report.influences.max },
  uncovered: report.uncovered,
  hasEndpoints: report.endpoint_weights,
});

export const bakeReport = (report: Report): BakeReport => ({
  maxError: report.max_error,
  bound: report.bound,
  isWithinBound: report.within_bound,
  remedy: report.remedy,
  maxErrorBox: report.max_error_box,
  plainErrorBox: report.plain_error_box,
  helpers: report.helpers,
  maxInfluences: report.max_influences,
  clips: report.clips,
  poses: report.poses,
});

/** Of the only example that was given. */
export function correctiveReport(report: Report): CorrectiveReport {
  const [{ name, joints, moved_vertices: moved, off }] = report.correctives;
  return { name, joints, moved, off: off.map(({ vertex }: { vertex: number }) => vertex) };
}

export const methodMeasures = (report: Report): MethodMeasures[] =>
  report.methods.map((method: Report) => ({
    method: method.method,
    distortedArea: method.strain.distorted_area,
    newCrossings: method.self_intersections.new,
    smallestRadius: method.radius.smallest,
    twistNearJoints: method.twist.near_joints,
    volumeChange: method.volume?.change ?? null,
  }));

export const motionReport = (report: Report): OperationReport => ({
  kind: 'motion',
  mapped: report.mapped.length,
  left: report.unmapped_source.length,
  map: report.map,
});
