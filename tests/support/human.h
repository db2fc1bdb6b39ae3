// SPDX-License-Identifier: Apache-2.0
// A human skeleton under any names, in any pose, size and local axes; and a walk for it.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sinew/motion/clip.h"
#include "sinew/skeleton/skeleton.h"
#include "tests/support/rotations.h"

namespace sinew {

struct HumanOptions {
  // New names; what is not mentioned keeps that of human(), in "upper_arm.L"'s way.
  std::map<std::string, std::string> names;
  double arm_drop = 0;  // radians below the horizontal: 0 is a T pose
  double size = 1;
  Quat stance;                    // turns the whole at rest
  Random* random_axes = nullptr;  // for each joint's axes; the world's otherwise
  bool hips_at_origin = false;    // as most .bvh files have them
};

struct HumanPoint {
  std::string name, parent;
  Vec3 place;  // in metres
};

inline std::vector<HumanPoint> human_points(double arm_drop) {
  std::vector<HumanPoint> points = {{"hips", "", {0, 1, 0}},
                                    {"spine", "hips", {0, 1.1, 0}},
                                    {"chest", "spine", {0, 1.3, 0}},
                                    {"neck", "chest", {0, 1.5, 0}},
                                    {"head", "neck", {0, 1.6, 0.01}}};
  for (const char* side : {".L", ".R"}) {
    const double x = side[1] == 'L' ? 1 : -1;
    const auto add = [&](const char* name, const std::string& parent, const Vec3& place) {
      points.push_back({std::string(name) + side, parent, place});
    };
    const Vec3 along{x * std::cos(arm_drop), -std::sin(arm_drop), 0};
    const Vec3 upper_arm{x * 0.2, 1.45, 0};
    add("clavicle", "chest", {x * 0.05, 1.45, 0});
    add("upper_arm", std::string("clavicle") + side, upper_arm);
    add("forearm", std::string("upper_arm") + side, upper_arm + along * 0.3);
    add("hand", std::string("forearm") + side, upper_arm + along * 0.55);
    add("index", std::string("hand") + side, upper_arm + along * 0.65);
    add("thigh", "hips", {x * 0.1, 0.95, 0});
    add("shin", std::string("thigh") + side, {x * 0.1, 0.5, 0.01});
    add("foot", std::string("shin") + side, {x * 0.1, 0.08, 0});
    add("toes", std::string("foot") + side, {x * 0.1, 0.02, 0.13});
  }
  return points;
}

inline Skeleton human(const HumanOptions& options = {}) {
  Skeleton skeleton;
  std::map<std::string, int> numbers;
  std::vector<Quat> turns;
  std::vector<Vec3> places;
  for (const HumanPoint& point : human_points(options.arm_drop)) {
    Vec3 place = point.place * options.size;
    if (options.hips_at_origin) place -= Vec3{0, options.size, 0};
    places.push_back(rotate(options.stance, place));
    turns.push_back(options.random_axes ? random_rotation(*options.random_axes) : Quat{});
    Joint joint;
    const auto renamed = options.names.find(point.name);
    joint.name = renamed == options.names.end() ? point.name : renamed->second;
    joint.rest.translation = places.back();
    joint.rest.rotation = turns.back();
    if (!point.parent.empty()) {
      joint.parent = numbers.at(point.parent);
      const Quat back = conjugate(turns[joint.parent]);
      joint.rest.translation = rotate(back, places.back() - places[joint.parent]);
      joint.rest.rotation = back * turns.back();
    }
    numbers[point.name] = static_cast<int>(skeleton.joints.size());
    skeleton.joints.push_back(joint);
  }
  skeleton.bones = bones_from_joints(skeleton);
  return skeleton;
}

// How a joint is turned in the world, by its name in human_points(), and where the hips are against
// rest.
struct HumanMotion {
  std::function<Quat(const std::string&, double)> turn;
  std::function<Vec3(double)> way;
};

// A step forward per second: legs and arms swing, knees bend, the hips advance by 1.2 m per second.
inline HumanMotion human_walk() {
  const auto angle = [](const std::string& name, double time) {
    const bool left = name.ends_with("L");
    const double phase = std::sin(2 * pi * time) * (left ? 1 : -1);
    if (name.starts_with("thigh")) return -0.5 * phase;
    if (name.starts_with("shin")) return -0.5 * phase + 0.4 * (1 + phase);
    if (name.starts_with("upper_arm")) return 0.4 * phase;
    if (name.starts_with("forearm") || name.starts_with("hand") || name.starts_with("index")) {
      return 0.4 * phase - 0.3;
    }
    return 0.0;
  };
  return {[angle](const std::string& name, double time) {
            // Arms hang down; what follows swings them about x.
            const bool is_arm = name.starts_with("upper_arm") || name.starts_with("forearm") ||
                                name.starts_with("hand") || name.starts_with("index");
            const double lowered = is_arm ? (name.ends_with("L") ? -1.3 : 1.3) : 0;
            return rotation_about(Vec3{1, 0, 0}, angle(name, time)) *
                   rotation_about(Vec3{0, 0, 1}, lowered);
          },
          [](double time) {
            return Vec3{0.02 * std::sin(2 * pi * time), 0.03 * std::cos(4 * pi * time) - 0.03,
                        1.2 * time};
          }};
}

// The motion as a clip of human(options), with `frames` keys over `seconds`.
inline Clip human_clip(const HumanOptions& options, const HumanMotion& motion, int frames,
                       double seconds) {
  const Skeleton skeleton = human(options);
  const std::vector<HumanPoint> points = human_points(options.arm_drop);
  const std::vector<Affine> rest = rest_globals(skeleton);
  std::vector<Curve<Quat>> turns(points.size());
  Curve<Vec3> path;
  for (int f = 0; f < frames; ++f) {
    const double time = frames > 1 ? seconds * f / (frames - 1) : 0;
    std::vector<Quat> world;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const Quat turn =
          options.stance * motion.turn(points[j].name, time) * conjugate(options.stance);
      world.push_back(turn * to_quaternion(rest[j].linear));
      const int parent = skeleton.joints[j].parent;
      turns[j].times.push_back(time);
      turns[j].values.push_back(parent == no_joint ? world[j]
                                                   : conjugate(world[parent]) * world[j]);
    }
    path.times.push_back(time);
    path.values.push_back(skeleton.joints[0].rest.translation +
                          rotate(options.stance, motion.way(time)) * options.size);
  }
  Clip clip;
  clip.channels.emplace_back(TranslationChannel{0, path});
  for (std::size_t j = 0; j < points.size(); ++j) {
    clip.channels.emplace_back(RotationChannel{j, turns[j]});
  }
  return clip;
}

// The CMU database's names as converted for MotionBuilder.
inline std::map<std::string, std::string> cmu_names() {
  std::map<std::string, std::string> names = {{"hips", "Hips"},
                                              {"spine", "LowerBack"},
                                              {"chest", "Spine1"},
                                              {"neck", "Neck"},
                                              {"head", "Head"}};
  const std::array<std::array<const char*, 2>, 9> sided = {{{"clavicle", "Shoulder"},
                                                            {"upper_arm", "Arm"},
                                                            {"forearm", "ForeArm"},
                                                            {"hand", "Hand"},
                                                            {"index", "HandIndex1"},
                                                            {"thigh", "UpLeg"},
                                                            {"shin", "Leg"},
                                                            {"foot", "Foot"},
                                                            {"toes", "ToeBase"}}};
  for (const auto& [ours, theirs] : sided) {
    names[std::string(ours) + ".L"] = std::string("Left") + theirs;
    names[std::string(ours) + ".R"] = std::string("Right") + theirs;
  }
  return names;
}

}  // namespace sinew
