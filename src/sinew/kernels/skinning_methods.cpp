// SPDX-License-Identifier: Apache-2.0
// lbs, dqs, mixed, the same over stretchable and twistable bones, and the other variants of
// Skinning.
#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/overload.h"
#include "sinew/deform/internal/surface.h"
#include "sinew/deform/muscles.h"
#include "sinew/kernels/detail/skinning_pose.h"
#include "sinew/kernels/detail/tiles.h"

namespace sinew {
namespace {

using reference::PointMap;
using reference::SkinPoint;

class SkinningMethod : public MethodImpl {
 public:
  explicit SkinningMethod(const Skinning& settings) : settings_(settings) {}

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
    return reference::deform_points(input, point_map(input));
  }

  PointMap point_map(const ReferenceInput& input) const override {
    PointMap plain = map(input.bones, blend_shares(input.rig));
    const bool swells = settings_.map == BoneMap::stbs && has_muscles(input.rig.skin);
    return swells ? reference::swollen(input, std::move(plain)) : plain;
  }

  std::unique_ptr<const BoundMethod> bind(const Binding& binding) const override {
    kernels::PackedPlan plan;
    plan.map = settings_.map;
    kernels::TileKernel kernel{kernels::prepare_skinning, kernels::fill_skinning,
                               kernels::deform_linear, kernels::fill_skinning_surface,
                               kernels::fill_skinning_lanes};
    if (std::holds_alternative<MixedBlend>(settings_.blend)) {
      plan.blending = kernels::Blending::mixed;
      kernel.run = kernels::deform_mixed;
      const std::vector<double> shares = blend_shares(binding.rig());
      for (const std::uint32_t v : binding.packed()->order) {
        plan.shares.push_back(static_cast<float>(shares[v]));
      }
    } else if (std::holds_alternative<DualQuaternionBlend>(settings_.blend)) {
      plan.blending = kernels::Blending::dual_quaternion;
      kernel.run = kernels::deform_dual_quaternion;
    }
    return kernels::bind_tiles(binding, std::move(plan), kernel);
  }

 private:
  // One per vertex; empty unless they are needed.
  std::vector<double> blend_shares(const Rig& rig) const {
    const auto* mixed = std::get_if<MixedBlend>(&settings_.blend);
    if (mixed == nullptr) return {};
    if (!mixed->share && !rig.skin.blend_shares.empty()) return rig.skin.blend_shares;
    const double share = mixed->share.value_or(default_blend_share);
    if (!(share >= 0 && share <= 1)) {
      throw UsageError(
          formatted("the share of dual-quaternion blending is {}; it must be in [0, 1]", share));
    }
    return std::vector<double>(rig.mesh.vertex_count(), share);
  }

  PointMap map(std::span<const BoneState> bones, std::vector<double> shares) const {
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
                               [&](const MixedBlend&) -> PointMap {
                                 return [=, shares = std::move(shares)](std::size_t vertex,
                                                                        const SkinPoint& point) {
                                   return lerp(reference::linear_blend(point, bones, map),
                                               reference::dual_quaternion_blend(point, bones, map),
                                               shares[vertex]);
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

constexpr MethodOption mixed_options[] = {
    {.name = "blend-share",
     .kind = MethodOption::Kind::number,
     .least = 0,
     .most = 1,
     .help = "share of dual quaternions at all vertices (default: the rig's; 0.5 if it has none)"}};
static_assert(default_blend_share == 0.5);

template <BoneMap kMap>
Method make_mixed(const Rig&, const MethodSettings& given) {
  return Skinning{kMap, MixedBlend{given.number("blend-share")}};
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
extern constinit const MethodInfo mixed_method{
    .name = "mixed",
    .summary = "linear blending and dual quaternions, mixed by the rig's blend shares",
    .traits = {.scales = true, .bones = BoneDetail::turns},
    .options = mixed_options,
    .make = make_mixed<BoneMap::matrix>};
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
extern constinit const MethodInfo stbs_mixed_method{
    .name = "stbs-mixed",
    .summary = "stretchable, twistable bones over a mix of the two by the rig's blend shares",
    .traits = {.endpoints = true, .twists = true, .bones = BoneDetail::ends},
    .options = mixed_options,
    .make = make_mixed<BoneMap::stbs>};

}  // namespace sinew
