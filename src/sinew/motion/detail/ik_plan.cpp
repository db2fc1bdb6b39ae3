// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "sinew/core/error.h"
#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/core/internal/format.h"
#include "sinew/motion/detail/ik_data.h"

namespace sinew::motion {
namespace {

void require_joint(const Skeleton& skeleton, JointIndex joint, const char* what,
                   std::size_t index) {
  if (has_joint(skeleton, joint)) return;
  throw UsageError(formatted("{} {} names joint {}, but there are {}", what, index, int(joint),
                             skeleton.joints.size()));
}

void plan_tree(IkData& ik, const Skeleton& skeleton) {
  const std::size_t count = skeleton.joints.size();
  ik.order = evaluation_order(skeleton);
  ik.children = children_of(skeleton);
  ik.place.resize(count);
  ik.subtree_end.resize(count);
  for (std::size_t i = 0; i < count; ++i) ik.place[ik.order[i]] = int(i);
  for (std::size_t i = count; i-- > 0;) {
    const JointIndex joint = ik.order[i];
    int end = int(i) + 1;
    for (const JointIndex child : ik.children[joint]) end = std::max(end, ik.subtree_end[child]);
    ik.subtree_end[joint] = end;
  }
  for (const Joint& joint : skeleton.joints) {
    ik.parents.push_back(joint.parent);
    ik.rest_rotations.push_back(joint.rest.rotation);
  }
  ik.handle_of.assign(count, -1);
  ik.limit_of.assign(count, -1);
  ik.compliance.assign(count, 1);
  ik.globals.resize(count);
  ik.locked.resize(count);
}

// The child that a joint's bone points to.
JointIndex tail_of(const IkData& ik, const Skeleton& skeleton, JointIndex joint) {
  for (const Bone& bone : skeleton.bones) {
    if (bone.joint == joint && bone.tail_joint != no_joint &&
        skeleton.joints[bone.tail_joint].parent == joint) {
      return bone.tail_joint;
    }
  }
  return ik.children[joint].size() == 1 ? ik.children[joint].front() : no_joint;
}

// Where a straight limb bends: characters face +z, so elbows bend forwards and knees, which hang
// below the hips at rest, backwards.
void plan_bend_axes(IkData& ik, const Skeleton& skeleton, const std::vector<Affine>& rest) {
  for (std::size_t j = 0; j < rest.size(); ++j) {
    const JointIndex tail = tail_of(ik, skeleton, int(j));
    const Vec3 fallback{0, 1, 0};
    const Vec3 bone = tail == no_joint
                          ? fallback
                          : normalized(rest[tail].translation - rest[j].translation, fallback);
    const bool is_leg = bone.y < -0.8;
    const Vec3 towards{0, 0, is_leg ? -1.0 : 1.0};
    const Vec3 axis = normalized(cross(bone, towards), normalized(cross(bone, {0, -1, 0})));
    const bool is_flat = determinant(rest[j].linear) == 0;
    ik.bend_axes.push_back(is_flat ? axis : normalized(inverse(rest[j].linear) * axis));
  }
}

void plan_options(IkData& ik, const Skeleton& skeleton, const IkOptions& options) {
  ik.limits = options.limits;
  for (std::size_t i = 0; i < options.limits.size(); ++i) {
    const JointIndex joint = options.limits[i].joint;
    require_joint(skeleton, joint, "limit", i);
    require_valid(options.limits[i].range);
    if (ik.limit_of[joint] >= 0) {
      throw UsageError(formatted("{} has two limits", describe_joint(skeleton, joint)));
    }
    ik.limit_of[joint] = int(i);
    ik.clamps.push_back(clamp_of(options.limits[i].range));
  }
  for (std::size_t i = 0; i < options.stiffness.size(); ++i) {
    const auto& [joint, stiffness] = options.stiffness[i];
    require_joint(skeleton, joint, "stiffness", i);
    if (!(stiffness > 0)) {
      throw UsageError(formatted("the stiffness of {} is {}; it is above 0, or infinite",
                                 describe_joint(skeleton, joint), stiffness));
    }
    ik.compliance[joint] = 1 / stiffness;
  }
  if (!(options.softness >= 0 && options.softness <= 0.5)) {
    throw UsageError(formatted("the softness is {}; it is from 0 to 0.5", options.softness));
  }
  ik.softness = options.softness;
}

bool turns(const Skeleton& skeleton, JointIndex joint) {
  return joint != no_joint && !skeleton.joints[joint].is_frame;
}

void require_above(const IkData& ik, const Skeleton& skeleton, const IkHandle& handle) {
  JointIndex joint = ik.parents[handle.joint];
  while (joint != no_joint && joint != handle.root) joint = ik.parents[joint];
  if (joint != no_joint && turns(skeleton, joint)) return;
  throw UsageError(formatted("the chain of {} cannot start at {}, which is not a joint above it",
                             describe_joint(skeleton, handle.joint),
                             describe_joint(skeleton, handle.root)));
}

void plan_chain(IkData& ik, const Skeleton& skeleton, const std::vector<Affine>& rest,
                PlannedHandle& handle) {
  constexpr int bones_of_a_limb = 2;
  int bones = 0;
  for (JointIndex joint = handle.asked.joint;;) {
    const JointIndex parent = ik.parents[joint];
    if (!turns(skeleton, parent)) break;
    handle.chain.push_back(parent);
    bones += has_length(rest[parent].translation, rest[joint].translation) ? 1 : 0;
    const int above = ik.handle_of[parent];
    if (above >= 0 && ik.handles[above].dragged) break;
    if (handle.asked.root == no_joint ? bones == bones_of_a_limb : parent == handle.asked.root) {
      break;
    }
    joint = parent;
  }
  std::reverse(handle.chain.begin(), handle.chain.end());
}

void plan_handles(IkData& ik, const Skeleton& skeleton, std::span<const IkHandle> handles,
                  const std::vector<Affine>& rest) {
  for (std::size_t h = 0; h < handles.size(); ++h) {
    const IkHandle& asked = handles[h];
    require_joint(skeleton, asked.joint, "handle", h);
    if (ik.handle_of[asked.joint] >= 0) {
      throw UsageError(formatted("{} has two handles", describe_joint(skeleton, asked.joint)));
    }
    if (asked.root != no_joint) {
      require_joint(skeleton, asked.root, "the chain of handle", h);
      require_above(ik, skeleton, asked);
    }
    ik.handle_of[asked.joint] = int(h);
    PlannedHandle& handle = ik.handles.emplace_back();
    handle.asked = asked;
    handle.dragged = asked.lengths == IkLengths::free || !turns(skeleton, ik.parents[asked.joint]);
  }
  for (PlannedHandle& handle : ik.handles) {
    if (!handle.dragged) plan_chain(ik, skeleton, rest, handle);
  }
}

// Handles with a joint in common are one group.
void plan_groups(IkData& ik) {
  DisjointSets sets(ik.handles.size());
  std::vector<int> user(ik.parents.size(), -1);
  for (std::size_t h = 0; h < ik.handles.size(); ++h) {
    for (const JointIndex joint : ik.handles[h].chain) {
      if (user[joint] >= 0) sets.join(user[joint], h);
      user[joint] = int(h);
    }
  }
  std::vector<int> group_of(ik.handles.size(), -1);
  for (std::size_t h = 0; h < ik.handles.size(); ++h) {
    if (ik.handles[h].dragged) continue;
    int& group = group_of[sets.find(h)];
    if (group < 0) {
      group = int(ik.groups.size());
      ik.groups.emplace_back();
    }
    ik.groups[group].handles.push_back(int(h));
  }
}

// The joints of all chains of a group, and those with the handles.
void plan_joints(const IkData& ik, IkGroup& group) {
  const auto first = [&](JointIndex a, JointIndex b) { return ik.place[a] < ik.place[b]; };
  const auto in_order = [&](std::vector<JointIndex>& joints) {
    std::sort(joints.begin(), joints.end(), first);
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  };
  std::vector<JointIndex> joints;
  for (const int h : group.handles) {
    const PlannedHandle& handle = ik.handles[h];
    joints.insert(joints.end(), handle.chain.begin(), handle.chain.end());
    group.path.push_back(handle.asked.joint);
  }
  in_order(joints);
  group.path.insert(group.path.end(), joints.begin(), joints.end());
  in_order(group.path);
  for (const JointIndex joint : joints) {
    const auto above = std::find(joints.begin(), joints.end(), ik.parents[joint]);
    IkGroup::Turning& turning = group.joints.emplace_back();
    turning.joint = joint;
    if (above != joints.end()) turning.above = int(above - joints.begin());
    const int limit = ik.limit_of[joint];
    const auto* hinge = limit < 0 ? nullptr : std::get_if<HingeLimit>(&ik.limits[limit].range);
    if (hinge) turning.hinge = rotate(ik.rest_rotations[joint], hinge->axis);
  }
}

// A run ends above a joint with a handle, too: from there on upwards another joint may be what is
// moved.
void plan_runs(IkData& ik, IkGroup& group) {
  std::vector<int> rows, last;
  for (std::size_t j = 0; j < group.joints.size(); ++j) {
    const JointIndex joint = group.joints[j].joint;
    rows.clear();
    for (std::size_t row = 0; row < group.handles.size(); ++row) {
      const std::vector<JointIndex>& chain = ik.handles[group.handles[row]].chain;
      if (std::find(chain.begin(), chain.end(), joint) != chain.end()) rows.push_back(int(row));
    }
    const bool goes_on = j > 0 && rows == last && ik.handle_of[joint] < 0 &&
                         ik.parents[joint] == group.joints[j - 1].joint;
    if (!goes_on) {
      IkGroup::Run& run = group.runs.emplace_back();
      run.first = int(j);
      for (const int row : rows) run.ends.push_back({row, no_joint});
    }
    ++group.runs.back().count;
    last = rows;
    if (rows.size() < 2) continue;
    for (const int row : rows) {
      PlannedHandle& handle = ik.handles[group.handles[row]];
      const auto place = std::find(handle.chain.begin(), handle.chain.end(), joint);
      handle.own_from = int(place - handle.chain.begin()) + 1;
    }
  }
}

void plan_drag(IkData& ik, const Skeleton& skeleton, const std::vector<bool>& in_chain,
               PlannedHandle& handle) {
  const JointIndex joint = handle.asked.joint, parent = ik.parents[joint];
  const bool is_free = handle.asked.lengths == IkLengths::free;
  if (turns(skeleton, parent) && !in_chain[parent] && tail_of(ik, skeleton, parent) == joint) {
    handle.turned_parent = parent;
  }
  const IkChildren children = handle.asked.children;
  handle.children_stay = is_free && (children == IkChildren::stay ||
                                     (children == IkChildren::automatic &&
                                      turns(skeleton, parent) && ik.children[joint].size() == 1));
  if (handle.children_stay) handle.tail = tail_of(ik, skeleton, joint);
}

void plan_steps(IkData& ik, const Skeleton& skeleton) {
  std::vector<bool> in_chain(ik.parents.size());
  for (const PlannedHandle& handle : ik.handles) {
    for (const JointIndex joint : handle.chain) in_chain[joint] = true;
  }
  std::vector<std::pair<int, IkStep>> steps;
  for (std::size_t h = 0; h < ik.handles.size(); ++h) {
    PlannedHandle& handle = ik.handles[h];
    if (!handle.dragged) continue;
    plan_drag(ik, skeleton, in_chain, handle);
    const bool from_parent = handle.turned_parent != no_joint;
    const JointIndex first = from_parent ? handle.turned_parent : handle.asked.joint;
    steps.push_back({2 * ik.place[first], {true, int(h)}});
  }
  for (std::size_t g = 0; g < ik.groups.size(); ++g) {
    steps.push_back({2 * ik.place[ik.groups[g].joints.front().joint] + 1, {false, int(g)}});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, step] : steps) ik.steps.push_back(step);
}

void find_changed(IkData& ik) {
  for (const PlannedHandle& handle : ik.handles) {
    const JointIndex joint = handle.asked.joint;
    ik.changed.push_back(joint);
    ik.changed.insert(ik.changed.end(), handle.chain.begin(), handle.chain.end());
    if (handle.turned_parent != no_joint) {
      const auto& siblings = ik.children[handle.turned_parent];
      ik.changed.push_back(handle.turned_parent);
      ik.changed.insert(ik.changed.end(), siblings.begin(), siblings.end());
    }
    if (handle.children_stay) {
      const auto& children = ik.children[joint];
      ik.changed.insert(ik.changed.end(), children.begin(), children.end());
    }
  }
  std::sort(ik.changed.begin(), ik.changed.end());
  ik.changed.erase(std::unique(ik.changed.begin(), ik.changed.end()), ik.changed.end());
}

}  // namespace

IkData plan_ik(const Skeleton& skeleton, std::span<const IkHandle> handles,
               const IkOptions& options) {
  IkData ik;
  const std::vector<Affine> rest = rest_globals(skeleton);
  plan_tree(ik, skeleton);
  plan_bend_axes(ik, skeleton, rest);
  plan_options(ik, skeleton, options);
  plan_handles(ik, skeleton, handles, rest);
  plan_groups(ik);
  for (IkGroup& group : ik.groups) {
    plan_joints(ik, group);
    plan_runs(ik, group);
  }
  plan_steps(ik, skeleton);
  find_changed(ik);
  ik.positions.resize(handles.size());
  ik.rotations.resize(handles.size());
  ik.loose_rotations.resize(handles.size());
  ik.results.resize(handles.size());
  std::size_t longest = 0, rows = 0, joints = 0;
  for (const PlannedHandle& handle : ik.handles) longest = std::max(longest, handle.chain.size());
  for (const IkGroup& group : ik.groups) {
    rows = std::max(rows, 3 * group.handles.size());
    joints = std::max(joints, group.joints.size());
  }
  ik.bones.resize(longest);
  ik.turns.resize(joints);
  ik.right.resize(rows);
  ik.strength.resize(rows / 3);
  ik.points.resize(rows / 3);
  ik.matrix.resize(rows * rows);
  return ik;
}

}  // namespace sinew::motion
