// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/winding.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(Winding, one_inside_and_zero_outside_a_closed_surface) {
  for (const double scale : {1.0, 1e-6, 1e6}) {
    for (const Vec3& by : {Vec3{0, 0, 0}, Vec3{100, -300, 200} * scale}) {
      const Surface s = moved(unit_sphere(40, 60), scale, by);
      const WindingNumber winding(s.positions, s.triangles);
      Random random(3);
      for (int i = 0; i < 300; ++i) {
        const Vec3 u = normalized(random.vector());
        const double r = 0.9 * std::fabs(random.number());
        EXPECT_NEAR(winding.at(u * (r * scale) + by), 1, 1e-2);
        EXPECT_NEAR(winding.at(u * ((2 - r) * scale) + by), 0, 1e-2);
        EXPECT_NEAR(winding_number_exact(s.positions, s.triangles, u * (r * scale) + by), 1, 1e-10);
        EXPECT_NEAR(winding_number_exact(s.positions, s.triangles, u * ((2 - r) * scale) + by), 0,
                    1e-10);
      }
    }
  }
}

double largest_difference(const Surface& s, double accuracy, double* mean = nullptr) {
  const WindingNumber winding(s.positions, s.triangles, accuracy);
  Random random(5);
  double worst = 0;
  double sum = 0;
  constexpr int points = 400;
  for (int i = 0; i < points; ++i) {
    const Vec3 p = random.vector() * 1.5;
    const double error =
        std::fabs(winding.at(p) - winding_number_exact(s.positions, s.triangles, p));
    worst = std::fmax(worst, error);
    sum += error;
  }
  if (mean != nullptr) *mean = sum / points;
  return worst;
}

TEST(Winding, fast_is_close_to_exact_on_closed_holey_overlapping_and_broken_surfaces) {
  const Surface sphere = unit_sphere(40, 60);
  Surface holey = sphere;
  holey.triangles.clear();
  for (std::size_t t = 0; t < sphere.triangles.size(); ++t) {
    if (t % 7 != 0 && t > 500) holey.triangles.push_back(sphere.triangles[t]);
  }
  Surface overlapping = sphere;
  append(overlapping, moved(sphere, 0.7, {0.6, 0.2, 0.1}));
  append(overlapping, moved(cube(), 0.5, {0, 0, 0}));
  for (const Surface& s : {sphere, holey, overlapping, exploded(holey), triangle_soup(3000, 9)}) {
    double mean = 0;
    EXPECT_LT(largest_difference(s, 2, &mean), 1e-2);
    EXPECT_LT(mean, 2e-3);
  }
}

TEST(Winding, larger_accuracy_is_more_exact) {
  const Surface s = unit_sphere(40, 60);
  const double rough = largest_difference(s, 1.5);
  const double fine = largest_difference(s, 6);
  EXPECT_LT(fine, rough / 25);
}

TEST(Winding, overlapping_surfaces_add_up_and_holes_blur) {
  Surface s = unit_sphere(30, 40);
  append(s, moved(unit_sphere(30, 40), 0.5, {0, 0, 0}));
  EXPECT_NEAR(WindingNumber(s.positions, s.triangles).at({0.1, 0.1, 0}), 2, 0.005);
  Surface open = unit_sphere(30, 40);
  std::erase_if(open.triangles, [&](const Triangle& t) { return open.positions[t[0]].z < 0; });
  EXPECT_NEAR(WindingNumber(open.positions, open.triangles).at({0, 0, 0}), 0.5, 0.1);
  EXPECT_GT(WindingNumber(open.positions, open.triangles).at({0, 0, 0.7}), 0.8);
}

TEST(Winding, flipped_surface_gives_the_negative) {
  Surface s = unit_sphere(20, 30);
  Surface flipped = s;
  flip(flipped);
  const WindingNumber a(s.positions, s.triangles);
  const WindingNumber b(flipped.positions, flipped.triangles);
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random.vector() * 1.5;
    EXPECT_NEAR(a.at(p), -b.at(p), 1e-12);
  }
}

TEST(Winding, nothing_is_left_far_away) {
  const Surface closed = unit_sphere(20, 30);
  const Surface soup = triangle_soup(500, 3);
  EXPECT_LT(std::fabs(WindingNumber(closed.positions, closed.triangles).at({1e3, 2e3, 0})), 1e-8);
  EXPECT_LT(std::fabs(WindingNumber(soup.positions, soup.triangles).at({1e5, 2e5, 0})), 1e-11);
}

TEST(Winding, a_point_on_the_surface_gets_the_mean_of_both_sides) {
  const Surface s = cube();
  EXPECT_NEAR(winding_number_exact(s.positions, s.triangles, {1, 0.3, 0.2}), 0.5, 1e-14);
  EXPECT_NEAR(WindingNumber(s.positions, s.triangles).at({1, 0.3, 0.2}), 0.5, 1e-12);
}

TEST(Winding, triangles_without_area_change_nothing) {
  Surface s = unit_sphere(20, 30);
  const double before = WindingNumber(s.positions, s.triangles).at({0.2, 0.3, 0.1});
  for (Index i = 0; i < 100; ++i) s.triangles.push_back({i, i, i + 1});
  EXPECT_NEAR(WindingNumber(s.positions, s.triangles).at({0.2, 0.3, 0.1}), before, 0.001);
  const WindingNumber points({{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 1, 1}});
  EXPECT_EQ(points.at({0, 0, 0}), 0);
  EXPECT_EQ(points.at({3, 0, 0}), 0);
}

TEST(Winding, zero_without_triangles_and_useless_accuracy_is_refused) {
  EXPECT_EQ(WindingNumber(Bvh()).at({0, 0, 0}), 0);
  const Surface s = cube();
  EXPECT_EQ(wrong_usage([&] { WindingNumber(s.positions, s.triangles, 0.5); }),
            "the accuracy of a winding number is at least 1; 2 is a good choice");
  EXPECT_EQ(wrong_usage([&] { WindingNumber(s.positions, s.triangles, std::nan("")); }),
            "the accuracy of a winding number is at least 1; 2 is a good choice");
}

}  // namespace
}  // namespace sinew
