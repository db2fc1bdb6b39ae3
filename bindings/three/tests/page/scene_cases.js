// SPDX-License-Identifier: Apache-2.0
// Characters in a scene: light and shadow, picking, bounds, crowds, changing methods, giving memory back.
import * as THREE from 'three';
import { SinewCharacter, SinewCrowd, SinewMesh, SinewSkin } from 'sinew-three';
import { atMost, moreThan, same } from './check.js';
import { load, playTo, sinew } from './rigs.js';
import { drawn, kind, makeRenderer } from './view.js';

const renderer = await makeRenderer();
const size = 160;

/** A plain mesh with the vertices that the core computes: what a deformed one must look like. */
function plainCopy(mesh, material) {
  const geometry = mesh.geometry.clone();
  geometry.deleteAttribute('sinewVertex');
  const positions = geometry.getAttribute('position');
  const point = new THREE.Vector3();
  for (let i = 0; i < positions.count; ++i) positions.setXYZ(i, ...mesh.getVertexPosition(i, point).toArray());
  geometry.computeVertexNormals();
  const copy = new THREE.Mesh(geometry, material);
  copy.castShadow = true;
  return copy;
}

const rig = sinew.sample('arm', { vertices: 800 });
const file = rig.toBytes('glb');

/** The loaded arm, bent, and a camera that sees it. */
async function arm(options) {
  const loaded = await load(file, options);
  const clip = rig.clipNames.length - 1;
  playTo(loaded, clip, 0.6 * rig.clip(clip).duration);
  const [mesh] = loaded.meshes;
  mesh.computeBoundingBox();
  const center = mesh.boundingBox.getCenter(new THREE.Vector3());
  const radius = mesh.boundingBox.getSize(new THREE.Vector3()).length() / 2;
  const camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  camera.position.copy(center).add(new THREE.Vector3(0.5, 0.8, 1).setLength(3.2 * radius));
  camera.lookAt(center);
  camera.updateMatrixWorld();
  return { loaded, mesh, center, radius, camera };
}

/** How many pixels of two pictures differ by more than a tenth in some channel. */
function differing(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if ([0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 25)) ++count;
  }
  return count;
}

/** A picture of the ground with the shadow of `object`, which itself is not drawn into it. */
async function shadowOf(object, light, { center, radius, camera }) {
  const scene = new THREE.Scene();
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(12 * radius, 12 * radius), new THREE.MeshLambertMaterial());
  ground.position.copy(center).sub(new THREE.Vector3(0, 1.2 * radius, 0));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  light.position.copy(center).add(new THREE.Vector3(0.2, 2.5, 0.3).multiplyScalar(radius));
  light.castShadow = true;
  if (light.target) light.target.position.copy(center);
  light.shadow.mapSize.set(512, 512);
  light.shadow.camera.near = 0.05 * radius;
  light.shadow.camera.far = 12 * radius;
  if (light.isDirectionalLight) {
    Object.assign(light.shadow.camera, { left: -3 * radius, right: 3 * radius, top: 3 * radius, bottom: -3 * radius });
  }
  light.shadow.bias = -0.002;
  const hidden = object.layers.mask;
  scene.add(ground, light, object);
  if (light.target) scene.add(light.target);
  // The camera does not see the object, but the light does.
  object.material.colorWrite = false;
  object.material.depthWrite = false;
  renderer.shadowMap.enabled = true;
  const pixels = await drawn(renderer, scene, camera, size, size);
  object.layers.mask = hidden;
  scene.remove(object);
  light.dispose();
  return pixels;
}

async function shadowFollows(makeLight) {
  const scene = await arm();
  const { loaded, mesh } = scene;
  mesh.castShadow = true;
  const found = await shadowOf(mesh, makeLight(), scene);
  const expected = await shadowOf(plainCopy(mesh, new THREE.MeshLambertMaterial()), makeLight(), scene);
  loaded.character.pose.rest();
  for (const joint of loaded.character.joints) {
    const rest = loaded.character.skin.rig.jointRests.subarray(10 * loaded.character.joints.indexOf(joint));
    joint.position.fromArray(rest, 0);
    joint.quaternion.fromArray(rest, 3);
    joint.scale.fromArray(rest, 7);
  }
  const atRest = await shadowOf(mesh, makeLight(), scene);
  const wrong = atMost(0.2 * size, differing(found, expected), 'pixels off');
  const moved = moreThan(size, differing(found, atRest), 'pixels that the pose changes');
  loaded.dispose();
  return { wrong, moved };
}

/** Garbage is gone, and what was to be done about it is done. */
async function collect() {
  for (let i = 0; i < 3; ++i) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const cases = {
  async looks_like_a_plain_mesh() {
    const { loaded, mesh, camera } = await arm();
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(1, 3, 2);
    scene.add(sun, mesh);
    mesh.material = mesh.adapted(new THREE.MeshStandardMaterial({ color: 0xccaa88, roughness: 0.7 }));
    const found = await drawn(renderer, scene, camera, size, size);
    scene.remove(mesh);
    scene.add(plainCopy(mesh, new THREE.MeshStandardMaterial({ color: 0xccaa88, roughness: 0.7 })));
    const expected = await drawn(renderer, scene, camera, size, size);
    const covered = expected.filter((x, i) => i % 4 === 3 && x > 0).length;
    moreThan(2000, covered, 'pixels covered');
    const wrong = atMost(0.01 * covered, differing(found, expected), 'pixels off');
    loaded.dispose();
    return { covered, wrong };
  },

  directional_shadow_follows: () => shadowFollows(() => new THREE.DirectionalLight(0xffffff, 3)),
  point_shadow_follows: () => shadowFollows(() => new THREE.PointLight(0xffffff, 30, 0, 0.5)),

  async picking_hits_the_posed_shape() {
    const { loaded, mesh, camera } = await arm();
    const copy = plainCopy(mesh, new THREE.MeshBasicMaterial());
    copy.updateMatrixWorld();
    const raycaster = new THREE.Raycaster();
    let hits = 0;
    let worst = 0;
    for (let y = -9; y <= 9; ++y) {
      for (let x = -9; x <= 9; ++x) {
        raycaster.setFromCamera(new THREE.Vector2(x / 20, y / 20), camera);
        const [found] = raycaster.intersectObject(mesh);
        const [expected] = raycaster.intersectObject(copy);
        same(expected === undefined, found === undefined, `a hit at ${x}, ${y}`);
        if (!found) continue;
        ++hits;
        same(expected.faceIndex, found.faceIndex, 'the triangle');
        worst = Math.max(worst, found.point.distanceTo(expected.point));
      }
    }
    moreThan(20, hits, 'hits');
    loaded.dispose();
    return { hits, worst: atMost(1e-6, worst, 'distance') };
  },

  async bounds_hold_the_posed_shape() {
    const result = {};
    for (const name of kind === 'webgl' ? ['arm', 'mannequin'] : ['arm']) {
      const rig = sinew.sample(name, { vertices: 400 });
      const loaded = await load(rig.toBytes('glb'));
      const point = new THREE.Vector3();
      let outside = 0;
      let looseness = 0;
      for (let clip = 0; clip < rig.clipNames.length; ++clip) {
        playTo(loaded, clip, 0.6 * rig.clip(clip).duration);
        for (const method of ['lbs', 'dqs', 'stbs-lbs', 'stbs-dqs']) {
          loaded.character.method = method;
          loaded.gltf.scene.updateMatrixWorld();
          for (const mesh of loaded.meshes) {
            const sphere = mesh.boundingSphere.clone();
            mesh.computeBoundingSphere();
            looseness = Math.max(looseness, sphere.radius / mesh.boundingSphere.radius);
            const count = mesh.geometry.getAttribute('position').count;
            for (let i = 0; i < count; ++i) {
              mesh.getVertexPosition(i, point);
              if (!sphere.containsPoint(point) || !mesh.boundingBox.containsPoint(point)) ++outside;
            }
            loaded.character.needsUpdate = true;
          }
        }
      }
      result[name] = { outside: same(0, outside, 'vertices outside'), looseness: atMost(3, looseness, 'how much wider') };
      loaded.dispose();
    }
    return result;
  },

  async scenes_move_with_their_root() {
    const { loaded, mesh, camera } = await arm();
    const raycaster = new THREE.Raycaster();
    const point = mesh.getVertexPosition(0, new THREE.Vector3());
    loaded.gltf.scene.position.set(3, 0, 0);
    loaded.gltf.scene.updateMatrixWorld();
    const moved = point.clone().applyMatrix4(mesh.matrixWorld);
    raycaster.set(camera.position, moved.clone().sub(camera.position).normalize());
    moreThan(0, raycaster.intersectObject(mesh).length, 'hits');
    const off = atMost(1e-9, moved.distanceTo(point.clone().add(new THREE.Vector3(3, 0, 0))), 'how far off');
    loaded.dispose();
    return { off };
  },

  async a_crowd_is_one_draw_call() {
    const skin = new SinewSkin(sinew, rig);
    const geometry = skin.geometry();
    const crowd = new SinewCrowd(skin, geometry, new THREE.MeshNormalMaterial(), 30);
    const scene = new THREE.Scene();
    const separate = new THREE.Group();
    const duration = rig.clip(0).duration;
    const characters = [];
    crowd.poses.forEach((pose, i) => {
      pose.play(0, (i / 30) * duration);
      crowd.updateAt(i);
      const place = new THREE.Matrix4().makeTranslation(0.8 * (i % 6), 0, -0.8 * Math.floor(i / 6));
      crowd.setMatrixAt(i, place);
      const character = new SinewCharacter(skin);
      character.pose.play(0, (i / 30) * duration);
      const mesh = new SinewMesh(character, geometry, new THREE.MeshNormalMaterial());
      mesh.position.setFromMatrixPosition(place);
      separate.add(mesh);
      characters.push(character);
    });
    const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
    camera.position.set(2, 3, 5);
    camera.lookAt(2, 0, -1);
    camera.updateMatrixWorld();
    scene.add(crowd);
    renderer.info.autoReset = false;
    renderer.info.reset();
    const found = await drawn(renderer, scene, camera, size, size);
    const calls = renderer.info.render.drawCalls ?? renderer.info.render.calls;
    renderer.info.autoReset = true;
    scene.remove(crowd);
    scene.add(separate);
    const expected = await drawn(renderer, scene, camera, size, size);
    const covered = expected.filter((x, i) => i % 4 === 3 && x > 0).length;
    moreThan(1000, covered, 'pixels covered');
    const wrong = atMost(0.01 * covered, differing(found, expected), 'pixels off');
    same(1, calls, 'draw calls');
    // The member under a ray is the one whose mesh is.
    crowd.updateMatrixWorld();
    const raycaster = new THREE.Raycaster();
    const target = new THREE.Vector3();
    separate.children[13].getVertexPosition(40, target).applyMatrix4(separate.children[13].matrixWorld);
    raycaster.set(camera.position, target.sub(camera.position).normalize());
    const [hit] = raycaster.intersectObject(crowd);
    const [other] = raycaster.intersectObject(separate);
    same(separate.children.indexOf(other.object), hit.instanceId, 'the member that was hit');
    crowd.computeBoundingSphere();
    same(true, crowd.boundingSphere.containsPoint(hit.point), 'in the sphere');
    crowd.dispose();
    for (const character of characters) character.dispose();
    skin.dispose();
    return { covered, wrong, calls, instance: hit.instanceId };
  },

  async methods_change_without_compiling() {
    const { loaded, mesh, camera } = await arm();
    const scene = new THREE.Scene();
    scene.add(mesh);
    mesh.material = mesh.adapted(new THREE.MeshNormalMaterial());
    const compiled = () => (kind === 'webgl' ? renderer.info.programs.length : renderer._pipelines.programs.vertex.size);
    const pictures = [];
    let programs = 0;
    for (const method of ['lbs', 'dqs', 'stbs-lbs', 'stbs-dqs', 'mixed', 'stbs-mixed', 'lbs']) {
      loaded.character.method = method;
      pictures.push(await drawn(renderer, scene, camera, size, size));
      programs ||= compiled();
    }
    same(programs, compiled(), 'programs');
    same(0, differing(pictures[0], pictures[6]), 'lbs and lbs again');
    const changed = moreThan(20, differing(pictures[0], pictures[3]), 'lbs and stbs-dqs');
    loaded.dispose();
    return { programs, changed };
  },

  async normal_maps_work() {
    const { loaded, mesh, camera } = await arm();
    const bumps = new Uint8Array(64 * 64 * 4);
    for (let i = 0; i < 64 * 64; ++i) bumps.set([128 + 90 * Math.sin(i), 128, 200, 255], 4 * i);
    const normalMap = new THREE.DataTexture(bumps, 64, 64);
    normalMap.needsUpdate = true;
    const count = mesh.geometry.getAttribute('position').count;
    const uv = new Float32Array(2 * count);
    for (let i = 0; i < count; ++i) uv.set([(i % 37) / 37, (i % 11) / 11], 2 * i);
    mesh.geometry.setAttribute('uv', new THREE.BufferAttribute(uv, 2));
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 3);
    sun.position.set(1, 3, 2);
    scene.add(sun, mesh);
    mesh.material = mesh.adapted(new THREE.MeshStandardMaterial());
    const smooth = await drawn(renderer, scene, camera, size, size);
    mesh.material = mesh.adapted(new THREE.MeshStandardMaterial({ normalMap }));
    const rough = await drawn(renderer, scene, camera, size, size);
    const changed = moreThan(200, differing(smooth, rough), 'pixels that the map changes');
    loaded.dispose();
    return { changed };
  },

  async nothing_leaks() {
    const rig = sinew.sample('arm', { vertices: 100 });
    const material = new THREE.MeshBasicMaterial();
    const round = () => {
      const skin = new SinewSkin(sinew, rig, { exactNormals: false });
      const character = new SinewCharacter(skin);
      const geometry = skin.geometry();
      const mesh = new SinewMesh(character, geometry, material);
      mesh.updateMatrixWorld();
      mesh.dispose();
      character.dispose();
      geometry.dispose();
      skin.dispose();
    };
    for (let i = 0; i < 300; ++i) round();
    await collect();
    const before = { handles: sinew.handleCount(), memory: sinew.memorySize(), heap: performance.memory?.usedJSHeapSize };
    // Without a renderer, which makes no difference: all of them once, fewer for the others.
    for (let i = 0; i < (kind === 'webgl' ? 10000 : 200); ++i) round();
    await collect();
    same(before.handles, sinew.handleCount(), 'handles');
    same(before.memory, sinew.memorySize(), 'bytes of the module');
    const heap = performance.memory ? performance.memory.usedJSHeapSize - before.heap : 0;
    atMost(8e6, heap, 'bytes of the page');
    rig.free();
    return { handles: before.handles, memory: before.memory, heap };
  },

  async gpu_objects_are_given_back() {
    const rig = sinew.sample('arm', { vertices: 100 });
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera();
    const light = new THREE.DirectionalLight();
    light.castShadow = true;
    scene.add(light);
    const make = () => {
      const skin = new SinewSkin(sinew, rig);
      const mesh = new SinewMesh(new SinewCharacter(skin), skin.geometry(), new THREE.MeshLambertMaterial());
      mesh.castShadow = true;
      mesh.frustumCulled = false;
      scene.add(mesh);
      renderer.render(scene, camera);
      return mesh;
    };
    const remove = (mesh) => {
      scene.remove(mesh);
      mesh.dispose();
      mesh.character.dispose();
      mesh.geometry.dispose();
      mesh.character.skin.dispose();
    };
    const round = () => remove(make());
    // One stays, so that the shaders need not be compiled again and again.
    const kept = make();
    for (let i = 0; i < 5; ++i) round();
    const { textures, geometries } = renderer.info.memory;
    for (let i = 0; i < 30; ++i) round();
    same(textures, renderer.info.memory.textures, 'textures');
    same(geometries, renderer.info.memory.geometries, 'geometries');
    remove(kept);
    rig.free();
    return { textures, geometries };
  },
};
