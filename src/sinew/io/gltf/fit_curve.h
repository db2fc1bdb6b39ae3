// SPDX-License-Identifier: Apache-2.0
// Curves as glTF can hold them: single-precision times from 0 on, and step, linear or Hermite
// interpolation.
#pragma once

#include <vector>

#include "sinew/motion/clip.h"
#include "sinew/motion/curve.h"

namespace sinew::gltf {

// How far the lines that replace a curve may be from it: in radians for rotations, as a share of
// the range of the curve's values otherwise. No stretch between two keys is cut into more than 256.
inline constexpr double fit_tolerance = 1e-4;

// Curves that glTF knows come back as they are. Bezier curves whose handles lie at thirds become
// the same curve in Hermite form. All others (other Bezier handles, keys before time 0) become
// lines within fit_tolerance. Keys whose times are equal in single precision become one, the last;
// rotations come out unit. A curve without keys stays one.
Curve<Vec3> fit_curve(const Curve<Vec3>& curve);
Curve<Quat> fit_curve(const Curve<Quat>& curve);
Curve<std::vector<double>> fit_curve(const Curve<std::vector<double>>& curve);

// As quaternions: stepped where all three angles are, otherwise lines within fit_tolerance. Without
// any key: one key at time 0.
Curve<Quat> fit_curve(const EulerCurves& curves);

// Curves for parts of one list of blend-shape weights, as one curve for all of it.
struct ShapePart {
  std::size_t first = 0;  // place of the curve's first value in the list
  const Curve<std::vector<double>>* curve = nullptr;
};
// Values that no part drives stay as in `defaults`; where parts overlap, the later one counts.
Curve<std::vector<double>> fit_curve(const std::vector<ShapePart>& parts,
                                     const std::vector<double>& defaults);

}  // namespace sinew::gltf
