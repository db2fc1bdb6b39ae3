// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/bvh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"

namespace sinew {
namespace {

using Axes = std::array<bool, 3>;

// What the numbers of a frame are, joint by joint in the order of the file.
struct Column {
  std::size_t joint = 0;
  bool rotation = false;
  std::size_t axis = 0;
};

struct JointChannels {
  Axes translated{}, rotated{};
  std::vector<int> rotation_order;  // the axes in the order of the file
  std::optional<Vec3> end_site;
};

EulerOrder complete_order(std::vector<int> axes) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  for (const EulerOrder order :
       {EulerOrder::xyz, EulerOrder::xzy, EulerOrder::yxz, EulerOrder::yzx, EulerOrder::zxy}) {
    if (euler_axis(order, 0) == axes[0] && euler_axis(order, 1) == axes[1]) return order;
  }
  return EulerOrder::zyx;
}

class BvhReader {
 public:
  // A colon separates words, as in "Frames: 20"; names are taken as they are.
  explicit BvhReader(std::string_view text) : in_(text, {.comment = '\0', .blank = ':'}) {}

  Rig read() {
    expect("HIERARCHY");
    std::string_view keyword = in_.next_word();
    while (text::same_word(keyword, "ROOT")) {
      read_tree();
      keyword = in_.next_word();
    }
    if (joints_.empty()) in_.fail("there should be a ROOT");
    if (!text::same_word(keyword, "MOTION")) {
      in_.fail(fmt::format("{} should be ROOT or MOTION", text::quoted(keyword)));
    }
    rig_.skeleton.bones = bones_from_joints(rig_.skeleton);
    set_end_sites();
    read_motion();
    validate(rig_);
    return std::move(rig_);
  }

 private:
  void expect(std::string_view keyword) {
    const std::string_view word = in_.next_word();
    if (!text::same_word(word, keyword)) {
      in_.fail(fmt::format("{} should be {}", text::quoted(word), keyword));
    }
  }

  Vec3 read_offset() {
    expect("OFFSET");
    Vec3 offset;
    for (std::size_t i = 0; i < 3; ++i) offset[i] = in_.number("an offset");
    return offset;
  }

  // From behind ROOT to its closing brace.
  void read_tree() {
    std::vector<int> open = {start_joint(no_joint)};
    while (!open.empty()) {
      const std::string_view keyword = in_.next_word();
      const std::size_t joint = open.back();
      if (keyword == "}") {
        open.pop_back();
      } else if (text::same_word(keyword, "JOINT")) {
        open.push_back(start_joint(open.back()));
      } else if (text::same_word(keyword, "End")) {
        expect("Site");
        // Some programs name the site.
        if (text::Reader ahead = in_; ahead.next_word() != "{") in_.word();
        expect("{");
        joints_[joint].end_site = read_offset();
        expect("}");
      } else if (text::same_word(keyword, "CHANNELS")) {
        read_channels(joint);
      } else if (keyword.empty()) {
        in_.fail(fmt::format("the file ends before the closing brace of {}",
                             describe_joint(rig_.skeleton, open.back())));
      } else {
        in_.fail(
            fmt::format("{} should be JOINT, End Site, CHANNELS or '}}'", text::quoted(keyword)));
      }
    }
  }

  // From the name to the offset.
  int start_joint(int parent) {
    std::string_view name = in_.rest_of_line();
    const bool braced = name.ends_with('{');
    if (braced) name.remove_suffix(1);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    if (!braced) expect("{");
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = read_offset();
    rig_.skeleton.joints.push_back(std::move(joint));
    joints_.emplace_back();
    return static_cast<int>(joints_.size()) - 1;
  }

  void read_channels(std::size_t joint) {
    JointChannels& channels = joints_[joint];
    const std::size_t count = in_.count("the number of channels", 2);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view word = in_.next_word();
      const std::string_view kind = word.substr(word.empty() ? 0 : 1);
      const std::size_t axis =
          word.empty() ? 3 : std::min<std::size_t>(std::string_view("XYZ").find(upper(word[0])), 3);
      const bool rotation = text::same_word(kind, "rotation");
      if (axis == 3 || (!rotation && !text::same_word(kind, "position"))) {
        in_.fail(fmt::format("{} should be a channel such as Xposition or Zrotation",
                             text::quoted(word)));
      }
      bool& has = rotation ? channels.rotated[axis] : channels.translated[axis];
      if (std::exchange(has, true)) {
        in_.fail(fmt::format("the joint has channel {} twice", text::quoted(word)));
      }
      if (rotation) channels.rotation_order.push_back(static_cast<int>(axis));
      slots_.push_back({joint, rotation, axis});
    }
  }

  static char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

  void set_end_sites() {
    Vec3 low, high;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const Vec3& head = rig_.skeleton.bones[j].head;
      low = j == 0 ? head : component_min(low, head);
      high = j == 0 ? head : component_max(high, head);
    }
    const double shortest = 1e-6 * distance(low, high);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      Bone& bone = rig_.skeleton.bones[j];
      const auto& site = joints_[j].end_site;
      if (!site || bone.tail_joint != no_joint || !(length(*site) > shortest)) continue;
      const Vec3 tail = bone.head + *site;
      if (!(tail == bone.head)) bone.tail = tail;
    }
  }

  void read_motion() {
    expect("Frames");
    // A frame without numbers would take no space, however many there are.
    const std::size_t frames = in_.count("the number of frames", slots_.empty() ? 0 : 2);
    expect("Frame");
    expect("Time");
    const double frame_time = in_.number("the frame time");
    if (!slots_.empty() && frames > (in_.remaining() + 1) / 2 / slots_.size()) {
      in_.fail(fmt::format("the file is too short for {} frames of {} numbers: is it cut off?",
                           frames, slots_.size()));
    }
    if (frames > 1 && (!(frame_time > 0) || !std::isfinite(frame_time * double(frames)))) {
      in_.fail("the frame time should be above 0");
    }
    Clip& clip = rig_.clips.emplace_back();
    if (slots_.empty()) return;
    start_channels(frames);
    for (std::size_t f = 0; f < frames; ++f) read_frame(frame_time * double(f));
    if (const std::string_view word = in_.next_word(); !word.empty()) {
      in_.fail(fmt::format("{} comes after the last of {} frames", text::quoted(word), frames));
    }
    for (std::size_t j = 0; frames > 0 && j < joints_.size(); ++j) {
      const int joint = static_cast<int>(j);
      if (joints_[j].translated != Axes{}) {
        clip.channels.push_back(TranslationChannel{joint, std::move(translations_[j])});
      }
      if (joints_[j].rotated != Axes{}) {
        clip.channels.push_back(RotationChannel{joint, std::move(rotations_[j])});
      }
    }
  }

  void start_channels(std::size_t frames) {
    translations_.resize(joints_.size());
    rotations_.resize(joints_.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      rotations_[j].order = complete_order(joints_[j].rotation_order);
      if (joints_[j].translated == Axes{}) continue;
      translations_[j].times.reserve(frames);
      translations_[j].values.reserve(frames);
    }
  }

  void read_frame(double time) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (joints_[j].translated == Axes{}) continue;
      translations_[j].times.push_back(time);
      translations_[j].values.push_back(rig_.skeleton.joints[j].rest.translation);
    }
    for (const Column& slot : slots_) {
      const double value = in_.number("a frame's number");
      if (!slot.rotation) {
        translations_[slot.joint].values.back()[slot.axis] = value;
        continue;
      }
      EulerCurves& curves = rotations_[slot.joint];
      Curve<double>& curve = slot.axis == 0 ? curves.x : slot.axis == 1 ? curves.y : curves.z;
      curve.times.push_back(time);
      curve.values.push_back(radians(value));
    }
  }

  text::Reader in_;
  Rig rig_;
  std::vector<JointChannels> joints_;
  std::vector<Column> slots_;
  std::vector<Curve<Vec3>> translations_;
  std::vector<EulerCurves> rotations_;
};

}  // namespace

Rig read_bvh(std::string_view text) { return BvhReader(text).read(); }

}  // namespace sinew
