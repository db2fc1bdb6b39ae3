// SPDX-License-Identifier: Apache-2.0
// Animated GIF: one palette of 256 colours for all frames, found by median cut, and LZW.

export interface GifFrame {
  /** Red, green, blue, alpha, a byte each. */
  readonly pixels: Uint8ClampedArray;
  /** In hundredths of a second. */
  readonly delay: number;
}

/** The bytes of a GIF that loops for ever. */
export function writeGif(width: number, height: number, frames: readonly GifFrame[]): Uint8Array<ArrayBuffer> {
  const palette = medianCut(frames.map((frame) => frame.pixels));
  const out = new Bytes();
  out.text('GIF89a');
  out.short(width);
  out.short(height);
  out.byte(0xf7); // a palette of 256 colours, eight bits each
  out.byte(0);
  out.byte(0);
  for (let i = 0; i < 256; ++i) {
    const color = palette[i] ?? [0, 0, 0];
    out.byte(color[0]);
    out.byte(color[1]);
    out.byte(color[2]);
  }
  out.byte(0x21);
  out.byte(0xff);
  out.byte(11);
  out.text('NETSCAPE2.0');
  out.byte(3);
  out.byte(1);
  out.short(0);
  out.byte(0);
  const nearest = nearestIn(palette);
  for (const frame of frames) {
    out.byte(0x21);
    out.byte(0xf9);
    out.byte(4);
    out.byte(0);
    out.short(frame.delay);
    out.byte(0);
    out.byte(0);
    out.byte(0x2c);
    out.short(0);
    out.short(0);
    out.short(width);
    out.short(height);
    out.byte(0);
    const indices = new Uint8Array(width * height);
    for (let p = 0; p < indices.length; ++p) {
      indices[p] = nearest(frame.pixels[4 * p], frame.pixels[4 * p + 1], frame.pixels[4 * p + 2]);
    }
    out.byte(8);
    out.blocks(lzw(indices, 8));
    out.byte(0);
  }
  out.byte(0x3b);
  return out.bytes();
}

type Color = readonly [number, number, number];

// Colours are counted in 15 bits, which is as fine as 256 of them can show.
function medianCut(frames: readonly Uint8ClampedArray[]): Color[] {
  const count = new Uint32Array(1 << 15);
  for (const pixels of frames) {
    for (let p = 0; p < pixels.length; p += 4) {
      ++count[((pixels[p] >> 3) << 10) | ((pixels[p + 1] >> 3) << 5) | (pixels[p + 2] >> 3)];
    }
  }
  const channel = (key: number, c: number): number => (key >> (10 - 5 * c)) & 31;
  interface Box {
    keys: number[];
    weight: number;
    axis: number;
    spread: number;
  }
  const boxOf = (keys: number[]): Box => {
    let weight = 0;
    const low = [31, 31, 31];
    const high = [0, 0, 0];
    for (const key of keys) {
      weight += count[key];
      for (let c = 0; c < 3; ++c) {
        const value = channel(key, c);
        low[c] = Math.min(low[c], value);
        high[c] = Math.max(high[c], value);
      }
    }
    const ranges = high.map((value, c) => value - low[c]);
    const spread = Math.max(...ranges);
    return { keys, weight, axis: ranges.indexOf(spread), spread };
  };
  const used = Array.from(count.keys()).filter((key) => count[key] > 0);
  const boxes = [boxOf(used)];
  while (boxes.length < 256) {
    let at = -1;
    let most = 0;
    boxes.forEach((box, b) => {
      const score = box.spread * Math.sqrt(box.weight);
      if (box.keys.length > 1 && score > most) [at, most] = [b, score];
    });
    if (at < 0) break;
    const box = boxes[at];
    const sorted = [...box.keys].sort((a, b) => channel(a, box.axis) - channel(b, box.axis));
    let half = 0;
    let cut = 0;
    while (cut < sorted.length - 2 && half + count[sorted[cut]] < box.weight / 2) half += count[sorted[cut++]];
    boxes.splice(at, 1, boxOf(sorted.slice(0, cut + 1)), boxOf(sorted.slice(cut + 1)));
  }
  return boxes.map((box) => {
    const sum = [0, 0, 0];
    for (const key of box.keys) for (let c = 0; c < 3; ++c) sum[c] += channel(key, c) * count[key];
    const value = (c: number): number => Math.round(((sum[c] / Math.max(1, box.weight)) * 255) / 31);
    return [value(0), value(1), value(2)];
  });
}

function nearestIn(palette: readonly Color[]): (r: number, g: number, b: number) => number {
  const known = new Int16Array(1 << 15).fill(-1);
  return (r, g, b) => {
    const key = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
    if (known[key] >= 0) return known[key];
    let best = 0;
    let least = Infinity;
    palette.forEach((color, i) => {
      const distance = (color[0] - r) ** 2 + (color[1] - g) ** 2 + (color[2] - b) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    known[key] = best;
    return best;
  };
}

/** LZW as GIF has it: codes of growing width, least bits first. */
export function lzw(indices: Uint8Array, bits: number): Uint8Array {
  const clear = 1 << bits;
  const end = clear + 1;
  const out = new Bytes();
  let width = bits + 1;
  let next = end + 1;
  let table = new Map<number, number>();
  let buffer = 0;
  let held = 0;
  const emit = (code: number): void => {
    buffer |= code << held;
    held += width;
    while (held >= 8) {
      out.byte(buffer & 255);
      buffer >>>= 8;
      held -= 8;
    }
  };
  emit(clear);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; ++i) {
    const key = (prefix << 8) | indices[i];
    const found = table.get(key);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    emit(prefix);
    if (next === 4096) {
      emit(clear);
      table = new Map();
      next = end + 1;
      width = bits + 1;
    } else {
      if (next === 1 << width) ++width;
      table.set(key, next++);
    }
    prefix = indices[i];
  }
  emit(prefix);
  emit(end);
  if (held > 0) out.byte(buffer & 255);
  return out.bytes();
}

class Bytes {
  private data = new Uint8Array(1 << 16);
  private size = 0;

  byte(value: number): void {
    if (this.size === this.data.length) {
      const larger = new Uint8Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.size++] = value;
  }

  short(value: number): void {
    this.byte(value & 255);
    this.byte(value >> 8);
  }

  text(value: string): void {
    for (const letter of value) this.byte(letter.charCodeAt(0));
  }

  blocks(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += 255) {
      const part = bytes.subarray(from, from + 255);
      this.byte(part.length);
      for (const value of part) this.byte(value);
    }
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.size);
  }
}
