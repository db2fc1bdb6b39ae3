// SPDX-License-Identifier: Apache-2.0
// A pose as the kernels read it: floats for each bone, in the space whose origin is the packed
// rig's center.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/skinning.h"
#include "sinew/kernels/detail/packed.h"

namespace sinew::kernels {

// A 3x4 matrix by rows.
using Rows = std::array<float, 12>;

// What an endpoint weight can change about a bone in this pose.
enum Moves : std::uint8_t { stretches = 1, twists = 2 };

// A bone that twists along its length: into its own frame (the first axis along the bone), a turn
// about that axis, out again. The turn is by (e - 1/2) times the difference of the two end twists:
// their mean is part of `out`, which keeps angles small.
struct TurningBone {
  Rows in;                   // p -> (along, across, across)
  Rows out;                  // back, into the pose
  Rows fixed, cosine, sine;  // the same as one map: fixed + cos(turn) cosine + sin(turn) sine
  float stretch_length = 0;  // along the first axis, at e = 1
  float half_turns = 0;      // of twist, from the head to the tail
};

// The same as dual quaternions x y z w: real = c real_cosine + s real_sine, with c and s of half
// the turn, and the dual part alike, plus e times its stretched part.
struct TurningMotion {
  std::array<float, 4> real_cosine, real_sine;
  std::array<float, 4> dual_cosine, dual_sine;
  std::array<float, 4> stretch_cosine, stretch_sine;
  float half_turns = 0;  // of half the twist, from the head to the tail
};

// How fast a point q of the pose moves as its endpoint weights grow: axis x q + shift by that of
// the twist, stretch by that of the stretch.
struct Rate {
  std::array<float, 3> axis, shift, stretch_vector;
};

struct Motion {
  std::array<float, 4> real, dual;
};

// Where on the sphere of quaternions a bone's rotation can lie, whatever the endpoint weight: no
// farther than an angle from the center.
struct Arc {
  std::array<double, 4> center{0, 0, 0, 1};
  double cosine = 1, sine = 0;  // of that angle; a quarter turn or more: 0 and 1
};

struct PackedPose {
  Vec3 center;                      // of the packed rig
  std::vector<std::uint8_t> moves;  // per bone, of Moves; all 0 but for stbs
  bool any_moves = false;           // whether one of them is not 0
  // Indexed by 4 bone + corner with stbs, by the bone alone otherwise.
  std::vector<Rows> matrices;
  std::vector<Motion> motions;
  // Per bone, with stbs.
  std::vector<std::array<float, 3>> stretch_vectors;  // in the pose, at e = 1
  std::vector<TurningBone> turning;                   // Stretch It uses it, too
  std::vector<Rate> rates;
  std::vector<TurningMotion> turning_motions;
  std::vector<std::array<std::array<float, 4>, 2>> stretch_dual;  // per e of the twist
  // With dual quaternions: per kind of tile, whether no bone's rotation can be opposite to that of
  // one it meets, so that signs need not be looked at.
  std::shared_ptr<const BlendedPairs> blended_pairs;
  std::vector<Arc> arcs;
  std::vector<std::uint8_t> pair_in_hemisphere, in_hemisphere;
  // What acts before the dual quaternions, less the identity.
  std::vector<std::uint8_t> has_before;
  std::vector<Rows> before;
  bool any_before = false;  // whether any bone has something there

  // Stretch It: the accumulated twists in radians, and in half turns for the kernel.
  std::vector<double> radians;
  std::vector<float> accumulated_twist;
  std::vector<float> shapes;  // weights
};

// A 3x4 matrix of `m` and `t`.
Rows rows_of(const Mat3& m, const Vec3& t);

// `linear` acting about the bone's head, which goes to `head`; from the packed rig's center.
Rows rows_about_head(const Mat3& linear, const Vec3& head, const Vec3& bind_head);

// The bone's own frame at bind: the first axis along it.
Mat3 bone_frame(const BoneState& bone);

// Into the frame by `in` (about the head), turned, out by `out` to `head`.
TurningBone turning_bone(const Mat3& frame, const Mat3& in, const Mat3& out, const Vec3& bind_head,
                         const Vec3& head);

// A bone that never moves.
BoneState still_bone();

}  // namespace sinew::kernels
