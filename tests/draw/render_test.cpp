// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "draw_shapes.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

constexpr Rgb white{1, 1, 1}, red{1, 0, 0}, green{0, 1, 0};

TEST(Render, a_triangle_covers_the_pixels_it_should) {
  Drawable triangle;
  triangle.positions = {{2, 3, 0}, {14, 3, 0}, {2, 11, 0}};
  triangle.triangles = {{0, 1, 2}};
  triangle.color = white;
  const Image image = render(plain_scene({triangle}, 1), pixel_camera(16, 16), 16, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      const double px = x + 0.5, py = 15.5 - y;
      const bool inside = px >= 2 && py >= 3 && (px - 2) / 12 + (py - 3) / 8 <= 1;
      EXPECT_EQ(image.at(x, y).r, inside ? 255 : 0) << x << ", " << y;
    }
  }
}

TEST(Render, part_of_a_pixel_gives_part_of_the_light) {
  const Camera camera = pixel_camera(8, 8);
  for (const double right : {4.25, 4.5, 4.75}) {
    const Image image =
        render(plain_scene({rectangle({1, 1, 0}, {right, 7, 0}, white)}), camera, 8, 8);
    EXPECT_NEAR(to_linear(image.at(4, 4).r), right - 4, 0.004);
    EXPECT_EQ(image.at(3, 4).r, 255);
    EXPECT_EQ(image.at(5, 4).r, 0);
  }
}

TEST(Render, triangles_that_share_edges_leave_no_gap_and_no_seam) {
  // A fan with its middle at an odd place, seen at an odd scale.
  Drawable fan;
  fan.positions.push_back({7.137, 8.411, 0});
  for (int i = 0; i < 17; ++i) {
    const double angle = 2 * pi * i / 17;
    fan.positions.push_back({8 + 40 * std::cos(angle), 8 + 40 * std::sin(angle), 0});
    fan.triangles.push_back({0, Index(1 + i), Index(1 + (i + 1) % 17)});
  }
  fan.color = white;
  const Image image = render(plain_scene({fan}), pixel_camera(16, 16), 16, 16);
  for (const Pixel& pixel : image.pixels()) EXPECT_EQ(pixel, (Pixel{255, 255, 255, 255}));
}

TEST(Render, what_is_nearer_hides_what_is_further_whatever_the_order) {
  const Drawable front = rectangle({4, 4, 1}, {12, 12, 1}, red);
  const Drawable back = rectangle({0, 0, -1}, {16, 16, -1}, green);
  const Camera flat = pixel_camera(16, 16);
  const Camera deep = frame({0, 0}, Box{{0, 0, -1}, {16, 16, 1}}, 1);
  for (const Camera& camera : {flat, deep}) {
    const Image a = render(plain_scene({front, back}), camera, 16, 16);
    EXPECT_EQ(a, render(plain_scene({back, front}), camera, 16, 16));
    EXPECT_EQ(a.at(8, 8), (Pixel{255, 0, 0, 255}));
    EXPECT_EQ(a.at(2, 8), (Pixel{0, 255, 0, 255}));
  }
}

TEST(Render, planes_that_cross_are_cut_where_they_meet) {
  Drawable slope = rectangle({0, 0, 0}, {16, 16, 0}, red);
  slope.positions = {{0, 0, -4}, {16, 0, 4}, {16, 16, 4}, {0, 16, -4}};
  const Image image = render(plain_scene({slope, rectangle({0, 0, 0}, {16, 16, 0}, green)}, 1),
                             pixel_camera(16, 16), 16, 16);
  for (int x = 0; x < 16; ++x) {
    EXPECT_EQ(image.at(x, 5), x < 8 ? (Pixel{0, 255, 0, 255}) : (Pixel{255, 0, 0, 255})) << x;
  }
}

TEST(Render, a_ball_covers_the_area_of_its_silhouette) {
  Drawable drawable = ball({32, 32, 0}, 20, 64);
  drawable.color = white;
  const Image image = render(plain_scene({drawable}), pixel_camera(64, 64), 64, 64);
  EXPECT_NEAR(covered(image), std::numbers::pi * 20 * 20, 0.0005 * std::numbers::pi * 20 * 20);
  // In perspective: the cone that touches the ball.
  Camera camera = frame({0, 0}, Box{{12, 12, -20}, {52, 52, 20}}, 1, {40, 0.1});
  const double away = distance(camera.eye, {32, 32, 0});
  const double radius = 32 * std::tan(std::asin(20 / away)) / camera.half_height;
  const double area = std::numbers::pi * radius * radius;
  EXPECT_NEAR(covered(render(plain_scene({drawable}), camera, 64, 64)), area, 0.0007 * area);
}

TEST(Render, the_number_of_threads_does_not_change_a_bit) {
  Scene scene;
  scene.surfaces = {ball({0, 1, 0}, 1), ball({0.5, 2, 0.4}, 0.7)};
  scene.surfaces[0].wire = true;
  scene.inner = {ball({0, 1, 0}, 0.3)};
  scene.ground = true;
  const Camera camera = frame({35, 20}, Box{{-1, 0, -1}, {1.2, 2.7, 1.1}}, 1);
  set_thread_count(1);
  const Image one = render(scene, camera, 200, 200);
  set_thread_count(2);
  const Image two = render(scene, camera, 200, 200);
  set_thread_count(0);
  EXPECT_EQ(one, two);
}

TEST(Render, what_lies_behind_or_around_the_eye_is_cut_off) {
  // A floor that passes under the camera and far behind it.
  const Drawable wide = [] {
    Drawable d;
    d.positions = {{-1e7, -1, -1e7}, {1e7, -1, -1e7}, {1e7, -1, 1e7}, {-1e7, -1, 1e7}};
    d.triangles = {{0, 1, 2}, {0, 2, 3}};
    d.color = white;
    return d;
  }();
  Camera camera;
  camera.half_height = 0.5;
  camera.near = 0.01;
  const Image image = render(plain_scene({wide}), camera, 64, 64);
  EXPECT_EQ(image.at(32, 10).r, 0);
  EXPECT_EQ(image.at(32, 40).r, 255);
  EXPECT_EQ(image.at(5, 60).r, 255);
  EXPECT_NEAR(covered(image), 32 * 64, 2);
}

TEST(Render, light_comes_from_above_and_folds_are_dark) {
  Scene scene;
  scene.surfaces = {ball({0, 0, 0}, 1, 48)};
  const Camera camera = frame({0, 0}, Box{{-1, -1, -1}, {1, 1, 1}}, 1);
  const Image image = render(scene, camera, 100, 100);
  EXPECT_GT(image.at(40, 25).r, image.at(60, 80).r + 40);
  // Two balls that press into each other: dark between them.
  scene.surfaces = {ball({-0.6, 0, 0}, 0.8, 48), ball({0.6, 0, 0}, 0.8, 48)};
  const Image with = render(scene, camera, 200, 200);
  scene.occlusion = 0;
  const Image without = render(scene, camera, 200, 200);
  EXPECT_LT(with.at(100, 100).r + 15, without.at(100, 100).r);
  EXPECT_NEAR(with.at(30, 80).r, without.at(30, 80).r, 1);
}

TEST(Render, a_shadow_lies_under_what_stands_on_the_ground) {
  Scene scene;
  scene.surfaces = {ball({0, 0.5, 0}, 0.5)};
  scene.ground = true;
  const Camera camera = frame({0, 25}, Box{{-2, 0, -2}, {2, 1, 2}}, 1);
  const Image image = render(scene, camera, 100, 100);
  const Projected under = project(camera, {0.5, 0, -0.1}, 100, 100);
  const Pixel background = image.at(0, 0);
  EXPECT_LT(image.at(int(under.x), int(under.y)).r + 30, background.r);
  EXPECT_EQ(background, to_srgb(scene.background));
  // From below there is no ground.
  const Image below = render(scene, frame({0, -25}, Box{{-2, 0, -2}, {2, 1, 2}}, 1), 100, 100);
  int darker = 0;
  for (const Pixel& pixel : below.pixels()) darker += pixel.r < background.r;
  EXPECT_LT(darker, 1000);
}

TEST(Render, a_cut_out_has_a_background_of_glass) {
  Scene scene = plain_scene({rectangle({4, 4, 0}, {8.5, 12, 0}, red)});
  scene.background_alpha = 0;
  const Image image = render(scene, pixel_camera(16, 16), 16, 16);
  EXPECT_EQ(image.at(0, 0).a, 0);
  EXPECT_EQ(image.at(6, 8), (Pixel{255, 0, 0, 255}));
  // Half covered, but not half black.
  EXPECT_EQ(image.at(8, 8).r, 255);
  EXPECT_NEAR(image.at(8, 8).a, 128, 1);
}

TEST(Render, what_is_inside_shines_through) {
  Scene scene = plain_scene({rectangle({0, 0, 1}, {16, 16, 1}, green)});
  scene.inner = {rectangle({4, 4, -3}, {12, 12, -3}, red)};
  scene.inner[0].lit = false;
  scene.inner_opacity = 0.5F;
  const Image image = render(scene, pixel_camera(16, 16), 16, 16);
  EXPECT_NEAR(to_linear(image.at(8, 8).r), 0.5, 0.004);
  EXPECT_NEAR(to_linear(image.at(8, 8).g), 0.5, 0.004);
  EXPECT_EQ(image.at(1, 8), (Pixel{0, 255, 0, 255}));
}

TEST(Render, wires_follow_the_edges_of_polygons_and_not_their_diagonals) {
  Mesh mesh;
  mesh.positions = {{4, 4, 0}, {28, 4, 0}, {28, 28, 0}, {4, 28, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.polygons = {{0, 4}, {0, 1, 2, 3}};
  const auto drawn = [](const Mesh& m) {
    Drawable drawable = drawable_of(m);
    drawable.color = white;
    drawable.wire = true;
    drawable.wire_color = {0, 0, 0};
    drawable.wire_opacity = 1;
    return render(plain_scene({drawable}), pixel_camera(32, 32), 32, 32);
  };
  const Image quad = drawn(mesh);
  EXPECT_EQ(quad.at(16, 15).r, 255);
  EXPECT_LT(quad.at(16, 27).r, 200);
  mesh.polygons = {};
  EXPECT_LT(drawn(mesh).at(16, 15).r, 140);
}

TEST(Render, textures_are_the_right_way_up_and_let_through_what_they_should) {
  const auto picture = std::make_shared<Image>(2, 2);
  picture->at(0, 0) = {255, 0, 0, 255};
  picture->at(1, 0) = {0, 255, 0, 255};
  picture->at(0, 1) = {0, 0, 255, 255};
  picture->at(1, 1) = {9, 9, 9, 0};
  Drawable sheet = rectangle({0, 0, 0}, {16, 16, 0}, white);
  sheet.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  sheet.texture = picture;
  const Drawable behind = rectangle({0, 0, -1}, {16, 16, -1}, white);
  const Image image = render(plain_scene({sheet, behind}), pixel_camera(16, 16), 16, 16);
  EXPECT_GT(image.at(4, 4).r, 240);
  EXPECT_LT(image.at(4, 4).g, 80);
  EXPECT_GT(image.at(11, 4).g, 240);
  EXPECT_GT(image.at(4, 11).b, 240);
  EXPECT_GT(image.at(12, 12).r, 235);
  EXPECT_GT(image.at(12, 12).g, 235);
}

// Stripes much narrower than a pixel, along a line of the texture that has no width.
TEST(Render, stripes_finer_than_pixels_are_grey) {
  const auto stripes = std::make_shared<Image>(2, 1);
  stripes->at(0, 0) = {0, 0, 0, 255};
  stripes->at(1, 0) = {255, 255, 255, 255};
  Drawable sheet = rectangle({0, 0, 0}, {16, 16, 0}, white);
  sheet.uvs = {{0, 0.5}, {100, 0.5}, {100, 0.5}, {0, 0.5}};
  sheet.texture = stripes;
  const Image image = render(plain_scene({sheet}), pixel_camera(16, 16), 16, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) EXPECT_NEAR(image.at(x, y).g, 188, 1) << x << ", " << y;
  }
}

TEST(Render, bad_sizes_and_broken_surfaces_are_refused) {
  const Camera camera = pixel_camera(8, 8);
  const Scene scene = plain_scene({rectangle({0, 0, 0}, {4, 4, 0}, white)});
  EXPECT_EQ(wrong_usage([&] { render(scene, camera, 0, 8); }),
            "a picture cannot be 0 x 8 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(wrong_usage([&] { render(scene, camera, 8, -1); }),
            "a picture cannot be 8 x -1 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(wrong_usage([&] { render(scene, camera, 1 << 20, 8); }),
            "a picture cannot be 1048576 x 8 pixels; each side goes from 1 to 16384");
  Scene samples = scene;
  samples.samples = 3;
  EXPECT_EQ(wrong_usage([&] { render(samples, camera, 8, 8); }), "a pixel has 1, 4 or 8 samples");
  Scene index = scene;
  index.surfaces[0].triangles.push_back({0, 1, 4});
  EXPECT_EQ(bad_input([&] { render(index, camera, 8, 8); }),
            "triangle 2: there is no vertex 4; the last one is 3");
  Scene lost = scene;
  lost.surfaces[0].positions[2].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(bad_input([&] { render(lost, camera, 8, 8); }),
            "vertex 2: its position is not a finite number");
  Scene colors = scene;
  colors.surfaces[0].colors = {white};
  EXPECT_EQ(bad_input([&] { render(colors, camera, 8, 8); }),
            "colors: there are 1 for a surface of 4");
  EXPECT_EQ(wrong_usage([&] { render(scene, Camera{}, 8, 8); }),
            "the camera is not valid; make one with frame()");
}

TEST(Render, scenes_with_nothing_to_see_are_all_background) {
  Scene scene;
  scene.ground = true;
  Drawable dust;
  dust.positions = {{1, 1, 1}, {1, 1, 1}, {2, 2, 2}};
  dust.triangles = {{0, 1, 2}, {0, 0, 0}};
  for (const auto& surfaces : {std::vector<Drawable>{}, {Drawable{}}, {dust}}) {
    scene.surfaces = surfaces;
    const Image image = render(scene, frame({10, 10}, Box{{0, 5, 0}, {1, 6, 1}}, 1), 16, 16);
    for (const Pixel& pixel : image.pixels()) EXPECT_EQ(pixel, to_srgb(scene.background));
  }
}

}  // namespace
}  // namespace sinew
