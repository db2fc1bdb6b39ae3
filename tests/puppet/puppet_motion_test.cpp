// SPDX-License-Identifier: Apache-2.0
// What poses and loops do to a puppet.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/deform/posed_rig.h"
#include "sinew/measure/caps.h"
#include "tests/puppet/puppet_checks.h"
#include "tests/support/rotations.h"

namespace sinew {
namespace {

// What lies beyond the near wrist, in a pose.
CapError hand(const Puppet& puppet, std::span<const BoneState> states, const char* method) {
  Stage stage(puppet, method_from_name(method, puppet.rig));
  const Rig& rig = puppet.rig;
  for (const CapError& cap : cap_errors(rig.skeleton, rig.skin.weights, states, rig.mesh.positions,
                                        stage.posed(states))) {
    if (puppet.bones.bones[cap.bone].name == "forearm_near") return cap;
  }
  ADD_FAILURE() << "there is no hand";
  return {};
}

TEST(Puppet, hands_keep_their_shape_while_arms_stretch_and_shrink) {
  const Puppet& puppet = dancing();
  const auto elbow = static_cast<std::size_t>(find_joint(puppet.bones, "elbow_near")),
             wrist = static_cast<std::size_t>(find_joint(puppet.bones, "wrist_near"));
  for (const double factor : {2.0, 0.5}) {
    std::vector<Vec2> places = rest_places(puppet);
    places[wrist] = places[elbow] + (places[wrist] - places[elbow]) * factor;
    const std::vector<BoneState> states = puppet_states(puppet, places);
    for (const char* name : {"stbs-dqs", "stbs-lbs"}) {
      const CapError cap = hand(puppet, states, name);
      EXPECT_NEAR(cap.length, 1, 0.01) << name << ", times " << factor;
      EXPECT_NEAR(cap.width, 1, 1e-6) << name << ", times " << factor;
    }
    const CapError plain = hand(puppet, states, "lbs");
    std::printf("the hand by LBS, the arm at %g times its length: %.3f times as long\n", factor,
                plain.length);
    EXPECT_NEAR(plain.length, factor, 1e-6 * factor) << "as the arm itself";
  }
}

TEST(Puppet, bones_go_where_joints_are_dragged_and_stay_in_the_plane) {
  const Puppet& puppet = dancing();
  PosedRig along{RigPlan(puppet.rig)};
  const ClipPlan clip(along.plan(), puppet.rig.clips[0]);
  for (const double time : {0.0, 0.5, 1.0, 2.25, 3.0, 4.0}) {
    const std::vector<Vec2> places = dancer().motion.at(puppet.bones, time);
    along.play(clip, time);
    const std::span<const BoneState> states = along.bones();
    const std::vector<BoneState> drawn = puppet_states(puppet, places);
    for (std::size_t b = 0; b < states.size(); ++b) {
      const auto units = [&](int joint) {
        const Vec2 p = places[joint];
        return Vec3{p.x / 100, (puppet.height - p.y) / 100, 0};
      };
      EXPECT_LT(distance(states[b].posed_head, units(puppet.bones.bones[b].from)), 1e-9);
      EXPECT_LT(distance(states[b].posed_tail, units(puppet.bones.bones[b].to)), 1e-9);
      EXPECT_LT(distance(drawn[b].posed_tail, states[b].posed_tail), 1e-9);
      expect_same_rotation(drawn[b].rotation, states[b].rotation, 1e-9);
    }
    Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
    for (const Vec3& p : stage.posed(states)) EXPECT_NEAR(p.z, 0, 1e-6);
  }
}

TEST(Puppet, a_bone_turned_right_round_stays_in_the_plane) {
  const Image image = drawing({"######", "######"}, 10);
  const Puppet puppet = make_puppet(silhouette_from_alpha(image), one_bone({10, 10}, {50, 10}));
  for (const Vec2 tail : {Vec2{-30, 10}, Vec2{10, 50}, Vec2{10, -30}, Vec2{10, 10}}) {
    const std::vector<Vec2> places{{10, 10}, tail};
    const std::vector<BoneState> states = puppet_states(puppet, places);
    for (const char* name : {"lbs", "dqs", "stbs-lbs", "stbs-dqs"}) {
      Stage stage(puppet, method_from_name(name, puppet.rig));
      for (const Vec3& p : stage.posed(states)) EXPECT_NEAR(p.z, 0, 1e-9) << name;
    }
  }
}

// The largest change of a distance between vertices around the places, in per cent of the largest
// distance.
double distortion(const Puppet& puppet, std::span<const Vec3> posed,
                  std::initializer_list<Vec2> places, double radius) {
  std::vector<std::size_t> near;
  for (std::size_t v = 0; v < puppet.places.size(); ++v) {
    for (const Vec2& place : places) {
      if (length(puppet.places[v] - place) < radius) near.push_back(v);
    }
  }
  EXPECT_GT(near.size(), 30U);
  const std::vector<Vec3>& rest = puppet.rig.mesh.positions;
  double worst = 0, size = 0;
  for (const std::size_t a : near) {
    for (const std::size_t b : near) {
      size = std::max(size, distance(rest[a], rest[b]));
      worst = std::max(worst, std::abs(distance(posed[a], posed[b]) - distance(rest[a], rest[b])));
    }
  }
  return 100 * worst / size;
}

TEST(Puppet, ears_stretch_and_turn_without_the_eyes) {
  const Puppet puppet = rigged(cat);
  for (const bool stretched : {true, false}) {
    std::vector<Vec2> places = rest_places(puppet);
    int ears = 0;
    for (const PictureBone& bone : puppet.bones.bones) {
      Vec2& tip = places[bone.to];
      if (tip.y > 30) continue;
      const Vec2 base = puppet.bones.joints[bone.from].place, ear = tip - base;
      // By 20 degrees.
      tip = base + (stretched ? ear * 1.6
                              : Vec2{0.94 * ear.x - 0.342 * ear.y, 0.342 * ear.x + 0.94 * ear.y});
      ++ears;
    }
    ASSERT_EQ(ears, 2);
    Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
    const std::vector<Vec3> posed = stage.posed(puppet_states(puppet, places));
    const double off = distortion(puppet, posed, {{70, 60}, {100, 60}}, 9);
    std::printf("eyes with ears %s: %.2f%%\n", stretched ? "stretched" : "turned", off);
    EXPECT_LT(off, 0.15);
  }
}

TEST(Puppet, heads_wave_in_one_piece) {
  const Puppet puppet = rigged(cat);
  const PictureMotion wave = picture_loop("wave", puppet.bones);
  Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
  double worst = 0, moved = 0;
  for (int k = 0; k < 12; ++k) {
    const std::vector<Vec3> posed =
        stage.posed(puppet_states(puppet, wave.at(puppet.bones, wave.duration * k / 12)));
    worst = std::max(worst, distortion(puppet, posed, {{70, 60}, {100, 60}}, 9));
    for (std::size_t v = 0; v < posed.size(); ++v) {
      moved = std::max(moved, 100 * distance(posed[v], puppet.rig.mesh.positions[v]));
    }
  }
  std::printf("eyes of a waving head: %.2f%%\n", worst);
  EXPECT_LT(worst, 0.25);
  EXPECT_GT(moved, 20) << "pixels";
}

}  // namespace
}  // namespace sinew
