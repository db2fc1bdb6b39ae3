// SPDX-License-Identifier: Apache-2.0
// The pictures on the skin of samples, and the shapes of the head.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/image/read_image.h"
#include "sinew/samples/samples.h"

namespace sinew {
namespace {

Pixel picture_at(const Image& image, const Vec2& uv) {
  const auto at = [](double x, int size) {
    return std::clamp(static_cast<int>(x * size), 0, size - 1);
  };
  return image.at(at(uv.x, image.width()), at(1 - uv.y, image.height()));
}

// The vertex next to a place.
std::size_t vertex_next_to(const Mesh& mesh, const Vec3& place) {
  std::size_t best = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (distance(mesh.positions[v], place) < distance(mesh.positions[best], place)) best = v;
  }
  return best;
}

TEST(SampleLooks, a_mannequin_has_clothes_eyes_and_a_mouth_and_no_colours_of_vertices) {
  const auto looks = sample_looks("mannequin");
  ASSERT_EQ(looks.size(), 1u);
  const Image picture = decode_image(looks[0].picture);
  const Mesh mesh = make_sample("mannequin", 20000).mesh;
  EXPECT_TRUE(mesh.colors.empty());
  ASSERT_EQ(mesh.uvs.values.size(), mesh.vertex_count());
  for (const Vec2& uv : mesh.uvs.values) {
    EXPECT_TRUE(uv.x >= 0 && uv.x <= 1 && uv.y >= 0 && uv.y <= 1);
  }
  const auto seen = [&](const Vec3& place) {
    return picture_at(picture, mesh.uvs.values[vertex_next_to(mesh, place)]);
  };
  const Pixel skin = seen({0.3, 1.3, 0.05}), shirt = seen({0, 1.3, 0.1});
  const Pixel trousers = seen({0.1, 0.7, 0.1}), shoe = seen({0.13, 0.03, 0.1});
  const Pixel hair = seen({0, 1.8, -0.05}), eye = seen({0.031, 1.683, 0.1});
  for (const Pixel& other : {shirt, trousers, shoe, hair, eye}) EXPECT_FALSE(skin == other);
  EXPECT_FALSE(shirt == trousers);
  EXPECT_TRUE(seen({0.0, 1.15, 0.1}) == shirt);
  EXPECT_TRUE(seen({0.0, 1.66, 0.12}) == skin) << "a nose";
  // Both halves have the same places.
  EXPECT_TRUE(seen({-0.031, 1.683, 0.1}) == eye);
}

TEST(SampleLooks, samples_in_colours_have_none_and_unknown_names_are_refused) {
  EXPECT_TRUE(sample_looks("beast").empty());
  EXPECT_FALSE(make_sample("beast", 2000).mesh.colors.empty());
  EXPECT_THROW(sample_looks("unicorn"), UsageError);
}

TEST(SampleHead, shapes_do_what_their_names_say_and_are_symmetric) {
  const Rig rig = make_sample("head", 8000);
  ASSERT_EQ(rig.mesh.shapes.size(), 4u);
  const auto delta = [&](std::size_t shape, const Vec3& place) {
    const BlendShape& blend = rig.mesh.shapes[shape];
    const auto v = static_cast<Index>(vertex_next_to(rig.mesh, place));
    const auto found = std::lower_bound(blend.vertices.begin(), blend.vertices.end(), v);
    if (found == blend.vertices.end() || *found != v) return Vec3{};
    return blend.positions[found - blend.vertices.begin()];
  };
  const Vec3 corner{0.021, 0.1728, 0.09}, other{-0.021, 0.1728, 0.09}, chin{0, 0.15, 0.1},
      crown{0, 0.34, 0}, brow{0.014, 0.266, 0.1};
  EXPECT_EQ(rig.mesh.shapes[0].name, "smile");
  EXPECT_GT(delta(0, corner).y, 0.006);
  EXPECT_GT(delta(0, corner).x, 0.006);
  EXPECT_LT(delta(0, other).x, -0.006);
  EXPECT_EQ(rig.mesh.shapes[1].name, "frown");
  EXPECT_LT(delta(1, corner).y, -0.006);
  EXPECT_LT(delta(1, brow).y, -0.004);
  EXPECT_EQ(rig.mesh.shapes[2].name, "jaw");
  EXPECT_LT(delta(2, chin).y, -0.01);
  EXPECT_EQ(rig.mesh.shapes[3].name, "blink");
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(delta(k, crown), Vec3{});
  // Closed, what was seen of the eye is a line.
  double open = 0, closed = 0;
  const BlendShape& blink = rig.mesh.shapes[3];
  for (std::size_t i = 0; i < blink.vertices.size(); ++i) {
    const Vec3& p = rig.mesh.positions[blink.vertices[i]];
    const double x = (p.x - 0.031) / 0.0145, y = (p.y - 0.24) / 0.0088;
    if (x * x + y * y > 0.9 || std::fabs(x) > 0.5 || p.z < 0.0735) continue;
    open = std::max(open, std::fabs(p.y - 0.24 + 0.0035));
    closed = std::max(closed, std::fabs(p.y + blink.positions[i].y - 0.24 + 0.0035));
  }
  EXPECT_GT(open, 0.007);
  EXPECT_LT(closed, 0.001);
}

}  // namespace
}  // namespace sinew
