// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/deform.h"

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/blend_shapes.h"

namespace sinew {

Deformed deform_reference(const Rig& rig, std::span<const BoneState> bones,
                          std::span<const double> shapes, const Method& method, bool with_normals) {
  if (bones.size() != rig.skeleton.bones.size()) {
    throw UsageError(formatted("the pose has {} bones, the rig has {}", bones.size(),
                               rig.skeleton.bones.size()));
  }
  ShapedMesh shaped = blend_shapes(rig.mesh, shapes);
  return method.impl().reference({rig, bones, shaped, with_normals});
}

}  // namespace sinew
