// SPDX-License-Identifier: Apache-2.0
// What the reference and the fast paths require of their callers, and that they refuse the rest.
#include <limits>

#include "sinew/deform/blend_shapes.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/clip_frames.h"
#include "tests/kernels/kernel_rig.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

const Method lbs = Skinning{BoneMap::matrix, LinearBlend{}};

std::vector<BoneState> rest_states(const Rig& rig) { return bone_states(rig, rest_pose(rig)); }

TEST(DeformRequirements, the_reference_wants_states_shapes_and_weights_of_its_rig) {
  Rig rig = tube_rig();
  const std::vector<BoneState> states = rest_states(rig);
  const auto refused_usage = [&](std::span<const BoneState> bones, std::vector<double> shapes) {
    return wrong_usage([&] { deform_reference(rig, bones, shapes, lbs); });
  };
  EXPECT_EQ(refused_usage(std::span(states).first(2), {}), "the pose has 2 bones, the rig has 3");
  const std::size_t shapes = rig.mesh.shapes.size();
  EXPECT_EQ(
      refused_usage(states, std::vector<double>(shapes + 1, 0)),
      std::to_string(shapes + 1) + " weights for " + std::to_string(shapes) + " blend shapes");
  const auto refused_input = [&] {
    return bad_input([&] { deform_reference(rig, states, {}, lbs); });
  };
  EXPECT_EQ(refused_input(), "");
  rig.skin.endpoints.pop_back();
  EXPECT_EQ(refused_input().find("endpoint weight: "), 0u);
  rig = tube_rig();
  rig.skin.filters.resize(1);
  EXPECT_EQ(refused_input(), "filters: 1 filters for 3 bones");
  rig = tube_rig();
  rig.skin.weights.influences[5].bone = 3;
  EXPECT_NE(refused_input().find("it is tied to bone 3, but there are 3 bones"), std::string::npos);
}

TEST(DeformRequirements, poses_and_times_are_those_of_the_rig) {
  const Rig rig = tube_rig();
  Pose pose = rest_pose(rig);
  pose.joints.pop_back();
  EXPECT_EQ(wrong_usage([&] { bone_states(rig, pose); }).find("the pose has 2 joints, "), 0u);
  EXPECT_EQ(wrong_usage([&] { bone_states(rig, rig.clips.at(0), not_a_number); }),
            "the time in a clip must be a number of seconds");
  EXPECT_EQ(wrong_usage([&] { ClipFrames(rig, rig.clips.at(0), lbs).at(not_a_number); }),
            "the time in a clip must be a number of seconds");
  EXPECT_EQ(wrong_usage([&] { end_inverse_bind(rig.skeleton, rig.skeleton.bones[0], 3); }),
            "there is no joint 3; there are 3");
  std::vector<double> room(2);
  EXPECT_EQ(
      wrong_usage([&] { accumulate_twists(bone_tree(rig.skeleton), rest_states(rig), room); }),
      "3 states and room for 2 twists of 3 bones");
}

TEST(DeformRequirements, shares_of_blending_are_from_0_to_1) {
  Rig rig = test::kernel_rig({.vertices = 60});
  const Method method = Skinning{BoneMap::matrix, MixedBlend{1.5}};
  const std::string message = "the share of dual-quaternion blending is 1.5; it must be in [0, 1]";
  EXPECT_EQ(wrong_usage([&] { deform_reference(rig, test::kernel_pose(rig), {}, method); }),
            message);
  EXPECT_EQ(wrong_usage([&] { Plan(Binding(rig), method); }), message);
  rig.skin.blend_shares[7] = not_a_number;
  EXPECT_EQ(bad_input([&] { Binding{rig}; }),
            "vertex 7: its blend share is nan; it must be from 0 to 1");
  rig.skin.blend_shares.pop_back();
  EXPECT_EQ(bad_input([&] { Binding{rig}; }), "blend shares: 59 blend shares for 60 vertices");
}

TEST(DeformRequirements, a_method_that_is_not_there_gets_the_nearest_named) {
  EXPECT_EQ(wrong_usage([] {
              method_from_name("stbs_dqs", {});
            }).find("there is no method 'stbs_dqs' (did you mean 'stbs-dqs'"),
            0u);
}

TEST(KernelRequirements, a_palette_without_a_pose_is_refused) {
  const Rig rig = test::kernel_rig({.vertices = 60});
  Palette palette(Plan(Binding(rig), lbs));
  std::vector<float> out(3 * rig.mesh.vertex_count(), -1);
  const auto refused = [&] {
    return wrong_usage([&] { deform(palette, {.positions = out.data()}); });
  };
  EXPECT_EQ(refused(), "the palette has no pose yet: call update() first");
  EXPECT_EQ(out, std::vector<float>(out.size(), -1));
  palette.update(test::kernel_pose(rig));
  EXPECT_EQ(refused(), "");
  EXPECT_NE(out, std::vector<float>(out.size(), -1));
}

TEST(KernelRequirements, palettes_outlive_their_rig_binding_and_plan) {
  const Rig kept = test::kernel_rig({.vertices = 60});
  for (const auto& [name, method] : test::all_methods(kept)) {
    auto rig = std::make_unique<Rig>(kept);
    auto binding = std::make_unique<Binding>(*rig);
    auto plan = std::make_unique<Plan>(*binding, method);
    Palette palette(*plan);
    plan.reset();
    binding.reset();
    rig.reset();
    palette.update(test::kernel_pose(kept));
    std::vector<float> out(3 * kept.mesh.vertex_count());
    EXPECT_EQ(wrong_usage([&] { deform(palette, {.positions = out.data()}); }), "") << name;
  }
}

TEST(KernelRequirements, poses_and_outputs_have_the_rigs_sizes) {
  Rig rig = test::kernel_rig({.vertices = 60});
  rig.mesh.tangents.clear();
  const Binding binding(rig);
  const Plan plan(binding, lbs);
  Palette palette(plan);
  const std::vector<BoneState> states = test::kernel_pose(rig);
  EXPECT_EQ(wrong_usage([&] { palette.update(std::span(states).first(3)); }),
            "the pose has 3 bones, the palette was made for 9");
  EXPECT_EQ(wrong_usage([&] { palette.update(states, std::vector<double>{1}); }),
            "the pose has 1 blend-shape weights, the rig has 0 shapes");
  palette.update(states);
  std::vector<float> out(4 * binding.vertex_count());
  EXPECT_EQ(wrong_usage([&] { deform(palette, {.positions = out.data(), .position_stride = 8}); }),
            "positions are to be 8 bytes apart, but take 12 each");
}

TEST(KernelRequirements, rigs_and_filters_are_valid) {
  Rig rig = test::kernel_rig({.vertices = 60});
  Binding binding(rig);
  std::vector<BoneFilter> filters(9);
  filters[4].twist.points = {{0.5, 2}};
  EXPECT_EQ(bad_input([&] { set_filters(binding, filters); }).find("filter point 0: "), 0u);
  rig.skin.weights.offsets.back() += 1;
  const std::string message =
      "weights: their offsets must begin with 0 and end with the number of influences";
  EXPECT_EQ(bad_input([&] { Binding{rig}; }), message);
  EXPECT_EQ(bad_input([&] { Deformer(rig, lbs, {.reference = true}); }), message);
}

}  // namespace
}  // namespace sinew
