// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "sinew/core/math.h"
#include "sinew/samples/detail/characters.h"
#include "sinew/samples/detail/mannequin.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

Curve<double> line(double from, double value_from, double to, double value_to) {
  Curve<double> curve;
  curve.times = {from, to};
  curve.values = {value_from, value_to};
  return curve;
}

void add_drivers(Rig& rig) {
  rig.controls.push_back({"breathing", 0});
  const auto joint = [&](const std::string& name) { return find_joint(rig.skeleton, name); };
  for (const std::string side : {".L", ".R"}) {
    rig.drivers.push_back({joint("kneecap" + side), RotationShare{joint("shin" + side), 0.5}});
    rig.drivers.push_back({joint("biceps" + side), Follow{Follow::Property::scale,
                                                          {1, 1, 1},
                                                          AngleInput{joint("forearm" + side), {}},
                                                          line(0, 1, 130, 1.3)}});
  }
  rig.drivers.push_back(
      {joint("breath"),
       Follow{Follow::Property::scale, {1, 0.5, 1}, ControlInput{0}, line(0, 1, 1, 1.12)}});
  rig.drivers.push_back(
      {joint("breath"),
       Follow{Follow::Property::translation, {0, 0.3, 1}, ControlInput{0}, line(0, 0, 1, 0.012)}});
}

Clip walk(const Rig& rig) {
  Loop loop{rig, 1.2, {}};
  loop.clip.name = "walk";
  shift(loop, "hips", [](double t) {
    return Vec3{0.012 * wave(t), -0.022 + 0.012 * wave(2 * t, 0.25), 0};
  });
  turn(loop, "hips", up_axis, [](double t) { return 6 * wave(t, 0.25); });
  turn(loop, "chest", up_axis, [](double t) { return -10 * wave(t, 0.25); });
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double half = left ? 0 : 0.5, sign = left ? 1 : -1;
    turn(loop, "thigh" + side, right_axis,
         [=](double t) { return -4 - 26 * wave(t, half - 0.25); });
    turn(loop, "shin" + side, right_axis,
         [=](double t) { return 8 + 52 * math::pow(swell(t - half + 0.38), 2); });
    turn(loop, "foot" + side, right_axis, [=](double t) { return -4 + 14 * wave(t, half + 0.1); });
    turn(loop, "toes" + side, right_axis,
         [=](double t) { return -30 * math::pow(swell(t - half + 0.55), 3); });
    turn(loop, "upper_arm" + side, [=](double t) {
      const Quat lowered = rotation_about(front_axis, radians(-38 * sign));
      return rotation_about(right_axis, radians(24 * wave(t, half - 0.25))) * lowered;
    });
    turn(loop, "forearm" + side, up_axis,
         [=](double t) { return -sign * (22 + 14 * wave(t, half + 0.25)); });
  }
  drive(loop, "breathing", [](double t) { return 0.5 * swell(t); });
  return std::move(loop.clip);
}

Clip greet(const Rig& rig) {
  Loop loop{rig, 2.4, {}};
  loop.clip.name = "wave";
  turn(loop, "shoulder.L", front_axis, [](double) { return 12.0; });
  turn(loop, "upper_arm.L", front_axis, [](double t) { return 52 + 4 * wave(2 * t); });
  turn(loop, "forearm.L", [&](double t) {
    const Quat bend = rotation_about(front_axis, radians(62 + 24 * wave(2 * t)));
    return bend * rotation_about(bone_direction(rig, "forearm.L"), radians(-80.0));
  });
  turn(loop, "hand.L", front_axis, [](double t) { return 14 * wave(2 * t, 0.1); });
  turn(loop, "upper_arm.R", front_axis, [](double) { return 36.0; });
  turn(loop, "forearm.R", up_axis, [](double) { return 25.0; });
  turn(loop, "head", [](double t) {
    return rotation_about(up_axis, radians(14.0)) *
           rotation_about(front_axis, radians(5 * wave(t)));
  });
  turn(loop, "spine_2", front_axis, [](double t) { return -3 + 2 * wave(t); });
  drive(loop, "breathing", [](double t) { return swell(t); });
  return std::move(loop.clip);
}

Clip twist_stretch(const Rig& rig) {
  Loop loop{rig, 4, {}};
  loop.clip.name = "twist_stretch";
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double sign = left ? 1 : -1;
    turn(loop, "upper_arm" + side, front_axis, [=](double t) { return sign * 38 * swell(t); });
    turn(loop, "forearm" + side, up_axis, [=](double t) { return -sign * 70 * swell(2 * t); });
    turn(loop, "hand" + side, bone_direction(rig, "forearm" + side),
         [=](double t) { return sign * 180 * wave(t); });
    stretch(loop, "forearm" + side, [](double t) { return 1 + 0.25 * swell(t); });
    stretch(loop, "hand" + side, [](double t) { return 1 + 0.5 * swell(t); });
    stretch(loop, "shin" + side, [](double t) { return 1 + 0.15 * swell(t); });
    stretch(loop, "foot" + side, [](double t) { return 1 + 0.2 * swell(t); });
  }
  turn(loop, "spine_2", up_axis, [](double t) { return 35 * wave(t); });
  turn(loop, "chest", up_axis, [](double t) { return 30 * wave(t); });
  turn(loop, "head", up_axis, [](double t) { return -65 * wave(t); });
  stretch(loop, "head", [](double t) { return 1 + 0.8 * swell(t); });
  shift(loop, "hips", [](double t) { return Vec3{0, 0.145 * swell(t), 0}; });
  return std::move(loop.clip);
}

}  // namespace

Rig make_mannequin(std::size_t vertex_target, const Progress& progress) {
  Rig rig = build(mannequin_blueprint(), vertex_target, progress);
  add_drivers(rig);
  rig.clips = {walk(rig), greet(rig), twist_stretch(rig)};
  return rig;
}

}  // namespace sinew::samples
