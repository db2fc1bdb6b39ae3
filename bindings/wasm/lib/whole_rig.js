// SPDX-License-Identifier: Apache-2.0
// The part of rigs and poses that the runtime alone does not have: files, weights, edits, bakes, measures, pictures.
import * as abi from './abi.js';
import { bytesOf, jsonText } from './arguments.js';
import { usageError } from './errors.js';
import { filesWritten, withFiles } from './files.js';
import { uncompressed } from './gltf.js';

/** Extends the runtime's Pose. */
export function makeWholePose(core, Base) {
  return class Pose extends Base {
    set(pose) {
      core.within((memory) => {
        const json = memory.text(jsonText(pose), 'a pose');
        core.check(core.c._sinew_pose_set_json(this.pointer, json));
      });
    }

    toJson() {
      return core.takenJson(core.made((out) => core.c._sinew_pose_write_json(this.pointer, out)));
    }
  };
}

/** Several handles that one call makes: the first a rig, the others JSON or nothing. */
function madeTogether(memory, core, number, call) {
  const places = Array.from({ length: number }, () => memory.space(4));
  for (const place of places) core.data.setUint32(place, 0, true);
  call(...places);
  return places.map((place) => core.u32(place));
}

/** Extends the runtime's Rig. */
export function makeWholeRig(core, Base, Pose, Image, decoders) {
  const memoryFiles = core.c.files;
  /** A pose for one call. */
  const posed = (rig, moment, body, options = {}) => {
    if (moment.pose instanceof Pose && moment.clip === undefined) return body(moment.pose.pointer);
    const pose = new Pose(rig, options);
    try {
      pose.goTo(moment);
      return body(pose.pointer);
    } finally {
      pose.free();
    }
  };

  return class Rig extends Base {
    static read(bytes, { format, files }) {
      const given = bytesOf(bytes);
      const others = Object.fromEntries(
        Object.entries(files ?? {}).map(([name, content]) => [decodeURI(name), bytesOf(content, name)]),
      );
      const plain = uncompressed(given, format, others, decoders);
      return core.within((memory) => {
        const read = files
          ? (out) =>
              withFiles(memoryFiles, `model.${plain.format}`, plain.bytes, others, (path) =>
                core.c._sinew_rig_read(memory.text(path), out),
              )
          : (out) =>
              core.c._sinew_rig_read_memory(
                memory.bytes(plain.bytes),
                plain.bytes.length,
                memory.text(plain.format, 'format'),
                out,
              );
        return this.of(core.made(read));
      });
    }

    static sample(name, { vertices = 0, progress } = {}) {
      return core.within((memory) => {
        const out = memory.space(4);
        const text = memory.text(name);
        core.watched(progress, (callback, user) =>
          core.c._sinew_rig_sample(text, vertices, callback, user, out),
        );
        return this.of(core.u32(out));
      });
    }

    toBytes(format = 'glb') {
      return core.within((memory) => {
        const text = memory.text(format, 'format');
        return core.taken(core.made((out) => core.c._sinew_rig_write_memory(this.pointer, text, out)));
      });
    }

    toFiles(name) {
      return filesWritten(memoryFiles, name, (path) =>
        core.within((memory) => core.check(core.c._sinew_rig_write(this.pointer, memory.text(path)))),
      );
    }

    /** Calls what takes long, changes the rig and reports. */
    #longChange(progress, call) {
      return core.within((memory) => {
        const out = memory.space(4);
        core.watched(progress, (callback, user) => call(memory, callback, user, out));
        this.changed();
        return core.takenJson(core.u32(out));
      });
    }

    computeWeights(method, options = {}) {
      return this.#longChange(options.progress, (memory, callback, user, out) =>
        core.c._sinew_rig_compute_weights(
          this.pointer,
          memory.struct('sinew_weights_options', {
            method,
            endpoints: options.endpoints,
            endpoints_from: options.endpointsFrom,
            influences: options.influences,
            lattice_nodes: options.latticeNodes,
            voxels: options.voxels,
            power: options.power,
            joints: options.joints,
            heat: options.heat,
          }),
          callback,
          user,
          out,
        ),
      );
    }

    weightReport() {
      return core.takenJson(
        core.made((out) => core.c._sinew_rig_weight_report(this.pointer, out)),
      );
    }

    edit(steps, { progress } = {}) {
      return this.#longChange(progress, (memory, callback, user, out) => {
        const json = memory.text(jsonText(steps), 'steps');
        return core.c._sinew_rig_edit(this.pointer, json, callback, user, out);
      });
    }

    boneLinks() {
      return core.takenJson(core.made((out) => core.c._sinew_rig_bone_links(this.pointer, out)));
    }

    get muscles() {
      return core.takenJson(core.made((out) => core.c._sinew_rig_muscles(this.pointer, out)));
    }

    set muscles(muscles) {
      this.change((memory) =>
        core.c._sinew_rig_set_muscles(this.pointer, memory.text(jsonText(muscles), 'muscles')),
      );
    }

    retarget(source, clip = 0, options = {}) {
      const motion = source.pointer;
      const index = source.index(abi.SINEW_CLIP, clip, 'clip');
      const { map, restTime } = options;
      return this.#longChange(null, (memory, callback, user, out) => {
        const chosen = memory.struct('sinew_retarget_options', {
          name: options.name,
          map: map === undefined ? undefined : jsonText(map),
          frames_per_second: options.framesPerSecond,
          tolerance: options.tolerance,
          all_keys: options.allKeys,
          in_place: options.inPlace,
          has_rest_time: restTime !== undefined,
          rest_time: restTime,
        });
        return core.c._sinew_rig_retarget(this.pointer, motion, index, chosen, out);
      });
    }

    addKeys(keys) {
      this.change((memory) =>
        core.c._sinew_rig_add_keys(this.pointer, memory.text(jsonText(keys), 'keys')),
      );
    }

    bake(options = {}) {
      const { joints, progress } = options;
      return core.within((memory) => {
        const chosen = memory.struct('sinew_bake_options', {
          segments: options.segments,
          max_error_percent: options.maxErrorPercent,
          influences: options.influences,
          joints: joints && memory.texts(joints, "a joint's name"),
          joint_count: joints?.length,
          all_bones: options.allBones,
          endpoints: options.endpoints,
          live: options.live,
          squash: options.squash,
        });
        const [rig, report, table] = madeTogether(memory, core, 3, (...out) =>
          core.watched(progress, (callback, user) =>
            core.c._sinew_bake(this.pointer, chosen, callback, user, ...out),
          ),
        );
        return {
          rig: this.constructor.of(rig),
          report: core.takenJson(report),
          table: table === 0 ? null : core.takenJson(table),
        };
      });
    }

    #clipOptions(memory, options) {
      return memory.struct('sinew_bake_clip_options', {
        method: options.method,
        max_error_percent: options.maxErrorPercent,
        frames_per_second: options.framesPerSecond,
        format: options.format,
        squash: options.squash,
      });
    }

    correct(examples, options = {}) {
      const { joints, progress } = options;
      const count = this.vertexCount;
      const positions = new Float64Array(3 * count * examples.length);
      examples.forEach((example, place) => {
        if (example.positions.length !== 3 * count) {
          throw usageError(`example ${place} has ${example.positions.length / 3} vertices, the rig has ${count}`);
        }
        positions.set(example.positions, 3 * count * place);
      });
      const poseText = ({ pose }) => jsonText(pose instanceof Pose ? pose.toJson() : pose);
      return core.within((memory) => {
        const poses = memory.texts(examples.map(poseText), 'a pose');
        const chosen = memory.struct('sinew_correct_options', {
          method: options.method,
          names: memory.texts(
            examples.map((example) => example.name ?? ''),
            'a name',
          ),
          joints: joints && memory.texts(joints, "a joint's name"),
          joint_count: joints?.length,
          radius: options.radius,
          tolerance: options.tolerance,
          squash: options.squash,
        });
        const places = memory.array({ data: positions, columns: 3 });
        const [rig, report] = madeTogether(memory, core, 2, (...out) =>
          core.watched(progress, (callback, user) =>
            core.c._sinew_correct(this.pointer, poses, examples.length, places, chosen, callback, user, ...out),
          ),
        );
        return { rig: this.constructor.of(rig), report: core.takenJson(report) };
      });
    }

    drivers() {
      return core.takenJson(core.made((out) => core.c._sinew_rig_drivers(this.pointer, out)));
    }

    bakeShapes(clip, options = {}) {
      const index = this.index(abi.SINEW_CLIP, clip, 'clip');
      return core.within((memory) => {
        const chosen = this.#clipOptions(memory, options);
        const [rig, report] = madeTogether(memory, core, 2, (...out) =>
          core.watched(options.progress, (callback, user) =>
            core.c._sinew_bake_shapes(this.pointer, index, chosen, callback, user, ...out),
          ),
        );
        return { rig: this.constructor.of(rig), report: core.takenJson(report), table: null };
      });
    }

    bakeCache(clip, options = {}) {
      const index = this.index(abi.SINEW_CLIP, clip, 'clip');
      return core.within((memory) => {
        const chosen = this.#clipOptions(memory, options);
        const [file] = madeTogether(memory, core, 1, (out) =>
          core.watched(options.progress, (callback, user) =>
            core.c._sinew_bake_cache(this.pointer, index, chosen, callback, user, out),
          ),
        );
        return core.taken(file);
      });
    }

    measure(options = {}) {
      const { methods } = options;
      return core.within((memory) => {
        const names = memory.text(Array.isArray(methods) ? methods.join(',') : methods, 'methods');
        return posed(this, options, (pose) =>
          core.takenJson(core.made((out) => core.c._sinew_measure(this.pointer, pose, names, out))),
        );
      });
    }

    measureVertices(options = {}) {
      const count = this.vertexCount;
      return core.within((memory) => {
        const space = memory.space(13 * count);
        const places = memory.struct('sinew_vertex_measures', {
          vertex_count: count,
          longest_edges: space,
          shortest_edges: space + 4 * count,
          shears: space + 8 * count,
          faults: space + 12 * count,
        });
        const method = memory.text(options.method, 'method');
        posed(this, options, (pose) =>
          core.check(core.c._sinew_measure_vertices(this.pointer, pose, method, places)),
        );
        return {
          longestEdges: core.floats(space, count).slice(),
          shortestEdges: core.floats(space + 4 * count, count).slice(),
          shears: core.floats(space + 8 * count, count).slice(),
          faults: core.bytes(space + 12 * count, count),
        };
      });
    }

    compare(options = {}) {
      const { methods } = options;
      return core.within((memory) => {
        const chosen = memory.struct('sinew_comparison_options', {
          methods: Array.isArray(methods) ? methods.join(',') : methods,
          title: options.title,
          view: options.view,
          focus: options.focus,
          size: options.size,
          stripes: options.stripes,
        });
        const draw = (pose) =>
          Image.of(core.made((out) => core.c._sinew_draw_comparison(this.pointer, pose, chosen, out)));
        return posed(this, options, draw, { sameIntent: true });
      });
    }

    render(options = {}) {
      const { bone } = options;
      return core.within((memory) => {
        const chosen = memory.struct('sinew_draw_options', {
          width: options.width,
          height: options.height,
          method: options.method,
          view: options.view,
          colors: options.colors,
          bone: bone === undefined ? undefined : String(bone),
          wire: options.wire,
          skeleton: options.skeleton,
          color: options.color,
          background: options.background,
          focus: options.focus,
          field_of_view: options.fieldOfView,
          orthographic: options.orthographic,
          no_ground: options.ground === false,
        });
        const draw = (pose) =>
          Image.of(core.made((out) => core.c._sinew_draw(this.pointer, pose, chosen, out)));
        const still = options.pose === undefined && options.clip === undefined;
        return still ? draw(0) : posed(this, options, draw);
      });
    }
  };
}
