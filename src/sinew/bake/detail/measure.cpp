// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/measure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "sinew/bake/detail/posed_bones.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/muscles.h"

namespace sinew::baking {
namespace {

constexpr std::size_t grain = 1024;

std::size_t heaviest_bone(std::span<const SkinInfluence> row) {
  const auto found = std::max_element(
      row.begin(), row.end(),
      [](const SkinInfluence& a, const SkinInfluence& b) { return a.weight < b.weight; });
  return static_cast<std::size_t>(found->bone);
}

void merge(Errors& a, const Errors& b) {
  a.largest = std::max(a.largest, b.largest);
  a.largest_share = std::max(a.largest_share, b.largest_share);
  a.mean_square += b.mean_square;
  for (std::size_t i = 0; i < a.bone_largest.size(); ++i) {
    a.bone_largest[i] = std::max(a.bone_largest[i], b.bone_largest[i]);
    a.bone_share[i] = std::max(a.bone_share[i], b.bone_share[i]);
  }
}

Errors nothing(std::size_t bones) {
  Errors errors;
  errors.bone_largest.assign(bones, 0);
  errors.bone_share.assign(bones, 0);
  return errors;
}

}  // namespace

std::vector<Target> targets_of(const Rig& rig, const SkinRows& rows,
                               std::span<const TestPose> poses) {
  using Positions = const std::vector<Vec3>;
  const Rows<Bulge> bulges = bulge_rows(rig, false);
  const auto own = std::make_shared<Positions>(rig.mesh.positions);
  std::vector<Target> targets;
  for (const TestPose& pose : poses) {
    Target target;
    target.is_extra = pose.is_extra;
    target.rest = rig.mesh.shapes.empty()
                      ? own
                      : std::make_shared<Positions>(blend_shapes(rig.mesh, pose.shapes).positions);
    if (!bulges.items.empty()) {
      target.plain = target.rest;
      std::vector<Vec3> bulged = *target.rest;
      for (std::size_t v = 0; v < bulges.size(); ++v) {
        for (const Bulge& bulge : bulges[v]) {
          bulged[v] += pose.states[bulge.bone].bulge * bulge.move;
        }
      }
      target.rest = std::make_shared<Positions>(std::move(bulged));
    }
    const PosedBones bones(pose.states);
    target.truth.resize(target.rest->size());
    parallel_for(target.truth.size(), grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        target.truth[v] = bones.blend((*target.rest)[v], rows[v]);
      }
    });
    targets.push_back(std::move(target));
  }
  return targets;
}

Errors measure(const Weights& weights, std::span<const Target> targets, const SkinRows& rows,
               const Limbs& limbs) {
  const std::size_t vertices = weights.vertex_count();
  const std::size_t blocks = (vertices + grain - 1) / grain;
  std::vector<Errors> block_errors(blocks, nothing(limbs.radius.size()));
  parallel_for(vertices, grain, [&](std::size_t begin, std::size_t end) {
    // One pose after the other, each read from front to back.
    std::vector<double> worst(end - begin, 0.0), squares(end - begin, 0.0);
    for (const Target& target : targets) {
      for (std::size_t v = begin; v < end; ++v) {
        Vec3 p;
        for (const Influence& influence : weights.row(v)) {
          const Affine& motion = target.palette[influence.bone];
          p += influence.weight * transform_point(motion, (*target.rest)[v]);
        }
        const double square = length_squared(p - target.truth[v]);
        worst[v - begin] = std::max(worst[v - begin], square);
        squares[v - begin] += square;
      }
    }
    Errors& errors = block_errors[begin / grain];
    for (std::size_t v = begin; v < end; ++v) {
      if (weights.row(v).empty()) continue;
      const std::size_t bone = heaviest_bone(rows[v]);
      const double error = std::sqrt(worst[v - begin]), share = error / limbs.at_vertex[v];
      errors.largest = std::max(errors.largest, error);
      errors.largest_share = std::max(errors.largest_share, share);
      errors.mean_square += squares[v - begin];
      errors.bone_largest[bone] = std::max(errors.bone_largest[bone], error);
      errors.bone_share[bone] = std::max(errors.bone_share[bone], share);
    }
  });
  Errors errors = nothing(limbs.radius.size());
  for (const Errors& block : block_errors) merge(errors, block);
  const double count = double(vertices) * double(targets.size());
  errors.mean_square = count > 0 ? errors.mean_square / count : 0;
  return errors;
}

}  // namespace sinew::baking
