// SPDX-License-Identifier: Apache-2.0
// How far parts that should be rigid are from it: on tubes with known answers, and on a
// person whose hands and head are wrung by a wrong share of the twist.
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/measure/measure.h"
#include "sinew/samples/samples.h"
#include "tests/measure/moved_pose.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

std::vector<PartError> parts_of(const Rig& rig, const std::vector<BoneState>& states,
                                const std::vector<Vec3>& deformed) {
  return part_errors(rig, states, rig.mesh.positions, deformed).parts;
}

// Two bones along x, of which the second is short: its own skin, from 1.2 on, is a hand.
Rig tube_with_hand(double size = 1) {
  Rig rig = make_tube(
      {.bone_length = size, .overhang = 0.5 * size, .radius = 0.2 * size, .blend = 0.24 * size});
  rig.skeleton.bones[1].tail.x = 1.4 * size;
  return rig;
}

TEST(Parts, of_a_person_are_hands_feet_and_head_and_the_trunks_chest_and_hips) {
  const Rig person = make_sample("mannequin", 3000);
  std::map<std::string, BoneRole> found;
  for (const PartError& part : parts_of(person, at_rest(person), person.mesh.positions)) {
    const int joint = person.skeleton.bones[part.bone].joint;
    found[person.skeleton.joints[joint].name] = part.role;
  }
  for (const char* name : {"hand.L", "hand.R", "foot.L", "foot.R", "head"}) {
    ASSERT_TRUE(found.count(name)) << name;
    EXPECT_EQ(found[name], BoneRole::end_part) << name;
  }
  for (const char* name : {"chest", "hips"}) {
    ASSERT_TRUE(found.count(name)) << name;
    EXPECT_EQ(found[name], BoneRole::trunk) << name;
  }
  for (const char* name : {"spine", "neck", "upper_arm.L", "forearm.L", "thigh.R", "kneecap.L"}) {
    EXPECT_FALSE(found.count(name)) << name;
  }
}

TEST(Parts, a_lone_bone_is_no_part) {
  const Rig rig = make_tube({.bones = 1});
  EXPECT_TRUE(parts_of(rig, at_rest(rig), rig.mesh.positions).empty());
}

TEST(Parts, a_rigid_motion_of_the_pose_is_no_error_whatever_the_size) {
  const Quat turn = rotation_about(normalized(Vec3{-1, 2, 0.3}), 2.4);
  for (const double size : {1e-6, 1.0, 1e6}) {
    const Rig rig = tube_with_hand(size);
    const Vec3 by{size, 0, 2 * size};
    const auto poses = moved(rest_bones(rig), turn, by);
    const auto deformed =
        mapped(rig.mesh.positions, [&](const Vec3& p) { return rotate(turn, p) + by; });
    const auto parts = parts_of(rig, bone_states(rig.skeleton, poses), deformed);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].bone, 1);
    EXPECT_EQ(parts[0].role, BoneRole::end_part);
    EXPECT_LT(parts[0].largest, 1e-9);
    EXPECT_LT(parts[0].turn, 1e-9);
  }
}

TEST(Parts, how_far_a_wrung_part_is_from_rigid_is_known) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const Rig rig = tube_with_hand(size);
    // The hand's own skin.
    std::vector<double> rings;
    for (int r = 0; r < 61; ++r) {
      const double x = rig.mesh.positions[16 * r].x / size;
      if (x > 1.19) rings.push_back(x);
    }
    const double low = rings.front(), high = rings.back(), middle = (low + high) / 2;
    for (const double angle : {0.1, 1.0, 2.0}) {
      const auto wrung = mapped(rig.mesh.positions, [&](const Vec3& p) {
        return turned_about_x(p, angle * (std::clamp(p.x / size, low, high) - high) / (high - low));
      });
      // The best fit turns all by the angle in the middle.
      double squares = 0, spread = 0;
      for (const double x : rings) {
        squares += 2 * 0.04 * (1 - std::cos(angle * (x - middle) / (high - low)));
        spread += 0.04 + (x - middle) * (x - middle);
      }
      const auto parts = parts_of(rig, at_rest(rig), wrung);
      ASSERT_EQ(parts.size(), 1u);
      EXPECT_EQ(parts[0].vertices, 16 * rings.size());
      EXPECT_NEAR(parts[0].rms, std::sqrt(squares / spread), 1e-9) << angle;
      EXPECT_GT(parts[0].largest, parts[0].rms);
      // The first section beyond 1.2, of those a twentieth of the bone apart, is at 1.22.
      EXPECT_NEAR(parts[0].turn, angle * (high - 1.22) / (high - low), 1e-3 * angle);
    }
  }
}

TEST(Parts, skin_turned_as_a_whole_against_its_bone_is_rigid_but_turned) {
  const Rig rig = tube_with_hand();
  const auto turned =
      mapped(rig.mesh.positions, [](const Vec3& p) { return turned_about_x(p, p.x > 1 ? -1 : 0); });
  const auto parts = parts_of(rig, at_rest(rig), turned);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_LT(parts[0].rms, 1e-9);
  EXPECT_NEAR(parts[0].turn, 1, 1e-9);
}

TEST(Parts, triangles_that_are_not_where_their_bone_takes_them_are_found) {
  const Rig rig = tube_with_hand();
  const auto displaced = [&](double angle) {
    const auto turned = mapped(rig.mesh.positions, [&](const Vec3& p) {
      return turned_about_x(p, p.x > 1.9 ? angle : 0);
    });
    return part_errors(rig, at_rest(rig), rig.mesh.positions, turned).displaced;
  };
  // By a chord of a quarter of the part's size, on a radius of 0.2.
  const double size = parts_of(rig, at_rest(rig), rig.mesh.positions)[0].size;
  const double angle = 2 * std::asin(0.25 * size / 0.4);
  EXPECT_TRUE(displaced(0.99 * angle).empty());
  std::vector<Index> expected;
  for (Index t = 0; t < rig.mesh.triangles.size(); ++t) {
    const Triangle& corners = rig.mesh.triangles[t];
    if (std::any_of(corners.begin(), corners.end(),
                    [&](Index v) { return rig.mesh.positions[v].x > 1.9; })) {
      expected.push_back(t);
    }
  }
  EXPECT_EQ(displaced(1.01 * angle), expected);
}

TEST(Parts, blended_skin_and_skin_of_limbs_may_do_anything) {
  const Rig rig = tube_with_hand();
  const auto twisted = mapped(rig.mesh.positions, [](const Vec3& p) {
    return turned_about_x(p, 3 * std::min(p.x - 1.19, 0.0));
  });
  const auto parts = parts_of(rig, at_rest(rig), twisted);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_LT(parts[0].rms, 1e-9);
  EXPECT_LT(parts[0].turn, 1e-9);
}

TEST(Parts, a_bone_that_grows_is_no_error_and_one_that_is_stretched_is_left_out) {
  const Rig rig = tube_with_hand();
  const auto states = [&](const Vec3& scale) {
    Pose pose = rest_pose(rig);
    pose.joints[1].scale = scale;
    return bone_states(rig, pose);
  };
  const auto grown = mapped(rig.mesh.positions, [](const Vec3& p) {
    return p.x > 1 ? Vec3{1, 0, 0} + (p - Vec3{1, 0, 0}) * 2.0 : p;
  });
  const auto parts = parts_of(rig, states({2, 2, 2}), grown);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_LT(parts[0].rms, 1e-9);
  EXPECT_TRUE(part_errors(rig, states({2, 2, 2}), rig.mesh.positions, grown).displaced.empty());
  EXPECT_NEAR(parts_of(rig, at_rest(rig), grown)[0].rms, 1, 1e-9);
  for (const Vec3& uneven : {Vec3{2, 1, 1}, Vec3{1, 1, 0.9}, Vec3{1, 1.5, 1.5}}) {
    EXPECT_TRUE(parts_of(rig, states(uneven), grown).empty());
  }
  auto longer = at_rest(rig);
  longer[1].posed_tail.x += 0.1;
  EXPECT_TRUE(parts_of(rig, longer, grown).empty());
  EXPECT_EQ(wrong_usage([&] { parts_of(rig, {}, grown); }),
            "the pose and the skeleton differ in their number of bones");
}

TEST(Parts, a_trunk_may_bend_but_not_turn) {
  // Two legs hang on the first bone of a tube, so that it is a trunk.
  Rig rig = make_tube({.bones = 3});
  for (const double side : {-1.0, 1.0}) {
    const int hip = static_cast<int>(rig.skeleton.joints.size());
    rig.skeleton.joints.push_back({"thigh", 0, {{0, side, 0}, {}, {1, 1, 1}}, false});
    rig.skeleton.joints.push_back({"shin", hip, {{0, 3 * side, 0}, {}, {1, 1, 1}}, false});
    Bone thigh;
    thigh.joint = hip;
    thigh.head = {0, side, 0};
    thigh.tail = {0, 4 * side, 0};
    Bone shin = thigh;
    shin.joint = hip + 1;
    shin.head = thigh.tail;
    shin.tail = {0, 7 * side, 0};
    rig.skeleton.bones.push_back(thigh);
    rig.skeleton.bones.push_back(shin);
  }
  const auto wrung = mapped(rig.mesh.positions, [](const Vec3& p) {
    return turned_about_x(p, 0.8 * std::clamp(std::min(p.x, 1.7 - p.x), 0.0, 0.5));
  });
  Measures measures;
  measures.parts = parts_of(rig, at_rest(rig), wrung);
  const auto most = most_turned_part(measures);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->bone, 0);
  EXPECT_EQ(most->role, BoneRole::trunk);
  EXPECT_NEAR(most->turn, 0.4, 1e-9);
  EXPECT_GT(most->rms, 0.05);
  // What counts as not rigid is the last bone alone, an end part.
  ASSERT_TRUE(least_rigid_end(measures));
  EXPECT_EQ(least_rigid_end(measures)->bone, 2);
  EXPECT_LT(least_rigid_end(measures)->rms, 1e-9);
}

// One joint of a person turned about the bone above it, with that share of the twist on that bone.
Measures turned(const char* joint, double angle, double share, const char* method) {
  static const Rig person = make_sample("mannequin", 5000);
  Rig rig = person;
  for (Joint& any : rig.skeleton.joints) any.twist_shares = TwistShares{0, 1};
  const std::size_t j = find_joint(rig.skeleton, joint);
  rig.skeleton.joints[j].twist_shares = TwistShares{share, 1 - share};
  Pose pose = rest_pose(rig);
  const Vec3 above = normalized(rig.skeleton.joints[j].rest.translation);
  pose.joints[j].rotation = rotation_about(above, angle);
  const auto states = bone_states(rig, pose);
  const Deformed deformed =
      deform_reference(rig, states, pose.shapes, method_from_name(method, rig), false);
  return measure(rig, states, rig.mesh.positions, deformed.positions);
}

TEST(Parts, a_wrung_palm_and_a_wrung_jaw_show_and_sound_ones_do_not) {
  for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
    const Measures palm = turned("hand.L", radians(170), 0.5, method);
    const Measures sound_palm = turned("hand.L", radians(170), 1, method);
    const Measures jaw = turned("head", radians(80), 0.5, method);
    const Measures sound_jaw = turned("head", radians(80), 1, method);
    EXPECT_GT(least_rigid_end(palm)->rms, 0.1) << method;
    EXPECT_GT(least_rigid_end(jaw)->rms, 0.1) << method;
    EXPECT_GT(degrees(most_turned_part(palm)->turn), 40) << method;
    EXPECT_GT(degrees(most_turned_part(jaw)->turn), 20) << method;
    for (const Measures* sound : {&sound_palm, &sound_jaw}) {
      EXPECT_LT(least_rigid_end(*sound)->rms, 1e-9) << method;
      EXPECT_LT(degrees(most_turned_part(*sound)->turn), 1e-6) << method;
    }
    EXPECT_GT(palm.strain.distorted_area, 0.001) << method;
    EXPECT_EQ(sound_palm.strain.distorted_area, 0) << method;
    EXPECT_GT(jaw.strain.distorted_area, 0.02) << method;
    EXPECT_LT(sound_jaw.strain.distorted_area, 0.002) << method;
  }
}

TEST(Parts, a_chest_that_is_turned_by_the_neck_shows) {
  const Measures wrung = turned("neck", radians(70), 0.5, "stbs-dqs");
  const Measures sound = turned("neck", radians(70), 0, "stbs-dqs");
  EXPECT_GT(degrees(most_turned_part(wrung)->turn), 10);
  EXPECT_LT(degrees(most_turned_part(sound)->turn), 1e-6);
}

}  // namespace
}  // namespace sinew
