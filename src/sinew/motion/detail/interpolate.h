// SPDX-License-Identifier: Apache-2.0
// What curves and clips made ready for playing share: the way from one key to the next.
#pragma once

#include <cstddef>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/motion/curve.h"

namespace sinew::motion {

inline bool has_handles(Interpolation interpolation) {
  return interpolation == Interpolation::hermite || interpolation == Interpolation::bezier;
}

// Throws UsageError where there is not one value per key, or with hermite and bezier one handle on
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

// Two keys that follow each other. Values and handles are `width` numbers each; the handles, those
// after the first key and before the second, are read by hermite and bezier alone.
struct KeySpan {
  const double* from = nullptr;
  const double* to = nullptr;
  const double* out = nullptr;
  const double* in = nullptr;
  double out_time = 0, in_time = 0;
  double seconds = 0;  // between the two
  std::size_t width = 1;
};

// The values at t in [0, 1] between the keys, number by number. Rotations are for the caller to
// normalise; linear ones go along an arc instead (point_on).
void interpolate(Interpolation interpolation, const KeySpan& keys, double t, double* result);

}  // namespace sinew::motion
