// SPDX-License-Identifier: Apache-2.0
// From a moment of a clip to matrices for skinning: ozz-animation's jobs and ours in turns, on the
// same joints and keys, one thread. Microseconds per frame: the mean over a clip played forwards,
// of each moment the least of many passes.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <ozz/animation/offline/animation_builder.h>
#include <ozz/animation/offline/raw_animation.h>
#include <ozz/animation/offline/raw_skeleton.h>
#include <ozz/animation/offline/skeleton_builder.h>
#include <ozz/animation/runtime/animation.h>
#include <ozz/animation/runtime/local_to_model_job.h>
#include <ozz/animation/runtime/sampling_job.h>
#include <ozz/animation/runtime/skeleton.h>
#include <ozz/base/maths/simd_math.h>
#include <ozz/base/maths/soa_transform.h>

#include "bench/character.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"

namespace sinew::bench {
namespace {

constexpr int frames = 120;  // of the two seconds of the clip, forwards

ozz::math::Transform to_ozz(const Transform& t) {
  ozz::math::Transform result = ozz::math::Transform::identity();
  result.translation = {float(t.translation.x), float(t.translation.y), float(t.translation.z)};
  result.rotation = {float(t.rotation.x), float(t.rotation.y), float(t.rotation.z),
                     float(t.rotation.w)};
  return result;
}

class OzzCharacter {
 public:
  explicit OzzCharacter(const Rig& rig) {
    const auto children = children_of(rig.skeleton);
    const std::function<void(int, ozz::animation::offline::RawSkeleton::Joint&)> fill =
        [&](int joint, ozz::animation::offline::RawSkeleton::Joint& to) {
          to.name = std::to_string(joint).c_str();
          to.transform = to_ozz(rig.skeleton.joints[joint].rest);
          to.children.resize(children[joint].size());
          for (std::size_t i = 0; i < to.children.size(); ++i) {
            fill(children[joint][i], to.children[i]);
          }
        };
    ozz::animation::offline::RawSkeleton raw;
    raw.roots.resize(1);
    fill(0, raw.roots[0]);
    skeleton_ = ozz::animation::offline::SkeletonBuilder()(raw);
    ozz::animation::offline::RawAnimation keys;
    keys.duration = float(duration(rig.clips.front()));
    for (const char* name : skeleton_->joint_names()) {
      const int joint = std::atoi(name);
      const auto& channel = std::get<RotationChannel>(rig.clips.front().channels[joint]);
      const auto& curve = std::get<Curve<Quat>>(channel.curve);
      ozz::animation::offline::RawAnimation::JointTrack track;
      track.translations.push_back({0, to_ozz(rig.skeleton.joints[joint].rest).translation});
      for (std::size_t k = 0; k < curve.times.size(); ++k) {
        Transform key;
        key.rotation = curve.values[k];
        track.rotations.push_back({float(curve.times[k]), to_ozz(key).rotation});
      }
      keys.tracks.push_back(track);
      inverse_.push_back(ozz::math::Float4x4::identity());
    }
    animation_ = ozz::animation::offline::AnimationBuilder()(keys);
    context_.Resize(skeleton_->num_joints());
    locals_.resize(skeleton_->num_soa_joints());
    models_.resize(skeleton_->num_joints());
    pose(0);
    for (std::size_t j = 0; j < inverse_.size(); ++j) inverse_[j] = Invert(models_[j]);
    matrices_.resize(models_.size());
  }

  void pose(double time) {
    ozz::animation::SamplingJob sampling;
    sampling.animation = animation_.get();
    sampling.context = &context_;
    sampling.ratio = float(time) / animation_->duration();
    sampling.output = ozz::make_span(locals_);
    ozz::animation::LocalToModelJob to_model;
    to_model.skeleton = skeleton_.get();
    to_model.input = ozz::make_span(locals_);
    to_model.output = ozz::make_span(models_);
    if (!sampling.Run() || !to_model.Run()) std::abort();
    for (std::size_t j = 0; j < matrices_.size(); ++j) matrices_[j] = models_[j] * inverse_[j];
  }

 private:
  ozz::unique_ptr<ozz::animation::Skeleton> skeleton_;
  ozz::unique_ptr<ozz::animation::Animation> animation_;
  ozz::animation::SamplingJob::Context context_;
  ozz::vector<ozz::math::SoaTransform> locals_;
  ozz::vector<ozz::math::Float4x4> models_, inverse_, matrices_;
};

class OurCharacter {
 public:
  OurCharacter(const Rig& rig, const Binding& binding, const RigPlan& plan, const char* name)
      : method_(method_from_name(name, rig)),
        clip_(plan, rig.clips.front(), method_.traits().bones),
        posed_(plan, {.detail = method_.traits().bones}),
        palette_(Plan(binding, method_)) {}

  void pose(double time) {
    posed_.play(clip_, time);
    palette_.update(posed_);
  }

 private:
  Method method_;
  ClipPlan clip_;
  PosedRig posed_;
  Palette palette_;
};

// Few at once: other programs may interrupt.
constexpr int at_once = 4;
using Times = std::array<double, frames / at_once>;

void measure(const std::function<void(double)>& pose, Times& least) {
  for (std::size_t part = 0; part < least.size(); ++part) {
    const auto start = std::chrono::steady_clock::now();
    for (int f = 0; f < at_once; ++f) pose(2.0 * (int(part) * at_once + f) / frames);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    least[part] = std::min(least[part], taken.count());
  }
}

void compare(int joints) {
  const Rig rig = many_joints(joints);
  const Binding binding(rig);
  const RigPlan plan(rig);
  const std::vector<const char*> names = {"lbs", "dqs", "stbs-lbs", "stbs-dqs"};
  OzzCharacter ozz(rig);
  std::vector<OurCharacter> ours;
  for (const char* name : names) ours.emplace_back(rig, binding, plan, name);
  Times unknown;
  unknown.fill(std::numeric_limits<double>::infinity());
  std::vector<Times> least(1 + names.size(), unknown);
  for (int pass = 0; pass < 12000 / joints; ++pass) {
    measure([&](double time) { ozz.pose(time); }, least[0]);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      measure([&](double time) { ours[i].pose(time); }, least[i + 1]);
    }
  }
  const auto microseconds = [](const Times& times) {
    return std::accumulate(times.begin(), times.end(), 0.0) * 1e6 / frames;
  };
  const double theirs = microseconds(least[0]);
  std::printf("%d,ozz,%.3f,1\n", joints, theirs);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double own = microseconds(least[i + 1]);
    std::printf("%d,%s,%.3f,%.2f\n", joints, names[i], own, own / theirs);
  }
}

}  // namespace
}  // namespace sinew::bench

int main() {
  sinew::set_thread_count(1);
  std::puts("joints,method,us_per_frame,times_ozz");
  sinew::bench::compare(60);
  sinew::bench::compare(1000);
}
