// SPDX-License-Identifier: Apache-2.0
#include "bake_ways.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "method_options.h"
#include "model_options.h"
#include "sinew/bake/morph.h"
#include "sinew/core/error.h"
#include "sinew/deform/default_method.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"
#include "sinew/io/point_cache.h"

namespace sinew::cli {
namespace {

// A model whose rig has what the method needs, and its clip.
struct Subject {
  Model model;
  Method method;

  const Clip& clip(const BakeWay& way) const {
    const Rig& rig = model.rig;
    if (!way.clip.empty()) return find_clip(rig, way.clip);
    if (rig.clips.size() == 1) return rig.clips.front();
    std::string names;
    for (const Clip& clip : rig.clips) names += fmt::format(" '{}'", clip.name);
    throw UsageError(rig.clips.empty() ? "the model has no clips: there is nothing to bake"
                                       : "choose one of its clips with --clip:" + names);
  }
};

// `part` is called with the subject; its errors name the file.
template <class Part>
ExitStatus with_subject(const CommonOptions& common, const BakeFiles& files, const BakeWay& way,
                        const Part& part) {
  Model model = read_gltf(files.model);
  try {
    if (model.rig.skeleton.bones.empty()) throw InputError("", "it has no skeleton");
    const Method method = method_from_name(
        way.method.empty() ? default_method_name(model.rig) : way.method, model.rig);
    Subject subject{std::move(model), method};
    Rig& rig = subject.model.rig;
    subject.clip(way);
    const Progress progress = terminal_progress(common);
    if (rig.skin.weights.vertex_count() == 0 || method.traits().endpoints) {
      rig = with_weights(rig, weight_options(files), progress.part(0, 0.5));
    }
    return part(subject, progress.part(0.5, 1));
  } catch (const InputError& error) {
    throw error.in_file(files.model);
  }
}

}  // namespace

BakeOptions weight_options(const BakeFiles& files) {
  BakeOptions options;
  options.squash = files.squash;
  if (files.endpoints.empty()) return options;
  options.endpoints = endpoint_method_from_name(files.endpoints);
  options.replace_endpoints = true;
  return options;
}

void add_way_options(CLI::App& command, BakeWay& way) {
  command
      .add_option("--to", way.to,
                  "helpers: joints; morph: one clip as blend shapes; cache: as a point cache")
      ->capture_default_str()
      ->check(CLI::IsMember({"helpers", "morph", "cache"}));
  command.add_option("--clip", way.clip,
                     "morph, cache: which clip, by name or number (default: the only one)");
  command.add_option("--method", way.method,
                     fmt::format("morph, cache: {} ({})", method_names(), default_method_help()));
  command.add_option("--fps", way.frames_per_second,
                     "cache: frames per second (default: 30); morph: where keys may be (default: "
                     "60 per second and at the clip's own)");
}

void check_way(const CLI::App& command, const BakeWay& way) {
  const auto refuse = [&](const char* option, const char* owners) {
    if (command.count(option) == 0) return;
    throw UsageError(
        fmt::format("{} cannot be used with --to {}; it is for {}", option, way.to, owners));
  };
  if (way.to == "helpers") {
    for (const char* option : {"--clip", "--method", "--fps"}) {
      refuse(option, "--to morph and --to cache");
    }
    return;
  }
  for (const char* option : {"--segments", "--influences", "--bones", "--live", "--table"}) {
    refuse(option, "--to helpers");
  }
  if (way.to == "cache") refuse("--max-error", "--to helpers and --to morph: a cache is exact");
}

ExitStatus bake_to_morph(const CommonOptions& common, const BakeFiles& files, const BakeWay& way,
                         double max_error_percent, Outputs& outputs) {
  return with_subject(common, files, way, [&](Subject& subject, const Progress& progress) {
    MorphOptions options;
    if (max_error_percent > 0) options.max_error_percent = max_error_percent;
    options.frames_per_second = way.frames_per_second;
    options.states.squash = files.squash;
    Morphed baked =
        bake_morph(subject.model.rig, subject.clip(way), subject.method, options, progress);
    const Model model{std::move(baked.rig), subject.model.source};
    outputs.add(files.output, gltf_file_bytes(files.output, model));
    print_report(common, nlohmann::json::parse(to_json(baked.report)), to_text(baked.report),
                 outputs, files.report);
    const ExitStatus rounding = warn_of_rounding(common, model.rig.mesh);
    return is_within_bound(baked.report) ? rounding : poor_result;
  });
}

ExitStatus bake_to_cache(const CommonOptions& common, const BakeFiles& files, const BakeWay& way,
                         Outputs& outputs) {
  if (!is_point_cache_file(files.output)) {
    throw UsageError(fmt::format("{}: a point cache is written as .pc2 or .mdd", files.output));
  }
  return with_subject(common, files, way, [&](Subject& subject, const Progress& progress) {
    const double rate = way.frames_per_second.value_or(30);
    const Clip& clip = subject.clip(way);
    const CachedClip cached = bake_cache(subject.model.rig, clip, subject.method, rate, progress,
                                         {.squash = files.squash});
    outputs.add(files.output, point_cache_bytes(files.output, cached.times, cached.positions));
    const std::size_t vertices = subject.model.rig.mesh.vertex_count();
    print_report(common,
                 {{"clip", clip.name},
                  {"vertices", vertices},
                  {"frames", cached.times.size()},
                  {"frames_per_second", rate}},
                 fmt::format("  {:<18} {}\n  {:<18} {} of {} vertices, {} per second", "clip",
                             clip.name, "frames", cached.times.size(), vertices, rate),
                 outputs, files.report);
    float farthest = 0;
    for (const Vec3f& p : cached.positions) {
      farthest = std::max({farthest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }
    return warn_of_rounding(common, farthest,
                            bounding_box(subject.model.rig.mesh.positions).diagonal());
  });
}

}  // namespace sinew::cli
