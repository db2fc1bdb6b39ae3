// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/fit_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sinew/io/gltf/append.h"

namespace sinew::gltf {
namespace {

using Numbers = std::vector<double>;

Vec3 between(const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); }
Quat between(const Quat& a, const Quat& b, double t) { return slerp(a, b, t); }
Numbers between(const Numbers& a, const Numbers& b, double t) {
  Numbers result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = std::lerp(a[i], b[i], t);
  return result;
}

double difference(const Vec3& a, const Vec3& b) { return distance(a, b); }
double difference(const Quat& a, const Quat& b) { return rotation_angle(conjugate(a) * b); }
double difference(const Numbers& a, const Numbers& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

double magnitude(const Vec3& v) { return length(v); }
double magnitude(const Numbers& v) { return difference(v, Numbers(v.size())); }

void scale(Vec3& v, double s) { v *= s; }
void scale(Quat& q, double s) { q = q * s; }
void scale(Numbers& v, double s) {
  for (double& x : v) x *= s;
}

template <class T>
double tolerance_of(const Curve<T>& curve) {
  double range = 0;
  for (std::size_t k = 0; k < curve.values.size(); ++k) {
    range = std::max(range, difference(curve.values.front(), curve.values[k]));
    if (curve.interpolation == Interpolation::bezier) {
      range = std::max({range, magnitude(curve.in[k].value), magnitude(curve.out[k].value)});
    }
  }
  return fit_tolerance * range;
}
double tolerance_of(const Curve<Quat>&) { return fit_tolerance; }

double rounded(double time) { return to_float(time); }
double next_before(double time) {
  return std::nextafter(static_cast<float>(time), -std::numeric_limits<float>::infinity());
}

// The times at which the lines must have a corner: the keys, and for a stepped curve the moment
// before each as well.
template <class T>
void add_corners(const Curve<T>& curve, Numbers& corners) {
  for (const double time : curve.times) {
    double corner = rounded(time);
    if (curve.interpolation == Interpolation::step) {
      if (corner < time) {
        corner = std::nextafter(static_cast<float>(corner), std::numeric_limits<float>::infinity());
      }
      corners.push_back(next_before(corner));
    }
    corners.push_back(corner);
  }
}

// Lines through value(t) at the corners and wherever else the tolerance asks for it.
template <class Value>
auto lines(const Value& value, Numbers corners, double tolerance) {
  using T = decltype(value(0.0));
  for (double& time : corners) time = std::max(time, 0.0);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());

  Curve<T> result;
  const auto add = [&](double time) {
    if (!result.times.empty() && !(time > result.times.back())) return;
    result.times.push_back(time);
    result.values.push_back(value(time));
  };
  const auto refine = [&](const auto& self, double from, double to, int depth) -> void {
    if (depth < 8 && from < next_before(to)) {
      const T a = value(from), b = value(to);
      bool straight = true;
      for (const double t : {0.25, 0.5, 0.75}) {
        const T line = between(a, b, t);
        straight = straight && difference(line, value(std::lerp(from, to, t))) <= tolerance;
      }
      if (!straight) {
        const double middle = rounded(std::lerp(from, to, 0.5));
        self(self, from, middle, depth + 1);
        self(self, middle, to, depth + 1);
        return;
      }
    }
    add(to);
  };
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i == 0) {
      add(corners[i]);
    } else {
      refine(refine, corners[i - 1], corners[i], 0);
    }
  }
  return result;
}

template <class T>
bool handles_at_thirds(const Curve<T>& curve) {
  const auto near = [](double a, double b) { return std::fabs(a - b) <= 1e-6 * std::fabs(b); };
  for (std::size_t k = 0; k + 1 < curve.times.size(); ++k) {
    const double third = (curve.times[k + 1] - curve.times[k]) / 3;
    if (!near(curve.out[k].time, third) || !near(curve.in[k + 1].time, -third)) return false;
  }
  return true;
}

template <class T>
Curve<T> bezier_as_hermite(Curve<T> curve) {
  curve.interpolation = Interpolation::hermite;
  const std::size_t last = curve.times.size() - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const double before = k > 0 ? curve.times[k] - curve.times[k - 1] : 0;
    const double after = k < last ? curve.times[k + 1] - curve.times[k] : 0;
    scale(curve.in[k].value, before > 0 ? -3 / before : 0);
    scale(curve.out[k].value, after > 0 ? 3 / after : 0);
    curve.in[k].time = curve.out[k].time = 0;
  }
  return curve;
}

template <class T>
void keep_unit(Curve<T>&) {}
// If a length deviates from 1 by no more than single-precision rounding, the bits are kept.
void keep_unit(Curve<Quat>& curve) {
  for (std::size_t k = 0; k < curve.values.size(); ++k) {
    Quat& q = curve.values[k];
    const double size = std::sqrt(dot(q, q));
    if (std::fabs(size - 1) <= 1e-6) continue;
    q = normalized(q);
    if (curve.interpolation != Interpolation::hermite || !(size > 0)) continue;
    scale(curve.in[k].value, 1 / size);
    scale(curve.out[k].value, 1 / size);
  }
}

template <class T>
void merge_equal_times(Curve<T>& curve) {
  const bool handles = curve.interpolation == Interpolation::hermite;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < curve.times.size(); ++k) {
    const double time = rounded(curve.times[k]);
    if (kept > 0 && !(time > curve.times[kept - 1])) --kept;
    curve.times[kept] = time;
    curve.values[kept] = curve.values[k];
    if (handles) {
      curve.in[kept] = curve.in[k];
      curve.out[kept] = curve.out[k];
    }
    ++kept;
  }
  curve.times.resize(kept);
  curve.values.resize(kept);
  if (handles) {
    curve.in.resize(kept);
    curve.out.resize(kept);
  }
}

template <class T>
Curve<T> fit(const Curve<T>& curve) {
  if (curve.times.empty()) return curve;
  Curve<T> result = curve;
  const bool bezier = curve.interpolation == Interpolation::bezier;
  if (curve.times.front() < 0 || (bezier && !handles_at_thirds(curve))) {
    Numbers corners;
    add_corners(curve, corners);
    result = lines([&](double time) { return sample(curve, time); }, std::move(corners),
                   tolerance_of(curve));
  } else if (bezier) {
    result = bezier_as_hermite(std::move(result));
  }
  merge_equal_times(result);
  keep_unit(result);
  // A spline needs two keys; with one, nothing is between keys anyway.
  if (result.times.size() == 1 && result.interpolation == Interpolation::hermite) {
    result.interpolation = Interpolation::linear;
    result.in.clear();
    result.out.clear();
  }
  return result;
}

}  // namespace

Curve<Vec3> fit_curve(const Curve<Vec3>& curve) { return fit(curve); }
Curve<Quat> fit_curve(const Curve<Quat>& curve) { return fit(curve); }
Curve<Numbers> fit_curve(const Curve<Numbers>& curve) { return fit(curve); }

Curve<Quat> fit_curve(const EulerCurves& curves) {
  const auto value = [&](double time) {
    return from_euler({sample(curves.x, time), sample(curves.y, time), sample(curves.z, time)},
                      curves.order);
  };
  bool stepped = true;
  Numbers times, corners;
  for (const Curve<double>* curve : {&curves.x, &curves.y, &curves.z}) {
    times.insert(times.end(), curve->times.begin(), curve->times.end());
    add_corners(*curve, corners);
    stepped = stepped && (curve->times.size() < 2 || curve->interpolation == Interpolation::step);
  }
  if (times.empty()) times = corners = {0.0};
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (!stepped || times.front() < 0) return lines(value, std::move(corners), fit_tolerance);

  Curve<Quat> result;
  result.interpolation = Interpolation::step;
  result.times = times;
  for (const double time : times) result.values.push_back(value(time));
  merge_equal_times(result);
  return result;
}

Curve<Numbers> fit_curve(const std::vector<ShapePart>& parts, const Numbers& defaults) {
  const auto fill = [](Numbers& all, const ShapePart& part, const Numbers& values) {
    std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(part.first));
  };
  std::vector<Curve<Numbers>> fitted;
  for (const ShapePart& part : parts) fitted.push_back(fit_curve(*part.curve));
  const Curve<Numbers>& model = fitted.front();
  const bool alike = std::all_of(fitted.begin(), fitted.end(), [&](const Curve<Numbers>& curve) {
    return curve.interpolation == model.interpolation && curve.times == model.times;
  });
  if (!alike) {
    Numbers corners;
    double tolerance = std::numeric_limits<double>::infinity();
    for (const Curve<Numbers>& curve : fitted) {
      add_corners(curve, corners);
      if (const double own = tolerance_of(curve); own > 0) tolerance = std::min(tolerance, own);
    }
    const auto value = [&](double time) {
      Numbers all = defaults;
      for (std::size_t i = 0; i < parts.size(); ++i) fill(all, parts[i], sample(fitted[i], time));
      return all;
    };
    return lines(value, std::move(corners), tolerance);
  }

  Curve<Numbers> result = model;
  for (std::size_t k = 0; k < model.times.size(); ++k) {
    result.values[k] = defaults;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      fill(result.values[k], parts[i], fitted[i].values[k]);
    }
    if (model.in.empty()) continue;
    result.in[k].value = result.out[k].value = Numbers(defaults.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      fill(result.in[k].value, parts[i], fitted[i].in[k].value);
      fill(result.out[k].value, parts[i], fitted[i].out[k].value);
    }
  }
  return result;
}

}  // namespace sinew::gltf
