// SPDX-License-Identifier: Apache-2.0
// lbs, dqs, stbs-lbs, stbs-dqs, and the other variants of Skinning.
#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/overload.h"
#include "sinew/deform/internal/surface.h"
#include "sinew/kernels/detail/skinning_pose.h"
#include "sinew/kernels/detail/tiles.h"

namespace sinew {
namespace {

using reference::PointMap;
using reference::SkinPoint;

class SkinningMethod : public MethodImpl {
 public:
  explicit SkinningMethod(Skinning settings) : settings_(std::move(settings)) {}

  MethodTraits traits() const override {
    const bool stbs = settings_.map == BoneMap::stbs;
    const bool matrix = settings_.map == BoneMap::matrix;
    const bool linear = std::holds_alternative<LinearBlend>(settings_.blend);
    return {.endpoints = stbs,
            .twists = stbs,
            .scales = matrix && !std::holds_alternative<DualQuaternionBlend>(settings_.blend),
            .bones = stbs               ? BoneDetail::ends
                     : matrix && linear ? BoneDetail::matrices
                                        : BoneDetail::turns};
  }

  Deformed reference(const ReferenceInput& input) const override {
    check(input.rig.mesh.vertex_count());
    return reference::deform_points(input, map(input.bones));
  }

  std::unique_ptr<const BoundMethod> bind(const Binding& binding) const override {
    check(binding.vertex_count());
    kernels::PackedPlan plan;
    plan.map = settings_.map;
    kernels::TileKernel kernel{kernels::prepare_skinning, kernels::fill_skinning,
                               kernels::deform_linear};
    if (const auto* mixed = std::get_if<MixedBlend>(&settings_.blend)) {
      plan.blending = kernels::Blending::mixed;
      kernel.run = kernels::deform_mixed;
      for (const std::uint32_t v : binding.packed()->order) {
        plan.shares.push_back(static_cast<float>(mixed->dual_quaternion_share[v]));
      }
    } else if (std::holds_alternative<DualQuaternionBlend>(settings_.blend)) {
      plan.blending = kernels::Blending::dual_quaternion;
      kernel.run = kernels::deform_dual_quaternion;
    }
    return kernels::bind_tiles(binding, std::move(plan), kernel);
  }

 private:
  void check(std::size_t vertex_count) const {
    const auto* mixed = std::get_if<MixedBlend>(&settings_.blend);
    if (mixed == nullptr) return;
    const std::vector<double>& shares = mixed->dual_quaternion_share;
    if (shares.size() != vertex_count) {
      throw UsageError(formatted("{} shares of dual-quaternion blending for {} vertices",
                                 shares.size(), vertex_count));
    }
    for (std::size_t v = 0; v < shares.size(); ++v) {
      if (shares[v] >= 0 && shares[v] <= 1) continue;
      throw UsageError(
          formatted("vertex {}: its share of dual-quaternion blending is {}; it must be in "
                    "[0, 1]",
                    v, shares[v]));
    }
  }

  PointMap map(std::span<const BoneState> bones) const {
    const BoneMap map = settings_.map;
    return std::visit(Overload{[&](const LinearBlend&) -> PointMap {
                                 return [=](std::size_t, const SkinPoint& point) {
                                   return reference::linear_blend(point, bones, map);
                                 };
                               },
                               [&](const DualQuaternionBlend&) -> PointMap {
                                 return [=](std::size_t, const SkinPoint& point) {
                                   return reference::dual_quaternion_blend(point, bones, map);
                                 };
                               },
                               [&](const MixedBlend& mixed) -> PointMap {
                                 return [=, &mixed](std::size_t vertex, const SkinPoint& point) {
                                   return lerp(reference::linear_blend(point, bones, map),
                                               reference::dual_quaternion_blend(point, bones, map),
                                               mixed.dual_quaternion_share[vertex]);
                                 };
                               }},
                      settings_.blend);
  }

  Skinning settings_;
};

template <BoneMap kMap, class SomeBlend>
Method make_skinning(const Rig&, const MethodSettings&) {
  return Skinning{kMap, SomeBlend{}};
}

}  // namespace

Skinning::operator Method() const { return Method(std::make_shared<SkinningMethod>(*this)); }

extern constinit const MethodInfo lbs_method{
    .name = "lbs",
    .summary = "linear blend skinning: each bone's matrix, averaged by weight",
    .traits = {.scales = true, .bones = BoneDetail::matrices},
    .make = make_skinning<BoneMap::matrix, LinearBlend>};
extern constinit const MethodInfo dqs_method{
    .name = "dqs",
    .summary = "dual quaternion skinning: rotations blended as rotations",
    .traits = {.bones = BoneDetail::turns},
    .make = make_skinning<BoneMap::matrix, DualQuaternionBlend>};
extern constinit const MethodInfo stbs_lbs_method{
    .name = "stbs-lbs",
    .summary = "stretchable, twistable bones over linear blending",
    .traits = {.endpoints = true, .twists = true, .bones = BoneDetail::ends},
    .make = make_skinning<BoneMap::stbs, LinearBlend>};
extern constinit const MethodInfo stbs_dqs_method{
    .name = "stbs-dqs",
    .summary = "stretchable, twistable bones over dual quaternions",
    .traits = {.endpoints = true, .twists = true, .bones = BoneDetail::ends},
    .make = make_skinning<BoneMap::stbs, DualQuaternionBlend>};

}  // namespace sinew
