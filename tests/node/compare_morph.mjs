// SPDX-License-Identifier: Apache-2.0
// Plays models baked to blend shapes in three.js and compares them with the frames of a point cache,
// read here by its public description: no vertex is further off than the bake reported.
//   node compare_morph.mjs SINEW SOURCE_DIR   status 1 if anything is off
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as THREE from 'three';
import { load } from './fk.mjs';

const [sinew, sourceDir] = process.argv.slice(2);
const assets = process.env.SINEW_ASSETS ?? path.join(sourceDir, '../shared/assets');
const framesPerSecond = 20;

function readPc2(file) {
  const bytes = readFileSync(file);
  const points = bytes.readInt32LE(16);
  const frames = [];
  for (let f = 0; f < bytes.readInt32LE(28); ++f) {
    frames.push(new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32 + 12 * points * f,
      bytes.byteOffset + 32 + 12 * points * (f + 1))));
  }
  return frames;
}

function positionsOf(gltf) {
  const positions = [];
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    if (object.isSkinnedMesh) throw new Error('there is still a skin');
    for (let v = 0; v < object.geometry.attributes.position.count; ++v) {
      const p = object.getVertexPosition(v, new THREE.Vector3());
      positions.push(...object.localToWorld(p).toArray());
    }
  });
  return positions;
}

// The diagonal of the box around a model's skinned vertices as they were bound.
async function bindSize(file) {
  const box = new THREE.Box3();
  (await load(file)).scene.traverse((object) => {
    if (!object.isSkinnedMesh) return;
    object.geometry.computeBoundingBox();
    box.union(object.geometry.boundingBox);
  });
  return box.getSize(new THREE.Vector3()).length();
}

let failed = false;
mkdirSync('morphed', { recursive: true });
for (const [name, clip] of [['CesiumMan', '0'], ['Fox', 'Run'], ['RiggedFigure', '0']]) {
  const model = path.join(assets, `${name}.glb`);
  if (!existsSync(model)) {
    console.log(`no ${model}: set SINEW_ASSETS`);
    continue;
  }
  const options = ['--clip', clip, '--method', 'dqs', '--json'];
  const out = `morphed/${name}`;
  const report = JSON.parse(execFileSync(sinew, ['bake', model, '--to', 'morph', '-o', `${out}.glb`, ...options]));
  execFileSync(sinew, ['bake', model, '--to', 'cache', '-o', `${out}.pc2`, '--fps', framesPerSecond, ...options]);
  const gltf = await load(`${out}.glb`);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  const percent = 100 / (await bindSize(model));
  let worst = 0;
  readPc2(`${out}.pc2`).forEach((frame, f) => {
    action.reset();
    mixer.setTime(f / framesPerSecond);
    const positions = positionsOf(gltf);
    if (positions.length !== frame.length) throw new Error(`${name}: other vertices`);
    for (let i = 0; i < frame.length; i += 3) {
      const off = percent * Math.hypot(...[0, 1, 2].map((k) => positions[i + k] - frame[i + k]));
      if (!(off <= worst)) worst = off;
    }
  });
  console.log(`${name}: ${report.targets} blend shapes, off by ${worst.toFixed(4)}% of the box, bound ${report.bound}`);
  failed ||= !(worst > 0 && worst <= 1.001 * report.bound);
}
process.exitCode = failed ? 1 : 0;
