// SPDX-License-Identifier: Apache-2.0
// A glTF document as the core sees it: which joint is which node, and which of its vertices a primitive has.

/** The members of glTF that are looked at. */
export interface GltfJson {
  nodes?: { mesh?: number; skin?: number }[];
  skins?: { joints: number[] }[];
  meshes?: { primitives: Primitive[] }[];
  accessors?: { count: number }[];
  bufferViews?: BufferView[];
  buffers?: Buffer[];
  images?: { bufferView?: number }[];
  materials?: { name?: string }[];
  [more: string]: unknown;
}

interface Primitive {
  attributes: Record<string, number>;
  targets?: unknown[];
  mode?: number;
  extensions?: Record<string, unknown>;
}

interface Range {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
}

interface BufferView extends Range {
  extensions?: Record<string, Range>;
}

interface Buffer {
  byteLength: number;
  uri?: string;
  extensions?: Record<string, { fallback?: boolean }>;
}

/** The vertices of a primitive in the rig, and the first of its shapes. */
export interface Part {
  first: number;
  count: number;
  firstShape: number;
}

/** How a document becomes a rig. */
export interface Layout {
  /** The node of each joint. */
  nodes: number[];
  /** By node, then by primitive. */
  parts: Map<number, Map<number, Part>>;
  vertexCount: number;
}

const triangleModes = new Set([undefined, 4, 5, 6]);

/** JSON with members in alphabetical order, so that equal values have equal texts. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/**
 * Joints are the joints of the skins, in their order, then all other nodes. Vertices are those of all nodes with a
 * mesh, primitive after primitive; primitives with the same accessors share them.
 */
export function layoutOf(json: GltfJson): Layout {
  const nodes = new Set<number>();
  for (const skin of json.skins ?? []) for (const node of skin.joints) nodes.add(node);
  (json.nodes ?? []).forEach((_, node) => nodes.add(node));
  const parts: Layout['parts'] = new Map();
  let vertexCount = 0;
  let shapeCount = 0;
  (json.nodes ?? []).forEach((node, index) => {
    if (node.mesh === undefined) return;
    const own = new Map<number, Part>();
    const known = new Map<string, Part>();
    let targets = 0;
    json.meshes?.[node.mesh]?.primitives.forEach((primitive, p) => {
      const positions = primitive.attributes['POSITION'];
      if (!triangleModes.has(primitive.mode) || positions === undefined) return;
      const key = sorted([primitive.attributes, primitive.targets, primitive.extensions?.['KHR_draco_mesh_compression']]);
      let part = known.get(key);
      if (!part) {
        part = { first: vertexCount, count: json.accessors?.[positions]?.count ?? 0, firstShape: shapeCount };
        known.set(key, part);
        vertexCount += part.count;
      }
      targets = primitive.targets?.length ?? 0;
      own.set(p, part);
    });
    shapeCount += targets;
    parts.set(index, own);
  });
  return { nodes: [...nodes], parts, vertexCount };
}

const bufferName = 'buffer.bin';

/** A .gltf and the file that it refers to. */
export interface SlimGltf {
  text: Uint8Array<ArrayBuffer>;
  files: Record<string, Uint8Array<ArrayBuffer>>;
}

/** The document without its pictures, which the core would keep in memory for nothing. `buffers` may lack those that are stand-ins. */
export function withoutPictures(json: GltfJson, buffers: readonly (ArrayBuffer | null)[]): SlimGltf {
  const slim = structuredClone(json);
  const pictures = new Set((json.images ?? []).map((image) => image.bufferView));
  delete slim.images;
  delete slim['textures'];
  delete slim['samplers'];
  if (slim.materials) slim.materials = slim.materials.map(({ name }) => (name === undefined ? {} : { name }));
  const pieces: Uint8Array[] = [];
  let length = 0;
  const moved = (range: Range): void => {
    const bytes = buffers[range.buffer];
    if (!bytes) return;
    pieces.push(new Uint8Array(bytes, range.byteOffset ?? 0, range.byteLength));
    range.buffer = 0;
    range.byteOffset = length;
    length += Math.ceil(range.byteLength / 4) * 4;
  };
  const standIn = { buffer: 0, byteOffset: 0, byteLength: 1 };
  slim.bufferViews = (slim.bufferViews ?? []).map((view, index) => {
    if (pictures.has(index)) return standIn;
    if (buffers[view.buffer]) moved(view);
    else view.buffer = 1;
    for (const range of Object.values(view.extensions ?? {})) if ('buffer' in range) moved(range);
    return view;
  });
  const all = new Uint8Array(Math.max(length, 4));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += Math.ceil(piece.length / 4) * 4;
  }
  slim.buffers = [{ byteLength: all.length, uri: bufferName }];
  const missing = (json.buffers ?? []).filter((_, i) => !buffers[i]);
  if (missing.length > 0) {
    const byteLength = Math.max(...missing.map((buffer) => buffer.byteLength));
    slim.buffers.push({ byteLength, extensions: missing[0]?.extensions ?? {} });
  }
  return { text: new TextEncoder().encode(JSON.stringify(slim)), files: { [bufferName]: all } };
}

/** Whether a buffer has no bytes of its own, but stands for what a compressed one holds. */
export function isFallback(buffer: Buffer): boolean {
  return Object.values(buffer.extensions ?? {}).some((extension) => extension.fallback === true);
}
