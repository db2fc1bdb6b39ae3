// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { webm } from '../../src/core/webm';

type Element = readonly [id: number, bytes: Uint8Array];

/** What lies in an element, one after the other. */
function inside(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const wide = Math.clz32(bytes[at]) - 23;
    const id = bytes.subarray(at, at + wide).reduce((sum, byte) => sum * 256 + byte, 0);
    const size = bytes.subarray(at + wide + 1, at + wide + 8).reduce((sum, byte) => sum * 256 + byte, 0);
    expect(bytes[at + wide]).toBe(1);
    found.push([id, bytes.subarray(at + wide + 8, at + wide + 8 + size)]);
    at += wide + 8 + size;
  }
  return found;
}

const member = (bytes: Uint8Array, ...path: readonly number[]): Uint8Array => path.reduce((from, id) => inside(from).find(([one]) => one === id)?.[1] ?? new Uint8Array(0), bytes);
const valueOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

describe('films', () => {
  const pictures = [0, 500, 1000, 34000].map((time, k) => ({ bytes: Uint8Array.of(k, 200 + k), time, isKey: k === 0 || k === 2 }));
  const film = webm('V_VP9', 480, 300, 34033, pictures);
  const segment = 0x18538067;

  it('say what they are, how large and how long', () => {
    expect(inside(film).map(([id]) => id)).toEqual([0x1a45dfa3, segment]);
    expect(new TextDecoder().decode(member(film, 0x1a45dfa3, 0x4282))).toBe('webm');
    const duration = member(film, segment, 0x1549a966, 0x4489);
    expect(new DataView(duration.buffer, duration.byteOffset).getFloat64(0)).toBe(34033);
    const track = member(film, segment, 0x1654ae6b, 0xae);
    expect([member(track, 0xe0, 0xb0), member(track, 0xe0, 0xba)].map(valueOf)).toEqual([480, 300]);
    expect(new TextDecoder().decode(member(track, 0x86))).toBe('V_VP9');
  });

  it('have a cluster from each picture that needs no other, and where times would not fit', () => {
    const clusters = inside(member(film, segment)).filter(([id]) => id === 0x1f43b675).map(([, bytes]) => inside(bytes));
    const told = clusters.map(([[, time], ...blocks]) => [valueOf(time), ...blocks.map(([, bytes]) => [...bytes])]);
    expect(told).toEqual([
      [0, [0x81, 0, 0, 0x80, 0, 200], [0x81, 1, 244, 0, 1, 201]],
      [1000, [0x81, 0, 0, 0x80, 2, 202]],
      [34000, [0x81, 0, 0, 0, 3, 203]],
    ]);
  });
});
