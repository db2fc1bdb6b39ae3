// SPDX-License-Identifier: Apache-2.0
// Key files: poses over time, to be made into a clip.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform/pose_clip.h"

namespace sinew {

// The contents of a key file.
struct KeysFile {
  std::string name;  // of the clip; may be empty
  bool loop = false;
  std::vector<PoseKey> keys;
};

// {"name": "wave", "loop": false, "keys": [{"time": seconds, "pose": {...}, "ease": "linear" |
// "smooth" | "step"}, ...]}: a pose is that of a pose file by joints, the ease says how to go from
// this key to the next; name, loop and ease may be missing. Whether the times ascend is for
// clip_from_poses() to say. Throws InputError with a JSON pointer.
KeysFile parse_keys(std::string_view json, const Rig& rig);

// A pose file by joints as a key at time 0, with its targets not solved, so that they can be
// followed from key to key. Throws InputError with a JSON pointer.
PoseKey parse_pose_key(std::string_view json, const Rig& rig);

}  // namespace sinew
