// SPDX-License-Identifier: Apache-2.0
// Compares our joint matrices and our skinning with those of three.js.
//   node compare_fk.mjs RIG_DUMP MANIFEST.json   status 1 if any number is off by more than 1e-5
//                                                of the largest one of its skin or its part at
//                                                that moment
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { jointMatrices } from './fk.mjs';

const tolerance = 1e-5;

// The largest relative difference between two lists of skins.
function difference(ours, theirs, place) {
  if (ours.length !== theirs.length) throw new Error(`${place}: ${ours.length} and ${theirs.length} skins`);
  let worst = 0;
  ours.forEach((skin, s) => {
    if (skin.length !== theirs[s].length) throw new Error(`${place}, skin ${s}: other joints`);
    const size = Math.max(...skin.flat().map(Math.abs));
    skin.forEach((matrix, j) => {
      matrix.forEach((value, i) => {
        const off = Math.abs(value - theirs[s][j][i]) / size;
        if (!(off <= worst)) worst = off;  // NaN counts as worst
      });
    });
  });
  return worst;
}

// The same for skinned vertices, primitive by primitive.
function vertexDifference(ours, theirs, place) {
  let worst = 0;
  for (const { node, primitive, positions: expected } of theirs) {
    const own = ours.find((part) => part.node === node && part.primitive === primitive);
    if (own?.positions.length !== expected.length) throw new Error(`${place}: other vertices`);
    const { positions } = own;
    const size = positions.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    positions.forEach((value, i) => {
      const off = Math.abs(value - expected[i]) / size;
      if (!(off <= worst)) worst = off;
    });
  }
  return worst;
}

const [dump, manifest] = process.argv.slice(2);
let failed = false;
let compared = 0;
const entries = JSON.parse(readFileSync(manifest, 'utf8'));
const files = new Set(entries.flatMap(({ file, original }) => (original ? [original, file] : [file])));
for (const file of files) {
  const ours = JSON.parse(execFileSync(dump, ["rig", file], { maxBuffer: 1 << 30 }));
  if (ours.rest.length === 0) continue;
  const theirs = await jointMatrices(file, (i) => ours.clips[i].moments.map(({ time }) => time));
  let worst = difference(ours.rest, theirs.rest, `${file}, at rest`);
  let moments = 0;
  let worstVertex = 0;
  if (ours.clips.length !== theirs.clips.length) throw new Error(`${file}: other clips`);
  ours.clips.forEach((clip, c) => clip.moments.forEach(({ time, skins, parts }, m) => {
    const place = `${file}, ${clip.name}, ${time} s`;
    const other = theirs.clips[c].moments[m];
    const off = difference(skins, other.skins, place);
    if (!(off <= worst)) worst = off;
    const vertexOff = vertexDifference(parts, other.parts, place);
    if (!(vertexOff <= worstVertex)) worstVertex = vertexOff;
    ++moments;
  }));
  console.log(`${file}: ${ours.clips.length} clips, ${moments} moments, largest difference of joints ${worst.toExponential(2)}, of vertices ${worstVertex.toExponential(2)}`);
  failed ||= !(worst <= tolerance && worstVertex <= tolerance);
  ++compared;
}
if (compared === 0) {
  console.log('no file with a skin to compare');
  failed = true;
}
process.exitCode = failed ? 1 : 0;
