// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/joint_weights_step.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"
#include "sinew/weights/joint_endpoints.h"

namespace sinew {

StepForm JointWeightsStep::form() {
  return {{"joint-weights", "FILE",
           "Endpoint weights from weights of joints: a .dmat of vertices x joints of bones",
           ContentKind::matrix}};
}

JointWeightsStep JointWeightsStep::parse(const StepText& text) {
  if (!is_matrix(text)) {
    throw UsageError(
        fmt::format("--{}: {}: weights of joints are a .dmat", text.name, text.argument));
  }
  return {matrix_argument(text)};
}

std::string JointWeightsStep::arguments() const { return file.name; }

void JointWeightsStep::apply(Editing& editing) const {
  editing.require_weights();
  Rig& rig = editing.rig;
  const std::vector<JointIndex> joints = joints_of_bones(rig.skeleton);
  require_size(file, rig.mesh.vertex_count(), joints.size(), "joints that bones start or end at");
  std::vector<double> rows(file.matrix.values.size());
  for (std::size_t v = 0; v < file.matrix.rows; ++v) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      rows[v * joints.size() + j] = file.matrix(v, j);
    }
  }
  const std::vector<double> before = rig.skin.endpoints;
  try {
    rig.skin.endpoints = joint_endpoints(rig.mesh.positions, rig.skeleton, rig.skin, rows);
  } catch (const InputError& error) {
    throw error.in_file(file.name);
  }
  keep_unchanged(before, rig.skin.endpoints);
  std::vector<std::string> kept;
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    if (rig.skeleton.bones[b].tail_joint == no_joint) kept.push_back(bone_name(rig.skeleton, b));
  }
  if (!kept.empty()) editing.facts.push_back({"without_tail_joint", std::move(kept)});
}

}  // namespace sinew
