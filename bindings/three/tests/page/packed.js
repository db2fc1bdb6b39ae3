// SPDX-License-Identifier: Apache-2.0
// Files of the core, changed or packed as other programs do, by the encoders of npm.
import { MeshoptEncoder } from 'meshoptimizer';

/** A .glb whose JSON was changed by `change`, which may return other bytes for its buffer, too. */
export function edited(bytes, change) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const old = bytes.subarray(28 + length);
  const binary = change(json, old) ?? old;
  let text = JSON.stringify(json);
  text += ' '.repeat((4 - (text.length % 4)) % 4);
  const result = new Uint8Array(28 + text.length + binary.length);
  const out = new DataView(result.buffer);
  [0x46546c67, 2, result.length, text.length, 0x4e4f534a].forEach((word, i) => out.setUint32(4 * i, word, true));
  result.set(new TextEncoder().encode(text), 20);
  [binary.length, 0x004e4942].forEach((word, i) => out.setUint32(20 + text.length + 4 * i, word, true));
  result.set(binary, 28 + text.length);
  return result;
}

/** Bytes one after the other, each from a multiple of 8 on. */
class Pieces {
  #pieces = [];
  length = 0;

  /** Where they lie. */
  add(bytes) {
    const at = this.length;
    this.#pieces.push([at, bytes]);
    this.length = Math.ceil((at + bytes.length) / 8) * 8;
    return at;
  }

  joined() {
    const result = new Uint8Array(this.length);
    for (const [at, bytes] of this.#pieces) result.set(bytes, at);
    return result;
  }
}

function needs(json, extension) {
  for (const list of ['extensionsUsed', 'extensionsRequired']) json[list] = [...(json[list] ?? []), extension];
}

/** A .glb whose buffer views are packed by meshoptimizer. */
export async function packedByMeshopt(bytes) {
  await MeshoptEncoder.ready;
  const extension = 'EXT_meshopt_compression';
  return edited(bytes, (json, binary) => {
    const pieces = new Pieces();
    json.bufferViews.forEach((view, number) => {
      const data = binary.slice(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength);
      const [{ count }] = json.accessors.filter((accessor) => accessor.bufferView === number);
      const byteStride = view.byteStride ?? data.length / count;
      const mode = byteStride % 4 === 0 && view.target !== 34963 ? 'ATTRIBUTES' : 'INDICES';
      const packed = MeshoptEncoder.encodeGltfBuffer(data, count, byteStride, mode);
      const range = { buffer: 0, byteOffset: pieces.add(packed), byteLength: packed.length };
      view.extensions = { [extension]: { ...range, byteStride, count, mode } };
      view.buffer = 1;
    });
    // What the views stand for, for programs that do not know the extension, is left out.
    const fallback = { byteLength: json.buffers[0].byteLength, extensions: { [extension]: { fallback: true } } };
    json.buffers = [{ byteLength: pieces.length }, fallback];
    needs(json, extension);
    return pieces.joined();
  });
}

/** Draco's module for 'Decoder' or 'Encoder', whose package was made for node and has but a script for browsers. */
export async function dracoModule(kind) {
  const name = `Draco${kind}Module`;
  if (!window[name]) {
    const script = document.createElement('script');
    script.src = `/draco/draco_${kind.toLowerCase()}_gltf_nodejs.js`;
    const loaded = new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
    document.head.append(script);
    await loaded;
  }
  return window[name]();
}

const arrays = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const types = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** The numbers of an accessor whose view has no other. */
function numbers(json, binary, { bufferView, byteOffset = 0, componentType, type, count }) {
  const begin = (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
  const array = arrays[componentType];
  const data = binary.slice(begin, begin + count * types[type] * array.BYTES_PER_ELEMENT);
  return new array(data.buffer);
}

/** A .glb whose primitives are packed by Draco, in an order of its own, positions rounded to 16 bits. */
export async function packedByDraco(bytes) {
  const draco = await dracoModule('Encoder');
  const packed = ({ attributes, indices }, read) => {
    const builder = new draco.MeshBuilder();
    const mesh = new draco.Mesh();
    const triangles = Uint32Array.from(read(indices).values);
    builder.AddFacesToMesh(mesh, triangles.length / 3, triangles);
    const ids = {};
    for (const [name, index] of Object.entries(attributes)) {
      const { values, accessor } = read(index);
      const add = { 5121: 'AddUInt8Attribute', 5123: 'AddUInt16Attribute', 5126: 'AddFloatAttribute' }[accessor.componentType];
      ids[name] = builder[add](mesh, draco[name] ?? draco.GENERIC, accessor.count, types[accessor.type], values);
    }
    const encoder = new draco.Encoder();
    encoder.SetAttributeQuantization(draco.POSITION, 16);
    encoder.SetTrackEncodedProperties(true);
    const out = new draco.DracoInt8Array();
    const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
    const data = Uint8Array.from({ length }, (_, i) => out.GetValue(i));
    return { data, ids, points: encoder.GetNumberOfEncodedPoints() };
  };
  return edited(bytes, (json, binary) => {
    const pieces = new Pieces();
    pieces.add(binary);
    const read = (index) => ({ accessor: json.accessors[index], values: numbers(json, binary, json.accessors[index]) });
    for (const primitive of json.meshes.flatMap((mesh) => mesh.primitives)) {
      const { data, ids, points } = packed(primitive, read);
      json.bufferViews.push({ buffer: 0, byteOffset: pieces.add(data), byteLength: data.length });
      primitive.extensions = {
        KHR_draco_mesh_compression: { bufferView: json.bufferViews.length - 1, attributes: ids },
      };
      for (const index of Object.values(primitive.attributes)) json.accessors[index].count = points;
      for (const index of [primitive.indices, ...Object.values(primitive.attributes)]) {
        delete json.accessors[index].bufferView;
        delete json.accessors[index].byteOffset;
      }
    }
    json.buffers[0].byteLength = pieces.length;
    needs(json, 'KHR_draco_mesh_compression');
    return pieces.joined();
  });
}
