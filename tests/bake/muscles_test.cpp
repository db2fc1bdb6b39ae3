// SPDX-License-Identifier: Apache-2.0
// Muscles in engines: a blend shape each, whose weight has a track.
#include <gtest/gtest.h>

#include "sinew/bake/bake.h"
#include "sinew/bake/morph.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/io/gltf.h"
#include "tests/support/comparing.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// The second bone is pulled to half its length, and the first swells as it bends.
Rig muscle_clip() {
  Rig rig = make_tube({.bones = 3, .rings = 121, .sides = 8});
  rig.skin.muscles.resize(3);
  rig.skin.muscles[1].stretch = 1;
  rig.skin.muscles[0].angle =
      MuscleAngle{.joint = rig.skeleton.bones[1].joint, .end = 60, .gain = 0.5};
  rig.skin.muscles[0].side = Vec3{0, 1, 0};
  TranslationChannel pull{2, {}};
  pull.curve.times = {0, 2};
  pull.curve.values = {{1, 0, 0}, {0.5, 0, 0}};
  RotationChannel bend{1, {}};
  Curve<Quat> turns;
  turns.times = {0, 1, 2};
  for (const double angle : {0.0, 20.0, 40.0}) {
    turns.values.push_back(rotation_about(Vec3{0, 0, 1}, radians(angle)));
  }
  bend.curve = turns;
  rig.clips = {{"flex", {pull, bend}}};
  return rig;
}

// As an engine plays it: blend shapes, then linear blending of the joints' matrices.
std::vector<Vec3> as_engines_play(const Rig& rig, double time) {
  const Pose pose = pose_at(rig, rig.clips[0], time);
  return deform_reference(rig, bone_states(rig, pose), pose.shapes, method_from_name("lbs", rig))
      .positions;
}

TEST(BakeMuscles, engines_play_them_as_blend_shapes) {
  const Rig rig = muscle_clip();
  const Baked baked = bake(rig, {.max_error_percent = 1, .influences = 0});
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
  EXPECT_TRUE(baked.rig.skin.muscles.empty());
  ASSERT_EQ(baked.rig.mesh.shapes.size(), 2u);
  EXPECT_EQ(baked.rig.mesh.shapes[0].name, "bulge_bone0");
  EXPECT_EQ(baked.rig.mesh.shapes[1].name, "bulge_bone1");
  Rig still = baked.rig;
  for (BlendShape& shape : still.mesh.shapes) {
    for (Vec3& move : shape.positions) move = {};
  }
  for (const double time : {0.0, 0.6, 1.3, 2.0}) {
    const std::vector<Vec3> truth = deform_reference(rig, bone_states(rig, rig.clips[0], time), {},
                                                     method_from_name("stbs-lbs", rig))
                                        .positions;
    const double size = bounding_box(truth).diagonal();
    EXPECT_LT(largest_difference(as_engines_play(baked.rig, time), truth), 1e-3 * size) << time;
    if (time > 1) {
      EXPECT_GT(largest_difference(as_engines_play(still, time), truth), 1e-2 * size) << time;
    }
  }
}

// Blender's sliders go from 0 to 1: what gets thinner, or is driven beyond 1, needs shapes of its
// own.
TEST(BakeMuscles, weights_stay_within_0_and_1) {
  Rig rig = muscle_clip();
  rig.skin.muscles[0].angle->gain = 2.5;
  auto& pull = std::get<TranslationChannel>(rig.clips[0].channels[0]);
  pull.curve.values = {{0.6, 0, 0}, {1.7, 0, 0}};  // swells, and then gets thinner
  const Baked baked = bake(rig, {.max_error_percent = 1, .influences = 0});
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
  ASSERT_EQ(baked.rig.mesh.shapes.size(), 3u);
  EXPECT_EQ(baked.rig.mesh.shapes[2].name, "thin_bone1");
  std::vector<double> most(3, 0.0);
  for (const double time : {0.0, 0.3, 0.7, 0.73, 0.76, 1.0, 1.3, 1.9, 2.0}) {
    const Pose pose = pose_at(baked.rig, baked.rig.clips[0], time);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(pose.shapes[k], 0) << k << " at " << time;
      EXPECT_LE(pose.shapes[k], 1) << k << " at " << time;
      most[k] = std::max(most[k], pose.shapes[k]);
    }
    const std::vector<Vec3> truth = deform_reference(rig, bone_states(rig, rig.clips[0], time), {},
                                                     method_from_name("stbs-lbs", rig))
                                        .positions;
    EXPECT_LT(largest_difference(as_engines_play(baked.rig, time), truth),
              1e-3 * bounding_box(truth).diagonal())
        << time;
  }
  for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(most[k], 0.1) << k;
}

TEST(BakeMuscles, files_keep_them) {
  const Model model = parse_gltf(to_glb({muscle_clip(), nullptr}));
  ASSERT_FALSE(model.rig.skin.muscles.empty());
  const Baked baked = bake(model.rig, {.segments = 3, .influences = 0});
  const Rig read = parse_gltf(to_glb({baked.rig, model.source})).rig;
  EXPECT_TRUE(read.skin.muscles.empty());
  ASSERT_EQ(read.mesh.shapes.size(), 2u);
  EXPECT_EQ(read.mesh.shapes[1].name, "bulge_bone1");
  for (const double time : {0.5, 2.0}) {
    const std::vector<Vec3> expected = as_engines_play(baked.rig, time);
    EXPECT_LT(largest_difference(as_engines_play(read, time), expected),
              1e-4 * bounding_box(expected).diagonal())
        << time;
  }
}

TEST(BakeMuscles, shapes_of_the_model_stay_before_them) {
  Rig rig = muscle_clip();
  BlendShape wide;
  wide.name = "wide";
  wide.positions.assign(rig.mesh.vertex_count(), {0, 0, 0.01});
  rig.mesh.shapes = {wide};
  const Baked baked = bake(rig, {.segments = 2});
  ASSERT_EQ(baked.rig.mesh.shapes.size(), 3u);
  EXPECT_EQ(baked.rig.mesh.shapes[0], wide);
}

TEST(BakeMuscles, clips_become_shapes_with_their_bulges) {
  const Rig rig = muscle_clip();
  Rig weak = rig;
  weak.skin.muscles.clear();
  const auto last = [](const Rig& made) {
    const Morphed baked = bake_morph(made, made.clips[0], method_from_name("stbs-dqs", made));
    return blend_shapes(baked.rig.mesh, pose_at(baked.rig, baked.rig.clips[0], 2).shapes).positions;
  };
  EXPECT_GT(largest_difference(last(rig), last(weak)), 0.02);
}

}  // namespace
}  // namespace sinew
