// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/offset_curve/radius.h"

#include <algorithm>
#include <cmath>

namespace sinew::offset_curve {
namespace {

// A third of each vertex's triangles; 1 each where there are no triangles.
std::vector<double> vertex_areas(std::span<const Vec3> positions,
                                 std::span<const Triangle> triangles) {
  std::vector<double> areas(positions.size(), triangles.empty() ? 1.0 : 0.0);
  for (const Triangle& triangle : triangles) {
    const Vec3& a = positions[triangle[0]];
    const double area = length(cross(positions[triangle[1]] - a, positions[triangle[2]] - a)) / 6;
    for (const Index v : triangle) areas[v] += area;
  }
  return areas;
}

}  // namespace

std::vector<std::vector<double>> limb_radii(std::span<const Chain> chains,
                                            const CurveWeights& weights,
                                            std::span<const Vec3> positions,
                                            std::span<const Triangle> triangles,
                                            const SkinRows& rows) {
  struct Mean {
    double sum = 0, weight = 0;
  };
  std::vector<std::vector<Mean>> means;
  for (const Chain& chain : chains) means.emplace_back(chain.segments.size() - 1);
  const std::vector<double> areas = vertex_areas(positions, triangles);
  std::vector<double> shares(chains.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const auto row = rows[v];
    weights.at(v, positions[v], row, shares);
    for (std::size_t c = 0; c < chains.size(); ++c) {
      // Ignore skin that mostly follows other curves.
      const double share = 2 * shares[c] - 1;
      if (!(share > 0)) continue;
      const Chain& chain = chains[c];
      const ChainPlace nearest = nearest_place(chain, positions[v]);
      const Segment& segment = chain.segments[nearest.segment];
      const double position = segment.start + nearest.t * segment.length;
      const std::size_t joint = joint_place(chain, nearest.segment, nearest.t).joint;
      const double away = std::fabs(tie_position(chain, positions[v], row, position) -
                                    chain.segments[joint + 1].start);
      const double near = std::max(1 - 2 * away / segment.length, 0.0);
      if (!(near > 0)) continue;
      Mean& mean = means[c][joint];
      const double weight = areas[v] * share * near * near;
      mean.sum += weight * nearest.distance;
      mean.weight += weight;
    }
  }
  std::vector<std::vector<double>> radii;
  for (const auto& chain_means : means) {
    auto& out = radii.emplace_back();
    for (const Mean& mean : chain_means)
      out.push_back(mean.weight > 0 ? mean.sum / mean.weight : 0);
  }
  return radii;
}

}  // namespace sinew::offset_curve
