// SPDX-License-Identifier: Apache-2.0
// All measures of a deformed rig at once, as `sinew compare` reports them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/deform/deform.h"
#include "sinew/measure/caps.h"
#include "sinew/measure/edges.h"
#include "sinew/measure/parts.h"
#include "sinew/measure/self_intersections.h"
#include "sinew/measure/strain.h"
#include "sinew/measure/twist.h"
#include "sinew/measure/volume.h"
#include "sinew/rig/rig.h"

namespace sinew {

// Where a bone's skin is thinnest.
struct BoneRadius {
  BoneIndex bone = 0;
  double smallest = 1;  // of its sections' radii, relative to rest
  double at = 0;        // where along it: 0 its head, 1 its tail
};

// Of one pose by one method; see the header of each.
struct Measures {
  std::optional<VolumeChange> volume;
  EdgeStretch edges;
  std::vector<BoneRadius> radii;  // of the twisted bones that have sections
  std::vector<JointTwist> twists;
  std::vector<CapError> caps;
  std::vector<PartError> parts;
  Strain strain;
  SelfIntersections intersections;
};

// `rest` are the positions before skinning: the mesh's, with blend shapes applied. `deformed` are
// the same vertices after skinning with these states. The rig must be valid. Throws as the measures
// do.
Measures measure(const Rig& rig, std::span<const BoneState> states, const std::vector<Vec3>& rest,
                 const std::vector<Vec3>& deformed);

// The worst value of each list; nothing if the list is empty.
std::optional<double> smallest_radius(const Measures& measures);
std::optional<double> largest_cap_error(const Measures& measures);  // root mean square of a cap
std::optional<double> largest_missed_end(const Measures& measures);
std::optional<PartError> least_rigid_end(const Measures& measures);   // end part, by rms
std::optional<PartError> most_turned_part(const Measures& measures);  // end part or trunk

// One pose under several methods.
struct Comparison {
  // What one method made of the pose.
  struct Result {
    std::string method;
    Measures measures;
  };
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t crossings_at_rest = 0;  // self-intersecting pairs
  std::vector<Result> results;
};

// Measures what each of the methods made of the same pose: `shapes` in the same order. Faster than
// measure() for one after the other. Throws as measure(), and UsageError if there is not one shape
// for each method.
Comparison compare_shapes(const Rig& rig, std::span<const BoneState> states,
                          const std::vector<Vec3>& rest, std::span<const std::string> methods,
                          std::span<const Deformed> shapes);

// "+2.5%" for 0.025; never a negative zero.
std::string signed_percent(double share);

// Two tables, one for the whole shape and one for its parts, with one line per method and no
// trailing line break. Parts are named after their joints.
std::string to_text(const Comparison& comparison, const Skeleton& skeleton);

// One object, indented by two spaces; bones by number and by joint name. Angles in degrees;
// undefined values are null.
std::string to_json(const Comparison& comparison, const Skeleton& skeleton);

}  // namespace sinew
