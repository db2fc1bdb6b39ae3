// SPDX-License-Identifier: Apache-2.0
// Plays baked models in three.js: its skinning equals ours to 1e-5, and the true stretchable,
// twistable bones of the models within the error that the bake reported, but for rounding.
//   node compare_bake.mjs MANIFEST   as sinew_dump writes it
import { readFileSync } from 'node:fs';
import { jointMatrices } from './fk.mjs';

const tolerance = 1e-5;

// The largest distance between vertices, and how large the shape is.
function distance(expected, actual, place) {
  let worst = 0;
  let size = 0;
  for (const { node, primitive, positions } of expected) {
    const part = actual.find((other) => other.node === node && other.primitive === primitive);
    if (part?.positions.length !== positions.length) throw new Error(`${place}: other vertices`);
    for (let i = 0; i < positions.length; i += 3) {
      const off = Math.hypot(...[0, 1, 2].map((k) => positions[i + k] - part.positions[i + k]));
      if (!(off <= worst)) worst = off;  // NaN counts as worst
      size = Math.max(size, ...positions.slice(i, i + 3).map(Math.abs));
    }
  }
  return { worst, size };
}

let failed = false;
const models = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { file, helpers, max_error: maxError, clips } of models) {
  const played = await jointMatrices(file, (i) => clips[i].ours.map(({ time }) => time));
  let skinning = 0;
  let loss = 0;
  let largest = 0;
  clips.forEach(({ name, ours, truth }, c) => ours.forEach(({ time, parts }, m) => {
    const theirs = played.clips[c].moments[m].parts;
    const { worst, size } = distance(parts, theirs, `${file}, ${name}, ${time} s`);
    if (!(worst / size <= skinning)) skinning = worst / size;
    largest = Math.max(largest, size);
    const off = distance(truth[m].parts, theirs, `${file}, ${name}, ${time} s`).worst;
    if (!(off <= loss)) loss = off;
  }));
  const moments = clips.reduce((count, { ours }) => count + ours.length, 0);
  console.log(`${file}: ${helpers} helpers, ${moments} moments, three.js is off our skinning by ${skinning.toExponential(2)}, off the truth by ${loss.toPrecision(4)}; reported ${maxError.toPrecision(4)}`);
  failed ||= !(moments > 0 && skinning <= tolerance && loss <= maxError + tolerance * largest);
}
if (models.length < 2) console.log('no real models: set SINEW_ASSETS');
process.exitCode = failed ? 1 : 0;
