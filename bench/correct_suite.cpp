// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "bench.h"
#include "sinew/core/parallel.h"
#include "sinew/correct/correctives.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {
namespace {

constexpr std::size_t example_count = 5;

// The left elbow (in other models the last joint) bent ever further, in all of them a bit fatter
// than the method makes it.
std::vector<CorrectiveExample> bent_elbows(const Rig& rig, const Method& method) {
  std::vector<CorrectiveExample> examples;
  const JointIndex named = find_joint(rig.skeleton, "forearm.L");
  const JointIndex elbow = named != no_joint ? named : rig.skeleton.bones.back().joint;
  for (std::size_t e = 1; e <= example_count; ++e) {
    ToldPose pose{rest_pose(rig), {}, {}};
    Quat& turned = pose.joints[elbow].rotation;
    turned = turned * rotation_about(Vec3{1, 0, 0}, radians(22.0 * double(e)));
    apply_drivers(rig, pose);
    const std::vector<BoneState> bones = bone_states(rig, pose, {.detail = method.traits().bones});
    Deformed shown = deform_reference(rig, bones, pose.shapes, method, true);
    for (std::size_t v = 0; v < shown.positions.size(); ++v) {
      shown.positions[v] += shown.normals[v] * 0.01;
    }
    examples.push_back({"elbow", std::move(pose), std::move(shown.positions)});
  }
  return examples;
}

}  // namespace

void run_correct_suite(const Options& options) {
  const int threads = thread_count();
  if (options.threads > 0) set_thread_count(options.threads);
  const Rig rig =
      options.rig ? *options.rig : make_sample("mannequin", options.size / example_count);
  for (const MethodInfo* info : methods()) {
    if (info->traits.triangles) continue;  // hundreds of times as long
    const Method method = method_from_name(info->name, rig);
    const std::vector<CorrectiveExample> examples = bent_elbows(rig, method);
    Corrected corrected;
    const double seconds =
        minimum_seconds([&] { corrected = make_correctives(rig, examples, method); }, 1, 1);
    Checksum checksum;
    for (const BlendShape& shape : corrected.rig.mesh.shapes) checksum.add(shape.positions);
    report_row("correct", info->name, example_count * rig.mesh.vertex_count(), seconds, checksum);
  }
  set_thread_count(threads);
}

}  // namespace sinew::bench
