// SPDX-License-Identifier: Apache-2.0
// What the papers say about the methods, in numbers (Jacobson and Sorkine 2011, figs. 2, 3 and 5;
// docs/methods/measures.md has the table).
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/measure/measure.h"
#include "sinew/samples/samples.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

Measures measured(const Rig& rig, const std::vector<BoneState>& states,
                  const std::vector<double>& shapes, const char* method) {
  const std::vector<Vec3> rest =
      rig.mesh.shapes.empty() ? rig.mesh.positions : blend_shapes(rig.mesh, shapes).positions;
  const Deformed deformed =
      deform_reference(rig, states, shapes, method_from_name(method, rig), false);
  return measure(rig, states, rest, deformed.positions);
}

TEST(Comparison, measures_each_method_as_on_its_own) {
  const Rig rig = make_sample("mannequin", 3000);
  PosedRig posed{RigPlan(rig)};
  posed.play(ClipPlan(posed.plan(), rig.clips.back()), 0.7);
  const std::vector<BoneState> states(posed.bones().begin(), posed.bones().end());
  const std::vector<Vec3>& rest = rig.mesh.positions;
  const std::vector<std::string> names = {"lbs", "dqs", "stbs-lbs"};
  std::vector<Deformed> shapes;
  Comparison alone;
  alone.vertices = rig.mesh.vertex_count();
  alone.triangles = rig.mesh.triangles.size();
  alone.crossings_at_rest = self_intersections(rig.mesh.triangles, rest, rest).pairs;
  for (const std::string& name : names) {
    shapes.push_back(deform_reference(rig, states, {}, method_from_name(name, rig), false));
    alone.results.push_back({name, measure(rig, states, rest, shapes.back().positions)});
  }
  for (const int threads : {1, 0}) {
    set_thread_count(threads);
    EXPECT_EQ(to_json(compare_shapes(rig, states, rest, names, shapes), rig.skeleton),
              to_json(alone, rig.skeleton));
  }
  EXPECT_EQ(wrong_usage([&] { compare_shapes(rig, states, rest, names, {}); }),
            "there must be one shape for each method");
  shapes[1].positions.pop_back();
  EXPECT_EQ(wrong_usage([&] { compare_shapes(rig, states, rest, names, shapes); }),
            fmt::format("the shape has {} vertices at rest, but {} when deformed", rest.size(),
                        rest.size() - 1));
}

// The last bone stretched by a factor, by its ends.
Measures stretched(const Rig& rig, double factor, const char* method) {
  auto poses = rest_bones(rig);
  BonePose& last = poses.back();
  last.end = lerp(last.start, last.end, factor);
  return measured(rig, bone_states(rig.skeleton, poses), {}, method);
}

// The last bone turned about its own axis by its joint.
Measures twisted(const Rig& rig, double angle, const char* method) {
  Pose pose = rest_pose(rig);
  const Bone& bone = rig.skeleton.bones.back();
  const std::size_t joint = bone.joint;
  const Vec3 axis = normalized(bone.tail - bone.head);
  pose.joints[joint].rotation = pose.joints[joint].rotation * rotation_about(axis, angle);
  return measured(rig, bone_states(rig, pose), pose.shapes, method);
}

Measures at(const Rig& rig, const char* clip, double time, const char* method) {
  return measured(rig, bone_states(rig, find_clip(rig, clip), time),
                  pose_at(rig, find_clip(rig, clip), time).shapes, method);
}

std::vector<Rig> stretchable() {
  return {make_sample("cigar", 1500), make_sample("box", 1500), make_tube({.bones = 1}),
          make_tube({.bones = 2})};
}

TEST(Claims, linear_blend_explodes_beyond_the_ends_the_more_the_longer_the_bone) {
  for (const Rig& rig : stretchable()) {
    double last = 0.02;
    for (const double factor : {1.25, 1.5, 2.0, 3.0}) {
      const double error = *largest_cap_error(stretched(rig, factor, "lbs"));
      EXPECT_GT(error, 1.5 * last) << factor;
      last = error;
    }
    EXPECT_GT(last, 0.25);
  }
}

TEST(Claims, stretchable_bones_move_what_lies_beyond_their_ends_rigidly) {
  for (const Rig& rig : stretchable()) {
    for (const double factor : {1.25, 1.5, 2.0, 3.0}) {
      for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
        const Measures m = stretched(rig, factor, method);
        EXPECT_LT(*largest_cap_error(m), 0.01) << factor << method;
        EXPECT_LT(*largest_missed_end(m), 0.01) << factor << method;
      }
    }
  }
}

TEST(Claims, dual_quaternions_alone_do_not_follow_a_stretch) {
  for (const Rig& rig : stretchable()) {
    EXPECT_NEAR(*largest_missed_end(stretched(rig, 2, "dqs")), 0.5, 0.01);
  }
}

TEST(Claims, linear_and_dual_quaternion_blends_pack_the_twist_near_the_joint) {
  for (const Rig& rig : {make_sample("tube", 3000), make_tube()}) {
    for (const double angle : {90.0, 135.0, 180.0}) {
      for (const char* method : {"lbs", "dqs"}) {
        EXPECT_GT(*share_near_joints(twisted(rig, radians(angle), method).twists), 0.75)
            << angle << method;
      }
      for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
        EXPECT_LT(*share_near_joints(twisted(rig, radians(angle), method).twists), 0.22)
            << angle << method;
      }
    }
  }
}

TEST(Claims, linear_blend_loses_the_radius_and_the_others_keep_it) {
  for (const Rig& rig : {make_sample("tube", 3000), make_tube()}) {
    const double half_turn = radians(180);
    EXPECT_LT(*smallest_radius(twisted(rig, half_turn, "lbs")), 0.02);
    EXPECT_LT(twisted(rig, half_turn, "lbs").volume->change(), -0.05);
    for (const char* method : {"dqs", "stbs-lbs", "stbs-dqs"}) {
      const Measures m = twisted(rig, half_turn, method);
      EXPECT_GT(*smallest_radius(m), 0.98) << method;
      EXPECT_GT(m.volume->change(), -0.02) << method;
      EXPECT_EQ(m.intersections.created, 0u) << method;
    }
  }
}

TEST(Claims, a_box_on_one_bone_is_twisted_by_stretchable_bones_alone) {
  const Rig rig = make_sample("box", 1500);
  auto poses = rest_bones(rig);
  poses[0].twist_end = radians(315);
  const auto states = bone_states(rig.skeleton, poses);
  for (const char* method : {"lbs", "dqs"}) {
    EXPECT_LT(measured(rig, states, {}, method).edges.longest, 1 + 1e-9);
    EXPECT_FALSE(share_near_joints(measured(rig, states, {}, method).twists));
  }
  const Measures m = measured(rig, states, {}, "stbs-lbs");
  ASSERT_EQ(m.twists.size(), 1u);
  EXPECT_NEAR(degrees(m.twists[0].total), 315, 8);
  EXPECT_NEAR(*m.twists[0].share(), 0.2, 0.01);
  EXPECT_GT(*smallest_radius(m), 0.98);
}

TEST(Claims, hold_for_an_arm_and_a_person) {
  const Rig arm = make_sample("arm", 2500), person = make_sample("mannequin", 5000);
  const auto both = [&](const char* method) {
    return std::array{at(arm, "bend_twist_stretch", 1, method),
                      at(person, "twist_stretch", 1, method)};
  };
  const auto lbs = both("lbs"), dqs = both("dqs"), stbs = both("stbs-dqs");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(*smallest_radius(lbs[i]), 0.6);
    EXPECT_GT(*smallest_radius(dqs[i]), 0.9);
    EXPECT_GT(*smallest_radius(stbs[i]), 0.9);
    EXPECT_GT(*share_near_joints(lbs[i].twists), 0.8);
    EXPECT_GT(*share_near_joints(dqs[i].twists), 0.8);
    EXPECT_LT(*share_near_joints(stbs[i].twists), 0.4);
    EXPECT_LT(stbs[i].edges.rms, 0.7 * lbs[i].edges.rms);
    EXPECT_LT(*largest_cap_error(stbs[i]), 0.01);
  }
}

}  // namespace
}  // namespace sinew
