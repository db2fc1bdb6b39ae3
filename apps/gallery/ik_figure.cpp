// SPDX-License-Identifier: Apache-2.0
// The slides' future work: inverse kinematics with bones that may stretch.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "posing.h"
#include "sinew/deform/pose_targets.h"

namespace sinew::gallery {
namespace {

Drawable ball(const Vec3& center, double radius) {
  Drawable drawable;
  drawable.color = {0.75F, 0.04F, 0.03F};
  constexpr Index rings = 12, sides = 20;
  for (Index i = 0; i <= rings; ++i) {
    for (Index k = 0; k < sides; ++k) {
      const double up = pi * i / rings, turn = 2 * pi * k / sides;
      drawable.positions.push_back(center + Vec3{std::sin(up) * std::cos(turn), std::cos(up),
                                                 std::sin(up) * std::sin(turn)} *
                                                radius);
      if (i == rings) continue;
      const Index a = i * sides + k, b = i * sides + (k + 1) % sides;
      drawable.triangles.push_back({a, b, b + sides});
      drawable.triangles.push_back({a, b + sides, a + sides});
    }
  }
  return drawable;
}

}  // namespace

Figure reach(Models& models, const Progress& progress) {
  const Rig& rig = models.sample("mannequin", 20000, progress.part(0, 0.6));
  Figure figure;
  figure.id = "ik";
  figure.title = "Reaching: lengths kept, beyond reach, free";
  figure.source = "Slides on Stretchable and Twistable Bones, future work";
  figure.claim =
      "Bones that stretch serve inverse kinematics, too. A hand asked to a place beyond its arm "
      "stays short of it with bones of fixed length; it arrives where bones grow as far as needed; "
      "and dragged freely, only the bone next to it gives.";
  const Vec3 goal{0.80, 1.62, 0.35};
  struct Case {
    std::string name;
    IkLengths lengths;
  };
  const std::array cases{Case{"lengths kept", IkLengths::kept},
                         Case{"beyond reach", IkLengths::beyond_reach},
                         Case{"free", IkLengths::free}};
  const JointIndex hand = find_joint(rig.skeleton, "hand.L");
  const auto at = [&](const Case& c) {
    const std::string used = models.cast(c.name);
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const Case& other) { return other.name == used; });
    ToldPose pose;
    static_cast<Pose&>(pose) = rest_pose(rig);
    PoseTargets targets;
    IkHandle handle;
    handle.joint = hand;
    handle.lengths = found->lengths;
    targets.handles.push_back(handle);
    IkGoal place;
    place.position = goal;
    targets.goals.push_back(place);
    solve_targets(rig, targets, pose);
    return bone_states(rig, pose);
  };
  std::vector<Panel> panels, close;
  std::vector<Vec3> held{goal};
  for (const Case& c : cases) {
    progress.report(c.name, 0.7);
    const auto states = at(c);
    const auto positions = models.deformed(rig, states, "stbs-dqs");
    Scene scene =
        scene_of(surface(rig.mesh, positions, models.skin("mannequin")), bones(states, 0.07));
    scene.inner.push_back(ball(goal, 0.028));  // to be seen through the hand that is there
    panels.push_back({c.name, std::move(scene)});
    for (const Vec3& p : positions) {
      if (p.y > 0.95) held.push_back(p);
    }
    const auto length_of = [&](const char* bone) {
      const BoneState& s = states[bone_number(rig.skeleton, bone)];
      return distance(s.posed_head, s.posed_tail) / distance(s.head, s.tail);
    };
    const BoneState& wrist = states[bone_number(rig.skeleton, "hand.L")];
    const bool kept = c.lengths == IkLengths::kept, free = c.lengths == IkLengths::free;
    Number missed{c.name, "hand from its goal (m)", distance(wrist.posed_head, goal), Unit::none};
    Number upper{c.name, "upper arm", length_of("upper_arm.L"), Unit::times};
    Number lower{c.name, "forearm", length_of("forearm.L"), Unit::times};
    if (kept) {
      missed.at_least = 0.05;
      upper.at_least = lower.at_least = 0.9999;
      upper.at_most = lower.at_most = 1.0001;
    } else {
      missed.at_most = 1e-4;
      lower.at_least = 1.2;
      upper.at_least = free ? 0.9999 : 1.2;
      if (free) upper.at_most = 1.0001;
    }
    figure.numbers.insert(figure.numbers.end(), {missed, upper, lower});
  }
  const Wall wall({.view = {18, 8}, .aspect = 1.05, .margin = 0.03}, models.detail(), held);
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "The mannequin reaches for a red mark"));
  figure.result = fmt::format(
      "With lengths kept the wrist stays {} m short of the red mark. Beyond reach, upper arm and "
      "forearm grow to {} and {}; free, the forearm alone, to {}. Hands keep their shape, as the "
      "skin is that of stretchable bones.",
      figure.text("lengths kept", "hand from its goal (m)"),
      figure.text("beyond reach", "upper arm"), figure.text("beyond reach", "forearm"),
      figure.text("free", "forearm"));
  return figure;
}

}  // namespace sinew::gallery
