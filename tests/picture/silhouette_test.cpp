// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/silhouette.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/picture/drawings.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

constexpr Pixel white{255, 255, 255, 255}, black{0, 0, 0, 255}, red{200, 30, 20, 255};

// A disc with soft edges: `color` over `back`.
Image soft_disc(int size, double radius, const Pixel& color, const Pixel& back) {
  Image image(size, size, back);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double away = std::hypot(x + 0.5 - 0.5 * size, y + 0.5 - 0.5 * size);
      const double cover = std::clamp(radius - away + 0.5, 0.0, 1.0);
      const auto mix = [&](int a, int b) {
        return static_cast<std::uint8_t>(std::lround(cover * a + (1 - cover) * b));
      };
      image.at(x, y) = {mix(color.r, back.r), mix(color.g, back.g), mix(color.b, back.b), 255};
    }
  }
  return image;
}

Image painted(const Mask& mask, const Pixel& inside, const Pixel& outside) {
  Image image(mask.width, mask.height, outside);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y)) image.at(x, y) = inside;
    }
  }
  return image;
}

int count(const Mask& mask) {
  return static_cast<int>(std::count(mask.inside.begin(), mask.inside.end(), 1));
}

std::string problem_of(const Image& picture, const SilhouetteOptions& options = {}) {
  try {
    silhouette(picture, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Silhouette, everything_visible_counts_and_nothing_else) {
  Image image(8, 1, {9, 9, 9, 0});
  for (int x = 0; x < 8; ++x) image.at(x, 0).a = static_cast<std::uint8_t>(x * 6);
  const Silhouette found = silhouette(image);
  EXPECT_EQ(found.source, SilhouetteSource::alpha);
  EXPECT_EQ(found.mask, drawn({"...#####"}));
  EXPECT_EQ(found.image, image);
}

TEST(Silhouette, the_background_is_taken_from_the_border) {
  const Mask shape =
      drawn({"........", "..####..", "..####..", "..####..", "..##....", "........"});
  const Silhouette found = silhouette(painted(shape, red, {250, 251, 249, 255}));
  EXPECT_EQ(found.source, SilhouetteSource::background);
  EXPECT_EQ(found.background, (Pixel{250, 251, 249, 255}));
  EXPECT_EQ(found.mask, shape);
  EXPECT_NE(found.how.find("#fafbf9"), std::string::npos);
  EXPECT_NE(found.how.find("100%"), std::string::npos);
  EXPECT_EQ(found.image.at(3, 2), red);
  EXPECT_EQ(found.image.at(0, 0).a, 0);
}

TEST(Silhouette, a_noisy_background_and_a_figure_at_the_border_do_no_harm) {
  Random random(5);
  const Mask shape =
      mask_of(60, 60, [](double x, double y) { return std::hypot(x - 30, y - 50) < 20; });
  Image image = painted(shape, red, {});
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      if (shape.at(x, y)) continue;
      const auto level = [&] { return static_cast<std::uint8_t>(120 + 12 * random.number()); };
      image.at(x, y) = {level(), level(), level(), 255};
    }
  }
  EXPECT_EQ(silhouette(image).mask, shape);
}

TEST(Silhouette, enclosed_background_stays_unless_asked_otherwise) {
  const Mask eye = drawn({".......", ".#####.", ".#...#.", ".#...#.", ".#####.", "......."});
  const Image image = painted(eye, black, white);
  EXPECT_EQ(count(silhouette(image).mask), 20);
  EXPECT_EQ(silhouette(image).image.at(3, 2), white);
  EXPECT_EQ(silhouette(image, {.enclosed = EnclosedBackground::cut}).mask, eye);
  // Corners do not let the background through, as they hold the figure together.
  const Mask diagonal = drawn({".......", "...#...", "..#.#..", ".#...#.", "..#.#..", "...#..."});
  EXPECT_EQ(count(silhouette(painted(diagonal, black, white)).mask), count(diagonal) + 5);
}

TEST(Silhouette, the_background_in_a_loop_is_cut_out_and_eyes_are_not) {
  const Image picture = drawn_on(cat);
  const Silhouette found = silhouette(picture);
  EXPECT_EQ(found.gaps, 1U);
  EXPECT_EQ(found.kept_parts, 2U);
  EXPECT_NE(found.how.find("1 cut out and 2 kept"), std::string::npos) << found.how;
  EXPECT_FALSE(found.mask.at(145, 130)) << "in the loop";
  EXPECT_EQ(found.image.at(145, 130).a, 0);
  EXPECT_TRUE(found.mask.at(65, 60)) << "the white of an eye";
  EXPECT_EQ(found.image.at(65, 60), paper);
  EXPECT_EQ(topology_of(found.mask), (MaskTopology{1, 1}));
  // As its alpha channel has it.
  EXPECT_EQ(topology_of(silhouette(drawn_on(cat, nothing)).mask), (MaskTopology{1, 1}));
  // Three of them, of two kinds.
  const Silhouette other = silhouette(drawn_on(standing));
  EXPECT_EQ(other.gaps, 3U);
  EXPECT_EQ(other.kept_parts, 2U);
  EXPECT_EQ(topology_of(other.mask), (MaskTopology{1, 3}));
  EXPECT_EQ(silhouette(drawn_on(bird)).gaps, 0U);
}

TEST(Silhouette, what_is_asked_for_overrules_what_the_enclosed_background_looks_like) {
  const Image picture = drawn_on(cat);
  const Silhouette all = silhouette(picture, {.enclosed = EnclosedBackground::cut}),
                   none = silhouette(picture, {.enclosed = EnclosedBackground::keep});
  EXPECT_EQ(all.gaps, 3U);
  EXPECT_FALSE(all.mask.at(65, 60));
  EXPECT_FALSE(all.mask.at(145, 130));
  EXPECT_EQ(none.kept_parts, 3U);
  EXPECT_TRUE(none.mask.at(65, 60));
  EXPECT_TRUE(none.mask.at(145, 130));
}

// A ring of the given thickness with something in it.
Image ring_around(double thickness, const Drawing& inside, const Pixel& back = paper) {
  return drawn_on(
      [&](double x, double y) -> std::optional<Pixel> {
        const double away = std::hypot(x - 100, y - 100);
        if (away > 80) return std::nullopt;
        return away < 80 - thickness ? inside(x, y) : orange;
      },
      back);
}

TEST(Silhouette, a_gap_is_empty_flat_large_and_has_limbs_around_it) {
  const auto gaps = [](const Image& picture) { return silhouette(picture).gaps; };
  const auto empty = [](double, double) { return std::optional<Pixel>(); };
  EXPECT_EQ(gaps(ring_around(20, empty)), 1U);
  EXPECT_EQ(gaps(ring_around(2, empty)), 0U) << "drawn with a pen: a ball";
  EXPECT_EQ(gaps(ring_around(72, empty)), 0U) << "a buttonhole, or an eye";
  EXPECT_EQ(gaps(ring_around(20,
                             [](double x, double y) {
                               return std::hypot(x - 90, y - 100) < 12 ? std::optional(ink)
                                                                       : std::nullopt;
                             })),
            0U)
      << "an eye";
  EXPECT_EQ(gaps(ring_around(20,
                             [](double, double) {
                               return std::optional<Pixel>({245, 245, 245, 255});
                             })),
            0U)
      << "painted, in another white";
  EXPECT_EQ(gaps(ring_around(20,
                             [](double x, double) {
                               const auto v = static_cast<std::uint8_t>(250 + 5 * std::sin(x / 9));
                               return std::optional<Pixel>({v, v, v, 255});
                             },
                             {250, 250, 250, 255})),
            0U)
      << "shaded";
  // A photo's background is not flat, out there or in here.
  Random random(3);
  const auto noisy = [&](double, double) {
    const auto v = static_cast<std::uint8_t>(200 + 8 * random.number());
    return Pixel{v, v, v, 255};
  };
  EXPECT_EQ(gaps(drawn_on([&](double x, double y) -> std::optional<Pixel> {
              const double away = std::hypot(x - 100, y - 100);
              return away < 80 && away > 60 ? orange : noisy(x, y);
            })),
            1U);
}

TEST(Silhouette, a_given_background_is_used_even_where_there_is_alpha) {
  Image image = painted(drawn({"......", ".####.", ".####.", "......"}), red, white);
  image.at(0, 0).a = 0;
  EXPECT_EQ(count(silhouette(image).mask), 23);
  const Silhouette found = silhouette(image, {.background = white});
  EXPECT_EQ(count(found.mask), 8);
  EXPECT_NE(found.how.find("given"), std::string::npos);
}

TEST(Silhouette, the_edge_becomes_soft_and_free_of_the_background) {
  const Silhouette found = silhouette(soft_disc(41, 14.3, red, white));
  double total = 0;
  int soft = 0;
  for (const Pixel& p : found.image.pixels()) {
    total += p.a / 255.0;
    soft += p.a > 0 && p.a < 255;
    if (p.a < 40) continue;
    // Unmixed, every pixel has the figure's colour.
    EXPECT_LE(std::abs(p.r - red.r), 2);
    EXPECT_LE(std::abs(p.g - red.g), 2);
    EXPECT_LE(std::abs(p.b - red.b), 2);
  }
  EXPECT_GT(soft, 50);
  EXPECT_NEAR(total, pi * 14.3 * 14.3, 0.001 * total);
}

TEST(Silhouette, colors_that_are_no_mix_stay_opaque) {
  Mask shape = mask_of(20, 20, [](double x, double y) { return std::hypot(x - 10, y - 10) < 6; });
  Image image = painted(shape, {10, 10, 200, 255}, white);
  image.at(4, 10) = {250, 220, 10, 255};
  EXPECT_TRUE(shape.at(4, 10));
  EXPECT_EQ(silhouette(image).image.at(4, 10), (Pixel{250, 220, 10, 255}));
}

TEST(Silhouette, a_border_of_many_colors_is_no_background) {
  Image image(40, 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(6 * x), static_cast<std::uint8_t>(6 * y), 0, 255};
    }
  }
  const std::string problem = problem_of(image);
  EXPECT_NE(problem.find("--background"), std::string::npos) << problem;
  EXPECT_NE(problem.find("mask"), std::string::npos) << problem;
}

TEST(Silhouette, nothing_to_see_is_an_error_that_says_what_to_do) {
  EXPECT_NE(problem_of(Image(5, 4, {9, 9, 9, 0})).find("nothing to see"), std::string::npos);
  EXPECT_NE(problem_of(Image(5, 4, {9, 9, 9, 2})).find("nothing to see"), std::string::npos);
  EXPECT_NE(problem_of(Image(5, 4, red)).find("nothing to see"), std::string::npos);
  EXPECT_EQ(bad_input([] { silhouette_from_mask(Image(2, 2, red), Image(2, 2, black)); }),
            "picture: nothing to see: nothing in the mask is bright or opaque; paint the figure "
            "white in it");
}

TEST(Silhouette, an_opaque_picture_is_all_figure_by_its_alpha) {
  EXPECT_EQ(silhouette_from_alpha(Image(1, 1, red)).mask, drawn({"#"}));
  EXPECT_EQ(count(silhouette_from_alpha(Image(7, 5, red)).mask), 35);
}

TEST(Silhouette, a_mask_counts_by_brightness_or_by_alpha) {
  const Mask shape = drawn({"....", ".##.", ".##."});
  const Image picture(4, 3, red);
  const Silhouette bright = silhouette_from_mask(picture, painted(shape, white, black));
  EXPECT_EQ(bright.mask, shape);
  EXPECT_EQ(bright.image, painted(shape, red, {red.r, red.g, red.b, 0}));
  const Silhouette opaque =
      silhouette_from_mask(picture, painted(shape, black, {255, 255, 255, 0}));
  EXPECT_EQ(opaque.mask, shape);
  EXPECT_EQ(opaque.source, SilhouetteSource::mask);
  EXPECT_EQ(bad_input([&] { silhouette_from_mask(picture, Image(4, 4)); }),
            "mask: it has 4 x 4 pixels, the picture 4 x 3; give a mask of the picture's size");
}

TEST(Silhouette, specks_are_dropped_and_counted_but_never_everything) {
  const Mask shape = drawn({"#...###", "....###", "##.....", "#....#.", ".....#.", "....#.."});
  const Image image = painted(shape, red, {0, 0, 0, 0});
  const Silhouette found = silhouette(image);
  EXPECT_EQ(found.mask, drawn({"....###", "....###", ".......", ".......", ".......", "......."}));
  EXPECT_EQ(found.dropped_islands, 3u);
  EXPECT_EQ(found.dropped_pixels, 7u);
  EXPECT_EQ(silhouette(image, {.smallest_island = 0}).mask, shape);
  EXPECT_EQ(silhouette(image, {.smallest_island = 3}).dropped_islands, 1u);
  const Silhouette dots = silhouette(painted(drawn({"#.#.##.#"}), red, {0, 0, 0, 0}));
  EXPECT_EQ(dots.mask, drawn({"....##.."}));
}

TEST(Silhouette, impossible_requests_are_refused) {
  EXPECT_EQ(wrong_usage([&] { silhouette(Image{}); }),
            "a picture cannot be 0 x 0 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(wrong_usage([&] { silhouette(Image(2, 2), {.alpha = 0}); }),
            "the alpha from which a pixel counts must be above 0 and at most 1");
  EXPECT_EQ(wrong_usage([&] { silhouette(Image(2, 2), {.background_tolerance = 2}); }),
            "the background's tolerance must be from 0 to 1");
}

}  // namespace
}  // namespace sinew
