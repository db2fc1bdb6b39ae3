// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/blend_share_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/edit/where.h"

namespace sinew {
namespace {

std::vector<double> wanted_shares(const MatrixFile& file, std::size_t vertices) {
  require_size(file, vertices, 1, "column");
  for (std::size_t v = 0; v < vertices; ++v) {
    const double share = file.matrix.values[v];
    if (share >= 0 && share <= 1) continue;
    throw InputError(file.name, fmt::format("row {}", v),
                     fmt::format("the share is {}; it must be from 0 to 1", share));
  }
  return file.matrix.values;
}

}  // namespace

StepForm BlendShareStep::form() {
  return {{"blend-share", "VALUE|FILE",
           "Share of dual quaternions for the methods mixed and stbs-mixed: 0 to 1, a .dmat with a "
           "row for each vertex, or none",
           ContentKind::matrix},
          {where_word()}};
}

BlendShareStep BlendShareStep::parse(const StepText& text) {
  BlendShareStep step;
  step.where = text.modifier("where");
  if (text.argument == "none") {
    if (!step.where.empty()) throw UsageError("--blend-share none is for all vertices");
  } else if (is_matrix(text)) {
    step.share = matrix_argument(text);
  } else {
    step.share = number_argument(text, 0, 1);
  }
  return step;
}

std::string BlendShareStep::arguments() const {
  return std::visit(Overload{[](const NoBlendShares&) { return std::string("none"); },
                             [](double value) { return fmt::format("{}", value); },
                             [](const MatrixFile& file) { return file.name; }},
                    share) +
         where_text(where);
}

void BlendShareStep::apply(Editing& editing) const {
  editing.require_weights();
  const std::size_t vertices = editing.rig.mesh.vertex_count();
  std::vector<double>& shares = editing.rig.skin.blend_shares;
  if (std::holds_alternative<NoBlendShares>(share)) {
    editing.facts.push_back({"changed", static_cast<double>(shares.size())});
    shares.clear();
    return;
  }
  const std::vector<bool> selected = selected_vertices(editing.rig, where);
  const std::vector<double> wanted = std::holds_alternative<double>(share)
                                         ? std::vector<double>(vertices, std::get<double>(share))
                                         : wanted_shares(std::get<MatrixFile>(share), vertices);
  const bool had_none = shares.empty();
  shares.resize(vertices, default_blend_share);
  std::size_t changed = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!selected.empty() && !selected[v]) continue;
    if (!had_none && std::fabs(shares[v] - wanted[v]) <= least_change) continue;
    ++changed;
    shares[v] = wanted[v];
  }
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  editing.facts.push_back({"changed", static_cast<double>(changed)});
  editing.facts.push_back({"least", vertices == 0 ? 0.0 : *least});
  editing.facts.push_back({"most", vertices == 0 ? 0.0 : *most});
}

}  // namespace sinew
