// SPDX-License-Identifier: Apache-2.0
// A very large mesh in fewer triangles, for while it moves. They are over the same vertices, so that whatever deforms
// these deforms the proxy: one vertex stands for all in a cell of a grid.

// From how many triangles on a mesh is large, and how many its proxy has, about.
const largeMesh = 300_000;
const proxyTriangles = 60_000;

/** Whether a mesh has so many triangles that a proxy is worth its while. */
export function isLarge({ triangles }: { readonly triangles: number }): boolean {
  return triangles >= largeMesh;
}

export interface Group {
  readonly start: number;
  readonly count: number;
  readonly materialIndex?: number;
}

export interface Proxy {
  readonly index: Uint32Array;
  readonly groups: readonly Group[];
}

/** `positions` has 3 numbers for each vertex that `index` names, `uvs` 2; groups are parts of the index. */
export function proxyOf(index: Uint32Array, positions: ArrayLike<number>, uvs: ArrayLike<number> | null, groups: readonly Group[], triangles = proxyTriangles): Proxy {
  const cell = cellSize(index, positions, triangles);
  const standsFor = representatives(positions, uvs, cell);
  const made = new Uint32Array(index.length);
  let count = 0;
  const parts = groups.map((group): Group => {
    const start = count;
    for (let corner = group.start; corner + 2 < group.start + group.count; corner += 3) {
      const a = standsFor[index[corner]];
      const b = standsFor[index[corner + 1]];
      const c = standsFor[index[corner + 2]];
      if (a === b || b === c || c === a) continue;
      made[count++] = a;
      made[count++] = b;
      made[count++] = c;
    }
    return { ...group, start, count: count - start };
  });
  return { index: made.slice(0, count), groups: parts };
}

// A surface meets about its area divided by that of a cell's side in cells, and has two triangles for each.
function cellSize(index: Uint32Array, positions: ArrayLike<number>, triangles: number): number {
  let area = 0;
  for (let corner = 0; corner < index.length; corner += 3) {
    const [a, b, c] = [3 * index[corner], 3 * index[corner + 1], 3 * index[corner + 2]];
    const [ux, uy, uz] = [positions[b] - positions[a], positions[b + 1] - positions[a + 1], positions[b + 2] - positions[a + 2]];
    const [vx, vy, vz] = [positions[c] - positions[a], positions[c + 1] - positions[a + 1], positions[c + 2] - positions[a + 2]];
    area += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return Math.sqrt((2 * area) / triangles);
}

// For each vertex the one that stands for it: the nearest to the middle of those in its cell. Vertices from distant
// places of a texture are kept apart, lest it is smeared over its seams.
function representatives(positions: ArrayLike<number>, uvs: ArrayLike<number> | null, cell: number): Uint32Array {
  const count = positions.length / 3;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  const wide = [0, 1].map((k) => Math.floor((max[k] - min[k]) / cell) + 1);
  const along = (v: number, k: number): number => Math.floor((positions[3 * v + k] - min[k]) / cell);
  const patch = (value: number): number => Math.floor(8 * value) & 7;
  const cells = new Map<number, number>();
  const cellOf = new Uint32Array(count);
  const sums: number[] = [];
  for (let v = 0; v < count; ++v) {
    const inTexture = uvs ? 8 * patch(uvs[2 * v]) + patch(uvs[2 * v + 1]) : 0;
    const key = ((along(v, 2) * wide[1] + along(v, 1)) * wide[0] + along(v, 0)) * 64 + inTexture;
    let found = cells.get(key);
    if (found === undefined) {
      found = cells.size;
      cells.set(key, found);
      sums.push(0, 0, 0, 0);
    }
    cellOf[v] = found;
    for (let k = 0; k < 3; ++k) sums[4 * found + k] += positions[3 * v + k];
    ++sums[4 * found + 3];
  }
  const best = new Uint32Array(cells.size);
  const least = new Float64Array(cells.size).fill(Infinity);
  for (let v = 0; v < count; ++v) {
    const c = cellOf[v];
    const n = sums[4 * c + 3];
    const far = Math.hypot(positions[3 * v] - sums[4 * c] / n, positions[3 * v + 1] - sums[4 * c + 1] / n, positions[3 * v + 2] - sums[4 * c + 2] / n);
    if (far < least[c]) [best[c], least[c]] = [v, far];
  }
  return cellOf.map((c) => best[c]);
}
