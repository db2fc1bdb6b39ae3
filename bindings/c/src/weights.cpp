// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/rig.h"
#include "sinew/weights/report_json.h"
#include "sinew/weights/weight_settings.h"

namespace sinew::c {
namespace {

// Views of literals, which end with a 0.
const char* name_at(std::span<const std::string_view> names, std::size_t index) {
  return entry(names, index, "method").data();
}

WeightSettings settings_from(const sinew_weights_options& given) {
  WeightSettings settings;
  settings.method = text_or(given.method, "");
  settings.endpoints = text_or(given.endpoints, "bbw");
  settings.endpoints_from = text_or(given.endpoints_from, "");
  settings.influences = given.influences;
  settings.lattice_nodes = given.lattice_nodes;
  settings.voxels = given.voxels;
  settings.power = given.power;
  settings.joints = given.joints;
  settings.heat = given.heat;
  return settings;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_weight_method_count(size_t* count) {
  return guarded([&] { result(count, "count") = weight_method_names().size(); });
}

sinew_status sinew_weight_method_name(size_t index, const char** name) {
  return guarded([&] {
    const char*& out = result(name, "name");
    out = name_at(weight_method_names(), index);
  });
}

sinew_status sinew_endpoint_method_count(size_t* count) {
  return guarded([&] { result(count, "count") = endpoint_method_names().size(); });
}

sinew_status sinew_endpoint_method_name(size_t index, const char** name) {
  return guarded([&] {
    const char*& out = result(name, "name");
    out = name_at(endpoint_method_names(), index);
  });
}

sinew_status sinew_rig_compute_weights(sinew_rig* rig, const sinew_weights_options* options,
                                       sinew_progress progress, void* user, sinew_buffer** report) {
  return guarded([&] {
    if (report != nullptr) *report = nullptr;
    const auto object = live<RigObject>(rig);
    const WeightSettings settings = settings_from(options_from(options, "options"));
    WeightResult computed;
    object->change([&](Model& model) {
      computed = compute_weights(model.rig.mesh, model.rig.skeleton, model.rig.skin, settings,
                                 progress_of(progress, user));
    });
    if (report != nullptr) *report = make_buffer(to_json(computed));
  });
}

sinew_status sinew_rig_weight_report(const sinew_rig* rig, sinew_buffer** report) {
  return guarded([&] {
    sinew_buffer*& out = result(report, "report");
    const auto state = live<RigObject>(rig)->state();
    require_skin(state->rig());
    const Rig& found = state->rig();
    out = make_buffer(report_to_json(make_report(found.mesh, found.skeleton, found.skin)));
  });
}
