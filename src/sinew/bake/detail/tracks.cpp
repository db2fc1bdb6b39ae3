// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/tracks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sinew/bake/detail/bulges.h"
#include "sinew/bake/detail/helpers.h"
#include "sinew/bake/detail/poses.h"
#include "sinew/bake/detail/shape_tracks.h"
#include "sinew/core/math.h"
#include "sinew/deform/posed_rig.h"

namespace sinew::baking {
namespace {

double off(double a, double b) { return std::fabs(a - b); }
double off(const Vec3& a, const Vec3& b) { return distance(a, b); }
double off(const Quat& a, const Quat& b) { return rotation_angle(conjugate(a) * b); }
double between(double a, double b, double t) { return a + (b - a) * t; }
Vec3 between(const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); }
Quat between(const Quat& a, const Quat& b, double t) { return slerp(a, b, t); }

template <class T>
Curve<T> fit(std::span<const double> times, std::span<const T> values, double tolerance) {
  const std::size_t last = times.size() - 1;
  std::vector<bool> is_key(times.size(), false);
  is_key.front() = is_key.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, last}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    double worst = tolerance;
    std::optional<std::size_t> at;
    for (std::size_t i = a + 1; i < b; ++i) {
      const double t = (times[i] - times[a]) / (times[b] - times[a]);
      const double error = off(between(values[a], values[b], t), values[i]);
      if (error > worst) {
        worst = error;
        at = i;
      }
    }
    if (!at) continue;
    is_key[*at] = true;
    open.emplace_back(a, *at);
    open.emplace_back(*at, b);
  }
  Curve<T> curve;
  for (std::size_t i = 0; i <= last; ++i) {
    if (!is_key[i]) continue;
    curve.times.push_back(times[i]);
    curve.values.push_back(values[i]);
  }
  const bool is_still = std::all_of(curve.values.begin(), curve.values.end(), [&](const T& value) {
    return off(value, curve.values.front()) <= tolerance;
  });
  if (is_still) {
    curve.times.resize(1);
    curve.values.resize(1);
  }
  return curve;
}

bool is_sound(const Transform& t) {
  return is_finite(t.translation) && is_finite(t.rotation.vector()) &&
         std::isfinite(t.rotation.w) && is_finite(t.scale);
}

// A joint's local transforms over time. Quaternions are kept in one hemisphere, so that
// interpolation takes the short way. Below a joint scaled to 0 the transform is undefined; the last
// one is kept.
struct Track {
  std::vector<Vec3> translations;
  std::vector<Quat> rotations;
  std::vector<Vec3> scales;

  void add(const Transform& place, const Transform& rest) {
    Transform local = place;
    if (!is_sound(local)) {
      local = translations.empty()
                  ? rest
                  : Transform{translations.back(), rotations.back(), scales.back()};
    }
    translations.push_back(local.translation);
    scales.push_back(local.scale);
    const bool is_opposite = !rotations.empty() && dot(rotations.back(), local.rotation) < 0;
    rotations.push_back(is_opposite ? -local.rotation : local.rotation);
  }
};

template <class T>
bool says_nothing(const Curve<T>& curve, const T& rest, double tolerance) {
  return curve.values.size() == 1 && off(curve.values.front(), rest) <= tolerance;
}

struct Tolerance {
  double move = 0, turn = 0;
};

void add_channels(Clip& clip, int joint, const Transform& rest, std::span<const double> times,
                  const Track& track, const Tolerance& tolerance) {
  Curve<Vec3> moves = fit_keys(times, track.translations, tolerance.move);
  if (!says_nothing(moves, rest.translation, tolerance.move)) {
    clip.channels.push_back(TranslationChannel{joint, std::move(moves)});
  }
  Curve<Quat> turns = fit_keys(times, track.rotations, tolerance.turn);
  if (!says_nothing(turns, rest.rotation, tolerance.turn)) {
    clip.channels.push_back(RotationChannel{joint, std::move(turns)});
  }
}

// `share`: tolerance of keys as a fraction of the scale at rest.
void add_scale(Clip& clip, int joint, const Transform& rest, std::span<const double> times,
               const Track& track, double share) {
  const double tolerance = share * length(rest.scale);
  Curve<Vec3> scales = fit_keys(times, track.scales, tolerance);
  if (says_nothing(scales, rest.scale, tolerance)) return;
  clip.channels.push_back(ScaleChannel{joint, std::move(scales)});
}

// The joints that helpers hang from, directly or not: their scale would be inherited.
std::vector<bool> joints_above(const Skeleton& skeleton, std::span<const SplitBone> splits) {
  std::vector<bool> above(skeleton.joints.size(), false);
  for (const SplitBone& split : splits) {
    int joint = skeleton.bones[split.bone].joint;
    while (joint != no_joint && !above[joint]) {
      above[joint] = true;
      joint = skeleton.joints[joint].parent;
    }
  }
  return above;
}

double ratio(double now, double rest) { return rest != 0 ? now / rest : 1; }

// The frames that take every bone's head where it goes, turned as its joint is, without what is
// inherited of scale; joints that no helper hangs from keep their own.
void take_scale_off(const Rig& rig, std::span<const JointIndex> order,
                    std::span<const int> bone_of_joint, const std::vector<bool>& is_above,
                    std::span<const BoneState> states, std::span<const Transform> locals,
                    std::span<Affine> frames) {
  for (const int j : order) {
    const std::size_t joint = j;
    const int parent = rig.skeleton.joints[joint].parent;
    if (bone_of_joint[joint] >= 0) {
      const std::size_t b = bone_of_joint[joint];
      frames[joint] = rigid_motion(states[b]) * inverse(rig.skeleton.bones[b].inverse_bind);
      if (!is_above[joint]) {
        const Vec3 &now = locals[joint].scale, &rest = rig.skeleton.joints[joint].rest.scale;
        const Vec3 own{ratio(now.x, rest.x), ratio(now.y, rest.y), ratio(now.z, rest.z)};
        frames[joint].linear = frames[joint].linear * diagonal(own);
      }
    } else {
      const Affine local = to_affine(locals[joint]);
      frames[joint] = parent == no_joint ? local : frames[parent] * local;
    }
  }
}

std::vector<int> first_bone_of_joint(const Skeleton& skeleton) {
  std::vector<int> bones(skeleton.joints.size(), -1);
  for (std::size_t b = skeleton.bones.size(); b-- > 0;) {
    const std::size_t joint = skeleton.bones[b].joint;
    if (!skeleton.joints[joint].is_frame) bones[joint] = static_cast<int>(b);
  }
  return bones;
}

}  // namespace

Curve<Vec3> fit_keys(std::span<const double> times, std::span<const Vec3> values,
                     double tolerance) {
  return fit(times, values, tolerance);
}
Curve<Quat> fit_keys(std::span<const double> times, std::span<const Quat> values,
                     double tolerance) {
  return fit(times, values, tolerance);
}

Curve<double> fit_keys(std::span<const double> times, std::span<const double> values,
                       double tolerance) {
  return fit(times, values, tolerance);
}

Clip bake_clip(const Rig& rig, const RigPlan& plan, const Clip& clip, const Rig& baked,
               std::span<const SplitBone> splits, bool without_scale, const TrackOptions& options) {
  const std::size_t joints = rig.skeleton.joints.size();
  const std::vector<double> times = sample_times(clip);
  const auto order = evaluation_order(rig.skeleton);
  const std::vector<int> bone_of_joint = first_bone_of_joint(rig.skeleton);
  const std::vector<bool> is_above = joints_above(rig.skeleton, splits);
  const std::size_t first_helper = rig.skeleton.bones.size();
  const bool may_replace = without_scale || !rig.drivers.empty();
  std::vector<Track> helpers(baked.skeleton.bones.size() - first_helper);
  std::vector<Track> replaced(may_replace ? joints : 0);
  std::vector<bool> is_replaced(joints, false);
  std::vector<Affine> frames(joints);
  // A sideways step of a helper's parent is a length in world space, of which the parent's own
  // scale (a model in centimetres below a node that makes them metres) takes its share.
  std::vector<double> scale_of_frame(joints, 1);
  const ClipPlan clip_plan(plan, clip);
  const ClipSampler sampler(clip);
  PosedRig posed(plan, options.states);
  ShapeTracks shapes(rig, options.move_tolerance);
  BulgeTracks bulges(options.bulges, rig.mesh.shapes.size(), options.move_tolerance);
  for (std::size_t t = 0; t < times.size(); ++t) {
    posed.play(clip_plan, times[t]);
    const std::span<const BoneState> states = posed.bones();
    bulges.add(states);
    shapes.add(posed.shapes());
    if (without_scale) {
      take_scale_off(rig, order, bone_of_joint, is_above, states, posed.pose().joints, frames);
    } else {
      std::copy(posed.joints().begin(), posed.joints().end(), frames.begin());
    }
    if (t == 0) {
      for (std::size_t j = 0; j < joints; ++j) {
        const double volume = std::fabs(determinant(frames[j].linear));
        if (volume > 0) scale_of_frame[j] = math::cbrt(volume);
      }
    }
    if (may_replace) {
      Pose plain = plan.rest_pose();
      sampler.sample(times[t], plain);
      for (std::size_t j = 0; j < joints; ++j) {
        const int parent = rig.skeleton.joints[j].parent;
        const Transform local =
            to_transform(parent == no_joint ? frames[j] : inverse(frames[parent]) * frames[j]);
        replaced[j].add(local, rig.skeleton.joints[j].rest);
        const Transform& had = plain.joints[j];
        const double reach = std::max(length(local.translation), options.move_tolerance);
        is_replaced[j] = is_replaced[j] || off(local.rotation, had.rotation) > 1e-6 ||
                         distance(local.translation, had.translation) > 1e-6 * reach ||
                         distance(local.scale, had.scale) > 1e-6;
      }
    }
    const std::vector<Affine> motions = helper_palette(states, splits);
    for (const SplitBone& split : splits) {
      const int joint = rig.skeleton.bones[split.bone].joint;
      const Affine& frame = frames[joint];
      for (int k = 0; k <= split.segments(); ++k) {
        const std::size_t b = split.first_helper + k;
        const Bone& helper = baked.skeleton.bones[b];
        helpers[b - first_helper].add(helper_local(baked.skeleton, helper, joint, frame, motions[b],
                                                   split.scale_axes.has_value()),
                                      baked.skeleton.joints[helper.joint].rest);
      }
    }
  }

  Clip result;
  result.name = clip.name;
  for (const Channel& channel : clip.channels) {
    const int joint = joint_of(channel);
    const bool is_gone = joint != no_joint && is_replaced[joint];
    const bool is_control = std::holds_alternative<ControlChannel>(channel);
    if (!is_gone && !is_control) result.channels.push_back(channel);
  }
  shapes.put_into(result, times);
  bulges.put_into(result, times);
  for (std::size_t j = 0; j < joints; ++j) {
    if (!is_replaced[j]) continue;
    const Tolerance tolerance{options.move_tolerance / scale_of_frame[j] / 10, 1e-4};
    const Transform& rest = rig.skeleton.joints[j].rest;
    add_channels(result, static_cast<int>(j), rest, times, replaced[j], tolerance);
    add_scale(result, static_cast<int>(j), rest, times, replaced[j], 1e-4);
  }
  for (const SplitBone& split : splits) {
    const std::size_t bone = split.bone;
    const std::size_t parent = rig.skeleton.bones[bone].joint;
    const double reach = options.limb_reach[bone];
    const Tolerance tolerance{options.move_tolerance / scale_of_frame[parent],
                              reach > 0 ? std::min(options.move_tolerance / reach, 0.01) : 0.01};
    for (int k = 0; k <= split.segments(); ++k) {
      const std::size_t b = split.first_helper + k;
      const int joint = baked.skeleton.bones[b].joint;
      const Transform& rest = baked.skeleton.joints[joint].rest;
      add_channels(result, joint, rest, times, helpers[b - first_helper], tolerance);
      if (split.scale_axes) {
        add_scale(result, joint, rest, times, helpers[b - first_helper], tolerance.turn);
      }
    }
  }
  return result;
}

}  // namespace sinew::baking
