// SPDX-License-Identifier: Apache-2.0
// Muscles: bones whose skin swells or thins across them as the bone changes its length or a joint
// bends (docs/methods/muscles.md has the equations).
#pragma once

#include <optional>

#include "sinew/core/vec.h"
#include "sinew/skeleton/indices.h"
#include "sinew/skin/filter.h"

namespace sinew {

// A joint that tenses a muscle: nothing at the angle `start`, `gain` at `end` and beyond it,
// linear between them. The angle is that by which the joint has turned from rest, in degrees: in
// total (0 to 180), or about `axis` (a vector in the joint's own frame; -180 to 180).
struct MuscleAngle {
  JointIndex joint = no_joint;
  std::optional<Vec3> axis{};
  double start = 0, end = 90;
  double gain = 0.3;
  friend bool operator==(const MuscleAngle&, const MuscleAngle&) = default;
};

// The muscle of one bone: it scales the distance from the bone's axis by 1 + g B(e), e the endpoint
// weight of the stretch before its filter, g the drive of the pose (deform/muscles.h).
struct Muscle {
  // B: a curve [0, 1] -> [0, 1], which may fall. Without points 16 e^2 (1 - e)^2: nothing at the
  // ends, most in the middle, smooth.
  FilterCurve profile{{}, true};
  // How much the bone's change of length drives it: with 1, a limb of constant width keeps its
  // volume where B is 1.
  double stretch = 0;
  std::optional<MuscleAngle> angle{};  // of a joint that drives it, too
  // The side of the bone that swells, a direction in mesh space: all of the bulge is there, nothing
  // of it on the other side. If missing, the bone swells all around.
  std::optional<Vec3> side{};

  // Whether nothing drives it.
  bool is_none() const { return stretch == 0 && !angle; }
  friend bool operator==(const Muscle&, const Muscle&) = default;
};

// Gains are at most this, of either sign.
inline constexpr double largest_muscle_gain = 10;

// B(e), at least 0 and at most 1. The muscle must be valid. NaN counts as 0.
double bulge_profile(const Muscle& muscle, double e);

// The share of a bulge at a point whose angle from the middle of the muscle's side has this cosine.
// 1 for a muscle without a side.
double bulge_side(const Muscle& muscle, double cosine);

// Throws InputError naming the value that breaks a rule: points as those of filters; gains that are
// finite and at most largest_muscle_gain; angles from -180 to 180 (from 0 without an axis), with
// different ends; an axis and a side of some length.
void validate(const Muscle& muscle);

}  // namespace sinew
