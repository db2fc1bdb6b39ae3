// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/edit.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/edit/editing.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skin/internal/rows.h"

namespace sinew {
namespace {

// Calls `visitor` with a default-constructed step of each kind, in the order of EditStep.
template <std::size_t n = 0, class Visitor>
void for_each_kind(Visitor&& visitor) {
  if constexpr (n < std::variant_size_v<EditStep>) {
    visitor(std::variant_alternative_t<n, EditStep>{});
    for_each_kind<n + 1>(visitor);
  }
}

void require_modifiers(const StepForm& form, const StepText& text) {
  std::vector<std::string> seen;
  for (const auto& modifier : text.modifiers) {
    const std::string& name = modifier.first;
    const bool known = std::any_of(form.modifiers.begin(), form.modifiers.end(),
                                   [&](const StepWord& word) { return word.name == name; });
    if (!known) throw UsageError(fmt::format("--{} does not take --{}", text.name, name));
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      throw UsageError(fmt::format("--{} is followed by --{} twice", text.name, name));
    }
    seen.push_back(name);
  }
}

void require_content(const StepForm& form, const StepText& text) {
  if (text.content.index() == 0) return;
  if (text.content.index() == static_cast<std::size_t>(form.word.content)) return;
  throw UsageError(
      fmt::format("--{}: {}: this is not what the step takes", text.name, text.argument));
}

void measure_change(const Rig& rig, const Skin& before, StepReport& report) {
  const std::size_t count = rig.mesh.vertex_count();
  if (rig.skin.weights.vertex_count() == 0) return;
  Skin none;
  none.weights.offsets.resize(count + 1);
  const Skin& old = before.weights.vertex_count() == 0 ? none : before;
  std::vector<bool> bones(rig.skeleton.bones.size(), false);
  detail::EditRow old_row, row;
  for (std::size_t v = 0; v < count; ++v) {
    detail::get_row(old, v, old_row);
    detail::get_row(rig.skin, v, row);
    const detail::RowChange change = detail::change_of(old_row, row);
    if (change.weight == 0 && change.endpoint == 0) continue;
    ++report.vertices;
    report.largest_change = std::max(report.largest_change, change.sum);
    report.mean_change += change.sum / static_cast<double>(count);
    report.largest_endpoint = std::max(report.largest_endpoint, change.endpoint);
    for (const detail::EditRow* side : {&old_row, &row}) {
      for (const detail::EditInfluence& influence : *side) {
        const BoneIndex bone = influence.bone;
        if (detail::weight_of(old_row, bone) != detail::weight_of(row, bone)) bones[bone] = true;
      }
    }
  }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (bones[b]) report.bones.push_back(bone_name(rig.skeleton, b));
  }
}

}  // namespace

EditReport edit(Rig& rig, std::span<const EditStep> steps, const Progress& progress) {
  EditReport report;
  Rig edited = rig;
  Locks locks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    StepReport step;
    const Skin before = edited.skin;
    Editing editing{edited, locks, step.facts};
    std::visit(
        [&](const auto& kind) {
          step.step = kind.form().word.name;
          step.arguments = kind.arguments();
          progress.report(step.step, static_cast<double>(i) / static_cast<double>(steps.size()));
          kind.apply(editing);
        },
        steps[i]);
    measure_change(edited, before, step);
    report.steps.push_back(std::move(step));
  }
  validate(edited);
  const WeightSummary summary = summarize(edited.skin.weights);
  report.vertices = edited.mesh.vertex_count();
  report.changed = !(edited == rig);
  report.uncovered = report.vertices - summary.vertices + summary.uncovered;
  report.most_influences = summary.max_influences;
  rig = std::move(edited);
  return report;
}

std::vector<StepForm> step_forms() {
  std::vector<StepForm> forms;
  for_each_kind([&](const auto& kind) { forms.push_back(kind.form()); });
  return forms;
}

EditStep parse_step(const StepText& text) {
  std::optional<EditStep> step;
  std::vector<std::string> names;
  for_each_kind([&](const auto& kind) {
    const StepForm form = kind.form();
    names.push_back(form.word.name);
    if (step || form.word.name != text.name) return;
    require_modifiers(form, text);
    require_content(form, text);
    try {
      step = kind.parse(text);
    } catch (const FileError& error) {
      throw FileError(fmt::format("--{}: {}", text.name, error.what()));
    }
  });
  if (!step) {
    throw UsageError(fmt::format("there is no step '{}'{}; there are {}", text.name,
                                 did_you_mean(text.name, names), fmt::join(names, ", ")));
  }
  return *step;
}

}  // namespace sinew
