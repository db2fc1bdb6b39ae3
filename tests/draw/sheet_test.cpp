// SPDX-License-Identifier: Apache-2.0
// Several pictures on one sheet.
#include "sinew/draw/sheet.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

SheetPanel panel(const Surface& surface, const std::string& title) {
  SheetPanel made;
  made.title = title;
  Drawable drawable;
  drawable.positions = surface.positions;
  drawable.triangles = surface.triangles;
  made.scene.surfaces.push_back(drawable);
  return made;
}

bool is_reddish(const Pixel& p) { return p.r > p.g + 80 && p.r > p.b + 80; }

// Rows of the image that are all of one colour, at its left edge.
bool is_blank(const Image& image, int x0, int x1) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = x0; x < x1; ++x) {
      if (!(image.at(x, y) == image.at(0, 0))) return false;
    }
  }
  return true;
}

TEST(Sheet, panels_that_are_alike_look_alike) {
  const Surface ball = unit_sphere(12, 16);
  const Image sheet =
      draw_sheet({panel(ball, "a"), panel(ball, "a")}, {.columns = 2, .panel_area = 1e4});
  const int margin = 24, gap = 18;
  const int width = (sheet.width() - 2 * margin - gap) / 2;
  ASSERT_TRUE(is_blank(sheet, 0, margin));
  ASSERT_TRUE(is_blank(sheet, margin + width, margin + width + gap));
  for (int y = 0; y < sheet.height(); ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_EQ(sheet.at(margin + x, y), sheet.at(margin + width + gap + x, y));
    }
  }
}

TEST(Sheet, one_camera_holds_all_panels) {
  const Surface ball = unit_sphere(12, 16);
  const auto dark = [](const Image& sheet, bool left) {
    std::size_t count = 0;
    for (int y = 0; y < sheet.height(); ++y) {
      for (int x = 0; x < sheet.width() / 2; ++x) {
        const Pixel& p = sheet.at(left ? x : sheet.width() - 1 - x, y);
        count += p.r < 200 ? 1 : 0;
      }
    }
    return count;
  };
  const Image sheet = draw_sheet({panel(ball, ""), panel(moved(ball, 3, {}), "")},
                                 {.columns = 2, .panel_area = 1e4});
  EXPECT_NEAR(double(dark(sheet, false)) / double(dark(sheet, true)), 9, 0.5);
}

TEST(Sheet, a_focus_fills_the_pictures) {
  Surface balls = unit_sphere(12, 16);
  append(balls, moved(unit_sphere(12, 16), 0.1, {2, 0, 0}));
  SheetPanel both = panel(balls, "");
  both.scene.ground = false;
  SheetOptions options{.columns = 1, .panel_area = 1e4};
  const auto dark = [&] {
    const Image sheet = draw_sheet({both}, options);
    return std::count_if(sheet.pixels().begin(), sheet.pixels().end(),
                         [](const Pixel& p) { return p.r < 200; });
  };
  const auto all = dark();
  options.focus = unit_sphere(12, 16).positions;
  EXPECT_GT(dark(), all);
}

TEST(Sheet, marked_values_are_red) {
  SheetPanel plain = panel(cube(), "cube");
  plain.values = {{"size", "100%", false}, {"", "", false}};
  SheetPanel marked = plain;
  marked.values[0].is_marked = true;
  const auto reds = [](const Image& sheet) {
    return std::count_if(sheet.pixels().begin(), sheet.pixels().end(), is_reddish);
  };
  EXPECT_EQ(reds(draw_sheet({plain}, {.panel_area = 1e4})), 0);
  EXPECT_GT(reds(draw_sheet({marked}, {.panel_area = 1e4})), 100);
}

TEST(Sheet, text_of_any_length_and_nothing_to_see_are_no_trouble) {
  SheetPanel empty;
  empty.title = std::string(2000, 'w');
  empty.values = {{std::string(2000, 'w'), std::string(50, '9'), true}};
  const Image sheet = draw_sheet(
      {empty}, {.title = std::string(2000, 'w'), .note = "one\n\nthree", .panel_area = 1e4});
  EXPECT_GT(sheet.height(), 100);
  Surface point{{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{0, 1, 2}}};
  EXPECT_NO_THROW(draw_sheet({panel(point, "point")}, {.panel_area = 1e4}));
}

TEST(Sheet, no_panels_and_sheets_too_large_are_refused) {
  EXPECT_EQ(wrong_usage([&] { draw_sheet({}, {}); }), "a sheet needs at least one panel");
  EXPECT_EQ(wrong_usage([&] { draw_sheet({panel(cube(), "")}, {.panel_area = 1e9}); }),
            "a picture cannot be 31670 x 31703 pixels; each side goes from 1 to 16384");
}

}  // namespace
}  // namespace sinew
