// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/prune_step.h"

#include "sinew/core/error.h"
#include "sinew/edit/where.h"
#include "sinew/weights/prune.h"

namespace sinew {

StepForm PruneStep::form() {
  return {{"prune", "N", "Keep the N largest weights of each vertex, and all locked ones"},
          {where_word()}};
}

PruneStep PruneStep::parse(const StepText& text) {
  return {whole_argument(text, 1, 1000), text.modifier("where")};
}

std::string PruneStep::arguments() const { return std::to_string(influences) + where_text(where); }

void PruneStep::apply(Editing& editing) const {
  if (influences < 1) throw UsageError("a vertex cannot be left with fewer than one bone");
  editing.require_weights();
  const std::vector<bool> selected = selected_vertices(editing.rig, where);
  editing.set_rows(prune(editing.rig.skin, influences, editing.locks).skin, selected);
  std::vector<Index> beyond;
  for (std::size_t v = 0; v < editing.rig.mesh.vertex_count(); ++v) {
    const auto count = static_cast<int>(editing.rig.skin.weights.row(v).size());
    if (count > influences && (selected.empty() || selected[v])) {
      beyond.push_back(static_cast<Index>(v));
    }
  }
  if (!beyond.empty()) editing.facts.push_back({"beyond_limit", std::move(beyond)});
}

}  // namespace sinew
