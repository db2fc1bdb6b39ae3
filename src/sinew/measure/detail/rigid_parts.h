// SPDX-License-Identifier: Apache-2.0
// Parts that have to stay rigid in poses of one shape.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/measure/detail/section_skins.h"
#include "sinew/measure/parts.h"

namespace sinew::detail {

class RigidParts {
 public:
  // Both must outlive this and fit each other.
  RigidParts(const Rig& rig, const std::vector<Vec3>& rest);

  // See part_errors(). May be called on several threads at once.
  PartErrors errors(std::span<const BoneState> states, const std::vector<Vec3>& deformed) const;

 private:
  const Rig& rig_;
  const std::vector<Vec3>& rest_;
  SectionSkins skins_;  // not blended with other bones
  std::vector<BoneRole> roles_;
  std::vector<std::optional<std::size_t>> owners_;  // of each vertex
};

}  // namespace sinew::detail
