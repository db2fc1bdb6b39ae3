// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/arrays.h"
#include "bindings/c/src/rig.h"
#include "sinew/correct/correctives.h"
#include "sinew/io/pose_json.h"
#include "sinew/io/settings_json.h"
#include "sinew/skeleton/bones.h"

namespace sinew::c {
namespace {

CorrectOptions correct_options_from(const sinew_correct_options& given, const Skeleton& skeleton) {
  CorrectOptions options;
  if (given.joint_count > 0) require(given.joints, "options.joints");
  for (std::size_t i = 0; i < given.joint_count; ++i) {
    options.joints.push_back(
        joint_from_name(skeleton, text_of(given.joints[i], "a name in options.joints")));
  }
  if (given.radius != 0) options.radius = radians(given.radius);
  if (given.tolerance != 0) options.tolerance = given.tolerance;
  options.squash = given.squash != 0;
  return options;
}

ToldPose pose_of_example(const Rig& rig, const char* json, std::size_t example) {
  const std::string place = "example " + std::to_string(example);
  try {
    PoseFile file = parse_pose(text_of(json, "a pose in poses"), rig);
    if (auto* pose = std::get_if<ToldPose>(&file)) return std::move(*pose);
  } catch (const InputError& error) {
    throw error.in_file(place);
  }
  throw InputError(place, "a corrective follows joints: its pose cannot be by bones");
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_correct(const sinew_rig* rig, const char* const* poses, size_t example_count,
                           const sinew_array* positions, const sinew_correct_options* options,
                           sinew_progress progress, void* user, sinew_rig** corrected,
                           sinew_buffer** report) {
  return guarded([&] {
    sinew_rig*& out = result(corrected, "corrected");
    if (report != nullptr) *report = nullptr;
    const sinew_correct_options given = options_from(options, "options");
    const auto state = live<RigObject>(rig)->state();
    const Rig& before = state->rig();
    require_skin(before);
    if (example_count > 0) require(poses, "poses");
    require(positions, "positions");
    const Array places(*positions, "positions", {3});
    const std::size_t vertices = before.mesh.vertex_count();
    places.require_count(example_count * vertices, "vertices of all examples");
    const std::vector<Vec3> all = places.vec3s();
    std::vector<CorrectiveExample> examples;
    for (std::size_t e = 0; e < example_count; ++e) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(e * vertices);
      examples.push_back(
          {given.names == nullptr ? "" : text_of(given.names[e], "a name in options.names"),
           pose_of_example(before, poses[e], e),
           {first, first + static_cast<std::ptrdiff_t>(vertices)}});
    }
    const Method method = method_from_name(method_name(given.method, before), before);
    Corrected made =
        make_correctives(before, examples, method, correct_options_from(given, before.skeleton),
                         progress_of(progress, user));
    const std::string text = to_json(made);
    Model model = state->model();
    model.rig = std::move(made.rig);
    out = make_rig(std::move(model));
    if (report != nullptr) *report = make_buffer(text);
  });
}

sinew_status sinew_rig_drivers(const sinew_rig* rig, sinew_buffer** drivers) {
  return guarded([&] {
    sinew_buffer*& out = result(drivers, "drivers");
    out = make_buffer(drivers_to_json(live<RigObject>(rig)->state()->rig()));
  });
}
