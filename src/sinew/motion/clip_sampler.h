// SPDX-License-Identifier: Apache-2.0
// A clip made ready for playing: any time, in any order, on any number of threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/motion/clip.h"

namespace sinew {

// The keys of a clip in flat arrays. Channels with the same key times share one search for the
// keys around a moment, and what the way between two rotations needs is computed once. Holds
// copies: the clip may go. Nothing in it changes after it was made, so that threads can share it.
class ClipSampler {
 public:
  // Throws UsageError as sample() of a curve.
  explicit ClipSampler(const Clip& clip);

  // In seconds: the time of the last key.
  double duration() const { return duration_; }

  // Overwrites in `pose` what the clip drives, at `time` (seconds); the rest stays. Where several
  // channels drive the same thing the last one counts. Allocates nothing. Throws UsageError for a
  // channel that drives what the pose does not have.
  void sample(double time, Pose& pose) const;

 private:
  // Key times that one or more curves have in common, in times_.
  struct Timeline {
    std::size_t first = 0, count = 0;
  };
  // Values are `width` numbers a key in values_, with handles followed by those after and before
  // each key, and their times; rotations with linear interpolation are arcs_ instead.
  struct Track {
    Interpolation interpolation = Interpolation::linear;
    int timeline = 0;
    std::size_t width = 1;
    std::size_t first = 0;
  };
  enum class Kind { translation, rotation, arc, euler, scale, shapes, control };
  struct Target {
    Kind kind = Kind::translation;
    int index = 0;  // of a joint, a control or the first shape
    EulerOrder order = EulerOrder::xyz;
    int track = 0;  // with euler the first of three
  };
  // For messages: what the channels drive, in the clip's order.
  struct Demand {
    const char* what;
    int first;
    std::size_t count;
  };
  // Where a time is among the keys of a timeline: at `key`, or on the way from it to the next.
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
  void find(int timeline, double time, Moment& moment) const;
  void read(const Track& track, double time, Moment& moment, double* result) const;
  Quat read_arc(const Track& track, double time, Moment& moment) const;
  void require_fits(const Pose& pose) const;

  std::string name_;
  double duration_ = 0;
  std::vector<double> times_;
  std::vector<Timeline> timelines_;
  std::vector<double> values_;
  std::vector<QuatArc<double>> arcs_;
  std::vector<Track> tracks_;
  std::vector<Target> targets_;
  std::vector<Demand> demands_;
  std::size_t joints_ = 0, shapes_ = 0, controls_ = 0;  // how many a pose must have
  bool fits_nothing_ = false;                           // a channel names a negative number
};

}  // namespace sinew
