// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/curve_settings_step.h"

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/settings_json.h"

namespace sinew {
namespace {

std::size_t painted_vertices(const OffsetCurves& settings) {
  const std::size_t curves = settings.curves.size();
  std::size_t count = 0;
  for (std::size_t first = 0; first < settings.painted_weights.size(); first += curves) {
    double sum = 0;
    for (std::size_t c = 0; c < curves; ++c) sum += settings.painted_weights[first + c];
    if (sum > 0) ++count;
  }
  return count;
}

}  // namespace

StepForm OffsetCurvesStep::form() {
  return {{"offset-curves", "FILE",
           "Settings of ocd-arc and ocd-spline, from a .json: placement, roundness, influence "
           "curves, their controls and painted weights; or none",
           ContentKind::json}};
}

OffsetCurvesStep OffsetCurvesStep::parse(const StepText& text) {
  if (text.argument == "none") return {};
  OffsetCurvesStep step{text.argument, json_argument(text)};
  if (std::holds_alternative<std::monostate>(text.content)) {
    step.folder = std::filesystem::path(text.argument).parent_path();
  }
  return step;
}

std::string OffsetCurvesStep::arguments() const { return json ? file : "none"; }

void OffsetCurvesStep::apply(Editing& editing) const {
  OffsetCurves& settings = editing.rig.offset_curves;
  UriLoader loader;
  if (folder) loader = [&](const std::string& name) { return read_file(*folder / name); };
  try {
    settings = json ? parse_offset_curves(*json, editing.rig, loader) : OffsetCurves{};
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
  editing.facts.push_back({"roundness", settings.roundness});
  editing.facts.push_back({"placement", settings.placement});
  editing.facts.push_back({"curves", static_cast<double>(settings.curves.size())});
  editing.facts.push_back({"painted_vertices", static_cast<double>(painted_vertices(settings))});
}

}  // namespace sinew
