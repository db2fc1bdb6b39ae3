// SPDX-License-Identifier: Apache-2.0
// What three.js makes of a rigged glTF file: for each skin, each joint's world matrix times its
// inverse bind matrix (16 numbers by columns), at rest and at moments of each clip; and at those
// moments where its own skinning puts the vertices of each skinned primitive with up to four
// influences.
//   node fk.mjs FILE [SHARE...]   prints JSON; shares of each clip's duration, 0 0.5 1 by default
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

// The loader reports progress in an event that Node does not have.
globalThis.ProgressEvent ??= class extends Event {};

const jsonChunk = 0x4e4f534a;

// The file without what only a browser can decode: materials, and the images they name.
function withoutImages(bytes) {
  const glb = bytes.readUInt32LE(0) === 0x46546c67;
  const length = glb ? bytes.readUInt32LE(12) : bytes.length;
  if (glb && bytes.readUInt32LE(16) !== jsonChunk) throw new Error('the first chunk is not JSON');
  const json = JSON.parse(bytes.toString('utf8', glb ? 20 : 0, glb ? 20 + length : length));
  for (const list of ['images', 'textures', 'materials', 'samplers']) delete json[list];
  for (const mesh of json.meshes ?? []) {
    for (const primitive of mesh.primitives) delete primitive.material;
  }
  if (!glb) return JSON.stringify(json);
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const rest = bytes.subarray(20 + length);
  const header = Buffer.alloc(20);
  for (const [i, v] of [0x46546c67, 2, 20 + text.length + rest.length, text.length, jsonChunk].entries()) {
    header.writeUInt32LE(v, 4 * i);
  }
  const whole = Buffer.concat([header, text, rest]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength);
}

// Rotations that a file rounds coarsely are not of unit length; three.js would scale by that.
function makeUnit(gltf) {
  for (const scene of gltf.scenes) scene.traverse((object) => object.quaternion.normalize());
  const tracks = gltf.animations.flatMap((clip) => clip.tracks);
  for (const { ValueTypeName, times, values } of tracks) {
    if (ValueTypeName !== 'quaternion' || values.length !== 4 * times.length) continue;  // a spline
    for (let i = 0; i < values.length; i += 4) {
      const size = Math.hypot(...values.subarray(i, i + 4));
      for (let k = i; k < i + 4; ++k) values[k] /= size;
    }
  }
}

export async function load(file) {
  const gltf = await new Promise((resolve, reject) =>
    new GLTFLoader().parse(withoutImages(readFileSync(file)), '', resolve, reject));
  makeUnit(gltf);
  return gltf;
}

// Where three.js draws the vertices of a skinned mesh, in world space.
export function skinnedPositions(object) {
  object.skeleton.update();
  const positions = [];
  for (let v = 0; v < object.geometry.attributes.position.count; ++v) {
    const p = object.getVertexPosition(v, new THREE.Vector3());
    positions.push(...object.localToWorld(p).toArray());
  }
  return positions;
}

// timesOf(clip index, clip) gives the moments in seconds.
export async function jointMatrices(file, timesOf) {
  const gltf = await load(file);
  const { json, associations } = gltf.parser;
  const meshes = [];  // one skinned mesh for each skin
  const parts = [];   // all of them, with their node and primitive
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      let holder = object;  // of several primitives, the group above them is the node
      while (holder && associations.get(holder)?.nodes === undefined) holder = holder.parent;
      if (!object.isSkinnedMesh) return;
      const node = associations.get(holder).nodes;
      meshes[json.nodes[node].skin] ??= object;
      const primitive = associations.get(object).primitives ?? 0;
      const { attributes } = json.meshes[json.nodes[node].mesh].primitives[primitive];
      // three.js takes four influences and leaves out the others.
      if (!attributes.JOINTS_1) parts.push({ object, node, primitive });
    });
  }
  const moment = () => {
    for (const scene of gltf.scenes) scene.updateMatrixWorld(true);
    return meshes.map(({ skeleton }) => skeleton.bones.map((bone, i) =>
      new THREE.Matrix4().multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[i]).toArray()));
  };
  const vertices = ({ object, node, primitive }) =>
    ({ node, primitive, positions: skinnedPositions(object) });
  const rest = moment();
  const clips = gltf.animations.map((clip, index) => {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const moments = timesOf(index, clip).map((time) => {
      action.reset();
      mixer.setTime(time);
      return { time, skins: moment(), parts: parts.map(vertices) };
    });
    mixer.stopAllAction();
    return { name: clip.name, moments };
  });
  return { rest, clips };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, ...shares] = process.argv.slice(2);
  const at = shares.length > 0 ? shares.map(Number) : [0, 0.5, 1];
  const result = await jointMatrices(file, (_, clip) => at.map((share) => share * clip.duration));
  console.log(JSON.stringify(result));
}
