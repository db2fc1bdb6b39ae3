// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/generalized.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

// The joint that a driver reads; no_joint if it reads a control.
int source_joint(const Driver& driver) {
  if (const auto* share = std::get_if<RotationShare>(&driver.rule)) return share->source;
  const auto* angle = std::get_if<AngleInput>(&std::get<Follow>(driver.rule).input);
  return angle == nullptr ? no_joint : angle->joint;
}

bool exists(const Skeleton& skeleton, int joint) {
  return joint >= 0 && static_cast<std::size_t>(joint) < skeleton.joints.size();
}

void check(const Skeleton& skeleton, int control_count, const Driver& driver, std::size_t number) {
  const std::string place = formatted("driver {}", number);
  if (!exists(skeleton, driver.joint)) {
    throw InputError(place, formatted("it drives joint {}, which does not exist", driver.joint));
  }
  if (const auto* follow = std::get_if<Follow>(&driver.rule)) {
    validate(follow->input, skeleton, control_count, place);
    validate(follow->curve, place);
    if (!is_finite(follow->axis) || !(length(follow->axis) > 0)) {
      throw InputError(place, "its axis must have a length");
    }
    return;
  }
  const auto& share = std::get<RotationShare>(driver.rule);
  if (!exists(skeleton, share.source)) {
    throw InputError(place, formatted("it reads joint {}, which does not exist", share.source));
  }
  if (!std::isfinite(share.share)) throw InputError(place, "its share must be a number");
}

Quat turned_from_rest(const Skeleton& skeleton, const Pose& pose, int joint) {
  const std::size_t j = joint;
  return conjugate(skeleton.joints[j].rest.rotation) * pose.joints[j].rotation;
}

// q to the power `share`: the same axis and that fraction of the angle, the shorter way round.
Quat power(Quat q, double share) {
  if (q.w < 0) q = -q;
  const double angle = rotation_angle(q);
  return rotation_about(normalized(q.vector()), angle * share);
}

void apply_follow(const Skeleton& skeleton, const Follow& follow, const Pose& pose,
                  Transform& driven) {
  const double value = sample(follow.curve, input_value(skeleton, follow.input, pose));
  switch (follow.property) {
    case Follow::Property::translation:
      driven.translation += follow.axis * value;
      break;
    case Follow::Property::rotation:
      driven.rotation = driven.rotation * rotation_about(normalized(follow.axis), radians(value));
      break;
    case Follow::Property::scale:
      driven.scale = scaled(driven.scale, Vec3{1, 1, 1} + follow.axis * (value - 1));
      break;
  }
}

}  // namespace

double input_value(const Skeleton& skeleton, const DriverInput& input, const Pose& pose) {
  if (const auto* control = std::get_if<ControlInput>(&input)) {
    if (static_cast<std::size_t>(control->control) >= pose.controls.size()) {
      throw UsageError(formatted("a generalized bone reads control {}, but the pose has {}",
                                 control->control, pose.controls.size()));
    }
    return pose.controls[control->control];
  }
  const auto& angle = std::get<AngleInput>(input);
  const Quat turned = turned_from_rest(skeleton, pose, angle.joint);
  return degrees(angle.axis ? twist_angle(turned, normalized(*angle.axis))
                            : rotation_angle(turned));
}

void validate(const DriverInput& input, const Skeleton& skeleton, int control_count,
              const std::string& place) {
  if (const auto* angle = std::get_if<AngleInput>(&input)) {
    if (!exists(skeleton, angle->joint)) {
      throw InputError(place, formatted("it reads joint {}, which does not exist", angle->joint));
    }
    if (angle->axis && !(is_finite(*angle->axis) && length(*angle->axis) > 0)) {
      throw InputError(place, "its axis must have a length");
    }
    return;
  }
  const int control = std::get<ControlInput>(input).control;
  if (control < 0 || control >= control_count) {
    throw InputError(place,
                     formatted("it reads control {}, but there are {}", control, control_count));
  }
}

std::vector<int> driver_order(const Skeleton& skeleton, int control_count,
                              const std::vector<Driver>& drivers) {
  for (std::size_t d = 0; d < drivers.size(); ++d) check(skeleton, control_count, drivers[d], d);
  std::vector<std::vector<int>> drivers_of(skeleton.joints.size());
  for (std::size_t d = 0; d < drivers.size(); ++d) {
    drivers_of[drivers[d].joint].push_back(int(d));
  }

  // Depth first over "is read by", joint by joint, all drivers of a joint together.
  enum class State { unseen, open, done };
  std::vector<State> state(skeleton.joints.size(), State::unseen);
  std::vector<int> order;
  struct Visit {
    int joint;
    std::size_t next = 0;
  };
  for (const Driver& start : drivers) {
    std::vector<Visit> path;
    const auto enter = [&](int joint) {
      State& seen = state[joint];
      if (seen == State::open) {
        std::string text;
        auto from = std::find_if(path.begin(), path.end(),
                                 [&](const Visit& v) { return v.joint == joint; });
        for (; from != path.end(); ++from) text += describe_joint(skeleton, from->joint) + " -> ";
        throw InputError("drivers", formatted("generalized bones depend on each other in a "
                                              "cycle: {}{}; remove one of them",
                                              text, describe_joint(skeleton, joint)));
      }
      if (seen == State::done) return;
      seen = State::open;
      path.push_back({joint});
    };
    enter(start.joint);
    while (!path.empty()) {
      Visit& visit = path.back();
      const auto& own = drivers_of[visit.joint];
      if (visit.next < own.size()) {
        const int source = source_joint(drivers[own[visit.next++]]);
        if (source != no_joint) enter(source);
      } else {
        state[visit.joint] = State::done;
        order.insert(order.end(), own.begin(), own.end());
        path.pop_back();
      }
    }
  }
  return order;
}

void apply(const Skeleton& skeleton, const std::vector<Driver>& drivers, std::span<const int> order,
           Pose& pose) {
  if (order.size() != drivers.size()) {
    throw UsageError(formatted("an order of {} drivers for {}", order.size(), drivers.size()));
  }
  if (pose.joints.size() != skeleton.joints.size()) {
    throw UsageError(formatted("the pose has {} joints, the skeleton has {}", pose.joints.size(),
                               skeleton.joints.size()));
  }
  int started = no_joint;
  for (const int d : order) {
    const Driver& driver = drivers[d];
    const std::size_t joint = driver.joint;
    Transform& driven = pose.joints[joint];
    if (driver.joint != started) driven = skeleton.joints[joint].rest;
    started = driver.joint;
    if (const auto* share = std::get_if<RotationShare>(&driver.rule)) {
      driven.rotation =
          driven.rotation * power(turned_from_rest(skeleton, pose, share->source), share->share);
    } else {
      apply_follow(skeleton, std::get<Follow>(driver.rule), pose, driven);
    }
  }
}

}  // namespace sinew
