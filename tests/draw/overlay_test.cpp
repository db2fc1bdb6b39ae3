// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/overlay.h"

#include <algorithm>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/detail/glyphs.h"
#include "sinew/draw/font.h"
#include "sinew/samples/samples.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

constexpr Rgb black{0, 0, 0};

double ink(const Image& image) {
  double sum = 0;
  for (const Pixel& pixel : image.pixels()) sum += 1 - to_linear(pixel.g);
  return sum;
}

struct Extent {
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};

Extent extent(const Image& image) {
  Extent e;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (image.at(x, y).g == 255) continue;
      e = {std::min(e.left, x), std::max(e.right, x), std::min(e.top, y), std::max(e.bottom, y)};
    }
  }
  return e;
}

TEST(Font, every_character_has_a_picture_of_its_own_within_its_width) {
  std::vector<Image> seen;
  for (char c = '!'; c <= '~'; ++c) {
    const std::string text(1, c);
    Image image(80, 100);
    draw_text(image, 20, 60, text, {40, black});
    EXPECT_GT(ink(image), 10) << c;
    const Extent e = extent(image);
    EXPECT_GE(e.left, 18) << c;
    EXPECT_LE(e.right, 22 + text_width(text, 40)) << c;
    EXPECT_GE(e.top, 60 - 0.85 * 40) << c;
    EXPECT_LE(e.bottom, 60 + 0.27 * 40) << c;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), image), 0) << c;
    seen.push_back(image);
  }
}

TEST(Font, text_is_as_wide_as_it_says_and_visible_at_small_sizes) {
  const std::string text = "stbs-dqs 98.3 %";
  for (const double size : {9.0, 13.0, 40.0}) {
    Image image(400, 60);
    draw_text(image, 5, 45, text, {size, black});
    const Extent e = extent(image);
    EXPECT_NEAR(e.right - 5, text_width(text, size), 0.15 * size);
    EXPECT_GT(ink(image), 2 * text_width(text, size));
  }
}

TEST(Font, text_outside_of_the_picture_is_cut_off) {
  Image image(20, 20);
  draw_text(image, -30, 15, "across the border", {16, black});
  EXPECT_GT(ink(image), 40);
  const Image before = image;
  draw_text(image, 1e9, 15, "far", {16, black});
  draw_text(image, 5, -200, "far", {16, black});
  EXPECT_EQ(image, before);
}

TEST(Font, other_characters_are_one_box_each) {
  EXPECT_EQ(text_width("\xc3\xa9", 20), text_width("\x7f", 20));
  EXPECT_EQ(text_width("\xe2\x82\xac", 20), text_width("\xc3\xa9", 20));
}

TEST(Overlay, a_line_is_as_dark_as_it_is_long_and_wide) {
  for (const double width : {0.5, 1.0, 3.0}) {
    for (const double angle : {0.0, 0.3, 0.8, 1.57}) {
      Image image(100, 100);
      const Vec2 from{20.3, 15.7}, to{20.3 + 60 * std::cos(angle), 15.7 + 60 * std::sin(angle)};
      draw_strokes(image, std::vector<Stroke>{{from, to, width}}, black);
      // The ends are round, and at least a pixel wide.
      EXPECT_NEAR(ink(image), 60 * width, 0.05 * 60 * width + width * width + 1) << angle;
    }
  }
}

TEST(Overlay, a_stroke_of_no_length_is_a_disc) {
  Image image(60, 60);
  draw_strokes(image, std::vector<Stroke>{{{30, 30}, {30, 30}, 40}}, black);
  EXPECT_NEAR(ink(image), std::numbers::pi * 400, 1);
}

TEST(Overlay, strokes_that_overlap_are_not_darker_there) {
  Image once(40, 40), twice(40, 40);
  const Stroke stroke{{5, 5}, {35, 30}, 4};
  draw_strokes(once, std::vector<Stroke>{stroke}, black, 0.5F);
  draw_strokes(twice, std::vector<Stroke>{stroke, stroke}, black, 0.5F);
  EXPECT_EQ(once, twice);
}

TEST(Overlay, rectangles_fill_their_pixels_and_no_others) {
  Image image(10, 10);
  fill_rectangle(image, 2, 3, 4, 5, black);
  EXPECT_EQ(ink(image), 20);
  fill_rectangle(image, -5, -5, 100, 100, black);
  EXPECT_EQ(ink(image), 100);
}

TEST(Overlay, bones_reach_from_their_heads_to_their_tails) {
  const std::vector<BoneShape> bones{{{0, 0, 0}, {0, 2, 0}, {1, 0, 0}}, {{1, 1, 1}, {1, 1, 1}, {}}};
  const Drawable drawable = bone_drawable(bones, 0.2);
  const Box box = bounding_box(drawable.positions);
  EXPECT_NEAR(box.low.y, 0, 0.1);
  EXPECT_NEAR(box.high.y, 2, 0.1);
  EXPECT_NEAR(box.high.x, 0.2 * std::sqrt(0.5), 1e-9);
}

TEST(Image, pasting_cuts_off_what_does_not_fit_and_respects_alpha) {
  Image target(4, 4, {0, 0, 0, 255});
  Image source(3, 3, {255, 255, 255, 255});
  source.at(0, 0).a = 0;
  paste(target, source, 2, 2);
  EXPECT_EQ(target.at(2, 2).r, 0);
  EXPECT_EQ(target.at(3, 2).r, 255);
  EXPECT_EQ(target.at(1, 3).r, 0);
  paste(target, source, -2, -2);
  EXPECT_EQ(target.at(0, 0).r, 255);
  EXPECT_EQ(wrong_usage([&] { Image(0, 4); }),
            "a picture cannot be 0 x 4 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(wrong_usage([&] { Image(4, largest_image_side + 1); }),
            "a picture cannot be 4 x 16385 pixels; each side goes from 1 to 16384");
}

TEST(Image, srgb_comes_back_from_linear_light) {
  for (int i = 0; i < 256; ++i) {
    const auto level = static_cast<std::uint8_t>(i);
    EXPECT_EQ(to_srgb(to_linear(level)), level);
  }
  EXPECT_EQ(to_srgb(0.2140411F), 127 + (to_srgb(0.2140411F) == 128));
  EXPECT_EQ(to_srgb(NAN), 0);
  EXPECT_EQ(to_srgb(7), 255);
}

TEST(Colors, weights_go_from_white_to_red) {
  const Pixel none = to_srgb(weight_color(0)), all = to_srgb(weight_color(1));
  EXPECT_TRUE(none.r > 230 && none.g > 230 && none.b > 225);
  EXPECT_TRUE(all.r > 190 && all.g < 60 && all.b < 60);
  for (int i = 0; i < 20; ++i) {
    EXPECT_GT(weight_color(i / 20.0).y, weight_color((i + 1) / 20.0).y);
  }
  EXPECT_EQ(weight_color(NAN), weight_color(0));
  EXPECT_EQ(weight_color(9), weight_color(1));
}

TEST(Colors, bones_that_meet_look_different) {
  const Skeleton skeleton = make_sample("mannequin", 500).skeleton;
  const std::vector<Rgb> colors = bone_colors(skeleton);
  ASSERT_EQ(colors.size(), skeleton.bones.size());
  for (std::size_t a = 0; a < colors.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (distance(skeleton.bones[a].head, skeleton.bones[b].tail) > 1e-6) continue;
      EXPECT_GT(distance(colors[a], colors[b]), 0.4F) << a << " " << b;
    }
  }
}

TEST(Colors, vertices_mix_the_colours_of_their_bones) {
  Weights weights;
  weights.push_row(std::vector<Influence>{{0, 0.25}, {1, 0.75}});
  weights.push_row({});
  const std::vector<Rgb> bones{{1, 0, 0}, {0, 0, 1}};
  const auto mixed = blended_colors(weights, bones);
  EXPECT_EQ(mixed[0], (Rgb{0.25F, 0, 0.75F}));
  EXPECT_EQ(mixed[1].x, mixed[1].y);
  const std::vector<BoneIndex> second{1}, both{0, 1};
  EXPECT_EQ(weight_colors(weights, second)[0], weight_color(0.75));
  EXPECT_EQ(weight_colors(weights, both)[0], weight_color(1));
  EXPECT_EQ(weight_colors(weights, second)[1], weight_color(0));
  const std::vector<double> endpoints{0.2, 0.9};
  EXPECT_EQ(endpoint_colors(weights, endpoints, second)[0], endpoint_color(0.9));
  EXPECT_EQ(endpoint_colors(weights, endpoints, {})[0], endpoint_color(0.25 * 0.2 + 0.75 * 0.9));
}

TEST(Colors, names_and_hexadecimal_digits_are_understood) {
  EXPECT_EQ(color_from_name("white"), (Pixel{255, 255, 255, 255}));
  EXPECT_EQ(color_from_name("#1a2B3c"), (Pixel{0x1a, 0x2b, 0x3c, 255}));
  EXPECT_EQ(color_from_name("#f80"), (Pixel{255, 0x88, 0, 255}));
  EXPECT_EQ(color_from_name("#01020304"), (Pixel{1, 2, 3, 4}));
  EXPECT_EQ(color_from_name("transparent").a, 0);
  for (const char* bad : {"", "#", "#12", "#12345g", "mauve", "#123456789"}) {
    EXPECT_EQ(wrong_usage([&] { color_from_name(bad); }),
              "there is no colour '" + std::string(bad) +
                  "'; there are white, black, grey, gray, red, green, blue, yellow, orange, "
                  "transparent, #rgb, #rrggbb and #rrggbbaa");
  }
}

}  // namespace
}  // namespace sinew
