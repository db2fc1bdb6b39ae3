// SPDX-License-Identifier: Apache-2.0
// sinew pose: a pose file to start from, at rest or at a moment of a clip.
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "outputs.h"
#include "pose_options.h"
#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/io/pose_json.h"

namespace sinew::cli {
namespace {

struct PoseArguments {
  std::string model, output;
  PoseOptions pose;
};

ExitStatus write_pose_file(const CommonOptions& common, const PoseArguments& options) {
  Outputs outputs({options.model}, {options.output});
  const Rig rig = read_rig(options.model);
  if (rig.skeleton.joints.empty()) throw InputError(options.model, "", "it has no skeleton");
  const bool is_rest = options.pose.clip.empty();
  if (!is_rest) check(options.pose);
  const ToldPose pose =
      is_rest ? ToldPose{rest_pose(rig), {}, {}} : posed_at(common, rig, options.pose).told();
  const std::string text = write_pose(rig, pose);
  outputs.add(options.output, text);
  outputs.commit();
  // Joints that are computed and nodes above the skeleton are not in the file.
  const std::size_t joints = nlohmann::json::parse(text).at("joints").size();
  print_result(common, {{"file", options.output}, {"joints", joints}, {"rest", is_rest}},
               fmt::format("{}: {} {}", options.output, counted(joints, "joint", "joints"),
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
  add_output(*sub, "-o,--output", options->output, "Where to: .json")->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return write_pose_file(command.common, *options); };
  });
}

}  // namespace sinew::cli
