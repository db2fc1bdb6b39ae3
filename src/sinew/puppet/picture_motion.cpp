// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/picture_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/math.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/motion/curve.h"

namespace sinew {
namespace {

struct NamedEasing {
  std::string_view name;
  Easing easing;
};
constexpr std::array<NamedEasing, 6> easings{{{"linear", {false, {0, 0, 1, 1}}},
                                              {"in", {false, {0.42, 0, 1, 1}}},
                                              {"out", {false, {0, 0, 0.58, 1}}},
                                              {"in-out", {false, {0.42, 0, 0.58, 1}}},
                                              {"overshoot", {false, {0.34, 1.56, 0.64, 1}}},
                                              {"step", {true, {0, 0, 1, 1}}}}};

Vec2 between(const JointKey& a, const JointKey& b, double b_time, double time) {
  const double share = a.ease.at((time - a.time) / (b_time - a.time));
  return a.place + (b.place - a.place) * share;
}

Vec2 place_at(const std::vector<JointKey>& keys, const PictureMotion& motion, double time) {
  const double period = motion.duration;
  if (motion.loops && time > period) time = std::fmod(time, period);
  if (motion.loops && time < keys.front().time) time += period;
  const auto next = std::upper_bound(keys.begin(), keys.end(), time,
                                     [](double t, const JointKey& key) { return t < key.time; });
  if (next == keys.begin()) return keys.front().place;
  if (next != keys.end()) return between(*(next - 1), *next, next->time, time);
  const double again = keys.front().time + period;
  if (!motion.loops || keys.back().time >= again) return keys.back().place;
  if (time >= again) return keys.front().place;
  return between(keys.back(), keys.front(), again, time);
}

// Where joints are at a moment.
class Followers {
 public:
  Followers(const PictureMotion& motion, const PictureBones& bones, double time)
      : motion_(motion), bones_(bones), time_(time), before_(joints_before(bones)) {
    for (std::size_t j = 0; j < before_.size(); ++j) {
      carried_.push_back(is_carried(bones, j, before_[j]));
    }
  }

  Vec2 place(std::size_t joint) const {
    // Up to the nearest joint that is dragged, or carried by a bone.
    std::size_t leader = joint;
    while (motion_.joints[leader].empty() && before_[leader] != no_joint && !carried_[leader]) {
      leader = static_cast<std::size_t>(before_[leader]);
    }
    const Vec2 rest = bones_.joints[joint].place;
    const std::vector<JointKey>& keys = motion_.joints[leader];
    if (!keys.empty()) return rest + (place_at(keys, motion_, time_) - bones_.joints[leader].place);
    return before_[leader] == no_joint ? rest : along_with(rest, before_[leader]);
  }

 private:
  // A point that moves with the bone that ends in a joint.
  Vec2 along_with(const Vec2& rest, int end) const {
    const std::size_t e = end;
    const Vec2 arm = rest - bones_.joints[e].place, posed_end = place(e);
    if (before_[e] == no_joint) return posed_end + arm;
    const std::size_t s = before_[e];
    const Vec2 bone = bones_.joints[e].place - bones_.joints[s].place, posed = posed_end - place(s);
    const double angle =
        math::atan2(bone.x * posed.y - bone.y * posed.x, bone.x * posed.x + bone.y * posed.y);
    const double c = math::cos(angle), d = math::sin(angle);
    return posed_end + Vec2{c * arm.x - d * arm.y, d * arm.x + c * arm.y};
  }

  const PictureMotion& motion_;
  const PictureBones& bones_;
  double time_;
  std::vector<int> before_;
  std::vector<bool> carried_;
};

JointKey parse_key(const JsonRef& json, const Vec2& rest) {
  json.allow_only({"time", "position", "offset", "ease"});
  JointKey key;
  key.time = json.at("time").number();
  if (key.time < 0) json.at("time").fail("it lies before the start");
  const auto position = json.find("position"), offset = json.find("offset");
  if (position.has_value() == offset.has_value()) json.fail("give a position or an offset");
  const std::vector<double> xy = (position ? *position : *offset).numbers(2);
  key.place = Vec2{xy[0], xy[1]} + (position ? Vec2{} : rest);
  if (!(std::max(std::abs(key.place.x), std::abs(key.place.y)) <= farthest_joint)) {
    (position ? *position : *offset)
        .fail(fmt::format("it is not within {} pixels", farthest_joint));
  }
  key.ease = easing_from_name("in-out");
  const auto ease = json.find("ease");
  if (!ease) return key;
  if (ease->value().is_string()) {
    try {
      key.ease = easing_from_name(ease->string());
    } catch (const UsageError& error) {
      ease->fail(error.what());
    }
    return key;
  }
  const std::vector<double> controls = ease->numbers(4);
  if (std::min(controls[0], controls[2]) < 0 || std::max(controls[0], controls[2]) > 1) {
    ease->fail("the times of its control points are not in [0, 1]");
  }
  if (std::max(std::abs(controls[1]), std::abs(controls[3])) > 100) {
    ease->fail("its control points are more than 100 times the distance away");
  }
  std::copy(controls.begin(), controls.end(), key.ease.controls.begin());
  return key;
}

std::vector<JointKey> parse_keys(const JsonRef& json, const Vec2& rest) {
  if (json.size() == 0) json.fail("it has no keys");
  std::vector<JointKey> keys;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const JsonRef item = json.at(i);
    keys.push_back(parse_key(item, rest));
    if (i > 0 && !(keys[i].time > keys[i - 1].time)) {
      item.fail("its time is not after that of the key before");
    }
  }
  return keys;
}

void pin_by(const JsonRef& json, const PictureBones& bones, PictureMotion& motion) {
  const int joint = json.value().is_number() ? json.index(bones.joints.size(), "joints")
                                             : find_joint(bones, json.string());
  if (joint == no_joint) json.fail(fmt::format("there is no joint \"{}\"", json.string()));
  try {
    pin(motion, bones, std::span(&joint, 1));
  } catch (const UsageError& error) {
    json.fail(error.what());
  }
}

double last_time(const PictureMotion& motion) {
  double last = 0;
  for (const auto& keys : motion.joints) {
    if (!keys.empty()) last = std::max(last, keys.back().time);
  }
  return last;
}

}  // namespace

double Easing::at(double time) const {
  if (step) return time < 1 ? 0 : 1;
  Curve<double> curve{Interpolation::bezier, {0, 1}, {0, 1}, {{}, {}}, {{}, {}}};
  curve.out[0] = {controls[0], controls[1]};
  curve.in[1] = {controls[2] - 1, controls[3] - 1};
  return sample(curve, time);
}

Easing easing_from_name(std::string_view name) {
  std::string names;
  for (const NamedEasing& known : easings) {
    if (known.name == name) return known.easing;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  throw UsageError(fmt::format("there is no easing \"{}\"; there are {}", name, names));
}

std::vector<Vec2> PictureMotion::at(const PictureBones& bones, double time) const {
  const Followers followers(*this, bones, time);
  std::vector<Vec2> places;
  for (std::size_t j = 0; j < bones.joints.size(); ++j) places.push_back(followers.place(j));
  return places;
}

PictureMotion parse_picture_motion(std::string_view json, const PictureBones& bones) {
  const nlohmann::json document = parse_json(json);
  const JsonRef root(document);
  root.allow_only({"name", "duration", "loop", "joints", "pins"});
  PictureMotion motion;
  motion.name = "motion";
  if (const auto name = root.find("name")) motion.name = name->string();
  if (const auto loop = root.find("loop")) motion.loops = loop->boolean();
  motion.joints.resize(bones.joints.size());
  const JsonRef joints = root.at("joints");
  if (!joints.value().is_object()) joints.fail("it is not an object from joints to their keys");
  for (const auto& [name, unused] : joints.value().items()) {
    const JsonRef keys = joints.at(name);
    const int joint = find_joint(bones, name);
    if (joint == no_joint) keys.fail("there is no such joint");
    const std::size_t j = joint;
    if (!motion.joints[j].empty()) keys.fail("the joint has keys already, under another name");
    motion.joints[j] = parse_keys(keys, bones.joints[j].place);
  }
  if (const auto pins = root.find("pins")) {
    for (std::size_t i = 0; i < pins->size(); ++i) pin_by(pins->at(i), bones, motion);
  }
  motion.duration = last_time(motion);
  if (const auto duration = root.find("duration")) {
    if (duration->number() < motion.duration) duration->fail("the last key comes after it");
    motion.duration = duration->number();
  }
  if (!(motion.duration > 0)) root.fail("it takes no time: give a duration, or keys after 0");
  if (motion.duration < shortest_motion || motion.duration > longest_motion) {
    const auto duration = root.find("duration");
    (duration ? *duration : joints)
        .fail(fmt::format("it takes {} s, which is not from {} to {}", motion.duration,
                          shortest_motion, longest_motion));
  }
  return motion;
}

PictureMotion read_picture_motion(const std::filesystem::path& path, const PictureBones& bones) {
  try {
    return parse_picture_motion(read_file(path), bones);
  } catch (const InputError& error) {
    throw error.in_file(path.string());
  }
}

std::string to_json(const PictureMotion& motion, const PictureBones& bones) {
  nlohmann::ordered_json joints = nlohmann::ordered_json::object();
  for (std::size_t j = 0; j < motion.joints.size(); ++j) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    for (const JointKey& key : motion.joints[j]) {
      nlohmann::ordered_json item = {{"time", key.time}, {"position", {key.place.x, key.place.y}}};
      if (key.ease.step) {
        item["ease"] = "step";
      } else {
        item["ease"] = key.ease.controls;
      }
      keys.push_back(std::move(item));
    }
    if (!keys.empty()) joints[bones.joints[j].name] = std::move(keys);
  }
  return nlohmann::ordered_json{{"name", motion.name},
                                {"duration", motion.duration},
                                {"loop", motion.loops},
                                {"joints", std::move(joints)}}
             .dump(2) +
         "\n";
}

}  // namespace sinew
