// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/outline.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/picture/silhouettes.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

std::int64_t turn(Vec2 a, Vec2 b, Vec2 c) {
  // Vertices are at halves of pixels: this is exact.
  return static_cast<std::int64_t>(4 * cross(b - a, c - a));
}

bool between(Vec2 p, Vec2 a, Vec2 b) {
  return turn(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
         std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}

bool touch(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const auto sign = [](std::int64_t i) { return (i > 0) - (i < 0); };
  if (between(a, c, d) || between(b, c, d) || between(c, a, b) || between(d, a, b)) return true;
  return sign(turn(a, b, c)) * sign(turn(a, b, d)) < 0 &&
         sign(turn(c, d, a)) * sign(turn(c, d, b)) < 0;
}

int count_touching(const std::vector<Ring>& rings) {
  struct Side {
    Vec2 a, b;
  };
  std::vector<Side> sides;
  int touching = 0;
  for (const Ring& ring : rings) {
    const std::size_t first = sides.size();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      sides.push_back({ring[i], ring[(i + 1) % ring.size()]});
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
      for (std::size_t j = std::max(first, i + 1); j < sides.size(); ++j) {
        const Side &s = sides[i], &t = sides[j];
        if (s.b == t.a || t.b == s.a) {
          // Neighbours share a vertex and nothing else.
          const bool back = s.b == t.a ? between(t.b, s.a, s.b) || between(s.a, t.a, t.b)
                                       : between(s.b, t.a, t.b) || between(t.a, s.a, s.b);
          touching += back && ring.size() > 2;
        } else {
          touching += touch(s.a, s.b, t.a, t.b);
        }
      }
    }
  }
  return touching;
}

std::vector<OutlineOptions> many_options() {
  return {{0, 1}, {1, 2.5}, {0.4, 1}, {3, 1}, {1, 6}, {20, 3}};
}

std::size_t vertices(const std::vector<Ring>& rings) {
  std::size_t count = 0;
  for (const Ring& ring : rings) count += ring.size();
  return count;
}

Mask disc(int size, double radius) {
  return mask_of(size, size, [&](double x, double y) {
    return std::hypot(x - 0.5 * size, y - 0.5 * size) < radius;
  });
}

TEST(Outline, there_is_one_around_each_island_and_one_along_each_hole) {
  for (const auto& [name, mask] : hard_silhouettes()) {
    const MaskTopology topology = topology_of(mask);
    for (const OutlineOptions& options : many_options()) {
      MaskTopology found;
      for (const Ring& ring : outlines(mask, options)) {
        ASSERT_GE(ring.size(), 3u) << name;
        ASSERT_NE(area(ring), 0) << name;
        ++(area(ring) > 0 ? found.islands : found.holes);
      }
      EXPECT_EQ(found.islands, topology.islands) << name << " " << options.margin;
      EXPECT_EQ(found.holes, topology.holes) << name << " " << options.margin;
    }
  }
}

TEST(Outline, none_touches_another_or_itself) {
  for (const auto& [name, mask] : hard_silhouettes()) {
    for (const OutlineOptions& options : many_options()) {
      EXPECT_EQ(count_touching(outlines(mask, options)), 0)
          << name << " " << options.tolerance << " " << options.margin;
    }
  }
}

TEST(Outline, sides_keep_clear_of_one_another) {
  std::vector<NamedMask> all = hard_silhouettes();
  // A gap that narrows to a point.
  all.push_back({"wedge", mask_of(70, 60, [](double x, double y) {
                   return std::fabs(x - 35 - 0.1 * y) > 0.12 * (y - 5) + 0.5 || y < 5;
                 })});
  for (const auto& [name, mask] : all) {
    for (const OutlineOptions& options : many_options()) {
      struct Side {
        Vec2 a, b;
      };
      std::vector<Side> sides;
      for (const Ring& ring : outlines(mask, options)) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
          sides.push_back({ring[i], ring[(i + 1) % ring.size()]});
        }
      }
      double least = 1;
      for (const Side& s : sides) {
        for (const Side& t : sides) {
          if (s.a == t.a || s.a == t.b) continue;
          // One that shares the side's other end goes away from it.
          if (s.b == t.a || s.b == t.b) continue;
          least = std::min(least, distance_to_segment(s.a, t.a, t.b));
        }
      }
      EXPECT_GE(least, outline_clearance) << name << " " << options.tolerance;
    }
  }
}

TEST(Outline, the_test_for_touching_sees_what_it_should) {
  const Ring square{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  EXPECT_EQ(count_touching({square}), 0);
  EXPECT_EQ(count_touching({square, {{1, 1}, {2, 1}, {2, 2}}}), 0);
  EXPECT_GT(count_touching({square, {{1, 1}, {4, 1}, {2, 2}}}), 0);
  EXPECT_GT(count_touching({square, {{1, 1}, {5, 1}, {2, 2}}}), 0);
  EXPECT_GT(count_touching({{{0, 0}, {4, 4}, {4, 0}, {0, 4}}}), 0);
  EXPECT_GT(count_touching({{{0, 0}, {4, 0}, {2, 0}, {2, 3}}}), 0);
}

TEST(Outline, the_figure_is_inside_and_the_rest_of_its_holes_outside) {
  for (const auto& [name, mask] : hard_silhouettes()) {
    for (const OutlineOptions& options : many_options()) {
      const auto rings = outlines(mask, options);
      for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
          if (!mask.at(x, y)) continue;
          for (const Vec2 off : {Vec2{0, 0}, {0.49, 0}, {-0.49, 0}, {0, 0.49}, {0, -0.49}}) {
            ASSERT_EQ(winding({x + 0.5 + off.x, y + 0.5 + off.y}, rings), 1)
                << name << " " << x << " " << y << " " << options.tolerance;
          }
        }
      }
    }
  }
  const auto rings = outlines(drawn({"###", "#.#", "###"}), {0, 1});
  EXPECT_EQ(winding({1.5, 1.5}, rings), 0);
}

TEST(Outline, they_are_within_the_tolerance_of_the_staircase_and_it_of_them) {
  std::vector<NamedMask> all = hard_silhouettes();
  all.push_back({"disc", disc(60, 25)});
  all.push_back({"slope", mask_of(90, 60, [](double x, double y) { return y > 0.3 * x; })});
  for (const NamedMask& shape : all) {
    for (const double margin : {1.0, 3.0}) {
      const auto stairs = outlines(shape.mask, {0, margin});
      for (const double tolerance : {0.3, 1.0, 2.5}) {
        const auto rings = outlines(shape.mask, {tolerance, margin});
        ASSERT_EQ(rings.size(), stairs.size());
        const auto expect_near = [&](const Ring& from, const Ring& to) {
          for (std::size_t i = 0; i < from.size(); ++i) {
            const Vec2 a = from[i], b = from[(i + 1) % from.size()];
            for (double t = 0; t < 1; t += 0.125) {
              ASSERT_LE(distance_to_ring(a + (b - a) * t, to), tolerance + 1e-12) << shape.name;
            }
          }
        };
        for (std::size_t r = 0; r < rings.size(); ++r) {
          expect_near(rings[r], stairs[r]);
          expect_near(stairs[r], rings[r]);
        }
      }
    }
  }
}

TEST(Outline, the_margin_is_kept_all_around_a_figure_on_its_own) {
  for (const double margin : {1.0, 1.7, 2.5, 4.0, 9.3}) {
    for (const Mask& mask : {disc(30, 9), drawn({"#"}), drawn({"#....", ".#...", "..###"})}) {
      const auto rings = outlines(mask, {0, margin});
      ASSERT_EQ(rings.size(), 1u);
      const Ring& ring = rings[0];
      for (std::size_t i = 0; i < ring.size(); ++i) {
        for (double t = 0; t < 1; t += 0.125) {
          const Vec2 p = ring[i] + (ring[(i + 1) % ring.size()] - ring[i]) * t;
          double least = 1e9;
          for (int y = 0; y < mask.height; ++y) {
            for (int x = 0; x < mask.width; ++x) {
              if (!mask.at(x, y)) continue;
              least = std::min(least, std::hypot(std::max(0.0, std::fabs(p.x - x - 0.5) - 0.5),
                                                 std::max(0.0, std::fabs(p.y - y - 0.5) - 0.5)));
            }
          }
          ASSERT_GE(least, margin - 0.05) << margin;
          ASSERT_LE(least, margin + 1.2) << margin;
        }
      }
    }
  }
}

TEST(Outline, all_of_the_figure_is_inside_with_a_tolerance_below_the_margin) {
  const Mask mask = mask_of(70, 50, [](double x, double y) {
    return std::hypot(x - 25, y - 25) < 18 || (x > 25 && std::fabs(y - 15 - 0.2 * x) < 3);
  });
  const auto rings = outlines(mask, {1.9, 2});
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (!mask.at(x, y)) continue;
      for (const Vec2 corner : {Vec2{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
        ASSERT_EQ(winding(Vec2{double(x), double(y)} + corner, rings), 1);
      }
    }
  }
}

TEST(Outline, limbs_a_pixel_apart_do_not_grow_together) {
  // Two legs, straight or slanted, opening downwards, upwards and sideways.
  for (const double slant : {0.0, 0.4, 1.0}) {
    for (int turns = 0; turns < 4; ++turns) {
      const Mask mask = mask_of(80, 80, [&](double x, double y) {
        for (int i = 0; i < turns; ++i) std::tie(x, y) = std::pair(y, 80 - x);
        const double off = x - slant * y;
        return y > 5 && y < 55 && off > 2 && off < 18 &&
               (y < 12 || !(off > 9.9 && off < 11.1 + slant));
      });
      for (const OutlineOptions& options : many_options()) {
        const auto rings = outlines(mask, options);
        ASSERT_EQ(rings.size(), 1u);
        for (double y = 22.5; y < 55; ++y) {
          Vec2 p{std::floor(10.5 + slant * y) + 0.5, y};
          for (int i = 0; i < turns; ++i) p = {80 - p.y, p.x};
          if (mask.at(int(p.x), int(p.y))) continue;
          EXPECT_LT(distance_to_rings(p, rings), 1) << slant << " " << turns << " " << p.y;
        }
      }
    }
  }
}

TEST(Outline, a_gap_stays_open_and_a_notch_is_closed) {
  const auto notched = [](int depth) {
    return mask_of(40, 40,
                   [&](double x, double y) { return y < 30 && !(int(x) == 20 && y < depth); });
  };
  // Simplified, it is a wedge.
  for (const double y : {2.0, 10.0, 20.0}) {
    bool open = false;
    for (double x = 20; x < 21; x += 0.01) {
      open = open || winding({x, y}, outlines(notched(25), {1, 2.5})) == 0;
    }
    EXPECT_TRUE(open) << y;
  }
  EXPECT_EQ(winding({20.5, 2}, outlines(notched(3), {1, 2.5})), 1);
  EXPECT_EQ(vertices(outlines(notched(3), {1, 2.5})), vertices(outlines(notched(0), {1, 2.5})));
}

TEST(Outline, a_figure_at_the_border_of_the_picture_is_like_any_other) {
  const Mask whole = disc(20, 10.2);
  const Mask framed =
      mask_of(60, 50, [&](double x, double y) { return whole.at(int(x) - 20, int(y) - 15); });
  auto rings = outlines(framed);
  for (Ring& ring : rings) {
    for (Vec2& p : ring) p = p - Vec2{20, 15};
  }
  EXPECT_EQ(outlines(whole), rings);
  EXPECT_LT(rings[0][0].y, 0);
}

TEST(Outline, a_single_pixel_gets_a_small_ring) {
  const auto rings = outlines(drawn({"#"}), {0, 1});
  ASSERT_EQ(rings.size(), 1u);
  for (const Vec2 p : rings[0]) EXPECT_LT(length(p - Vec2{0.5, 0.5}), 2);
  EXPECT_EQ(winding({0.5, 0.5}, rings), 1);
}

TEST(Outline, steps_become_straight_lines) {
  // A square on its corner, a band of slope 0.3, and a large disc.
  const Mask tilted = mask_of(
      200, 200, [](double x, double y) { return std::fabs(x - 100) + std::fabs(y - 100) < 80; });
  EXPECT_LE(vertices(outlines(tilted)), 8u);
  EXPECT_LE(vertices(outlines(tilted, {0, 1})), 8u);
  const Mask band = mask_of(300, 130, [](double x, double y) {
    return x > 20 && x < 280 && std::fabs(y - 20 - 0.3 * x) < 10;
  });
  EXPECT_LE(vertices(outlines(band)), 12u);
  // With its corners on a circle of radius 203 and its sides within a pixel of it, less the half
  // step that the staircase is off, a polygon has 40 corners.
  EXPECT_LE(vertices(outlines(disc(420, 200))), 44u);
  EXPECT_LE(vertices(outlines(disc(420, 200), {2, 3})), 30u);
}

TEST(Outline, impossible_requests_are_refused) {
  EXPECT_EQ(wrong_usage([&] { outlines(Mask{}); }),
            "a picture cannot be 0 x 0 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(wrong_usage([&] { outlines(Mask(3, 3)); }), "the mask is empty: no pixel is inside");
  EXPECT_EQ(wrong_usage([&] {
              outlines(drawn({"#"}), {-1, 2});
            }),
            "the outline's tolerance must be at least 0");
  EXPECT_EQ(wrong_usage([&] {
              outlines(drawn({"#"}), {1, 0.5});
            }),
            "the outline's margin must be from 1 to 100 pixels");
  EXPECT_EQ(wrong_usage([&] {
              outlines(drawn({"#"}), {1, 1e6});
            }),
            "the outline's margin must be from 1 to 100 pixels");
  EXPECT_EQ(wrong_usage([&] {
              outlines(drawn({"#"}), {std::nan(""), 2});
            }),
            "the outline's tolerance must be at least 0");
}

}  // namespace
}  // namespace sinew
