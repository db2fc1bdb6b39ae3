// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/bvh.h"
#include "sinew/io/detail/mesh_text.h"

namespace sinew {
namespace {

// One joint that is written.
struct WrittenJoint {
  JointIndex joint;
  int parent = -1;  // in the list of written joints
  std::vector<int> children;
  Vec3 offset;  // in world space at rest
  bool moves = false;
  std::vector<Vec3> places, angles;  // per frame; against the parent, angles in degrees
};

class BvhWriter {
 public:
  BvhWriter(const Rig& rig, double fps)
      : rig_(rig), fps_(fps), order_(evaluation_order(rig.skeleton)) {
    rest_ = forward_kinematics(rig.skeleton, rest_pose(rig).joints);
    std::vector<int> written(order_.size(), -1);
    // Depth first, as the file has them.
    const auto children = children_of(rig.skeleton);
    std::vector<JointIndex> left;
    for (auto j = order_.rbegin(); j != order_.rend(); ++j) {
      if (rig.skeleton.joints[*j].parent == no_joint) left.push_back(*j);
    }
    while (!left.empty()) {
      const JointIndex j = left.back();
      left.pop_back();
      const JointIndex above = rig.skeleton.joints[j].parent;
      const int parent = above == no_joint ? -1 : written[above];
      if (rig.skeleton.joints[j].is_frame) {
        written[j] = parent;
      } else {
        written[j] = static_cast<int>(joints_.size());
        joints_.push_back({j, parent, {}, rest_[j].translation, parent < 0, {}, {}});
        if (parent >= 0) {
          joints_[parent].children.push_back(written[j]);
          joints_.back().offset -= rest_[joints_[parent].joint].translation;
        }
      }
      left.insert(left.end(), children[j].rbegin(), children[j].rend());
    }
    if (joints_.empty()) throw UsageError("a .bvh needs joints, and the rig has none");
  }

  std::string write() {
    const double seconds = rig_.clips.empty() ? 0 : duration(rig_.clips.front());
    const double count = std::floor(seconds * fps_ + 1e-6) + 1;
    if (!(fps_ > 0) || !std::isfinite(fps_) || !(count <= 2e6)) {
      throw UsageError(
          fmt::format("{} seconds cannot be written at {} frames per second", seconds, fps_));
    }
    const std::size_t frames = static_cast<std::size_t>(count);
    for (std::size_t f = 0; f < frames; ++f) add_frame(double(f) / fps_);
    find_movers();
    out_ = "HIERARCHY\n";
    write_tree();
    out_ += fmt::format("MOTION\nFrames: {}\nFrame Time: {}\n", frames, 1 / fps_);
    for (std::size_t f = 0; f < frames; ++f) {
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        if (joints_[j].moves) text::append_numbers(out_, joints_[j].places[f], ' ');
        const Vec3& a = joints_[j].angles[f];
        text::append_numbers(out_, Vec3{a.z, a.x, a.y}, j + 1 < joints_.size() ? ' ' : '\n');
      }
    }
    return std::move(out_);
  }

 private:
  void add_frame(double time) {
    const Pose pose =
        rig_.clips.empty() ? rest_pose(rig_) : pose_at(rig_, rig_.clips.front(), time);
    const std::vector<Affine> globals = forward_kinematics(rig_.skeleton, pose.joints);
    std::vector<Quat> turns;
    for (WrittenJoint& joint : joints_) {
      const Affine& global = globals[joint.joint];
      const Mat3 map = global.linear * inverse(rest_[joint.joint].linear);
      turns.push_back(to_transform({map, {}}).rotation);
      Quat turn = turns.back();
      Vec3 place = global.translation;
      if (joint.parent >= 0) {
        const Quat back = conjugate(turns[joint.parent]);
        turn = back * turn;
        place = rotate(back, place - globals[joints_[joint.parent].joint].translation);
      }
      const Vec3 angles = to_euler(turn, EulerOrder::zxy);
      joint.places.push_back(place);
      Vec3 next{degrees(angles.x), degrees(angles.y), degrees(angles.z)};
      // Programs that interpolate the angles should find no jump by a full turn.
      for (std::size_t i = 0; !joint.angles.empty() && i < 3; ++i) {
        next[i] += 360 * std::round((joint.angles.back()[i] - next[i]) / 360);
      }
      joint.angles.push_back(next);
    }
  }

  void find_movers() {
    double size = 0;
    for (const WrittenJoint& joint : joints_) size = std::max(size, length(joint.offset));
    for (WrittenJoint& joint : joints_) {
      for (const Vec3& place : joint.places) {
        joint.moves = joint.moves || distance(place, joint.offset) > 1e-6 * size;
      }
    }
  }

  void write_tree() {
    std::vector<std::size_t> open;  // for each open brace, how many children are written
    std::vector<int> path;
    const auto begin = [&](int j) {
      start(joints_[j], open.size(), j);
      path.push_back(j);
      open.push_back(0);
    };
    for (int root = 0; root < int(joints_.size()); ++root) {
      if (joints_[root].parent >= 0) continue;
      begin(root);
      while (!path.empty()) {
        const WrittenJoint& joint = joints_[path.back()];
        if (open.back() < joint.children.size()) {
          begin(joint.children[open.back()++]);
          continue;
        }
        path.pop_back();
        open.pop_back();
        out_ += std::string(open.size(), '\t') + "}\n";
      }
    }
  }

  void start(const WrittenJoint& joint, std::size_t depth, int number) {
    const std::string indent(depth, '\t');
    std::string name = rig_.skeleton.joints[joint.joint].name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r' || c == '{'; }, '_');
    if (name.empty()) name = fmt::format("joint_{}", number);
    out_ += indent + (joint.parent < 0 ? "ROOT " : "JOINT ") + name + '\n' + indent + "{\n";
    out_ += indent + "\tOFFSET ";
    text::append_numbers(out_, joint.offset, '\n');
    out_ += indent +
            (joint.moves ? "\tCHANNELS 6 Xposition Yposition Zposition " : "\tCHANNELS 3 ") +
            "Zrotation Xrotation Yrotation\n";
    if (!joint.children.empty()) return;
    out_ += indent + "\tEnd Site\n" + indent + "\t{\n" + indent + "\t\tOFFSET ";
    text::append_numbers(out_, end_of(joint.joint), '\n');
    out_ += indent + "\t}\n";
  }

  // From the joint to the tail of its bone, in world space at rest.
  Vec3 end_of(JointIndex joint) const {
    for (const Bone& bone : rig_.skeleton.bones) {
      if (bone.joint != joint) continue;
      return rest_[joint].linear * transform_point(bone.inverse_bind, bone.tail);
    }
    return {};
  }

  const Rig& rig_;
  double fps_;
  std::vector<JointIndex> order_;
  std::vector<Affine> rest_;
  std::vector<WrittenJoint> joints_;
  std::string out_;
};

}  // namespace

std::string write_bvh(const Rig& rig, double fps) { return BvhWriter(rig, fps).write(); }

}  // namespace sinew
