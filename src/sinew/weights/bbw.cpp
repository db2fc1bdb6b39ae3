// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/bbw.h"

#include "sinew/core/error.h"
#include "sinew/weights/detail/bbw_endpoints.h"
#include "sinew/weights/detail/bbw_weights.h"
#include "sinew/weights/detail/bone_domain.h"

namespace sinew {

struct Bbw::State {
  BbwOptions options;
  detail::BoneDomain domain;
};

Bbw::Bbw(const Mesh& mesh, const Skeleton& skeleton, const BbwOptions& options,
         const Progress& progress)
    : state_(std::make_unique<State>()) {
  validate(mesh);
  validate(skeleton);
  if (skeleton.bones.empty())
    throw InputError("skeleton", "it has no bones to compute weights for");
  if (options.lattice_nodes == 0 || options.iterations == 0 || !(options.gap > 0)) {
    throw UsageError("lattice_nodes, iterations and gap must be above 0");
  }
  state_->options = options;
  state_->domain = detail::bone_domain(mesh, skeleton, options.lattice_nodes, progress);
}

Bbw::~Bbw() = default;
Bbw::Bbw(Bbw&&) noexcept = default;
Bbw& Bbw::operator=(Bbw&&) noexcept = default;

SolvedWeights Bbw::weights(const Progress& progress) const {
  const BbwOptions& options = state_->options;
  return detail::bbw_weights(state_->domain, {options.iterations, options.gap}, progress);
}

SolvedEndpoints Bbw::endpoints(const Weights& weights, EndpointSource source,
                               const Progress& progress) const {
  const detail::BoneDomain& domain = state_->domain;
  validate(weights, domain.positions.size(), domain.skeleton.bones.size());
  // An error of e counts only with the bone's weight and the stretch and twist it scales.
  const detail::BoundedOptions options{.iterations = state_->options.iterations,
                                       .tolerance = 3 * state_->options.gap,
                                       .settle = false};
  return source == EndpointSource::bones
             ? detail::endpoints_along_bones(domain, weights, options, progress)
             : detail::endpoints_from_joints(domain, weights, options, progress);
}

std::size_t Bbw::node_count() const { return state_->domain.domain.points.size(); }

}  // namespace sinew
