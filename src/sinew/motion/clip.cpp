// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/clip.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/overload.h"

namespace sinew {
namespace {

template <class T>
double last_time(const Curve<T>& curve) {
  return curve.times.empty() ? 0.0 : curve.times.back();
}

double last_time(const EulerCurves& curves) {
  return std::max({last_time(curves.x), last_time(curves.y), last_time(curves.z)});
}

bool finite(double v) { return std::isfinite(v); }
bool finite(const Vec3& v) { return is_finite(v); }
bool finite(const Quat& q) { return is_finite(q.vector()) && std::isfinite(q.w); }
bool finite(const std::vector<double>& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

std::size_t width(const std::vector<double>& v) { return v.size(); }
template <class T>
std::size_t width(const T&) {
  return 1;
}

template <class T>
void check_curve(const Curve<T>& curve, const std::string& place) {
  const std::size_t keys = curve.times.size();
  const bool has_handles =
      curve.interpolation == Interpolation::hermite || curve.interpolation == Interpolation::bezier;
  const std::size_t handles = has_handles ? keys : 0;
  if (curve.values.size() != keys || curve.in.size() != handles || curve.out.size() != handles) {
    throw InputError(place,
                     formatted("{} times, {} values, {} and {} handles do not fit together", keys,
                               curve.values.size(), curve.in.size(), curve.out.size()));
  }
  for (std::size_t k = 0; k < keys; ++k) {
    const bool sound = std::isfinite(curve.times[k]) && finite(curve.values[k]) &&
                       (!has_handles || (finite(curve.in[k].value) && finite(curve.out[k].value) &&
                                         finite(curve.in[k].time) && finite(curve.out[k].time)));
    if (!sound) throw InputError(place, formatted("key {} is not finite", k));
    if (k > 0 && !(curve.times[k] > curve.times[k - 1])) {
      throw InputError(place, formatted("key {} at {} s does not come after the one before it, at "
                                        "{} s; keys must be in order of time",
                                        k, curve.times[k], curve.times[k - 1]));
    }
    const bool even = width(curve.values[k]) == width(curve.values[0]) &&
                      (!has_handles || (width(curve.in[k].value) == width(curve.values[0]) &&
                                        width(curve.out[k].value) == width(curve.values[0])));
    if (!even) throw InputError(place, formatted("key {} has another number of values", k));
  }
}

void check_curve(const EulerCurves& curves, const std::string& place) {
  for (const auto* curve : {&curves.x, &curves.y, &curves.z}) check_curve(*curve, place);
}

void check_index(int index, std::size_t count, const char* what, const std::string& place) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    throw InputError(place, formatted("it drives {} {}, but there are {}", what, index, count));
  }
}

}  // namespace

JointIndex joint_of(const Channel& channel) {
  return std::visit(
      [](const auto& c) {
        if constexpr (requires { c.joint; }) {
          return c.joint;
        } else {
          return no_joint;
        }
      },
      channel);
}

double duration(const Clip& clip) {
  double end = 0;
  for (const Channel& channel : clip.channels) {
    std::visit(Overload{[&](const RotationChannel& c) {
                          std::visit(
                              [&](const auto& curve) { end = std::max(end, last_time(curve)); },
                              c.curve);
                        },
                        [&](const auto& c) { end = std::max(end, last_time(c.curve)); }},
               channel);
  }
  return end;
}

void forward_kinematics(const Skeleton& skeleton, std::span<const JointIndex> order,
                        std::span<const Transform> locals, std::span<Affine> globals) {
  const std::size_t count = skeleton.joints.size();
  if (locals.size() != count || globals.size() != count || order.size() != count) {
    throw UsageError(
        formatted("{} local transforms, room for {} frames and an order of {} do not fit {} joints",
                  locals.size(), globals.size(), order.size(), count));
  }
  for (const int j : order) {
    const std::size_t joint = j;
    if (joint >= count) {
      throw UsageError(formatted("the order names joint {}, but there are {}", j, count));
    }
    const Affine local = to_affine(locals[joint]);
    const int parent = skeleton.joints[joint].parent;
    globals[joint] = parent == no_joint ? local : globals[parent] * local;
  }
}

std::vector<Affine> forward_kinematics(const Skeleton& skeleton,
                                       std::span<const Transform> locals) {
  std::vector<Affine> globals(skeleton.joints.size());
  forward_kinematics(skeleton, evaluation_order(skeleton), locals, globals);
  return globals;
}

void validate(const Curve<double>& curve, const std::string& place) { check_curve(curve, place); }

void validate(const Clip& clip, const Skeleton& skeleton, int shape_count, int control_count) {
  for (std::size_t i = 0; i < clip.channels.size(); ++i) {
    const std::string place = formatted("clip '{}', channel {}", clip.name, i);
    std::visit(
        Overload{[&](const ShapeChannel& c) {
                   check_curve(c.curve, place);
                   const std::size_t driven = c.curve.values.empty() ? 0 : c.curve.values[0].size();
                   if (c.first_shape < 0 || c.first_shape > shape_count ||
                       driven > static_cast<std::size_t>(shape_count - c.first_shape)) {
                     throw InputError(
                         place, formatted("it drives {} blend shapes from number {} on, but there "
                                          "are {}",
                                          driven, c.first_shape, shape_count));
                   }
                 },
                 [&](const ControlChannel& c) {
                   check_curve(c.curve, place);
                   check_index(c.control, static_cast<std::size_t>(control_count), "control",
                               place);
                 },
                 [&](const RotationChannel& c) {
                   std::visit([&](const auto& curve) { check_curve(curve, place); }, c.curve);
                   check_index(c.joint, skeleton.joints.size(), "joint", place);
                 },
                 [&](const auto& c) {
                   check_curve(c.curve, place);
                   check_index(c.joint, skeleton.joints.size(), "joint", place);
                 }},
        clip.channels[i]);
  }
}

}  // namespace sinew
