// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/internal/clips.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/math.h"

namespace sinew::samples {
namespace {

constexpr int key_count = 25;

int find(const Loop& loop, std::string_view name) {
  const int joint = find_joint(loop.rig.skeleton, name);
  if (joint == no_joint) throw UsageError("the sample has no joint named " + std::string(name));
  return joint;
}

// Each key's value from its phase; the last one has phase 0 again, so that loops close exactly.
template <class T, class Value>
Curve<T> keyed(const Loop& loop, Value&& value) {
  Curve<T> curve;
  for (int key = 0; key < key_count; ++key) {
    const double phase = static_cast<double>(key) / (key_count - 1);
    curve.times.push_back(loop.seconds * phase);
    curve.values.push_back(value(key + 1 == key_count ? 0.0 : phase));
  }
  return curve;
}

const Vec3& rest_translation(const Loop& loop, int joint) {
  return loop.rig.skeleton.joints[joint].rest.translation;
}

}  // namespace

void turn(Loop& loop, std::string_view joint, const Vec3& axis,
          const std::function<double(double)>& angle) {
  const Vec3 unit = normalized(axis);
  turn(loop, joint, [&](double phase) { return rotation_about(unit, radians(angle(phase))); });
}

void turn(Loop& loop, std::string_view joint, const std::function<Quat(double)>& rotation) {
  loop.clip.channels.push_back(RotationChannel{find(loop, joint), keyed<Quat>(loop, rotation)});
}

void stretch(Loop& loop, std::string_view joint, const std::function<double(double)>& factor) {
  const Vec3 rest = rest_translation(loop, find(loop, joint));
  shift(loop, joint, [&](double phase) { return rest * (factor(phase) - 1); });
}

void shift(Loop& loop, std::string_view joint, const std::function<Vec3(double)>& offset) {
  const int number = find(loop, joint);
  const Vec3 rest = rest_translation(loop, number);
  loop.clip.channels.push_back(TranslationChannel{
      number, keyed<Vec3>(loop, [&](double phase) { return rest + offset(phase); })});
}

void drive(Loop& loop, std::string_view control, const std::function<double(double)>& value) {
  const auto& controls = loop.rig.controls;
  const auto found = std::find_if(controls.begin(), controls.end(),
                                  [&](const Control& c) { return c.name == control; });
  if (found == controls.end()) {
    throw UsageError("the sample has no control named " + std::string(control));
  }
  loop.clip.channels.push_back(
      ControlChannel{static_cast<int>(found - controls.begin()), keyed<double>(loop, value)});
}

Clip wrist_clip(const Rig& rig, std::string_view forearm, std::string_view hand) {
  Loop loop{rig, 2, {}};
  loop.clip.name = "wrist";
  turn(loop, hand, bone_direction(rig, forearm), [](double t) { return 180 * swell(t); });
  stretch(loop, hand, [](double t) { return 1 + 0.5 * swell(t); });
  return std::move(loop.clip);
}

double swell(double phase) { return 0.5 - 0.5 * math::cos(2 * pi * phase); }

double wave(double phase, double delay) { return math::sin(2 * pi * (phase - delay)); }

Vec3 bone_direction(const Rig& rig, std::string_view joint) {
  const int number = find_joint(rig.skeleton, joint);
  for (const Bone& bone : rig.skeleton.bones) {
    if (bone.joint == number) return normalized(bone.tail - bone.head);
  }
  throw UsageError("the sample has no bone named " + std::string(joint));
}

}  // namespace sinew::samples
