// SPDX-License-Identifier: Apache-2.0
// Puts sinew.glsl into a module, so that the package has it without a bundler: scripts/embed.mjs FROM TO
import { readFileSync, writeFileSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
const text = readFileSync(from, 'utf8')
  .split('\n')
  .filter((line) => !/^\s*\/\//.test(line))
  .join('\n');
writeFileSync(
  to,
  `// SPDX-License-Identifier: Apache-2.0\n// Made from bindings/shaders/sinew.glsl.\nexport const sinewGlsl = ${JSON.stringify(text)};\n`,
);
