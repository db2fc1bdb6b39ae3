// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/measure.h"

#include <sstream>

#include "bindings/c/src/pose.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/kernels/deformer.h"

namespace sinew::c {
namespace {

std::vector<std::string> method_names_in(const char* list) {
  std::vector<std::string> names;
  if (list == nullptr) {
    for (const MethodInfo* method : methods()) names.emplace_back(method->name);
    return names;
  }
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  if (names.empty()) throw UsageError("methods is empty");
  return names;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_measure(const sinew_rig* rig, sinew_pose* pose, const char* methods,
                           sinew_buffer** report) {
  return guarded([&] {
    sinew_buffer*& out = result(report, "report");
    const auto state = live<RigObject>(rig)->state();
    const Rig& found = state->rig();
    require_skin(found);
    const auto posed = live<PoseObject>(pose);
    const std::vector<std::string> names = method_names_in(methods);
    std::vector<Method> chosen;
    for (const std::string& name : names) chosen.push_back(method_from_name(name, found));
    const std::lock_guard lock(posed->mutex);
    const std::span<const BoneState> bones = posed->bones();
    const std::vector<Vec3> rest = blend_shapes(found.mesh, posed->shapes()).positions;
    Comparison comparison;
    comparison.vertices = found.mesh.vertex_count();
    comparison.triangles = found.mesh.triangles.size();
    comparison.crossings_at_rest = self_intersections(found.mesh.triangles, rest, rest).pairs;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Deformed deformed = Deformer(found, chosen[i]).at(bones, posed->shapes());
      require_finite(deformed);
      comparison.results.push_back({names[i], measure(found, bones, rest, deformed.positions)});
    }
    out = make_buffer(to_json(comparison, found.skeleton));
  });
}
