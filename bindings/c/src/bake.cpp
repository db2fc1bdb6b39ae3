// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/bake.h"

#include <cmath>

#include "bindings/c/src/rig.h"
#include "sinew/bake/morph.h"
#include "sinew/deform/method.h"
#include "sinew/io/point_cache.h"

namespace sinew::c {
namespace {

BakeOptions bake_options_from(const sinew_bake_options& given) {
  BakeOptions options;
  if (given.segments != 0) options.segments = given.segments;
  if (given.max_error_percent != 0) options.max_error_percent = given.max_error_percent;
  if (given.influences != 0) options.influences = given.influences;
  if (given.joint_count > 0) require(given.joints, "options.joints");
  for (std::size_t i = 0; i < given.joint_count; ++i) {
    options.joints.push_back(text_of(given.joints[i], "a name in options.joints"));
  }
  options.all_bones = given.all_bones != 0;
  options.squash = given.squash != 0;
  if (given.endpoints != nullptr) {
    options.endpoints = endpoint_method_from_name(given.endpoints);
    options.replace_endpoints = true;
  }
  const std::string live = text_or(given.live, "none");
  if (live == "table") {
    options.live = LiveHelpers::table;
  } else if (live == "vrm") {
    options.live = LiveHelpers::vrm;
  } else if (live != "none") {
    throw UsageError("options.live is '" + live + "', not none, table or vrm");
  }
  return options;
}

// A rig with what the method needs, which may take most of the time, and the method.
struct Subject {
  Rig rig;
  Method method;
};

Subject subject_of(const Rig& rig, const char* name, const Progress& progress) {
  if (rig.skeleton.bones.empty()) throw UsageError("the rig has no bones");
  Subject subject{rig, method_from_name(method_name(name, rig), rig)};
  if (rig.skin.weights.vertex_count() == 0 || subject.method.traits().endpoints) {
    subject.rig = with_weights(rig, {}, progress.part(0, 0.5));
  }
  return subject;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_bake(const sinew_rig* rig, const sinew_bake_options* options,
                        sinew_progress progress, void* user, sinew_rig** baked,
                        sinew_buffer** report, sinew_buffer** table) {
  return guarded([&] {
    sinew_rig*& out = result(baked, "baked");
    if (report != nullptr) *report = nullptr;
    if (table != nullptr) *table = nullptr;
    const auto state = live<RigObject>(rig)->state();
    Baked made = bake(state->rig(), bake_options_from(options_from(options, "options")),
                      progress_of(progress, user));
    const std::string report_text = to_json(made.report), table_text = to_json(made.table);
    Model model = state->model();
    model.rig = std::move(made.rig);
    model.constraints = std::move(made.constraints);
    out = make_rig(std::move(model));
    if (report != nullptr) *report = make_buffer(report_text);
    if (table != nullptr) *table = make_buffer(table_text);
  });
}

sinew_status sinew_bake_shapes(const sinew_rig* rig, size_t clip,
                               const sinew_bake_clip_options* options, sinew_progress progress,
                               void* user, sinew_rig** baked, sinew_buffer** report) {
  return guarded([&] {
    sinew_rig*& out = result(baked, "baked");
    if (report != nullptr) *report = nullptr;
    const sinew_bake_clip_options given = options_from(options, "options");
    if (given.format != nullptr) throw UsageError("options.format is for point caches");
    const auto state = live<RigObject>(rig)->state();
    entry(state->rig().clips, clip, "clip");
    const Progress whole = progress_of(progress, user);
    const Subject subject = subject_of(state->rig(), given.method, whole);
    MorphOptions how;
    if (given.max_error_percent != 0) how.max_error_percent = given.max_error_percent;
    if (given.frames_per_second != 0) how.frames_per_second = given.frames_per_second;
    how.states.squash = given.squash != 0;
    Morphed made =
        bake_morph(subject.rig, subject.rig.clips[clip], subject.method, how, whole.part(0.5, 1));
    const std::string report_text = to_json(made.report);
    out = make_rig({std::move(made.rig), state->model().source});
    if (report != nullptr) *report = make_buffer(report_text);
  });
}

sinew_status sinew_bake_cache(const sinew_rig* rig, size_t clip,
                              const sinew_bake_clip_options* options, sinew_progress progress,
                              void* user, sinew_buffer** file) {
  return guarded([&] {
    sinew_buffer*& out = result(file, "file");
    const sinew_bake_clip_options given = options_from(options, "options");
    if (given.max_error_percent != 0) {
      throw UsageError("options.max_error_percent is for shapes: a cache is exact");
    }
    const std::string format = text_or(given.format, "pc2");
    if (format != "pc2" && format != "mdd") {
      throw UsageError("options.format is '" + format + "', not pc2 or mdd");
    }
    const auto state = live<RigObject>(rig)->state();
    entry(state->rig().clips, clip, "clip");
    const Progress whole = progress_of(progress, user);
    const Subject subject = subject_of(state->rig(), given.method, whole);
    const double rate = given.frames_per_second != 0 ? given.frames_per_second : 30;
    const CachedClip cached = bake_cache(subject.rig, subject.rig.clips[clip], subject.method, rate,
                                         whole.part(0.5, 1), {.squash = given.squash != 0});
    out = make_buffer(format == "pc2" ? to_pc2(cached.times, cached.positions)
                                      : to_mdd(cached.times, cached.positions));
  });
}
