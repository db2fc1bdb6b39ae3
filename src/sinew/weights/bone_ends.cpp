// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/bone_ends.h"

#include "sinew/mesh/weld.h"

namespace sinew {

BoneEnds bone_ends(const Skeleton& skeleton) {
  std::vector<Vec3> ends;
  ends.reserve(2 * skeleton.bones.size());
  for (const Bone& bone : skeleton.bones) {
    ends.push_back(bone.head);
    ends.push_back(bone.tail);
  }
  // A file may have heads in single precision and tails in double: where a bone of a rig in memory
  // ends at the next, it must do so after reading, too.
  const Welded welded = weld(ends, {}, 1e-6);
  BoneEnds result{welded.positions, {}};
  result.bones.reserve(skeleton.bones.size());
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    result.bones.push_back({static_cast<int>(welded.representative_of[2 * b]),
                            static_cast<int>(welded.representative_of[2 * b + 1])});
  }
  return result;
}

}  // namespace sinew
