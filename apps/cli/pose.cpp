// SPDX-License-Identifier: Apache-2.0
// sinew pose: a pose file to start from, at rest or at a moment of a clip.
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "pose_options.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/io.h"
#include "sinew/io/pose_json.h"

namespace sinew::cli {
namespace {

struct PoseArguments {
  std::string model, output;
  PoseOptions pose;
};

ExitStatus write_pose_file(const CommonOptions& common, const PoseArguments& options) {
  const Rig rig = read_rig(options.model);
  if (rig.skeleton.joints.empty()) throw InputError(options.model, "", "it has no skeleton");
  const bool is_rest = options.pose.clip.empty();
  if (!is_rest) check(options.pose);
  const ToldPose pose =
      is_rest ? ToldPose{rest_pose(rig), {}, {}} : posed_at(common, rig, options.pose).told();
  write_file(options.output, write_pose(rig, pose));
  print_result(
      common, {{"file", options.output}, {"joints", pose.joints.size()}, {"rest", is_rest}},
      fmt::format("{}: {} {}", options.output, counted(pose.joints.size(), "joint", "joints"),
                  is_rest ? "at rest" : "as in the clip"));
  return done;
}

}  // namespace

void add_pose(CLI::App& app, Command& command) {
  CLI::App* sub =
      add_command(app, command, "pose", "Write a pose file: the rest pose, or a moment of a clip",
                  "  sinew pose hero.glb -o pose.json    all joints, to be changed by hand\n"
                  "  sinew pose hero.glb --clip wave --time 0.6 -o pose.json");
  const auto options = std::make_shared<PoseArguments>();
  sub->add_option("RIG", options->model, "A rigged .glb or .gltf, or a skeleton")->required();
  add_clip_options(*sub, options->pose);
  sub->add_option("-o,--output", options->output, "Where to: .json")->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return write_pose_file(command.common, *options); };
  });
}

}  // namespace sinew::cli
