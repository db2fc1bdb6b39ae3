// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/compute_weights.h"

#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/core/suggest.h"
#include "sinew/skin/projection.h"
#include "sinew/weights/detail/in_scene.h"
#include "sinew/weights/rigid.h"

namespace sinew {
namespace {

constexpr std::string_view weight_names[] = {"bbw", "heat", "voxel", "shepard", "idw", "rigid"};
constexpr std::string_view endpoint_names[] = {"bbw", "heat", "idw", "projection"};

UsageError no_such(const char* what, std::string_view name,
                   std::span<const std::string_view> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  return UsageError(fmt::format("there is no {} '{}'{}; there are {}", what, name,
                                did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

std::span<const std::string_view> weight_method_names() { return weight_names; }

std::span<const std::string_view> endpoint_method_names() { return endpoint_names; }

WeightMethod weight_method_from_name(std::string_view name) {
  if (name == "bbw") return BbwOptions{};
  if (name == "heat") return HeatOptions{};
  if (name == "voxel") return VoxelOptions{};
  if (name == "shepard") return ShepardOptions{};
  if (name == "idw") return InverseDistanceOptions{};
  if (name == "rigid") return RigidOptions{};
  throw no_such("weight method", name, weight_names);
}

EndpointMethod endpoint_method_from_name(std::string_view name) {
  if (name == "bbw") return BbwEndpointOptions{};
  if (name == "heat") return HeatOptions{};
  if (name == "idw") return InverseDistanceEndpointOptions{};
  if (name == "projection") return ProjectionOptions{};
  throw no_such("endpoint method", name, endpoint_names);
}

ComputedWeights detail::compute_weights(BoneScene& scene, const std::optional<WeightMethod>& method,
                                        const std::optional<EndpointMethod>& endpoints,
                                        const Weights& kept, const Progress& progress) {
  const Mesh& mesh = scene.mesh();
  const Skeleton& skeleton = scene.skeleton();
  const bool twice = method && endpoints && std::holds_alternative<HeatOptions>(*method) &&
                     std::holds_alternative<HeatOptions>(*endpoints);
  if (!twice) scene.solve_heat_once();
  ComputedWeights result;
  std::optional<Bbw> bbw;
  const double middle = method && endpoints ? 0.6 : method ? 1.0 : 0.0;
  const Progress first = progress.part(0, middle), second = progress.part(middle, 1);
  const auto take = [&](SolvedWeights solved) {
    result.skin.weights = std::move(solved.weights);
    result.bones = std::move(solved.notes);
  };
  if (method) {
    std::visit(
        Overload{[&](const BbwOptions& o) {
                   bbw.emplace(mesh, skeleton, o, first.part(0, 0.3));
                   take(bbw->weights(first.part(0.3, 1)));
                 },
                 [&](const HeatOptions& o) { take(heat_weights(scene, o, first)); },
                 [&](const VoxelOptions& o) { take(voxel_weights(mesh, skeleton, o, first)); },
                 [&](const ShepardOptions& o) {
                   result.skin.weights = shepard_weights(mesh.positions, skeleton, o);
                 },
                 [&](const InverseDistanceOptions& o) {
                   result.skin.weights = inverse_distance_weights(mesh.positions, skeleton, o);
                 },
                 [&](const RigidOptions&) {
                   result.skin.weights = rigid_weights(mesh.positions, skeleton);
                 }},
        *method);
  } else {
    result.skin.weights = kept;
  }
  validate(result.skin, mesh.vertex_count(), skeleton.bones.size());
  if (!endpoints) return result;
  const Weights& weights = result.skin.weights;
  const auto take_endpoints = [&](SolvedEndpoints solved) {
    result.skin.endpoints = std::move(solved.endpoints);
    result.endpoints = std::move(solved.notes);
  };
  std::visit(
      Overload{
          [&](const BbwEndpointOptions& o) {
            if (!bbw) bbw.emplace(mesh, skeleton, o.bbw, second.part(0, 0.3));
            take_endpoints(bbw->endpoints(weights, o.source, second.part(0.3, 1)));
          },
          [&](const HeatOptions& o) { take_endpoints(heat_endpoints(scene, weights, o, second)); },
          [&](const InverseDistanceEndpointOptions& o) {
            result.skin.endpoints =
                inverse_distance_endpoints(mesh.positions, skeleton, weights, o);
          },
          [&](const ProjectionOptions&) {
            result.skin.endpoints = projection_endpoints(mesh.positions, skeleton, weights);
          }},
      *endpoints);
  return result;
}

ComputedWeights compute_weights(const Mesh& mesh, const Skeleton& skeleton,
                                const std::optional<WeightMethod>& method,
                                const std::optional<EndpointMethod>& endpoints, const Weights& kept,
                                const Progress& progress) {
  detail::BoneScene scene(mesh, skeleton);
  return detail::compute_weights(scene, method, endpoints, kept, progress);
}

}  // namespace sinew
