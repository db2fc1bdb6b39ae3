// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/clip_sampler.h"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/overload.h"
#include "sinew/motion/detail/interpolate.h"
#include "sinew/motion/detail/sample_arcs.h"

namespace sinew {
namespace {

void append(std::vector<double>& to, double v) { to.push_back(v); }
void append(std::vector<double>& to, const Vec3& v) { to.insert(to.end(), {v.x, v.y, v.z}); }
void append(std::vector<double>& to, const Quat& q) { to.insert(to.end(), {q.x, q.y, q.z, q.w}); }
void append(std::vector<double>& to, const std::vector<double>& v) {
  to.insert(to.end(), v.begin(), v.end());
}

// A curve without keys becomes a constant T{}.
template <class T>
Curve<T> with_a_key(const Curve<T>& curve) {
  motion::require_keys(curve);
  if (!curve.times.empty()) return curve;
  Curve<T> held;
  held.times = {0};
  held.values.resize(1);
  return held;
}

}  // namespace

ClipSampler::ClipSampler(const Clip& clip) : name_(clip.name), duration_(sinew::duration(clip)) {
  for (const Channel& channel : clip.channels) add(channel);
  for (const Demand& demand : demands_) {
    if (demand.first < 0) fits_nothing_ = true;
  }
  drop_overwritten();
}

template <class T>
int ClipSampler::timeline_of(const Curve<T>& curve) {
  for (std::size_t i = 0; i < timelines_.size(); ++i) {
    const auto [first, count] = timelines_[i];
    if (std::equal(curve.times.begin(), curve.times.end(), times_.begin() + long(first),
                   times_.begin() + long(first + count))) {
      return int(i);
    }
  }
  timelines_.push_back({times_.size(), curve.times.size()});
  append(times_, curve.times);
  return int(timelines_.size()) - 1;
}

template <class T>
int ClipSampler::add_track(const Curve<T>& sparse) {
  const Curve<T> curve = with_a_key(sparse);
  const std::size_t first = values_.size();
  append(values_, curve.values.front());
  const std::size_t width = values_.size() - first;
  values_.resize(first);
  const auto append_all = [&](const auto& list, const auto& value_of) {
    for (const auto& item : list) append(values_, value_of(item));
  };
  append_all(curve.values, [](const T& v) { return v; });
  if (values_.size() != first + curve.values.size() * width) {
    throw UsageError(
        formatted("clip '{}': the keys of a curve have different numbers of values", name_));
  }
  if (motion::has_handles(curve.interpolation)) {
    append_all(curve.out, [](const auto& handle) { return handle.value; });
    append_all(curve.in, [](const auto& handle) { return handle.value; });
    append_all(curve.out, [](const auto& handle) { return handle.time; });
    append_all(curve.in, [](const auto& handle) { return handle.time; });
  }
  tracks_.push_back({curve.interpolation, timeline_of(curve), width, first});
  return int(tracks_.size()) - 1;
}

int ClipSampler::add_arcs(const Curve<Quat>& sparse) {
  const Curve<Quat> curve = with_a_key(sparse);
  tracks_.push_back({curve.interpolation, timeline_of(curve), 4, arcs_.size()});
  // Files round: the angle between keys that are not quite unit would come out wrong.
  for (std::size_t k = 0; k < curve.values.size(); ++k) {
    const std::size_t next = std::min(k + 1, curve.values.size() - 1);
    arcs_.push_back(arc_between(normalized(curve.values[k]), normalized(curve.values[next])));
  }
  return int(tracks_.size()) - 1;
}

void ClipSampler::add(const Channel& channel) {
  const auto demand = [&](const char* what, int first, std::size_t count, std::size_t& needed) {
    demands_.push_back({what, first, count});
    needed = std::max(needed, std::size_t(std::max(first, 0)) + count);
  };
  std::visit(Overload{[&](const TranslationChannel& c) {
                        demand("joint", c.joint, 1, joints_);
                        targets_.push_back({Kind::translation, c.joint, {}, add_track(c.curve)});
                      },
                      [&](const ScaleChannel& c) {
                        demand("joint", c.joint, 1, joints_);
                        targets_.push_back({Kind::scale, c.joint, {}, add_track(c.curve)});
                      },
                      [&](const RotationChannel& c) {
                        demand("joint", c.joint, 1, joints_);
                        if (const auto* euler = std::get_if<EulerCurves>(&c.curve)) {
                          const int track = add_track(euler->x);
                          add_track(euler->y);
                          add_track(euler->z);
                          targets_.push_back({Kind::euler, c.joint, euler->order, track});
                          return;
                        }
                        const auto& curve = std::get<Curve<Quat>>(c.curve);
                        const bool is_arc = curve.interpolation == Interpolation::linear;
                        targets_.push_back({is_arc ? Kind::arc : Kind::rotation,
                                            c.joint,
                                            {},
                                            is_arc ? add_arcs(curve) : add_track(curve)});
                      },
                      [&](const ShapeChannel& c) {
                        std::size_t width =
                            c.curve.values.empty() ? 0 : c.curve.values.front().size();
                        demand("blend shapes from", c.first_shape, width, shapes_);
                        targets_.push_back({Kind::shapes, c.first_shape, {}, add_track(c.curve)});
                      },
                      [&](const ControlChannel& c) {
                        demand("control", c.control, 1, controls_);
                        targets_.push_back({Kind::control, c.control, {}, add_track(c.curve)});
                      }},
             channel);
}

// Each property now has one target, so their order is free: group them by timeline.
void ClipSampler::drop_overwritten() {
  std::set<std::pair<Kind, int>> seen;
  std::vector<Target> kept;
  for (auto it = targets_.rbegin(); it != targets_.rend(); ++it) {
    const bool is_rotation =
        it->kind == Kind::rotation || it->kind == Kind::arc || it->kind == Kind::euler;
    const Kind kind = is_rotation ? Kind::rotation : it->kind;
    // Ranges of shapes may overlap in part.
    if (kind == Kind::shapes || seen.emplace(kind, it->index).second) kept.push_back(*it);
  }
  std::reverse(kept.begin(), kept.end());
  std::stable_sort(kept.begin(), kept.end(), [&](const Target& a, const Target& b) {
    const auto key = [&](const Target& target) {
      const bool is_shapes = target.kind == Kind::shapes;
      return std::pair(is_shapes, is_shapes ? 0 : tracks_[target.track].timeline);
    };
    return key(a) < key(b);
  });
  const auto arcs = std::stable_partition(
      kept.begin(), kept.end(), [](const Target& target) { return target.kind != Kind::arc; });
  group_arcs(std::span(kept).subspan(std::size_t(arcs - kept.begin())));
  kept.erase(arcs, kept.end());
  targets_ = std::move(kept);
}

// So that a moment reads arcs that lie beside each other. The targets are in the order of their
// timelines.
void ClipSampler::group_arcs(std::span<const Target> targets) {
  std::vector<QuatArc<double>> grouped;
  while (!targets.empty()) {
    const int timeline = tracks_[targets[0].track].timeline;
    const auto end = std::find_if(targets.begin(), targets.end(), [&](const Target& target) {
      return tracks_[target.track].timeline != timeline;
    });
    const auto some = targets.first(std::size_t(end - targets.begin()));
    targets = targets.subspan(some.size());
    ArcGroup& group = arc_groups_.emplace_back();
    group.timeline = timeline;
    group.first = grouped.size();
    for (const Target& target : some) group.joints.push_back(target.index);
    for (std::size_t key = 0; key < timelines_[timeline].count; ++key) {
      for (const Target& target : some) grouped.push_back(arcs_[tracks_[target.track].first + key]);
    }
  }
  arcs_ = std::move(grouped);
}

void ClipSampler::find(int timeline, double time, Moment& moment) const {
  if (moment.timeline == timeline) return;
  const auto [first, count] = timelines_[timeline];
  const double* times = times_.data() + first;
  moment = {.timeline = timeline};
  if (!(time > times[0])) return;
  if (time >= times[count - 1]) {
    moment.key = count - 1;
    return;
  }
  moment.key = std::size_t(std::upper_bound(times, times + count, time) - times) - 1;
  moment.is_between = true;
  moment.seconds = times[moment.key + 1] - times[moment.key];
  moment.t = (time - times[moment.key]) / moment.seconds;
}

void ClipSampler::read(const Track& track, double time, Moment& moment, double* result) const {
  find(track.timeline, time, moment);
  const std::size_t width = track.width, keys = timelines_[track.timeline].count;
  const double* from = values_.data() + track.first + moment.key * width;
  if (!moment.is_between) {
    std::copy_n(from, width, result);
    return;
  }
  motion::KeySpan span{.from = from, .to = from + width, .seconds = moment.seconds, .width = width};
  if (motion::has_handles(track.interpolation)) {
    const std::size_t all = keys * width;
    span.out = from + all;
    span.in = span.to + 2 * all;
    const double* handle_times = values_.data() + track.first + 3 * all;
    span.out_time = handle_times[moment.key];
    span.in_time = handle_times[keys + moment.key + 1];
  }
  motion::interpolate(track.interpolation, span, moment.t, result);
}

void ClipSampler::sample_rotations(double time, Pose& pose) const {
  motion::ArcMoments moments;
  std::size_t count = 0;
  for (const ArcGroup& group : arc_groups_) {
    Moment moment;
    find(group.timeline, time, moment);
    const QuatArc<double>* arc = arcs_.data() + group.first + moment.key * group.joints.size();
    for (const int joint : group.joints) {
      moments.arcs[count] = &(arc++)->from.x;
      moments.rotations[count] = &pose.joints[joint].rotation.x;
      moments.t[count] = moment.t;
      if (++count < moments.most) continue;
      motion::sample_arcs(moments, count);
      count = 0;
    }
  }
  if (count > 0) motion::sample_arcs(moments, count);
}

void ClipSampler::require_fits(const Pose& pose) const {
  if (!fits_nothing_ && pose.joints.size() >= joints_ && pose.shapes.size() >= shapes_ &&
      pose.controls.size() >= controls_) {
    return;
  }
  for (const auto& [what, first, count] : demands_) {
    const std::string_view kind = what;
    const std::size_t there = kind == "joint"     ? pose.joints.size()
                              : kind == "control" ? pose.controls.size()
                                                  : pose.shapes.size();
    if (first >= 0 && std::size_t(first) <= there && count <= there - std::size_t(first)) continue;
    throw UsageError(
        formatted("clip '{}' drives {} {}, but the pose has {}", name_, what, first, there));
  }
}

void ClipSampler::sample(double time, Pose& pose) const {
  require_fits(pose);
  sample_rotations(time, pose);
  Moment moment;
  for (const Target& target : targets_) {
    const Track& track = tracks_[target.track];
    switch (target.kind) {
      case Kind::translation:
        read(track, time, moment, &pose.joints[target.index].translation.x);
        break;
      case Kind::scale:
        read(track, time, moment, &pose.joints[target.index].scale.x);
        break;
      case Kind::arc:  // see sample_rotations()
        break;
      case Kind::rotation: {
        Quat& rotation = pose.joints[target.index].rotation;
        read(track, time, moment, &rotation.x);
        rotation = normalized(rotation);
        break;
      }
      case Kind::euler: {
        Vec3 angles;
        read(track, time, moment, &angles.x);
        read(tracks_[target.track + 1], time, moment, &angles.y);
        read(tracks_[target.track + 2], time, moment, &angles.z);
        pose.joints[target.index].rotation = from_euler(angles, target.order);
        break;
      }
      case Kind::shapes:
        read(track, time, moment, pose.shapes.data() + target.index);
        break;
      case Kind::control:
        read(track, time, moment, &pose.controls[target.index]);
        break;
    }
  }
}

}  // namespace sinew
