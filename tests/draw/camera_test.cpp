// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/camera.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

std::vector<Vec3> scattered(std::uint64_t seed, const Vec3& offset, double scale) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 50; ++i) {
    points.push_back(offset +
                     Vec3{random.number(), 2 * random.number(), 0.5 * random.number()} * scale);
  }
  return points;
}

TEST(Camera, framing_keeps_all_points_within_the_margin_and_touches_it) {
  for (const double field : {0.0, 10.0, 60.0}) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
      for (const View view : {View{0, 0}, View{35, 15}, View{-100, 60}, View{0, 90}}) {
        const auto points = scattered(7, Vec3{3, -2, 5} * scale, scale);
        const Lens lens{field, 0.1};
        const int width = 300, height = 200;
        const Camera camera = frame(view, points, 1.5, lens);
        double slack = 1;
        for (const Vec3& p : points) {
          const Projected q = project(camera, p, width, height);
          EXPECT_GT(q.depth, camera.near);
          for (const double share :
               {q.x / width, 1 - q.x / width, q.y / height, 1 - q.y / height}) {
            EXPECT_GE(share, 0.1 - 1e-9);
            slack = std::min(slack, share);
          }
        }
        EXPECT_NEAR(slack, 0.1, 1e-9) << "field of view " << field;
      }
    }
  }
}

TEST(Camera, framing_a_box_keeps_its_corners_in_the_picture) {
  const Box box{{-1, 0, -1}, {1, 3, 2}};
  const Camera camera = frame({20, 30}, box, 0.5);
  for (const Vec3& corner : corners(box)) {
    const Projected p = project(camera, corner, 100, 200);
    EXPECT_TRUE(p.x > 0 && p.x < 100 && p.y > 0 && p.y < 200);
  }
}

TEST(Camera, points_without_an_extent_are_seen_from_somewhere) {
  const std::vector<Vec3> one{{1, 2, 3}}, along{{0, 0, 0}, {0, 0, 4}};
  for (const double field : {0.0, 25.0}) {
    for (const std::vector<Vec3>& points : {one, along, std::vector<Vec3>{}}) {
      const Camera camera = frame({0, 0}, points, 1, {field, 0.06});
      EXPECT_TRUE(is_finite(camera.eye));
      EXPECT_GT(camera.half_height, 0);
      for (const Vec3& p : points) EXPECT_GT(project(camera, p, 10, 10).depth, 0);
    }
  }
}

TEST(Camera, views_look_at_the_side_they_are_named_after) {
  const auto sees = [](const char* name) {
    return frame(view_from_name(name), Box{{-1, -1, -1}, {1, 1, 1}}, 1).axes.z;
  };
  EXPECT_NEAR(distance(sees("front"), {0, 0, 1}), 0, 1e-12);
  EXPECT_NEAR(distance(sees("back"), {0, 0, -1}), 0, 1e-12);
  EXPECT_NEAR(distance(sees("left"), {1, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(distance(sees("right"), {-1, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(distance(sees("top"), {0, 1, 0}), 0, 1e-12);
  EXPECT_EQ(view_from_name("-30,12.5"), (View{-30, 12.5}));
  for (const char* bad : {"", "behind", "1,", "1,2,3", "nan,0", ","}) {
    EXPECT_EQ(wrong_usage([&] { view_from_name(bad); }),
              "there is no view '" + std::string(bad) +
                  "'; there are front, back, left, side, right, top, bottom, three-quarter, or "
                  "azimuth,elevation in degrees");
  }
}

TEST(Camera, what_is_up_is_up_and_what_is_right_is_right) {
  const Camera camera = frame({0, 0}, Box{{-1, -1, -1}, {1, 1, 1}}, 1);
  const Projected middle = project(camera, {0, 0, 0}, 100, 100);
  EXPECT_NEAR(middle.x, 50, 1e-9);
  EXPECT_NEAR(middle.y, 50, 1e-9);
  EXPECT_GT(project(camera, {1, 0, 0}, 100, 100).x, 60);
  EXPECT_LT(project(camera, {0, 1, 0}, 100, 100).y, 40);
  EXPECT_LT(project(camera, {0, 0, 1}, 100, 100).depth, middle.depth);
}

TEST(Camera, an_impossible_lens_is_refused) {
  const Box box{{-1, -1, -1}, {1, 1, 1}};
  const auto refused = [&](const Lens& lens) {
    return wrong_usage([&] { frame({0, 0}, box, 1, lens); });
  };
  for (const double angle : {-1.0, 170.0}) {
    EXPECT_EQ(refused({angle, 0.1}), "a field of view is an angle from 0 to 170 degrees") << angle;
  }
  for (const double margin : {0.5, -0.1}) {
    EXPECT_EQ(refused({25, margin}), "a margin is a share of the picture from 0 to 0.5") << margin;
  }
}

}  // namespace
}  // namespace sinew
