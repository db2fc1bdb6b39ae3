// SPDX-License-Identifier: Apache-2.0
// Writes the character of the first screen into public/, so that it is there at once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const sinewFolder = fileURLToPath(new URL('../../../dist/sinew', import.meta.url));
const { default: createSinew } = await import(pathToFileURL(`${sinewFolder}/sinew.js`).href);
const sinew = await createSinew();
const folder = new URL('../public/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('mannequin.glb', folder), sinew.sample('mannequin', { vertices: 6000 }).toBytes('glb'));
