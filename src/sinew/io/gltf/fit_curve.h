// SPDX-License-Identifier: Apache-2.0
// Converts curves to what glTF can store: single-precision times from 0 on, with step, linear or
// Hermite interpolation.
#pragma once

#include <vector>

#include "sinew/motion/clip.h"
#include "sinew/motion/curve.h"

namespace sinew::gltf {

// Tolerance of the line segments that replace a curve: in radians for rotations, otherwise as a
// fraction of the range of the curve's values. An interval between two keys is divided into at most
// 256 segments.
inline constexpr double fit_tolerance = 1e-4;

// Curves that glTF can store are returned unchanged. Bezier curves with handles at thirds become
// the same curve in Hermite form. All others (other Bezier handles, keys before time 0) become line
// segments within fit_tolerance. Of keys whose times are equal in single precision the last is
// kept; rotations are normalised. A curve without keys stays empty.
Curve<Vec3> fit_curve(const Curve<Vec3>& curve);
Curve<Quat> fit_curve(const Curve<Quat>& curve);
Curve<std::vector<double>> fit_curve(const Curve<std::vector<double>>& curve);

// Converts to quaternions: stepped if all three angles are, otherwise line segments within
// fit_tolerance. Without any key: one key at time 0.
Curve<Quat> fit_curve(const EulerCurves& curves);

// A curve for part of a list of blend-shape weights, to be merged into one curve for the whole
// list.
struct ShapePart {
  std::size_t first = 0;  // place of the curve's first value in the list
  const Curve<std::vector<double>>* curve = nullptr;
};
// Values driven by no part stay at `defaults`; where parts overlap, the later one wins.
Curve<std::vector<double>> fit_curve(const std::vector<ShapePart>& parts,
                                     const std::vector<double>& defaults);

}  // namespace sinew::gltf
