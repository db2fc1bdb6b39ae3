// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/flatness.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/refusals.h"
#include "tests/support/torture.h"

namespace sinew {
namespace {

Surface placed(Surface s, const Quat& turn, double scale, const Vec3& by) {
  for (Vec3& p : s.positions) p = rotate(turn, p) * scale + by;
  return s;
}

TEST(Flatness, sheets_are_flat_in_any_plane_at_any_scale_and_with_noise) {
  for (const double noise : {0.0, 1e-9, 1e-6, 1e-4, 4e-3}) {
    Surface s = sheet(41, 11);
    add_noise(s, noise);
    for (const Quat& turn : planes()) {
      for (const double scale : {1e-3, 1.0, 1e3}) {
        const Surface t = placed(s, turn, scale, Vec3{3, -2, 5} * scale);
        const auto frame = find_flat(t.positions, t.triangles);
        ASSERT_TRUE(frame) << noise << ", " << scale;
        EXPECT_NEAR(frame->width, scale, 0.004 * scale);
        EXPECT_LE(frame->thickness, (2.5 * noise + 1e-12) * scale);
        EXPECT_NEAR(std::abs(dot(frame->axes.z, rotate(turn, {0, 0, 1}))), 1,
                    noise * noise + 1e-12);
      }
    }
  }
}

TEST(Flatness, its_frame_is_a_rigid_motion_with_the_shape_around_height_zero) {
  Surface s = sheet(41, 11);
  add_noise(s, 1e-3);
  for (const Quat& turn : planes()) {
    const Surface t = placed(s, turn, 1, {3, -2, 5});
    const auto frame = find_flat(t.positions, t.triangles);
    ASSERT_TRUE(frame);
    EXPECT_NEAR(determinant(frame->axes), 1, 1e-12);
    for (std::size_t v = 1; v < t.positions.size(); ++v) {
      const Vec3 p = frame->to_plane(t.positions[v]), q = frame->to_plane(t.positions[v - 1]);
      EXPECT_NEAR(distance(p, q), distance(t.positions[v], t.positions[v - 1]), 1e-12);
      EXPECT_LE(std::abs(p.z), frame->thickness / 2 + 1e-12);
      EXPECT_LT(distance(frame->from_plane(p), t.positions[v]), 1e-12);
      EXPECT_EQ(frame->flattened(t.positions[v]), (Vec3{p.x, p.y, 0}));
    }
  }
}

TEST(Flatness, in_a_plane_along_the_axes_coordinates_stay_to_the_last_bit) {
  Surface s = sheet(41, 11, 3);
  for (Vec3& p : s.positions) p = p + Vec3{0.3, 0.7, 0};
  const auto frame = find_flat(s.positions, s.triangles);
  ASSERT_TRUE(frame);
  for (const Vec3& p : s.positions) EXPECT_EQ(frame->to_plane(p), (Vec3{p.x, p.y, 0}));
  for (Vec3& p : s.positions) p = {p.x, p.z, p.y};
  const auto upright = find_flat(s.positions, s.triangles);
  ASSERT_TRUE(upright);
  for (const Vec3& p : s.positions) EXPECT_EQ(upright->to_plane(p), (Vec3{p.z, p.x, 0}));
}

TEST(Flatness, cards_are_flat_with_and_without_a_rim) {
  for (const bool rim : {false, true}) {
    const Surface s = card(41, 11, 0.008, rim);
    for (const Quat& turn : planes()) {
      const Surface t = placed(s, turn, 1, {});
      const auto frame = find_flat(t.positions, t.triangles);
      ASSERT_TRUE(frame);
      EXPECT_NEAR(frame->thickness, 0.008, 1e-12);
    }
  }
}

TEST(Flatness, solids_rods_and_lines_are_not_flat) {
  const auto is_flat = [](const Surface& s) { return bool(find_flat(s.positions, s.triangles)); };
  EXPECT_FALSE(is_flat(limb()));
  EXPECT_FALSE(is_flat(card(41, 11, 0.02, true)));
  // Very thin against its length, but as thick as it is wide.
  EXPECT_FALSE(is_flat(cylinder(2, 1e-4)));
  Surface line = sheet(41, 11);
  for (Vec3& p : line.positions) p.y = p.z = 0;
  EXPECT_FALSE(is_flat(line));
  EXPECT_FALSE(is_flat(moved(limb(), 0, {1, 2, 3})));
  EXPECT_FALSE(is_flat({limb().positions, {}}));
}

TEST(Flatness, vertices_without_a_triangle_do_not_count) {
  Surface s = sheet(41, 11);
  s.positions.push_back({1, 1, 7});
  EXPECT_TRUE(find_flat(s.positions, s.triangles));
  s.triangles.push_back({0, 1, 9999});
  EXPECT_EQ(bad_input([&] { find_flat(s.positions, s.triangles); }),
            "triangle 800: refers to vertex 9999, but there are only 452 vertices");
}

}  // namespace
}  // namespace sinew
