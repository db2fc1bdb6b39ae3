// SPDX-License-Identifier: Apache-2.0
#include "apps/gallery/panels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

#include "apps/gallery/posing.h"
#include "sinew/image/read_image.h"
#include "sinew/samples/samples.h"

namespace sinew::gallery {
namespace {

TEST(GalleryLoop, one_that_runs_back_as_it_came_is_drawn_half_and_shows_the_same) {
  int drawn = 0;
  const auto shade_at = [&](double phase) {
    ++drawn;
    const auto shade = static_cast<std::uint8_t>(std::lround(400 * std::fabs(phase - 0.5)));
    return Sheet{Image(4, 3, {shade, 10, 20, 255}), {{"shade", 0, 0, 4, 3}}, 1};
  };
  for (const int frames : {1, 2, 5, 8}) {
    drawn = 0;
    const Picture whole = loop("shade", frames, 1, shade_at, "a shade", {});
    EXPECT_EQ(drawn, frames);
    drawn = 0;
    const Picture half = swing("shade", frames, 1, shade_at, "a shade", {});
    EXPECT_EQ(drawn, frames / 2 + 1) << frames;
    EXPECT_EQ(half.bytes, whole.bytes) << frames;
    EXPECT_EQ(half.tiles.size(), 1u);
  }
}

TEST(GalleryStripes, have_sharp_borders_on_the_arms_and_leave_the_rest_as_it_was) {
  const Rig plain = make_sample("mannequin", 4000);
  const auto skin = std::make_shared<Image>(decode_image(sample_looks("mannequin").at(0).picture));
  Rig rig = plain;
  const auto picture = paint_stripes(rig, arm_stripes(), skin);
  const auto pixel_at = [](const Image& image, const Vec2& uv) {
    return image.at(
        std::clamp(static_cast<int>(uv.x * image.width()), 0, image.width() - 1),
        std::clamp(static_cast<int>((1 - uv.y) * image.height()), 0, image.height() - 1));
  };
  const auto as_light = [](const Pixel& pixel) { return int{pixel.r} + pixel.g + pixel.b; };
  const Mesh& mesh = rig.mesh;
  ASSERT_EQ(mesh.uvs.corners.size(), 3 * mesh.triangles.size());
  // Of the middle of the left forearm.
  std::set<int> shades;
  std::size_t striped = 0, dark = 0;
  const Bone& forearm = rig.skeleton.bones[bone_number(rig.skeleton, "forearm.L")];
  const double size = distance(forearm.head, forearm.tail);
  for (std::size_t c = 0; c < mesh.uvs.corners.size(); ++c) {
    const Index v = mesh.triangles[c / 3][c % 3];
    const int now = as_light(pixel_at(*picture, mesh.uvs.values[mesh.uvs.corners[c]]));
    const int before = as_light(pixel_at(*skin, plain.mesh.uvs.values[v]));
    if (distance(mesh.positions[v], lerp(forearm.head, forearm.tail, 0.5)) < 0.3 * size) {
      shades.insert(now);
      ++striped;
      dark += now < before ? 1U : 0U;
    } else if (std::fabs(mesh.positions[v].x) < 0.1) {
      EXPECT_NEAR(now, before, 3) << v;
    }
  }
  EXPECT_EQ(shades.size(), 2u);
  EXPECT_GT(dark, striped / 3);
  EXPECT_LT(dark, 2 * striped / 3);
}

}  // namespace
}  // namespace sinew::gallery
