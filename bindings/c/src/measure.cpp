// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/measure.h"

#include <algorithm>

#include "bindings/c/src/image.h"
#include "bindings/c/src/pose.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/draw/comparison.h"
#include "sinew/draw/portrait.h"
#include "sinew/kernels/deformer.h"
#include "sinew/measure/vertices.h"

namespace sinew::c {
namespace {

std::vector<std::string> method_names_in(const char* list) {
  std::vector<std::string> names;
  if (list == nullptr) {
    for (const MethodInfo* method : methods()) names.emplace_back(method->name);
    return names;
  }
  names = names_in(list);
  if (names.empty()) throw UsageError("methods is empty");
  return names;
}

// What methods make of a pose.
struct Compared {
  Comparison comparison;
  std::vector<Deformed> shapes;
};

std::vector<Vec3> rest_of(const Rig& rig, PoseObject& pose) {
  return blend_shapes(rig.mesh, pose.shapes()).positions;
}

Deformed deformed_by(Deformer& deformer, PoseObject& pose) {
  Deformed deformed = deformer.at(pose.bones(), pose.shapes());
  require_finite(deformed);
  return deformed;
}

// The pose must be locked.
Compared compared(const Rig& rig, PoseObject& pose, const std::vector<std::string>& names) {
  std::vector<Method> chosen;
  for (const std::string& name : names) chosen.push_back(method_from_name(name, rig));
  const std::vector<Vec3> rest = rest_of(rig, pose);
  Compared result;
  for (Deformer& deformer : deformers(rig, chosen)) {
    result.shapes.push_back(deformed_by(deformer, pose));
  }
  result.comparison = compare_shapes(rig, pose.bones(), rest, names, result.shapes);
  return result;
}

void copy_to(float* place, const std::vector<double>& values) {
  if (place == nullptr) return;
  for (std::size_t i = 0; i < values.size(); ++i) place[i] = static_cast<float>(values[i]);
}

static_assert(SINEW_FAULT_CROSSING == crossing_fault && SINEW_FAULT_DISTORTED == distorted_fault);

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_measure(const sinew_rig* rig, sinew_pose* pose, const char* methods,
                           sinew_buffer** report) {
  return guarded([&] {
    sinew_buffer*& out = result(report, "report");
    const auto state = live<RigObject>(rig)->state();
    require_skin(state->rig());
    const auto posed = live<PoseObject>(pose);
    const std::vector<std::string> names = method_names_in(methods);
    const std::lock_guard lock(posed->mutex);
    out = make_buffer(
        to_json(compared(state->rig(), *posed, names).comparison, state->rig().skeleton));
  });
}

sinew_status sinew_measure_vertices(const sinew_rig* rig, sinew_pose* pose, const char* method,
                                    const sinew_vertex_measures* measures) {
  return guarded([&] {
    const auto state = live<RigObject>(rig)->state();
    const Rig& found = state->rig();
    require_skin(found);
    const auto posed = live<PoseObject>(pose);
    require(measures, "measures");
    const sinew_vertex_measures wanted = options_from(measures, "measures");
    if (wanted.vertex_count != found.mesh.vertex_count()) {
      throw UsageError("measures.vertex_count is " + std::to_string(wanted.vertex_count) +
                       ", but the rig has " + std::to_string(found.mesh.vertex_count()) +
                       " vertices");
    }
    const Method chosen = method_from_name(text_or(method, "stbs-dqs"), found);
    const std::lock_guard lock(posed->mutex);
    const std::vector<Vec3> rest = rest_of(found, *posed);
    Deformer deformer(found, chosen);
    const Deformed deformed = deformed_by(deformer, *posed);
    const VertexStrain strain = vertex_strain(found.mesh.triangles, rest, deformed.positions);
    std::vector<std::uint8_t> faults;
    if (wanted.faults != nullptr) {
      faults = vertex_faults(found, posed->bones(), rest, deformed.positions);
    }
    copy_to(wanted.longest_edges, strain.longest);
    copy_to(wanted.shortest_edges, strain.shortest);
    copy_to(wanted.shears, strain.shear);
    std::copy(faults.begin(), faults.end(), wanted.faults);
  });
}

sinew_status sinew_draw_comparison(const sinew_rig* rig, sinew_pose* pose,
                                   const sinew_comparison_options* options, sinew_image** image) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    const auto state = live<RigObject>(rig)->state();
    const Rig& found = state->rig();
    require_skin(found);
    if (found.mesh.triangles.empty()) throw UsageError("the rig has no triangles to be seen");
    const auto posed = live<PoseObject>(pose);
    const sinew_comparison_options given = options_from(options, "options");
    const int size = given.size != 0 ? given.size : 400;
    if (size < 100 || size > 2000) {
      throw UsageError("options.size is " + std::to_string(size) + ", not from 100 to 2000");
    }
    ComparisonSheet sheet;
    sheet.title = text_or(given.title, found.name.c_str());
    sheet.view = text_or(given.view, "");
    sheet.panel_area = static_cast<double>(size) * size;
    sheet.stripes = given.stripes != 0;
    if (given.focus != nullptr) sheet.focus = vertices_below(found, given.focus);
    const std::vector<std::string> names =
        method_names_in(given.methods != nullptr ? given.methods : "lbs,dqs,stbs-lbs,stbs-dqs");
    const std::lock_guard lock(posed->mutex);
    const Compared made = compared(found, *posed, names);
    out = make_image(draw_comparison(found, made.comparison, made.shapes, sheet));
  });
}
