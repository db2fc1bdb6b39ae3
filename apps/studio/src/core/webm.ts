// SPDX-License-Identifier: Apache-2.0
// Films as .webm: the browser's own encoder packs the pictures, here they get their times and a head that says how long it all is.

/** A picture as it was packed. */
export interface Packed {
  readonly bytes: Uint8Array;
  /** When it is shown, in whole milliseconds. */
  readonly time: number;
  /** Whether it needs none of those before it. */
  readonly isKey: boolean;
}

const codecs = [
  { name: 'vp09.00.31.08', id: 'V_VP9' },
  { name: 'vp8', id: 'V_VP8' },
] as const;

/**
 * Pictures of one size, each shown for as long as the others. It ends when `goesOn`, which is told how far it is, says so;
 * there is nothing then.
 */
export async function filmed(pictures: readonly ImageData[], rate: number, goesOn: (fraction: number) => boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [{ width, height }] = pictures;
  const bitrate = 6e6;
  let codec: (typeof codecs)[number] | undefined;
  for (const one of codecs) {
    if (codec) break;
    if ((await VideoEncoder.isConfigSupported({ codec: one.name, width, height, bitrate, framerate: rate })).supported) codec = one;
  }
  if (!codec) throw new Error('this browser cannot write .webm: save an .apng');
  const packed: Packed[] = [];
  let fault: Error | undefined;
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      packed.push({ bytes, time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key' });
    },
    error: (error) => (fault = error),
  });
  encoder.configure({ codec: codec.name, width, height, bitrate, framerate: rate });
  try {
    for (const [f, { data }] of pictures.entries()) {
      if (!goesOn(f / pictures.length)) return undefined;
      const frame = new VideoFrame(data, { format: 'RGBA', codedWidth: width, codedHeight: height, timestamp: Math.round((f * 1e6) / rate) });
      encoder.encode(frame, { keyFrame: f % (2 * rate) === 0 });
      frame.close();
      while (encoder.encodeQueueSize > 4 && !fault) await new Promise((resolve) => setTimeout(resolve, 5));
      if (fault) throw fault;
    }
    await encoder.flush();
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
  return webm(codec.id, width, height, (1000 * pictures.length) / rate, packed);
}

/** The bytes of a film of so many milliseconds. */
export function webm(codec: string, width: number, height: number, duration: number, pictures: readonly Packed[]): Uint8Array<ArrayBuffer> {
  const head = element(0x1a45dfa3, number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, 'webm'), number(0x4287, 4), number(0x4285, 2));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setFloat64(0, duration);
  // Times are in millions of nanoseconds.
  const info = element(0x1549a966, number(0x2ad7b1, 1e6), element(0x4489, length), text(0x4d80, 'sinew'), text(0x5741, 'sinew'));
  const video = element(0xe0, number(0xb0, width), number(0xba, height));
  const track = element(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, codec), video);
  const clusters: Uint8Array[] = [];
  for (let from = 0; from < pictures.length; ) {
    const { time } = pictures[from];
    // A picture's time is told from its cluster's in 16 bits.
    let to = from + 1;
    while (to < pictures.length && !pictures[to].isKey && pictures[to].time - time < 32768) ++to;
    clusters.push(element(0x1f43b675, number(0xe7, time), ...pictures.slice(from, to).map((picture) => block(picture, picture.time - time))));
    from = to;
  }
  return joined([head, element(0x18538067, info, element(0x1654ae6b, track), ...clusters)]);
}

function block({ bytes, isKey }: Packed, after: number): Uint8Array {
  // Of the first track.
  return element(0xa3, Uint8Array.of(0x81, after >> 8, after & 255, isKey ? 0x80 : 0), bytes);
}

const number = (id: number, value: number): Uint8Array => element(id, bigEndian(value, 8));
const text = (id: number, value: string): Uint8Array => element(id, new TextEncoder().encode(value));

function element(id: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = bigEndian(parts.reduce((sum, part) => sum + part.length, 0), 8);
  // Sizes of eight bytes are marked so.
  size[0] = 1;
  const name = bigEndian(id, 4);
  return joined([name.subarray(name.findIndex((byte) => byte !== 0)), size, ...parts]);
}

function bigEndian(value: number, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, k) => Math.floor(value / 256 ** (bytes - 1 - k)) % 256);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
