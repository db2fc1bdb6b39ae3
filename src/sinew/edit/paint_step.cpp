// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/paint_step.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/edit/stroke_painter.h"

namespace sinew {
namespace {

// What is wrong with a stroke is wrong with its file.
template <class Action>
auto at_place(const std::string& file, const std::string& place, const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    throw file.empty() ? InputError(place, error.what()) : InputError(file, place, error.what());
  }
}

}  // namespace

StepForm PaintStep::form() {
  return {
      {"paint", "STROKES.json", "Replay strokes of a brush (docs/files.md)", ContentKind::json}};
}

PaintStep PaintStep::parse(const StepText& text) {
  try {
    return {parse_strokes(json_argument(text)), text.argument};
  } catch (const InputError& error) {
    throw error.in_file(text.argument);
  }
}

std::string PaintStep::arguments() const { return name; }

void PaintStep::apply(Editing& editing) const {
  editing.require_weights();
  const Rig& rig = editing.rig;
  StrokePainter painter(rig, strokes.mirror_plane, editing.locks);
  std::vector<std::string> missed;
  std::size_t dabs = 0;
  for (std::size_t s = 0; s < strokes.strokes.size(); ++s) {
    const PaintStroke& stroke = strokes.strokes[s];
    const std::string place = fmt::format("/strokes/{}", s);
    at_place(name, place + "/bone", [&] { painter.begin(stroke); });
    for (std::size_t d = 0; d < stroke.dabs.size(); ++d) {
      const std::string dab_place = fmt::format("{}/dabs/{}", place, d);
      at_place(name, dab_place, [&] {
        if (painter.dab(stroke.dabs[d])) {
          ++dabs;
        } else {
          missed.push_back(dab_place);
        }
      });
    }
  }
  painter.put(editing);
  editing.facts.push_back({"strokes", strokes.strokes.size()});
  editing.facts.push_back({"dabs", dabs});
  editing.facts.push_back({"missed_dabs", std::move(missed)});
}

}  // namespace sinew
