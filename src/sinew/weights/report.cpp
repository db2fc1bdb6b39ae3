// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/notes.h"
#include "sinew/core/parallel.h"
#include "sinew/weights/bleeding.h"
#include "sinew/weights/detail/in_scene.h"
#include "sinew/weights/smoothness.h"
#include "sinew/weights/stretchable.h"

namespace sinew {
namespace {

// Sizes and bones must fit, or nothing can be measured; the values may be anything.
void require_shape(const Skin& skin, std::size_t vertices, std::size_t bones, bool are_sound) {
  if (are_sound) return validate(skin, vertices, bones);
  Skin shape = skin;
  for (Influence& influence : shape.weights.influences) influence.weight = 0;
  std::fill(shape.endpoints.begin(), shape.endpoints.end(), 0.0);
  std::fill(shape.twist_endpoints.begin(), shape.twist_endpoints.end(), 0.0);
  validate(shape, vertices, bones);
}

bool numbers_are_sound(const Skin& skin) {
  const auto in_bounds = [](double e) { return e >= 0 && e <= 1; };
  return std::all_of(skin.weights.influences.begin(), skin.weights.influences.end(),
                     [](const Influence& i) { return std::isfinite(i.weight) && i.weight >= 0; }) &&
         std::all_of(skin.endpoints.begin(), skin.endpoints.end(), in_bounds) &&
         std::all_of(skin.twist_endpoints.begin(), skin.twist_endpoints.end(), in_bounds);
}

void count_influences(const Weights& weights, WeightReport& report) {
  for (std::size_t v = 0; v < report.vertices; ++v) {
    std::size_t count = 0;
    double sum = 0;
    for (const Influence& influence : weights.row(v)) {
      if (!(influence.weight > 0)) continue;
      ++count;
      sum += influence.weight;
    }
    if (count >= report.histogram.size()) report.histogram.resize(count + 1, 0);
    ++report.histogram[count];
    if (count > 0 && std::isfinite(sum)) {
      report.largest_sum_error = std::max(report.largest_sum_error, std::fabs(sum - 1));
    }
  }
  if (report.histogram.empty()) return;
  report.uncovered = report.histogram[0];
  report.max_influences = report.histogram.size() - 1;
  while (report.histogram[report.min_influences] == 0) ++report.min_influences;
  double total = 0;
  for (std::size_t n = 0; n < report.histogram.size(); ++n) {
    total += static_cast<double>(n) * static_cast<double>(report.histogram[n]);
  }
  report.mean_influences = total / static_cast<double>(report.vertices);
}

std::vector<BleedingBone> count_bones(const Bleeding& bleeding, const Skeleton& skeleton) {
  std::vector<BleedingBone> counts;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const int bone = static_cast<int>(b);
    const auto count = std::count(bleeding.bones.begin(), bleeding.bones.end(), bone);
    if (count == 0) continue;
    const std::size_t joint = skeleton.bones[b].joint;
    counts.push_back({bone, skeleton.joints[joint].name, static_cast<std::size_t>(count)});
  }
  std::stable_sort(counts.begin(), counts.end(), [](const BleedingBone& a, const BleedingBone& b) {
    return a.vertices > b.vertices;
  });
  return counts;
}

std::vector<NamedBone> named(const std::vector<BoneIndex>& bones, const Skeleton& skeleton) {
  std::vector<NamedBone> result;
  for (const int bone : bones) {
    result.push_back({bone, skeleton.joints[skeleton.bones[bone].joint].name});
  }
  return result;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string name_or_number(BoneIndex bone, const std::string& name) {
  return name.empty() ? fmt::format("bone {}", int(bone)) : name;
}

std::string describe_idle(const std::vector<NamedBone>& bones) {
  std::vector<std::string> names;
  for (const NamedBone& b : bones) names.push_back(name_or_number(b.bone, b.name));
  return fmt::format("{} none of the skin around {}: {}",
                     counted(bones.size(), "bone moves", "bones move"),
                     bones.size() == 1 ? "it" : "them", fmt::join(names, ", "));
}

// The bones that most of them follow, by name, or by number where they have none.
std::string describe_bleeding(const WeightReport& report) {
  constexpr std::size_t most_named = 3;
  std::string bones;
  for (std::size_t i = 0; i < std::min(most_named, report.bleeding_bones.size()); ++i) {
    const BleedingBone& b = report.bleeding_bones[i];
    bones +=
        fmt::format("{}{} to {}", i > 0 ? ", " : "", b.vertices, name_or_number(b.bone, b.name));
  }
  if (report.bleeding_bones.size() > most_named) {
    bones += fmt::format(" and the rest to {}",
                         counted(report.bleeding_bones.size() - most_named, "other", "others"));
  }
  return fmt::format("{} to a limb that is not theirs, such as vertex {}: {}",
                     counted(report.bleeding.size(), "vertex is tied", "vertices are tied"),
                     report.bleeding.front(), bones);
}

void describe_solve(const SolveNotes& notes, const char* of, std::string& text) {
  if (notes.unknowns == 0) return;
  text += fmt::format(
      "  {:<18} {} unknowns, residual {:.3g}{}, {}\n", of, notes.unknowns, notes.residual,
      notes.iterations > 0 ? ", " + counted(notes.iterations, "iteration", "iterations") : "",
      notes.converged ? "converged" : "not converged");
}

}  // namespace

WeightReport detail::make_report(BoneScene& scene, const Skin& skin, const SolveNotes& solve,
                                 const SolveNotes& solve_endpoints) {
  const Mesh& mesh = scene.mesh();
  const Skeleton& skeleton = scene.skeleton();
  WeightReport report;
  report.vertices = mesh.vertex_count();
  report.bones = skeleton.bones.size();
  report.finite = numbers_are_sound(skin);
  require_shape(skin, report.vertices, report.bones, report.finite);
  report.has_endpoints = !skin.endpoints.empty();
  report.solve = solve;
  report.solve_endpoints = solve_endpoints;
  count_influences(skin.weights, report);
  if (!report.finite) return report;
  if (report.vertices > 0 && report.bones > 0) scene.welded();
  Bleeding bleeding;
  parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i == 0) {
        bleeding = find_bleeding(scene, skin.weights);
      } else if (report.vertices > 0 && report.bones > 0) {
        report.dirichlet = dirichlet_energy(mesh, scene.welded().welded.triangle_source,
                                            skin.weights, report.bones);
      } else {
        report.dirichlet = dirichlet_energy(mesh, skin.weights, report.bones);
      }
    }
  });
  report.bleeding_bones = count_bones(bleeding, skeleton);
  report.bleeding = std::move(bleeding.vertices);
  report.idle_bones = named(bleeding.idle_bones, skeleton);
  for (const double energy : report.dirichlet) report.dirichlet_total += energy;
  if (report.has_endpoints) {
    report.cannot_stretch =
        bones_that_cannot_stretch(mesh.positions, skeleton, skin.weights, skin.endpoints);
    report.stretch_is_lost =
        std::any_of(report.cannot_stretch.begin(), report.cannot_stretch.end(),
                    [&](int bone) { return skeleton.bones[bone].tail_joint != no_joint; });
  }
  return report;
}

WeightReport make_report(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin,
                         const SolveNotes& solve, const SolveNotes& solve_endpoints) {
  detail::BoneScene scene(mesh, skeleton);
  return detail::make_report(scene, skin, solve, solve_endpoints);
}

bool poor(const WeightReport& report) {
  return report.uncovered > 0 || !report.finite || !report.solve.converged ||
         !report.solve_endpoints.converged || report.stretch_is_lost || report.solve.adrift > 0;
}

std::vector<std::string> findings(const WeightReport& report) {
  std::vector<std::string> found;
  if (report.uncovered > 0) {
    found.push_back(counted(report.uncovered, "vertex", "vertices") + " without any weight");
  }
  if (!report.finite) found.push_back("there are numbers that are not finite or out of bounds");
  if (!report.solve.converged) found.push_back("the bone weights did not converge");
  if (!report.solve_endpoints.converged) {
    found.push_back("the endpoint weights did not converge");
  }
  if (report.solve.adrift > 0) {
    found.push_back(fmt::format("{} in parts without a bone, and {} the nearest bone alone",
                                counted(report.solve.adrift, "vertex lies", "vertices lie"),
                                report.solve.adrift == 1 ? "follows" : "follow"));
  }
  if (!report.cannot_stretch.empty()) {
    found.push_back(fmt::format(
        "{} cannot stretch or twist, as endpoint weights hardly vary along {}: {}",
        counted(report.cannot_stretch.size(), "bone", "bones"),
        report.cannot_stretch.size() == 1 ? "it" : "them", fmt::join(report.cannot_stretch, ", ")));
  }
  if (report.largest_sum_error > 1e-4) {
    found.push_back(fmt::format("the weights of a vertex sum to 1 only within {:.3g}",
                                report.largest_sum_error));
  }
  if (!report.bleeding.empty()) found.push_back(describe_bleeding(report));
  if (!report.idle_bones.empty()) found.push_back(describe_idle(report.idle_bones));
  for (const SolveNotes* notes : {&report.solve, &report.solve_endpoints}) {
    for (const std::string& repair : notes->repairs) {
      // Weights and endpoints computed on one domain carry the same notes about it.
      if (std::find(found.begin(), found.end(), repair) == found.end()) found.push_back(repair);
    }
  }
  return found;
}

std::string to_text(const WeightReport& report) {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<18} {}\n", label, value);
  };
  if (!report.method.empty()) line("method", report.method);
  line("weight coverage",
       fmt::format("{} of {} vertices", report.vertices - report.uncovered, report.vertices));
  line("row sums", fmt::format("1 to within {:.2g}", report.largest_sum_error));
  line("influences", fmt::format("{} to {} per vertex, {:.2f} on average", report.min_influences,
                                 report.max_influences, report.mean_influences));
  line("endpoint weights", report.has_endpoints ? "yes" : "no");
  if (report.finite) {
    line("bleeding",
         report.bleeding.empty() ? "none" : counted(report.bleeding.size(), "vertex", "vertices"));
    line("roughness", fmt::format("{:.4g} (Dirichlet energy)", report.dirichlet_total));
  }
  describe_solve(report.solve, "bone weights", text);
  describe_solve(report.solve_endpoints, "endpoints", text);
  if (report.seconds > 0) line("time", fmt::format("{:.3g} s", report.seconds));
  if (report.peak_memory > 0) {
    line("peak memory", fmt::format("{:.1f} MB", static_cast<double>(report.peak_memory) / 1e6));
  }
  const std::vector<std::string> found = grouped_notes(findings(report));
  line("findings", found.empty() ? "none" : std::to_string(found.size()));
  for (const std::string& finding : found) text += "    - " + finding + "\n";
  text.pop_back();
  return text;
}

}  // namespace sinew
