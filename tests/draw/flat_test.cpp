// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/flat.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/quat.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

// Colours and alphas that have nothing to do with their neighbours'.
Image noise(int width, int height) {
  Image image(width, height);
  unsigned state = 7;
  const auto next = [&] {
    return static_cast<std::uint8_t>((state = state * 1664525U + 1013904223U) >> 24);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.at(x, y) = {next(), next(), next(), next()};
  }
  return image;
}

// The whole picture on a fan of triangles about an odd place, one unit to the pixel.
struct Sheet {
  std::vector<Vec2> places;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  Sheet(int width, int height) {
    places = {{0.37 * width, 0.61 * height},
              {0, 0},
              {width / 3.0, 0},
              {double(width), 0},
              {double(width), height / 7.0},
              {double(width), double(height)},
              {0, double(height)}};
    for (const Vec2& p : places) positions.push_back({p.x, height - p.y, 0});
    for (Index i = 1; i < 7; ++i) triangles.push_back({0, i, i == 6 ? 1 : i + 1});
  }
  Image draw(const FlatTexture& texture, const FlatView& view,
             Pixel background = {0, 0, 0, 0}) const {
    return draw_flat(texture, places, positions, triangles, view, background);
  }
};

FlatView view_of(int width, int height) { return {{0, double(height)}, 1, width, height}; }

// As seen: what is transparent has no colour.
Image seen(Image image) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (image.at(x, y).a == 0) image.at(x, y) = {0, 0, 0, 0};
    }
  }
  return image;
}

TEST(Flat, where_nothing_moves_the_picture_comes_out_bit_for_bit) {
  const Image picture = noise(37, 23);
  EXPECT_EQ(seen(Sheet(37, 23).draw(FlatTexture(picture), view_of(37, 23))), seen(picture));
}

TEST(Flat, whole_pixels_of_movement_keep_every_pixel) {
  const Image picture = noise(20, 20);
  Sheet sheet(20, 20);
  for (Vec3& p : sheet.positions) p = p + Vec3{3, -2, 0};
  const Image image = sheet.draw(FlatTexture(picture), view_of(20, 20));
  for (int y = 2; y < 20; ++y) {
    for (int x = 3; x < 20; ++x) EXPECT_EQ(image.at(x, y).a, picture.at(x - 3, y - 2).a);
  }
  EXPECT_EQ(image.at(0, 5).a, 0);
}

TEST(Flat, triangles_that_share_edges_leave_no_gap_and_draw_no_pixel_twice) {
  // Half transparent: a pixel drawn twice would be more opaque, one left out not at all.
  const FlatTexture texture(Image(64, 64, {200, 100, 50, 128}));
  for (const double angle : {0.0, 0.3, 1.1, pi / 4, pi / 2}) {
    Sheet sheet(64, 64);
    for (Vec3& p : sheet.positions) {
      const Vec3 d = p - Vec3{32, 32, 0};
      p = Vec3{32 + 1.7 * (d.x * std::cos(angle) - d.y * std::sin(angle)),
               32 + 1.7 * (d.x * std::sin(angle) + d.y * std::cos(angle)), 0};
    }
    const Image image = sheet.draw(texture, {{16, 48}, 1, 32, 32});
    for (const Pixel& pixel : image.pixels()) EXPECT_EQ(pixel, (Pixel{200, 100, 50, 128})) << angle;
  }
}

TEST(Flat, colours_behind_transparent_pixels_are_never_seen) {
  Image picture(16, 16, {0, 255, 0, 0});
  for (int y = 4; y < 12; ++y) {
    for (int x = 4; x < 12; ++x) picture.at(x, y) = {255, 0, 0, 255};
  }
  const FlatTexture texture(picture);
  for (const double scale : {0.3, 1.0, 3.7}) {
    const Image image = Sheet(16, 16).draw(texture, {{0.4, 15.7}, scale, 40, 40});
    bool soft = false;
    for (const Pixel& pixel : image.pixels()) {
      if (pixel.a == 0) continue;
      EXPECT_EQ(pixel.r, 255);
      EXPECT_EQ(pixel.g, 0);
      soft = soft || pixel.a < 255;
    }
    EXPECT_TRUE(soft) << "edges are smooth at " << scale;
  }
}

TEST(Flat, later_triangles_lie_over_earlier_ones) {
  Image picture(20, 10, {255, 0, 0, 255});
  for (int y = 0; y < 10; ++y) {
    for (int x = 10; x < 20; ++x) picture.at(x, y) = {0, 0, 255, 255};
  }
  const FlatTexture texture(picture);
  const std::vector<Vec2> places{{1, 1}, {9, 1}, {1, 9}, {11, 1}, {19, 1}, {11, 9}};
  const std::vector<Vec3> positions{{0, 10, 0}, {10, 10, 5}, {0, 0, 0},
                                    {0, 10, 0}, {10, 10, 0}, {0, 0, 0}};
  const FlatView view{{0, 10}, 1, 4, 4};
  const std::vector<Triangle> red_last{{3, 4, 5}, {0, 1, 2}}, blue_last{{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(draw_flat(texture, places, positions, red_last, view).at(1, 1).r, 255);
  EXPECT_EQ(draw_flat(texture, places, positions, blue_last, view).at(1, 1).b, 255);
}

TEST(Flat, drawn_smaller_it_has_the_mean_of_what_is_there) {
  // Lines of one pixel, black and white: without smaller versions some would be lost.
  Image picture(256, 256);
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x)
      picture.at(x, y) = x % 2 == 0 ? Pixel{0, 0, 0, 255} : Pixel{255, 255, 255, 255};
  }
  const Image image = Sheet(256, 256).draw(FlatTexture(picture), {{0, 256}, 0.125, 32, 32});
  for (int x = 2; x < 30; ++x) EXPECT_NEAR(image.at(x, 16).r, 127, 2);
}

TEST(Flat, the_background_shines_through) {
  const FlatTexture texture(Image(8, 8, {255, 0, 0, 51}));
  const Image image = Sheet(8, 8).draw(texture, view_of(12, 8), {0, 0, 255, 255});
  EXPECT_EQ(image.at(4, 4), (Pixel{51, 0, 204, 255}));
  EXPECT_EQ(image.at(10, 4), (Pixel{0, 0, 255, 255}));
}

TEST(Flat, threads_change_no_bit) {
  const Image picture = noise(90, 130);
  const Sheet sheet(90, 130);
  const FlatView view{{-3, 140}, 1.3, 170, 200};
  set_thread_count(1);
  const Image one = sheet.draw(FlatTexture(picture), view);
  set_thread_count(0);
  EXPECT_EQ(sheet.draw(FlatTexture(picture), view), one);
}

TEST(Flat, what_cannot_be_drawn_is_left_out_or_refused) {
  const FlatTexture texture(Image(4, 4));
  const std::vector<Vec2> places(3);
  std::vector<Vec3> positions{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}};
  const std::vector<Triangle> triangles{{0, 1, 2}};
  const FlatView view{{0, 4}, 1, 4, 4};
  EXPECT_EQ(draw_flat(texture, places, positions, triangles, view).at(1, 2).a, 0);
  positions[2].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(draw_flat(texture, places, positions, triangles, view).at(1, 2).a, 0);
  positions[2] = {std::numeric_limits<double>::infinity(), 0, 0};
  EXPECT_EQ(draw_flat(texture, places, positions, triangles, view).at(1, 2).a, 0);
  EXPECT_EQ(wrong_usage([&] { draw_flat(texture, places, {}, triangles, view); }),
            "3 places in the texture for 0 positions");
  EXPECT_EQ(wrong_usage([&] {
              draw_flat(texture, places, positions, std::vector<Triangle>{{0, 1, 3}}, view);
            }),
            "there is no vertex 3");
  EXPECT_EQ(wrong_usage([&] {
              draw_flat(texture, places, positions, triangles, {{0, 4}, 1, 0, 4});
            }),
            "a picture cannot be 0 x 4 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(wrong_usage([&] { FlatTexture{Image()}; }),
            "a picture cannot be 0 x 0 pixels; each side goes from 1 to 16384");
}

}  // namespace
}  // namespace sinew
