// SPDX-License-Identifier: Apache-2.0
// Bone heat in flat shapes: lines of sight end at the outline.
#include <array>

#include <gtest/gtest.h>

#include "sinew/weights/heat.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/u_shape.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// The largest weight that the thin prong's bone has on the wide prong; the shape before it was
// turned has the same vertices.
double largest_across_the_gap(const Surface& before, const Quat& by) {
  const Torture t = turned(torture("U", before, u_bones()), by);
  const Weights weights = heat_weights(t.mesh, t.skeleton).weights;
  double largest = 0;
  for (std::size_t v = 0; v < before.positions.size(); ++v) {
    if (on_wide_prong(before.positions[v])) largest = std::max(largest, weight_of(weights, v, 1));
  }
  return largest;
}

TEST(HeatInThePlane, a_bone_across_a_gap_gives_no_heat_in_whichever_plane) {
  for (const Quat& plane : planes()) EXPECT_LT(largest_across_the_gap(u_shape(), plane), 0.02);
}

// Nine times as wide, with a bone across the base that both prongs' bones begin at. All the inner
// half of the wide prong is nearer to the thin one's bone: it had 0.73 of the weight there.
TEST(HeatInThePlane, a_wide_prong_does_not_follow_a_thin_one_beside_it) {
  const std::vector<Vec3> ends{{0.9, 0.25, 0}, {2.1, 0.25, 0}, {0.9, 2.7, 0}, {2.1, 2.7, 0}};
  const std::vector<std::array<int, 2>> bones{{0, 1}, {0, 2}, {1, 3}};
  const Torture t = torture("U", u_shape(36, 4), skeleton_from_segments(ends, bones));
  const Weights weights = heat_weights(t.mesh, t.skeleton).weights;
  std::size_t nearer = 0;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const Vec3& p = t.mesh.positions[v];
    if (p.y < 1) continue;
    EXPECT_LT(weight_of(weights, v, p.x < 1.9 ? 2 : 1), 0.02) << v;
    nearer += p.x > 1.5 && p.x < 1.9 ? 1 : 0;
  }
  EXPECT_GT(nearer, 200u);
}

TEST(HeatInThePlane, noise_and_a_second_side_change_nothing) {
  for (const Quat& plane : planes()) {
    for (const double size : {1e-6, 1e-3}) {
      Surface noisy = u_shape();
      add_noise(noisy, size);
      EXPECT_LT(largest_across_the_gap(noisy, plane), 0.02) << size;
    }
    for (const bool rim : {true, false}) {
      EXPECT_LT(largest_across_the_gap(u_card(0.002, rim), plane), 0.02) << rim;
    }
  }
}

TEST(HeatInThePlane, it_is_near_what_the_same_shape_has_when_it_is_thick) {
  const Surface thick = moved(u_card(0.4, true), 1, {0, 0, 0.2});
  EXPECT_LT(largest_across_the_gap(thick, {0, 0, 0, 1}), 0.05);
  const Surface flat = u_shape();
  const Torture solid = torture("thick", thick, u_bones()), sheet = torture("U", flat, u_bones());
  const Weights expected = heat_weights(solid.mesh, solid.skeleton).weights;
  const Weights weights = heat_weights(sheet.mesh, sheet.skeleton).weights;
  for (std::size_t v = 0; v < flat.positions.size(); ++v) {
    if (!on_wide_prong(flat.positions[v])) continue;
    EXPECT_NEAR(weight_of(weights, v, 0), weight_of(expected, v, 0), 0.05);
  }
}

TEST(HeatInThePlane, joints_across_a_gap_do_not_pull_at_endpoint_weights) {
  const Torture t = torture("U", u_shape(), u_bones());
  const std::vector<double> e =
      heat_endpoints(t.mesh, t.skeleton,
                     weights_from_dense(std::vector<double>(2 * t.mesh.vertex_count(), 0.5), 2))
          .endpoints;
  // Beside the upper joints: on the wide prong's inner side, and on its outer side.
  const auto at = [&](double x, double y) {
    for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
      if (distance(t.mesh.positions[v], {x, y, 0}) < 1e-9) return e[2 * v];
    }
    return -1.0;
  };
  EXPECT_GT(at(1, 2.8), 0.97);
  EXPECT_NEAR(at(1, 2.8), at(0, 2.8), 1e-4);
}

TEST(HeatInThePlane, a_bone_drawn_beside_the_shape_is_seen_from_its_own_side) {
  const Torture t =
      torture("beside", u_shape(),
              loose_bones({{-0.2, 0.3, 0}, {-0.2, 2.8, 0}, {1.6, 0.3, 0}, {1.6, 2.8, 0}}));
  const SolvedWeights solved = heat_weights(t.mesh, t.skeleton);
  EXPECT_TRUE(solved.notes.repairs.empty());
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const Vec3& p = t.mesh.positions[v];
    if (p.x < 1.1 && p.y > 1.8) {
      EXPECT_LT(weight_of(solved.weights, v, 1), 0.03);
    }
    if (p.x > 1.1 && p.y > 1.8) {
      EXPECT_LT(weight_of(solved.weights, v, 0), 1e-9);
    }
  }
}

TEST(HeatInThePlane, a_part_on_top_of_another_sees_the_bone_within_itself) {
  // An arm that lies on a trunk, as layers of a picture do: the trunk's bone passes beside the arm,
  // nearer to its edge than the arm's own.
  Surface s = sheet(11, 31);
  const std::size_t trunk = s.positions.size();
  append(s, moved(sheet(4, 21), 1, {0.35, 0.5, 0.001}));
  const Torture t = torture(
      "layers", s, loose_bones({{0.3, 0.1, 0}, {0.3, 2.9, 0}, {0.6, 0.6, 0}, {0.6, 2.4, 0}}));
  const Weights weights = heat_weights(t.mesh, t.skeleton).weights;
  EXPECT_GT(weight_of(weights, 0, 0), 0.9);
  for (std::size_t v = trunk; v < s.positions.size(); ++v) {
    EXPECT_NEAR(weight_of(weights, v, 1), 1, 1e-9) << v;
  }
}

}  // namespace
}  // namespace sinew
