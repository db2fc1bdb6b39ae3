// SPDX-License-Identifier: Apache-2.0
// sinew deform: a rig in a pose, or along a clip, by any method.
#include <charconv>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "model_options.h"
#include "pose_options.h"
#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/kernels/clip_frames.h"

namespace sinew::cli {
namespace {

struct Options {
  ModelOptions model;
  PoseOptions pose;
  std::string frames;
  double frames_per_second = 30;
  std::string format = "obj";
  std::string method;
  std::string output;
  std::vector<std::string> collapsing;
  bool normals = false;
  bool reference = false;
};

struct FrameRange {
  int first = 0, last = 0;
};

constexpr int last_frame = 1000000;

FrameRange parse_frames(const std::string& text) {
  FrameRange range;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  const bool has_colon = first.ec == std::errc() && first.ptr != end && *first.ptr == ':';
  const auto last = std::from_chars(has_colon ? first.ptr + 1 : end, end, range.last);
  if (!has_colon || last.ec != std::errc() || last.ptr != end || range.first < 0 ||
      range.last < range.first || range.last > last_frame) {
    throw UsageError(fmt::format(
        "--frames {}: give the first and the last frame, as in 0:24, up to {}", text, last_frame));
  }
  return range;
}

// The mesh alone, with everything else about its surface kept.
void write_posed(const std::filesystem::path& path, const GltfModel& model, Deformed deformed) {
  GltfModel posed{{}, model.source};
  posed.rig.name = model.rig.name;
  posed.rig.mesh = model.rig.mesh;
  posed.rig.mesh.shapes.clear();
  posed.rig.mesh.positions = std::move(deformed.positions);
  posed.rig.mesh.normals = {std::move(deformed.normals), {}};
  posed.rig.mesh.tangents = std::move(deformed.tangents);
  write_model(path, posed);
}

// A model that goes from glTF to glTF shall look the same: without normals it would be faceted.
DeformerOptions deformer_options(const GltfModel& model, const Options& options,
                                 const std::filesystem::path& file) {
  const bool keeps_normals = model.source && is_gltf_file(file) && !model.rig.mesh.normals.empty();
  return {options.normals || keeps_normals, options.reference};
}

Method chosen_method(const Rig& rig, const Options& options) {
  Method method = method_from_name(options.method, rig);
  if (options.collapsing.empty()) return method;
  auto* stretch_it = std::get_if<StretchIt>(&method);
  if (stretch_it == nullptr) throw UsageError("--collapsing belongs to --method stretch-it");
  stretch_it->collapsing.clear();
  for (const std::string& name : options.collapsing) {
    const int joint = find_joint(rig.skeleton, name);
    bool found = false;
    for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
      if (rig.skeleton.bones[b].joint != joint && std::to_string(b) != name) continue;
      stretch_it->collapsing.push_back(static_cast<int>(b));
      found = true;
    }
    if (!found) throw UsageError(fmt::format("--collapsing {}: no such joint", name));
  }
  return method;
}

void deform_frames(const CommonOptions& common, const Options& options, const GltfModel& model,
                   const Method& method) {
  const Rig& rig = model.rig;
  const FrameRange range = parse_frames(options.frames);
  const Clip& clip = find_clip(rig, options.pose.clip);
  std::error_code failure;
  std::filesystem::create_directories(options.output, failure);
  if (failure) {
    throw FileError(fmt::format("{}: cannot be made: {}", options.output, failure.message()));
  }
  ClipFrames clip_frames(rig, clip, method,
                         deformer_options(model, options, "frame." + options.format),
                         {.squash = options.pose.squash});
  const Progress progress = terminal_progress(common);
  const int count = range.last - range.first + 1;
  nlohmann::json files = nlohmann::json::array();
  for (int f = range.first; f <= range.last; ++f) {
    progress.report("deforming", double(f - range.first) / count);
    const auto file =
        std::filesystem::path(options.output) / fmt::format("frame_{:04}.{}", f, options.format);
    write_posed(file, model, clip_frames.at(f / options.frames_per_second));
    files.push_back(file.string());
  }
  print_result(common, {{"folder", options.output}, {"method", options.method}, {"files", files}},
               fmt::format("{}: {} frames by {}", options.output, count, options.method));
}

ExitStatus deform(const CommonOptions& common, const Options& options) {
  check(options.pose);
  if (!(options.frames_per_second >= 0.001 && options.frames_per_second <= 100000)) {
    throw UsageError("--fps must be a number from 0.001 to 100000");
  }
  if (options.frames.empty()) check_mesh_output(options.output);
  const GltfModel model = load_skinned_model(options.model);
  const Rig& rig = model.rig;
  const Method method = chosen_method(rig, options);
  const ExitStatus status = warn_of_uncovered(common, rig);
  if (uses_endpoints(method) && rig.endpoints.empty()) {
    say(common, "no endpoint weights: using those of projection onto the bones");
  }
  if (!options.frames.empty()) {
    deform_frames(common, options, model, method);
    return status;
  }

  const Moment moment = moment_of(rig, options.pose);
  Deformer deformer(rig, method, deformer_options(model, options, options.output));
  write_posed(options.output, model, deform_at(deformer, moment));
  print_result(
      common,
      {{"file", options.output}, {"method", options.method}, {"vertices", rig.mesh.vertex_count()}},
      fmt::format("{}: {} vertices by {}", options.output, rig.mesh.vertex_count(),
                  options.method));
  return status;
}

}  // namespace

void add_deform(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "deform", "Deform a rig in a pose or along a clip",
      "  sinew deform hero.glb --clip walk --time 0.5 --method stbs-dqs -o posed.obj\n"
      "  sinew deform arm.obj --skeleton arm.tgf --bone-weights w.dmat --pose pose.json "
      "--method lbs -o posed.ply\n"
      "  sinew deform hero.glb --clip walk --frames 0:24 --method stbs-lbs -o frames/");
  const auto options = std::make_shared<Options>();
  add_model_options(*sub, options->model);
  const PoseCliOptions pose = add_pose_options(*sub, options->pose);
  CLI::Option* frames = sub->add_option("--frames", options->frames,
                                        "First and last frame, as in 0:24, into a folder")
                            ->needs(pose.clip);
  pose.time->excludes(frames);
  sub->add_option("--fps", options->frames_per_second, "Frames per second for --frames")
      ->capture_default_str()
      ->needs(frames);
  sub->add_option("--format", options->format, "Format of the frames")
      ->capture_default_str()
      ->needs(frames)
      ->check(CLI::IsMember({"obj", "ply", "off", "glb", "gltf"}));
  sub->add_option("--method", options->method,
                  "lbs, dqs, stbs-lbs, stbs-dqs, stretch-it, ocd-arc, ocd-spline")
      ->required();
  sub->add_option("--collapsing", options->collapsing,
                  "stretch-it: the joints that push out (default: all that bend)");
  sub->add_flag("--normals", options->normals, "Deform normals, too");
  sub->add_flag("--reference", options->reference,
                "Use the double-precision reference instead of the fast kernels");
  sub->add_option("-o,--output", options->output,
                  "Where to: .obj, .ply, .off, .glb, .gltf; or a folder")
      ->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return deform(command.common, *options); };
  });
}

}  // namespace sinew::cli
