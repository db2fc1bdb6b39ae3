// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "sinew/draw/colors.h"

namespace sinew {
namespace {

constexpr Rgb fault_color{0.75F, 0.03F, 0.02F};
constexpr std::size_t most_wires = 12000;  // triangles; more would be a grey veil

// One of the numbers under a picture.
struct MeasureRow {
  const char* label;
  std::string (*text)(const Measures& measures);
  // The larger, the worse; nothing where it is not defined.
  std::optional<double> (*badness)(const Measures& measures);
  double apart;  // of the best and the worst, from which on it matters
  // Whether to rank only methods that reach the bones' posed ends: a method that does not stretch
  // at all has the best edge lengths.
  bool of_followers = false;
  // Beyond this it is bad even if all methods do it.
  double most = std::numeric_limits<double>::infinity();
};

// Thresholds above which it is visible that a part is not rigid, or is turned.
constexpr double most_off_rigid = 0.03;
const double most_turned = radians(10);

std::string percent(const std::optional<double>& share, int digits) {
  return share ? fmt::format("{:.{}f}%", 100 * *share, digits) : "-";
}

std::optional<double> off_rigid(const Measures& measures) {
  const auto part = least_rigid_end(measures);
  return part ? std::optional(part->rms) : std::nullopt;
}

std::optional<double> turn_of_parts(const Measures& measures) {
  const auto part = most_turned_part(measures);
  return part ? std::optional(part->turn) : std::nullopt;
}

const MeasureRow measure_rows[] = {
    {"volume",
     [](const Measures& m) {
       return m.volume ? signed_percent(m.volume->change()) : std::string("-");
     },
     // A stretched limb may well gain some; a loss is a collapse.
     [](const Measures& m) {
       return m.volume ? std::optional(std::max(0.0, -m.volume->change())) : std::nullopt;
     },
     0.02},
    {"longest edge", [](const Measures& m) { return fmt::format("x {:.2f}", m.edges.longest); },
     [](const Measures& m) { return std::optional(m.edges.longest); }, 0.25, true},
    {"shortest edge", [](const Measures& m) { return fmt::format("x {:.2f}", m.edges.shortest); },
     [](const Measures& m) { return std::optional(-m.edges.shortest); }, 0.1, true},
    {"edges, rms", [](const Measures& m) { return fmt::format("{:.3f}", m.edges.rms); },
     [](const Measures& m) { return std::optional(m.edges.rms); }, 0.03, true},
    {"shear", [](const Measures& m) { return fmt::format("{:.0f} deg", degrees(m.strain.shear)); },
     [](const Measures& m) { return std::optional(m.strain.shear); }, radians(10), true},
    {"distorted", [](const Measures& m) { return percent(m.strain.distorted_area, 2); },
     [](const Measures& m) { return std::optional(m.strain.distorted_area); }, 0.001},
    {"crossings",
     [](const Measures& m) {
       return fmt::format("{}{}", m.intersections.complete ? "" : ">", m.intersections.created);
     },
     [](const Measures& m) { return std::optional(double(m.intersections.created)); }, 10},
    {"smallest radius", [](const Measures& m) { return percent(smallest_radius(m), 0); },
     [](const Measures& m) {
       const auto radius = smallest_radius(m);
       return radius ? std::optional(-*radius) : std::nullopt;
     },
     0.1},
    {"twist near joints", [](const Measures& m) { return percent(share_near_joints(m.twists), 0); },
     [](const Measures& m) { return share_near_joints(m.twists); }, 0.15},
    {"caps not rigid", [](const Measures& m) { return percent(largest_cap_error(m), 1); },
     [](const Measures& m) { return largest_cap_error(m); }, 0.02},
    {"ends missed", [](const Measures& m) { return percent(largest_missed_end(m), 1); },
     [](const Measures& m) { return largest_missed_end(m); }, 0.02},
    {"parts not rigid", [](const Measures& m) { return percent(off_rigid(m), 1); }, off_rigid, 0.02,
     false, most_off_rigid},
    {"parts turned",
     [](const Measures& m) {
       const auto turn = turn_of_parts(m);
       return turn ? fmt::format("{:.0f} deg", degrees(*turn)) : std::string("-");
     },
     turn_of_parts, radians(5), false, most_turned},
};

// The badness of a row, if the method is ranked.
std::optional<double> judged(const MeasureRow& row, const Measures& measures) {
  constexpr double far_off = 0.02;
  if (row.of_followers && largest_missed_end(measures).value_or(0) > far_off) return std::nullopt;
  return row.badness(measures);
}

std::vector<SheetValue> values_of(const Comparison& comparison, const Measures& measures) {
  std::vector<SheetValue> values;
  for (const MeasureRow& row : measure_rows) {
    double best = std::numeric_limits<double>::infinity(), worst = -best;
    for (const auto& result : comparison.results) {
      const auto bad = judged(row, result.measures);
      if (!bad) continue;
      best = std::min(best, *bad);
      worst = std::max(worst, *bad);
    }
    const auto bad = judged(row, measures);
    const bool is_worst = bad && worst - best > row.apart && *bad > (best + worst) / 2;
    const bool is_marked = is_worst || (bad && *bad > row.most);
    values.push_back({row.label, row.text(measures), is_marked});
  }
  return values;
}

// Keeps only the triangles in `places` or, if not `listed`, only the others.
void keep_triangles(Drawable& surface, const std::vector<Index>& places, bool listed) {
  std::vector<bool> in_list(surface.triangles.size(), false);
  for (const Index t : places) in_list[t] = true;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (in_list[t] != listed) continue;
    surface.triangles[kept] = surface.triangles[t];
    if (!surface.edges.empty()) surface.edges[kept] = surface.edges[t];
    ++kept;
  }
  surface.triangles.resize(kept);
  if (!surface.edges.empty()) surface.edges.resize(kept);
}

Scene scene_of(const Mesh& mesh, const Deformed& shape, const Measures& measures, bool is_flat) {
  Mesh posed = mesh;
  posed.positions = shape.positions;
  posed.normals = {shape.normals, {}};
  Drawable surface = drawable_of(posed);
  surface.lit = !is_flat;
  surface.wire = surface.triangles.size() <= most_wires;
  surface.wire_opacity = 0.25F;
  const std::vector<Index>& crossing = measures.intersections.triangles;
  const std::vector<Index>& distorted = measures.strain.distorted;
  std::vector<Index> faults;
  std::set_union(crossing.begin(), crossing.end(), distorted.begin(), distorted.end(),
                 std::back_inserter(faults));
  Drawable faulty = surface;
  keep_triangles(surface, faults, false);
  keep_triangles(faulty, faults, true);
  faulty.colors.clear();
  faulty.color = fault_color;
  Scene scene;
  scene.surfaces.push_back(std::move(surface));
  if (!faulty.triangles.empty()) scene.surfaces.push_back(std::move(faulty));
  return scene;
}

bool is_flat(const Mesh& mesh) {
  const Box box = bounding_box(mesh.positions);
  return box.high.z - box.low.z <= 1e-6 * box.diagonal();
}

}  // namespace

Image draw_comparison(const Rig& rig, const Comparison& comparison,
                      const std::vector<Deformed>& shapes, const ComparisonSheet& options) {
  Mesh mesh = rig.mesh;
  if (options.stripes) mesh.colors = striped_colors(mesh, rig.skeleton, rig.skin.weights);
  const bool flat = is_flat(mesh);
  std::vector<SheetPanel> panels;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto& [method, measures] = comparison.results[i];
    panels.push_back(
        {method, scene_of(mesh, shapes[i], measures, flat), values_of(comparison, measures)});
  }
  SheetOptions sheet;
  sheet.title = options.title;
  sheet.panel_area = options.panel_area;
  sheet.view = view_from_name(!options.view.empty() ? options.view
                              : flat                ? "front"
                                                    : "three-quarter");
  for (const Deformed& shape : shapes) {
    for (const Index v : options.focus) sheet.focus.push_back(shape.positions[v]);
  }
  sheet.note =
      "Relative to rest. Red surface: goes through itself (crossings), or is torn, crushed or, in "
      "hands, feet and heads, bent out of shape (distorted).\n"
      "Shear: of right angles; a thousandth of the surface has more. Radius: thinnest "
      "cross-section of twisted bones. Twist near joints: within 20% of a bone's length.\n"
      "Caps: beyond free ends. Parts: hands, feet, heads; turned against their bones, also trunks. "
      "Red numbers: nearer to the worst than to the best, or bad in all.";
  return draw_sheet(panels, sheet);
}

}  // namespace sinew
