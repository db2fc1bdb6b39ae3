// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/report.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/overload.h"

namespace sinew {
namespace {

using nlohmann::json;

constexpr std::size_t most_listed = 6;

template <class List>
std::string shortened(const List& list) {
  const std::size_t shown = std::min(list.size(), most_listed);
  std::string text = fmt::format("{}", fmt::join(list.begin(), list.begin() + shown, ", "));
  if (list.size() > shown) text += fmt::format(" and {} more", list.size() - shown);
  return text;
}

std::string fact_text(const StepFact& fact) {
  std::string name = fact.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  const std::string value = std::visit(
      Overload{[](std::size_t count) { return std::to_string(count); },
               [](double number) { return fmt::format("{:.4g}", number); },
               [](const std::string& text) { return text; },
               [](const std::vector<std::string>& names) {
                 return names.empty() ? std::string("none") : shortened(names);
               },
               [](const std::vector<Index>& vertices) {
                 return vertices.empty()
                            ? std::string("none")
                            : fmt::format("{} ({})", vertices.size(), shortened(vertices));
               }},
      fact.value);
  return fmt::format("{}: {}", name, value);
}

using Line = std::array<std::string, 6>;

Line table_line(const StepReport& step) {
  return {fmt::format("{} {}", step.step, step.arguments), std::to_string(step.vertices),
          fmt::format("{:.3g}", step.largest_change),      fmt::format("{:.3g}", step.mean_change),
          fmt::format("{:.3g}", step.largest_endpoint),    shortened(step.bones)};
}

}  // namespace

bool poor(const EditReport& report) { return report.uncovered > 0; }

std::string to_text(const EditReport& report) {
  std::vector<Line> lines{{"step", "vertices", "largest", "mean", "endpoints", "bones"}};
  for (const StepReport& step : report.steps) lines.push_back(table_line(step));
  std::array<std::size_t, 6> widths{};
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const Line& line = lines[l];
    std::string row = fmt::format("{:<{}}", line[0], widths[0]);
    for (std::size_t i = 1; i < 5; ++i) row += fmt::format("  {:>{}}", line[i], widths[i]);
    row += "  " + line[5];
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
    if (l == 0) continue;
    for (const StepFact& fact : report.steps[l - 1].facts) text += "  " + fact_text(fact) + "\n";
  }
  text += report.uncovered == 0
              ? fmt::format("all {} vertices have weights", report.vertices)
              : fmt::format("{} of {} vertices have no weights", report.uncovered, report.vertices);
  text += fmt::format("; at most {} influences per vertex", report.most_influences);
  if (!report.changed) text += "\nnothing changed";
  return text;
}

std::string to_json(const EditReport& report) {
  json steps = json::array();
  for (const StepReport& step : report.steps) {
    json entry = {{"step", step.step},
                  {"arguments", step.arguments},
                  {"vertices", step.vertices},
                  {"largest_change", step.largest_change},
                  {"mean_change", step.mean_change},
                  {"largest_endpoint_change", step.largest_endpoint},
                  {"bones", step.bones}};
    for (const StepFact& fact : step.facts) {
      std::visit([&](const auto& value) { entry[fact.name] = value; }, fact.value);
    }
    steps.push_back(std::move(entry));
  }
  const json result = {{"vertices", report.vertices},   {"changed", report.changed},
                       {"uncovered", report.uncovered}, {"most_influences", report.most_influences},
                       {"poor", poor(report)},          {"steps", std::move(steps)}};
  return result.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
