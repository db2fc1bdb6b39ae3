// SPDX-License-Identifier: Apache-2.0
// Surfaces as they are drawn, and as files.
import type { Deformer, Pose as CorePose, Rig, Sinew } from 'sinew';
import type { Vec3 } from '../state/document';
import { sub, vecAt } from './math';
import type { Surface } from './protocol';

export function deformed(deformer: Deformer, rig: Rig, pose: CorePose): Surface {
  const positions = new Float32Array(3 * rig.vertexCount);
  const normals = new Float32Array(3 * rig.vertexCount);
  deformer.deform(pose, positions, { normals });
  return { positions, normals };
}

/** The mesh of a rig with its vertices elsewhere as an .obj, as `sinew deform` writes it. */
export function objFile(sinew: Sinew, rig: Rig, positions: Float32Array): Uint8Array<ArrayBuffer> {
  const { polygonOffsets: offsets, polygonCorners: corners, triangles, uvs, uvCorners, colors } = rig;
  const mesh = new sinew.Rig();
  let text: string;
  try {
    const faces = offsets && corners ? { offsets, corners } : triangles;
    mesh.setMesh(Float64Array.from(positions), faces, { uvs: uvs ?? undefined, uvCorners: uvCorners ?? undefined, colors: colors ?? undefined });
    text = new TextDecoder().decode(mesh.toBytes('obj'));
  } finally {
    mesh.free();
  }
  return withParts(text, new TextDecoder().decode(rig.toBytes('obj')));
}

// Names of parts and materials from one file into another with the same faces: a mesh that is set has one part.
function withParts(text: string, from: string): Uint8Array<ArrayBuffer> {
  const isFace = (line: string): boolean => line.startsWith('f ');
  const names = new Map<number, string[]>();
  let face = 0;
  for (const line of from.split('\n')) {
    if (isFace(line)) ++face;
    else if (/^(g|usemtl) /.test(line)) names.set(face, [...(names.get(face) ?? []), line]);
  }
  face = 0;
  const lines = text.split('\n').flatMap((line) => (isFace(line) ? [...(names.get(face++) ?? []), line] : [line]));
  return new TextEncoder().encode(lines.join('\n'));
}

export function vertexNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [a, b, c] = corners.map((v) => vecAt(positions, v));
    const u = sub(b, a);
    const w = sub(c, a);
    const n: Vec3 = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    for (const v of corners) for (let k = 0; k < 3; ++k) normals[3 * v + k] += n[k];
  }
  for (let v = 0; v < normals.length; v += 3) {
    const l = Math.hypot(normals[v], normals[v + 1], normals[v + 2]) || 1;
    for (let k = 0; k < 3; ++k) normals[v + k] /= l;
  }
  return normals;
}
