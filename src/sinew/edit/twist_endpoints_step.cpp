// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/twist_endpoints_step.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/io/weight_matrix.h"

namespace sinew {

StepForm TwistEndpointsStep::form() {
  return {{"twist-endpoints", "METHOD|FILE",
           "Endpoint weights of the twist: bbw, heat, idw, projection, a .dmat of vertices x "
           "bones, or none",
           ContentKind::matrix}};
}

TwistEndpointsStep TwistEndpointsStep::parse(const StepText& text) {
  TwistEndpointsStep step;
  step.source = text.argument;
  if (text.argument == "none") return step;
  if (is_matrix(text)) {
    step.values = matrix_argument(text);
    return step;
  }
  try {
    step.values = endpoint_method_from_name(text.argument);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--{}: {}; or a .dmat file, or none", text.name, error.what()));
  }
  return step;
}

std::string TwistEndpointsStep::arguments() const { return source; }

void TwistEndpointsStep::apply(Editing& editing) const {
  editing.require_weights();
  const Rig& rig = editing.rig;
  Skin& skin = editing.rig.skin;
  const std::vector<double> before = skin.twist_endpoints;
  std::visit(
      Overload{[&](const NoTwistEndpoints&) { skin.twist_endpoints.clear(); },
               [&](const EndpointMethod& method) {
                 ComputedWeights computed =
                     compute_weights(rig.mesh, rig.skeleton, std::nullopt, method, skin.weights);
                 skin.twist_endpoints = std::move(computed.skin.endpoints);
                 if (!computed.endpoints.repairs.empty()) {
                   editing.facts.push_back({"repairs", std::move(computed.endpoints.repairs)});
                 }
               },
               [&](const MatrixFile& file) {
                 require_size(file, rig.mesh.vertex_count(), rig.skeleton.bones.size(), "bones");
                 skin.twist_endpoints = endpoints_from_matrix(file.matrix, skin.weights);
                 try {
                   validate_endpoints(skin.weights, skin.twist_endpoints, "twist endpoint weight");
                 } catch (const InputError& error) {
                   throw error.in_file(file.name);
                 }
               }},
      values);
  keep_unchanged(before, skin.twist_endpoints);
}

}  // namespace sinew
