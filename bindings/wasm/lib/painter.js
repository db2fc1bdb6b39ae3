// SPDX-License-Identifier: Apache-2.0
// Weights painted stroke by stroke.
import * as abi from './abi.js';
import { Handle } from './handle.js';
import { vector } from './pose.js';

const ROWS = abi.STRUCTS.sinew_painted_rows;

/** A class for one module. */
export function makePainter(core) {
  return class Painter extends Handle {
    constructor(rig, { locks, mirrorPoint, mirrorNormal } = {}) {
      const pointer = Handle.pointerOf(core, rig, 'a rig');
      super(
        core,
        '_sinew_painter_free',
        core.within((memory) => {
          const chosen = memory.struct('sinew_painter_options', {
            locks: [locks ?? []].flat().join(',') || undefined,
            mirror_point: mirrorPoint && vector(mirrorPoint, 3, 'mirrorPoint'),
            mirror_normal: mirrorNormal && vector(mirrorNormal, 3, 'mirrorNormal'),
          });
          return core.made((out) => core.c._sinew_painter_create(pointer, chosen, out));
        }),
      );
    }

    get pointer() {
      return Handle.pointerOf(core, this, 'a painter');
    }

    /** Three numbers at a place in the scratch memory. */
    #three(at, values, what) {
      core.doubles(core.scratch + at, 3).set(vector(values, 3, what));
      return core.scratch + at;
    }

    pick(origin, direction) {
      const from = this.#three(0, origin, 'origin');
      const along = direction ? this.#three(24, direction, 'direction') : 0;
      const point = core.scratch + 48;
      const triangle = core.scratch + 72;
      core.check(core.c._sinew_painter_pick(this.pointer, from, along, triangle, point));
      if (core.i32(triangle) < 0) return null;
      return { triangle: core.i32(triangle), barycentric: Array.from(core.doubles(point, 3)) };
    }

    begin(brush) {
      core.within((memory) => {
        const chosen = memory.struct('sinew_brush', {
          target: brush.target,
          mode: brush.mode,
          bone: brush.bone === undefined ? undefined : String(brush.bone),
          falloff: brush.falloff,
          radius: brush.radius,
          strength: brush.strength,
          value: brush.value ?? 1,
          mirror: brush.mirror,
        });
        core.check(core.c._sinew_painter_begin(this.pointer, chosen));
      });
    }

    dab(triangle, barycentric) {
      const point = this.#three(0, barycentric, 'barycentric');
      const changed = core.scratch + 24;
      core.check(core.c._sinew_painter_dab(this.pointer, triangle, point, changed));
      return core.u32(changed);
    }

    end() {
      core.check(core.c._sinew_painter_end(this.pointer));
    }

    undo() {
      return core.count((out) => core.c._sinew_painter_undo(this.pointer, out)) !== 0;
    }

    redo() {
      return core.count((out) => core.c._sinew_painter_redo(this.pointer, out)) !== 0;
    }

    changed() {
      return core.within((memory) => {
        const rows = memory.struct('sinew_painted_rows', {});
        core.check(core.c._sinew_painter_changed(this.pointer, rows));
        const array = (name) => core.array(rows + ROWS.fields[name][0]);
        return {
          vertices: array('vertices') ?? new Uint32Array(0),
          offsets: array('offsets') ?? new Uint32Array(0),
          bones: array('bones') ?? new Int32Array(0),
          weights: array('weights') ?? new Float64Array(0),
          endpoints: array('endpoints'),
          twistEndpoints: array('twist_endpoints'),
        };
      });
    }

    strokes() {
      return core.takenJson(core.made((out) => core.c._sinew_painter_strokes(this.pointer, out)));
    }

    apply(rig) {
      const target = Handle.pointerOf(core, rig, 'a rig');
      core.check(core.c._sinew_painter_apply(this.pointer, target));
      rig.changed();
    }
  };
}
