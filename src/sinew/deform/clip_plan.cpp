// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/clip_plan.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/detail/pose_bones.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/deform/twist.h"

namespace sinew {
namespace {

constexpr double steps_per_second = 60;
// Only the first hours of an absurdly long clip are tracked.
constexpr double longest_clip = 1e4;
constexpr std::size_t steps_at_once = 64;  // for one thread

double step_time(std::size_t step) { return double(step) / steps_per_second; }

// How many steps come before `time`.
std::size_t steps_before(double time, double duration) {
  const double end = std::clamp(time, 0.0, std::min(duration, longest_clip));
  std::size_t count = std::size_t(end * steps_per_second);
  while (step_time(count) < end) ++count;
  while (count > 0 && !(step_time(count - 1) < end)) --count;
  return count;
}

}  // namespace

ClipPlan::ClipPlan(const RigPlan& rig, const Clip& clip, BoneDetail detail) {
  Data data{rig, ClipSampler(clip), detail, {}, {}};
  Pose pose = rig.rest_pose();
  data.sampler.sample(0, pose);  // whether it fits
  if (detail >= BoneDetail::ends) follow_twists(data);
  data_ = std::make_shared<const Data>(std::move(data));
}

void ClipPlan::follow_twists(Data& data) {
  const double duration = data.sampler.duration();
  const std::size_t steps = steps_before(duration, duration);
  const std::size_t angles = 3 * detail::padded_count(data.rig.bone_count());
  // Calls body(step, angles) with the angles of each step's pose by itself; the last step is the
  // end of the clip.
  const auto for_each_step = [&](const auto& body) {
    parallel_for(steps + 1, steps_at_once, [&](std::size_t begin, std::size_t end) {
      PosedRig posed(data.rig, {.detail = data.detail});
      Pose pose = data.rig.rest_pose();
      for (std::size_t s = begin; s < end; ++s) {
        pose = data.rig.rest_pose();
        data.sampler.sample(s < steps ? step_time(s) : duration, pose);
        data.rig.apply_drivers(pose);
        posed.set(pose);
        body(s, posed.angles_);
      }
    });
  };

  std::vector<std::vector<char>> leaves((steps + steps_at_once) / steps_at_once,
                                        std::vector<char>(angles, 0));
  for_each_step([&](std::size_t step, const std::vector<double>& now) {
    std::vector<char>& here = leaves[step / steps_at_once];
    // False if it is unknown: comparisons with no_twist (NaN) are false.
    for (std::size_t a = 0; a < angles; ++a) here[a] |= char(std::fabs(now[a]) >= pi / 2);
  });
  for (std::size_t a = 0; a < angles; ++a) {
    const bool turns = std::any_of(leaves.begin(), leaves.end(),
                                   [&](const std::vector<char>& here) { return here[a] != 0; });
    if (turns) data.turning.push_back(int(a));
  }
  const std::size_t width = data.turning.size();
  if (width == 0) return;

  data.steps.resize(steps * width);
  for_each_step([&](std::size_t step, const std::vector<double>& now) {
    if (step == steps) return;
    for (std::size_t i = 0; i < width; ++i) data.steps[step * width + i] = now[data.turning[i]];
  });
  for (std::size_t i = width; i < data.steps.size(); ++i) {
    double& now = data.steps[i];
    const double before = data.steps[i - width];
    now = std::isnan(now) ? before : nearest_turn(now, before);
  }
}

void ClipPlan::sample(double time, Pose& pose) const {
  if (std::isnan(time)) throw UsageError("the time in a clip must be a number of seconds");
  pose = data_->rig.rest_pose();
  data_->sampler.sample(time, pose);
  data_->rig.apply_drivers(pose);
}

void ClipPlan::resample(double time, Pose& pose) const {
  const RigPlan::Data& rig = data_->rig.data();
  if (std::isnan(time) || !rig.drivers.empty() || !rig.shape_drivers.empty()) {
    sample(time, pose);
  } else {
    data_->sampler.sample(time, pose);
  }
}

void ClipPlan::twists_before(double time, std::span<double> angles) const {
  std::fill(angles.begin(), angles.end(), no_twist);
  const std::size_t width = data_->turning.size();
  if (width == 0) return;
  const std::size_t steps = steps_before(time, duration());
  if (steps == 0) return;
  const double* row = data_->steps.data() + (steps - 1) * width;
  for (std::size_t i = 0; i < width; ++i) angles[data_->turning[i]] = row[i];
}

}  // namespace sinew
