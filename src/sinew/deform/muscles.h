// SPDX-License-Identifier: Apache-2.0
// Muscles in a pose: how much each is driven, and where a bulge moves the skin
// (docs/methods/muscles.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/core/rows.h"
#include "sinew/deform/bone_state.h"
#include "sinew/mesh/mesh.h"
#include "sinew/rig/rig.h"

namespace sinew {

// The drive is at least this, so that a muscle never leaves less than a tenth of the radius.
inline constexpr double least_drive = -0.9;

// The drive g of a muscle whose bone has `factor` times its length at bind, and whose joint has
// turned by `degrees`: gain (1 / sqrt(factor) - 1) plus what the angle adds, limited as
// squash() is and by least_drive. The muscle must be valid.
double muscle_drive(const Muscle& muscle, double factor, double degrees);

// The angle in degrees that a muscle follows, from its joint's rotation relative to rest.
double muscle_angle(const MuscleAngle& angle, const Quat& turned);

// One bone's bulge at one vertex, at the drive 1: w B (p - a) across the bone, in mesh space. Moves
// are added to the mesh at bind as those of blend shapes are, before the bones move it.
struct Bulge {
  BoneIndex bone = no_bone;
  Vec3 move;
  double share = 0;  // w B, with the share of the muscle's side
  Vec3 slope;        // its gradient along the surface
  Vec3 arm, axis;    // from the bone's axis to the vertex; along the bone

  // The derivative of the move along a direction of the surface.
  Vec3 along(const Vec3& direction) const {
    return (direction - axis * dot(axis, direction)) * share + arm * dot(slope, direction);
  }
};

// The bulges of each vertex: of bones with a muscle that moves it or, if slopes are asked for, a
// neighbour of it. Slopes are those of values that are linear on the triangles, averaged at the
// vertices by area as those of weights are. No rows at all for a rig without muscles. The rig must
// be valid.
Rows<Bulge> bulge_rows(const Rig& rig, bool with_slopes);

// The blend shapes that do the same, one for each bone with a muscle that moves anything, for
// programs that know blend shapes only: their weights are the drives. Normals and tangents turn as
// they begin to.
struct BulgeShape {
  BoneIndex bone = no_bone;
  BlendShape shape;  // named "bulge_" and the bone's name
};
std::vector<BulgeShape> bulge_shapes(const Rig& rig);

// Whether any bone has a muscle.
bool has_muscles(const Skin& skin);

}  // namespace sinew
