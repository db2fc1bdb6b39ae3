// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/weight_settings.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/geometry/flatness.h"
#include "sinew/weights/detail/in_scene.h"
#include "sinew/weights/report_json.h"

namespace sinew {
namespace {

struct ChosenMethods {
  std::optional<WeightMethod> method;  // none: the skin's weights are kept
  std::optional<EndpointMethod> endpoints;
};

std::string named(const WeightSettings& settings, bool kept) {
  return fmt::format("{}, endpoints {}",
                     kept                      ? "the model's own"
                     : settings.method.empty() ? "bbw"
                                               : settings.method,
                     settings.endpoints);
}

ChosenMethods choose(const WeightSettings& settings, bool has_weights) {
  ChosenMethods chosen;
  if (!settings.method.empty()) {
    chosen.method = weight_method_from_name(settings.method);
  } else if (!has_weights) {
    chosen.method = BbwOptions{};
  }
  if (settings.endpoints != "none") {
    chosen.endpoints = endpoint_method_from_name(settings.endpoints);
  }
  return chosen;
}

// Sets options on the chosen methods that have them, and refuses those that none has.
class OptionSetter {
 public:
  OptionSetter(const WeightSettings& settings, std::string_view dashes, ChosenMethods& chosen)
      : settings_(settings), dashes_(dashes), chosen_(chosen) {}

  // `set` returns whether the method has the option. `methods` and `endpoints` are those that have.
  template <class Set>
  void set(std::string_view name, std::string_view methods, std::string_view endpoints,
           const Set& set) const {
    bool used = false;
    if (chosen_.method) used = std::visit(set, *chosen_.method);
    if (chosen_.endpoints) used = std::visit(set, *chosen_.endpoints) || used;
    if (used) return;
    std::string owners;
    if (!methods.empty()) owners = fmt::format("{}method {}", dashes_, methods);
    if (!methods.empty() && !endpoints.empty()) owners += " and ";
    if (!endpoints.empty()) owners += fmt::format("{}endpoints {}", dashes_, endpoints);
    throw UsageError(fmt::format("{}{} has no effect on weights that are {}; it is for {}", dashes_,
                                 name, named(settings_, !chosen_.method), owners));
  }

 private:
  const WeightSettings& settings_;
  std::string_view dashes_;
  ChosenMethods& chosen_;
};

void set_options(const WeightSettings& given, std::string_view dashes, ChosenMethods& chosen) {
  const OptionSetter option(given, dashes, chosen);
  if (given.voxels != 0) {
    option.set("voxels", "voxel", "",
               Overload{[&](VoxelOptions& o) { return o.resolution = given.voxels, true; },
                        [](auto&) { return false; }});
  }
  if (given.power != 0) {
    option.set(
        "power", "voxel, shepard or idw", "idw",
        Overload{[&](VoxelOptions& o) { return o.falloff = given.power, true; },
                 [&](ShepardOptions& o) { return o.drop_rate = given.power, true; },
                 [&](InverseDistanceOptions& o) { return o.alpha = given.power, true; },
                 [&](InverseDistanceEndpointOptions& o) { return o.alpha = given.power, true; },
                 [](auto&) { return false; }});
  }
  if (given.joints != 0) {
    option.set("joints", "shepard", "",
               Overload{[&](ShepardOptions& o) { return o.joints = given.joints, true; },
                        [](auto&) { return false; }});
  }
  if (given.heat != 0) {
    option.set("heat", "heat", "heat",
               Overload{[&](HeatOptions& o) { return o.c = given.heat, true; },
                        [](auto&) { return false; }});
  }
  if (given.lattice_nodes != 0) {
    option.set("lattice-nodes", "bbw", "bbw",
               Overload{[&](BbwOptions& o) { return o.lattice_nodes = given.lattice_nodes, true; },
                        [&](BbwEndpointOptions& o) {
                          return o.bbw.lattice_nodes = given.lattice_nodes, true;
                        },
                        [](auto&) { return false; }});
  }
  if (!given.endpoints_from.empty()) {
    const bool joints = given.endpoints_from == "joints";
    if (!joints && given.endpoints_from != "bones") {
      throw UsageError(fmt::format("{}endpoints-from is '{}', not bones or joints", dashes,
                                   given.endpoints_from));
    }
    option.set("endpoints-from", "", "bbw or idw",
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
void require_lattice(const WeightSettings& settings, std::string_view dashes, const Mesh& mesh) {
  if (settings.lattice_nodes == 0) return;
  const bool flat = find_flat(mesh.positions, mesh.triangles).has_value();
  if (mesh.tetrahedra.empty() && !flat) return;
  throw UsageError(
      fmt::format("{}lattice-nodes has no effect on this mesh: it {}, and bbw uses these", dashes,
                  flat ? "is flat, with triangles all over" : "has tetrahedra of its own"));
}

}  // namespace

WeightResult compute_weights(const Mesh& mesh, const Skeleton& skeleton, Skin& skin,
                             const WeightSettings& settings, const Progress& progress,
                             std::string_view dashes) {
  if (skeleton.bones.empty()) throw InputError("", "there is no skeleton");
  if (mesh.positions.empty()) throw InputError("", "there are no vertices");
  ChosenMethods chosen = choose(settings, skin.weights.vertex_count() > 0);
  set_options(settings, dashes, chosen);
  require_lattice(settings, dashes, mesh);
  const auto start = std::chrono::steady_clock::now();
  detail::BoneScene scene(mesh, skeleton);
  ComputedWeights computed =
      detail::compute_weights(scene, chosen.method, chosen.endpoints, skin.weights, progress);
  WeightResult result;
  Skin changed = skin;
  changed.endpoints.clear();
  result.carried = replace_weights(changed, std::move(computed.skin.weights),
                                   std::move(computed.skin.endpoints), mesh.positions, skeleton);
  if (settings.influences > 0) {
    Pruned pruned = prune(changed, settings.influences);
    changed.weights = std::move(pruned.skin.weights);
    changed.endpoints = std::move(pruned.skin.endpoints);
    changed.twist_endpoints = std::move(pruned.skin.twist_endpoints);
    result.influences = settings.influences;
    result.pruned = pruned.error;
  }
  result.report = detail::make_report(scene, changed, computed.bones, computed.endpoints);
  result.report.method = named(settings, !chosen.method);
  result.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  skin = std::move(changed);
  return result;
}

std::string to_text(const WeightResult& result) {
  std::string text = to_text(result.report);
  if (result.pruned) {
    text += fmt::format("\npruned to {}: {} {} changed, by {:.3g} at most and {:.3g} in the mean",
                        result.influences, result.pruned->changed,
                        result.pruned->changed == 1 ? "vertex" : "vertices", result.pruned->largest,
                        result.pruned->mean);
  }
  const std::size_t kept = result.carried.kept_twist_endpoints;
  const std::size_t added = result.carried.added_twist_endpoints;
  if (kept + added == 0) return text;
  text += fmt::format("\ntwist endpoint weights kept at {} {}", kept,
                      kept == 1 ? "influence" : "influences");
  if (added > 0) text += fmt::format("; {} new ones have those of the stretch", added);
  return text;
}

std::string to_json(const WeightResult& result) {
  nlohmann::json json = nlohmann::json::parse(report_to_json(result.report));
  if (result.pruned) {
    json["pruned"] = {{"influences", result.influences},
                      {"largest_change", result.pruned->largest},
                      {"mean_change", result.pruned->mean},
                      {"vertices", result.pruned->changed}};
  }
  const std::size_t kept = result.carried.kept_twist_endpoints;
  const std::size_t added = result.carried.added_twist_endpoints;
  if (kept + added > 0) json["twist_endpoints"] = {{"kept", kept}, {"added", added}};
  return json.dump(2);
}

}  // namespace sinew
