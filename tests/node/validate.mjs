// SPDX-License-Identifier: Apache-2.0
// Runs the Khronos glTF validator.
//   node validate.mjs FILE...             errors and warnings of each; status 1 if any has errors
//   node validate.mjs --manifest M.json   [{"file": ..., "original": ... or null}]: a file without
//                                         original must have no errors and no warnings, one with
//                                         must have no more of either than the original
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import validator from 'gltf-validator';

async function check(file) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(path.resolve(path.dirname(file), decodeURIComponent(uri)))),
  });
  const { numErrors: errors, numWarnings: warnings, messages } = report.issues;
  return { errors, warnings, messages: messages.filter((m) => m.severity < 2) };
}

function print(file, result) {
  console.log(`${file}: ${result.errors} errors, ${result.warnings} warnings`);
  for (const m of result.messages.slice(0, 10)) {
    console.log(`  ${m.severity === 0 ? 'error' : 'warning'} ${m.code} ${m.pointer ?? ''}: ${m.message}`);
  }
}

let failed = false;
const args = process.argv.slice(2);
if (args[0] === '--manifest') {
  for (const { file, original } of JSON.parse(readFileSync(args[1], 'utf8'))) {
    const result = await check(file);
    const allowed = original ? await check(original) : { errors: 0, warnings: 0 };
    print(file, result);
    if (result.errors > allowed.errors || result.warnings > allowed.warnings) {
      console.log(`  but at most ${allowed.errors} errors and ${allowed.warnings} warnings are right`);
      failed = true;
    }
  }
} else {
  for (const file of args) {
    const result = await check(file);
    print(file, result);
    failed ||= result.errors > 0;
  }
}
process.exitCode = failed ? 1 : 0;
