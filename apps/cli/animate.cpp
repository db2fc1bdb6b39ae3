// SPDX-License-Identifier: Apache-2.0
// sinew animate: clips from poses and from recorded motions.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "animate_motion.h"
#include "command.h"
#include "model_options.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/deform/pose_clip.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"
#include "sinew/io/keys_json.h"

namespace sinew::cli {
namespace {

struct AnimateArguments {
  std::string model, output;
  std::string keys;
  std::vector<std::string> poses;
  std::vector<double> times;
  std::string ease = "linear";
  std::string name;
  bool loop = false;
  double rate = 60;
  MotionArguments motion;
};

void check(const AnimateArguments& options) {
  if (!is_gltf_file(options.output)) {
    throw UsageError(fmt::format("{}: clips are written to a .glb or .gltf", options.output));
  }
  const int sources = int(!options.keys.empty()) + int(!options.poses.empty()) +
                      int(!options.motion.motion.empty());
  if (sources != 1) {
    throw UsageError(
        "give one of --keys FILE, --motion FILE and --pose FILE, the last once for each pose");
  }
  if (!options.times.empty() && options.times.size() != options.poses.size()) {
    throw UsageError(fmt::format("--times: {} for {}; give one for each pose",
                                 counted(options.times.size(), "time", "times"),
                                 counted(options.poses.size(), "pose", "poses")));
  }
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    const double before = i == 0 ? 0 : std::nextafter(options.times[i - 1], 1e300);
    if (std::isfinite(options.times[i]) && options.times[i] >= before) continue;
    throw UsageError("--times must be seconds from 0 on, in ascending order");
  }
}

Ease ease_of(const std::string& name) {
  return name == "smooth" ? Ease::smooth : name == "step" ? Ease::step : Ease::linear;
}

KeysFile read_keys(const Rig& rig, const AnimateArguments& options) {
  try {
    return parse_keys(read_file(options.keys), rig);
  } catch (const InputError& error) {
    throw error.in_file(options.keys);
  }
}

PoseKey read_pose(const Rig& rig, const std::string& file) {
  try {
    return parse_pose_key(read_file(file), rig);
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
}

KeysFile keys_of_poses(const Rig& rig, const AnimateArguments& options) {
  KeysFile file;
  for (std::size_t i = 0; i < options.poses.size(); ++i) {
    PoseKey& key = file.keys.emplace_back(read_pose(rig, options.poses[i]));
    key.time = options.times.empty() ? double(i) : options.times[i];
    key.ease = ease_of(options.ease);
  }
  return file;
}

// What the clip replaces or adds, and the joints that had to be added for it.
struct Made {
  Clip clip;
  bool is_new = true;
  std::vector<std::string> ends{};
  std::vector<std::string> notes{};
};

bool has_clip(const Rig& rig, const std::string& name) {
  return std::any_of(rig.clips.begin(), rig.clips.end(),
                     [&](const Clip& clip) { return clip.name == name; });
}

Made make_clip(Rig& rig, const AnimateArguments& options) {
  KeysFile file = options.keys.empty() ? keys_of_poses(rig, options) : read_keys(rig, options);
  if (!options.name.empty()) file.name = options.name;
  if (file.name.empty()) file.name = "animation";
  if (file.loop || options.loop) close_loop(file.keys);
  Made made;
  const std::size_t joints = rig.skeleton.joints.size();
  try {
    make_ends(rig, file.keys);
    made.clip = solve_targets(rig, clip_from_poses(rig, file.name, file.keys), file.keys,
                              options.rate, &made.notes);
  } catch (const InputError& error) {
    throw options.keys.empty() ? error : error.in_file(options.keys);
  }
  for (std::size_t j = joints; j < rig.skeleton.joints.size(); ++j) {
    made.ends.push_back(rig.skeleton.joints[j].name);
  }
  made.is_new = !has_clip(rig, file.name);
  return made;
}

ExitStatus animate_by_motion(const CommonOptions& common, const AnimateArguments& options,
                             Model& model, Outputs& outputs) {
  PlayedMotion played = play_motion(model.rig, options.motion);
  if (!options.name.empty()) played.clip.name = options.name;
  const std::string& name = played.clip.name;
  const bool is_new = !has_clip(model.rig, name);
  put_clip(model.rig, played.clip);
  outputs.add(options.output, gltf_file_bytes(options.output, model));
  if (!options.motion.map_out.empty()) outputs.add(options.motion.map_out, played.map);
  nlohmann::json json = std::move(played.json);
  json.update({{"file", options.output},
               {"clip", name},
               {"duration", duration(played.clip)},
               {"channels", played.clip.channels.size()},
               {"replaced", !is_new}});
  print_report(
      common, std::move(json),
      fmt::format("{}: {} clip '{}', {:.3g} s, {}\n{}", options.output, is_new ? "new" : "replaced",
                  name, duration(played.clip),
                  counted(played.clip.channels.size(), "channel", "channels"), played.text),
      outputs, "");
  return warn_of_rounding(common, model.rig.mesh);
}

ExitStatus animate(const CommonOptions& common, const AnimateArguments& options) {
  check(options);
  std::vector<std::string> inputs = options.poses;
  inputs.insert(inputs.end(),
                {options.model, options.keys, options.motion.motion, options.motion.map});
  Outputs outputs(inputs, {options.output, options.motion.map_out});
  Model model = read_model(options.model);
  if (model.rig.skeleton.joints.empty()) throw InputError(options.model, "", "it has no skeleton");
  if (!options.motion.motion.empty()) return animate_by_motion(common, options, model, outputs);
  const Made made = make_clip(model.rig, options);
  put_clip(model.rig, made.clip);
  outputs.add(options.output, gltf_file_bytes(options.output, model));
  outputs.commit();
  for (const std::string& note : made.notes) say(common, note);
  for (const std::string& end : made.ends) {
    say(common, fmt::format("added the joint '{}', which moves the end of a stretched bone", end));
  }
  print_result(common,
               {{"file", options.output},
                {"clip", made.clip.name},
                {"duration", duration(made.clip)},
                {"channels", made.clip.channels.size()},
                {"replaced", !made.is_new},
                {"end_joints", made.ends}},
               fmt::format("{}: {} clip '{}', {:.3g} s, {}", options.output,
                           made.is_new ? "new" : "replaced", made.clip.name, duration(made.clip),
                           counted(made.clip.channels.size(), "channel", "channels")));
  return warn_of_rounding(common, model.rig.mesh);
}

}  // namespace

void add_animate(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "animate", "Make a clip from poses or a recorded motion and add it to a rig",
      "  sinew animate hero.glb --keys keys.json -o animated.glb\n"
      "  sinew animate hero.glb --pose a.json --pose b.json --loop --name sway -o animated.glb\n"
      "  sinew animate hero.glb --motion walk.bvh -o animated.glb\n"
      "  sinew animate hero.glb --motion walk.bvh --map map.json --in-place --fps 24 -o "
      "animated.glb");
  const auto options = std::make_shared<AnimateArguments>();
  sub->add_option("RIG", options->model, "A rigged .glb or .gltf")->required();
  CLI::Option* keys = sub->add_option("--keys", options->keys, "Poses over time: .json");
  CLI::Option* poses =
      sub->add_option("--pose", options->poses,
                      "A pose by joints: .json; once for each pose, a second apart")
          ->excludes(keys)
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--times", options->times, "When the poses are, in seconds: 0,0.5,2")
      ->delimiter(',')
      ->needs(poses);
  sub->add_option("--ease", options->ease, "How to go from pose to pose: linear, smooth, step")
      ->capture_default_str()
      ->needs(poses)
      ->check(one_of({"linear", "smooth", "step"}));
  sub->add_flag("--loop", options->loop, "Return to the first pose at the end");
  add_motion_options(*sub, options->motion)->excludes(keys)->excludes(poses);
  sub->add_option("--name", options->name,
                  "Name of the clip; replaces one that has it (default: that of the key file or of "
                  "the motion, or animation)");
  sub->add_option("--rate", options->rate, "Keys per second for joints that reach for targets")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1000.0));
  add_output(*sub, "-o,--output", options->output, "Where to: .glb or .gltf")->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return animate(command.common, *options); };
  });
}

}  // namespace sinew::cli
