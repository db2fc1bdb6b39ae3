// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { JobRunner } from '../../src/core/jobs';
import { isMissing, sinew } from './core';

describe.skipIf(isMissing)('jobs', () => {
  const jobs = new JobRunner(sinew, () => undefined);

  it.each(['gif', 'apng'] as const)('write films as the core does: %s', (format) => {
    const [width, height] = [24, 16];
    const frames = [0, 1, 2].map((f) => {
      return Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : (i * (f + 3)) % 251));
    });
    const before = sinew.handleCount();
    const bytes = jobs.film({ width, height, frames, secondsPerFrame: 0.05, format });
    expect(sinew.handleCount()).toBe(before);
    const images = frames.map((data) => new sinew.Image({ width, height, data }));
    expect(bytes).toEqual(sinew.animation(images, 0.05, { format }));
    const text = String.fromCharCode(...bytes.subarray(0, 200));
    expect(text.startsWith(format === 'gif' ? 'GIF89a' : '\x89PNG')).toBe(true);
    if (format === 'apng') expect(text).toContain('acTL');
  });
});
