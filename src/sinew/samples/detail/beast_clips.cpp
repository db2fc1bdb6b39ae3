// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "sinew/samples/detail/beast.h"
#include "sinew/samples/detail/characters.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

// The tail swings like a whip, each bone later than the one before.
void swish(Loop& loop, double degrees_each) {
  for (int i = 0; i < beast_tail_bones; ++i) {
    turn(loop, "tail_" + std::to_string(i + 1), up_axis,
         [=](double t) { return degrees_each * wave(t, 0.09 * i); });
  }
}

Clip prowl(const Rig& rig) {
  Loop loop{rig, 3, {}};
  loop.clip.name = "prowl";
  swish(loop, 16);
  for (int i = 0; i < beast_neck_bones; ++i) {
    turn(loop, "neck_" + std::to_string(i + 1), up_axis,
         [=](double t) { return -11 * wave(t, 0.06 * i); });
  }
  turn(loop, "head", up_axis, [](double t) { return -14 * wave(t, 0.3); });
  turn(loop, "jaw", right_axis, [](double t) { return 16 * swell(2 * t); });
  turn(loop, "chest", right_axis, [](double t) { return 3 * wave(2 * t); });
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double half = left ? 0 : 0.5, sign = left ? 1 : -1;
    turn(loop, "upper_arm" + side, right_axis, [=](double t) { return 16 * wave(t, half); });
    turn(loop, "forearm" + side, right_axis,
         [=](double t) { return -14 - 14 * wave(t, half + 0.1); });
    for (const char* digit : {"claw_a", "claw_b", "claw_c"}) {
      turn(loop, std::string(digit) + "_1" + side, right_axis,
           [=](double t) { return 25 * swell(t + half); });
      turn(loop, std::string(digit) + "_2" + side, right_axis,
           [=](double t) { return 35 * swell(t + half); });
    }
    turn(loop, "thigh" + side, up_axis, [=](double t) { return sign * 3 * wave(t); });
  }
  return std::move(loop.clip);
}

Clip neck_stretch(const Rig& rig) {
  Loop loop{rig, 4, {}};
  loop.clip.name = "twist_stretch";
  swish(loop, 24);
  for (int i = 0; i < beast_neck_bones; ++i) {
    const std::string name = "neck_" + std::to_string(i + 1);
    turn(loop, name, bone_direction(rig, name),
         [=](double t) { return (i == 0 ? 10 : 28) * wave(t); });
    if (i > 0) stretch(loop, name, [](double t) { return 1 + 0.4 * swell(t); });
  }
  stretch(loop, "head", [](double t) { return 1 + 0.4 * swell(t); });
  turn(loop, "jaw", right_axis, [](double t) { return 25 * swell(t); });
  for (int i = 2; i <= beast_tail_bones; ++i) {
    stretch(loop, "tail_" + std::to_string(i), [](double t) { return 1 + 0.3 * swell(t); });
  }
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double sign = left ? 1 : -1;
    turn(loop, "upper_arm" + side, {0, 0, 1}, [=](double t) { return sign * 30 * swell(t); });
    turn(loop, "hand" + side, bone_direction(rig, "forearm" + side),
         [=](double t) { return sign * 150 * wave(t); });
    stretch(loop, "hand" + side, [](double t) { return 1 + 0.35 * swell(t); });
  }
  return std::move(loop.clip);
}

}  // namespace

Rig make_beast(std::size_t vertex_target, const Progress& progress) {
  Rig rig = build(beast_blueprint(), vertex_target, progress);
  rig.clips = {prowl(rig), neck_stretch(rig)};
  return rig;
}

}  // namespace sinew::samples
