// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/normalize_step.h"

#include "sinew/edit/where.h"

namespace sinew {

StepForm NormalizeStep::form() {
  return {{"normalize", "", "Scale the weights of each vertex to sum 1"}, {where_word()}};
}

NormalizeStep NormalizeStep::parse(const StepText& text) { return {text.modifier("where")}; }

std::string NormalizeStep::arguments() const { return where_text(where); }

void NormalizeStep::apply(Editing& editing) const {
  editing.require_weights();
  const std::vector<bool> selected = selected_vertices(editing.rig, where);
  Skin skin = editing.rig.skin;
  normalize(skin.weights, editing.locks);
  editing.set_rows(skin, selected);
  std::vector<Index> without;
  for (std::size_t v = 0; v < skin.weights.vertex_count(); ++v) {
    if (dominant_bone(skin.weights.row(v)) == no_bone) without.push_back(static_cast<Index>(v));
  }
  if (!without.empty()) editing.facts.push_back({"without_weights", std::move(without)});
}

}  // namespace sinew
