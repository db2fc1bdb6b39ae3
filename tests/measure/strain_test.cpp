// SPDX-License-Identifier: Apache-2.0
// Strain of triangles on sheets and tubes with known answers, moved by hand and by no method.
#include "sinew/measure/strain.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// n by n squares of two triangles each, from (0, 0) to (1, 1).
Surface sheet(int n) {
  Surface s;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) s.positions.push_back({double(i) / n, double(j) / n, 0});
  }
  const auto at = [&](int i, int j) { return static_cast<Index>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      s.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      s.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return s;
}

std::vector<TriangleStrain> strains_of(const Surface& s, const std::vector<Vec3>& deformed) {
  return triangle_strains(s.triangles, s.positions, deformed);
}

Strain strain_of(const Surface& s, const std::vector<Vec3>& deformed) {
  return summarize(strains_of(s, deformed), std::vector<StrainBounds>(s.triangles.size()));
}

TEST(Strain, a_rigid_motion_is_none_whatever_the_size_and_place) {
  const Quat turn = rotation_about(normalized(Vec3{-1, 2, 0.3}), 2.4);
  for (const double size : {1e-6, 1.0, 1e6}) {
    const Surface s = moved(unit_sphere(8, 12), size, {size, 2 * size, 0});
    const auto deformed = mapped(s.positions, [&](const Vec3& p) {
      return rotate(turn, p) + Vec3{3 * size, 0, -size};
    });
    for (const TriangleStrain& strain : strains_of(s, deformed)) {
      EXPECT_GT(strain.area, 0);
      EXPECT_NEAR(strain.longest, 1, 1e-9);
      EXPECT_NEAR(strain.shortest, 1, 1e-9);
      EXPECT_NEAR(strain.shear(), 0, 1e-9);
    }
    EXPECT_TRUE(strain_of(s, deformed).distorted.empty());
    EXPECT_EQ(strain_of(s, deformed).no_area, 0u);
  }
}

TEST(Strain, of_a_stretch_is_the_stretch_in_any_triangle) {
  const Quat turn = rotation_about(normalized(Vec3{1, 1, 3}), 1.0);
  for (const int n : {1, 3, 10}) {
    const Surface s = sheet(n);
    const auto deformed = mapped(s.positions, [&](const Vec3& p) {
      return rotate(turn, Vec3{3 * p.x, 0.5 * p.y, 0});
    });
    for (const TriangleStrain& strain : strains_of(s, deformed)) {
      EXPECT_NEAR(strain.longest, 3, 1e-12);
      EXPECT_NEAR(strain.shortest, 0.5, 1e-12);
      EXPECT_NEAR(std::sin(strain.shear()), (9 - 0.25) / (9 + 0.25), 1e-12);
    }
  }
}

TEST(Strain, of_a_simple_shear_is_known) {
  const Surface s = sheet(4);
  for (const double k : {0.01, 0.5, 1.0, 4.0}) {
    const auto deformed = mapped(s.positions, [&](const Vec3& p) {
      return Vec3{p.x + k * p.y, p.y, 0};
    });
    const double longest = k / 2 + std::sqrt(1 + k * k / 4);
    for (const TriangleStrain& strain : strains_of(s, deformed)) {
      EXPECT_NEAR(strain.longest, longest, 1e-12);
      EXPECT_NEAR(strain.shortest, 1 / longest, 1e-12);
      EXPECT_NEAR(std::sin(strain.shear()), k * std::sqrt(k * k + 4) / (k * k + 2), 1e-9);
    }
  }
}

TEST(Strain, growing_alike_in_all_directions_is_no_shear) {
  const Surface s = unit_sphere(8, 12);
  const auto grown = mapped(s.positions, [](const Vec3& p) { return p * 7.0; });
  for (const TriangleStrain& strain : strains_of(s, grown)) {
    EXPECT_NEAR(strain.longest, 7, 1e-9);
    EXPECT_NEAR(strain.shortest, 7, 1e-9);
    EXPECT_NEAR(strain.shear(), 0, 1e-9);
  }
}

TEST(Strain, collapse_to_a_line_is_a_quarter_turn_and_to_a_point_is_finite) {
  const Surface s = sheet(3);
  const auto line = mapped(s.positions, [](const Vec3& p) { return Vec3{2 * p.x, 0, 0}; });
  for (const TriangleStrain& strain : strains_of(s, line)) {
    EXPECT_EQ(strain.shortest, 0);
    EXPECT_NEAR(degrees(strain.shear()), 90, 1e-12);
  }
  EXPECT_EQ(strain_of(s, line).distorted.size(), s.triangles.size());
  const auto point = mapped(s.positions, [](const Vec3&) { return Vec3{5, 5, 5}; });
  for (const TriangleStrain& strain : strains_of(s, point)) {
    EXPECT_EQ(strain.longest, 0);
    EXPECT_EQ(strain.shear(), 0);
  }
  EXPECT_EQ(strain_of(s, point).distorted_area, 1);
}

TEST(Strain, what_rounding_does_to_slivers_does_not_count) {
  Surface s = sheet(2);
  const auto first = static_cast<Index>(s.positions.size());
  // A needle, and a triangle without any area.
  append(s, {{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-8, 0}}, {{0, 1, 2}, {0, 0, 1}}});
  auto noisy = s.positions;
  noisy[first + 2].z += 1e-7;
  const Strain strain = strain_of(s, noisy);
  EXPECT_EQ(strain.no_area, 2u);
  EXPECT_EQ(strain.triangles, 8u);
  EXPECT_EQ(strain.largest_shear, 0);
  EXPECT_TRUE(strain.distorted.empty());
}

TEST(Strain, shear_is_what_a_thousandth_of_the_surface_exceeds_and_not_what_one_triangle_does) {
  // 5000 triangles: a thousandth is five of them.
  const Surface s = sheet(50);
  const auto with_moved = [&](int vertices) {
    auto deformed = s.positions;
    // Corners of the sheet that belong to one triangle or two.
    if (vertices > 0) deformed[50].x += 0.05;
    if (vertices > 1) deformed[51 * 25 + 25].x += 0.015;
    return strain_of(s, deformed);
  };
  EXPECT_NEAR(with_moved(0).shear, 0, 1e-12);
  EXPECT_NEAR(with_moved(1).shear, 0, 1e-12);
  EXPECT_GT(degrees(with_moved(1).largest_shear), 45);
  // A vertex inside has six triangles.
  EXPECT_GT(degrees(with_moved(2).shear), 20);
  EXPECT_LT(with_moved(2).shear, with_moved(2).largest_shear);
}

TEST(Strain, finer_triangles_change_neither_shear_nor_area) {
  const auto bent = [](const Surface& s) {
    return strain_of(s, mapped(s.positions, [](const Vec3& p) {
                       return Vec3{p.x + 3 * std::max(0.0, p.x - 0.8), p.y + 0.3 * p.x, 0};
                     }));
  };
  const Strain coarse = bent(sheet(10)), fine = bent(sheet(40));
  EXPECT_NEAR(coarse.distorted_area, 0.2, 1e-9);
  EXPECT_NEAR(fine.distorted_area, 0.2, 1e-9);
  EXPECT_NEAR(fine.shear, coarse.shear, 1e-9);
}

TEST(Strain, a_tear_is_found_where_it_is) {
  const Rig rig = make_tube();
  // Between rings 30 and 31 the tube is pulled apart to three times the distance.
  const double ring = rig.mesh.positions[31 * 16].x - rig.mesh.positions[30 * 16].x;
  const auto torn = mapped(rig.mesh.positions, [&](const Vec3& p) {
    return p.x > rig.mesh.positions[30 * 16].x + ring / 2 ? p + Vec3{2 * ring, 0, 0} : p;
  });
  const auto bounds = strain_bounds(rig.mesh.triangles, rig.skin.weights,
                                    bone_states(rig.skeleton, rest_bones(rig)));
  const Strain strain =
      summarize(triangle_strains(rig.mesh.triangles, rig.mesh.positions, torn), bounds);
  std::vector<Index> expected;
  for (Index t = 30 * 32; t < 31 * 32; ++t) expected.push_back(t);
  EXPECT_EQ(strain.distorted, expected);
  EXPECT_NEAR(strain.distorted_area, 1.0 / 60, 1e-9);
  EXPECT_NEAR(std::sin(strain.largest_shear), 0.8, 1e-9);
}

TEST(Strain, a_crater_is_found_by_its_walls) {
  const Surface s = sheet(20);
  const auto hit = mapped(s.positions, [](const Vec3& p) {
    const double r = std::hypot(p.x - 0.5, p.y - 0.5);
    return p - Vec3{0, 0, r < 0.21 ? 0.2 : 0};
  });
  const Strain strain = strain_of(s, hit);
  EXPECT_GT(strain.distorted.size(), 50u);
  for (const Index t : strain.distorted) {
    double low = 1, high = 0;
    for (const Index v : s.triangles[t]) {
      const double r = std::hypot(s.positions[v].x - 0.5, s.positions[v].y - 0.5);
      low = std::min(low, r);
      high = std::max(high, r);
    }
    EXPECT_LT(low, 0.21);
    EXPECT_GT(high, 0.21);
  }
}

TEST(Strain, what_the_pose_asks_for_is_allowed) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses[1].end = poses[1].start + (poses[1].end - poses[1].start) * 3.0;
  const auto bounds =
      strain_bounds(rig.mesh.triangles, rig.skin.weights, bone_states(rig.skeleton, poses));
  const auto stretched = [&](double factor) {
    const auto deformed = mapped(rig.mesh.positions, [&](const Vec3& p) {
      return Vec3{p.x + (factor - 1) * std::max(0.0, p.x - 1.25), p.y, p.z};
    });
    return summarize(triangle_strains(rig.mesh.triangles, rig.mesh.positions, deformed), bounds)
        .distorted_area;
  };
  EXPECT_EQ(stretched(3), 0);
  EXPECT_EQ(stretched(5.9), 0);
  EXPECT_NEAR(stretched(6.1), 1.25 / 3, 1e-9);
  // The first bone keeps its length, so its skin must.
  const auto first = mapped(rig.mesh.positions, [&](const Vec3& p) {
    return Vec3{p.x + 2 * std::min(0.0, p.x), p.y, p.z};
  });
  EXPECT_NEAR(summarize(triangle_strains(rig.mesh.triangles, rig.mesh.positions, first), bounds)
                  .distorted_area,
              0.5 / 3, 1e-9);
}

TEST(Strain, scale_of_a_joint_in_any_direction_is_allowed) {
  Rig rig = make_tube({.bones = 1});
  Joint& joint = rig.skeleton.joints[0];
  joint.rest.rotation = rotation_about(normalized(Vec3{1, 2, 3}), 1.2);
  rig.skeleton.bones[0].inverse_bind = inverse(to_affine(joint.rest));
  Pose pose = rest_pose(rig);
  // By a joint whose axes lie askew to the bone.
  pose.joints[0].scale = {4, 1, 0.2};
  const auto states = bone_states(rig, pose);
  const auto bounds = strain_bounds(rig.mesh.triangles, rig.skin.weights, states);
  for (const StrainBounds& bound : bounds) {
    EXPECT_NEAR(bound.longest, 8, 1e-6);
    EXPECT_NEAR(bound.shortest, 0.05, 1e-6);
  }
}

TEST(Strain, a_bulge_is_asked_for) {
  const Rig rig = make_tube();
  auto states = bone_states(rig.skeleton, rest_bones(rig));
  states[0].bulge = 1.5;
  states[1].bulge = -0.6;
  const auto bounds = strain_bounds(rig.mesh.triangles, rig.skin.weights, states);
  EXPECT_EQ(bounds.front().longest, 5);
  EXPECT_EQ(bounds.front().shortest, 0.25);
  EXPECT_EQ(bounds.back().longest, 2);
  EXPECT_EQ(bounds.back().shortest, 0.1);
}

TEST(Strain, what_is_out_of_place_counts_as_distorted) {
  const Surface s = sheet(5);
  const std::vector<StrainBounds> bounds(s.triangles.size());
  const std::vector<Index> displaced{3, 4, 40};
  const Strain strain = summarize(strains_of(s, s.positions), bounds, displaced);
  EXPECT_EQ(strain.distorted, displaced);
  EXPECT_NEAR(strain.distorted_area, 3.0 / 50, 1e-12);
  EXPECT_EQ(strain.largest_shear, 0);
}

TEST(Strain, what_does_not_fit_together_is_an_error) {
  const Rig rig = make_tube();
  EXPECT_EQ(wrong_usage([&] { strain_bounds(rig.mesh.triangles, rig.skin.weights, {}); }),
            "the weights are for 2 bones, but there are 0");
  EXPECT_EQ(wrong_usage([&] { triangle_strains(rig.mesh.triangles, rig.mesh.positions, {}); }),
            "the shape has 976 vertices at rest, but 0 when deformed");
  EXPECT_EQ(
      wrong_usage([&] { summarize(std::vector<TriangleStrain>(2), std::vector<StrainBounds>(1)); }),
      "there must be bounds for each strain");
  EXPECT_EQ(summarize(std::vector<TriangleStrain>(), {}).distorted_area, 0);
}

}  // namespace
}  // namespace sinew
