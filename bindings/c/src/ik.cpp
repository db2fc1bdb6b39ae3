// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/ik.h"

#include "bindings/c/src/pose.h"

namespace sinew::c {
namespace {

// Use it with `mutex` locked.
class IkObject final : public Object {
 public:
  using Handle = sinew_ik;
  static constexpr const char* name = "ik solver";
  const char* kind() const override { return name; }

  IkObject(const Skeleton& skeleton, std::span<const IkHandle> handles, const IkOptions& options)
      : solver(skeleton, handles, options), handle_count(handles.size()) {}

  IkSolver solver;
  std::size_t handle_count;
  std::mutex mutex;
};

IkHandle ik_handle_from(const sinew_ik_handle& given) {
  IkHandle handle;
  handle.joint = given.joint;
  handle.root = given.root;
  switch (given.lengths) {
    case SINEW_LENGTHS_KEPT:
      handle.lengths = IkLengths::kept;
      break;
    case SINEW_LENGTHS_BEYOND_REACH:
      handle.lengths = IkLengths::beyond_reach;
      break;
    case SINEW_LENGTHS_FREE:
      handle.lengths = IkLengths::free;
      break;
    default:
      throw UsageError("there are no lengths " + std::to_string(given.lengths));
  }
  switch (given.children) {
    case SINEW_CHILDREN_AUTOMATIC:
      handle.children = IkChildren::automatic;
      break;
    case SINEW_CHILDREN_FOLLOW:
      handle.children = IkChildren::follow;
      break;
    case SINEW_CHILDREN_STAY:
      handle.children = IkChildren::stay;
      break;
    default:
      throw UsageError("there are no children " + std::to_string(given.children));
  }
  return handle;
}

IkLimit ik_limit_from(const sinew_ik_limit& given) {
  const Vec3 axis{given.axis[0], given.axis[1], given.axis[2]};
  switch (given.kind) {
    case SINEW_LIMIT_CONE:
      return {given.joint, ConeLimit{axis, given.max[0], given.min[1], given.max[1]}};
    case SINEW_LIMIT_HINGE:
      return {given.joint, HingeLimit{axis, given.min[0], given.max[0]}};
    case SINEW_LIMIT_AXES:
      return {given.joint, AxesLimit{{given.min[0], given.min[1], given.min[2]},
                                     {given.max[0], given.max[1], given.max[2]}}};
    default:
      throw UsageError("there is no limit of kind " + std::to_string(given.kind));
  }
}

IkGoal ik_goal_from(const sinew_ik_goal& given) {
  IkGoal goal;
  const auto vector = [](const double v[3]) { return Vec3{v[0], v[1], v[2]}; };
  if (given.has_position != 0) goal.position = vector(given.position);
  if (given.has_pole != 0) goal.pole = vector(given.pole);
  if (given.has_rotation != 0) {
    const double* r = given.rotation;
    const Quat turn{r[0], r[1], r[2], r[3]};
    if (!(dot(turn, turn) > 0)) throw UsageError("the rotation of a goal has no length");
    goal.rotation = normalized(turn);
  }
  goal.weight = 1 - given.release;
  return goal;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_ik_create(const sinew_rig* rig, const sinew_ik_handle* handles,
                             size_t handle_count, const sinew_ik_options* options, sinew_ik** ik) {
  return guarded([&] {
    sinew_ik*& out = result(ik, "ik");
    const auto state = live<RigObject>(rig)->state();
    const sinew_ik_options given = options_from(options, "options");
    std::vector<IkHandle> list;
    for (const auto& handle : list_from(handles, handle_count, "handles")) {
      list.push_back(ik_handle_from(handle));
    }
    IkOptions how;
    for (const auto& limit : list_from(given.limits, given.limit_count, "options.limits")) {
      how.limits.push_back(ik_limit_from(limit));
    }
    if (given.without_rig_limits == 0) how.limits = overruled(state->rig().limits, how.limits);
    how.softness = given.softness;
    out = make_handle(std::make_shared<IkObject>(state->rig().skeleton, list, how));
  });
}

sinew_status sinew_ik_solve(sinew_ik* ik, sinew_pose* pose, const sinew_ik_goal* goals,
                            size_t goal_count, double* distances) {
  return guarded([&] {
    const auto object = live<IkObject>(ik);
    const auto posed = live<PoseObject>(pose);
    // Before the goals are read: there may be no more of them than handles.
    if (goal_count != object->handle_count) {
      throw UsageError("goal_count is " + std::to_string(goal_count) + ", but there are " +
                       std::to_string(object->handle_count) + " handles");
    }
    std::vector<IkGoal> list;
    for (const auto& goal : list_from(goals, goal_count, "goals")) {
      list.push_back(ik_goal_from(goal));
    }
    const std::scoped_lock lock(object->mutex, posed->mutex);
    std::vector<Transform> joints = posed->posed().pose().joints;
    object->solver.solve(list, joints);
    posed->change([&](ToldPose& wanted) {
      for (const JointIndex joint : object->solver.changed()) {
        set_told_joint(wanted, joint, joints[joint]);
      }
    });
    if (distances == nullptr) return;
    for (const IkResult& found : object->solver.results()) *distances++ = found.distance;
  });
}

sinew_status sinew_ik_free(sinew_ik* ik) {
  return guarded([&] { free_handle<IkObject>(ik); });
}
