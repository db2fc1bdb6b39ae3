#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_npm.sh FOLDER: installs the tarballs of sinew and sinew-three into an empty folder, beside three.js, and uses them.
set -euo pipefail
tarballs=("$(realpath "$1")"/sinew-[0-9]*.tgz "$(realpath "$1")"/sinew-three-[0-9]*.tgz)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{"private": true, "type": "module"}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline three "${tarballs[@]}"
cat >main.js <<'TEXT'
import createSinew from 'sinew';
import createRuntime from 'sinew/runtime';
import { SinewCharacter, SinewSkin } from 'sinew-three';

for (const sinew of [await createSinew(), await createRuntime()]) {
  if (!sinew.version) throw new Error('no version');
}
const sinew = await createSinew();
const rig = sinew.sample('arm', { vertices: 500 });
const character = new SinewCharacter(new SinewSkin(sinew, rig));
character.method = 'stbs-dqs';
const positions = new sinew.Deformer(rig, 'stbs-dqs').at({ clip: 0, time: 0.5 });
if (!(rig.vertexCount > 0)) throw new Error('no vertices');
console.log(`sinew ${sinew.version} and sinew-three work: ${rig.vertexCount} vertices`);
TEXT
node main.js
