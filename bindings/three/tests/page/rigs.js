// SPDX-License-Identifier: Apache-2.0
// Rigs of the core, loaded by three's own loader.
import { MeshoptDecoder } from 'meshoptimizer';
import { AnimationMixer } from 'three';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import createSinew from 'sinew';
import { SinewGLTFPlugin, SinewMesh, rigVertices, sinewCharacter } from 'sinew-three';
import { dracoModule } from './packed.js';

export const sinew = await createSinew({ draco: dracoModule('Decoder'), meshopt: MeshoptDecoder });
const dracoLoader = new DRACOLoader().setDecoderPath('/three/examples/jsm/libs/draco/gltf/');

/** A file's bytes, loaded with the plugin: { gltf, character, meshes, mixer, dispose }. */
export async function load(bytes, options = {}) {
  const loader = new GLTFLoader().setDRACOLoader(dracoLoader).setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => new SinewGLTFPlugin(parser, { sinew, ...options }));
  const gltf = await loader.parseAsync(bytes.slice().buffer, '');
  const character = sinewCharacter(gltf);
  const meshes = [];
  gltf.scene.traverse((object) => object instanceof SinewMesh && meshes.push(object));
  const mixer = new AnimationMixer(gltf.scene);
  const dispose = () => {
    mixer.stopAllAction();
    for (const mesh of meshes) {
      mesh.dispose();
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    character.dispose();
    character.skin.dispose();
  };
  return { gltf, character, meshes, mixer, dispose };
}

/** Plays a clip from its start to a time in steps of a sixtieth of a second, as a page does. */
export function playTo({ gltf, character, mixer }, clip, time) {
  mixer.stopAllAction();
  character.pose.rest();
  const action = mixer.clipAction(gltf.animations[clip]);
  action.play();
  action.clampWhenFinished = true;
  action.setLoop(2200, 1);
  const steps = Math.max(1, Math.ceil(60 * time));
  for (let i = 0; i <= steps; ++i) {
    mixer.setTime((time * i) / steps);
    gltf.scene.updateMatrixWorld();
  }
}

/** How large a list of points is: the diagonal of their box. */
export function sizeOf(points) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  points.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  return Math.hypot(...high.map((x, k) => x - low[k]));
}

/** The farthest that vertices of a mesh are from those of the rig, `width` numbers each. */
export function farthest(mesh, found, expected) {
  let most = 0;
  const count = found.length / 3;
  const vertexOf = rigVertices(mesh.geometry);
  for (let i = 0; i < count; ++i) {
    const v = vertexOf(i);
    for (let k = 0; k < 3; ++k) most = Math.max(most, Math.abs(found[3 * i + k] - expected[3 * v + k]));
  }
  return most;
}

/** The largest angle between directions of a mesh and those of the rig, in degrees; `width` numbers each in the latter. */
export function widestAngle(mesh, found, expected, width = 3) {
  let least = 1;
  const count = found.length / 3;
  const vertexOf = rigVertices(mesh.geometry);
  for (let i = 0; i < count; ++i) {
    const v = vertexOf(i);
    let dot = 0;
    let size = 0;
    for (let k = 0; k < 3; ++k) {
      dot += found[3 * i + k] * expected[width * v + k];
      size += found[3 * i + k] ** 2;
    }
    least = Math.min(least, dot / Math.sqrt(size));
  }
  return (180 / Math.PI) * Math.acos(Math.min(1, least));
}
