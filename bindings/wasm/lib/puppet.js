// SPDX-License-Identifier: Apache-2.0
// Pictures brought to life.
import { indexIn, jsonText } from './arguments.js';
import { Handle } from './handle.js';

/** A class for one module. */
export function makePuppet(core, Rig, Image) {
  return class Puppet extends Handle {
    constructor(image, options = {}) {
      const { bones, mask, progress } = options;
      const picture = Handle.pointerOf(core, image, 'an image');
      super(
        core,
        '_sinew_puppet_free',
        core.within((memory) => {
          const out = memory.space(4);
          const chosen = memory.struct('sinew_puppet_options', {
            bones: bones === undefined ? undefined : jsonText(bones),
            auto_bones: options.autoBones,
            mask: mask && Handle.pointerOf(core, mask, 'an image'),
            cut: options.cut,
            alpha: options.alpha,
            background: options.background,
            tolerance: options.tolerance,
            holes: options.holes,
            margin: options.margin,
            outline_tolerance: options.outlineTolerance,
            longest_edge: options.longestEdge,
            weights: options.weights,
            endpoints: options.endpoints,
            pixels_per_unit: options.pixelsPerUnit,
          });
          core.watched(progress, (callback, user) =>
            core.c._sinew_puppet_create(picture, chosen, callback, user, out),
          );
          return core.u32(out);
        }),
      );
    }

    get pointer() {
      return Handle.pointerOf(core, this, 'a puppet');
    }

    get bones() {
      return core.takenJson(core.made((out) => core.c._sinew_puppet_bones(this.pointer, out)));
    }

    get report() {
      return core.takenJson(core.made((out) => core.c._sinew_puppet_report(this.pointer, out)));
    }

    get motions() {
      const rig = this.rig();
      try {
        return rig.clipNames;
      } finally {
        rig.free();
      }
    }

    addLoop(name, { pins } = {}) {
      core.within((memory) => {
        const pinned = memory.text(Array.isArray(pins) ? pins.join(',') : pins, 'pins');
        core.check(core.c._sinew_puppet_add_loop(this.pointer, memory.text(name), pinned));
      });
    }

    addMotion(motion) {
      core.within((memory) => {
        const json = memory.text(jsonText(motion), 'a motion');
        core.check(core.c._sinew_puppet_add_motion(this.pointer, json));
      });
    }

    rig() {
      return Rig.of(core.made((out) => core.c._sinew_puppet_rig(this.pointer, out)));
    }

    draw(motion = null, time = 0, options = {}) {
      const index = motion === null ? -1 : indexIn(this.motions, motion, 'motion');
      return core.within((memory) => {
        const chosen = memory.struct('sinew_stage_options', {
          method: options.method,
          size: options.size,
          background: options.background,
          squash: options.squash,
          skeleton: options.skeleton,
        });
        return Image.of(
          core.made((out) => core.c._sinew_puppet_draw(this.pointer, index, time, chosen, out)),
        );
      });
    }
  };
}

/** A built-in drawing, bones on it and a motion of them. */
export function samplePicture(core, Image, name, { size = 0 } = {}) {
  return core.within((memory) => {
    const places = [memory.space(4), memory.space(4), memory.space(4)];
    core.check(core.c._sinew_sample_picture(memory.text(name), size, ...places));
    const [image, bones, motion] = places.map((place) => core.u32(place));
    return {
      image: Image.of(image),
      bones: core.takenJson(bones),
      motion: core.takenJson(motion),
    };
  });
}
