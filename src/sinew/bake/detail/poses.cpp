// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/poses.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/overload.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/geometry/flatness.h"

namespace sinew::baking {
namespace {

void merge(Extent& a, const Extent& b) {
  a.twist_difference = std::max(a.twist_difference, b.twist_difference);
  a.twist = std::max(a.twist, b.twist);
  a.swing = std::max(a.swing, b.swing);
  a.shortest = std::min(a.shortest, b.shortest);
  a.longest = std::max(a.longest, b.longest);
  a.pull = std::max(a.pull, b.pull);
  a.along = std::max(a.along, b.along);
  if (b.across > a.across) a.widest = b.widest;
  a.across = std::max(a.across, b.across);
}

double size_of(const Mat3& m) {
  return std::sqrt(length_squared(m.x) + length_squared(m.y) + length_squared(m.z));
}

template <class T>
void add_times(const Curve<T>& curve, std::vector<double>& times) {
  times.insert(times.end(), curve.times.begin(), curve.times.end());
}

// Whether mesh and bones lie in one plane.
bool is_flat(const Rig& rig) {
  const std::optional<FlatFrame> frame = find_flat(rig.mesh.positions, rig.mesh.triangles);
  if (!frame) return false;
  const auto is_in_plane = [&](const Vec3& p) {
    return std::fabs(frame->to_plane(p).z) <= flat_share * frame->width;
  };
  return std::all_of(rig.skeleton.bones.begin(), rig.skeleton.bones.end(), [&](const Bone& bone) {
    return is_in_plane(bone.head) && is_in_plane(bone.tail);
  });
}

// The axis about which the joint at the bone's tail twists, in the frame of the bone's joint: that
// of the bone that takes more of it. About the other, a bent limb would swing instead.
Vec3 twist_axis(const Skeleton& skeleton, const RigPlan& plan, int bone) {
  const Bone& before = skeleton.bones[bone];
  const Bone* along = &before;
  if (const int next = plan.links(bone).next; next >= 0) {
    const double over = plan.links(bone).next_share;
    if (plan.links(next).own_share > over) along = &skeleton.bones[next];
  }
  return normalized(before.inverse_bind.linear * (along->tail - along->head));
}

struct ClipPoses {
  std::vector<Extent> extents;
  bool has_scale = false;
  std::vector<TestPose> tests;
};

// Evenly spread moments of a clip: those that influences are chosen for, and all.
struct Counts {
  std::size_t chosen = 0, measured = 0;
};

// Evenly spread moments may miss the extremes: those come on top.
ClipPoses poses_of(const Rig& rig, const RigPlan& plan, std::size_t clip_index,
                   const Counts& counts, const StateOptions& states) {
  const Clip& clip = rig.clips[clip_index];
  ClipPoses result;
  result.extents.resize(rig.skeleton.bones.size());
  const std::vector<double> times = sample_times(clip);
  const ClipPlan clip_plan(plan, clip);
  PosedRig posed(plan, states);
  double most_twist = 0, most_stretch = 0;
  std::vector<std::size_t> chosen = {0, 0};
  for (std::size_t t = 0; t < times.size(); ++t) {
    posed.play(clip_plan, times[t]);
    const std::span<const BoneState> now = posed.bones();
    for (std::size_t b = 0; b < now.size(); ++b) {
      Extent extent;
      include(extent, now[b]);
      if (extent.twist_difference > most_twist) {
        most_twist = extent.twist_difference;
        chosen[0] = t;
      }
      const double stretch = std::max(extent.longest - 1, 1 - extent.shortest);
      if (stretch > most_stretch) {
        most_stretch = stretch;
        chosen[1] = t;
      }
      merge(result.extents[b], extent);
      result.has_scale |= scale_of(now[b]) > scale_tolerance;
    }
  }
  const auto add_evenly = [&](std::vector<std::size_t>& moments, std::size_t count) {
    count = std::min(count, times.size());
    for (std::size_t i = 0; i < count; ++i) {
      moments.push_back(i * (times.size() - 1) / std::max<std::size_t>(count - 1, 1));
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  };
  add_evenly(chosen, counts.chosen);
  std::vector<std::size_t> measured = chosen;
  add_evenly(measured, counts.measured);
  for (const std::size_t t : measured) {
    posed.play(clip_plan, times[t]);
    TestPose pose{clip_index,
                  times[t],
                  {posed.bones().begin(), posed.bones().end()},
                  {posed.shapes().begin(), posed.shapes().end()}};
    pose.is_extra = !std::binary_search(chosen.begin(), chosen.end(), t);
    result.tests.push_back(std::move(pose));
  }
  return result;
}

}  // namespace

void include(Extent& extent, const BoneState& state) {
  const Vec3 u = normalized(state.tail - state.head);
  const double own = dot(u, state.scale_shear * u);
  const double factor =
      distance(state.posed_head, state.posed_tail) / distance(state.head, state.tail);
  Extent now;
  now.twist_difference = std::fabs(state.twist_tail - state.twist_head);
  now.twist = std::max(std::fabs(state.twist_head), std::fabs(state.twist_tail));
  now.swing = rotation_angle(conjugate(state.turn) * state.rotation);
  now.shortest = now.longest = factor;
  now.pull = std::fabs(factor - own);
  now.along = std::fabs(own - 1);
  now.across = size_of(state.across - Mat3{});
  now.widest = state.across;
  merge(extent, now);
}

double scale_of(const BoneState& state) { return size_of(state.scale_shear - Mat3{}); }

std::vector<double> sample_times(const Clip& clip) {
  constexpr double rate = 60;
  constexpr double most = 20000;
  const double end = duration(clip);
  std::vector<double> times;
  for (const Channel& channel : clip.channels) {
    std::visit(Overload{[&](const RotationChannel& c) {
                          std::visit(
                              Overload{[&](const Curve<Quat>& curve) { add_times(curve, times); },
                                       [&](const EulerCurves& curves) {
                                         add_times(curves.x, times);
                                         add_times(curves.y, times);
                                         add_times(curves.z, times);
                                       }},
                              c.curve);
                        },
                        [&](const auto& c) { add_times(c.curve, times); }},
               channel);
  }
  if (double(times.size()) > most) times.clear();
  const double steps = std::ceil(std::clamp(end * rate, 0.0, most));
  for (double i = 0; i <= steps; ++i) times.push_back(steps > 0 ? end * i / steps : 0.0);
  std::erase_if(times, [](double t) { return t < 0; });
  std::sort(times.begin(), times.end());
  // Times that are equal in single precision are one moment.
  times.erase(std::unique(times.begin(), times.end(),
                          [&](double a, double b) { return b - a <= 1e-6 * std::max(end, 1e-3); }),
              times.end());
  return times;
}

PoseSet poses_of_clips(const Rig& rig, const StateOptions& states) {
  // Where vertices are few, every sampled moment is measured.
  constexpr std::size_t most_work = 500000;
  const std::size_t vertices = std::max<std::size_t>(rig.mesh.vertex_count(), 1);
  const Counts counts{std::clamp<std::size_t>(40 / rig.clips.size(), 6, 24),
                      most_work / vertices / rig.clips.size()};
  const RigPlan plan(rig);
  std::vector<ClipPoses> clips(rig.clips.size());
  parallel_for(clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) clips[c] = poses_of(rig, plan, c, counts, states);
  });
  PoseSet result;
  result.extents.resize(rig.skeleton.bones.size());
  for (ClipPoses& clip : clips) {
    for (std::size_t b = 0; b < clip.extents.size(); ++b) merge(result.extents[b], clip.extents[b]);
    result.has_scale.push_back(clip.has_scale);
    std::move(clip.tests.begin(), clip.tests.end(), std::back_inserter(result.tests));
  }
  return result;
}

PoseSet generic_poses(const Rig& rig, const GenericPoses& options, const StateOptions& states) {
  // The angles of two neighbours as factors, the stretch, and the swing about each of two axes.
  struct Kind {
    double one, other, factor;
    double bend = 0, bend_aside = 0;
  };
  const RigPlan plan(rig);
  const Pose& rest = plan.rest_pose();
  PosedRig posed(plan, states);
  PoseSet result;
  result.extents.resize(rig.skeleton.bones.size());
  const auto add = [&](double degrees, const Kind& kind) {
    Pose pose = rest;
    std::vector<bool> is_done(pose.joints.size(), false);
    bool is_other = false;
    for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
      const Bone& bone = rig.skeleton.bones[b];
      if (bone.tail_joint == no_joint) continue;
      const std::size_t tail = bone.tail_joint;
      if (rig.skeleton.joints[tail].parent != bone.joint || is_done[tail]) continue;
      is_done[tail] = true;
      if (!options.moved.empty() && !options.moved[tail]) continue;
      const Vec3 along = bone.inverse_bind.linear * (bone.tail - bone.head);
      const double angle = radians(degrees) * (is_other ? kind.other : kind.one);
      Transform& local = pose.joints[tail];
      const Vec3 axis = twist_axis(rig.skeleton, plan, int(b)), across = any_perpendicular(axis);
      local.rotation = rotation_about(across, radians(kind.bend)) *
                       rotation_about(cross(axis, across), radians(kind.bend_aside)) *
                       rotation_about(axis, angle) * local.rotation;
      local.translation += along * (kind.factor - 1);
      is_other = !is_other;
    }
    if (options.drivers) plan.apply_drivers(pose);
    posed.set(pose);
    TestPose test;
    test.states.assign(posed.bones().begin(), posed.bones().end());
    test.shapes = pose.shapes;
    test.is_made_up = true;
    test.is_stretched = kind.factor != 1;
    test.joints = pose.joints;
    for (std::size_t b = 0; b < test.states.size(); ++b) {
      include(result.extents[b], test.states[b]);
    }
    result.tests.push_back(std::move(test));
  };
  const std::vector<double> angles = is_flat(rig) ? std::vector<double>{} : options.degrees;
  for (const double degrees : angles) {
    for (const Kind& kind : {Kind{1, 1, 1}, Kind{-1, -1, 1}, Kind{1, -1, 1}, Kind{-1, 1, 1},
                             Kind{1, 1, 1.5}, Kind{-1, 1, 1.5}}) {
      add(degrees, kind);
    }
    if (options.bend != 0) {
      const double bend = options.bend;
      for (const Kind& kind : {Kind{1, 1, 1, bend}, Kind{-1, 1, 1, -bend}, Kind{1, -1, 1, 0, bend},
                               Kind{-1, -1, 1, 0, -bend}, Kind{1, 1, 1.5, bend, bend}}) {
        add(degrees, kind);
      }
    }
    if (!options.one_by_one) continue;
    for (const Kind& kind : {Kind{1, 0, 1}, Kind{0, 1, 1}, Kind{-1, 0, 1}, Kind{0, -1, 1}}) {
      add(degrees, kind);
    }
  }
  add(0, {0, 0, 1.5});
  return result;
}

void append(PoseSet& poses, PoseSet more) {
  poses.extents.resize(more.extents.size());
  for (std::size_t b = 0; b < more.extents.size(); ++b) merge(poses.extents[b], more.extents[b]);
  std::move(more.tests.begin(), more.tests.end(), std::back_inserter(poses.tests));
}

}  // namespace sinew::baking
