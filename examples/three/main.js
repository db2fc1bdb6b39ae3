// SPDX-License-Identifier: Apache-2.0
// Sinew's sample rigs in a three.js scene: written as glTF, loaded by three's own loader, deformed on the GPU.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import createSinew from 'sinew';
import { SinewCrowd, SinewGLTFPlugin, SinewMesh, sinewCharacter } from 'sinew-three';

const sinew = await createSinew();
const form = document.querySelector('form');
const fill = (select, names, chosen) => {
  select.replaceChildren(...names.map((name) => new Option(name, name, name === chosen, name === chosen)));
};

const renderer = THREE.WebGPURenderer ? new THREE.WebGPURenderer({ antialias: true }) : new THREE.WebGLRenderer({ antialias: true });
await renderer.init?.();
renderer.shadowMap.enabled = true;
document.body.prepend(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe3e8);
const camera = new THREE.PerspectiveCamera(35, 1, 0.05, 200);
const controls = new OrbitControls(camera, renderer.domElement);
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
sun.shadow.normalBias = 0.02;
const ground = new THREE.Mesh(new THREE.CircleGeometry(60, 64), new THREE.MeshStandardMaterial({ color: 0xc8ccd2 }));
ground.rotation.x = -Math.PI / 2;
ground.receiveShadow = true;
scene.add(sun, sun.target, new THREE.HemisphereLight(0xffffff, 0x8890a0, 1.2), ground);

/** What is shown: a loaded file, perhaps a crowd of it. */
let shown = null;

async function show(name) {
  remove();
  const rig = sinew.sample(name, { vertices: 4000 });
  const bytes = rig.toBytes('glb');
  rig.free();
  const loader = new GLTFLoader();
  loader.register((parser) => new SinewGLTFPlugin(parser, { sinew, squash: form.squash.checked }));
  const gltf = await loader.parseAsync(bytes.buffer, '');
  const character = sinewCharacter(gltf);
  const meshes = [];
  gltf.scene.traverse((object) => object instanceof SinewMesh && meshes.push(object));
  for (const mesh of meshes) mesh.castShadow = mesh.receiveShadow = true;
  shown = { gltf, character, meshes, mixer: new THREE.AnimationMixer(gltf.scene), crowds: [] };
  scene.add(gltf.scene);
  fill(form.clip, gltf.animations.map((clip) => clip.name), gltf.animations.at(-1)?.name);
  look();
  play();
}

/** Sees all of it, and puts the ground below. */
function look() {
  const box = new THREE.Box3();
  for (const mesh of shown.meshes) {
    mesh.updateMatrixWorld();
    mesh.computeBoundingBox();
    box.union(mesh.boundingBox);
  }
  const size = box.getSize(new THREE.Vector3()).length();
  box.getCenter(controls.target);
  ground.position.y = box.min.y;
  camera.position.copy(controls.target).add(new THREE.Vector3(0.5, 0.35, 1).setLength(1.9 * size));
  sun.position.copy(controls.target).add(new THREE.Vector3(0.6, 1.4, 0.8).setLength(2 * size));
  sun.target.position.copy(controls.target);
  spreadShadow(size);
}

/** Shadows fall within so far of the middle. */
function spreadShadow(reach) {
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: -5 * reach, far: 5 * reach });
  sun.shadow.camera.updateProjectionMatrix();
}

function play() {
  shown.mixer.stopAllAction();
  shown.character.pose.rest();
  const clip = shown.gltf.animations.find(({ name }) => name === form.clip.value);
  if (clip) shown.mixer.clipAction(clip).play();
  shown.character.method = form.method.value;
  for (const crowd of shown.crowds) crowd.method = form.method.value;
}

/** A hundred more behind it, each at another moment of the clip, in one draw call for each mesh. */
function gather() {
  for (const crowd of shown.crowds.splice(0)) {
    scene.remove(crowd);
    crowd.dispose();
  }
  if (!form.crowd.checked) return;
  for (const mesh of shown.meshes) {
    const crowd = new SinewCrowd(shown.character.skin, mesh.geometry, mesh.material, 100, { method: form.method.value });
    const step = 1.5 * mesh.boundingSphere.radius;
    spreadShadow(12 * step);
    const place = new THREE.Matrix4();
    for (let i = 0; i < 100; ++i) crowd.setMatrixAt(i, place.makeTranslation(step * ((i % 10) - 4.5), 0, -step * (1 + Math.floor(i / 10))));
    crowd.castShadow = true;
    shown.crowds.push(crowd);
    scene.add(crowd);
  }
}

function remove() {
  if (!shown) return;
  form.crowd.checked = false;
  gather();
  scene.remove(shown.gltf.scene);
  for (const mesh of shown.meshes) {
    mesh.dispose();
    mesh.geometry.dispose();
  }
  shown.character.dispose();
  shown.character.skin.dispose();
  shown = null;
}

function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}

const clock = new THREE.Timer();
function frame() {
  clock.update();
  controls.update();
  if (shown) {
    shown.mixer.update(clock.getDelta());
    const clip = shown.gltf.animations.findIndex(({ name }) => name === form.clip.value);
    const duration = shown.gltf.animations[clip]?.duration ?? 1;
    for (const crowd of shown.crowds) {
      crowd.poses.forEach((pose, i) => {
        pose.play(clip, (clock.getElapsed() + 0.37 * i) % duration);
        crowd.updateAt(i);
      });
    }
  }
  renderer.render(scene, camera);
  document.querySelector('output').value = `${renderer.info.render.triangles} triangles, ${renderer.info.render.drawCalls ?? renderer.info.render.calls} draw calls`;
}

const names = Object.keys(sinew.samples());
fill(form.rig, names, 'mannequin');
fill(form.method, ['lbs', 'dqs', 'mixed', 'stbs-lbs', 'stbs-dqs', 'stbs-mixed'], 'stbs-dqs');
form.rig.onchange = form.squash.onchange = () => show(form.rig.value);
form.clip.onchange = form.method.onchange = play;
form.crowd.onchange = gather;
addEventListener('resize', resize);
resize();
await show('mannequin');
renderer.setAnimationLoop(frame);
