// SPDX-License-Identifier: Apache-2.0
// Fills a PackedPose for the skinning methods.
#include "sinew/kernels/detail/skinning_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/dual_quat.h"

namespace sinew::kernels {
namespace {

std::array<float, 3> floats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

std::array<float, 4> floats(const Quat& q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
          static_cast<float>(q.w)};
}

Quat pure(const Vec3& v) { return {v.x, v.y, v.z, 0}; }

bool is_identity(const Mat3& m) {
  const Mat3 d = m - Mat3{};
  return length_squared(d.x) + length_squared(d.y) + length_squared(d.z) < 1e-18;
}

// `twist`: the rotation about the bone from one end to the other.
void set_arc(PackedPose& pose, std::size_t b, const Quat& center, double twist) {
  // Half the way to each side, and quaternions turn by half the angle.
  const double angle = std::min(std::fabs(twist) / 4, pi / 2);
  pose.arcs[b] = {{center.x, center.y, center.z, center.w}, std::cos(angle), std::sin(angle)};
}

bool always_in_hemisphere(const Arc& a, const Arc& b) {
  constexpr double rounding = 1e-5;  // more than that of floats, and than half_turn_margin
  double between = 0;
  for (std::size_t k = 0; k < 4; ++k) between += a.center[k] * b.center[k];
  // The angle between the centers plus the radii of both arcs is less than a quarter turn.
  return a.cosine * b.cosine - a.sine * b.sine > rounding &&
         between > a.sine * b.cosine + a.cosine * b.sine + rounding;
}

void find_hemispheres(PackedPose& pose) {
  const BlendedPairs& blended_pairs = *pose.blended_pairs;
  for (std::size_t i = 0; i < blended_pairs.pairs.size(); ++i) {
    const auto& [a, b] = blended_pairs.pairs[i];
    pose.pair_in_hemisphere[i] = always_in_hemisphere(pose.arcs[a], pose.arcs[b]) ? 1 : 0;
  }
  for (std::size_t kind = 0; kind < pose.in_hemisphere.size(); ++kind) {
    std::uint8_t in_hemisphere = 1;
    for (std::size_t i = blended_pairs.first[kind]; i < blended_pairs.first[kind + 1]; ++i) {
      in_hemisphere = static_cast<std::uint8_t>(in_hemisphere &
                                                pose.pair_in_hemisphere[blended_pairs.members[i]]);
    }
    pose.in_hemisphere[kind] = in_hemisphere;
  }
}

void set_before(PackedPose& pose, std::size_t b, const BoneState& bone, const Mat3& before) {
  pose.has_before[b] = is_identity(before) ? 0 : 1;
  pose.before[b] = rows_about_head(before - Mat3{}, {}, bone.head - pose.center);
}

Motion motion_of(const Quat& rotation, const Vec3& head, const Vec3& bind_head) {
  const DualQuat q = rigid_motion(rotation, head - rotate(rotation, bind_head));
  return {floats(q.real), floats(q.dual)};
}

// Jacobson and Sorkine 2011, eq. 5: a' + R K(e) X (p - a) + e R s, X the scale across the bone.
void set_stbs_linear(PackedPose& pose, std::size_t b, const BoneState& bone) {
  const Vec3 bind_head = bone.head - pose.center;
  const Mat3 r = to_matrix(bone.rotation);
  const Mat3 frame = bone_frame(bone);
  const Vec3 along = stretch_vector(bone);
  const Vec3 stretch = r * along;
  const auto turn = [&](double angle) {
    return r * to_matrix(rotation_about(frame.x, angle)) * bone.across;
  };
  const bool is_twisted = bone.twist_tail != bone.twist_head;
  const Mat3 at_head = turn(bone.twist_head);
  const Mat3 at_tail = is_twisted ? turn(bone.twist_tail) : at_head;
  for (std::size_t corner = 0; corner < 4; ++corner) {
    const Vec3 head = bone.posed_head + ((corner & 1) != 0 ? stretch : Vec3{});
    pose.matrices[4 * b + corner] =
        rows_about_head((corner & 2) != 0 ? at_tail : at_head, head, bind_head);
  }
  pose.stretch_vectors[b] = floats(stretch);
  if ((pose.moves[b] & twists) == 0) return;
  const double mean = (bone.twist_head + bone.twist_tail) / 2;
  const Mat3 out = r * to_matrix(rotation_about(frame.x, mean));
  TurningBone& turning = pose.turning[b];
  turning = turning_bone(frame, transpose(frame) * bone.across, out, bind_head, bone.posed_head);
  turning.stretch_length = static_cast<float>(dot(along, frame.x));
  turning.half_turns = static_cast<float>((bone.twist_tail - bone.twist_head) / pi);
}

// A turn about the posed bone, and its stretch.
void set_rate(PackedPose& pose, std::size_t b, const BoneState& bone) {
  const Vec3 u = rotate(bone.rotation, normalized(bone.tail - bone.head));
  const Vec3 axis = u * (bone.twist_tail - bone.twist_head);
  pose.rates[b] = {floats(axis), floats(-cross(axis, bone.posed_head)),
                   floats(rotate(bone.rotation, stretch_vector(bone)))};
}

// Jacobson and Sorkine 2011, eq. 6: rotation q = R K(e), translation a' + e R s - q a, so that the
// dual part is ((a' + e R s) q - q a) / 2.
void set_stbs_motions(PackedPose& pose, std::size_t b, const BoneState& bone) {
  const Quat bind_head = pure(bone.head - pose.center);
  const Quat posed_head = pure(bone.posed_head);
  const Quat stretch = pure(rotate(bone.rotation, stretch_vector(bone)));
  const Vec3 u = normalized(bone.tail - bone.head);
  const auto dual = [&](const Quat& q) { return (posed_head * q + -(q * bind_head)) * 0.5; };
  const auto stretched = [&](const Quat& q) { return stretch * q * 0.5; };
  const auto turned = [&](double twist) { return bone.rotation * rotation_about(u, twist); };
  const bool is_twisted = bone.twist_tail != bone.twist_head;
  const Quat at_head = turned(bone.twist_head);
  for (std::size_t end = 0; end < 2; ++end) {
    const Quat q = end != 0 && is_twisted ? turned(bone.twist_tail) : at_head;
    const Quat moved = dual(q), with_stretch = stretched(q);
    pose.motions[4 * b + 2 * end] = {floats(q), floats(moved)};
    pose.motions[4 * b + 2 * end + 1] = {floats(q), floats(moved + with_stretch)};
    pose.stretch_dual[b][end] = floats(with_stretch);
  }
  set_before(pose, b, bone, bone.across);
  const Quat c = is_twisted ? turned((bone.twist_head + bone.twist_tail) / 2) : at_head;
  set_arc(pose, b, c, bone.twist_tail - bone.twist_head);
  if ((pose.moves[b] & twists) == 0) return;
  const Quat s = c * pure(u);
  pose.turning_motions[b] = {floats(c),
                             floats(s),
                             floats(dual(c)),
                             floats(dual(s)),
                             floats(stretched(c)),
                             floats(stretched(s)),
                             static_cast<float>((bone.twist_tail - bone.twist_head) / (2 * pi))};
}

void set_plain(PackedPose& pose, std::size_t b, const BoneState& bone, bool rigid) {
  const Vec3 bind_head = bone.head - pose.center;
  const Vec3 head = transform_point(bone.matrix, bone.head);
  if (!pose.matrices.empty()) {
    pose.matrices[b] =
        rows_about_head(rigid ? to_matrix(bone.turn) : bone.matrix.linear, head, bind_head);
  }
  if (!pose.motions.empty()) {
    pose.motions[b] = motion_of(bone.turn, head, bind_head);
    set_arc(pose, b, bone.turn, 0);
    set_before(pose, b, bone, rigid ? Mat3{} : bone.scale_shear);
  }
}

void set_bone(const PackedPlan& plan, PackedPose& pose, std::size_t b, const BoneState& bone) {
  if (plan.map != BoneMap::stbs) {
    set_plain(pose, b, bone, plan.map == BoneMap::rigid);
    return;
  }
  if (!pose.matrices.empty()) set_stbs_linear(pose, b, bone);
  if (!pose.motions.empty()) set_stbs_motions(pose, b, bone);
}

// Flags of Moves. Smaller twists (in radians) and stretches (relative to the bone) are lost in a
// float.
std::uint8_t moves_of(const BoneState& bone) {
  constexpr double negligible = 3e-8;
  const double rest = distance(bone.head, bone.tail);
  const bool stretched =
      std::fabs(distance(bone.posed_head, bone.posed_tail) - rest) > negligible * rest;
  const bool twisted = std::fabs(bone.twist_tail - bone.twist_head) > negligible;
  return static_cast<std::uint8_t>((stretched ? stretches : 0) | (twisted ? twists : 0));
}

}  // namespace

void prepare_skinning(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose) {
  const std::size_t count = rig.bone_count + 1;
  const bool stbs = plan.map == BoneMap::stbs;
  if (stbs) pose.rates.resize(count);
  if (plan.blending != Blending::dual_quaternion) {
    pose.matrices.resize(stbs ? 4 * count : count);
    if (stbs) pose.stretch_vectors.resize(count);
    if (stbs) pose.turning.resize(count);
  }
  if (plan.blending != Blending::linear) {
    pose.motions.resize(stbs ? 4 * count : count);
    if (stbs) pose.stretch_dual.resize(count);
    if (stbs) pose.turning_motions.resize(count);
    pose.blended_pairs = rig.blended_pairs;
    pose.arcs.resize(count);
    pose.pair_in_hemisphere.resize(pose.blended_pairs->pairs.size());
    pose.in_hemisphere.resize(pose.blended_pairs->first.size() - 1);
    pose.has_before.resize(count);
    pose.before.resize(count);
  }
  set_bone(plan, pose, rig.bone_count, still_bone());
}

void fill_skinning(const PackedRig&, const PackedPlan& plan, std::span<const BoneState> bones,
                   PackedPose& pose) {
  const bool stbs = plan.map == BoneMap::stbs;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (stbs) {
      pose.moves[b] = moves_of(bones[b]);
      set_rate(pose, b, bones[b]);
    }
    set_bone(plan, pose, b, bones[b]);
  }
  if (pose.blended_pairs) find_hemispheres(pose);
  const auto is_set = [](std::uint8_t flag) { return flag != 0; };
  pose.any_moves = std::any_of(pose.moves.begin(), pose.moves.end(), is_set);
  pose.any_before = std::any_of(pose.has_before.begin(), pose.has_before.end(), is_set);
}

}  // namespace sinew::kernels
