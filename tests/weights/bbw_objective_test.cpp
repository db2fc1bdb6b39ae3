// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/weights/bbw.h"

namespace sinew {
namespace {

// A flat strip of `cells` squares with a bone across each end: between them the weights are the
// cubic 3 x^2 - 2 x^3, whose squared second derivative has the integral 12 / length^3.
double strip_objective(int cells, double scale) {
  const double height = scale / cells;
  Mesh mesh;
  for (int i = 0; i <= cells; ++i) {
    const double x = scale * i / cells;
    mesh.positions.push_back({x, 0, 0});
    mesh.positions.push_back({x, height, 0});
    if (i == 0) continue;
    const auto v = static_cast<Index>(2 * i);
    mesh.triangles.push_back({v - 2, v, v + 1});
    mesh.triangles.push_back({v - 2, v + 1, v - 1});
  }
  const std::vector<Vec3> ends{{0, 0, 0}, {0, height, 0}, {scale, 0, 0}, {scale, height, 0}};
  const std::vector<std::array<int, 2>> bones{{0, 1}, {2, 3}};
  const Skeleton skeleton = skeleton_from_segments(ends, bones);
  return Bbw(mesh, skeleton, {.gap = 1e-8}).weights().notes.objective / height;
}

TEST(Bbw, the_objective_is_the_energy_of_all_bones_together) {
  EXPECT_NEAR(strip_objective(100, 1), 24, 0.1);
  EXPECT_NEAR(strip_objective(200, 1), 24, 0.05);
  EXPECT_NEAR(strip_objective(100, 2) * 8 / strip_objective(100, 1), 1, 1e-9);
}

}  // namespace
}  // namespace sinew
