// SPDX-License-Identifier: Apache-2.0
// Compares our joint matrices with those of three.js.
//   node compare_fk.mjs RIG_DUMP MANIFEST.json   status 1 if any number is off by more than 1e-5
//                                                of the largest one of its skin at that moment
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

const [dump, manifest] = process.argv.slice(2);
let failed = false;
let compared = 0;
const entries = JSON.parse(readFileSync(manifest, 'utf8'));
const files = new Set(entries.flatMap(({ file, original }) => (original ? [original, file] : [file])));
for (const file of files) {
  const ours = JSON.parse(execFileSync(dump, [file], { maxBuffer: 1 << 30 }));
  if (ours.rest.length === 0) continue;
  const theirs = await jointMatrices(file, (i) => ours.clips[i].moments.map(({ time }) => time));
  let worst = difference(ours.rest, theirs.rest, `${file}, at rest`);
  let moments = 0;
  if (ours.clips.length !== theirs.clips.length) throw new Error(`${file}: other clips`);
  ours.clips.forEach((clip, c) => clip.moments.forEach(({ time, skins }, m) => {
    const off = difference(skins, theirs.clips[c].moments[m].skins, `${file}, ${clip.name}, ${time} s`);
    if (!(off <= worst)) worst = off;
    ++moments;
  }));
  console.log(`${file}: ${ours.clips.length} clips, ${moments} moments, largest difference ${worst.toExponential(2)}`);
  failed ||= !(worst <= tolerance);
  ++compared;
}
if (compared === 0) {
  console.log('no file with a skin to compare');
  failed = true;
}
process.exitCode = failed ? 1 : 0;
