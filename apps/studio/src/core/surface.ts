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

/** The mesh of a rig with its vertices elsewhere, as `sinew deform` writes it. */
export function meshFile(sinew: Sinew, rig: Rig, positions: Float32Array, format: string): Uint8Array<ArrayBuffer> {
  const { polygonOffsets: offsets, polygonCorners: corners, triangles, uvs, uvCorners } = rig;
  const mesh = new sinew.Rig();
  try {
    mesh.setMesh(Float64Array.from(positions), offsets && corners ? { offsets, corners } : triangles, { uvs: uvs ?? undefined, uvCorners: uvCorners ?? undefined });
    return mesh.toBytes(format);
  } finally {
    mesh.free();
  }
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
