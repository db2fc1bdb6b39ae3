// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/measure.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/measure/detail/closed_surface.h"
#include "sinew/measure/detail/crossings.h"
#include "sinew/measure/detail/require.h"
#include "sinew/measure/detail/rest_edges.h"
#include "sinew/measure/detail/rigid_parts.h"
#include "sinew/measure/detail/section_skins.h"

namespace sinew {
namespace {

// What does not depend on the deformed shape, computed once for all of them.
class Gauge {
 public:
  Gauge(const Rig& rig, std::span<const BoneState> states, const std::vector<Vec3>& rest)
      : rig_(rig), states_(states), rest_(rest) {
    const std::vector<Triangle>& triangles = rig.mesh.triangles;
    const Weights& weights = rig.skin.weights;
    detail::require_same_mesh(triangles, rest, rest);
    detail::require_same_rig(weights, rest.size(), rig.skeleton.bones.size());
    if (states.size() != rig.skeleton.bones.size()) {
      throw UsageError("the pose and the skeleton differ in their number of bones");
    }
    const std::array<std::function<void()>, 6> tasks = {
        [&] { crossings_.emplace(triangles, rest); },
        [&] { surface_.emplace(triangles, rest); },
        [&] { edges_.emplace(triangles, rest); },
        [&] { parts_.emplace(rig, rest); },
        [&] {
          skins_ = detail::section_skins(triangles, weights, states.size(), SectionSkin::limb);
        },
        [&] { bounds_ = strain_bounds(triangles, weights, states); },
    };
    parallel_for(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) tasks[i]();
    });
  }

  // Both may be called on several threads at once.
  std::size_t crossings_at_rest() const { return crossings_->find(rest_).pairs; }
  Measures measure(const std::vector<Vec3>& deformed) const {
    const std::vector<Triangle>& triangles = rig_.mesh.triangles;
    detail::require_same_mesh(triangles, rest_, deformed);
    Measures result;
    result.volume = surface_->change(deformed);
    result.edges = edges_->stretch(deformed);
    result.caps = cap_errors(rig_.skeleton, rig_.skin.weights, states_, rest_, deformed);
    PartErrors parts = parts_->errors(states_, deformed);
    result.parts = std::move(parts.parts);
    result.strain =
        summarize(triangle_strains(triangles, rest_, deformed), bounds_, parts.displaced);
    result.intersections = crossings_->find(deformed);

    const auto sections = detail::bone_sections(triangles, skins_, states_, rest_, deformed);
    result.twists = joint_twists(rig_.skeleton, states_, sections);
    const std::vector<bool> twisted = twisted_bones(rig_.skeleton, states_);
    for (std::size_t b = 0; b < sections.size(); ++b) {
      if (!twisted[b] || sections[b].empty()) continue;
      const auto thinnest =
          std::min_element(sections[b].begin(), sections[b].end(),
                           [](const Section& a, const Section& c) { return a.radius < c.radius; });
      result.radii.push_back({static_cast<int>(b), thinnest->radius, thinnest->t});
    }
    return result;
  }

 private:
  const Rig& rig_;
  std::span<const BoneState> states_;
  const std::vector<Vec3>& rest_;
  std::optional<detail::Crossings> crossings_;
  std::optional<detail::ClosedSurface> surface_;
  std::optional<detail::RestEdges> edges_;
  std::optional<detail::RigidParts> parts_;
  detail::SectionSkins skins_;
  std::vector<StrainBounds> bounds_;
};

}  // namespace

Measures measure(const Rig& rig, std::span<const BoneState> states, const std::vector<Vec3>& rest,
                 const std::vector<Vec3>& deformed) {
  return Gauge(rig, states, rest).measure(deformed);
}

Comparison compare_shapes(const Rig& rig, std::span<const BoneState> states,
                          const std::vector<Vec3>& rest, std::span<const std::string> methods,
                          std::span<const Deformed> shapes) {
  if (methods.size() != shapes.size()) throw UsageError("there must be one shape for each method");
  const Gauge gauge(rig, states, rest);
  Comparison result;
  result.vertices = rig.mesh.vertex_count();
  result.triangles = rig.mesh.triangles.size();
  result.results.resize(shapes.size());
  parallel_for(shapes.size() + 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i == shapes.size()) {
        result.crossings_at_rest = gauge.crossings_at_rest();
      } else {
        result.results[i] = {methods[i], gauge.measure(shapes[i].positions)};
      }
    }
  });
  return result;
}

std::optional<double> smallest_radius(const Measures& measures) {
  std::optional<double> smallest;
  for (const BoneRadius& radius : measures.radii) {
    smallest = std::min(smallest.value_or(radius.smallest), radius.smallest);
  }
  return smallest;
}

std::optional<double> largest_cap_error(const Measures& measures) {
  std::optional<double> largest;
  for (const CapError& cap : measures.caps) {
    largest = std::max(largest.value_or(cap.rms), cap.rms);
  }
  return largest;
}

std::optional<double> largest_missed_end(const Measures& measures) {
  std::optional<double> largest;
  for (const CapError& cap : measures.caps) {
    largest = std::max(largest.value_or(cap.missed), cap.missed);
  }
  return largest;
}

std::optional<PartError> least_rigid_end(const Measures& measures) {
  std::optional<PartError> worst;
  for (const PartError& part : measures.parts) {
    if (part.role == BoneRole::end_part && (!worst || part.rms > worst->rms)) worst = part;
  }
  return worst;
}

std::optional<PartError> most_turned_part(const Measures& measures) {
  std::optional<PartError> worst;
  for (const PartError& part : measures.parts) {
    if (!worst || part.turn > worst->turn) worst = part;
  }
  return worst;
}

}  // namespace sinew
