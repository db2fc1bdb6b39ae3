// SPDX-License-Identifier: Apache-2.0
// Keyframe curves: values over time.
#pragma once

#include <vector>

#include "sinew/core/quat.h"
#include "sinew/core/vec.h"

namespace sinew {

// How to go from a key to the next.
enum class Interpolation {
  step,     // the key's value until the next key
  linear,   // a straight line; for rotations, slerp along the shorter arc
  hermite,  // cubic with the slope (per second) before and after each key: glTF's CUBICSPLINE
  bezier,   // cubic with handles (offset in time and in value) before and after each key
};

// Constant before the first key and after the last. T is double, Vec3, Quat, or std::vector<double>
// (blend-shape weights, the same number for all keys). Sampled quaternions have unit length.
template <class T>
struct Curve {
  // The shape of the curve on one side of a key.
  struct Handle {
    double time = 0;  // offset from the key, for bezier only: <= 0 for `in`, >= 0 for `out`
    T value{};        // hermite: slope per second; bezier: offset from the key's value
    friend bool operator==(const Handle&, const Handle&) = default;
  };

  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times;  // strictly ascending, in seconds
  std::vector<T> values;      // one per key
  std::vector<Handle> in;     // one per key with hermite and bezier, empty otherwise
  std::vector<Handle> out;

  friend bool operator==(const Curve&, const Curve&) = default;
};

// The curve at `time`. A curve without keys gives T{}. Bezier handles that reach past the next key
// are shortened so that time never runs backwards. NaN counts as a time before all keys. Throws
// UsageError if there is not one value per key and, for hermite and bezier, one handle on either
// side. Does not check that times ascend: validate() does.
double sample(const Curve<double>& curve, double time);
Vec3 sample(const Curve<Vec3>& curve, double time);
Quat sample(const Curve<Quat>& curve, double time);
std::vector<double> sample(const Curve<std::vector<double>>& curve, double time);

}  // namespace sinew
