// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/medial_bones.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/picture/silhouette.h"
#include "tests/picture/drawings.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

Vec2 start(const PlaneBones& bones, std::size_t i) { return bones.points[bones.segments[i][0]]; }
Vec2 end(const PlaneBones& bones, std::size_t i) { return bones.points[bones.segments[i][1]]; }

// How far the nearest point of the bones is.
double distance_to(const PlaneBones& bones, Vec2 p) {
  double least = 1e9;
  for (const Vec2 q : bones.points) least = std::min(least, length(q - p));
  return least;
}

Mask star() {
  return mask_of(201, 201, [](double x, double y) {
    for (int i = 0; i < 5; ++i) {
      const double a = 2 * pi * i / 5 - pi / 2;
      const Vec2 d{x - 100.5, y - 100.5}, tip{std::cos(a), std::sin(a)};
      const double along = dot(d, tip), across = std::fabs(cross(d, tip));
      if (along > -5 && across < 25 * (1 - along / 95)) return true;
    }
    return false;
  });
}

// Head up, arms bent, legs apart; symmetric about x = 100.
Mask figure(double scale = 1) {
  return mask_of(int(200 * scale), int(300 * scale), [&](double x, double y) {
    x = std::fabs(x / scale - 100);
    y /= scale;
    return std::hypot(x, y - 35) < 22 || near_path(x, y, {{0, 60}, {0, 160}}, 26) ||
           near_path(x, y, {{10, 75}, {60, 110}, {80, 60}}, 9) ||
           near_path(x, y, {{12, 165}, {40, 225}, {30, 285}}, 11);
  });
}

TEST(MedialBones, every_silhouette_gets_a_forest_of_at_most_as_many_as_asked_for) {
  for (const auto& [name, mask] : hard_silhouettes()) {
    for (const int count : {1, 3, 10, 100}) {
      const PlaneBones bones = medial_bones(mask, count);
      ASSERT_GE(bones.segments.size(), 1u) << name;
      ASSERT_LE(bones.segments.size(), static_cast<std::size_t>(count)) << name;
      std::vector<int> ends(bones.points.size(), 0), starts(bones.points.size(), 0);
      for (std::size_t i = 0; i < bones.segments.size(); ++i) {
        ++starts.at(static_cast<std::size_t>(bones.segments[i][0]));
        ++ends.at(static_cast<std::size_t>(bones.segments[i][1]));
        EXPECT_GT(length(end(bones, i) - start(bones, i)), 0.5) << name;
        EXPECT_TRUE(std::isfinite(end(bones, i).x + end(bones, i).y)) << name;
      }
      for (std::size_t p = 0; p < ends.size(); ++p) {
        EXPECT_LE(ends[p], starts[p] == 0 ? 2 : 1) << name << ": two only where a ring closes";
        EXPECT_GE(starts[p] + ends[p], 1) << name;
      }
    }
  }
}

TEST(MedialBones, a_pixel_has_one_of_a_pixels_length) {
  const PlaneBones bones = medial_bones(drawn({"#"}), 4);
  ASSERT_EQ(bones.segments.size(), 1u);
  EXPECT_NEAR(length(end(bones, 0) - start(bones, 0)), 1, 1e-9);
  EXPECT_NEAR(length(end(bones, 0) + start(bones, 0) - Vec2{1, 1}), 0, 1e-9);
}

TEST(MedialBones, a_disc_has_one_through_its_middle) {
  const Mask disc =
      mask_of(120, 100, [](double x, double y) { return std::hypot(x - 60, y - 50) < 40; });
  const PlaneBones bones = medial_bones(disc, 5);
  ASSERT_EQ(bones.segments.size(), 1u);
  EXPECT_LT(length((start(bones, 0) + end(bones, 0)) * 0.5 - Vec2{60, 50}), 0.01);
  EXPECT_NEAR(length(end(bones, 0) - start(bones, 0)), 40, 2);
}

TEST(MedialBones, a_stick_has_one_along_it_that_ends_in_the_middle_of_its_caps) {
  const Mask round = mask_of(200, 60, [](double x, double y) {
    return near_path(x, y, {{30, 30}, {170, 30}}, 12);
  });
  const Mask square = mask_of(
      200, 60, [](double x, double y) { return x > 18 && x < 182 && std::fabs(y - 30) < 12; });
  for (const Mask& mask : {round, square}) {
    const PlaneBones bones = medial_bones(mask, 1);
    ASSERT_EQ(bones.segments.size(), 1u);
    EXPECT_LT(distance_to(bones, {30, 30}), 5);
    EXPECT_LT(distance_to(bones, {170, 30}), 3);
    for (const Vec2 p : bones.points) EXPECT_NEAR(p.y, 30, 1);
    // With more, the root is in the middle and they are of about one length.
    const PlaneBones four = medial_bones(mask, 4);
    ASSERT_EQ(four.segments.size(), 4u);
    EXPECT_LT(length(four.points[0] - Vec2{100, 30}), 1.5);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(length(end(four, i) - start(four, i)), 35, 3);
    }
  }
}

TEST(MedialBones, a_star_has_five_arms_from_its_middle) {
  const PlaneBones bones = medial_bones(star(), 5);
  ASSERT_EQ(bones.segments.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(bones.segments[i][0], bones.segments[0][0]);
    EXPECT_LT(length(start(bones, i) - Vec2{100.5, 100.5}), 0.01);
    const double a = 2 * pi * double(i) / 5 - pi / 2;
    EXPECT_LT(distance_to(bones, {100.5 + 90 * std::cos(a), 100.5 + 90 * std::sin(a)}), 6) << i;
  }
  EXPECT_EQ(medial_bones(star(), 3).segments.size(), 3u);
  EXPECT_EQ(medial_bones(star(), 11).segments.size(), 11u);
}

TEST(MedialBones, a_figure_has_limbs_with_their_bends_alike_on_both_sides) {
  for (const double scale : {1.0, 3.5}) {
    const PlaneBones bones = medial_bones(figure(scale), 10);
    ASSERT_EQ(bones.segments.size(), 10u);
    for (const Vec2 p : {Vec2{100, 35},
                         {160, 110},
                         {40, 110},
                         {180, 60},
                         {20, 60},
                         {140, 225},
                         {60, 225},
                         {130, 285},
                         {70, 285}}) {
      EXPECT_LT(distance_to(bones, p * scale), 14 * scale) << p.x << " " << p.y;
    }
    for (const Vec2 p : bones.points) {
      EXPECT_LT(distance_to(bones, {200 * scale - p.x, p.y}), 9 * scale) << p.x << " " << p.y;
    }
  }
}

TEST(MedialBones, noise_and_small_holes_along_the_border_grow_no_branches) {
  Random random(7);
  const Mask rough = mask_of(300, 120, [&](double x, double y) {
    return near_path(x, y, {{40, 60}, {260, 60}}, 28 + 2 * random.number());
  });
  const PlaneBones bones = medial_bones(rough, 2);
  ASSERT_EQ(bones.segments.size(), 2u);
  for (const Vec2 p : bones.points) EXPECT_NEAR(p.y, 60, 1);
  EXPECT_LT(distance_to(bones, {40, 60}), 2);
  EXPECT_LT(distance_to(bones, {260, 60}), 2);
}

TEST(MedialBones, islands_have_their_own_if_they_are_large_enough) {
  const Mask mask = mask_of(220, 100, [](double x, double y) {
    return near_path(x, y, {{20, 30}, {150, 30}}, 10) || near_path(x, y, {{20, 70}, {90, 70}}, 8) ||
           near_path(x, y, {{190, 50}, {190, 51}}, 7) || (x > 215 && y < 4);
  });
  const PlaneBones bones = medial_bones(mask, 5);
  ASSERT_EQ(bones.segments.size(), 5u);
  std::set<int> roots;
  for (const auto& s : bones.segments) roots.insert(s[0]);
  for (const auto& s : bones.segments) roots.erase(s[1]);
  EXPECT_EQ(roots.size(), 3u);
  EXPECT_GT(distance_to(bones, {215, 2}), 30);
  EXPECT_LT(distance_to(bones, {190, 50}), 6);
  // The largest one first.
  for (const Vec2 p : medial_bones(mask, 1).points) EXPECT_NEAR(p.y, 30, 1);
}

TEST(MedialBones, a_ring_is_followed_all_around) {
  const Mask ring = mask_of(200, 200, [](double x, double y) {
    return std::fabs(std::hypot(x - 100, y - 100) - 70) < 12;
  });
  const PlaneBones bones = medial_bones(ring, 12);
  ASSERT_EQ(bones.segments.size(), 12u);
  for (int i = 0; i < 12; ++i) {
    const Vec2 p{100 + 70 * std::cos(i * pi / 6), 100 + 70 * std::sin(i * pi / 6)};
    EXPECT_LT(distance_to(bones, p), 25) << i;
  }
  for (const Vec2 p : bones.points) EXPECT_NEAR(length(p - Vec2{100, 100}), 70, 1);
  // And closed.
  EXPECT_EQ(bones.points.size(), 12u);
}

Mask cut_out(const Drawing& drawing) { return silhouette(drawn_on(drawing)).mask; }

// How far the bones go outside of the mask, in pixels.
double farthest_outside(const PlaneBones& bones, const Mask& mask) {
  double farthest = 0;
  for (std::size_t i = 0; i < bones.segments.size(); ++i) {
    for (int k = 0; k <= 200; ++k) {
      const Vec2 p = start(bones, i) + (end(bones, i) - start(bones, i)) * (k / 200.0);
      double least = 9;
      for (int y = int(p.y) - 9; y <= int(p.y) + 9; ++y) {
        for (int x = int(p.x) - 9; x <= int(p.x) + 9; ++x) {
          if (!mask.at(x, y)) continue;
          const Vec2 off{std::fmax(0, std::fabs(p.x - x - 0.5) - 0.5),
                         std::fmax(0, std::fabs(p.y - y - 0.5) - 0.5)};
          least = std::fmin(least, length(off));
        }
      }
      farthest = std::fmax(farthest, least);
    }
  }
  return farthest;
}

TEST(MedialBones, none_crosses_a_gap_or_a_hole) {
  const Mask horseshoe = mask_of(200, 200, [](double x, double y) {
    return near_path(x, y, {{40, 170}, {40, 60}, {100, 30}, {160, 60}, {160, 170}}, 14);
  });
  const std::pair<const char*, Mask> cases[] = {{"cat", cut_out(cat)},
                                                {"standing", cut_out(standing)},
                                                {"bird", cut_out(bird)},
                                                {"horseshoe", horseshoe}};
  for (const auto& [name, mask] : cases) {
    for (const int count : {1, 2, 3, 5, 8, 12, 20}) {
      EXPECT_LT(farthest_outside(medial_bones(mask, count), mask), 2) << name << ", " << count;
    }
  }
}

TEST(MedialBones, a_gap_of_a_pixel_in_a_large_picture_stays_a_gap) {
  for (const int at : {549, 550, 551, 552}) {
    const Mask legs = mask_of(1100, 1000, [&](double x, double y) {
      return std::fabs(x - 550) < 150 && std::fabs(y - 500) < 450 && !(int(x) == at && y > 300);
    });
    const PlaneBones bones = medial_bones(legs, 7);
    int left = 0, right = 0;
    for (const Vec2 p : bones.points) {
      if (p.y < 400) continue;
      EXPECT_GT(std::fabs(p.x - at), 40) << "in the middle of a leg";
      ++(p.x < at ? left : right);
    }
    EXPECT_GT(left, 1);
    EXPECT_GT(right, 1);
  }
}

TEST(MedialBones, ears_start_where_they_leave_the_head) {
  const PlaneBones bones = medial_bones(cut_out(cat), 12);
  int head = -1, ears = 0;
  for (std::size_t i = 0; i < bones.segments.size(); ++i) {
    if (length(end(bones, i) - cat_head) < 6) head = static_cast<int>(i);
  }
  ASSERT_GE(head, 0) << "one that ends in the middle of the head";
  for (std::size_t i = 0; i < bones.segments.size(); ++i) {
    if (static_cast<int>(i) == head || end(bones, i).y > 50) continue;
    ++ears;
    EXPECT_GT(length(start(bones, i) - cat_head), 0.8 * cat_head_radius);
    EXPECT_EQ(bones.parents[i], head);
  }
  EXPECT_EQ(ears, 2);
}

TEST(MedialBones, a_beak_has_one_however_many_there_are) {
  const Mask mask = cut_out(bird);
  for (const auto& [count, most] : {std::pair{8, 1}, {12, 1}, {16, 1}, {200, 2}}) {
    const PlaneBones bones = medial_bones(mask, count);
    int in_beak = 0;
    for (std::size_t i = 0; i < bones.segments.size(); ++i) in_beak += end(bones, i).x > 155;
    EXPECT_GE(in_beak, 1) << count;
    EXPECT_LE(in_beak, most) << count;
  }
}

TEST(MedialBones, none_is_spent_on_what_hardly_leaves_a_body) {
  // A hand on an arm, with a thumb and a bump that are shorter than it is wide.
  const Mask hand = mask_of(240, 120, [](double x, double y) {
    return near_path(x, y, {{20, 60}, {180, 60}}, 10) || std::hypot(x - 180, y - 60) < 30 ||
           near_path(x, y, {{180, 60}, {200, 22}}, 9) || near_path(x, y, {{180, 60}, {170, 96}}, 9);
  });
  for (const int count : {2, 4, 6}) {
    const PlaneBones bones = medial_bones(hand, count);
    ASSERT_EQ(bones.segments.size(), static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < bones.segments.size(); ++i) {
      EXPECT_GT(length(end(bones, i) - start(bones, i)), 12) << count;
    }
  }
}

TEST(MedialBones, each_hangs_on_one_that_reaches_the_root) {
  for (const auto& [name, mask] : hard_silhouettes()) {
    for (const int count : {1, 5, 40}) {
      const PlaneBones bones = medial_bones(mask, count);
      ASSERT_EQ(bones.parents.size(), bones.segments.size());
      for (std::size_t i = 0; i < bones.segments.size(); ++i) {
        int at = static_cast<int>(i);
        for (std::size_t k = 0; k < bones.segments.size() && at >= 0; ++k) {
          at = bones.parents[at];
        }
        EXPECT_EQ(at, -1) << name;
      }
    }
  }
}

TEST(MedialBones, thin_lines_of_a_large_picture_stay) {
  const Mask line = mask_of(3000, 100, [](double x, double y) { return x < 2900 && int(y) == 51; });
  const PlaneBones bones = medial_bones(line, 1);
  ASSERT_EQ(bones.segments.size(), 1u);
  EXPECT_LT(distance_to(bones, {0, 51}), 5);
  EXPECT_LT(distance_to(bones, {2900, 51}), 2);
}

TEST(MedialBones, impossible_requests_are_refused) {
  EXPECT_EQ(wrong_usage([&] { medial_bones(Mask(4, 4), 3); }),
            "the mask is empty: no pixel is inside");
  EXPECT_EQ(wrong_usage([&] { medial_bones(drawn({"#"}), 0); }),
            "at least one bone must be asked for");
}

TEST(MedialBones, of_a_long_thin_line_lie_on_it) {
  for (const bool lying : {true, false}) {
    Mask line(lying ? 5000 : 1, lying ? 1 : 5000);
    line.inside.assign(line.inside.size(), 1);
    const PlaneBones bones = medial_bones(line, 5);
    EXPECT_GE(bones.segments.size(), 2U);
    for (const Vec2& p : bones.points) {
      EXPECT_TRUE(line.at(static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y))))
          << p.x << ", " << p.y;
    }
  }
}

}  // namespace
}  // namespace sinew
