// SPDX-License-Identifier: Apache-2.0
// sinew weights: bone weights and endpoint weights for a mesh and a skeleton, and how good they
// are.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/resource.h>

#include "command.h"
#include "model_options.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"
#include "sinew/io/weight_matrix.h"
#include "sinew/weights/weight_settings.h"

namespace sinew::cli {
namespace {

struct WeightsArguments {
  ModelOptions model;
  WeightSettings settings;
  std::string bone_weights_out;
  std::string endpoint_weights_out;
  std::string output;
  std::string report;
};

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// Before anything is computed that could then not be written.
void check_outputs(const WeightsArguments& options) {
  for (const std::string& file : {options.bone_weights_out, options.endpoint_weights_out}) {
    if (!file.empty() && !is_matrix_file(file)) {
      throw UsageError(fmt::format("{}: weights are written as .dmat", file));
    }
  }
  if (!options.output.empty() && !is_gltf_file(options.output)) {
    throw UsageError(
        fmt::format("{}: a mesh with weights is written as .glb or .gltf", options.output));
  }
  if (!options.endpoint_weights_out.empty() && options.settings.endpoints == "none") {
    throw UsageError("--endpoint-weights-out needs --endpoints other than none");
  }
}

// A model whose file has another skeleton, or none, keeps the file's materials: its geometry first
// becomes that of a file without skeleton, which then gets the new one beside its own nodes.
Model with_new_skeleton(const Model& model) {
  Model plain{{}, model.source};
  plain.rig.name = model.rig.name;
  plain.rig.mesh = model.rig.mesh;
  plain.rig.mesh.shapes.clear();
  Model result = parse_gltf(to_glb(plain));
  Rig& rig = result.rig;
  const int first = static_cast<int>(rig.skeleton.joints.size());
  for (Joint joint : model.rig.skeleton.joints) {
    if (joint.parent != no_joint) joint.parent += first;
    rig.skeleton.joints.push_back(std::move(joint));
  }
  // The nodes that carry the geometry count as bones as long as nothing else moves it.
  const int carriers = static_cast<int>(rig.skeleton.bones.size());
  for (Bone bone : model.rig.skeleton.bones) {
    bone.joint += first;
    if (bone.tail_joint != no_joint) bone.tail_joint += first;
    rig.skeleton.bones.push_back(bone);
  }
  rig.skin.weights = model.rig.skin.weights;
  for (Influence& influence : rig.skin.weights.influences) influence.bone += carriers;
  rig.skin.endpoints = model.rig.skin.endpoints;
  rig.skin.blend_shares = model.rig.skin.blend_shares;
  return result;
}

ExitStatus weights(const CommonOptions& common, const WeightsArguments& options) {
  check_outputs(options);
  Outputs outputs(options.model.files(), {options.bone_weights_out, options.endpoint_weights_out,
                                          options.output, options.report});
  Model model = load_model(options.model);
  Rig& rig = model.rig;
  // Nodes that carry rigid meshes are bones, too, but no skeleton.
  const bool has_skeleton =
      std::any_of(rig.skeleton.bones.begin(), rig.skeleton.bones.end(),
                  [&](const Bone& bone) { return !rig.skeleton.joints[bone.joint].is_frame; });
  if (!has_skeleton) {
    throw InputError(options.model.model, "", "it has no skeleton; give one with --skeleton");
  }
  if (rig.mesh.positions.empty()) throw InputError(options.model.model, "", "it has no vertices");
  WeightResult result = compute_weights(rig.mesh, rig.skeleton, rig.skin, options.settings,
                                        terminal_progress(common), "--");
  const std::size_t bones = rig.skeleton.bones.size();
  if (!options.bone_weights_out.empty()) {
    outputs.add(options.bone_weights_out, write_dmat(weights_to_matrix(rig.skin.weights, bones)));
  }
  if (!options.endpoint_weights_out.empty()) {
    outputs.add(options.endpoint_weights_out,
                write_dmat(endpoints_to_matrix(rig.skin.weights, rig.skin.endpoints, bones)));
  }
  if (!options.output.empty()) {
    const bool other_skeleton = model.source && !options.model.skeleton.empty();
    outputs.add(
        options.output,
        model_file_bytes(options.output, other_skeleton ? with_new_skeleton(model) : model));
  }
  result.report.peak_memory = peak_memory();  // what is written takes memory, too
  print_report(common, nlohmann::json::parse(to_json(result)), to_text(result), outputs,
               options.report);
  const ExitStatus rounding = options.output.empty() ? done : warn_of_rounding(common, rig.mesh);
  return poor(result.report) ? poor_result : rounding;
}

}  // namespace

void add_weights(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "weights",
      "Compute bone weights and endpoint weights, and say how good they are",
      "  sinew weights hero.obj --skeleton hero.tgf --method bbw -o hero.glb\n"
      "  sinew weights hero.glb -o hero_sinew.glb       keep its weights, add endpoint weights\n"
      "  sinew weights hero.glb --method heat --influences 4 -o hero4.glb --report report.json\n"
      "  sinew weights arm.obj --skeleton arm.tgf --method voxel --endpoints projection "
      "--bone-weights-out w.dmat --endpoint-weights-out e.dmat");
  const auto options = std::make_shared<WeightsArguments>();
  sub->add_option("MODEL", options->model.model, "A mesh, or a rigged .glb or .gltf")->required();
  sub->add_option("--skeleton", options->model.skeleton,
                  "The skeleton, if not the model's: .tgf, or a .glb or .gltf with a skin");
  sub->add_option("--method", options->settings.method,
                  "bbw, heat, voxel, shepard, idw, rigid (default: keep the model's weights; "
                  "bbw if it has none)")
      ->check(one_of({"bbw", "heat", "voxel", "shepard", "idw", "rigid"}));
  sub->add_option("--endpoints", options->settings.endpoints, "bbw, heat, idw, projection, none")
      ->capture_default_str()
      ->check(one_of({"bbw", "heat", "idw", "projection", "none"}));
  sub->add_option("--endpoints-from", options->settings.endpoints_from,
                  "bbw: solved along the bones (default), or from joint weights; idw: distances to "
                  "the bone's own joints (default), or to all joints")
      ->check(CLI::IsMember({"bones", "joints"}));
  sub->add_option("--influences", options->settings.influences,
                  "Largest number of bones per vertex")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  sub->add_option("--lattice-nodes", options->settings.lattice_nodes,
                  "bbw: about how many nodes fill a surface (default: 12000)")
      ->check(CLI::Range(std::size_t{64}, std::size_t{1000000}));
  sub->add_option("--voxels", options->settings.voxels,
                  "voxel: cells along the longest side (default: 96)")
      ->check(CLI::Range(8, 512));
  sub->add_option("--power", options->settings.power,
                  "voxel, shepard, idw, and endpoints by idw: the power of the distance (default: "
                  "8, 4, 4, 4)")
      ->check(CLI::Range(1.0, 100.0));
  sub->add_option("--joints", options->settings.joints,
                  "shepard: how many joints move a vertex (default: 4)")
      ->check(CLI::Range(1, 1000));
  sub->add_option("--heat", options->settings.heat,
                  "heat: how much heat bones give off, and joints for endpoints (default: 1)")
      ->check(CLI::Range(1e-3, 1e6));
  add_output(*sub, "--bone-weights-out", options->bone_weights_out,
             "Write bone weights, vertices x bones: .dmat");
  add_output(*sub, "--endpoint-weights-out", options->endpoint_weights_out,
             "Write endpoint weights, vertices x bones: .dmat");
  add_output(*sub, "-o,--output", options->output, "Write the rig: .glb or .gltf");
  add_output(*sub, "--report", options->report, "Write the report: .json");
  sub->callback([&command, options] {
    command.run = [&command, options] { return weights(command.common, *options); };
  });
}

}  // namespace sinew::cli
