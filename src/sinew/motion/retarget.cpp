// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/retarget.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"
#include "sinew/core/overload.h"
#include "sinew/motion/clip_sampler.h"
#include "sinew/motion/detail/retarget_rows.h"
#include "sinew/motion/reduce_keys.h"

namespace sinew {
namespace {

using detail::RetargetRow;

constexpr std::size_t most_frames = 2'000'000;
constexpr double longest = 1e6;  // seconds: single precision still tells frames apart

std::vector<double> even_times(double begin, double end, double fps) {
  const double count = std::floor((end - begin) * fps + 1e-6) + 1;
  if (!(count <= double(most_frames))) {
    throw InputError("motion",
                     formatted("{} seconds at {} frames per second are more than {} frames",
                               end - begin, fps, most_frames));
  }
  std::vector<double> times(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < times.size(); ++k) times[k] = begin + double(k) / fps;
  return times;
}

// All key times of the channels that drive joints. Between keys of cubic curves there are frames,
// too.
std::vector<double> frame_times(const Clip& motion) {
  std::vector<double> times;
  bool is_cubic = false;
  const auto add = [&](const auto& curve) {
    times.insert(times.end(), curve.times.begin(), curve.times.end());
    is_cubic = is_cubic || curve.interpolation == Interpolation::hermite ||
               curve.interpolation == Interpolation::bezier;
  };
  const auto add_turns = Overload{[&](const Curve<Quat>& curve) { add(curve); },
                                  [&](const EulerCurves& curves) {
                                    for (const auto* curve : {&curves.x, &curves.y, &curves.z})
                                      add(*curve);
                                  }};
  for (const Channel& channel : motion.channels) {
    std::visit(Overload{[&](const TranslationChannel& c) { add(c.curve); },
                        [&](const ScaleChannel& c) { add(c.curve); },
                        [&](const RotationChannel& c) { std::visit(add_turns, c.curve); },
                        [](const auto&) {}},
               channel);
  }
  if (times.empty()) throw InputError("motion", "it has no frames, so there is nothing to play");
  std::sort(times.begin(), times.end());
  if (!(times.back() - times.front() <= longest)) {
    throw InputError("motion", formatted("it lasts {} s; the time of a frame is in seconds",
                                         times.back() - times.front()));
  }
  if (is_cubic) {
    const std::vector<double> between = even_times(times.front(), times.back(), 60);
    times.insert(times.end(), between.begin(), between.end());
    std::sort(times.begin(), times.end());
  }
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() > most_frames) {
    throw InputError("motion",
                     formatted("it has {} frames; {} are the most", times.size(), most_frames));
  }
  return times;
}

// What drives joints.
Clip joint_channels(const Clip& motion) {
  Clip clip;
  for (const Channel& channel : motion.channels) {
    if (joint_of(channel) != no_joint) clip.channels.push_back(channel);
  }
  return clip;
}

// The rotation in `map`, which may scale as well.
Quat turn_of(const Mat3& map) { return to_transform({map, {}}).rotation; }

// The share of a turn that is at most a full one, as the sign of q tells it from its opposite.
Quat share_of(const Quat& q, double share) {
  const Vec3 v = q.vector();
  const double size = length(v);
  if (!(size > 0)) return {};
  return rotation_about(v / size, 2 * math::atan2(size, q.w) * share);
}

void keep_near(Quat& q, const Quat& before) {
  if (dot(q, before) < 0) q = -q;
}

template <class T, class Between>
Curve<T> resampled(const Curve<T>& curve, const std::vector<double>& times, Between between) {
  Curve<T> result;
  result.times = times;
  std::size_t k = 0;
  for (const double time : times) {
    while (k + 2 < curve.times.size() && curve.times[k + 1] <= time) ++k;
    if (curve.times.size() == 1) {
      result.values.push_back(curve.values.front());
      continue;
    }
    const double t = (time - curve.times[k]) / (curve.times[k + 1] - curve.times[k]);
    result.values.push_back(between(curve.values[k], curve.values[k + 1], std::clamp(t, 0.0, 1.0)));
  }
  return result;
}

std::vector<char> marked(const std::vector<JointIndex>& joints, std::size_t count) {
  std::vector<char> marks(count, 0);
  for (const int joint : joints) {
    if (joint < 0 || joint >= int(count)) {
      throw UsageError(
          formatted("there is no joint {} to be computed; there are {}", joint, count));
    }
    marks[joint] = 1;
  }
  return marks;
}

class Player {
 public:
  // `computed` marks joints of the target that are in no pair and get no channel.
  Player(const Skeleton& source, const Clip& motion, const Skeleton& target, const JointMap& map,
         std::vector<char> computed, const RetargetOptions& options)
      : source_(source),
        target_(target),
        computed_(std::move(computed)),
        options_(options),
        rows_(detail::rows_of(map, source, target)),
        hips_(detail::hips_row(rows_, source, target)),
        source_order_(evaluation_order(source)),
        target_order_(evaluation_order(target)),
        times_(frame_times(motion)),
        sampler_(joint_channels(motion)),
        source_globals_(source.joints.size()),
        target_locals_(detail::reference_locals(target)) {
    for (const Joint& joint : source.joints) pose_.joints.push_back(joint.rest);
    if (options.rest_time) sampler_.sample(*options.rest_time, pose_);
    forward_kinematics(source_, source_order_, pose_.joints, source_globals_);
    source_rest_ = source_globals_;
    target_rest_ = forward_kinematics(target_, target_locals_);
    target_globals_ = target_rest_;
    fit_ = detail::fit_rest_poses(rows_, hips_, {source_points(), target_points()});
    rows_of_targets_.assign(target.joints.size(), {-1, 0});
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t k = 0; k < rows_[r].targets.size(); ++k) {
        rows_of_targets_[rows_[r].targets[k]] = {static_cast<int>(r), k};
      }
    }
    links_.assign(target.joints.size(), Quat{});
    stand();
  }

  Retargeted play() {
    Retargeted result;
    result.scale = fit_.scale;
    result.hips = moved_joint();
    Curve<Vec3> path;
    std::vector<Curve<Quat>> turns(target_.joints.size());
    path.times = times_;
    for (const double time : times_) {
      show(time);
      place_target(hips_place());
      path.values.push_back(target_locals_[result.hips].translation);
      if (!is_finite(path.values.back())) {
        throw InputError("motion",
                         formatted("at {} s the hips are too far away to compute with", time));
      }
      for (const int j : target_order_) {
        if (rows_of_targets_[j].row < 0) continue;
        Quat turn = target_locals_[j].rotation;
        if (!turns[j].values.empty()) keep_near(turn, turns[j].values.back());
        turns[j].values.push_back(turn);
      }
    }
    const std::vector<double> wanted =
        options_.fps > 0 ? even_times(times_.front(), times_.back(), options_.fps) : times_;
    result.frames = wanted.size();
    for (int j = 0; j < int(target_.joints.size()); ++j) {
      if (j == result.hips) result.clip.channels.push_back(path_channel(j, path, wanted));
      if (rows_of_targets_[j].row >= 0) {
        turns[j].times = times_;
        result.clip.channels.push_back(turn_channel(j, turns[j], wanted));
      } else if (!computed_[j] &&
                 !(target_locals_[j].rotation == target_.joints[j].rest.rotation)) {
        Curve<Quat> still;
        still.times = {wanted.front()};
        still.values = {target_locals_[j].rotation};
        result.clip.channels.push_back(RotationChannel{j, still});
      }
    }
    return result;
  }

 private:
  JointIndex moved_joint() const { return rows_[hips_].targets.front(); }

  std::vector<Vec3> source_points() const {
    std::vector<Vec3> points;
    for (const RetargetRow& row : rows_) {
      points.push_back(source_globals_[row.sources.front()].translation);
    }
    return points;
  }
  std::vector<Vec3> target_points() const {
    std::vector<Vec3> points;
    for (const RetargetRow& row : rows_) {
      points.push_back(target_globals_[row.targets.front()].translation);
    }
    return points;
  }

  // Poses the source.
  void show(double time) {
    sampler_.sample(time, pose_);
    forward_kinematics(source_, source_order_, pose_.joints, source_globals_);
  }

  Vec3 source_hips() const { return source_globals_[rows_[hips_].sources.back()].translation; }

  // Where the hips of either skeleton are when both stand on their grounds in the source's rest
  // pose.
  void stand() {
    source_stand_ = source_hips();
    target_stand_ = target_rest_[moved_joint()].translation;
    const Vec3 &up = fit_.target_up, &source_up = fit_.source_up;
    const double ground = detail::lowest(rows_, target_points(), up);
    place_target(target_stand_);
    target_stand_ += up * (ground - detail::lowest(rows_, target_points(), up));

    const double source_ground = detail::lowest(rows_, source_points(), source_up);
    const double height = dot(source_stand_, source_up) - source_ground;
    const bool says_nothing = std::fabs(dot(source_stand_, source_up)) < 0.01 * height;
    reach_ = dot(target_stand_, up) - ground;
    const bool target_is_alike = std::fabs(dot(target_stand_, up)) < 0.01 * reach_;
    if (!says_nothing || target_is_alike) return;
    double lowest = std::numeric_limits<double>::infinity();
    for (const double time : times_) {
      show(time);
      lowest = std::min(lowest, detail::lowest(rows_, source_points(), source_up));
    }
    source_stand_ += source_up * (lowest - source_ground);
  }

  Vec3 hips_place() const {
    Vec3 way = rotate(fit_.facing, source_hips() - source_stand_) * fit_.scale;
    if (options_.in_place) way = fit_.target_up * dot(way, fit_.target_up);
    return target_stand_ + way;
  }

  // How the source's joint is turned against its rest pose, in the source's world.
  Quat source_turn(JointIndex joint) const {
    if (joint == no_joint) return {};
    return turn_of(source_globals_[joint].linear * inverse(source_rest_[joint].linear));
  }

  // The turn of the n-th target of a row, in the source's world.
  Quat row_turn(const RetargetRow& row, std::size_t n, Quat& link) const {
    const std::size_t sources = row.sources.size(), targets = row.targets.size();
    const std::size_t whole = (n + 1) * sources / targets, rest = (n + 1) * sources % targets;
    const Quat below = source_turn(whole == 0 ? row.base : row.sources[whole - 1]);
    if (rest == 0) return below;
    Quat step = conjugate(below) * source_turn(row.sources[whole]);
    keep_near(step, link);
    link = step;
    return below * share_of(step, double(rest) / double(targets));
  }

  // Poses the target as the source is posed, with its hips there.
  void place_target(const Vec3& hips) {
    for (const int j : target_order_) {
      const JointIndex parent = target_.joints[j].parent;
      Transform& local = target_locals_[j];
      const Affine above = parent == no_joint ? Affine{} : target_globals_[parent];
      const auto [r, n] = rows_of_targets_[j];
      if (j == moved_joint()) local.translation = transform_point(inverse(above), hips);
      if (r >= 0) {
        const Quat turn = fit_.facing * row_turn(rows_[r], n, links_[j]) * conjugate(fit_.facing);
        const Mat3 wanted = to_matrix(normalized(turn * fit_.swings[r])) * target_rest_[j].linear;
        const Vec3& scale = local.scale;
        const Mat3 turned =
            inverse(above.linear) * wanted * diagonal(Vec3{1 / scale.x, 1 / scale.y, 1 / scale.z});
        if (!is_finite(turned.x) || !is_finite(turned.y) || !is_finite(turned.z)) {
          throw InputError(describe_joint(target_, j),
                           "it or a joint above it is scaled to nothing, so it cannot be turned");
        }
        local.rotation = turn_of(turned);
      }
      target_globals_[j] = above * to_affine(local);
    }
  }

  Channel path_channel(int joint, const Curve<Vec3>& path, const std::vector<double>& times) const {
    Curve<Vec3> even = resampled(
        path, times, [](const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); });
    // A turn by the tolerance moves a foot by this much, in the frame that the path is in.
    const JointIndex parent = target_.joints[joint].parent;
    const double unit =
        parent == no_joint ? 1 : math::cbrt(std::fabs(determinant(target_rest_[parent].linear)));
    Curve<Vec3> few = reduce_keys(even, options_.tolerance * std::fabs(reach_) / unit);
    // The clip lasts as long as the motion, even if nothing moves.
    if (few.times.size() == 1 && even.times.size() > 1) {
      few.times.push_back(even.times.back());
      few.values.push_back(even.values.back());
    }
    return TranslationChannel{joint, std::move(few)};
  }

  Channel turn_channel(int joint, const Curve<Quat>& turns,
                       const std::vector<double>& times) const {
    const Curve<Quat> even = resampled(
        turns, times, [](const Quat& a, const Quat& b, double t) { return slerp(a, b, t); });
    Curve<Quat> few = reduce_keys(even, options_.tolerance);
    for (std::size_t k = 1; k < few.values.size(); ++k) {
      keep_near(few.values[k], few.values[k - 1]);
    }
    return RotationChannel{joint, std::move(few)};
  }

  struct RowPlace {
    int row;
    std::size_t n;
  };

  const Skeleton& source_;
  const Skeleton& target_;
  std::vector<char> computed_;
  RetargetOptions options_;
  std::vector<RetargetRow> rows_;
  int hips_;
  std::vector<JointIndex> source_order_, target_order_;
  std::vector<double> times_;
  ClipSampler sampler_;
  Pose pose_;  // of the source
  std::vector<Affine> source_globals_, source_rest_;
  std::vector<Transform> target_locals_;
  std::vector<Affine> target_globals_, target_rest_;
  detail::RestFit fit_;
  std::vector<RowPlace> rows_of_targets_;  // of each target joint
  std::vector<Quat> links_;                // of each target joint: see row_turn
  Vec3 source_stand_, target_stand_;
  double reach_ = 0;  // from the target's hips down to its ground
};

}  // namespace

Retargeted retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                    const JointMap& map, const RetargetOptions& options) {
  if (!(options.fps >= 0) || !std::isfinite(options.fps)) {
    throw UsageError("frames per second are a number from 0 on");
  }
  if (!(options.tolerance >= 0)) throw UsageError("the tolerance is an angle from 0 on");
  std::vector<char> computed = marked(options.computed, target.joints.size());
  JointMap moved;
  std::vector<JointPair> left_out;
  for (const JointPair& pair : map.pairs) {
    const int joint = pair.target;
    const bool is_computed = joint >= 0 && joint < int(computed.size()) && computed[joint];
    (is_computed ? left_out : moved.pairs).push_back(pair);
  }
  Retargeted result = Player(source, motion, target, moved, std::move(computed), options).play();
  result.left_out = std::move(left_out);
  return result;
}

}  // namespace sinew
