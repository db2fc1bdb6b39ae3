// SPDX-License-Identifier: Apache-2.0
// Bones drawn on a picture. Places are in pixels, x to the right and y downwards from the upper
// left corner.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/medial_bones.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// In place of a bone's number: none.
inline constexpr int no_picture_bone = -1;

// A point that can be dragged.
struct PictureJoint {
  std::string name;
  Vec2 place;
  friend bool operator==(const PictureJoint&, const PictureJoint&) = default;
};

// A line between two joints.
struct PictureBone {
  std::string name;
  int from = 0, to = 0;  // joints
  double layer = 0;      // skin of higher layers is drawn over skin of lower ones
  // The parent bone, for a bone that does not start at its parent's end, like an ear on a head.
  // Ignored if another bone ends where this one starts.
  int parent = no_picture_bone;
  friend bool operator==(const PictureBone&, const PictureBone&) = default;
};

// Bones may lie outside the figure, cross each other, and share joints.
struct PictureBones {
  std::vector<PictureJoint> joints;
  std::vector<PictureBone> bones;
  friend bool operator==(const PictureBones&, const PictureBones&) = default;
};

// How far from the picture's corner joints may be, in pixels.
inline constexpr double farthest_joint = 1e6;

// Throws InputError naming the invalid joint or bone: no bones at all, a bone without length, a
// joint or parent that does not exist, two joints of the same name, numbers that are not finite, a
// joint farther away than that.
void validate(const PictureBones& bones);

// {"joints": {"hip": [512, 600], ...}, "bones": [{"from": "hip", "to": "knee", "name": "thigh",
// "layer": 1}, ...]}; name and layer may be missing, and there may be a "parent", a bone by its
// name or number. Joints may also be a list, of places or of {"name", "position"}, and a bone a
// pair; both may call joints by their number. Throws InputError with a JSON pointer.
PictureBones parse_picture_bones(std::string_view json);
std::string to_json(const PictureBones& bones);

// The joints and bones of a skeleton; z is dropped.
PictureBones picture_bones(const Skeleton& skeleton);

// From automatically placed bones. Throws UsageError if the numbers of parents and segments differ.
PictureBones picture_bones(const PlaneBones& bones);

// .json, or .tgf in pixels with or without z. Throws FileError, InputError, and UsageError for
// another extension.
PictureBones read_picture_bones(const std::filesystem::path& path);

// The predecessor of each joint: the start of the first bone that ends there or, if there is none,
// the end of the parent of a bone that starts there; no_joint for roots. Links that would close a
// cycle are ignored.
std::vector<int> joints_before(const PictureBones& bones);

// Whether no bone leads from `before` to `joint`, so that the joint is carried by the bone that
// ends at `before`.
bool is_carried(const PictureBones& bones, std::size_t joint, int before);

// The first joint of that name or, if there is none, with that number; no_joint if there is
// neither.
int find_joint(const PictureBones& bones, std::string_view name_or_number);

}  // namespace sinew
