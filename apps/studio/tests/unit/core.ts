// SPDX-License-Identifier: Apache-2.0
// The core itself, as the Workers have it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sinew } from 'sinew';

/** Whether the WebAssembly package is built; tests of what needs it are skipped where it is not. */
export const isMissing = !existsSync(fileURLToPath(new URL('../../../../dist/sinew/sinew.js', import.meta.url)));

const made: unknown = isMissing ? undefined : await (await import('sinew')).default();
export const sinew = made as Sinew;
