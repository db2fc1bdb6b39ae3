// SPDX-License-Identifier: Apache-2.0
// sinew deform: a rig in a pose, or along a clip, by any method.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "frame_options.h"
#include "method_options.h"
#include "model_options.h"
#include "outputs.h"
#include "pose_options.h"
#include "sinew/core/error.h"
#include "sinew/deform/default_method.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"
#include "sinew/kernels/clip_frames.h"

namespace sinew::cli {
namespace {

struct DeformArguments {
  ModelOptions model;
  PoseOptions pose;
  FrameOptions frames;
  std::string method;  // none: the rig's default
  GivenOptions method_options;
  std::string format = "obj";
  std::string output;
  bool normals = false;
  bool reference = false;
};

// The mesh alone, with everything else about its surface kept. The model's mesh may be moved.
Model posed_model(const Model& model, Mesh mesh, Deformed deformed) {
  Model posed{{}, model.source};
  posed.rig.name = model.rig.name;
  posed.rig.mesh = std::move(mesh);
  posed.rig.mesh.shapes.clear();
  posed.rig.mesh.positions = std::move(deformed.positions);
  posed.rig.mesh.normals = {std::move(deformed.normals), {}};
  posed.rig.mesh.tangents = std::move(deformed.tangents);
  return posed;
}

// Adds it to the outputs, and says if the file cannot hold it, unless that was said before.
void add_posed(const CommonOptions& common, const std::filesystem::path& file, const Model& posed,
               Outputs& outputs, ExitStatus& rounding) {
  outputs.add(file, model_file_bytes(file, posed));
  if (is_gltf_file(file) && rounding == done) rounding = warn_of_rounding(common, posed.rig.mesh);
}

// A model written from glTF to glTF must look the same; without normals it would be faceted.
DeformerOptions deformer_options(const Model& model, const DeformArguments& options,
                                 const std::filesystem::path& file) {
  const bool keeps_normals = model.source && is_gltf_file(file) && !model.rig.mesh.normals.empty();
  return {options.normals || keeps_normals, options.reference};
}

ExitStatus deform_frames(const CommonOptions& common, const DeformArguments& options,
                         const Model& model, const Method& method, Outputs& outputs) {
  const Rig& rig = model.rig;
  const Clip& clip = find_clip(rig, options.pose.clip);
  const FrameRange frames = frames_of(common, clip, options.frames);
  outputs.make_folder(options.output);
  ClipFrames clip_frames(rig, clip, method,
                         deformer_options(model, options, "frame." + options.format),
                         options.pose.states);
  const Progress progress = terminal_progress(common);
  ExitStatus rounding = done;
  for (int f = 0; f < frames.count; ++f) {
    progress.report("deforming", double(f) / frames.count);
    const auto file = std::filesystem::path(options.output) /
                      fmt::format("frame_{:04}.{}", frames.first + f, options.format);
    add_posed(common, file, posed_model(model, rig.mesh, clip_frames.at(frames.time(f))), outputs,
              rounding);
  }
  outputs.commit();
  const std::string& name = options.method;
  print_result(common, {{"folder", options.output}, {"method", name}, {"files", outputs.files()}},
               fmt::format("{}: {} frames by {}", options.output, frames.count, name));
  return rounding;
}

ExitStatus deform(const CommonOptions& common, DeformArguments options) {
  check(options.pose);
  check(options.frames);
  if (options.frames.range.empty()) check_mesh_output(options.output);
  std::vector<std::string> inputs = options.model.files();
  inputs.push_back(options.pose.pose);
  Outputs outputs(inputs, {options.output});
  Model model = load_skinned_model(options.model);
  Rig& rig = model.rig;
  if (options.method.empty()) options.method = default_method_name(rig);
  const Method method = chosen_methods(rig, {options.method}, options.method_options).front();
  const ExitStatus status = warn_of_uncovered(common, rig);
  warn_of_missing_endpoints(common, rig, method);
  if (!options.frames.range.empty()) {
    return std::max(status, deform_frames(common, options, model, method, outputs));
  }

  const Moment moment = moment_of(common, rig, options.pose);
  say_what_plain_bones_get(common, options.pose, moment, std::span(&options.method, 1));
  const std::size_t vertices = rig.mesh.vertex_count();
  // What is not needed any more is given back: files and bindings take several times the mesh.
  Deformed deformed = [&] {
    Deformer deformer(rig, method, deformer_options(model, options, options.output));
    return deform_at(deformer, moment);
  }();
  rig.skin = {};
  ExitStatus rounding = done;
  add_posed(common, options.output, posed_model(model, std::move(rig.mesh), std::move(deformed)),
            outputs, rounding);
  outputs.commit();
  const std::string& name = options.method;
  print_result(common, {{"file", options.output}, {"method", name}, {"vertices", vertices}},
               fmt::format("{}: {} vertices by {}", options.output, vertices, name));
  return std::max(status, rounding);
}

}  // namespace

void add_deform(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "deform", "Deform a rig in a pose or along a clip",
      "  sinew deform hero.glb --clip walk --time 0.5 --method stbs-dqs -o posed.obj\n"
      "  sinew deform arm.obj --skeleton arm.tgf --bone-weights w.dmat --pose pose.json "
      "--method lbs -o posed.ply\n"
      "  sinew deform hero.glb --clip walk --frames 0:24 --method stbs-lbs -o frames/" +
          method_summaries());
  const auto options = std::make_shared<DeformArguments>();
  add_model_options(*sub, options->model);
  const PoseCliOptions pose = add_pose_options(*sub, options->pose);
  CLI::Option* frames = add_frame_options(
      *sub, options->frames, pose, "First and last frame, as in 0:24, or all; into a folder");
  sub->add_option("--format", options->format, "Format of the frames")
      ->capture_default_str()
      ->needs(frames)
      ->check(CLI::IsMember({"obj", "ply", "off", "glb", "gltf"}));
  sub->add_option("--method", options->method,
                  fmt::format("{} ({})", method_names(), default_method_help()));
  add_method_options(*sub, options->method_options);
  sub->add_flag("--normals", options->normals, "Deform normals, too");
  sub->add_flag("--reference", options->reference,
                "Use the double-precision reference instead of the fast kernels");
  add_output(*sub, "-o,--output", options->output,
             "Where to: .obj, .ply, .off, .glb, .gltf; or a folder")
      ->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return deform(command.common, *options); };
  });
}

}  // namespace sinew::cli
