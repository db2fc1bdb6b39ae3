// SPDX-License-Identifier: Apache-2.0
// Interpolation between two keys, shared by Curve and ClipSampler.
#pragma once

#include <cstddef>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/motion/curve.h"

namespace sinew::motion {

inline bool has_handles(Interpolation interpolation) {
  return interpolation == Interpolation::hermite || interpolation == Interpolation::bezier;
}

// Throws UsageError if there is not one value per key and, for hermite and bezier, one handle on
// either side.
template <class T>
void require_keys(const Curve<T>& curve) {
  const std::size_t keys = curve.times.size();
  const std::size_t handles = has_handles(curve.interpolation) ? keys : 0;
  if (curve.values.size() == keys && curve.in.size() >= handles && curve.out.size() >= handles) {
    return;
  }
  throw UsageError(formatted("a curve has {} times, {} values, {} and {} handles", keys,
                             curve.values.size(), curve.in.size(), curve.out.size()));
}

// Two consecutive keys. Values and handles are `width` numbers each. `out` is the handle after the
// first key, `in` the one before the second; only hermite and bezier read them.
struct KeySpan {
  const double* from = nullptr;
  const double* to = nullptr;
  const double* out = nullptr;
  const double* in = nullptr;
  double out_time = 0, in_time = 0;
  double seconds = 0;  // between the two
  std::size_t width = 1;
};

// Interpolates at t in [0, 1] between the keys, component by component. The caller normalises
// rotations, and uses arc_point for linear ones.
void interpolate(Interpolation interpolation, const KeySpan& keys, double t, double* result);

}  // namespace sinew::motion
