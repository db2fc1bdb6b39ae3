// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/ik.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/motion/detail/ik_data.h"

namespace sinew {
namespace {

bool is_rotation(const Quat& q) {
  const double square = dot(q, q);
  return std::isfinite(square) && std::fabs(square - 1) <= 1e-2;
}

void require_goal(const IkGoal& goal, std::size_t index) {
  // Also too far away for its square to be a number.
  const auto is_point = [](const Vec3& p) { return std::isfinite(length_squared(p)); };
  if ((goal.position && !is_point(*goal.position)) || (goal.pole && !is_point(*goal.pole))) {
    throw UsageError(formatted("the position or the pole of goal {} is not finite", index));
  }
  if (goal.rotation && !is_rotation(*goal.rotation)) {
    throw UsageError(formatted("the rotation of goal {} is no unit quaternion", index));
  }
  if (!(goal.weight >= 0 && goal.weight <= 1)) {
    throw UsageError(
        formatted("the weight of goal {} is {}; it is from 0 to 1", index, goal.weight));
  }
}

void require_pose(std::span<const Transform> locals) {
  for (std::size_t j = 0; j < locals.size(); ++j) {
    const Transform& t = locals[j];
    if (is_finite(t.translation) && is_finite(t.scale) && is_rotation(t.rotation)) continue;
    throw UsageError(formatted("joint {} of the pose is not finite or not a rotation", j));
  }
}

// What the goals ask for. Pins and rotations that are kept are those of the pose handed in.
void set_goals(motion::IkData& ik, std::span<const IkGoal> goals) {
  ik.goals = goals;
  for (std::size_t h = 0; h < goals.size(); ++h) {
    const IkGoal& goal = goals[h];
    const JointIndex joint = ik.handles[h].asked.joint;
    ik.positions[h] = goal.position.value_or(ik.globals[joint].translation);
    ik.locked[joint] = (goal.rotation || goal.keep_rotation) && goal.weight > 0;
    ik.rotations[h] =
        goal.rotation ? normalized(*goal.rotation) : to_transform(ik.globals[joint]).rotation;
    ik.loose_rotations[h] = ik.locals[joint].rotation;
  }
}

// As far as its weight lets it, from where the handle is without it.
void weigh_goal(motion::IkData& ik, int handle) {
  const Vec3 now = ik.globals[ik.handles[handle].asked.joint].translation;
  ik.positions[handle] = lerp(now, ik.positions[handle], ik.goals[handle].weight);
}

bool is_at_goal(const motion::IkData& ik, int handle) {
  const Vec3 place = ik.globals[ik.handles[handle].asked.joint].translation;
  const Vec3 goal = ik.positions[handle];
  return distance(place, goal) <= 1e-14 * (length(place) + length(goal)) && !ik.goals[handle].pole;
}

void solve_group(motion::IkData& ik, motion::IkGroup& group) {
  for (const int h : group.handles) weigh_goal(ik, h);
  const auto at_goal = [&](int h) { return is_at_goal(ik, h); };
  if (std::all_of(group.handles.begin(), group.handles.end(), at_goal)) return;
  if (group.handles.size() == 1) {
    const int h = group.handles.front();
    if (!bend_chain(ik, h, own_part(ik, h))) least_squares(ik, group);
    return;
  }
  least_squares(ik, group);
  // What each handle has for itself takes it all the way, and to its pole.
  for (const int h : group.handles) {
    if (has_own_part(ik, h)) bend_chain(ik, h, own_part(ik, h));
  }
}

}  // namespace

IkSolver::IkSolver(const Skeleton& skeleton, std::span<const IkHandle> handles,
                   const IkOptions& options)
    : data_(std::make_unique<motion::IkData>(motion::plan_ik(skeleton, handles, options))) {}

IkSolver::IkSolver(IkSolver&&) noexcept = default;
IkSolver& IkSolver::operator=(IkSolver&&) noexcept = default;
IkSolver::~IkSolver() = default;

void IkSolver::solve(std::span<const IkGoal> goals, std::span<Transform> locals) {
  motion::IkData& ik = *data_;
  if (goals.size() != ik.handles.size() || locals.size() != ik.parents.size()) {
    throw UsageError(
        formatted("{} goals and {} local transforms do not fit {} handles and {} joints",
                  goals.size(), locals.size(), ik.handles.size(), ik.parents.size()));
  }
  for (std::size_t h = 0; h < goals.size(); ++h) require_goal(goals[h], h);
  require_pose(locals);
  ik.locals = locals;
  std::fill(ik.locked.begin(), ik.locked.end(), char(false));
  std::fill(ik.results.begin(), ik.results.end(), IkResult{});
  for (const JointIndex joint : ik.order) update_joint(ik, joint);
  set_goals(ik, goals);
  // Given rotations hold from the start.
  for (const motion::PlannedHandle& handle : ik.handles) {
    if (ik.locked[handle.asked.joint]) update_below(ik, handle.asked.joint);
  }
  for (const motion::IkStep& step : ik.steps) {
    if (step.is_drag) {
      weigh_goal(ik, step.index);
      drag(ik, step.index);
    } else {
      solve_group(ik, ik.groups[step.index]);
    }
  }
  for (std::size_t h = 0; h < goals.size(); ++h) {
    const Vec3 place = ik.globals[ik.handles[h].asked.joint].translation;
    ik.results[h].distance = distance(place, ik.positions[h]);
  }
  ik.goals = {};
  ik.locals = {};
}

std::span<const IkResult> IkSolver::results() const { return data_->results; }

std::span<const JointIndex> IkSolver::chain(int handle) const {
  return data_->handles[handle].chain;
}

std::span<const JointIndex> IkSolver::changed() const { return data_->changed; }

}  // namespace sinew
