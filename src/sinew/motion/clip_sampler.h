// SPDX-License-Identifier: Apache-2.0
// A clip prepared for playback: random access in time, on any number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/motion/clip.h"

namespace sinew {

// The keys of a clip in flat arrays. Channels with the same key times share one search for the keys
// around a time, and the arcs between rotation keys are computed once. Holds copies: the clip need
// not outlive it. Immutable, so that threads can share it.
class ClipSampler {
 public:
  // Throws UsageError as sample(curve, time) does.
  explicit ClipSampler(const Clip& clip);

  // In seconds: the time of the last key.
  double duration() const { return duration_; }

  // Overwrites the parts of `pose` that the clip drives, at `time` (seconds). If several channels
  // drive the same property, the last one wins. Allocates nothing. Throws UsageError for a channel
  // that drives a joint, shape or control that the pose does not have.
  void sample(double time, Pose& pose) const;

 private:
  // Key times, in times_, shared by one or more curves.
  struct Timeline {
    std::size_t first = 0, count = 0;
  };
  // Arcs between the keys of one timeline: in arcs_, for each key those of all `joints`.
  struct ArcGroup {
    int timeline = 0;
    std::size_t first = 0;  // in arcs_
    std::vector<int> joints;
  };
  // The keys of a curve: `width` numbers per key in values_. With handles, these are followed by
  // the out and in handles of all keys, and their times. Linear rotations are arcs instead.
  struct Track {
    Interpolation interpolation = Interpolation::linear;
    int timeline = 0;
    std::size_t width = 1;
    std::size_t first = 0;
  };
  enum class Kind { translation, rotation, arc, euler, scale, shapes, control };
  struct Target {
    Kind kind = Kind::translation;
    int index = 0;  // of the joint, the control or the first shape
    EulerOrder order = EulerOrder::xyz;
    int track = 0;  // for euler, the first of three
  };
  // For error messages: what the channels drive, in the clip's order.
  struct Demand {
    const char* what;
    int first;
    std::size_t count;
  };
  // The position of a time in a timeline: at `key`, or between it and the next one.
  struct Moment {
    int timeline = -1;
    std::size_t key = 0;
    bool is_between = false;
    double t = 0, seconds = 0;
  };

  template <class T>
  int add_track(const Curve<T>& curve);
  int add_arcs(const Curve<Quat>& curve);
  template <class T>
  int timeline_of(const Curve<T>& curve);
  void add(const Channel& channel);
  void drop_overwritten();
  void group_arcs(std::span<const Target> targets);
  void find(int timeline, double time, Moment& moment) const;
  void read(const Track& track, double time, Moment& moment, double* result) const;
  void sample_rotations(double time, Pose& pose) const;
  void require_fits(const Pose& pose) const;

  std::string name_;
  double duration_ = 0;
  std::vector<double> times_;
  std::vector<Timeline> timelines_;
  std::vector<double> values_;
  std::vector<QuatArc<double>> arcs_;
  std::vector<Track> tracks_;
  std::vector<Target> targets_;
  std::vector<ArcGroup> arc_groups_;  // instead of targets of Kind::arc
  std::vector<Demand> demands_;
  std::size_t joints_ = 0, shapes_ = 0, controls_ = 0;  // how many a pose must have
  bool fits_nothing_ = false;                           // a channel has a negative index
};

}  // namespace sinew
