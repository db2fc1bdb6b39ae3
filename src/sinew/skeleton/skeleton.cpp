// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/skeleton.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

void check_parent(const Skeleton& skeleton, std::size_t joint) {
  const int parent = skeleton.joints[joint].parent;
  if (parent != no_joint && !has_joint(skeleton, parent)) {
    throw InputError(describe_joint(skeleton, static_cast<int>(joint)),
                     formatted("its parent {} does not exist; there are {} joints", parent,
                               skeleton.joints.size()));
  }
}

// From a joint whose ancestors never reach a root: the joints of the cycle, for the message.
std::string describe_cycle(const Skeleton& skeleton, int joint) {
  for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
    joint = skeleton.joints[joint].parent;
  }
  std::string text = describe_joint(skeleton, joint);
  int next = skeleton.joints[joint].parent;
  while (next != joint) {
    text += " -> " + describe_joint(skeleton, next);
    next = skeleton.joints[next].parent;
  }
  return text;
}

}  // namespace

bool has_length(const Vec3& head, const Vec3& tail) {
  const double squared = length_squared(tail - head);
  return std::isfinite(squared) && squared > std::numeric_limits<double>::min();
}

JointIndex find_joint(const Skeleton& skeleton, std::string_view name) {
  const auto found = std::find_if(skeleton.joints.begin(), skeleton.joints.end(),
                                  [&](const Joint& joint) { return joint.name == name; });
  return found == skeleton.joints.end() ? no_joint : JointIndex(found - skeleton.joints.begin());
}

std::string describe_joint(const Skeleton& skeleton, JointIndex joint) {
  if (!has_joint(skeleton, joint)) return formatted("joint {}", joint);
  const std::string& name = skeleton.joints[joint].name;
  return name.empty() ? formatted("joint {}", joint) : formatted("joint {} ({})", joint, name);
}

std::vector<std::vector<JointIndex>> children_of(const Skeleton& skeleton) {
  std::vector<std::vector<JointIndex>> children(skeleton.joints.size());
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    check_parent(skeleton, j);
    const int parent = skeleton.joints[j].parent;
    if (parent != no_joint) children[parent].push_back(int(j));
  }
  return children;
}

std::vector<JointIndex> evaluation_order(const Skeleton& skeleton) {
  const auto children = children_of(skeleton);
  std::vector<JointIndex> order;
  order.reserve(skeleton.joints.size());
  std::vector<int> pending;
  for (std::size_t j = skeleton.joints.size(); j-- > 0;) {
    if (skeleton.joints[j].parent == no_joint) pending.push_back(int(j));
  }
  std::vector<bool> placed(skeleton.joints.size(), false);
  while (!pending.empty()) {
    const int joint = pending.back();
    pending.pop_back();
    order.push_back(joint);
    placed[joint] = true;
    const auto& own = children[joint];
    pending.insert(pending.end(), own.rbegin(), own.rend());
  }
  if (order.size() != skeleton.joints.size()) {
    const auto lost = std::find(placed.begin(), placed.end(), false) - placed.begin();
    throw InputError("skeleton",
                     formatted("the joints form a cycle: {}; give one of them no parent",
                               describe_cycle(skeleton, static_cast<int>(lost))));
  }
  return order;
}

std::vector<Affine> rest_globals(const Skeleton& skeleton) {
  std::vector<Affine> globals(skeleton.joints.size());
  for (const int j : evaluation_order(skeleton)) {
    const Joint& joint = skeleton.joints[j];
    const Affine local = to_affine(joint.rest);
    globals[j] = joint.parent == no_joint ? local : globals[joint.parent] * local;
  }
  return globals;
}

std::vector<Bone> bones_from_joints(const Skeleton& skeleton) {
  const auto globals = rest_globals(skeleton);
  Skeleton bound{skeleton.joints, {}};
  for (std::size_t j = 0; j < globals.size(); ++j) {
    if (skeleton.joints[j].is_frame) continue;
    if (std::fabs(determinant(globals[j].linear)) == 0) {
      throw InputError(
          describe_joint(skeleton, int(j)),
          "its rest frame has no volume (a scale of 0), so nothing can be bound to it");
    }
    bound.bones.push_back(
        {int(j), no_joint, globals[j].translation, globals[j].translation, inverse(globals[j])});
  }
  infer_tails(bound);
  return bound.bones;
}

Skeleton skeleton_from_segments(std::span<const Vec3> points,
                                std::span<const std::array<int, 2>> segments) {
  Skeleton skeleton;
  skeleton.joints.resize(points.size());
  // An ancestor of each joint, itself for a root. Paths are compressed, so that long chains do not
  // take quadratic time.
  std::vector<int> above(points.size());
  std::iota(above.begin(), above.end(), 0);
  const auto root_of = [&](int joint) {
    while (above[joint] != joint) {
      int& next = above[joint];
      next = above[next];
      joint = next;
    }
    return joint;
  };
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto [from, to] = segments[s];
    for (const int end : {from, to}) {
      if (!has_joint(skeleton, end)) {
        throw InputError(
            formatted("bone {}", s),
            formatted("it names joint {}, but there are {} joints", end, points.size()));
      }
    }
    const Vec3& head = points[from];
    const Vec3& tail = points[to];
    if (!has_length(head, tail)) {
      throw InputError(formatted("bone {}", s),
                       formatted("it goes from joint {} to joint {} at the same place and has no "
                                 "length; leave it out",
                                 from, to));
    }
    JointIndex& parent = skeleton.joints[to].parent;
    const int root = root_of(from);
    if (parent == no_joint && root != to) {
      parent = from;
      above[to] = root;
    }
    skeleton.bones.push_back({from, to, head, tail, {{}, -head}});
  }
  for (std::size_t j = 0; j < points.size(); ++j) {
    Joint& joint = skeleton.joints[j];
    joint.rest.translation =
        joint.parent == no_joint ? points[j] : points[j] - points[joint.parent];
  }
  return skeleton;
}

void validate(const Skeleton& skeleton) {
  evaluation_order(skeleton);
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const Transform& rest = skeleton.joints[j].rest;
    const Quat& q = rest.rotation;
    const bool finite = is_finite(rest.translation) && is_finite(rest.scale) &&
                        is_finite(q.vector()) && std::isfinite(q.w);
    if (!finite || std::fabs(dot(q, q) - 1) > 1e-3) {
      throw InputError(describe_joint(skeleton, int(j)),
                       "its rest transform is not finite or its rotation is no unit quaternion");
    }
    const TwistShares shares = skeleton.joints[j].twist_shares.value_or(TwistShares{});
    if (!(shares.parent >= 0 && shares.own >= 0 && shares.parent + shares.own <= 1)) {
      throw InputError(
          describe_joint(skeleton, int(j)),
          formatted(
              "its twist shares are {} and {}; they must be at least 0 with a sum of at most 1",
              shares.parent, shares.own));
    }
  }
  require_joints_of_bones(skeleton);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    const std::string place = formatted("bone {}", b);
    if (!is_finite(bone.head) || !has_length(bone.head, bone.tail)) {
      throw InputError(place, "its head and tail must be two different finite points");
    }
    const Mat3& linear = bone.inverse_bind.linear;
    if (!is_finite(linear.x) || !is_finite(linear.y) || !is_finite(linear.z) ||
        !is_finite(bone.inverse_bind.translation)) {
      throw InputError(place, "its inverse bind matrix is not finite");
    }
  }
}

}  // namespace sinew
