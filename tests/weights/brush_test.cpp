// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/brush.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skin/projection.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

double endpoint(const Skin& skin, std::size_t vertex, int bone) {
  for (std::size_t i = skin.weights.offsets[vertex]; i < skin.weights.offsets[vertex + 1]; ++i) {
    if (skin.weights.influences[i].bone == bone) return skin.endpoints[i];
  }
  return -1;
}

void expect_sound_with_endpoints(const Skin& skin, const Rig& rig) {
  expect_sound(skin, rig);
  EXPECT_EQ(skin.endpoints.size(), skin.weights.influences.size());
}

// A tube of three bones along x, and the point on its side at x = 1.5, in the middle of bone 1.
struct Scene {
  Rig rig = make_tube({.bones = 3, .rings = 81});
  WeightPainter painter{rig.mesh, rig.skeleton, skin_of(rig)};
  Vec3 place{1.5, 0.2, 0};
  SurfacePoint at = *painter.nearest(place);
};

TEST(Brush, adds_with_a_fall_off_and_leaves_the_rest_alone) {
  Scene s;
  const Brush brush{.bone = 0, .radius = 0.3, .strength = 0.5};
  const std::span<const Index> changed = s.painter.dab(brush, s.at);
  EXPECT_FALSE(changed.empty());
  EXPECT_TRUE(std::is_sorted(changed.begin(), changed.end()));
  const Skin skin = s.painter.skin();
  expect_sound_with_endpoints(skin, s.rig);
  double largest = 0;
  for (std::size_t v = 0; v < s.rig.mesh.vertex_count(); ++v) {
    const Vec3& p = s.rig.mesh.positions[v];
    const double along = std::hypot(p.x - 1.5, 0.2 * std::acos(std::clamp(p.y / 0.2, -1.0, 1.0)));
    const double added = weight_of(skin, v, 0) - weight_of(Skin{s.rig.skin.weights, {}, {}}, v, 0);
    if (along > 0.31) {
      EXPECT_EQ(added, 0) << v;
    } else if (weight_of(skin, v, 2) == 0) {
      const double share = std::min(along / 0.3, 1.0);
      EXPECT_NEAR(added, 0.5 * std::pow(1 - share * share, 2), 0.006) << v;
    }
    largest = std::max(largest, added);
  }
  EXPECT_NEAR(largest, 0.5, 1e-12);
}

TEST(Brush, subtracts_and_replaces) {
  Scene s;
  Brush brush{.bone = 0, .radius = 0.3, .strength = 1, .falloff = Falloff::constant};
  brush.mode = PaintMode::replace;
  brush.value = 0.25;
  const std::span<const Index> changed = s.painter.dab(brush, s.at);
  ASSERT_FALSE(changed.empty());
  const Index v = changed.front();
  EXPECT_NEAR(weight_of(s.painter.skin(), v, 0), 0.25, 1e-15);
  brush.mode = PaintMode::subtract;
  brush.strength = 0.125;
  s.painter.dab(brush, s.at);
  EXPECT_NEAR(weight_of(s.painter.skin(), v, 0), 0.125, 1e-15);
  brush.strength = 1;
  s.painter.dab(brush, s.at);
  EXPECT_EQ(weight_of(s.painter.skin(), v, 0), 0);
  for (const Influence& i : s.painter.row(v)) EXPECT_GT(i.weight, 0);
  expect_sound_with_endpoints(s.painter.skin(), s.rig);
}

TEST(Brush, locked_bones_keep_their_weights) {
  Scene s;
  s.at = *s.painter.nearest({1, 0.2, 0});  // between bones 0 and 1
  Locks locks;
  locks.set(1);
  s.painter.set_locks(locks);
  Brush brush{.bone = 2, .radius = 0.4, .strength = 1};
  EXPECT_FALSE(s.painter.dab(brush, s.at).empty());
  brush.bone = 1;
  EXPECT_TRUE(s.painter.dab(brush, s.at).empty());
  brush.target = PaintTarget::endpoints;
  EXPECT_TRUE(s.painter.dab(brush, s.at).empty());
  brush.target = PaintTarget::bone_weights;
  brush.mode = PaintMode::smooth;
  s.painter.dab(brush, s.at);
  const Skin skin = s.painter.skin();
  expect_sound_with_endpoints(skin, s.rig);
  for (std::size_t v = 0; v < s.rig.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(skin, v, 1), weight_of(Skin{s.rig.skin.weights, {}, {}}, v, 1)) << v;
  }
}

TEST(Brush, smoothing_lowers_steps) {
  Scene s;
  s.painter.dab({.mode = PaintMode::replace,
                 .bone = 0,
                 .radius = 0.2,
                 .strength = 1,
                 .falloff = Falloff::constant},
                s.at);
  const auto roughness = [&] {
    const Skin skin = s.painter.skin();
    double sum = 0;
    for (const Triangle& t : s.rig.mesh.triangles) {
      sum += std::pow(weight_of(skin, t[0], 0) - weight_of(skin, t[1], 0), 2);
    }
    return sum;
  };
  const double before = roughness();
  for (int i = 0; i < 5; ++i) {
    s.painter.dab({.mode = PaintMode::smooth, .radius = 0.5, .strength = 1}, s.at);
  }
  EXPECT_LT(roughness(), 0.5 * before);
  expect_sound_with_endpoints(s.painter.skin(), s.rig);
}

TEST(Brush, sharpening_gives_more_to_what_has_more) {
  Scene s;
  const SurfacePoint at = *s.painter.nearest({1, 0.2, 0});  // between bones 0 and 1
  const Skin before = s.painter.skin();
  Brush brush{.mode = PaintMode::sharpen, .bone = 2, .radius = 0.4, .strength = 1};
  brush.falloff = Falloff::constant;
  const std::span<const Index> dab = s.painter.dab(brush, at);
  const std::vector<Index> changed(dab.begin(), dab.end());
  ASSERT_FALSE(changed.empty());
  const Skin after = s.painter.skin();
  expect_sound_with_endpoints(after, s.rig);
  for (const Index v : changed) {
    const double a = weight_of(before, v, 0);
    const double b = weight_of(before, v, 1);
    const double c = weight_of(before, v, 2);
    EXPECT_NEAR(weight_of(after, v, 0), a * a / (a * a + b * b + c * c), 1e-14) << v;
    EXPECT_EQ(endpoint(after, v, 1), endpoint(before, v, 1)) << v;
  }
  for (int i = 0; i < 12; ++i) s.painter.dab(brush, at);
  for (const Index v : changed) {
    if (std::fabs(weight_of(before, v, 0) - weight_of(before, v, 1)) < 0.05) continue;
    const bool is_first = weight_of(before, v, 0) > weight_of(before, v, 1);
    EXPECT_NEAR(weight_of(s.painter.skin(), v, is_first ? 0 : 1), 1, 1e-9) << v;
  }
}

TEST(Brush, sharpening_leaves_locked_bones_and_shares_the_rest) {
  Scene s;
  const SurfacePoint at = *s.painter.nearest({1, 0.2, 0});
  s.painter.dab({.bone = 2, .radius = 0.4, .strength = 0.3}, at);
  const Skin before = s.painter.skin();
  Locks locks;
  locks.set(1);
  s.painter.set_locks(locks);
  EXPECT_FALSE(
      s.painter.dab({.mode = PaintMode::sharpen, .radius = 0.4, .strength = 1}, at).empty());
  const Skin after = s.painter.skin();
  expect_sound_with_endpoints(after, s.rig);
  for (std::size_t v = 0; v < s.rig.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(after, v, 1), weight_of(before, v, 1)) << v;
    if (weight_of(before, v, 2) < weight_of(before, v, 0)) {
      EXPECT_LE(weight_of(after, v, 2), weight_of(before, v, 2) + 1e-15) << v;
    }
  }
}

TEST(Brush, sharpening_endpoint_weights_moves_them_to_the_nearer_end) {
  Scene s;
  const Skin before = s.painter.skin();
  const Brush brush{.target = PaintTarget::endpoints,
                    .mode = PaintMode::sharpen,
                    .bone = 1,
                    .radius = 0.6,
                    .strength = 1,
                    .falloff = Falloff::constant};
  const std::span<const Index> changed = s.painter.dab(brush, s.at);
  ASSERT_FALSE(changed.empty());
  const Skin after = s.painter.skin();
  for (const Index v : changed) {
    const double e = endpoint(before, v, 1);
    EXPECT_NEAR(endpoint(after, v, 1), e * e / (e * e + (1 - e) * (1 - e)), 1e-15) << v;
  }
}

TEST(Brush, does_not_reach_the_sheet_behind) {
  Surface sheets = unit_sphere(12, 16);
  const std::size_t first = sheets.positions.size();
  append(sheets, moved(unit_sphere(12, 16), 0.999, {}));
  Mesh mesh;
  mesh.positions = sheets.positions;
  mesh.triangles = sheets.triangles;
  const Skeleton skeleton =
      skeleton_from_segments(std::vector<Vec3>{{0, 0, -1}, {0, 0, 0}, {0, 0, 1}},
                             std::vector<std::array<int, 2>>{{0, 1}, {1, 2}});
  Skin skin;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    skin.weights.push_row(std::vector<Influence>{{0, 1.0}});
  }
  WeightPainter painter(mesh, skeleton, skin);
  const auto at = painter.pick({{3, 0.1, 0.2}, {-1, 0, 0}});
  ASSERT_TRUE(at.has_value());
  const std::span<const Index> changed = painter.dab({.bone = 1, .radius = 1}, *at);
  EXPECT_GT(changed.size(), 20u);
  for (const Index v : changed) EXPECT_LT(v, first);
}

TEST(Brush, seams_are_painted_as_if_they_were_not_there) {
  Scene whole;
  Rig split = whole.rig;
  const Surface parts = exploded({whole.rig.mesh.positions, whole.rig.mesh.triangles});
  split.mesh.positions = parts.positions;
  split.mesh.triangles = parts.triangles;
  split.skin.weights = {};
  std::vector<Index> original;
  for (const Triangle& t : whole.rig.mesh.triangles) {
    for (const Index v : t) {
      original.push_back(v);
      split.skin.weights.push_row(whole.rig.skin.weights.row(v));
    }
  }
  split.skin.endpoints =
      projection_endpoints(split.mesh.positions, split.skeleton, split.skin.weights);
  WeightPainter painter(split.mesh, split.skeleton, skin_of(split));
  for (const PaintMode mode : {PaintMode::add, PaintMode::smooth}) {
    const Brush brush{.mode = mode, .bone = 2, .radius = 0.4};
    whole.painter.dab(brush, whole.at);
    painter.dab(brush, *painter.nearest(whole.place));
  }
  const Skin a = whole.painter.skin();
  const Skin b = painter.skin();
  for (std::size_t v = 0; v < original.size(); ++v) {
    for (int bone = 0; bone < 3; ++bone) {
      EXPECT_NEAR(weight_of(a, original[v], bone), weight_of(b, v, bone), 1e-12);
      EXPECT_NEAR(endpoint(a, original[v], bone), endpoint(b, v, bone), 1e-12);
    }
  }
}

TEST(Brush, undo_and_redo_take_whole_strokes) {
  Scene s;
  const Skin first = s.painter.skin();
  const Brush brush{.bone = 0, .radius = 0.3};
  s.painter.begin_stroke();
  s.painter.dab(brush, s.at);
  s.painter.dab(brush, *s.painter.nearest({1.6, 0.2, 0}));
  s.painter.end_stroke();
  const Skin second = s.painter.skin();
  s.painter.dab(brush, *s.painter.nearest({2.5, 0.2, 0}));
  const Skin third = s.painter.skin();
  EXPECT_TRUE(s.painter.undo());
  EXPECT_EQ(s.painter.skin(), second);
  EXPECT_TRUE(s.painter.undo());
  EXPECT_EQ(s.painter.skin(), first);
  EXPECT_FALSE(s.painter.undo());
  EXPECT_TRUE(s.painter.redo());
  EXPECT_EQ(s.painter.skin(), second);
  EXPECT_TRUE(s.painter.redo());
  EXPECT_EQ(s.painter.skin(), third);
  EXPECT_FALSE(s.painter.redo());
  s.painter.undo();
  s.painter.dab(brush, s.at);
  EXPECT_FALSE(s.painter.can_redo());
  EXPECT_TRUE(s.painter.can_undo());
}

TEST(Brush, endpoint_weights_are_painted_only_where_the_bone_has_weight) {
  Scene s;
  const Skin before = s.painter.skin();
  const Brush brush{.target = PaintTarget::endpoints,
                    .bone = 1,
                    .radius = 5,
                    .strength = 1,
                    .falloff = Falloff::constant};
  s.painter.dab(brush, s.at);
  const Skin after = s.painter.skin();
  EXPECT_EQ(after.weights, before.weights);
  for (std::size_t i = 0; i < after.endpoints.size(); ++i) {
    const bool painted = after.weights.influences[i].bone == 1;
    EXPECT_EQ(after.endpoints[i], painted ? 1 : before.endpoints[i]);
  }
  Brush twist = brush;
  twist.target = PaintTarget::twist_endpoints;
  EXPECT_EQ(wrong_usage([&] { s.painter.dab(twist, s.at); }),
            "the skin has no endpoint weights of this kind to paint; compute them first");
}

TEST(Brush, smoothing_endpoint_weights_evens_out_a_spike) {
  Scene s;
  Brush brush{.target = PaintTarget::endpoints,
              .mode = PaintMode::replace,
              .bone = 1,
              .value = 0,
              .radius = 0.02,
              .strength = 1,
              .falloff = Falloff::constant};
  const std::span<const Index> changed = s.painter.dab(brush, s.at);
  ASSERT_FALSE(changed.empty());
  const Index spike = changed.front();
  brush.mode = PaintMode::smooth;
  s.painter.dab(brush, s.at);
  EXPECT_NEAR(endpoint(s.painter.skin(), spike, 1), endpoint(skin_of(s.rig), spike, 1), 1e-12);
}

TEST(Brush, the_mirrored_dab_is_for_the_mirrored_bone) {
  // The tube across the plane x = 1.5: bones 0 and 2 are images of each other, turned round.
  Rig rig = make_tube({.bones = 3, .rings = 81});
  WeightPainter painter(rig.mesh, rig.skeleton, skin_of(rig), {{1.5, 0, 0}, {1, 0, 0}});
  for (const double x : {0.9, 1.45}) {
    painter.dab({.bone = 0, .radius = 0.35, .mirror = true}, *painter.nearest({x, 0.2, 0}));
    painter.dab({.bone = 1, .radius = 0.25, .mirror = true}, *painter.nearest({x, 0, 0.2}));
  }
  painter.dab({.target = PaintTarget::endpoints, .bone = 0, .radius = 0.3, .mirror = true},
              *painter.nearest({0.4, 0.2, 0}));
  const Skin skin = painter.skin();
  expect_sound_with_endpoints(skin, rig);
  EXPECT_NE(skin.weights, rig.skin.weights);
  for (std::size_t ring = 0; ring < 81; ++ring) {
    for (std::size_t side = 0; side < 16; ++side) {
      const std::size_t v = ring * 16 + side;
      const std::size_t image = (80 - ring) * 16 + side;
      EXPECT_NEAR(weight_of(skin, v, 0), weight_of(skin, image, 2), 1e-9) << ring << " " << side;
      EXPECT_NEAR(weight_of(skin, v, 1), weight_of(skin, image, 1), 1e-9) << ring << " " << side;
      if (weight_of(skin, v, 0) > 1e-9) {
        EXPECT_NEAR(endpoint(skin, v, 0), 1 - endpoint(skin, image, 2), 1e-9);
      }
    }
  }
}

TEST(Brush, an_uncovered_vertex_becomes_covered) {
  Rig rig = make_tube({.bones = 3, .rings = 81});
  Skin skin;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) skin.weights.push_row({});
  WeightPainter painter(rig.mesh, rig.skeleton, skin);
  const auto changed =
      painter.dab({.bone = 1, .radius = 0.3, .strength = 0.1}, *painter.nearest({1.5, 0.2, 0}));
  ASSERT_FALSE(changed.empty());
  for (const Index v : changed) EXPECT_EQ(painter.row(v), (std::vector<Influence>{{1, 1}}));
}

TEST(Brush, what_cannot_be_is_refused) {
  Scene s;
  EXPECT_EQ(wrong_usage([&] { s.painter.dab({.bone = 3}, s.at); }),
            "there is no bone 3 to paint; there are 3 bones");
  EXPECT_EQ(wrong_usage([&] { s.painter.dab({.radius = 0}, s.at); }),
            "a brush has a positive radius");
  EXPECT_EQ(wrong_usage([&] { s.painter.dab({.strength = 2}, s.at); }),
            "a brush's strength and value are numbers from 0 to 1");
  SurfacePoint nowhere = s.at;
  nowhere.triangle = 1u << 30;
  EXPECT_EQ(wrong_usage([&] { s.painter.dab({}, nowhere); }),
            "there is no triangle 1073741824 to paint at");
  EXPECT_FALSE(s.painter.can_undo());
}

}  // namespace
}  // namespace sinew
