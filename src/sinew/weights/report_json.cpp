// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/report_json.h"

#include <nlohmann/json.hpp>

namespace sinew {
namespace {

using nlohmann::json;

json to_json(const SolveNotes& notes) {
  return {{"converged", notes.converged},   {"residual", notes.residual},
          {"objective", notes.objective},   {"unknowns", notes.unknowns},
          {"iterations", notes.iterations}, {"adrift", notes.adrift},
          {"repairs", notes.repairs}};
}

}  // namespace

std::string report_to_json(const WeightReport& report) {
  json bones = json::array();
  for (const BleedingBone& b : report.bleeding_bones) {
    bones.push_back({{"bone", int(b.bone)}, {"name", b.name}, {"vertices", b.vertices}});
  }
  json idle = json::array();
  for (const NamedBone& b : report.idle_bones) {
    idle.push_back({{"bone", int(b.bone)}, {"name", b.name}});
  }
  const json result = {
      {"method", report.method},
      {"vertices", report.vertices},
      {"bones", report.bones},
      {"uncovered", report.uncovered},
      {"finite", report.finite},
      {"largest_sum_error", report.largest_sum_error},
      {"endpoint_weights", report.has_endpoints},
      {"cannot_stretch",
       std::vector<int>(report.cannot_stretch.begin(), report.cannot_stretch.end())},
      {"influences",
       {{"min", report.min_influences},
        {"mean", report.mean_influences},
        {"max", report.max_influences},
        {"histogram", report.histogram}}},
      {"bleeding",
       {{"count", report.bleeding.size()},
        {"vertices", report.bleeding},
        {"bones", std::move(bones)}}},
      {"idle_bones", std::move(idle)},
      {"smoothness", {{"total", report.dirichlet_total}, {"per_bone", report.dirichlet}}},
      {"solve", to_json(report.solve)},
      {"solve_endpoints", to_json(report.solve_endpoints)},
      {"seconds", report.seconds},
      {"peak_memory_bytes", report.peak_memory},
      {"findings", findings(report)},
      {"poor", poor(report)}};
  return result.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
