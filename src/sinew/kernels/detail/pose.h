// SPDX-License-Identifier: Apache-2.0
// A pose as the kernels read it: floats per bone, relative to the packed rig's center.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/skinning.h"
#include "sinew/kernels/detail/packed.h"

namespace sinew::kernels {

inline constexpr std::uint32_t no_kept_bone = 0xffffffff;

// A 3x4 matrix by rows.
using MatrixRows = std::array<float, 12>;

// Flags: whether a bone's endpoint weights matter in this pose.
enum Moves : std::uint8_t { stretches = 1, twists = 2 };

// A bone that twists along its length: `in` takes a point to the bone's frame (first axis along the
// bone), then it is rotated about that axis, and `out` takes it to the pose. The rotation is by (e
// - 1/2) times the difference of the two end twists; their mean is part of `out`, which keeps
// angles small.
struct TurningBone {
  MatrixRows in;                // p -> (along, across, across)
  MatrixRows out;               // from there to the pose
  float stretch_length = 0;     // along the first axis, at e = 1
  float half_turns = 0;         // of twist, from the head to the tail
  std::array<float, 2> room{};  // numbers are stored by four
  // For normals, all three as one map: fixed + cos(turn) cosine + sin(turn) sine.
  MatrixRows fixed, cosine, sine;
};

// The same as dual quaternions (x y z w): real = c real_cosine + s real_sine, with c and s the
// cosine and sine of half the turn. The dual part is formed alike, plus e times the stretch part.
struct TurningMotion {
  std::array<float, 4> real_cosine, real_sine;
  std::array<float, 4> dual_cosine, dual_sine;
  std::array<float, 4> stretch_cosine, stretch_sine;
  float half_turns = 0;         // of half the twist, from the head to the tail
  std::array<float, 3> room{};  // numbers are stored by four
};

// Derivatives of a posed point q by its endpoint weights: axis x q + shift for that of the twist,
// `stretch` for that of the stretch.
struct Rate {
  std::array<float, 3> axis, shift, stretch_vector;
};

// For eight bones, side by side: a unit vector along the posed bone, its posed head, half the turn
// from its head to its tail in radians, and its stretch.
using RateLanes = std::array<std::array<double, 8>, 8>;

struct Motion {
  std::array<float, 4> real, dual;
};

// Bounds a bone's rotation over all endpoint weights: a cap on the sphere of quaternions, given by
// its center (x y z w), and twice by the cosine and sine of its angular radius; 0 and 1 if that is
// a quarter turn or more.
struct Arc {
  std::array<float, 8> numbers{0, 0, 0, 1, 1, 0, 1, 0};
};

// A rigid bone and the rigid one before it keep the distance that a point has at bind from the
// joint between them, in which both turn.
struct KeptDistance {
  std::array<float, 3> joint;           // at bind
  std::uint32_t parent = no_kept_bone;  // the bone before, if both do
};

struct PackedPose {
  Vec3 center;                      // of the packed rig
  std::vector<std::uint8_t> moves;  // per bone, flags of Moves; all 0 except for stbs
  bool any_moves = false;           // whether any of them is not 0
  std::vector<std::uint8_t> held;   // per bone, for those who fill the pose
  // Indexed by 4 * bone + corner for stbs, by bone otherwise. Of the corners only those are set
  // that differ as `moves` says, whose flags have the same bits: take corner & moves.
  std::vector<MatrixRows> matrices;
  std::vector<Motion> motions;
  // Per bone, for stbs.
  std::vector<std::array<float, 4>> stretch_vectors;  // in the pose, at e = 1, and a 0
  std::vector<TurningBone> turning;                   // also used by Stretch It
  std::vector<Rate> rates;                            // for normals
  std::vector<RateLanes> rate_lanes;                  // from which these follow; or empty
  std::vector<TurningMotion> turning_motions;
  std::vector<std::array<std::array<float, 4>, 2>> stretch_dual;  // per e of the twist
  // For dual quaternions: per kind of tile, whether no two bones that meet can have opposite
  // quaternions. The kernels then skip the sign checks.
  std::shared_ptr<const BlendedPairs> blended_pairs;
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> pair_in_hemisphere, in_hemisphere;
  // The non-rigid part, applied before the dual quaternions, minus the identity.
  std::vector<std::uint8_t> has_before;
  std::vector<MatrixRows> before;
  bool any_before = false;  // whether any bone has one

  // For Stretch It: the accumulated twists in radians, and in half turns for the kernel; which
  // bones keep points' distances from each joint.
  std::vector<double> radians;
  std::vector<float> accumulated_twist;
  std::vector<KeptDistance> kept_distances;
  std::vector<std::uint32_t> bodies;  // the same for bones that do not move against each other
  std::vector<float> shapes;          // weights
  std::vector<float> bulges;          // the drives of muscles, per bone; empty where none can bulge
  bool any_bulge = false;             // whether any of them is not 0
};

// The 3x4 matrix [m | t].
MatrixRows rows_of(const Mat3& m, const Vec3& t);

// The map that applies `linear` about the bone's head and moves the head to `head`; all relative to
// the packed rig's center.
MatrixRows rows_about_head(const Mat3& linear, const Vec3& head, const Vec3& bind_head);

// Takes a point into the frame by `in` (about the head), rotates it, and takes it out by `out`, to
// `head`.
TurningBone turning_bone(const Mat3& frame, const Mat3& in, const Mat3& out, const Vec3& bind_head,
                         const Vec3& head);

// A bone that never moves.
BoneState still_bone();

}  // namespace sinew::kernels
