// SPDX-License-Identifier: Apache-2.0
// Creates looping motion from functions of the phase, which runs from 0 to 1 over a clip.
#pragma once

#include <functional>
#include <string_view>

#include "sinew/rig/rig.h"

namespace sinew::samples {

inline constexpr Vec3 right_axis{1, 0, 0}, up_axis{0, 1, 0}, front_axis{0, 0, 1};

// A clip being made for a rig: every channel lasts `seconds` and ends as it begins.
struct Loop {
  const Rig& rig;
  double seconds = 2;
  Clip clip;
};

// The joint turns by angle(phase) degrees about `axis`, in its own frame.
void turn(Loop& loop, std::string_view joint, const Vec3& axis,
          const std::function<double(double)>& angle);
// The joint turns by rotation(phase).
void turn(Loop& loop, std::string_view joint, const std::function<Quat(double)>& rotation);
// The joint's distance from its parent becomes factor(phase) times that at rest.
void stretch(Loop& loop, std::string_view joint, const std::function<double(double)>& factor);
// The joint moves by offset(phase) from its rest.
void shift(Loop& loop, std::string_view joint, const std::function<Vec3(double)>& offset);
// A control of the rig takes value(phase).
void drive(Loop& loop, std::string_view control, const std::function<double(double)>& value);

// The clip used to measure baking: over two seconds, there and back, `hand` twists by 180 degrees
// about the bone of `forearm` and moves to 1.5 times its distance.
Clip wrist_clip(const Rig& rig, std::string_view forearm, std::string_view hand);

// 0 at phase 0 and 1, 1 half way, smooth throughout.
double swell(double phase);
// A sine wave of one period, `delay` periods late.
double wave(double phase, double delay = 0);
// The unit vector along the bone of `joint`, head to tail, at rest.
Vec3 bone_direction(const Rig& rig, std::string_view joint);

}  // namespace sinew::samples
