// SPDX-License-Identifier: Apache-2.0
// sinew weights: bone weights and endpoint weights for a mesh and a skeleton, and how good they
// are.
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/resource.h>

#include "command.h"
#include "model_options.h"
#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/geometry/flatness.h"
#include "sinew/io/io.h"
#include "sinew/io/weight_matrix.h"
#include "sinew/weights/carry_endpoints.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/prune.h"
#include "sinew/weights/report.h"
#include "sinew/weights/report_json.h"

namespace sinew::cli {
namespace {

// What was not given stays as the method has it; what has no effect is an error.
struct WeightsArguments {
  ModelOptions model;
  std::string method;
  std::string endpoints;
  std::string endpoints_from;
  std::size_t influences = 0;
  std::size_t lattice_nodes = 0;
  int voxels = 0;
  double power = 0;
  int joints = 0;
  double heat = 0;
  std::string bone_weights_out;
  std::string endpoint_weights_out;
  std::string output;
  std::string report;
};

struct Chosen {
  std::optional<WeightMethod> method;  // none: the model's weights are kept
  std::optional<EndpointMethod> endpoints;
};

std::string named(const WeightsArguments& options, bool kept) {
  return fmt::format("{}, endpoints {}",
                     kept                     ? "the model's own"
                     : options.method.empty() ? "bbw"
                                              : options.method,
                     options.endpoints);
}

Chosen choose(const WeightsArguments& options, bool has_weights) {
  Chosen chosen;
  if (!options.method.empty()) {
    chosen.method = weight_method_from_name(options.method);
  } else if (!has_weights) {
    chosen.method = BbwOptions{};
  }
  if (options.endpoints != "none") chosen.endpoints = endpoint_method_from_name(options.endpoints);
  return chosen;
}

// Sets an option on each of the chosen methods that has it, and refuses it where none has.
template <class Set>
void set_option(const char* name, const char* methods_with_it, const WeightsArguments& options,
                Chosen& chosen, Set&& set) {
  bool used = false;
  if (chosen.method) used = std::visit(set, *chosen.method);
  if (chosen.endpoints) used = std::visit(set, *chosen.endpoints) || used;
  if (used) return;
  throw UsageError(fmt::format("{} has no effect on weights that are {}; it is for {}", name,
                               named(options, !chosen.method), methods_with_it));
}

void set_options(const WeightsArguments& options, Chosen& chosen) {
  if (options.voxels != 0) {
    set_option("--voxels", "--method voxel", options, chosen,
               Overload{[&](VoxelOptions& o) { return o.resolution = options.voxels, true; },
                        [](auto&) { return false; }});
  }
  if (options.power != 0) {
    set_option(
        "--power", "--method voxel, shepard or idw and --endpoints idw", options, chosen,
        Overload{[&](VoxelOptions& o) { return o.falloff = options.power, true; },
                 [&](ShepardOptions& o) { return o.drop_rate = options.power, true; },
                 [&](InverseDistanceOptions& o) { return o.alpha = options.power, true; },
                 [&](InverseDistanceEndpointOptions& o) { return o.alpha = options.power, true; },
                 [](auto&) { return false; }});
  }
  if (options.joints != 0) {
    set_option("--joints", "--method shepard", options, chosen,
               Overload{[&](ShepardOptions& o) { return o.joints = options.joints, true; },
                        [](auto&) { return false; }});
  }
  if (options.heat != 0) {
    set_option("--heat", "--method heat and --endpoints heat", options, chosen,
               Overload{[&](HeatOptions& o) { return o.c = options.heat, true; },
                        [](auto&) { return false; }});
  }
  if (options.lattice_nodes != 0) {
    set_option(
        "--lattice-nodes", "--method bbw and --endpoints bbw", options, chosen,
        Overload{[&](BbwOptions& o) { return o.lattice_nodes = options.lattice_nodes, true; },
                 [&](BbwEndpointOptions& o) {
                   return o.bbw.lattice_nodes = options.lattice_nodes, true;
                 },
                 [](auto&) { return false; }});
  }
  if (!options.endpoints_from.empty()) {
    const bool joints = options.endpoints_from == "joints";
    set_option("--endpoints-from", "--endpoints bbw or idw", options, chosen,
               Overload{[&](BbwEndpointOptions& o) {
                          o.source = joints ? EndpointSource::joints : EndpointSource::bones;
                          return true;
                        },
                        [&](InverseDistanceEndpointOptions& o) {
                          o.joints = joints ? JointSet::all : JointSet::of_the_bone;
                          return true;
                        },
                        [](auto&) { return false; }});
  }
}

// Where bbw finds its nodes in the mesh itself, there is no lattice that could have more of them.
void require_lattice(const WeightsArguments& options, const Mesh& mesh) {
  if (options.lattice_nodes == 0) return;
  const bool flat = find_flat(mesh.positions, mesh.triangles).has_value();
  if (mesh.tetrahedra.empty() && !flat) return;
  throw UsageError(fmt::format(
      "--lattice-nodes has no effect on {}: it {}, and bbw uses these", options.model.model,
      flat ? "is flat, with triangles all over" : "has tetrahedra of its own"));
}

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
  if (!options.endpoint_weights_out.empty() && options.endpoints == "none") {
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

// Twist endpoint weights are not computed, and stay with their influences.
void add_carried(const CarriedSkin& carried, nlohmann::json& json, std::string& text) {
  const std::size_t kept = carried.kept_twist_endpoints, added = carried.added_twist_endpoints;
  if (kept + added == 0) return;
  json["twist_endpoints"] = {{"kept", kept}, {"added", added}};
  text +=
      fmt::format("\ntwist endpoint weights kept at {}", counted(kept, "influence", "influences"));
  if (added > 0) text += fmt::format("; {} new ones have those of the stretch", added);
}

ExitStatus weights(const CommonOptions& common, const WeightsArguments& options) {
  check_outputs(options);
  Model model = load_model(options.model);
  Rig& rig = model.rig;
  if (rig.skeleton.bones.empty()) {
    throw InputError(options.model.model, "", "it has no skeleton; give one with --skeleton");
  }
  if (rig.mesh.positions.empty()) throw InputError(options.model.model, "", "it has no vertices");
  const bool has_weights = rig.skin.weights.vertex_count() > 0;
  Chosen chosen = choose(options, has_weights);
  set_options(options, chosen);
  require_lattice(options, rig.mesh);
  const auto start = std::chrono::steady_clock::now();
  ComputedWeights computed =
      compute_weights(rig.mesh, rig.skeleton, chosen.method, chosen.endpoints, rig.skin.weights,
                      terminal_progress(common));
  rig.skin.endpoints.clear();
  const CarriedSkin carried =
      replace_weights(rig.skin, std::move(computed.skin.weights),
                      std::move(computed.skin.endpoints), rig.mesh.positions, rig.skeleton);
  std::optional<PruneError> pruned;
  if (options.influences > 0) {
    Pruned result = prune(rig.skin, options.influences);
    rig.skin.weights = std::move(result.skin.weights);
    rig.skin.endpoints = std::move(result.skin.endpoints);
    rig.skin.twist_endpoints = std::move(result.skin.twist_endpoints);
    pruned = result.error;
  }
  WeightReport report =
      make_report(rig.mesh, rig.skeleton, rig.skin, computed.bones, computed.endpoints);
  report.method = named(options, !chosen.method);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.peak_memory = peak_memory();

  const std::size_t bones = rig.skeleton.bones.size();
  nlohmann::json json = nlohmann::json::parse(report_to_json(report));
  std::string text = to_text(report);
  if (pruned) {
    json["pruned"] = {{"influences", options.influences},
                      {"largest_change", pruned->largest},
                      {"mean_change", pruned->mean},
                      {"vertices", pruned->changed}};
    text += fmt::format("\npruned to {}: {} changed, by {:.3g} at most and {:.3g} in the mean",
                        options.influences, counted(pruned->changed, "vertex", "vertices"),
                        pruned->largest, pruned->mean);
  }
  add_carried(carried, json, text);
  std::vector<std::string> files;
  if (!options.bone_weights_out.empty()) {
    write_matrix(options.bone_weights_out, weights_to_matrix(rig.skin.weights, bones));
    files.push_back(options.bone_weights_out);
  }
  if (!options.endpoint_weights_out.empty()) {
    write_matrix(options.endpoint_weights_out,
                 endpoints_to_matrix(rig.skin.weights, rig.skin.endpoints, bones));
    files.push_back(options.endpoint_weights_out);
  }
  if (!options.output.empty()) {
    const bool other_skeleton = model.source && !options.model.skeleton.empty();
    write_model(options.output, other_skeleton ? with_new_skeleton(model) : model);
    files.push_back(options.output);
  }
  print_report(common, std::move(json), std::move(text), std::move(files), options.report);
  return poor(report) ? poor_result : done;
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
  sub->add_option("--method", options->method,
                  "bbw, heat, voxel, shepard, idw, rigid (default: keep the model's weights; "
                  "bbw if it has none)")
      ->check(one_of({"bbw", "heat", "voxel", "shepard", "idw", "rigid"}));
  options->endpoints = "bbw";
  sub->add_option("--endpoints", options->endpoints, "bbw, heat, idw, projection, none")
      ->capture_default_str()
      ->check(one_of({"bbw", "heat", "idw", "projection", "none"}));
  sub->add_option("--endpoints-from", options->endpoints_from,
                  "bbw: solved along the bones (default), or from joint weights; idw: distances to "
                  "the bone's own joints (default), or to all joints")
      ->check(CLI::IsMember({"bones", "joints"}));
  sub->add_option("--influences", options->influences, "Largest number of bones per vertex")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  sub->add_option("--lattice-nodes", options->lattice_nodes,
                  "bbw: about how many nodes fill a surface (default: 12000)")
      ->check(CLI::Range(std::size_t{64}, std::size_t{1000000}));
  sub->add_option("--voxels", options->voxels, "voxel: cells along the longest side (default: 96)")
      ->check(CLI::Range(8, 512));
  sub->add_option("--power", options->power,
                  "voxel, shepard, idw, and endpoints by idw: the power of the distance (default: "
                  "8, 4, 4, 4)")
      ->check(CLI::Range(1.0, 100.0));
  sub->add_option("--joints", options->joints,
                  "shepard: how many joints move a vertex (default: 4)")
      ->check(CLI::Range(1, 1000));
  sub->add_option("--heat", options->heat,
                  "heat: how much heat bones give off, and joints for endpoints (default: 1)")
      ->check(CLI::Range(1e-3, 1e6));
  sub->add_option("--bone-weights-out", options->bone_weights_out,
                  "Write bone weights, vertices x bones: .dmat");
  sub->add_option("--endpoint-weights-out", options->endpoint_weights_out,
                  "Write endpoint weights, vertices x bones: .dmat");
  sub->add_option("-o,--output", options->output, "Write the rig: .glb or .gltf");
  sub->add_option("--report", options->report, "Write the report: .json");
  sub->callback([&command, options] {
    command.run = [&command, options] { return weights(command.common, *options); };
  });
}

}  // namespace sinew::cli
