// SPDX-License-Identifier: Apache-2.0
// GPUs have one normal and one texture coordinate for each vertex; the vertices of a rig may have several.
import type { RuntimeRig } from './core.js';

/** Vertices for a GPU. */
export interface SplitVertices {
  /** Triangles of them. */
  index: Uint32Array<ArrayBuffer>;
  /** The rig's vertex behind each. */
  vertices: Uint32Array<ArrayBuffer>;
  /** Where corners have normals of their own; null: one for each of the rig's vertices. */
  normals: Float32Array<ArrayBuffer> | null;
  uvs: Float32Array<ArrayBuffer> | null;
}

/** The corners of triangles are those of `triangles`, three by three. */
export function splitVertices(rig: RuntimeRig): SplitVertices {
  const { triangles, normals, uvs } = rig;
  const normalCorners = rig.normalCorners && triangleCorners(rig, rig.normalCorners);
  const uvCorners = rig.uvCorners && triangleCorners(rig, rig.uvCorners);
  const index = new Uint32Array(triangles.length);
  const vertices: number[] = [];
  const normalOf: number[] = [];
  const uvOf: number[] = [];
  const known = new Map<string, number>();
  if (!normalCorners && !uvCorners) {
    for (const list of [vertices, normalOf, uvOf]) for (let v = 0; v < rig.vertexCount; ++v) list.push(v);
    index.set(triangles);
  } else {
    triangles.forEach((v, corner) => {
      const n = normalCorners ? (normalCorners[corner] as number) : v;
      const t = uvCorners ? (uvCorners[corner] as number) : v;
      const key = `${v} ${n} ${t}`;
      let made = known.get(key);
      if (made === undefined) {
        made = vertices.length;
        known.set(key, made);
        vertices.push(v);
        normalOf.push(n);
        uvOf.push(t);
      }
      index[corner] = made;
    });
  }
  return {
    index,
    vertices: Uint32Array.from(vertices),
    normals: normalCorners && normals ? gathered(normals, 3, normalOf) : null,
    // Rigs have v upwards, three.js has it downwards for the textures of glTF.
    uvs: uvs ? gathered(uvs, 2, uvOf).map((x, i) => (i % 2 ? 1 - x : x)) : null,
  };
}

function gathered(values: Float64Array, width: number, picked: readonly number[]): Float32Array<ArrayBuffer> {
  const result = new Float32Array(width * picked.length);
  picked.forEach((from, to) => {
    for (let k = 0; k < width; ++k) result[width * to + k] = values[width * from + k] as number;
  });
  return result;
}

/** Corners of faces, for the triangles that the faces are cut into. */
function triangleCorners(rig: RuntimeRig, corners: Uint32Array): Uint32Array {
  const { triangles, polygonOffsets, polygonCorners } = rig;
  if (!polygonOffsets || !polygonCorners) return corners;
  const result = new Uint32Array(triangles.length);
  let at = 0;
  for (let face = 0; face + 1 < polygonOffsets.length; ++face) {
    const first = polygonOffsets[face] as number;
    const count = (polygonOffsets[face + 1] as number) - first;
    for (let k = 0; k < 3 * (count - 2); ++k, ++at) {
      const vertex = triangles[at] as number;
      const place = polygonCorners.subarray(first, first + count).indexOf(vertex);
      result[at] = corners[first + place] as number;
    }
  }
  return result;
}
