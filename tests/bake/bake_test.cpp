// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/bake.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/deform.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/samples/samples.h"
#include "tests/support/assets.h"
#include "tests/support/comparing.h"
#include "tests/support/plain_skinning.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

constexpr double radius = 0.2;

// Two bones; over two seconds the second joint turns by `degrees` about the tube, all of which the
// first bone takes over, and moves to 1.5 times its distance.
Rig twisted_tube(double degrees, bool stretched = true) {
  Rig rig = make_tube({.radius = radius, .rings = 241, .sides = 8});
  rig.skeleton.joints[1].twist_shares = TwistShares{1, 0};
  RotationChannel turn{1, {}};
  Curve<Quat> turns;
  for (int i = 0; i <= 16; ++i) {
    turns.times.push_back(i / 8.0);
    turns.values.push_back(rotation_about(Vec3{1, 0, 0}, radians(degrees) * i / 16));
  }
  turn.curve = turns;
  TranslationChannel move{1, {}};
  move.curve.times = {0, 2};
  move.curve.values = {{1, 0, 0}, {stretched ? 1.5 : 1, 0, 0}};
  rig.clips = {{"twist", {turn, move}}};
  return rig;
}

std::vector<Vec3> truth(const Rig& rig, double time, std::size_t clip = 0) {
  return deform_reference(rig, bone_states(rig, rig.clips[clip], time),
                          pose_at(rig, rig.clips[clip], time).shapes,
                          method_from_name("stbs-lbs", rig))
      .positions;
}

std::vector<Vec3> plain_skinning(const Rig& rig, double time, std::size_t clip = 0) {
  return plain_skinning(rig, bone_maps(rig, pose_at(rig, rig.clips[clip], time)));
}

TEST(Bake, endpoint_weights_are_solved_only_where_bones_are_split) {
  const auto baked_stages = [](Rig rig, const BakeOptions& options, Baked& baked) {
    rig.skin.endpoints.clear();
    std::set<std::string> stages;
    baked = bake(rig, options, Progress([&](std::string_view stage, double) {
                   stages.insert(std::string(stage));
                   return true;
                 }));
    return stages;
  };
  Baked still, solved, twisted;
  const Rig at_rest = twisted_tube(0, false);
  EXPECT_EQ(baked_stages(at_rest, {}, still).count("endpoint weights"), 0u);
  EXPECT_EQ(baked_stages(at_rest, {.replace_endpoints = true}, solved).count("endpoint weights"),
            1u);
  EXPECT_EQ(baked_stages(twisted_tube(120), {}, twisted).count("endpoint weights"), 1u);
  EXPECT_GT(twisted.rig.skeleton.bones.size(), at_rest.skeleton.bones.size());
  EXPECT_EQ(still.rig.skeleton.bones.size(), at_rest.skeleton.bones.size());
  EXPECT_EQ(still.rig.skin, solved.rig.skin);
  // The same as with the endpoint weights at hand.
  Rig whole = with_weights([&] {
    Rig rig = twisted_tube(120);
    rig.skin.endpoints.clear();
    return rig;
  }());
  EXPECT_EQ(bake(whole).rig.skin, twisted.rig.skin);
}

TEST(Bake, machines_get_no_helpers) {
  Rig rig = twisted_tube(120);
  Weights one_bone;
  for (std::size_t v = 0; v < rig.skin.weights.vertex_count(); ++v) {
    const int bone = rig.mesh.positions[v].x < 1 ? 0 : 1;
    one_bone.push_row(std::vector{Influence{bone, 1}});
  }
  rig.skin.weights = one_bone;
  rig.skin.endpoints.clear();
  rig.skeleton.joints[1].twist_shares.reset();
  const Baked baked = bake(rig, {});
  EXPECT_TRUE(baked.report.bones.empty());
  EXPECT_EQ(baked.rig.skeleton.bones.size(), 2u);
  EXPECT_LT(largest_difference(truth(rig, 2), plain_skinning(rig, 2)), 1e-12);
}

TEST(Bake, the_loss_between_helpers_is_the_cosine_of_half_their_step) {
  const Rig rig = twisted_tube(180);
  for (const int n : {2, 4, 8}) {
    const Baked baked = bake(rig, {.segments = n, .influences = 0});
    const double expected = 1 - std::cos(pi / n / 2);
    const double measured =
        largest_difference(truth(rig, 2), plain_skinning(baked.rig, 2)) / radius;
    EXPECT_NEAR(measured, expected, 1e-6) << n;
    // The limb's radius is that of all its vertices, and keys are within a tolerance.
    EXPECT_NEAR(baked.report.max_error_percent / 100, expected, 1e-2 * expected) << n;
  }
}

// A wrist turned by 180 degrees, all of which the forearm takes over, and pulled to 1.5 times its
// distance.
TEST(Bake, on_an_arm_it_falls_with_the_number_of_segments_as_on_a_tube) {
  Rig rig = make_sample("arm", 3000);
  const int hand = find_joint(rig.skeleton, "hand");
  Joint& wrist = rig.skeleton.joints[hand];
  wrist.twist_shares = TwistShares{1, 0};
  RotationChannel turn{hand, {}};
  Curve<Quat> turns;
  for (int i = 0; i <= 8; ++i) {
    turns.times.push_back(i / 8.0);
    turns.values.push_back(rotation_about(normalized(wrist.rest.translation), pi * i / 8) *
                           wrist.rest.rotation);
  }
  turn.curve = turns;
  TranslationChannel move{hand, {}};
  move.curve.times = {0, 1};
  move.curve.values = {wrist.rest.translation, 1.5 * wrist.rest.translation};
  rig.clips = {{"wrist", {turn, move}}};

  const std::vector<Vec3> exact = truth(rig, 1);
  std::vector<double> errors;
  for (const int n : {2, 4, 8}) {
    const Baked baked = bake(rig, {.segments = n, .influences = 0});
    errors.push_back(largest_difference(exact, plain_skinning(baked.rig, 1)));
  }
  const auto loss = [](int n) { return 1 - std::cos(pi / n / 2); };
  EXPECT_NEAR(errors[0] / errors[1], loss(2) / loss(4), 0.15 * loss(2) / loss(4));
  EXPECT_NEAR(errors[1] / errors[2], loss(4) / loss(8), 0.15 * loss(4) / loss(8));
  EXPECT_GT(largest_difference(exact, plain_skinning(rig, 1)), 2 * errors[0]);
  const Baked bounded = bake(rig, {.max_error_percent = 2});
  EXPECT_LT(bounded.report.max_error_percent, 2) << to_text(bounded.report);
}

TEST(Bake, an_error_bound_is_met_at_every_moment_and_not_by_far) {
  const Rig rig = twisted_tube(180);
  const Baked baked = bake(rig, {.max_error_percent = 2});
  EXPECT_TRUE(is_within_bound(baked.report));
  double worst = 0;
  for (int i = 0; i <= 20; ++i) {
    const double time = 2 * i / 20.0 + (i < 20 ? 0.013 : 0);
    worst = std::max(worst, largest_difference(truth(rig, time), plain_skinning(baked.rig, time)));
  }
  EXPECT_LT(worst / radius, 0.02);
  EXPECT_GT(worst / radius, 0.01);
  EXPECT_LT(baked.report.max_error_percent, 2);
  EXPECT_GT(100 * largest_difference(truth(rig, 2), plain_skinning(rig, 2)) / radius, 100);
}

TEST(Bake, twists_of_more_than_a_turn_are_followed) {
  const Rig rig = twisted_tube(540);
  const Baked baked = bake(rig, {.max_error_percent = 3});
  EXPECT_NEAR(baked.report.bones.front().twist, 540, 1e-6);
  for (const double time : {0.5, 1.0, 1.7, 2.0}) {
    EXPECT_LT(largest_difference(truth(rig, time), plain_skinning(baked.rig, time)), 0.03 * radius);
  }
}

TEST(Bake, stretch_alone_needs_one_segment_and_loses_nothing) {
  const Rig rig = twisted_tube(0);
  const Baked baked = bake(rig, {.key_tolerance = 1e-7});
  ASSERT_EQ(baked.report.bones.size(), 1u);
  EXPECT_EQ(baked.report.bones.front().segments, 1);
  EXPECT_NEAR(baked.report.bones.front().longest, 1.5, 1e-9);
  for (const double time : {0.3, 1.0, 2.0}) {
    EXPECT_LT(largest_difference(truth(rig, time), plain_skinning(baked.rig, time)), 1e-6);
  }
}

TEST(Bake, filters_are_part_of_the_weights) {
  Rig rig = twisted_tube(180);
  const FilterCurve steep{{{0.3, 0}, {0.5, 0.8}, {0.7, 1}}};
  rig.skin.filters = {{steep, steep}, {}};
  const Baked baked = bake(rig, {.segments = 8, .influences = 0});
  EXPECT_TRUE(baked.rig.skin.filters.empty());
  const double error = largest_difference(truth(rig, 2), plain_skinning(baked.rig, 2));
  EXPECT_LE(error, radius * (1 - std::cos(pi / 16)) * 1.001);
}

TEST(Bake, stretch_with_endpoint_weights_of_its_own_is_fitted) {
  Rig rig = twisted_tube(90);
  rig.skin.twist_endpoints = rig.skin.endpoints;
  for (double& e : rig.skin.twist_endpoints) e = 0.2 + 0.6 * e;
  const Baked baked = bake(rig, {.segments = 10, .influences = 0, .key_tolerance = 1e-6});
  // e = 0.2 and 0.8 are nodes, so that the two are one line over the other there.
  EXPECT_LT(largest_difference(truth(rig, 2), plain_skinning(baked.rig, 2)), 0.01 * radius);
}

TEST(Bake, helpers_are_leaves_below_their_bone_that_never_scale) {
  const Rig rig = make_sample("arm", 800);
  const Baked baked = bake(rig);
  const Skeleton& skeleton = baked.rig.skeleton;
  const std::size_t joints = rig.skeleton.joints.size();
  ASSERT_EQ(skeleton.joints.size() - joints, baked.report.helpers);
  ASSERT_GT(baked.report.helpers, 10u);
  const auto children = children_of(skeleton);
  std::set<std::string> names;
  std::size_t next = joints;
  for (const BakedBone& bone : baked.report.bones) {
    for (int k = 0; k <= bone.segments; ++k, ++next) {
      const Joint& helper = skeleton.joints[next];
      EXPECT_TRUE(children[next].empty());
      EXPECT_EQ(helper.parent, rig.skeleton.bones[bone.bone].joint);
      EXPECT_EQ(helper.rest.scale, (Vec3{1, 1, 1}));
      EXPECT_EQ(helper.name.find(bone.name), 0u);
      EXPECT_TRUE(names.insert(helper.name).second);
    }
  }
  ASSERT_EQ(baked.rig.clips.size(), rig.clips.size());
  for (const Clip& clip : baked.rig.clips) {
    for (const Channel& channel : clip.channels) {
      EXPECT_FALSE(std::holds_alternative<ScaleChannel>(channel));
    }
  }
}

TEST(Bake, what_the_rig_had_comes_first_and_unchanged) {
  const Rig rig = make_sample("arm", 800);
  const Baked baked = bake(rig);
  for (std::size_t j = 0; j < rig.skeleton.joints.size(); ++j) {
    EXPECT_EQ(baked.rig.skeleton.joints[j], rig.skeleton.joints[j]);
  }
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    EXPECT_EQ(baked.rig.skeleton.bones[b], rig.skeleton.bones[b]);
  }
  for (std::size_t c = 0; c < rig.clips.size(); ++c) {
    const std::vector<Channel>&before = rig.clips[c].channels, &after = baked.rig.clips[c].channels;
    ASSERT_GT(after.size(), before.size());
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
  }
  EXPECT_EQ(baked.rig.mesh, rig.mesh);
  EXPECT_NO_THROW(validate(baked.rig));
}

TEST(Bake, rows_sum_to_one_and_keep_to_the_limit) {
  const Rig rig = make_sample("arm", 800);
  for (const std::size_t limit : {1u, 3u, 4u, 8u}) {
    const Baked baked = bake(rig, {.influences = limit});
    EXPECT_LE(baked.report.max_influences, limit);
    for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
      double sum = 0;
      EXPECT_LE(baked.rig.skin.weights.row(v).size(), limit);
      for (const Influence& influence : baked.rig.skin.weights.row(v)) sum += influence.weight;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(Bake, the_reported_error_holds_through_a_file_and_plain_skinning) {
  const Rig rig = make_sample("arm", 800);
  const Baked baked = bake(rig, {.influences = 8});
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
  const Rig read = parse_gltf(to_glb({baked.rig, nullptr})).rig;
  const double box = bounding_box(rig.mesh.positions).diagonal();
  for (std::size_t clip = 0; clip < rig.clips.size(); ++clip) {
    for (int i = 0; i <= 10; ++i) {
      const double time = duration(rig.clips[clip]) * i / 10;
      const double error =
          100 * largest_difference(truth(rig, time, clip), plain_skinning(read, time, clip)) / box;
      // Moments between those measured may be a little worse.
      EXPECT_LT(error, 1.1 * baked.report.max_error_box_percent + 1e-3);
    }
  }
}

TEST(Bake, generalized_bones_become_tracks) {
  const Rig rig = make_sample("mannequin", 1500);
  ASSERT_FALSE(rig.drivers.empty());
  const Baked baked = bake(rig, {.influences = 8});
  EXPECT_TRUE(baked.rig.drivers.empty());
  const double box = bounding_box(rig.mesh.positions).diagonal();
  EXPECT_LT(baked.report.max_error_box_percent, 0.25) << to_text(baked.report);
  for (std::size_t clip = 0; clip < rig.clips.size(); ++clip) {
    const double time = 0.4 * duration(rig.clips[clip]);
    EXPECT_LT(largest_difference(truth(rig, time, clip), plain_skinning(baked.rig, time, clip)),
              0.0025 * box);
  }
}

TEST(Bake, driven_blend_shapes_become_tracks) {
  Rig rig = twisted_tube(120, false);
  for (const char* name : {"free", "driven", "corrective"}) {
    BlendShape& shape = rig.mesh.shapes.emplace_back();
    shape.name = name;
    for (const Vec3& p : rig.mesh.positions) shape.positions.push_back({0, p.y / 2, p.z / 2});
  }
  rig.controls = {{"swell", 0}};
  Curve<double> line;
  line.times = {0, 2};
  line.values = {0, 1};
  rig.shape_drivers = {{1, ControlInput{0}, line}};
  rig.pose_spaces = {{{1}, {{{Vec3{radians(120), 0, 0}}, {2}}}, {}}};
  rig.clips[0].channels.emplace_back(ControlChannel{0, line});
  Curve<std::vector<double>> weights;
  weights.times = {0, 2};
  weights.values = {{0, 0, 9}, {0.5, 9, 0}};
  rig.clips[0].channels.emplace_back(ShapeChannel{0, weights});
  const Baked baked = bake(rig, {.max_error_percent = 1});
  EXPECT_TRUE(baked.rig.shape_drivers.empty() && baked.rig.pose_spaces.empty());
  EXPECT_TRUE(baked.rig.controls.empty());
  validate(baked.rig);
  for (double time = 0; time <= 2; time += 0.07) {
    const Pose wanted = pose_at(rig, rig.clips[0], time);
    const Pose played = pose_at(baked.rig, baked.rig.clips[0], time);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(played.shapes[k], wanted.shapes[k], 0.01);
  }
  EXPECT_NEAR(pose_at(baked.rig, baked.rig.clips[0], 2).shapes[2], 1, 1e-6);
}

TEST(Bake, scale_along_a_bone_becomes_translation) {
  Rig rig = twisted_tube(90, false);
  ScaleChannel grow{0, {}};
  grow.curve.times = {0, 2};
  grow.curve.values = {{1, 1, 1}, {1.5, 1, 1}};
  rig.clips[0].channels.emplace_back(grow);
  const Baked baked = bake(rig, {.max_error_percent = 1});
  for (const Channel& channel : baked.rig.clips[0].channels) {
    EXPECT_FALSE(std::holds_alternative<ScaleChannel>(channel));
  }
  EXPECT_LT(largest_difference(truth(rig, 2), plain_skinning(baked.rig, 2)), 0.01 * radius);
}

TEST(Bake, a_joint_scaled_to_nothing_makes_no_numbers_that_are_not_finite) {
  Rig rig = twisted_tube(90, false);
  ScaleChannel hide{0, {}};
  hide.curve.times = {0, 1, 2};
  hide.curve.values = {{1, 1, 1}, {0, 0, 0}, {1, 0, 1}};
  rig.clips[0].channels.emplace_back(hide);
  const Baked baked = bake(rig);
  EXPECT_NO_THROW(validate(baked.rig));
  EXPECT_TRUE(std::isfinite(baked.report.max_error_percent));
}

TEST(Bake, everything_else_in_the_file_stays_as_it_was) {
  SINEW_ASSET_OR_SKIP(path, "CesiumMan.glb");
  Model model = read_gltf(path);
  const auto before = model.source->json;
  const std::size_t old_clips = model.rig.clips.size();
  BakeOptions options;
  options.endpoints = ProjectionOptions{};
  model.rig = bake(model.rig, options).rig;
  const Model again = parse_gltf(to_glb(model));
  const auto& after = again.source->json;
  for (const char* key : {"asset", "materials", "textures", "images", "samplers", "scenes"}) {
    EXPECT_EQ(after.value(key, gltf::Json()), before.value(key, gltf::Json())) << key;
  }
  for (std::size_t n = 0; n < before["nodes"].size(); ++n) {
    auto was = before["nodes"][n], is = after["nodes"][n];
    was.erase("children");
    is.erase("children");
    EXPECT_EQ(is, was);
  }
  EXPECT_GT(after["nodes"].size(), before["nodes"].size());
  EXPECT_EQ(again.rig.clips.size(), old_clips);
  EXPECT_EQ(again.rig.mesh, read_gltf(path).rig.mesh);
}

TEST(Bake, a_bound_that_is_not_met_comes_with_what_would_meet_it) {
  const Rig rig = twisted_tube(180);
  const Baked poor = bake(rig, {.max_error_percent = 2, .influences = 1});
  EXPECT_FALSE(is_within_bound(poor.report));
  ASSERT_NE(poor.report.remedy.find("influences"), std::string::npos) << poor.report.remedy;
  const std::size_t enough = std::stoi(poor.report.remedy);
  EXPECT_TRUE(is_within_bound(bake(rig, {.max_error_percent = 2, .influences = enough}).report));

  const Baked coarse = bake(rig, {.segments = 2, .max_error_percent = 2});
  EXPECT_FALSE(is_within_bound(coarse.report));
  EXPECT_NE(coarse.report.remedy.find("use 9, or"), std::string::npos) << coarse.report.remedy;
}

TEST(Bake, the_same_bytes_come_out_whatever_the_number_of_threads) {
  const Rig rig = make_sample("arm", 800);
  set_thread_count(1);
  const Baked one = bake(rig);
  set_thread_count(0);
  const Baked all = bake(rig);
  EXPECT_EQ(to_glb({one.rig, nullptr}), to_glb({all.rig, nullptr}));
  EXPECT_EQ(to_json(one.report), to_json(all.report));
}

TEST(Bake, without_clips_it_is_measured_in_generic_poses) {
  Rig rig = twisted_tube(0);
  rig.clips.clear();
  rig.skeleton.joints[1].twist_shares = TwistShares{0.5, 0.5};
  const Baked baked = bake(rig);
  EXPECT_TRUE(baked.report.generic_poses);
  EXPECT_EQ(baked.report.bones.size(), 2u);
  EXPECT_GT(baked.report.max_error_percent, 0.1);
  EXPECT_LT(baked.report.max_error_percent, 2);
}

TEST(Bake, at_rest_helpers_stand_as_the_true_result_has_it) {
  Rig rig = twisted_tube(0);
  rig.clips.clear();
  // Bound straight, at rest turned and pulled.
  rig.skeleton.joints[1].rest.rotation = rotation_about(Vec3{1, 0, 0}, radians(100));
  rig.skeleton.joints[1].rest.translation = {1.3, 0, 0};
  const Rig baked = bake(rig).rig;
  const Pose rest = rest_pose(rig);
  const std::vector<Vec3> exact =
      deform_reference(rig, bone_states(rig, rest), rest.shapes, method_from_name("stbs-lbs", rig))
          .positions;
  Rig still = baked;
  still.clips = {{"still", {}}};
  EXPECT_LT(largest_difference(exact, plain_skinning(still, 0)), 0.02 * radius);
}

TEST(Bake, missing_weights_are_computed) {
  Rig rig = twisted_tube(120);
  rig.skin.weights = {};
  rig.skin.endpoints.clear();
  const Baked baked =
      bake(rig, {.weights = InverseDistanceOptions{}, .endpoints = ProjectionOptions{}});
  EXPECT_EQ(baked.rig.skin.weights.vertex_count(), rig.mesh.vertex_count());
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
}

TEST(Bake, only_the_bones_that_are_named_are_split) {
  const Rig rig = twisted_tube(180);
  const Baked named = bake(rig, {.segments = 3, .joints = {"bone1"}});
  ASSERT_EQ(named.report.bones.size(), 1u);
  EXPECT_EQ(named.report.bones.front().name, "bone1");
  ASSERT_EQ(named.rig.skeleton.bones.size(), 6u);
  for (int k = 0; k <= 3; ++k) {
    EXPECT_LT(distance(named.rig.skeleton.bones[2 + k].head, {1 + k / 3.0, 0, 0}), 1e-15) << k;
  }
  EXPECT_EQ(bake(rig, {.segments = 3, .all_bones = true}).report.helpers, 8u);
  EXPECT_EQ(wrong_usage([&] { bake(rig, {.joints = {"nobody"}}); }),
            "there is no bone 'nobody'; there are 2, by their joints' names or by the numbers from "
            "0 on");
  EXPECT_EQ(wrong_usage([&] { bake(rig, {.segments = 0}); }), "0 segments: it takes 1 to 64");
  EXPECT_EQ(wrong_usage([&] { bake(rig, {.max_error_percent = -1}); }),
            "the largest error is above 0 and at most 100 per cent of a limb's radius");
  EXPECT_EQ(bad_input([&] { bake(Rig{}); }), "skeleton: there are no bones to bake");
}

TEST(Bake, a_rig_of_another_size_than_it_was_bound_with_is_refused) {
  Rig rig = twisted_tube(90);
  rig.skeleton.joints[0].rest.scale = {0.01, 0.01, 0.01};
  EXPECT_EQ(bad_input([&] { bake(rig); }),
            "skeleton: all its bones differ in size between the rest pose and the bind pose; first "
            "apply the scale of the nodes above it to the mesh and the skeleton");
}

}  // namespace
}  // namespace sinew
