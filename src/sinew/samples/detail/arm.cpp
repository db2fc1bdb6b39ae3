// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "sinew/samples/detail/characters.h"
#include "sinew/samples/detail/hand.h"
#include "sinew/samples/internal/blueprint.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

constexpr Vec3 skin{0.72, 0.44, 0.31}, sleeve{0.10, 0.28, 0.42};
constexpr Vec3 shoulder{0, 0, 0}, elbow{0.29, 0, -0.006}, wrist{0.545, 0, 0.006};

Blueprint make_blueprint() {
  Blueprint blueprint;
  blueprint.name = "arm";
  blueprint.material = "skin";
  add_joint(blueprint, "upper_arm", "", shoulder);
  add_joint(blueprint, "forearm", "upper_arm", elbow);
  const auto add = [&](std::string_view bone, const Vec3& a, const Vec3& b, double ra, double rb,
                       double blend, double flat = 1) {
    Primitive flesh = limb(blueprint, bone, a, b, ra, rb, blend);
    flesh.color = skin;
    if (flat != 1) flesh.warp = flattened({0, 1, 0}, flat);
    blueprint.flesh.push_back(flesh);
  };
  add("upper_arm", shoulder, elbow, 0.058, 0.041, 0);
  add("upper_arm", {0.03, 0.008, 0}, {0.09, 0.004, 0}, 0.062, 0.052, 0.03);    // deltoid
  add("upper_arm", {0.11, 0, 0.016}, {0.20, 0, 0.014}, 0.045, 0.039, 0.02);    // biceps
  add("upper_arm", {0.10, 0, -0.018}, {0.19, 0, -0.016}, 0.043, 0.036, 0.02);  // triceps
  add("forearm", elbow, {0.37, 0, 0}, 0.041, 0.045, 0.012);
  add("forearm", {0.37, 0, 0}, wrist, 0.045, 0.027, 0.012, 0.88);
  add_hand(blueprint, "forearm", "", {wrist, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}, 1.0}, skin);
  // A sleeve down to the middle of the upper arm.
  blueprint.paint = [](const Vec3& p, const Vec3&, const Vec3& blended) {
    return p.x < 0.155 ? sleeve : blended;
  };
  return blueprint;
}

}  // namespace

Rig make_arm(std::size_t vertex_target, const Progress& progress) {
  Rig rig = build(make_blueprint(), vertex_target, progress);
  const Vec3 forearm_axis = bone_direction(rig, "forearm");

  Loop twist{rig, 4, {}};
  twist.clip.name = "bend_twist_stretch";
  turn(twist, "forearm", {0, -1, 0}, [](double t) { return 95 * swell(t); });
  turn(twist, "hand", forearm_axis, [](double t) { return 175 * wave(t); });
  stretch(twist, "forearm", [](double t) { return 1 + 0.25 * swell(t); });
  stretch(twist, "hand", [](double t) { return 1 + 0.45 * swell(t); });

  Loop fist{rig, 3, {}};
  fist.clip.name = "fist";
  turn(fist, "forearm", {0, -1, 0}, [](double t) { return 70 * swell(t); });
  for (const std::string finger : {"index", "middle", "ring", "pinky"}) {
    for (int i = 1; i <= 3; ++i) {
      // Palm down: fingers curl about +z's opposite, from +x towards -y.
      turn(fist, finger + "_" + std::to_string(i), {0, 0, -1},
           [i](double t) { return (i == 2 ? 95 : 70) * swell(t); });
    }
  }
  turn(fist, "thumb_2", {0, 1, -0.4}, [](double t) { return 35 * swell(t); });
  turn(fist, "thumb_3", {0, 1, -0.4}, [](double t) { return 40 * swell(t); });
  rig.clips.push_back(std::move(twist.clip));
  rig.clips.push_back(std::move(fist.clip));
  return rig;
}

}  // namespace sinew::samples
