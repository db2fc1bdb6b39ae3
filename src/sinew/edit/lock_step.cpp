// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/lock_step.h"

#include "sinew/skeleton/bones.h"

namespace sinew {

StepForm LockStep::form() {
  return {{"lock", "BONES", "The steps after this leave these bones' weights as they are"}};
}

LockStep LockStep::parse(const StepText& text) { return {text.argument}; }

std::string LockStep::arguments() const { return bones; }

void LockStep::apply(Editing& editing) const {
  const Skeleton& skeleton = editing.rig.skeleton;
  for (const BoneIndex bone : bones_in_list(skeleton, bones)) editing.locks.set(bone);
  std::vector<std::string> locked;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    if (editing.locks.has(b)) locked.push_back(bone_name(skeleton, b));
  }
  editing.facts.push_back({"locked", std::move(locked)});
}

}  // namespace sinew
