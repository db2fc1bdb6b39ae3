// SPDX-License-Identifier: Apache-2.0
#include "animate_motion.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/io.h"
#include "sinew/io/joint_map_json.h"
#include "sinew/motion/retarget.h"

namespace sinew::cli {
namespace {

using nlohmann::json;

JointMap read_map(const Rig& source, const Rig& rig, const std::string& file) {
  if (file.empty()) return map_joints(source.skeleton, rig.skeleton);
  try {
    return parse_joint_map(read_file(file), source.skeleton, rig.skeleton);
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
}

Retargeted retarget_file(const Rig& source, const Clip& motion, const Rig& rig, const JointMap& map,
                         const MotionArguments& options) {
  RetargetOptions how;
  how.fps = options.fps;
  how.tolerance = radians(options.tolerance);
  how.in_place = options.in_place;
  how.rest_time = options.rest_time;
  for (const Driver& driver : rig.drivers) how.computed.push_back(driver.joint);
  try {
    return retarget(source.skeleton, motion, rig.skeleton, map, how);
  } catch (const InputError& error) {
    const std::string& file = options.map.empty() ? options.motion : options.map;
    throw error.in_file(file);
  }
}

std::string table(const Skeleton& source, const Skeleton& target, const JointMap& map,
                  const json& report) {
  std::size_t width = 6;
  for (const JointPair& pair : map.pairs) {
    width = std::max(width, source.joints[pair.source].name.size());
  }
  std::string text;
  for (const JointPair& pair : map.pairs) {
    const char* note = pair.by == PairedBy::guess ? "   guessed" : "";
    text += fmt::format("  {:<{}} -> {}{}\n", source.joints[pair.source].name, width,
                        target.joints[pair.target].name, note);
  }
  const auto list = [&](const char* what, const char* key) {
    const auto names = report.at(key).get<std::vector<std::string>>();
    if (!names.empty()) text += fmt::format("  {}: {}\n", what, fmt::join(names, ", "));
  };
  list("of the motion, moves nothing", "unmapped_source");
  list("of the rig, not moved", "unmapped_target");
  list("of the rig, computed from other joints", "computed");
  return text;
}

}  // namespace

CLI::Option* add_motion_options(CLI::App& command, MotionArguments& options) {
  CLI::Option* motion = command.add_option(
      "--motion", options.motion,
      "A recorded motion, played on the rig: .bvh, or a .glb or .gltf with a clip");
  command.add_option("--motion-clip", options.clip, "Which clip of its file (default: the first)")
      ->needs(motion);
  command
      .add_option("--map", options.map,
                  "Which joint moves which: .json, {\"of the motion\": \"of the rig\", ...}; "
                  "otherwise by their names")
      ->needs(motion);
  add_output(command, "--map-out", options.map_out, "Write the mapping used, to be edited: .json")
      ->needs(motion);
  command.add_flag("--in-place", options.in_place, "Let the hips rise and sink, but not travel")
      ->needs(motion);
  command.add_option("--fps", options.fps, "Frames per second (default: the motion's own)")
      ->needs(motion)
      ->check(CLI::Range(1.0, 1000.0));
  command
      .add_option("--tolerance", options.tolerance,
                  "Leave out keys that the others imply within so many degrees; 0: none")
      ->needs(motion)
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
  command
      .add_option("--rest-time", options.rest_time,
                  "When the recorded body stands as at rest, in seconds, if not at its file's rest "
                  "pose")
      ->needs(motion)
      ->check(CLI::Range(0.0, 1e9));
  return motion;
}

PlayedMotion play_motion(const Rig& rig, const MotionArguments& options) {
  const Rig source = read_rig(options.motion);
  if (source.clips.empty()) {
    throw InputError(options.motion, "", "it has no motion: give a .bvh or a rig with a clip");
  }
  const Clip& motion =
      options.clip.empty() ? source.clips.front() : find_clip(source, options.clip);
  JointMap map = read_map(source, rig, options.map);
  Retargeted result = retarget_file(source, motion, rig, map, options);
  std::erase_if(map.pairs, [&](const JointPair& pair) {
    return std::find(result.left_out.begin(), result.left_out.end(), pair) != result.left_out.end();
  });

  PlayedMotion played;
  played.json = json::parse(to_json(result, map, source.skeleton, rig));
  const auto keys = played.json.at("keys").get<std::size_t>();
  const auto guesses = played.json.at("guessed").get<std::size_t>();
  played.text = table(source.skeleton, rig.skeleton, map, played.json) +
                fmt::format("{}, {} guessed; {}, {}; the hips' way is scaled by {:.4g}",
                            counted(map.pairs.size(), "pair", "pairs"), guesses,
                            counted(result.frames, "frame", "frames"), counted(keys, "key", "keys"),
                            result.scale);
  played.map = to_json(map, source.skeleton, rig.skeleton);
  played.clip = std::move(result.clip);
  played.clip.name = motion.name;
  return played;
}

}  // namespace sinew::cli
