// SPDX-License-Identifier: Apache-2.0
// The facts of linear and dual-quaternion skinning, and of STBS over both.
#include "sinew/deform/reference/skinning.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "tests/support/comparing.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

const char* const skinning_names[] = {"lbs", "dqs", "stbs-lbs", "stbs-dqs"};

std::vector<Vec3> deformed(const Rig& rig, const std::vector<BonePose>& poses,
                           std::string_view method) {
  return deform_reference(rig, bone_states(rig.skeleton, poses), {}, method_from_name(method, rig))
      .positions;
}

double distance_from_x_axis(const Vec3& p) { return std::hypot(p.y, p.z); }

Rig single_bone() {
  TubeOptions options;
  options.bones = 1;
  return make_tube(options);
}

// Bends, twists and stretches at once.
std::vector<BonePose> lively_pose(const Rig& rig) {
  std::vector<BonePose> poses = rest_bones(rig);
  Vec3 at{0.3, -0.2, 0.5};
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const double k = static_cast<double>(b);
    const Vec3 direction = normalized(Vec3{std::cos(k + 0.3), std::sin(k + 0.3), 0.2 * k});
    poses[b].start = at;
    poses[b].end = at + direction * (0.7 + 0.5 * k);
    poses[b].twist_start = 0.4 - k;
    poses[b].twist_end = 1.1 + 2 * k;
    at = poses[b].end;
  }
  return poses;
}

TEST(Skinning, rest_pose_is_the_identity) {
  const Rig rig = make_tube({.bones = 3});
  for (const char* method : skinning_names) {
    EXPECT_LT(largest_difference(deformed(rig, rest_bones(rig), method), rig.mesh.positions), 1e-14)
        << method;
  }
}

TEST(Skinning, a_rigid_motion_of_the_pose_moves_the_result_by_it) {
  const Rig rig = make_tube({.bones = 3});
  for (const char* name : skinning_names) {
    const Method method = method_from_name(name, rig);
    const double error = rigid_motion_error(
        rig.skeleton, lively_pose(rig),
        [&](const auto& states) { return deform_reference(rig, states, {}, method).positions; });
    EXPECT_LT(error, 1e-12) << name;
  }
}

TEST(Skinning, half_a_turn_of_twist_keeps_the_radius_with_dqs_and_loses_it_with_lbs) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{1, 0, 0}, pi);
  double least_lbs = 1;
  double least_dqs = 1;
  const auto lbs = deformed(rig, poses, "lbs");
  const auto dqs = deformed(rig, poses, "dqs");
  for (std::size_t v = 0; v < lbs.size(); ++v) {
    least_lbs = std::min(least_lbs, distance_from_x_axis(lbs[v]) / 0.2);
    least_dqs = std::min(least_dqs, distance_from_x_axis(dqs[v]) / 0.2);
  }
  EXPECT_LT(least_lbs, 1e-12);
  EXPECT_GT(least_dqs, 1 - 1e-12);
}

TEST(Dqs, sign_flip_of_a_quaternion_changes_nothing) {
  const Rig rig = make_tube({.bones = 3});
  for (const BoneMap map : {BoneMap::matrix, BoneMap::stbs}) {
    const Method method = Skinning{map, DualQuaternionBlend{}};
    auto states = bone_states(rig.skeleton, lively_pose(rig));
    const auto expected = deform_reference(rig, states, {}, method).positions;
    for (BoneState& state : states) {
      state.rotation = -state.rotation;
      state.turn = -state.turn;
      EXPECT_LT(largest_difference(deform_reference(rig, states, {}, method).positions, expected),
                1e-14);
    }
  }
}

TEST(Dqs, scale_does_not_leak_into_the_rotation) {
  // One bone scaled about its head: both blends give the affine map itself.
  Rig rig = single_bone();
  Pose pose = rest_pose(rig);
  pose.joints[0].scale = {1.5, 0.5, 2};
  pose.joints[0].rotation = rotation_about(normalized(Vec3{1, 1, 0}), 0.6);
  const auto states = bone_states(rig, pose);
  const auto lbs = deform_reference(rig, states, {}, method_from_name("lbs", rig)).positions;
  const auto dqs = deform_reference(rig, states, {}, method_from_name("dqs", rig)).positions;
  EXPECT_LT(largest_difference(lbs, dqs), 1e-12);
}

TEST(Skinning, a_mix_lies_between_the_two_blends) {
  Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{1, 0, 0}, 2.0);
  const auto linear = deformed(rig, poses, "lbs");
  const auto dual = deformed(rig, poses, "dqs");
  const auto half = deformed(rig, poses, "mixed");
  for (std::size_t v = 0; v < half.size(); ++v) {
    EXPECT_LT(distance(half[v], lerp(linear[v], dual[v], 0.5)), 1e-15);
    rig.skin.blend_shares.push_back(0.5 * double(v % 3));
  }
  const auto mix = deformed(rig, poses, "mixed");
  for (std::size_t v = 0; v < mix.size(); ++v) {
    EXPECT_LT(distance(mix[v], lerp(linear[v], dual[v], 0.5 * double(v % 3))), 1e-15);
  }
  // What is given to the method goes before what the rig says.
  const auto states = bone_states(rig.skeleton, poses);
  const Method given = method_from_name("mixed", rig, {{"blend-share", {"0.25"}}});
  const auto quarter = deform_reference(rig, states, {}, given).positions;
  for (std::size_t v = 0; v < quarter.size(); ++v) {
    EXPECT_LT(distance(quarter[v], lerp(linear[v], dual[v], 0.25)), 1e-15);
  }
}

TEST(Stbs, without_stretch_and_twist_it_is_the_underlying_method) {
  const Rig rig = make_tube({.bones = 3});
  auto poses = rest_bones(rig);
  Vec3 at;
  for (std::size_t b = 0; b < 3; ++b) {
    const Vec3 direction = normalized(Vec3{1, 0.6 * double(b), -0.3 * double(b)});
    poses[b].start = at;
    at = poses[b].end = at + direction;
  }
  EXPECT_LT(largest_difference(deformed(rig, poses, "stbs-lbs"), deformed(rig, poses, "lbs")),
            1e-14);
  EXPECT_LT(largest_difference(deformed(rig, poses, "stbs-dqs"), deformed(rig, poses, "dqs")),
            1e-14);
}

TEST(Stbs, one_bone_takes_its_ends_to_their_places_and_caps_move_rigidly) {
  const Rig rig = single_bone();
  auto poses = rest_bones(rig);
  poses[0] = {{1, 2, 3}, {3, 5, 4}, {}, 0.7, -1.9};
  const auto states = bone_states(rig.skeleton, poses);
  for (const char* name : {"stbs-lbs", "stbs-dqs"}) {
    const bool linear = std::string_view(name) == "stbs-lbs";
    const auto at = [&](const Vec3& p, double e) {
      const SkinInfluence row[] = {{0, 1.0, e, e}};
      return linear ? reference::linear_blend({p, row}, states, BoneMap::stbs)
                    : reference::dual_quaternion_blend({p, row}, states, BoneMap::stbs);
    };
    EXPECT_LT(distance(at({0, 0, 0}, 0), poses[0].start), 1e-14);
    EXPECT_LT(distance(at({1, 0, 0}, 1), poses[0].end), 1e-14);
    // Beyond the ends e is exactly 0 or 1: distances within each cap are kept.
    const auto result = deformed(rig, poses, name);
    for (std::size_t a = 0; a < result.size(); a += 3) {
      for (std::size_t b = 0; b < result.size(); b += 5) {
        const double ea = rig.skin.endpoints[a];
        if (ea != rig.skin.endpoints[b] || (ea != 0 && ea != 1)) continue;
        EXPECT_NEAR(distance(result[a], result[b]),
                    distance(rig.mesh.positions[a], rig.mesh.positions[b]), 1e-13);
      }
    }
  }
}

TEST(Stbs, one_bone_turns_each_point_by_its_share_of_the_twist) {
  const Rig rig = single_bone();
  for (const double turns : {0.3, 0.5, 0.875, 1.0, 1.5, 2.0}) {  // up to 720 degrees
    auto poses = rest_bones(rig);
    poses[0].twist_start = -0.4;
    poses[0].twist_end = turns * 2 * pi;
    for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
      const auto result = deformed(rig, poses, method);
      for (std::size_t v = 0; v < result.size(); ++v) {
        const Vec3& p = rig.mesh.positions[v];
        const double e = rig.skin.endpoints[v];
        const double angle = (1 - e) * poses[0].twist_start + e * poses[0].twist_end;
        const Vec3 expected = rotate(rotation_about(Vec3{1, 0, 0}, angle), p);
        EXPECT_LT(distance(result[v], expected), 1e-13);
        EXPECT_NEAR(distance_from_x_axis(result[v]), distance_from_x_axis(p), 1e-14);
      }
    }
  }
}

TEST(Stbs, stretching_moves_what_lies_beyond_the_end_and_lbs_scales_it) {
  const Rig rig = single_bone();
  for (const double factor : {0.5, 2.0, 3.0}) {
    auto poses = rest_bones(rig);
    poses[0].end = {factor, 0, 0};
    const auto lbs = deformed(rig, poses, "lbs");
    const auto stbs = deformed(rig, poses, "stbs-lbs");
    for (std::size_t v = 0; v < lbs.size(); ++v) {
      const double beyond = rig.mesh.positions[v].x - 1;
      if (beyond < 0) continue;
      EXPECT_NEAR(lbs[v].x - factor, factor * beyond, 1e-13);
      EXPECT_NEAR(stbs[v].x - factor, beyond, 1e-13);
    }
  }
}

TEST(Stbs, is_continuous_in_the_twist_through_full_turns) {
  const Rig rig = make_tube();
  for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
    for (const double angle : {pi, 2 * pi, 3 * pi}) {
      auto poses = rest_bones(rig);
      poses[1].start = {1, 0, 0};
      poses[1].end = {1.5, 0.8, 0};
      std::vector<std::vector<Vec3>> results;
      for (const double offset : {-1e-7, 1e-7}) {
        poses[0].twist_end = poses[1].twist_start = angle + offset;
        results.push_back(deformed(rig, poses, method));
      }
      EXPECT_LT(largest_difference(results[0], results[1]), 1e-7) << method << " at " << angle;
    }
  }
}

TEST(Stbs, stretch_and_twist_may_follow_different_functions) {
  Rig rig = single_bone();
  rig.skin.twist_endpoints.assign(rig.skin.endpoints.size(), 1.0);
  auto poses = rest_bones(rig);
  poses[0].twist_end = 1.0;
  poses[0].end = {2, 0, 0};
  const auto result = deformed(rig, poses, "stbs-lbs");
  for (std::size_t v = 0; v < result.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    const Vec3 turned = rotate(rotation_about(Vec3{1, 0, 0}, 1.0), p);
    EXPECT_LT(distance(result[v], turned + Vec3{rig.skin.endpoints[v], 0, 0}), 1e-14);
  }
}

TEST(Stbs, a_filter_reshapes_the_endpoint_weights) {
  Rig rig = single_bone();
  rig.skin.filters = {{{}, {{{0, 0}, {0.5, 0.9}, {1, 1}}}}};
  auto poses = rest_bones(rig);
  poses[0].twist_end = 1.0;
  const auto result = deformed(rig, poses, "stbs-lbs");
  for (std::size_t v = 0; v < result.size(); ++v) {
    const double angle = evaluate(rig.skin.filters[0].twist, rig.skin.endpoints[v]);
    const Vec3 expected = rotate(rotation_about(Vec3{1, 0, 0}, angle), rig.mesh.positions[v]);
    EXPECT_LT(distance(result[v], expected), 1e-14);
  }
}

TEST(Stbs, extreme_poses_stay_finite) {
  Rig rig = make_tube({.bones = 3});
  // A vertex with one bone alone, and one with none.
  rig.skin.weights.influences[0].weight = 1;
  for (const double factor : {0.0, 0.01, 10.0}) {
    auto poses = rest_bones(rig);
    poses[1].end = poses[1].start + Vec3{factor, 0, 0};
    poses[1].twist_end = 4 * pi;
    poses[2].start = poses[1].end;
    poses[2].end = poses[2].start + Vec3{0, 1, 0};
    for (const char* method : {"lbs", "dqs", "stbs-lbs", "stbs-dqs", "stretch-it"}) {
      for (const Vec3& p : deformed(rig, poses, method)) EXPECT_TRUE(is_finite(p)) << method;
    }
  }
}

TEST(Stbs, a_vertex_without_weights_stays_where_it_is) {
  Rig rig;
  rig.mesh.positions = {{1, 2, 3}, {0, 0, 0}};
  rig.skeleton.joints = {{"a", -1, {}, false}};
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  rig.skin.weights.push_row({});
  rig.skin.weights.push_row(std::vector<Influence>{{0, 1.0}});
  auto poses = rest_bones(rig);
  poses[0].start += Vec3{5, 0, 0};
  poses[0].end += Vec3{5, 0, 0};
  for (const char* method : skinning_names) {
    const auto result = deformed(rig, poses, method);
    EXPECT_EQ(result[0], rig.mesh.positions[0]);
    EXPECT_LT(distance(result[1], Vec3{5, 0, 0}), 1e-15);
  }
}

TEST(Stbs, a_flat_shape_stays_flat) {
  Rig rig = make_tube();
  for (Vec3& p : rig.mesh.positions) p.z = 0;
  auto poses = rest_bones(rig);
  poses[0].end = poses[1].start = {0.4, 0.9, 0};
  poses[1].end = {1.9, 0.2, 0};
  for (const char* method : skinning_names) {
    for (const Vec3& p : deformed(rig, poses, method)) EXPECT_NEAR(p.z, 0, 1e-15) << method;
  }
}

TEST(Method, an_unknown_name_lists_the_known_ones) {
  try {
    method_from_name("magic", Rig{});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("stbs-dqs"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew
