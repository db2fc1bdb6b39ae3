// SPDX-License-Identifier: Apache-2.0
// Rigs of the core through the loader, the mixer and the GPU, against the core's own results.
import { Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import { SinewCharacter, SinewMesh, SinewSkin, cloneCharacter, createBones } from 'sinew-three';
import { atMost, moreThan, same } from './check.js';
import { edited, packedByDraco, packedByMeshopt } from './packed.js';
import { farthest, load, playTo, sinew, sizeOf, widestAngle } from './rigs.js';
import { kind, makeRenderer, readVertices } from './view.js';

const renderer = await makeRenderer();
export const methods = ['lbs', 'dqs', 'mixed', 'stbs-lbs', 'stbs-dqs', 'stbs-mixed'];

/** The largest deviation of a loaded rig from `rig`, by the given methods, at moments of a clip; relative to its size. */
async function deviation(loaded, rig, clip, fractions, names = methods) {
  const { duration } = rig.clip(clip);
  let worst = 0;
  for (const fraction of fractions) {
    playTo(loaded, clip, fraction * duration);
    for (const method of names) {
      loaded.character.method = method;
      const deformer = new sinew.Deformer(rig, method);
      const expected = deformer.at({ clip, time: fraction * duration }).positions;
      deformer.free();
      for (const mesh of loaded.meshes) {
        const found = await readVertices(renderer, mesh);
        worst = Math.max(worst, atMost(1e-5, farthest(mesh, found, expected) / sizeOf(expected), `${method} at ${fraction} of clip ${clip}`));
      }
    }
  }
  return worst;
}

/** The whole way of a rig: written, loaded, played, drawn; all its clips with WebGLRenderer, the last one with the others. */
async function roundTrip(rig, fractions, names = methods) {
  const bytes = rig.toBytes('glb');
  const read = sinew.read(bytes, { format: 'glb' });
  const loaded = await load(bytes);
  let worst = 0;
  const clips = read.clipNames.length;
  for (let clip = kind === 'webgl' ? 0 : clips - 1; clip < clips; ++clip) {
    worst = Math.max(worst, await deviation(loaded, read, clip, fractions, names));
  }
  loaded.dispose();
  read.free();
  return worst;
}

export const cases = {};

// All samples, all methods. WebGPURenderer makes the same of them on WebGL2 as on WebGPU: there, one will do.
for (const name of kind === 'webgpu-gl' ? ['arm'] : Object.keys(sinew.samples())) {
  cases[`sample_${name}`] = async () => {
    const rig = sinew.sample(name, { vertices: 400 });
    const clips = rig.clipNames.length;
    const worst = await roundTrip(rig, [0.6]);
    rig.free();
    return { clips, worst };
  };
}

Object.assign(cases, {
  async turns_are_followed() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const joint = rig.jointNames[rig.boneTailJoints.find((j) => j >= 0)];
    rig.addKeys({
      name: 'wring',
      keys: [
        { time: 0, pose: {} },
        { time: 1, pose: { joints: { [joint]: { twist: 500 } } } },
      ],
    });
    const bytes = rig.toBytes('glb');
    const loaded = await load(bytes);
    const clip = rig.findClip('wring');
    const worst = await deviation(loaded, rig, clip, [0.5, 1], ['stbs-lbs', 'stbs-dqs']);
    const twist = Math.max(...Array.from(loaded.character.pose.boneTwists, Math.abs));
    moreThan(Math.PI, twist, 'the twist in radians');
    loaded.dispose();
    rig.free();
    return { joint, twist, worst };
  },

  async settings_of_the_file() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const bone = rig.boneNames[1];
    rig.edit([
      { 'twist-endpoints': 'projection' },
      { 'twist-filter': `${bone}=free:0:0,0.5:1,1:0` },
      { filter: `${bone}=0:0,0.3:0.1,1:1` },
      { 'twist-share': `${bone}=0.3` },
      { 'blend-share': 0.3 },
    ]);
    const worst = await roundTrip(rig, [0.3, 0.7]);
    rig.free();
    return { worst };
  },

  async many_influences() {
    const rig = sinew.sample('mannequin', { vertices: 400 });
    const bones = rig.boneCount;
    // Every vertex is moved by eleven bones.
    const slots = 11;
    const weights = new Float64Array(slots * rig.vertexCount).map((_, i) => 1 / (1 + (i % slots)));
    const which = new Int32Array(weights.length).map((_, i) => (Math.floor(i / slots) + 3 * (i % slots)) % bones);
    for (let v = 0; v < rig.vertexCount; ++v) {
      const row = weights.subarray(slots * v, slots * (v + 1));
      const sum = row.reduce((a, b) => a + b);
      row.forEach((w, k) => (row[k] = w / sum));
    }
    const endpoints = weights.map((_, i) => ((i * 7) % 11) / 10);
    rig.setWeights(weights, { bones: which, endpoints });
    const worst = await roundTrip(rig, [0.5], ['dqs', 'stbs-lbs']);
    rig.free();
    return { worst };
  },

  async blend_shapes() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const push = rig.positions.map((x, i) => (i % 3 === 1 ? 0.2 * Math.sin(5 * x) : 0.05));
    rig.addShape('bulge', push);
    rig.addShape('lean', rig.positions.map((x, i) => (i % 3 === 0 ? 0.1 * x : 0)));
    rig.addClip('shaping', [
      { target: 'shapes', index: 0, times: [0, 1], values: [0, 0, 1, -0.5] },
      { target: 'rotation', index: 1, times: [0, 1], values: [0, 0, 0, 1, 0, 0.6, 0, 0.8] },
    ]);
    const bytes = rig.toBytes('glb');
    const loaded = await load(bytes);
    const worst = await deviation(loaded, rig, rig.findClip('shaping'), [0.5, 1]);
    same(true, Array.from(loaded.character.pose.shapes).some((w) => w !== 0), 'shapes move');
    loaded.dispose();
    rig.free();
    return { worst };
  },

  async normals_and_tangents() {
    const rig = sinew.sample('arm', { vertices: 1500 });
    const normals = rig.normals ?? new sinew.Deformer(rig, 'lbs').at({}, { normals: true }).normals;
    const tangents = new Float64Array(4 * rig.vertexCount);
    for (let v = 0; v < rig.vertexCount; ++v) {
      const n = new Vector3().fromArray(normals, 3 * v);
      const t = new Vector3(0.3, 1, 0.2).cross(n).normalize();
      tangents.set([t.x, t.y, t.z, 1], 4 * v);
    }
    const clips = rig.clips;
    const { weights, weightBones, weightOffsets, endpoints } = rig;
    rig.setMesh(rig.positions, rig.triangles, { normals, tangents });
    rig.setWeights(weights, { bones: weightBones, offsets: weightOffsets, endpoints });
    const bytes = rig.toBytes('glb');
    const loaded = await load(bytes);
    const read = sinew.read(bytes, { format: 'glb' });
    const [mesh] = loaded.meshes;
    const clip = clips.length - 1;
    const time = 0.6 * clips[clip].duration;
    playTo(loaded, clip, time);
    const result = {};
    for (const method of methods) {
      loaded.character.method = method;
      const expected = new sinew.Deformer(read, method, { reference: true }).at({ clip, time }, { normals: true, tangents: true });
      result[`${method} normals`] = atMost(0.05, widestAngle(mesh, await readVertices(renderer, mesh, 'normal'), expected.normals), method);
      result[`${method} tangents`] = atMost(0.05, widestAngle(mesh, await readVertices(renderer, mesh, 'tangent'), expected.tangents, 4), method);
    }
    loaded.dispose();
    return result;
  },

  async nodes_may_be_anywhere() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const bytes = edited(rig.toBytes('glb'), (json) => {
      const skinned = json.nodes.findIndex((node) => node.skin !== undefined);
      // Where its node is means nothing to a skin.
      json.nodes[skinned].translation = [5, 6, 7];
      // The same mesh and skin once more; then all below a node that turns and moves it.
      json.nodes.push({ mesh: json.nodes[skinned].mesh, skin: json.nodes[skinned].skin, name: 'again' });
      const again = json.nodes.length - 1;
      json.nodes.push({ name: 'turntable', rotation: [0, 0.6, 0, 0.8], translation: [1, 2, 3], children: [...json.scenes[0].nodes, again] });
      json.scenes[0].nodes = [json.nodes.length - 1];
    });
    const read = sinew.read(bytes, { format: 'glb' });
    const loaded = await load(bytes);
    same(2, loaded.meshes.length, 'meshes');
    const worst = await deviation(loaded, read, 0, [0.5], ['stbs-dqs']);
    same(true, loaded.meshes[0].matrixWorld.equals(new Matrix4()), 'the scene places the mesh');
    loaded.dispose();
    read.free();
    rig.free();
    return { worst };
  },

  async text_with_buffers_inside() {
    const rig = sinew.sample('tube', { vertices: 300 });
    const bytes = rig.toBytes('gltf');
    const loaded = await load(bytes);
    const worst = await deviation(loaded, rig, 0, [0.5], ['stbs-lbs']);
    loaded.dispose();
    rig.free();
    return { worst };
  },

  async compressed_files() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const result = {};
    for (const pack of [packedByMeshopt, packedByDraco]) {
      const bytes = await pack(rig.toBytes('glb'));
      const read = sinew.read(bytes, { format: 'glb' });
      same(rig.triangleCount, read.triangleCount, 'triangles');
      const loaded = await load(bytes);
      result[pack.name] = await deviation(loaded, read, 0, [0.5], ['stbs-dqs']);
      loaded.dispose();
      read.free();
    }
    rig.free();
    return result;
  },

  async puppets_keep_their_pictures() {
    const [name] = Object.keys(sinew.samplePictures());
    const { image, bones } = sinew.samplePicture(name, { size: 200 });
    const puppet = new sinew.Puppet(image, { bones, weights: 'heat', endpoints: 'projection' });
    puppet.addLoop('wave');
    const rig = puppet.rig();
    const bytes = rig.toBytes('glb');
    const loaded = await load(bytes);
    same(200, loaded.meshes[0].material.map.image.width, 'pixels of the picture');
    const worst = await deviation(loaded, rig, 0, [0.3], ['stbs-dqs', 'lbs']);
    loaded.dispose();
    return { worst };
  },

  async rigs_of_ones_own() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const skin = new SinewSkin(sinew, rig);
    const { joints, roots } = createBones(rig);
    const character = new SinewCharacter(skin, { joints, method: 'stbs-lbs' });
    const mesh = new SinewMesh(character, skin.geometry(), new MeshBasicMaterial());
    mesh.add(...roots);
    joints[1].quaternion.multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), 0.7));
    const pose = new sinew.Pose(rig);
    pose.setJoint(1, { rotation: joints[1].quaternion.toArray() });
    const expected = new sinew.Deformer(rig, 'stbs-lbs').deform(pose);
    const worst = atMost(1e-5, farthest(mesh, await readVertices(renderer, mesh), expected) / sizeOf(expected), 'by bones');
    // And without bones: the pose itself.
    const still = new SinewCharacter(skin, { method: 'stbs-lbs' });
    const other = new SinewMesh(still, mesh.geometry, new MeshBasicMaterial());
    still.pose.play(0, 0.5);
    still.needsUpdate = true;
    const played = new sinew.Deformer(rig, 'stbs-lbs').at({ clip: 0, time: 0.5 }).positions;
    const direct = atMost(1e-5, farthest(other, await readVertices(renderer, other), played) / sizeOf(played), 'by a pose');
    const messages = [];
    for (const wrong of [() => new SinewCharacter(skin, { joints: [] }), () => new SinewCharacter(skin, { method: 'ocd' })]) {
      try {
        wrong();
      } catch (error) {
        messages.push(error.message);
      }
    }
    same(2, messages.length, 'bad input is refused');
    return { worst, direct, messages };
  },

  async the_runtime_alone_will_do() {
    const runtime = await (await import('sinew/runtime')).default();
    const rig = new runtime.Rig('strip');
    const rows = 40;
    const positions = Array.from({ length: 2 * rows }, (_, i) => [i % 2, (4 * Math.floor(i / 2)) / (rows - 1), 0]);
    const faces = Array.from({ length: rows - 1 }, (_, r) => [2 * r, 2 * r + 1, 2 * r + 3, 2 * r + 2]);
    rig.setMesh(positions, faces);
    rig.setSkeleton({ parents: [-1, 0], rests: [[0.5, 0, 0], [0, 2, 0]], names: ['lower', 'upper'] });
    rig.setWeights(positions.map(([, y]) => [1 - y / 4, y / 4]));
    const skin = new SinewSkin(runtime, rig);
    const { joints } = createBones(rig);
    const character = new SinewCharacter(skin, { joints });
    const mesh = new SinewMesh(character, skin.geometry(), new MeshBasicMaterial());
    joints[1].rotation.set(0.5, 0.4, 0.3);
    joints[1].position.y = 2.5;
    const found = await readVertices(renderer, mesh);
    const expected = new runtime.Deformer(rig, 'stbs-dqs').deform(character.pose);
    moreThan(0.1, farthest(mesh, found, positions.flat()), 'how far it moved');
    return { worst: atMost(1e-5, farthest(mesh, found, expected) / sizeOf(expected), 'by the runtime') };
  },

  async clones_have_their_own_poses() {
    const rig = sinew.sample('arm', { vertices: 600 });
    const loaded = await load(rig.toBytes('glb'));
    const clone = cloneCharacter(loaded.gltf.scene, loaded.character);
    const meshes = [];
    clone.root.traverse((object) => object instanceof SinewMesh && meshes.push(object));
    playTo(loaded, 0, 0.5 * rig.clip(0).duration);
    const rest = new sinew.Deformer(rig, 'stbs-dqs').at().positions;
    const moved = new sinew.Deformer(rig, 'stbs-dqs').at({ clip: 0, time: 0.5 * rig.clip(0).duration }).positions;
    const size = sizeOf(rest);
    clone.root.updateMatrixWorld(true);
    const first = atMost(1e-5, farthest(loaded.meshes[0], await readVertices(renderer, loaded.meshes[0]), moved) / size, 'the first');
    const second = atMost(1e-5, farthest(meshes[0], await readVertices(renderer, meshes[0]), rest) / size, 'the clone');
    clone.character.dispose();
    loaded.dispose();
    return { first, second };
  },
});

// What does not depend on the shaders is tested with the others.
if (kind === 'webgpu-gl') {
  const kept = ['sample_arm', 'settings_of_the_file', 'blend_shapes', 'normals_and_tangents'];
  for (const name of Object.keys(cases)) if (!kept.includes(name)) delete cases[name];
}
