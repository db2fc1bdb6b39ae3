// SPDX-License-Identifier: Apache-2.0
// What a frame costs, for docs/three.md: no bounds, only numbers. Run alone: browser.mjs bench_cases.
import * as THREE from 'three';
import { SinewCharacter, SinewMesh, SinewSkin, createBones } from 'sinew-three';
import { sinew } from './rigs.js';
import { drawn, kind, makeRenderer } from './view.js';

const renderer = await makeRenderer();

/** A tube along y with a chain of bones; every vertex is moved by four of them. */
function tube(bones, vertices) {
  const around = Math.max(8, Math.round(Math.sqrt(vertices / 8)));
  const rows = Math.round(vertices / around);
  const positions = new Float64Array(3 * around * rows);
  const triangles = new Uint32Array(6 * around * (rows - 1));
  const weights = new Float64Array(4 * around * rows);
  const which = new Int32Array(weights.length);
  const endpoints = new Float64Array(weights.length);
  for (let y = 0; y < rows; ++y) {
    for (let x = 0; x < around; ++x) {
      const v = y * around + x;
      const angle = (2 * Math.PI * x) / around;
      positions.set([Math.cos(angle), (bones * y) / (rows - 1), Math.sin(angle)], 3 * v);
      const at = Math.min(bones - 4, Math.floor((bones * y) / rows));
      for (let k = 0; k < 4; ++k) {
        which[4 * v + k] = at + k;
        weights[4 * v + k] = [0.5, 0.3, 0.15, 0.05][k];
        endpoints[4 * v + k] = (x % 11) / 10;
      }
      if (y + 1 < rows) {
        const [a, b, c, d] = [v, y * around + ((x + 1) % around), v + around, (y + 1) * around + ((x + 1) % around)];
        triangles.set([a, c, b, b, c, d], 6 * v);
      }
    }
  }
  const rig = new sinew.Rig('tube');
  rig.setMesh(positions, triangles);
  rig.setSkeleton({
    parents: Int32Array.from({ length: bones }, (_, b) => b - 1),
    rests: Float64Array.from({ length: 3 * bones }, (_, i) => (i % 3 === 1 && i > 2 ? 1 : 0)),
  });
  rig.setWeights(weights, { bones: which, endpoints });
  return rig;
}

function character(bones, vertices, options) {
  const rig = tube(bones, vertices);
  const skin = new SinewSkin(sinew, rig, options);
  const { joints, roots } = createBones(rig);
  const made = new SinewCharacter(skin, { joints });
  const mesh = new SinewMesh(made, skin.geometry(), new THREE.MeshStandardMaterial());
  mesh.add(...roots);
  return { rig, skin, joints, character: made, mesh };
}

function pose(joints, frame) {
  joints.forEach((joint, j) => joint.quaternion.set(0.02 * Math.sin(frame + j), 0.05, 0, 1).normalize());
}

export const cases = {
  async javascript_for_60_bones() {
    const { joints, character: made, mesh } = character(60, 10000);
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(40, 1, 1, 1000);
    camera.position.set(0, 30, 90);
    scene.add(mesh, new THREE.DirectionalLight());
    const updates = [];
    const renders = [];
    renderer.setRenderTarget(null);
    renderer.setSize(64, 64);
    for (let batch = 0; batch < 60; ++batch) {
      let begin = performance.now();
      for (let i = 0; i < 100; ++i) {
        pose(joints, batch + 0.01 * i);
        made.update();
      }
      updates.push(((performance.now() - begin) / 100) * 1000);
      pose(joints, batch);
      begin = performance.now();
      renderer.render(scene, camera);
      renders.push((performance.now() - begin) * 1000);
      if (batch % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { kind, 'update, us': Math.min(...updates), 'render(), us': Math.min(...renders) };
  },

  async frame_time() {
    const result = { kind };
    for (const vertices of [10000, 100000, 1000000]) {
      for (const exactNormals of [true, false]) {
        const made = character(60, vertices, { exactNormals });
        const scene = new THREE.Scene();
        const camera = new THREE.PerspectiveCamera(40, 1, 1, 1000);
        camera.position.set(0, 30, 90);
        scene.add(made.mesh, new THREE.DirectionalLight());
        const times = [];
        for (let i = 0; i < (vertices > 200000 ? 4 : 8); ++i) {
          pose(made.joints, i);
          const begin = performance.now();
          await drawn(renderer, scene, camera, 64, 64);
          times.push(performance.now() - begin);
        }
        const buffer = new Float32Array(3 * made.rig.vertexCount);
        const deformer = new sinew.Deformer(made.rig, 'stbs-dqs', { roughNormals: !exactNormals });
        const normals = new Float32Array(buffer.length);
        let cpu = Infinity;
        for (let i = 0; i < 5; ++i) {
          const begin = performance.now();
          deformer.deform(made.character.pose, buffer, { normals });
          cpu = Math.min(cpu, performance.now() - begin);
        }
        deformer.free();
        result[`${vertices}${exactNormals ? '' : ', plain normals'}`] = { 'frame, ms': Math.min(...times.slice(1)), 'on the CPU, ms': cpu };
        made.mesh.dispose();
        made.mesh.geometry.dispose();
        made.character.dispose();
        made.skin.dispose();
        made.rig.free();
      }
    }
    return result;
  },
};
