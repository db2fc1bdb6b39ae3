// SPDX-License-Identifier: Apache-2.0
// glTF without compression: what Draco and meshoptimizer packed is unpacked by their own decoders, and the file put
// together anew, before the core reads it.
import { SinewError, usageError } from './errors.js';

const DRACO = 'KHR_draco_mesh_compression';
const MESHOPT = 'EXT_meshopt_compression';
const GLB = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
// By the numbers that glTF has for types: bytes, and the name that Draco has for it.
const TYPES = {
  5120: [1, 'DT_INT8'],
  5121: [1, 'DT_UINT8'],
  5122: [2, 'DT_INT16'],
  5123: [2, 'DT_UINT16'],
  5125: [4, 'DT_UINT32'],
  5126: [4, 'DT_FLOAT32'],
};

const inputError = (place, problem) =>
  new SinewError(`${place}: ${problem}`, 2, 'SINEW_ERROR_INPUT');

const padded = (size, to) => Math.ceil(size / to) * to;

/** The JSON and the binary chunk of a file; null where it has no readable JSON, which the core says more about. */
function parsed(bytes, format) {
  let text = bytes;
  let binary = null;
  if (format === 'glb') {
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 20 || data.getUint32(0, true) !== GLB) return null;
    const size = data.getUint32(12, true);
    if (20 + size > bytes.length) return null;
    text = bytes.subarray(20, 20 + size);
    const next = 20 + size;
    if (next + 8 <= bytes.length && data.getUint32(next + 4, true) === BINARY_CHUNK) {
      binary = bytes.subarray(next + 8, next + 8 + data.getUint32(next, true));
    }
  }
  try {
    return { json: JSON.parse(new TextDecoder().decode(text)), binary };
  } catch {
    return null;
  }
}

function fromDataUri(uri, place) {
  const match = /^data:[^,]*;base64,(.*)$/s.exec(uri);
  if (!match) throw inputError(place, 'it is not in base64');
  return Uint8Array.from(atob(match[1]), (letter) => letter.charCodeAt(0));
}

/** The bytes of buffers, by number, each looked for once. */
function bufferReader({ json, binary }, files) {
  const found = new Map();
  return (number) => {
    if (found.has(number)) return found.get(number);
    const place = `/buffers/${number}`;
    const buffer = json.buffers?.[number];
    if (!buffer) throw inputError(place, 'there is no such buffer');
    let bytes = binary;
    if (buffer.uri?.startsWith('data:')) bytes = fromDataUri(buffer.uri, place);
    else if (buffer.uri !== undefined) bytes = files[decodeURI(buffer.uri)];
    if (!bytes) throw inputError(place, 'its file is not among those given');
    found.set(number, bytes);
    return bytes;
  };
}

function part(bytes, offset, length, place) {
  if (!(offset >= 0 && length >= 0 && offset + length <= bytes.length)) {
    throw inputError(place, 'it goes beyond the end of its buffer');
  }
  return bytes.subarray(offset, offset + length);
}

function unpackedByMeshopt(view, place, bufferOf, decoder) {
  const { buffer, byteOffset = 0, byteLength, byteStride, count, mode, filter } = view.extensions[MESHOPT];
  const source = part(bufferOf(buffer), byteOffset, byteLength, place);
  const target = new Uint8Array(count * byteStride);
  try {
    decoder.decodeGltfBuffer(target, count, byteStride, source, mode, filter);
  } catch (error) {
    throw inputError(place, `meshoptimizer cannot decode it: ${error.message}`);
  }
  return target;
}

/** The triangles and attributes of one primitive. */
function unpackedByDraco(draco, source, attributes, accessors, place) {
  const decoder = new draco.Decoder();
  const buffer = new draco.DecoderBuffer();
  const mesh = new draco.Mesh();
  try {
    buffer.Init(new Int8Array(source), source.length);
    const status = decoder.DecodeBufferToMesh(buffer, mesh);
    if (!status.ok() || mesh.ptr === 0) {
      throw inputError(place, `Draco cannot decode it: ${status.error_msg()}`);
    }
    const copied = (size, fill) => {
      const pointer = draco._malloc(size);
      try {
        fill(pointer);
        return draco.HEAPU8.slice(pointer, pointer + size);
      } finally {
        draco._free(pointer);
      }
    };
    const points = mesh.num_points();
    const result = { points, attributes: {} };
    const size = 12 * mesh.num_faces();
    result.triangles = copied(size, (to) => decoder.GetTrianglesUInt32Array(mesh, size, to));
    for (const [name, id] of Object.entries(attributes)) {
      const accessor = accessors[name];
      const [bytes, type] = TYPES[accessor.componentType] ?? [];
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (!bytes || attribute.ptr === 0) throw inputError(place, `it has no ${name}`);
      const length = points * COMPONENTS[accessor.type] * bytes;
      if (attribute.num_components() !== COMPONENTS[accessor.type]) {
        throw inputError(place, `${name} has ${attribute.num_components()} components`);
      }
      result.attributes[name] = copied(length, (to) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[type], length, to),
      );
    }
    return result;
  } finally {
    draco.destroy(mesh);
    draco.destroy(buffer);
    draco.destroy(decoder);
  }
}

/** Replaces what is compressed in the JSON; `views` has the bytes of buffer views, and gets new ones. */
function unpackPrimitives(json, views, draco) {
  (json.meshes ?? []).forEach((mesh, m) =>
    (mesh.primitives ?? []).forEach((primitive, p) => {
      const packed = primitive.extensions?.[DRACO];
      if (!packed) return;
      const place = `/meshes/${m}/primitives/${p}`;
      const names = Object.keys(packed.attributes);
      const accessors = Object.fromEntries(
        names.map((name) => [name, json.accessors?.[primitive.attributes?.[name]]]),
      );
      const missing = names.find((name) => !accessors[name]);
      if (missing) throw inputError(place, `${missing} has no accessor`);
      const source = views[packed.bufferView];
      if (!source) throw inputError(place, 'its data is missing');
      const unpacked = unpackedByDraco(draco, source, packed.attributes, accessors, place);
      // The first of them takes the place of the packed data.
      let free = packed.bufferView;
      const put = (accessor, bytes, count) => {
        const number = free ?? json.bufferViews.length;
        free = null;
        json.bufferViews[number] = {};
        views[number] = bytes;
        Object.assign(accessor, { bufferView: number, byteOffset: 0, count });
      };
      for (const name of names) put(accessors[name], unpacked.attributes[name], unpacked.points);
      const indices = json.accessors?.[primitive.indices];
      if (indices) {
        indices.componentType = 5125;
        put(indices, unpacked.triangles, unpacked.triangles.length / 4);
      }
      delete primitive.extensions[DRACO];
      if (Object.keys(primitive.extensions).length === 0) delete primitive.extensions;
    }),
  );
}

/** A .glb of the JSON, all of whose buffer views lie in one buffer. */
function assembled(json, views) {
  let size = 0;
  json.bufferViews.forEach((view, number) => {
    Object.assign(view, { buffer: 0, byteOffset: size, byteLength: views[number].length });
    size = padded(size + views[number].length, 8);
  });
  json.buffers = size > 0 ? [{ byteLength: size }] : [];
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textSize = padded(text.length, 4);
  const file = new Uint8Array(28 + textSize + size);
  const data = new DataView(file.buffer);
  [GLB, 2, file.length, textSize, JSON_CHUNK].forEach((word, i) => data.setUint32(4 * i, word, true));
  file.fill(0x20, 20, 20 + textSize);
  file.set(text, 20);
  data.setUint32(20 + textSize, size, true);
  data.setUint32(24 + textSize, BINARY_CHUNK, true);
  json.bufferViews.forEach((view, number) => file.set(views[number], 28 + textSize + view.byteOffset));
  return file;
}

/** The bytes of a file and its format, without compression; those given where there is none. */
export function uncompressed(bytes, format, files, { draco, meshopt }) {
  const plain = { bytes, format };
  if (format !== 'glb' && format !== 'gltf') return plain;
  const file = parsed(bytes, format);
  const used = file?.json?.extensionsUsed;
  if (!Array.isArray(used)) return plain;
  for (const [extension, decoder, option] of [
    [DRACO, draco, 'draco'],
    [MESHOPT, meshopt, 'meshopt'],
  ]) {
    if (used.includes(extension) && !decoder) {
      throw usageError(`the file needs ${extension}: give its decoder to createSinew({ ${option} })`);
    }
  }
  if (!used.includes(DRACO) && !used.includes(MESHOPT)) return plain;

  const { json } = file;
  json.bufferViews ??= [];
  const bufferOf = bufferReader(file, files);
  const views = json.bufferViews.map((view, number) => {
    const place = `/bufferViews/${number}`;
    if (!view.extensions?.[MESHOPT]) {
      return part(bufferOf(view.buffer), view.byteOffset ?? 0, view.byteLength, place);
    }
    const unpacked = unpackedByMeshopt(view, place, bufferOf, meshopt);
    delete view.extensions[MESHOPT];
    if (Object.keys(view.extensions).length === 0) delete view.extensions;
    return unpacked;
  });
  unpackPrimitives(json, views, draco);
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    json[list] = json[list]?.filter((name) => name !== DRACO && name !== MESHOPT);
    if (json[list]?.length === 0) delete json[list];
  }
  return { bytes: assembled(json, views), format: 'glb' };
}
