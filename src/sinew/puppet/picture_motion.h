// SPDX-License-Identifier: Apache-2.0
// Motion of a picture's joints over time. Bones follow their joints and change length freely.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/puppet/picture_bones.h"

namespace sinew {

// Easing from one key to the next: a curve from (0, 0) to (1, 1), with time on the x axis and
// progress on the y axis and two control points, as in CSS; their times are in [0, 1].
struct Easing {
  bool step = false;  // hold the value until the next key
  std::array<double, 4> controls{0, 0, 1, 1};

  // Progress at a fraction of the time; overshoot may exceed 1.
  double at(double time) const;
  friend bool operator==(const Easing&, const Easing&) = default;
};

// linear, in, out, in-out, overshoot, step. Throws UsageError listing the names.
Easing easing_from_name(std::string_view name);

// Where a joint is at some time.
struct JointKey {
  double time = 0;  // in seconds
  Vec2 place;       // in pixels
  Easing ease;      // to the next key
  friend bool operator==(const JointKey&, const JointKey&) = default;
};

// The range of lengths that are accepted.
inline constexpr double shortest_motion = 1e-3, longest_motion = 3600;  // in seconds

// Joints without keys move with their predecessor (see joints_before); those carried by a bone (see
// is_carried), and their descendants, also turn with it.
struct PictureMotion {
  std::string name;
  double duration = 0;  // in [shortest_motion, longest_motion]
  bool loops = true;    // continues from each joint's last key to its first, one duration later
  std::vector<std::vector<JointKey>> joints;  // ascending in time; one list for each joint

  // The positions of all joints.
  std::vector<Vec2> at(const PictureBones& bones, double time) const;
};

// {"name": "wave", "duration": 2, "loop": true, "joints": {"hand": [{"time": 0, "position": [40,
// 80], "ease": "in-out"}, {"time": 1, "offset": [0, -60]}, ...]}}. A key has a position or an
// offset from where the joint is in the picture; "ease" is a name or four numbers (default:
// in-out); the duration is by default the time of the last key. "pins" lists joints that stay where
// they are in the picture. Joints are given by name or number. Throws InputError with a JSON
// pointer.
PictureMotion parse_picture_motion(std::string_view json, const PictureBones& bones);
PictureMotion read_picture_motion(const std::filesystem::path& path, const PictureBones& bones);
std::string to_json(const PictureMotion& motion, const PictureBones& bones);

// Keeps joints where they are in the picture. Throws UsageError for one that has keys already, or
// does not exist.
void pin(PictureMotion& motion, const PictureBones& bones, std::span<const int> joints);

// The joints that a figure stands on: those in the lowest sixteenth of the height of all joints;
// empty if that is all of them.
std::vector<int> ground_joints(const PictureBones& bones);

// Joints by name or number; "feet" means ground_joints, and a single "none" means no joints.
// Ascending, without duplicates. Throws InputError listing the names.
std::vector<int> pins_from_names(std::span<const std::string> names, const PictureBones& bones);

// Ready-made motions that work with any bones: wave, bounce, breathe, sway, stretch.
std::span<const std::string_view> picture_loops();

// Pinned joints stay where they are in the picture, and the bones between them and the roots share
// the necessary correction. By default the feet are pinned (ground_joints), except in "stretch".
// Without pins, "bounce" jumps. Throws UsageError listing the names, or for a pin that is no joint.
PictureMotion picture_loop(std::string_view name, const PictureBones& bones,
                           const std::optional<std::vector<int>>& pins = std::nullopt);

}  // namespace sinew
