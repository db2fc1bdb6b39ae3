// SPDX-License-Identifier: Apache-2.0
// Live helpers in three.js: joints are turned and moved by code, no clip plays, and the skin must be
// where stretchable, twistable bones have it, within the error that the bake reported. Once moved by
// the script of the documentation, once turned by the constraints as VRMC_node_constraint 1.0 says.
//   node live.mjs SINEW SOURCE_DIR   status 1 if anything is off
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as THREE from 'three';
import { load, skinnedPositions } from './fk.mjs';
import { moveHelpers } from './three.mjs';

const [sinew, sourceDir] = process.argv.slice(2);
const assets = process.env.SINEW_ASSETS ?? path.join(sourceDir, '../shared/assets');
let failed = false;
function expect(holds, text) {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${text}`);
  failed ||= !holds;
}

// Status 1 says that a bound was not met; the report is what counts here.
function run(...args) {
  try {
    return execFileSync(sinew, [...args, '--json'], { maxBuffer: 1 << 30 });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw error;
  }
}

const nodeOf = (gltf, name) =>
  gltf.scene.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name));

// A pose: {joint: [degrees about the line from its parent, stretch, degrees across that line]}.
// Gives what a pose file says of it.
function setPose(gltf, pose) {
  const joints = {};
  for (const [name, [twist, stretch, bend]] of Object.entries(pose)) {
    const joint = nodeOf(gltf, name);
    const along = joint.position.clone().normalize();
    const across = new THREE.Vector3(0.31, 0.57, -0.76).cross(along).normalize();
    const turn = (axis, degrees) =>
      joint.quaternion.premultiply(new THREE.Quaternion().setFromAxisAngle(axis, degrees * Math.PI / 180));
    turn(along, twist);
    turn(across, bend);
    joint.position.multiplyScalar(stretch);
    joints[name] = { rotation: joint.quaternion.toArray(), translation: joint.position.toArray() };
  }
  return { joints };
}

function positionsOf(gltf) {
  gltf.scene.updateMatrixWorld(true);
  let positions;
  gltf.scene.traverse((object) => {
    if (!object.isSkinnedMesh) return;
    if (positions) throw new Error('models of one primitive are expected here');
    positions = skinnedPositions(object);
  });
  return positions;
}

function trueShape(model, pose) {
  writeFileSync('live/pose.json', JSON.stringify(pose));
  run('deform', model, '--pose', 'live/pose.json', '--method', 'stbs-lbs', '--reference', '-o', 'live/true.obj');
  return readFileSync('live/true.obj', 'utf8').split('\n').filter((line) => line.startsWith('v '))
    .flatMap((line) => line.split(/\s+/).slice(1, 4).map(Number));
}

function largestDistance(a, b) {
  if (a.length !== b.length) throw new Error(`${a.length / 3} and ${b.length / 3} vertices`);
  let worst = 0;
  for (let i = 0; i < a.length; i += 3) {
    const off = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
    if (!(off <= worst)) worst = off;  // NaN counts as worst
  }
  return worst;
}

// From the text of VRMC_node_constraint 1.0: each node's rotation from those of its source.
function applyConstraints(gltf, rest) {
  const { json, associations } = gltf.parser;
  const nodes = [];
  gltf.scene.traverse((object) => { nodes[associations.get(object)?.nodes] ??= object; });
  const constraintOf = (node) => json.nodes[node].extensions?.VRMC_node_constraint?.constraint;
  const done = new Set();
  const evaluate = (node) => {
    const constraint = constraintOf(node);
    if (!constraint || done.has(node)) return;
    done.add(node);
    const { source, weight = 1, rollAxis } = constraint.roll ?? constraint.rotation;
    evaluate(source);
    const own = rest[node], back = own.clone().invert(), sourceBack = rest[source].clone().invert();
    const target = own.clone();
    if (constraint.roll) {
      const axis = new THREE.Vector3(...['X', 'Y', 'Z'].map((name) => Number(name === rollAxis)));
      const turned = back.clone().multiply(nodes[source].quaternion).multiply(sourceBack).multiply(own);
      const swing = new THREE.Quaternion().setFromUnitVectors(axis, axis.clone().applyQuaternion(turned));
      target.multiply(swing.invert()).multiply(turned);
    } else {
      target.multiply(sourceBack).multiply(nodes[source].quaternion);
    }
    nodes[node].quaternion.copy(own).slerp(target, weight);
  };
  json.nodes.forEach((_, node) => evaluate(node));
}

function restRotations(gltf) {
  return gltf.parser.json.nodes.map(({ rotation = [0, 0, 0, 1], matrix }) => {
    if (!matrix) return new THREE.Quaternion(...rotation).normalize();
    const q = new THREE.Quaternion();
    new THREE.Matrix4().fromArray(matrix).decompose(new THREE.Vector3(), q, new THREE.Vector3());
    return q;
  });
}

async function check(name, model, bones, poses) {
  const baked = `live/${name}_baked.glb`;
  const report = JSON.parse(run('bake', model, '-o', baked, '--live', 'vrm', '--bones', ...bones));
  const table = JSON.parse(readFileSync(`live/${name}_baked.live.json`, 'utf8'));
  const constraints = new Map((await load(baked)).parser.json.nodes
    .map(({ name: node, extensions }) => [node, extensions?.VRMC_node_constraint?.constraint]));
  expect(table.helpers.length === report.helpers, `${name}: all of ${report.helpers} helpers are in the table`);
  expect(table.helpers.every(({ helper, twists }) => twists.length === 0 || constraints.get(helper)?.roll),
    `${name}: each helper that twists has a roll constraint`);
  const weights = [...constraints.values()].filter(Boolean).map((c) => (c.roll ?? c.rotation).weight);
  expect(weights.length === report.live.constraints && weights.every((w) => w >= 0 && w <= 1),
    `${name}: ${weights.length} constraints have weights in [0, 1]`);

  const rest = positionsOf(await load(model));
  const box = [0, 1, 2].map((k) => {
    const values = rest.filter((_, i) => i % 3 === k);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
  const percent = 100 / Math.hypot(...box);
  for (const pose of poses) {
    const plain = await load(model);
    const exact = trueShape(model, setPose(plain, pose));
    const control = percent * largestDistance(exact, positionsOf(plain));
    const text = `${name} ${JSON.stringify(pose)}`;

    const scripted = await load(baked);
    setPose(scripted, pose);
    moveHelpers(scripted.scene, table, {});
    const error = percent * largestDistance(exact, positionsOf(scripted));
    const bound = report.live.max_error_box;
    expect(error <= bound + 1e-4 && control > 8 * bound,
      `${text}: the script is off by ${error.toFixed(4)}% of the box (reported ${bound.toFixed(4)}), plain skinning by ${control.toFixed(2)}`);

    if (Object.values(pose).some(([, stretch]) => stretch !== 1)) continue;
    const constrained = await load(baked);
    const rotations = restRotations(constrained);
    setPose(constrained, pose);
    applyConstraints(constrained, rotations);
    const rolled = percent * largestDistance(exact, positionsOf(constrained));
    const limit = report.live.constraint_error_box;
    expect(rolled <= limit + 1e-4,
      `${text}: constraints are off by ${rolled.toFixed(4)}% of the box (reported ${limit.toFixed(4)})`);
  }
  return { baked, table };
}

// Twists beyond half a turn are followed as long as no step is that large.
async function checkTurns({ baked, table }, name) {
  const gltf = await load(baked);
  const last = {};
  const joint = nodeOf(gltf, name);
  const start = joint.quaternion.clone(), along = joint.position.clone().normalize();
  for (let degrees = 0; degrees <= 270; degrees += 30) {
    joint.quaternion.setFromAxisAngle(along, degrees * Math.PI / 180).multiply(start);
    moveHelpers(gltf.scene, table, last);
  }
  const worst = Math.max(...Object.entries(last).filter(([key]) => key.endsWith(` ${name}`)).map(([, a]) => a));
  expect(Math.abs(worst - 1.5 * Math.PI) < 0.05, `${name} turned by 270 degrees is a twist of ${(worst * 180 / Math.PI).toFixed(1)}`);
}

mkdirSync('live', { recursive: true });
run('sample', 'mannequin', '--resolution', '1500', '-o', 'live/mannequin.glb');
const arms = ['L', 'R'].flatMap((side) => ['upper_arm', 'forearm', 'hand'].map((bone) => `${bone}.${side}`));
const mannequin = await check('mannequin', 'live/mannequin.glb', arms, [
  { 'hand.L': [120, 1, 0] },
  { 'hand.L': [120, 1.3, 0], 'hand.R': [-150, 1, 40] },
]);
await checkTurns(mannequin, 'hand.L');
// No generalized bones follow this elbow, as they do the mannequin's.
run('sample', 'arm', '--resolution', '1500', '-o', 'live/arm.glb');
await check('arm', 'live/arm.glb', ['upper_arm', 'forearm', 'hand'], [
  { forearm: [40, 1, 50], hand: [-150, 1, 0] },
  { forearm: [20, 1.3, 60], hand: [170, 0.8, 0] },
]);
const man = path.join(assets, 'CesiumMan.glb');
if (existsSync(man)) {
  run('weights', man, '--endpoints', 'projection', '-o', 'live/CesiumMan.glb');
  const elbow = 'Skeleton_arm_joint_L__3_', wrist = 'Skeleton_arm_joint_L__2_';
  await check('CesiumMan', 'live/CesiumMan.glb', ['Skeleton_arm_joint_L__4_', elbow, wrist],
    [{ [wrist]: [120, 1, 0] }, { [elbow]: [30, 1, 60], [wrist]: [-100, 1, 20] }, { [wrist]: [120, 1.3, 0] }]);
} else {
  console.log('CesiumMan.glb is missing: set SINEW_ASSETS');
}

const code = readFileSync(path.join(sourceDir, 'examples/live/three.mjs'), 'utf8').split('\n').slice(1);
const quoted = code.map((line) => (line ? `    ${line}` : line)).join('\n');
expect(readFileSync(path.join(sourceDir, 'docs/live-helpers.md'), 'utf8').includes(quoted),
  'the documentation quotes the script word for word');
process.exitCode = failed ? 1 : 0;
