// SPDX-License-Identifier: Apache-2.0
// Every part of the interface, in node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createSinew, farthest, folder, installed, makeStrip, source, throwsCode, work } from './common.mjs';

const sinew = await createSinew();

test('the lists of the library', () => {
  assert.ok('mannequin' in sinew.samples());
  assert.ok(sinew.weightMethods().includes('bbw'));
  assert.ok(sinew.endpointMethods().includes('projection'));
  assert.equal(sinew.methods()['stbs-dqs'].twists, true);
  assert.ok(sinew.editSteps().smooth.help.length > 0);
  assert.ok(Object.keys(sinew.samplePictures()).length > 0);
  assert.ok(sinew.puppetLoops().includes('wave'));
  assert.equal(sinew.threadCount(), 1);
  sinew.setThreadCount(4);
  assert.equal(sinew.threadCount(), 1);
});

test('a rig from arrays, and back', () => {
  const rig = makeStrip(sinew);
  assert.equal(rig.name, 'strip');
  assert.equal(rig.vertexCount, 18);
  assert.equal(rig.triangleCount, 16);
  assert.equal(rig.polygonOffsets.length, 9);
  assert.deepEqual(rig.jointNames, ['lower', 'upper', 'tip']);
  assert.deepEqual([...rig.jointParents], [-1, 0, 1]);
  assert.equal(rig.findJoint('upper'), 1);
  assert.equal(rig.findBone('nobody'), -1);
  assert.deepEqual([...rig.boneHeads], [0, 0, 0, 0, 1, 0]);
  const expected = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1];
  assert.equal(farthest(rig.boneInverseBinds.slice(16), expected), 0);
  rig.setSkeleton({ points: [0, 0, 0, 0, 2, 0], segments: [0, 1] });
  assert.equal(rig.weights.length, 0);
  assert.equal(rig.endpoints, null);
});

test('arrays of every kind go in', () => {
  const rig = new sinew.Rig();
  const rows = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ];
  for (const positions of [rows, rows.flat(), Float32Array.from(rows.flat()), Int8Array.from(rows.flat())]) {
    for (const faces of [[[0, 1, 2]], [0, 1, 2], Uint16Array.of(0, 1, 2)]) {
      rig.setMesh(positions, faces, { colors: [1, 0, 0, 0, 1, 0, 0, 0, 1], uvs: [0, 0, 1, 0, 0, 1] });
      assert.deepEqual([...rig.positions], rows.flat());
      assert.deepEqual([...rig.triangles], [0, 1, 2]);
      assert.equal(rig.colors.length, 12);
    }
  }
  rig.setMesh(rows, { offsets: [0, 3], corners: [0, 1, 2] });
  assert.equal(rig.triangleCount, 1);
});

test('weights in three forms', () => {
  const rig = makeStrip(sinew);
  const dense = rig.weights.slice();
  rig.setWeights(rig.weights, { bones: rig.weightBones, offsets: rig.weightOffsets });
  assert.deepEqual(rig.weights, dense);
  const slots = Array.from({ length: 18 }, (_, v) => [v / 17, 1 - v / 17]);
  rig.setWeights(slots, { bones: slots.map(() => [1, 0]), endpoints: slots.map(() => [0.25, 0.75]) });
  assert.equal(rig.influenceCount, 34);
  assert.ok(rig.endpoints.every((e) => e === 0.25 || e === 0.75));
});

test('shapes, controls and clips', () => {
  const rig = makeStrip(sinew);
  rig.addShape('wide', [0.5, 0, 0], { vertices: [1], default: 0.5 });
  assert.deepEqual([...rig.shape('wide').vertices], [1]);
  assert.equal(rig.shape(0).default, 0.5);
  rig.addControl('mood', 2);
  assert.deepEqual([...rig.controlDefaults], [2]);
  rig.addClip('turn', [
    { target: 'rotation', index: 'upper', times: [0, 1], values: [0, 0, 0, 1, 0, 0, 0.6, 0.8] },
    { target: 'shapes', index: 0, times: [0, 1], values: [0, 1] },
    { target: 'control', index: 'mood', times: [0, 1], values: [0, 1], interpolation: 'step' },
  ]);
  const clip = rig.clip('turn');
  assert.equal(clip.duration, 1);
  assert.equal(clip.channels[0].target, 'rotation');
  assert.deepEqual([...clip.channels[0].values], [0, 0, 0, 1, 0, 0, 0.6, 0.8]);
  rig.addKeys({ name: 'keys', keys: [{ time: 0, pose: { joints: {} } }, { time: 2, pose: { joints: { upper: { twist: 90 } } } }] });
  assert.deepEqual(rig.clipNames, ['turn', 'keys']);
  rig.removeClip(0);
  assert.equal(rig.clips[0].name, 'keys');
});

test('poses', () => {
  const rig = makeStrip(sinew);
  const pose = new sinew.Pose(rig, { squash: true });
  pose.setJoint('upper', { rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
  assert.ok(farthest(pose.boneTails.slice(3), [-1, 1, 0]) < 1e-12);
  const joints = pose.joints;
  pose.rest();
  assert.ok(farthest(pose.boneTails.slice(3), [0, 2, 0]) < 1e-12);
  pose.joints = joints;
  assert.ok(farthest(pose.jointFrames.slice(16, 19), [0, 1, 0]) < 1e-12);
  pose.set({ joints: { upper: { stretch: 2, twist: 90 } } });
  assert.ok(farthest(pose.boneTails.slice(3), [0, 3, 0]) < 1e-9);
  assert.equal(pose.boneTwists.length, 4);
  assert.ok('upper' in pose.toJson().joints);
  assert.equal(pose.boneRotations.length, 8);
  assert.equal(pose.boneFrames.length, 32);
});

test('deforming into one\'s own memory', () => {
  const rig = makeStrip(sinew);
  const deformer = new sinew.Deformer(rig, 'lbs');
  const pose = new sinew.Pose(rig);
  pose.setJoint('upper', { translation: [0, 2, 0] });
  const positions = deformer.deform(pose);
  const array = new Float32Array(18 * 8).fill(7);
  const place = { array, offset: 2, stride: 8 };
  assert.equal(deformer.deform(pose, place, { normals: { array, offset: 5, stride: 8 } }), place);
  for (let v = 0; v < 18; ++v) {
    assert.deepEqual(array.slice(8 * v + 2, 8 * v + 5), positions.slice(3 * v, 3 * v + 3));
    assert.deepEqual([array[8 * v], array[8 * v + 1]], [7, 7]);
  }
  assert.deepEqual(deformer.view(pose).positions.slice(), positions);
  assert.deepEqual(deformer.copy().deform(pose), positions);
  assert.deepEqual(deformer.at({ pose: { joints: {} } }).positions, Float32Array.from(rig.positions));
  assert.equal(deformer.method, 'lbs');
  assert.equal(deformer.triangles.length, 48);
  const reference = new sinew.Deformer(rig, 'stbs-dqs', { reference: true }).deform(pose);
  assert.ok(farthest(reference, new sinew.Deformer(rig, 'stbs-dqs').deform(pose)) < 1e-6);
  const mushed = new sinew.Deformer(rig, 'delta-mush', { settings: { iterations: 2 } });
  assert.notDeepEqual(mushed.deform(pose), positions);
});

test('rigs and poses for a GPU', () => {
  const rig = makeStrip(sinew);
  const skin = new sinew.GpuSkin(rig, { gradients: true });
  assert.equal(skin.vertices.length, 4 * 18);
  assert.ok(skin.gradients.length >= 3 * skin.influences.length);
  const pose = new sinew.Pose(rig);
  const texels = skin.pose(pose, { method: 'lbs' });
  assert.equal(texels.length, 4 * 6 * 2);
  const out = new Float32Array(texels.length);
  assert.equal(skin.pose({}, { method: 'lbs', out }), out);
  assert.deepEqual(out, texels);
  assert.equal(sinew.GpuSkin.blend('mixed'), -1);
});

test('inverse kinematics', () => {
  const rig = makeStrip(sinew);
  const pose = new sinew.Pose(rig);
  const ik = new sinew.Ik(rig, [{ joint: 'tip', root: 'lower', lengths: 'beyond-reach' }]);
  assert.ok(ik.solve(pose, { tip: [1, 1, 0] })[0] < 1e-9);
  assert.ok(ik.solve(pose, [{ position: [0, 5, 0] }])[0] < 1e-9);
  pose.rest();
  assert.ok(ik.solve(pose, new Map([['tip', { position: [0, 1.5, 0], pole: [1, 1, 0] }]]))[0] < 1e-9);
  assert.ok(farthest(pose.joints.slice(20, 23), [0, 1, 0]) < 1e-9);
  const limited = new sinew.Ik(rig, ['tip'], {
    limits: [{ joint: 'upper', kind: 'hinge', axis: [0, 0, 1], min: [-0.1, 0, 0], max: [0.1, 0, 0] }],
    softness: 0.1,
  });
  assert.ok(limited.solve(new sinew.Pose(rig), { tip: [1, 0.5, 0] })[0] > 0.1);
  rig.edit([{ limits: { limits: { upper: { hinge: [0, 0, 1], range: [-5, 5] } } } }]);
  assert.ok(new sinew.Ik(rig, ['tip']).solve(new sinew.Pose(rig), { tip: [1, 0.5, 0] })[0] > 0.1);
  const free = new sinew.Ik(rig, ['tip'], { rigLimits: false });
  assert.ok(free.solve(new sinew.Pose(rig), { tip: [1, 0.5, 0] })[0] < 1e-3);
});

test('weights, reports, progress and edits', () => {
  const rig = makeStrip(sinew, { skinned: false });
  const stages = [];
  const report = rig.computeWeights('bbw', {
    progress: (stage, fraction) => {
      stages.push([stage, fraction]);
    },
  });
  assert.equal(report.poor, false);
  assert.ok(stages.length > 0 && stages.every(([stage, f]) => typeof stage === 'string' && f >= 0 && f <= 1));
  assert.deepEqual(rig.weightReport().poor, report.poor);
  assert.ok(rig.edit([{ smooth: 2 }, { prune: 1 }]));
  assert.equal(rig.influenceCount, 18);
  const before = rig.weights;
  throwsCode(() => rig.computeWeights('bbw', { progress: () => false }), 'SINEW_CANCELLED', /cancel/);
  const mine = new Error('mine');
  assert.throws(
    () =>
      rig.computeWeights('bbw', {
        progress: () => {
          throw mine;
        },
      }),
    mine,
  );
  assert.deepEqual(rig.weights, before);
});

test('painting', () => {
  const rig = makeStrip(sinew);
  const painter = new sinew.Painter(rig, { locks: [] });
  const spot = painter.pick([0, 0.2, 5], [0, 0, -1]);
  assert.equal(painter.pick([9, 9, 9], [0, 0, 1]), null);
  painter.begin({ bone: 'upper', radius: 0.8, mode: 'add' });
  assert.ok(painter.dab(spot.triangle, spot.barycentric) > 0);
  painter.end();
  const rows = painter.changed();
  assert.equal(rows.offsets.length, rows.vertices.length + 1);
  const again = rig.copy();
  again.edit([{ paint: painter.strokes() }]);
  painter.apply(rig);
  assert.deepEqual(rig.weights, again.weights);
  assert.equal(painter.undo(), true);
  assert.equal(painter.undo(), false);
  assert.equal(painter.redo(), true);
  const other = makeStrip(sinew);
  other.edit([{ transfer: rig }]);
  assert.ok(farthest(other.weights, rig.weights) < 1e-6);
});

test('motions of others, and how bones hang together', () => {
  const rig = sinew.sample('mannequin', { vertices: 400 });
  const report = rig.retarget(sinew.sample('mannequin', { vertices: 300 }), 'walk', { name: 'recorded' });
  assert.deepEqual(report.unmapped_target, []);
  assert.ok(rig.clipNames.includes('recorded'));
  assert.equal(rig.boneLinks()[0].parent, -1);
  assert.equal(rig.jointTwistAxes.length, 3 * rig.jointCount);
  assert.deepEqual(rig.muscles, {});
  rig.muscles = { 'upper_arm.L': { stretch: 1, angle: { joint: 'forearm.L', range: [0, 90], gain: 0.5 } } };
  assert.deepEqual(Object.keys(rig.muscles), ['upper_arm.L']);
  const tense = new sinew.Pose(rig);
  tense.setJoint('forearm.L', { rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] });
  assert.ok(tense.boneBulges[rig.boneNames.indexOf('upper_arm.L')] > 0.1);
  assert.throws(() => (rig.muscles = { wing: { stretch: 1 } }), /wing/);
  rig.edit([{ muscle: 'upper_arm.L=none' }]);
  assert.deepEqual(rig.muscles, {});
  const measures = rig.measureVertices({ clip: 'walk', time: 0.3 });
  assert.equal(measures.faults.length, rig.vertexCount);
  assert.ok(measures.longestEdges.every((ratio) => ratio > 0));
  const frames = [0, 0.5].map((time) => rig.render({ clip: 0, time, width: 40 }));
  assert.equal(new TextDecoder().decode(sinew.animation(frames, 0.5).slice(0, 6)), 'GIF89a');
  assert.equal(sinew.animation(frames, 0.5, { format: 'apng' })[1], 'P'.charCodeAt(0));
  assert.ok(rig.compare({ clip: 0, time: 0.5, methods: ['lbs', 'stbs-dqs'], size: 100 }).width > 200);
});

test('files in memory', () => {
  const rig = makeStrip(sinew);
  for (const format of ['glb', 'gltf']) {
    const again = sinew.read(rig.toBytes(format), { format });
    assert.equal(again.vertexCount, 18);
    assert.ok(farthest(again.weights, rig.weights) < 1e-6);
  }
  assert.equal(sinew.read(rig.toBytes('obj'), { format: 'obj' }).vertexCount, 18);
  const files = rig.toFiles('strip.gltf');
  assert.ok('strip.gltf' in files);
  // A file beside it, as other programs write them.
  const json = JSON.parse(new TextDecoder().decode(rig.toBytes('gltf')));
  const data = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
  json.buffers[0].uri = 'data/strip%201.bin';
  const text = new TextEncoder().encode(JSON.stringify(json));
  const read = sinew.read(text, { format: 'gltf', files: { 'data/strip%201.bin': data } });
  assert.deepEqual(read.positions, rig.positions);
  throwsCode(() => sinew.read(text, { format: 'gltf', files: {} }), 'SINEW_ERROR_FILE', /strip 1.bin/);
  throwsCode(() => sinew.read(text, { format: 'gltf', files: { '../x': data } }), 'SINEW_ERROR_USAGE', /name/);
  // What JSON and its messages write with an escape.
  const named = new TextDecoder().decode(rig.toBytes('gltf')).replaceAll('"lower"', '"a\\u001fb"');
  const odd = sinew.read(new TextEncoder().encode(named), { format: 'gltf' });
  assert.equal(odd.jointNames[0], 'a\u001fb');
  assert.match(new TextDecoder().decode(odd.toBytes('gltf')), /"a\\u001fb"/);
  const broken = new TextEncoder().encode('{"a": "\u001f"}');
  throwsCode(() => sinew.read(broken, { format: 'gltf' }), 'SINEW_ERROR_INPUT', /U\+001F/);
});

test('correctives show their example in its pose', () => {
  const rig = makeStrip(sinew);
  const pose = { joints: { upper: { bend: [60, 'z'] } } };
  const wanted = Float64Array.from(new sinew.Deformer(rig, 'lbs').at({ pose }).positions, (x) => x + 0.05);
  const made = rig.correct([{ pose, positions: wanted, name: 'bent' }], { method: 'lbs' });
  assert.equal(made.report.poor, false);
  assert.equal(made.rig.shapeNames.at(-1), 'bent');
  assert.deepEqual(made.rig.drivers().poseSpaces[0].joints, ['upper']);
  assert.equal(made.rig.correctiveCount, 1);
  const shown = new sinew.Deformer(made.rig, 'lbs').at({ pose }).positions;
  assert.ok(shown.every((x, i) => Math.abs(x - wanted[i]) < 1e-5));
  made.rig.edit([{ 'remove-shape': 'bent' }]);
  assert.ok(!made.rig.shapeNames.includes('bent'));
  assert.equal(made.rig.correctiveCount, 0);
  throwsCode(() => made.rig.edit([{ 'remove-shape': 'bent' }]), 'SINEW_ERROR_USAGE', /no blend shape/);
  throwsCode(() => rig.correct([{ pose, positions: wanted.slice(3) }]), 'SINEW_ERROR_USAGE', /vertices/);
  throwsCode(() => rig.correct([{ pose: { joints: {} }, positions: wanted }]), 'SINEW_ERROR_INPUT', /turns no joint/);
});

test('baking and measuring', () => {
  const rig = makeStrip(sinew);
  rig.addKeys({
    name: 'twist',
    keys: [
      { time: 0, pose: { joints: {} } },
      { time: 1, pose: { joints: { upper: { twist: 90, stretch: 1.5 } } } },
    ],
  });
  const baked = rig.bake({ segments: 2, joints: ['upper'], live: 'table' });
  assert.ok(baked.rig.jointCount > rig.jointCount);
  assert.ok(baked.report && baked.table);
  assert.ok(rig.bakeShapes('twist').rig.shapeNames.length > 0);
  assert.ok(rig.bakeCache('twist', { format: 'mdd' }).length > 18 * 12);
  assert.ok('methods' in rig.measure({ clip: 'twist', time: 1, methods: ['lbs', 'stbs-dqs'] }));
});

test('pictures and puppets', async () => {
  const rig = makeStrip(sinew);
  const image = rig.render({ width: 40, height: 30, pose: { joints: { upper: { bend: [40, 'z'] } } } });
  assert.deepEqual([image.width, image.height, image.pixels.length], [40, 30, 4800]);
  const again = sinew.Image.read(image.toPng());
  assert.deepEqual(again.pixels, image.pixels);
  assert.deepEqual((await sinew.Image.decode(image.toPng())).pixels, image.pixels);
  assert.deepEqual(new sinew.Image({ width: 40, height: 30, data: image.pixels }).pixels, image.pixels);
  const drawing = sinew.samplePicture('dancer', { size: 160 });
  const puppet = new sinew.Puppet(drawing.image, { bones: drawing.bones, weights: 'rigid', endpoints: 'none' });
  puppet.addMotion(drawing.motion);
  puppet.addLoop('sway', { pins: ['hip'].filter((name) => name in puppet.bones.joints) });
  assert.equal(puppet.motions.length, 2);
  assert.ok('poor' in puppet.report);
  assert.equal(puppet.rig().clipNames.length, 2);
  assert.ok(puppet.draw(0, 0.5, { size: 80 }).width <= 80);
});

test('compressed glTF, by the decoders of others', async () => {
  const draco3d = installed('draco3dgltf');
  const { MeshoptDecoder } = installed('meshoptimizer');
  const { MeshoptEncoder } = installed('meshoptimizer');
  await MeshoptEncoder.ready;
  const other = await createSinew({ draco: draco3d.createDecoderModule(), meshopt: MeshoptDecoder });
  const rig = makeStrip(sinew);
  const json = JSON.parse(new TextDecoder().decode(rig.toBytes('gltf')));
  const data = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
  // Every view of attributes as meshoptimizer packs it.
  const parts = [];
  let size = 0;
  const packed = structuredClone(json);
  packed.bufferViews.forEach((view) => {
    const users = json.accessors.filter((a) => json.bufferViews[a.bufferView] && packed.bufferViews[a.bufferView] === view);
    const stride = view.byteStride ?? view.byteLength / (users[0]?.count ?? 1);
    const bytes = data.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength);
    if (stride % 4 !== 0 || users.length !== 1) {
      parts.push(bytes);
      Object.assign(view, { byteOffset: size });
    } else {
      const encoded = MeshoptEncoder.encodeGltfBuffer(new Uint8Array(bytes), users[0].count, stride, 'ATTRIBUTES');
      view.extensions = {
        EXT_meshopt_compression: {
          buffer: 0,
          byteOffset: size,
          byteLength: encoded.length,
          byteStride: stride,
          count: users[0].count,
          mode: 'ATTRIBUTES',
        },
      };
      parts.push(encoded);
    }
    size += parts.at(-1).length;
    while (size % 8) {
      parts.push(Uint8Array.of(0));
      size += 1;
    }
  });
  assert.ok(packed.bufferViews.some((view) => view.extensions));
  packed.extensionsUsed = [...(packed.extensionsUsed ?? []), 'EXT_meshopt_compression'];
  packed.buffers = [{ byteLength: size, uri: 'packed.bin' }];
  const text = new TextEncoder().encode(JSON.stringify(packed));
  const files = { 'packed.bin': Buffer.concat(parts) };
  assert.deepEqual(other.read(text, { format: 'gltf', files }).positions, rig.positions);
  throwsCode(() => sinew.read(text, { format: 'gltf', files }), 'SINEW_ERROR_USAGE', /meshopt/);

  // And by Draco.
  const encoderModule = await draco3d.createEncoderModule();
  const encoder = new encoderModule.Encoder();
  const builder = new encoderModule.MeshBuilder();
  const mesh = new encoderModule.Mesh();
  builder.AddFacesToMesh(mesh, rig.triangleCount, rig.triangles);
  const id = builder.AddFloatAttributeToMesh(mesh, encoderModule.POSITION, 18, 3, Float32Array.from(rig.positions));
  const out = new encoderModule.DracoInt8Array();
  encoder.SetEncodingMethod(encoderModule.MESH_SEQUENTIAL_ENCODING);
  encoder.SetAttributeQuantization(encoderModule.POSITION, 16);
  const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
  assert.ok(length > 0);
  const bytes = Buffer.from(Array.from({ length }, (_, i) => out.GetValue(i) & 255));
  const plain = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    scene: 0,
    nodes: [{ mesh: 0 }],
    extensionsUsed: ['KHR_draco_mesh_compression'],
    extensionsRequired: ['KHR_draco_mesh_compression'],
    buffers: [{ byteLength: length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
    bufferViews: [{ buffer: 0, byteLength: length }],
    accessors: [
      { componentType: 5126, type: 'VEC3', count: 18, min: [-0.5, 0, 0], max: [0.5, 2, 0] },
      { componentType: 5125, type: 'SCALAR', count: 48 },
    ],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0 },
            indices: 1,
            extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: id } } },
          },
        ],
      },
    ],
  };
  const file = (content) => new TextEncoder().encode(JSON.stringify(content));
  const read = other.read(file(plain), { format: 'gltf' });
  assert.equal(read.triangleCount, 16);
  assert.ok(farthest(Float64Array.from(read.positions).sort(), Float64Array.from(rig.positions).sort()) < 1e-4);
  plain.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.alloc(length).toString('base64')}`;
  throwsCode(() => other.read(file(plain), { format: 'gltf' }), 'SINEW_ERROR_INPUT', /Draco/);
});

test('every function of the header is exported and used', () => {
  const header = readFileSync(join(source, 'bindings', 'c', 'sinew.h'), 'utf8');
  const functions = [...header.matchAll(/^SINEW_API [^;(]*?\b(sinew_\w+)\s*\(/gm)].map((match) => match[1]);
  assert.ok(functions.length >= 87);
  const table = readFileSync(join(folder, 'wasm', 'sinew.js'), 'utf8');
  assert.deepEqual(functions.filter((name) => !table.includes(`"_${name}"`)), []);
});

test('the example of the page runs, and types fit', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, example] = /```js\n(.*?)```/s.exec(page);
  const place = mkdtempSync(join(work, 'page-'));
  const url = pathToFileURL(join(folder, 'sinew.js')).href;
  writeFileSync(join(place, 'example.mjs'), example.replace("'sinew'", `'${url}'`));
  assert.equal(execFileSync(process.execPath, [join(place, 'example.mjs')], { encoding: 'utf8' }), 'true\n');
  writeFileSync(join(place, 'example.mts'), example.replace("'sinew'", `'${join(folder, 'sinew.js')}'`));
  const tsc = join(work, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(
    process.execPath,
    [tsc, '--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom', join(place, 'example.mts')],
    { encoding: 'utf8' },
  );
});
