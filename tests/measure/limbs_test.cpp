// SPDX-License-Identifier: Apache-2.0
// Sections, twist and caps on tubes with known answers, moved by hand and by no method.
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/measure/caps.h"
#include "sinew/measure/measure.h"
#include "tests/measure/moved_pose.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

std::vector<std::vector<Section>> sections_of(const Rig& rig, const std::vector<BoneState>& states,
                                              const std::vector<Vec3>& deformed) {
  return bone_sections(rig.mesh.triangles, rig.skin.weights, states, rig.mesh.positions, deformed);
}

TEST(Sections, at_rest_nothing_is_thinner_or_turned) {
  const Rig rig = make_tube();
  const auto states = at_rest(rig);
  for (const auto& sections : sections_of(rig, states, rig.mesh.positions)) {
    ASSERT_EQ(sections.size(), 21u);
    for (std::size_t k = 0; k < sections.size(); ++k) {
      EXPECT_DOUBLE_EQ(sections[k].t, double(k) / 20);
      EXPECT_NEAR(sections[k].radius, 1, 1e-9);
      ASSERT_TRUE(sections[k].turn);
      EXPECT_NEAR(*sections[k].turn, 0, 1e-9);
    }
  }
}

TEST(Sections, show_the_radius_where_it_changes) {
  const Rig rig = make_tube();
  const auto states = at_rest(rig);
  // A waist in the middle of the first bone, half as thick there.
  const auto waist = mapped(rig.mesh.positions, [](const Vec3& p) {
    const double f = 1 - 0.5 * std::max(0.0, 1 - std::fabs(p.x - 0.5) / 0.25);
    return Vec3{p.x, p.y * f, p.z * f};
  });
  const auto sections = sections_of(rig, states, waist);
  EXPECT_NEAR(sections[0][10].radius, 0.5, 1e-9);
  EXPECT_NEAR(sections[0][0].radius, 1, 1e-9);
  EXPECT_NEAR(sections[1][10].radius, 1, 1e-9);
}

TEST(Sections, neither_where_the_pose_is_nor_how_large_it_is_matters) {
  const Quat turn = rotation_about(normalized(Vec3{-1, 2, 0.3}), 2.4);
  for (const double size : {1e-6, 1.0, 1e6}) {
    Rig rig = make_tube(
        {.bone_length = size, .overhang = size / 2, .radius = 0.2 * size, .blend = size / 4});
    const Vec3 by{size, 0, 2 * size};
    const auto poses = moved(rest_bones(rig), turn, by);
    const auto deformed = mapped(rig.mesh.positions, [&](const Vec3& p) {
      return rotate(turn, turned_about_x(p, 0.3)) + by;
    });
    for (const auto& sections : sections_of(rig, bone_states(rig.skeleton, poses), deformed)) {
      ASSERT_EQ(sections.size(), 21u);
      for (const Section& section : sections) {
        EXPECT_NEAR(section.radius, 1, 1e-9);
        EXPECT_NEAR(*section.turn, 0.3, 1e-9);
      }
    }
  }
}

TEST(Sections, turns_go_on_beyond_a_full_turn) {
  const Rig rig = make_tube({.bones = 1, .rings = 201});
  const auto states = at_rest(rig);
  const auto twisted = mapped(rig.mesh.positions,
                              [](const Vec3& p) { return turned_about_x(p, radians(720) * p.x); });
  const auto sections = sections_of(rig, states, twisted);
  EXPECT_NEAR(degrees(*sections[0].back().turn - *sections[0].front().turn), 720, 1e-9);
}

TEST(Sections, a_collapsed_section_has_no_turn) {
  const Rig rig = make_tube();
  const auto states = at_rest(rig);
  const auto line = mapped(rig.mesh.positions, [](const Vec3& p) { return Vec3{p.x, 0, 0}; });
  const auto sections = sections_of(rig, states, line);
  for (const Section& section : sections[0]) {
    EXPECT_FALSE(section.turn);
    EXPECT_EQ(section.radius, 0);
  }
}

TEST(Sections, other_limbs_are_not_cut) {
  // A second tube beside the first, on a bone of its own, which grows.
  Rig rig = make_tube({.bones = 1});
  const Rig other = rig;
  const auto first = static_cast<Index>(rig.mesh.positions.size());
  for (const Vec3& p : other.mesh.positions) {
    rig.mesh.positions.push_back(p + Vec3{0, 3, 0});
    rig.skin.weights.push_row(std::vector<Influence>{{0, 0.05}, {1, 0.95}});
  }
  for (const auto& [a, b, c] : other.mesh.triangles) {
    rig.mesh.triangles.push_back({a + first, b + first, c + first});
  }
  rig.skeleton.joints.push_back({"beside", no_joint, {{0, 3, 0}, {}, {1, 1, 1}}, false});
  Bone bone;
  bone.joint = 1;
  bone.head = {0, 3, 0};
  bone.tail = {1, 3, 0};
  rig.skeleton.bones.push_back(bone);
  const auto grown = mapped(rig.mesh.positions, [](const Vec3& p) {
    return p.y > 1 ? Vec3{p.x, 3 + 2 * (p.y - 3), 2 * p.z} : p;
  });
  const auto sections = sections_of(rig, at_rest(rig), grown);
  for (const Section& section : sections[0]) EXPECT_NEAR(section.radius, 1, 1e-9);
  for (const Section& section : sections[1]) EXPECT_NEAR(section.radius, 2, 1e-9);
}

TEST(Sections, what_does_not_fit_together_is_an_error) {
  const Rig rig = make_tube();
  auto states = at_rest(rig);
  states.pop_back();
  EXPECT_EQ(wrong_usage([&] { sections_of(rig, states, rig.mesh.positions); }),
            "the weights are for 2 bones, but there are 1");
  EXPECT_EQ(wrong_usage([&] { sections_of(rig, at_rest(rig), {}); }),
            "the shape has 976 vertices at rest, but 0 when deformed");
}

// The tube's second bone turned about its axis.
std::vector<BoneState> twisted_states(const Rig& rig, double angle) {
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{1, 0, 0}, angle);
  return bone_states(rig.skeleton, poses);
}

std::vector<JointTwist> twists_of(const Rig& rig, double angle, double from, double to) {
  const auto deformed = mapped(rig.mesh.positions, [&](const Vec3& p) {
    return turned_about_x(p, angle * std::clamp((p.x - from) / (to - from), 0.0, 1.0));
  });
  const auto states = twisted_states(rig, angle);
  return joint_twists(rig.skeleton, states, sections_of(rig, states, deformed));
}

TEST(Twist, spread_over_both_bones_a_fifth_is_near_the_joint) {
  const Rig rig = make_tube({.rings = 121});
  for (const double angle : {30.0, -120.0, 180.0}) {
    const auto twists = twists_of(rig, radians(angle), 0, 2);
    ASSERT_EQ(twists.size(), 1u);
    EXPECT_EQ(twists[0].before, 0);
    EXPECT_EQ(twists[0].after, 1);
    EXPECT_NEAR(degrees(twists[0].asked), angle, 1e-9);
    EXPECT_NEAR(degrees(twists[0].total), std::fabs(angle), 1e-9);
    EXPECT_NEAR(*twists[0].share(), 0.2, 1e-9);
  }
}

TEST(Twist, packed_at_the_joint_all_of_it_is_near) {
  const Rig rig = make_tube({.rings = 121});
  EXPECT_NEAR(*twists_of(rig, 2, 0.9, 1.1)[0].share(), 1, 1e-6);
  EXPECT_NEAR(*twists_of(rig, 2, 0.6, 1.4)[0].share(), 0.5, 1e-9);
  EXPECT_NEAR(*twists_of(rig, 2, 0.1, 0.3)[0].share(), 0, 1e-6);
}

TEST(Twist, a_bone_between_two_joints_is_shared_by_halves) {
  const Rig rig = make_tube({.bones = 3, .rings = 121});
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{1, 0, 0}, 1.0);
  poses[2].rotation = rotation_about(Vec3{1, 0, 0}, 3.0);
  const auto states = bone_states(rig.skeleton, poses);
  const auto twists = [&](double width) {
    const auto deformed = mapped(rig.mesh.positions, [&](const Vec3& p) {
      const auto ramp = [&](double at) { return std::clamp((p.x - at) / width + 0.5, 0.0, 1.0); };
      return turned_about_x(p, ramp(1) + 2 * ramp(2));
    });
    return joint_twists(rig.skeleton, states, sections_of(rig, states, deformed));
  };
  const auto packed = twists(0.2);
  ASSERT_EQ(packed.size(), 2u);
  EXPECT_NEAR(packed[0].total, 1, 1e-9);
  EXPECT_NEAR(packed[1].total, 2, 1e-9);
  EXPECT_NEAR(*share_near_joints(packed), 1, 1e-6);
  // Over half a bone to either side, of which two fifths are near.
  EXPECT_NEAR(*share_near_joints(twists(1)), 0.4, 1e-9);
}

TEST(Twist, where_nothing_turns_there_is_no_share) {
  const Rig rig = make_tube();
  const auto states = twisted_states(rig, 0);
  EXPECT_TRUE(
      joint_twists(rig.skeleton, states, sections_of(rig, states, rig.mesh.positions)).empty());
  EXPECT_FALSE(share_near_joints({}));
  // A pose that asks for a twist and a shape that ignores it.
  auto poses = rest_bones(rig);
  poses[0].twist_end = 2;
  const auto asked = bone_states(rig.skeleton, poses);
  const auto ignored =
      joint_twists(rig.skeleton, asked, sections_of(rig, asked, rig.mesh.positions));
  ASSERT_EQ(ignored.size(), 1u);
  EXPECT_FALSE(ignored[0].share());
}

TEST(Twist, a_bone_twisted_by_its_ends_is_measured_at_its_tail) {
  const Rig rig = make_tube({.bones = 1, .rings = 121});
  auto poses = rest_bones(rig);
  poses[0].twist_end = 3;
  const auto states = bone_states(rig.skeleton, poses);
  const auto deformed = mapped(rig.mesh.positions, [](const Vec3& p) {
    return turned_about_x(p, 3 * std::clamp(p.x, 0.0, 1.0));
  });
  const auto twists = joint_twists(rig.skeleton, states, sections_of(rig, states, deformed));
  ASSERT_EQ(twists.size(), 1u);
  EXPECT_EQ(twists[0].before, 0);
  EXPECT_FALSE(twists[0].after);
  EXPECT_NEAR(*twists[0].share(), 0.2, 1e-9);
  EXPECT_EQ(twisted_bones(rig.skeleton, states), std::vector<bool>{true});
}

TEST(Caps, the_error_of_a_scaled_cap_is_known) {
  // Overhang 0.5 and radius 0.2; along x the cap is stretched by f about its end.
  const Rig rig = make_tube({.bones = 1, .rings = 41});
  for (const double f : {1.0, 1.5, 3.0}) {
    const auto stretched = mapped(rig.mesh.positions, [&](const Vec3& p) {
      return Vec3{f * p.x, p.y, p.z};
    });
    const auto caps =
        cap_errors(rig.skeleton, rig.skin.weights, at_rest(rig), rig.mesh.positions, stretched);
    ASSERT_EQ(caps.size(), 2u);
    for (const CapError& cap : caps) {
      double along = 0, count = 0, middle = 0;
      for (const Vec3& p : rig.mesh.positions) {
        if (cap.at_tail ? p.x > 1 : p.x < 0) middle += p.x, ++count;
      }
      middle /= count;
      for (const Vec3& p : rig.mesh.positions) {
        if (cap.at_tail ? p.x > 1 : p.x < 0) along += (p.x - middle) * (p.x - middle) / count;
      }
      EXPECT_NEAR(cap.size, std::sqrt(along + 0.04), 1e-9);
      EXPECT_NEAR(cap.rms, (f - 1) * std::sqrt(along) / cap.size, 1e-9);
      EXPECT_GE(cap.largest, cap.rms);
      EXPECT_NEAR(cap.length, f, 1e-9);
      EXPECT_NEAR(cap.width, 1, 1e-9);
    }
  }
}

TEST(Caps, a_rigid_cap_has_no_error_wherever_it_goes) {
  const Rig rig = make_tube();
  const auto moved = mapped(rig.mesh.positions, [](const Vec3& p) {
    const Vec3 bent = p.x > 1.9 ? rotate(rotation_about(Vec3{0, 1, 0}, 2.0), p) : p;
    return bent + Vec3{5, 6, 7};
  });
  const auto caps =
      cap_errors(rig.skeleton, rig.skin.weights, at_rest(rig), rig.mesh.positions, moved);
  ASSERT_EQ(caps.size(), 2u);
  for (const CapError& cap : caps) EXPECT_LT(cap.largest, 1e-12);
}

TEST(Caps, what_does_not_follow_its_bone_misses_its_end) {
  const Rig rig = make_tube({.bones = 1});
  auto poses = rest_bones(rig);
  poses[0].end = {2, 0, 0};
  const auto caps = [&](double beyond) {
    const auto deformed = mapped(rig.mesh.positions, [&](const Vec3& p) {
      return p.x > 1 ? p + Vec3{beyond, 0, 0} : p;
    });
    return cap_errors(rig.skeleton, rig.skin.weights, bone_states(rig.skeleton, poses),
                      rig.mesh.positions, deformed);
  };
  EXPECT_NEAR(caps(0)[1].missed, 0.5, 1e-12);
  EXPECT_NEAR(caps(0.6)[1].missed, 0.2, 1e-12);
  EXPECT_NEAR(caps(1)[1].missed, 0, 1e-12);
  EXPECT_NEAR(caps(0)[0].missed, 0, 1e-12);
  EXPECT_EQ(wrong_usage([&] {
              cap_errors(rig.skeleton, rig.skin.weights, {}, rig.mesh.positions,
                         rig.mesh.positions);
            }),
            "the pose and the skeleton differ in their number of bones");
}

TEST(Caps, vertices_on_a_line_do_not_tell_where_the_end_is) {
  Rig rig = make_tube({.bones = 1});
  // Beyond the tail all lie on one line beside the bone's.
  for (Vec3& p : rig.mesh.positions) {
    if (p.x > 1) p = {p.x, 0.2, 0};
  }
  const auto caps = cap_errors(rig.skeleton, rig.skin.weights, at_rest(rig), rig.mesh.positions,
                               rig.mesh.positions);
  ASSERT_EQ(caps.size(), 1u);
  EXPECT_FALSE(caps[0].at_tail);
  EXPECT_LT(caps[0].missed, 1e-12);
}

TEST(Caps, only_free_ends_have_them) {
  const Rig rig = make_tube({.bones = 3});
  const auto caps = cap_errors(rig.skeleton, rig.skin.weights, at_rest(rig), rig.mesh.positions,
                               rig.mesh.positions);
  ASSERT_EQ(caps.size(), 2u);
  EXPECT_EQ(caps[0].bone, 0);
  EXPECT_FALSE(caps[0].at_tail);
  EXPECT_EQ(caps[1].bone, 2);
  EXPECT_TRUE(caps[1].at_tail);
  // Blended vertices bend with their bones, and limbs may hang on a root's head.
  Rig blended = rig;
  for (Influence& influence : blended.skin.weights.influences) influence.weight *= 0.5;
  EXPECT_EQ(cap_errors(rig.skeleton, blended.skin.weights, at_rest(rig), rig.mesh.positions,
                       rig.mesh.positions)
                .size(),
            2u);
  Weights shared;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    shared.push_row(std::vector<Influence>{{0, 0.5}, {2, 0.5}});
  }
  EXPECT_TRUE(cap_errors(rig.skeleton, shared, at_rest(rig), rig.mesh.positions, rig.mesh.positions)
                  .empty());
  Rig hung = rig;
  hung.skeleton.joints.push_back({"leg", 0, {{-0.1, 0.3, 0}, {}, {1, 1, 1}}, false});
  Bone leg = hung.skeleton.bones[0];
  leg.joint = 3;
  leg.tail_joint = no_joint;
  leg.head = {-0.1, 0.3, 0};
  leg.tail = {-0.1, 2, 0};
  hung.skeleton.bones.push_back(leg);
  const auto left = cap_errors(hung.skeleton, hung.skin.weights, at_rest(hung), hung.mesh.positions,
                               hung.mesh.positions);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_TRUE(left[0].at_tail);
  // Nor is a tail free if something hangs on the bone elsewhere.
  Rig branched = make_tube({.bones = 1});
  branched.skeleton.joints.push_back({"branch", 0, {{0.8, 0.3, 0}, {}, {1, 1, 1}}, false});
  Bone branch = branched.skeleton.bones[0];
  branch.joint = 1;
  branch.head = {0.8, 0.3, 0};
  branch.tail = {0.8, 2, 0};
  branched.skeleton.bones.push_back(branch);
  const auto at_head = cap_errors(branched.skeleton, branched.skin.weights, at_rest(branched),
                                  branched.mesh.positions, branched.mesh.positions);
  ASSERT_EQ(at_head.size(), 1u);
  EXPECT_FALSE(at_head[0].at_tail);
  const Rig without = make_tube({.overhang = 0});
  EXPECT_TRUE(cap_errors(without.skeleton, without.skin.weights, at_rest(without),
                         without.mesh.positions, without.mesh.positions)
                  .empty());
}

TEST(Measure, at_rest_all_is_as_it_should_be) {
  const Rig rig = make_tube();
  const auto states = at_rest(rig);
  const Measures m = measure(rig, states, rig.mesh.positions, rig.mesh.positions);
  EXPECT_NEAR(m.volume->change(), 0, 1e-12);
  EXPECT_EQ(m.edges.longest, 1);
  EXPECT_EQ(m.edges.rms, 0);
  EXPECT_FALSE(smallest_radius(m));
  EXPECT_LT(*largest_cap_error(m), 1e-12);
  EXPECT_EQ(m.intersections.pairs, 0u);
}

TEST(Measure, numbers_stay_numbers_at_any_size) {
  for (const double size : {1e-300, 1e-150, 1e-60, 1e60, 1e99}) {
    const Rig rig = make_tube(
        {.bone_length = size, .overhang = size / 2, .radius = 0.2 * size, .blend = size / 4});
    auto poses = rest_bones(rig);
    poses[1].rotation = rotation_about(Vec3{1, 0, 0}, 2.0);
    const auto grown = mapped(rig.mesh.positions, [](const Vec3& p) { return p * 1.5; });
    const Measures m = measure(rig, bone_states(rig.skeleton, poses), rig.mesh.positions, grown);
    const std::string text = to_text({0, 0, 0, {{"grown", m}}}, rig.skeleton);
    EXPECT_EQ(text.find("nan"), std::string::npos) << size << text;
    EXPECT_EQ(text.find("inf"), std::string::npos) << size << text;
  }
  const std::vector<Vec3> far = {{1e200, 0, 0}};
  EXPECT_EQ(bad_input([&] { edge_stretch({}, far, far); }),
            "vertex 0: lies too far out to be measured; scale the model down");
}

TEST(Measure, a_rig_without_anything_has_no_numbers) {
  const Measures m = measure({}, {}, {}, {});
  EXPECT_FALSE(m.volume);
  EXPECT_FALSE(smallest_radius(m));
  EXPECT_FALSE(largest_cap_error(m));
  EXPECT_FALSE(share_near_joints(m.twists));
  const Comparison comparison{0, 0, 0, {{"lbs", m}}};
  EXPECT_NE(to_text(comparison, {}).find("lbs"), std::string::npos);
  EXPECT_NE(to_json(comparison, {}).find("\"volume\": null"), std::string::npos);
}

}  // namespace
}  // namespace sinew
