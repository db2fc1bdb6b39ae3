// SPDX-License-Identifier: Apache-2.0
// Pictures in memory.
import { bytesOf } from './arguments.js';
import { usageError } from './errors.js';
import { Handle } from './handle.js';

/** What the browser makes of a picture that our own readers do not know. */
async function throughBrowser(blob) {
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

/** The bytes of an animation that repeats for ever. */
export function animation(core, images, secondsPerFrame = 0.04, { format = 'gif' } = {}) {
  return core.within((memory) => {
    const list = memory.bytes(
      Uint32Array.from(images, (image) => Handle.pointerOf(core, image, 'an image')),
    );
    const text = memory.text(format, 'format');
    return core.taken(
      core.made((out) =>
        core.c._sinew_image_write_animation(list, images.length, secondsPerFrame, text, out),
      ),
    );
  });
}

/** A class for one module. */
export function makeImage(core) {
  return class Image extends Handle {
    constructor(pixels, existing) {
      super(core, '_sinew_image_free', existing ?? Image.#made(pixels));
    }

    static of(pointer) {
      return new this(null, pointer);
    }

    static #made({ width, height, data }) {
      const bytes = bytesOf(data, 'pixels');
      if (bytes.length !== 4 * width * height) {
        throw usageError(`pixels: ${bytes.length} bytes are not 4 for each of ${width} x ${height}`);
      }
      return core.within((memory) => {
        const pointer = memory.bytes(bytes);
        return core.made((out) => core.c._sinew_image_create(width, height, pointer, 0, out));
      });
    }

    static read(source) {
      const bytes = bytesOf(source);
      return core.within((memory) => {
        const pointer = memory.bytes(bytes);
        return this.of(
          core.made((out) => core.c._sinew_image_read_memory(pointer, bytes.length, out)),
        );
      });
    }

    static async decode(source) {
      const bytes = source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
      try {
        return this.read(bytes);
      } catch (error) {
        if (error.code !== 'SINEW_ERROR_INPUT' || typeof createImageBitmap === 'undefined') throw error;
        try {
          return new this(await throughBrowser(source instanceof Blob ? source : new Blob([bytes])));
        } catch {
          throw error; // ours says more
        }
      }
    }

    get pointer() {
      return Handle.pointerOf(core, this, 'an image');
    }

    #data(take) {
      const { scratch } = core;
      core.check(core.c._sinew_image_data(this.pointer, scratch, scratch + 4, scratch + 8));
      return take(core.i32(scratch), core.i32(scratch + 4), core.u32(scratch + 8));
    }

    get width() {
      return this.#data((width) => width);
    }

    get height() {
      return this.#data((_, height) => height);
    }

    get pixels() {
      return this.#data(
        (width, height, at) => new Uint8ClampedArray(core.bytes(at, 4 * width * height).buffer),
      );
    }

    toPng() {
      return core.taken(core.made((out) => core.c._sinew_image_write_memory(this.pointer, out)));
    }
  };
}
