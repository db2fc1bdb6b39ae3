// SPDX-License-Identifier: Apache-2.0
// Fills a PackedPose for the skinning methods, several bones at a time.
#include "sinew/core/internal/lane_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/skinning_pose.cpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <tuple>

#include <hwy/foreach_target.h>

#include "sinew/core/internal/lanes-inl.h"
#include "sinew/deform/internal/bind_frame.h"
#include "sinew/kernels/detail/skinning_pose.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

using namespace lanes::HWY_NAMESPACE;

// Bones, and where they go in the arrays of a PackedPose.
struct BoneGroup {
  PackedPose* pose;
  std::size_t first;
  const RigPlan::LaneBones* plan;
  const LaneStates* states;
  std::size_t lane;  // the first of their lanes
};

SINEW_KERNEL_INLINE Doubles lanes_of(const BoneGroup& bones, const LaneStates::Lane& lanes) {
  return load_lanes(lanes.data() + bones.lane);
}

SINEW_KERNEL_INLINE Three lanes_of(const BoneGroup& bones,
                                   const std::array<LaneStates::Lane, 3>& lanes) {
  return {lanes_of(bones, lanes[0]), lanes_of(bones, lanes[1]), lanes_of(bones, lanes[2])};
}

SINEW_KERNEL_INLINE Four lanes_of(const BoneGroup& bones,
                                  const std::array<LaneStates::Lane, 4>& lanes) {
  return {lanes_of(bones, lanes[0]), lanes_of(bones, lanes[1]), lanes_of(bones, lanes[2]),
          lanes_of(bones, lanes[3])};
}

template <std::size_t count>
SINEW_KERNEL_INLINE Matrix matrix_of(const BoneGroup& bones,
                                     const std::array<LaneStates::Lane, count>& lanes) {
  const auto at = [&](std::size_t k) HWY_ATTR { return lanes_of(bones, lanes[k]); };
  return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
}

SINEW_KERNEL_INLINE bool any_scaled(const BoneGroup& bones) {
  unsigned flags = 0;
  for (std::size_t i = 0; i < lane_count; ++i) flags |= bones.states->is_scaled[bones.lane + i];
  return flags != 0;
}

// What the records of the bones hold already, and need not be given again.
enum Held : std::uint8_t { unscaled_in = 1, no_stretch_vector = 2, no_stretch_motion = 4 };
SINEW_KERNEL_INLINE bool has(const BoneGroup& bones, Held what) {
  return (bones.pose->held[bones.first] & what) != 0;
}
SINEW_KERNEL_INLINE void set(const BoneGroup& bones, Held what, bool value) {
  std::uint8_t& held = bones.pose->held[bones.first];
  held = static_cast<std::uint8_t>(value ? held | what : held & ~what);
}

// The records of one array that belong to the bones, as numbers; `kEach` of them to a bone.
template <std::size_t kEach = 1, class Record>
SINEW_KERNEL_INLINE auto records(const BoneGroup& bones, std::vector<Record>& all,
                                 std::size_t which = 0) {
  static_assert(sizeof(Record) % sizeof(float) == 0);
  return lanes::HWY_NAMESPACE::Rows<float, kEach * sizeof(Record) / sizeof(float)>{
      reinterpret_cast<float*>(&all[kEach * bones.first + which])};
}

SINEW_KERNEL_INLINE Three all3(const Vec3& v) { return {all(v.x), all(v.y), all(v.z)}; }

// The map that applies `m` and then moves by `t`, as MatrixRows.
template <class Places>
SINEW_KERNEL_INLINE void store_map(const Matrix& m, const Three& t, const Places& to) {
  store4(Four{m.x.x, m.y.x, m.z.x, t.x}, to, 0);
  store4(Four{m.x.y, m.y.y, m.z.y, t.y}, to, 4);
  store4(Four{m.x.z, m.y.z, m.z.z, t.z}, to, 8);
}

// Stretchable, twistable bones.
struct Stretchable {
  Three bind_head;  // from the packed rig's center
  Three posed_head;
  Three axis, side, other_side;  // at bind
  Doubles stretch;               // by which the tail moves along the axis; 0 if it is negligible
  bool any_scaled;               // or else `across` is the identity, and not set
  Matrix across;
  Four middle;   // the rotation halfway between both ends' twists
  Doubles turn;  // from there to the tail's twist, and back to the head's; 0 if it is negligible
  // Sine and cosine of half that turn, as quaternions have it.
  Doubles sine, cosine;
  Mask stretches, twists;       // as Moves says
  bool any_stretch, any_twist;  // of these
};

SINEW_KERNEL_INLINE Stretchable load_stretchable(const BoneGroup& bones) {
  const RigPlan::LaneBones& plan = *bones.plan;
  const LaneStates& states = *bones.states;
  Stretchable bone;
  bone.bind_head = lanes_of(bones, plan.head) - all3(bones.pose->center);
  bone.posed_head = lanes_of(bones, states.posed_head);
  bone.axis = lanes_of(bones, plan.axis);
  bone.side = lanes_of(bones, plan.side);
  bone.other_side = lanes_of(bones, plan.other_side);
  bone.any_scaled = any_scaled(bones);
  if (bone.any_scaled) bone.across = matrix_of(bones, states.across);
  bone.middle = lanes_of(bones, states.rotation);
  const Doubles twist_head = lanes_of(bones, states.twist_head);
  const Doubles twist_tail = lanes_of(bones, states.twist_tail);
  const Doubles mean = (twist_head + twist_tail) * 0.5;
  if (any(mean != 0)) bone.middle = bone.middle * rotation_about(bone.axis, mean);
  // Smaller twists (in radians) and stretches (relative to the bone) are lost in a float.
  constexpr double negligible = 3e-8;
  const Doubles twist = twist_tail - twist_head, stretch = lanes_of(bones, states.stretch);
  bone.twists = absolute(twist) > negligible;
  bone.stretches = absolute(stretch) > negligible * lanes_of(bones, plan.rest_length);
  bone.any_twist = any(bone.twists);
  bone.any_stretch = any(bone.stretches);
  bone.turn = select(bone.twists, twist * 0.5, Doubles{});
  bone.stretch = select(bone.stretches, stretch, Doubles{});
  bone.sine = Doubles{};
  bone.cosine = all(1);
  if (bone.any_twist) {
    const auto [sine, cosine] = sine_cosine(bone.turn * 0.5);
    bone.sine = sine;
    bone.cosine = cosine;
  }
  return bone;
}

// A row of `across` and of what takes a point to the bone's head.
SINEW_KERNEL_INLINE Four row_in(const Stretchable& bone, const Three& direction) {
  Three row = direction;
  if (bone.any_scaled) {
    row = {dot(bone.across.x, direction), dot(bone.across.y, direction),
           dot(bone.across.z, direction)};
  }
  return {row.x, row.y, row.z, -dot(row, bone.bind_head)};
}

// Jacobson and Sorkine 2011, eq. 5: a' + R K(e) X (p - a) + e R s, X the scale across the bone. In
// the frame of the bone (first axis along it) K turns the second and third axis; see TurningBone.
SINEW_KERNEL_INLINE void set_stbs_linear(const BoneGroup& bones, const Stretchable& bone) {
  PackedPose& pose = *bones.pose;
  const Four in[] = {row_in(bone, bone.axis), row_in(bone, bone.side),
                     row_in(bone, bone.other_side)};
  const Matrix middle = to_matrix(bone.middle);
  const Three x = middle * bone.axis, y = middle * bone.side, z = cross(x, y);
  const Doubles out[3][4] = {{x.x, y.x, z.x, bone.posed_head.x},
                             {x.y, y.y, z.y, bone.posed_head.y},
                             {x.z, y.z, z.z, bone.posed_head.z}};
  const Three stretch = x * bone.stretch;
  const Doubles shift[] = {stretch.x, stretch.y, stretch.z};
  const Doubles sine = 2 * bone.sine * bone.cosine, cosine = 1 - 2 * bone.sine * bone.sine;
  for (std::size_t k = 0; k < 3; ++k) {
    const Doubles* o = out[k];
    Four fixed = in[0] * o[0];
    fixed.w = fixed.w + o[3];
    const Four turned = in[1] * o[1] + in[2] * o[2];
    Four at_head = fixed + turned, at_tail = at_head;
    if (bone.any_twist) {
      const Four middle_row = fixed + turned * cosine;
      const Four to_tail = (in[1] * o[2] + in[2] * -o[1]) * sine;
      at_head = middle_row + -to_tail;
      at_tail = middle_row + to_tail;
    }
    const auto store_corner = [&](Four row, std::size_t corner) HWY_ATTR {
      store4(row, records<4>(bones, pose.matrices, corner), 4 * k);
      if (!bone.any_stretch) return;
      row.w = row.w + shift[k];
      store4(row, records<4>(bones, pose.matrices, corner + stretches), 4 * k);
    };
    store_corner(at_head, 0);
    if (bone.any_twist) store_corner(at_tail, twists);
  }
  if (bone.any_stretch || !has(bones, no_stretch_vector)) {
    store4(pure(stretch), records(bones, pose.stretch_vectors), 0);
    set(bones, no_stretch_vector, !bone.any_stretch);
  }
  if (!bone.any_twist) return;
  const auto to = records(bones, pose.turning);
  if (bone.any_scaled || !has(bones, unscaled_in)) {
    for (std::size_t k = 0; k < 3; ++k) store4(in[k], to, 4 * k);
    set(bones, unscaled_in, !bone.any_scaled);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    store4(Four{out[k][0], out[k][1], out[k][2], out[k][3]}, to, 12 + 4 * k);
  }
  store4(Four{bone.stretch, bone.turn * (2 / pi), Doubles{}, Doubles{}}, to, 24);
}

// For motions: a center, and half the way from one end's rotation to the other's.
SINEW_KERNEL_INLINE void set_arcs(const BoneGroup& bones, const Four& center, Doubles cosine,
                                  Doubles sine) {
  static_assert(sizeof(Arc) == 8 * sizeof(float));
  const auto to = records(bones, bones.pose->arcs);
  store4(center, to, 0);
  store4(Four{cosine, sine, cosine, sine}, to, 4);
}

SINEW_KERNEL_INLINE void set_before(const BoneGroup& bones, bool is_any, const Matrix& before,
                                    const Three& bind_head) {
  Mask matters{};
  Matrix change;
  if (is_any) {
    change = before - identity();
    matters = length_squared(change) >= 1e-18;
  }
  store_flags(matters & 1, &bones.pose->has_before[bones.first]);
  if (!any(matters)) return;
  store_map(change, -(change * bind_head), records(bones, bones.pose->before));
}

// What fill_skinning_surface() needs. (Linear blending has it in its TurningBones.)
SINEW_KERNEL_INLINE void set_rates(const BoneGroup& bones, const Stretchable& bone,
                                   const Three& posed_axis) {
  RateLanes& to = bones.pose->rate_lanes[bones.first / 8];
  const Doubles values[] = {posed_axis.x,      posed_axis.y,      posed_axis.z, bone.posed_head.x,
                            bone.posed_head.y, bone.posed_head.z, bone.turn,    bone.stretch};
  static_assert(std::tuple_size_v<RateLanes> == std::size(values));
  for (std::size_t k = 0; k < to.size(); ++k) store_lanes(values[k], to[k].data() + bones.lane);
}

// Jacobson and Sorkine 2011, eq. 6: rotation q = R K(e), translation a' + e R s - q a, so that the
// dual part is ((a' + e R s) q - q a) / 2. All of it is linear in q, which is c at the middle and
// turns towards s from there.
SINEW_KERNEL_INLINE void set_stbs_motions(const BoneGroup& bones, const Stretchable& bone) {
  PackedPose& pose = *bones.pose;
  const Four bind_head = pure(bone.bind_head * all(0.5)),
             posed_head = pure(bone.posed_head * all(0.5));
  const Three posed_axis = rotate(bone.middle, bone.axis);
  const Four stretch = pure(posed_axis * (bone.stretch * 0.5));
  const auto dual = [&](const Four& q) HWY_ATTR { return posed_head * q + -(q * bind_head); };
  const Four& c = bone.middle;
  const Four dual_c = dual(c), stretch_c = stretch * c;
  Four real[2] = {c, c}, moved[2] = {dual_c, dual_c}, stretched[2] = {stretch_c, stretch_c};
  if (bone.any_twist) {
    const Four s = c * pure(bone.axis);
    const Four dual_s = dual(s);
    const auto ends = [&](const Four& at_c, const Four& at_s, Four(&result)[2]) HWY_ATTR {
      const Four middle = at_c * bone.cosine, to_tail = at_s * bone.sine;
      result[0] = middle + -to_tail;
      result[1] = middle + to_tail;
    };
    ends(c, s, real);
    ends(dual_c, dual_s, moved);
    const auto to = records(bones, pose.turning_motions);
    store4(c, to, 0);
    store4(s, to, 4);
    store4(dual_c, to, 8);
    store4(dual_s, to, 12);
    if (bone.any_stretch || !has(bones, no_stretch_motion)) {
      const Four stretch_s = stretch * s;
      ends(stretch_c, stretch_s, stretched);
      store4(stretch_c, to, 16);
      store4(stretch_s, to, 20);
      set(bones, no_stretch_motion, !bone.any_stretch);
    }
    store4(Four{bone.turn * (1 / pi), Doubles{}, Doubles{}, Doubles{}}, to, 24);
  }
  const auto store_ends = [&](std::size_t corner) HWY_ATTR {
    const std::size_t end = corner / twists;
    const auto plain = records<4>(bones, pose.motions, corner);
    store4(real[end], plain, 0);
    store4(moved[end], plain, 4);
    if (!bone.any_stretch) return;
    const auto longer = records<4>(bones, pose.motions, corner + stretches);
    store4(real[end], longer, 0);
    store4(moved[end] + stretched[end], longer, 4);
    store4(stretched[end], records(bones, pose.stretch_dual), 4 * end);
  };
  store_ends(0);
  if (bone.any_twist) store_ends(twists);
  if (pose.turning.empty()) set_rates(bones, bone, posed_axis);
  set_before(bones, bone.any_scaled, bone.across, bone.bind_head);
  const Mask is_far = absolute(bone.turn) > pi;
  set_arcs(bones, c, select(is_far, Doubles{}, bone.cosine),
           select(is_far, all(1), absolute(bone.sine)));
}

SINEW_KERNEL_INLINE void set_stbs(const BoneGroup& bones) {
  const Stretchable bone = load_stretchable(bones);
  store_flags((bone.stretches & int{stretches}) | (bone.twists & int{twists}),
              &bones.pose->moves[bones.first]);
  if (!bones.pose->matrices.empty()) set_stbs_linear(bones, bone);
  if (!bones.pose->motions.empty()) set_stbs_motions(bones, bone);
}

// Bones as the standard methods see them.
SINEW_KERNEL_INLINE void set_plain(const BoneGroup& bones, bool rigid) {
  PackedPose& pose = *bones.pose;
  const LaneStates& states = *bones.states;
  const Matrix linear = matrix_of(bones, states.matrix);
  const Three translation{lanes_of(bones, states.matrix[9]), lanes_of(bones, states.matrix[10]),
                          lanes_of(bones, states.matrix[11])};
  const Three center = all3(pose.center);
  if (!rigid && !pose.matrices.empty()) {
    store_map(linear, linear * center + translation, records(bones, pose.matrices));
  }
  if (!rigid && pose.motions.empty()) return;
  const Four turn = lanes_of(bones, states.turn);
  const Three bind = lanes_of(bones, bones.plan->head), bind_head = bind - center;
  const Three head = linear * bind + translation, t = head - rotate(turn, bind_head);
  if (rigid && !pose.matrices.empty()) {
    store_map(to_matrix(turn), t, records(bones, pose.matrices));
  }
  if (pose.motions.empty()) return;
  const auto to = records(bones, pose.motions);
  store4(turn, to, 0);
  store4((pure(t) * turn) * all(0.5), to, 4);
  set_arcs(bones, turn, all(1), Doubles{});
  const bool is_any = !rigid && any_scaled(bones);
  set_before(bones, is_any, is_any ? matrix_of(bones, states.scale_shear) : identity(), bind_head);
}

// Eight bones, which are those from `first` on of the pose.
void set_bones(const PackedPlan& plan, const RigPlan::LaneBones& bones, const LaneStates& states,
               std::size_t first, PackedPose& pose) {
  for (std::size_t lane = 0; lane < 8; lane += lane_count) {
    const BoneGroup some{&pose, first + lane, &bones, &states, lane};
    if (plan.map == BoneMap::stbs) {
      set_stbs(some);
    } else {
      set_plain(some, plan.map == BoneMap::rigid);
    }
  }
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {
namespace {

HWY_EXPORT(set_bones);

// A bone beside others.
void set_lane(const BoneState& from, std::size_t lane, RigPlan::LaneBones& bones,
              LaneStates& states) {
  const auto set3 = [&](auto& lanes, const Vec3& v, std::size_t at = 0) {
    for (std::size_t k = 0; k < 3; ++k) lanes[at + k][lane] = v[k];
  };
  const auto set4 = [&](auto& lanes, const Quat& q) {
    set3(lanes, q.vector());
    lanes[3][lane] = q.w;
  };
  const auto set9 = [&](auto& lanes, const Mat3& m) {
    set3(lanes, m.x);
    set3(lanes, m.y, 3);
    set3(lanes, m.z, 6);
  };
  const Mat3 frame = bind_frame(from.head, from.tail);
  const double rest_length = distance(from.head, from.tail);
  set3(bones.head, from.head);
  set3(bones.axis, frame.x);
  set3(bones.side, frame.y);
  set3(bones.other_side, frame.z);
  bones.rest_length[lane] = rest_length;
  set9(states.matrix, from.matrix.linear);
  set3(states.matrix, from.matrix.translation, 9);
  set4(states.turn, from.turn);
  set9(states.scale_shear, from.scale_shear);
  set3(states.posed_head, from.posed_head);
  set4(states.rotation, from.rotation);
  set9(states.across, from.across);
  states.is_scaled[lane] = 1;
  states.twist_head[lane] = from.twist_head;
  states.twist_tail[lane] = from.twist_tail;
  const double longer = distance(from.posed_head, from.posed_tail) - rest_length;
  states.stretch[lane] = std::fabs(longer) < least_stretch * rest_length ? 0 : longer;
}

// The bones [0, count); those that are not given never move.
void set_each(const PackedPlan& plan, std::span<const BoneState> bones, std::size_t count,
              PackedPose& pose) {
  const BoneState still = still_bone();
  RigPlan::LaneBones some;
  LaneStates states;
  for (std::size_t first = 0; first < count; first += 8) {
    for (std::size_t i = 0; i < 8; ++i) {
      set_lane(first + i < bones.size() ? bones[first + i] : still, i, some, states);
    }
    HWY_DYNAMIC_DISPATCH(set_bones)(plan, some, states, first, pose);
  }
}

// What follows from all bones. `bulge_of` is the drive of a bone's muscle.
template <class BulgeOf>
void finish(std::size_t bone_count, const BulgeOf& bulge_of, PackedPose& pose) {
  // Smaller bulges are lost in a float.
  constexpr double negligible_bulge = 3e-8;
  const auto is_set = [](std::uint8_t flag) { return flag != 0; };
  pose.any_moves = std::any_of(pose.moves.begin(), pose.moves.end(), is_set);
  pose.any_before = std::any_of(pose.has_before.begin(), pose.has_before.end(), is_set);
  if (pose.blended_pairs) find_hemispheres(pose);
  pose.any_bulge = false;
  if (pose.bulges.empty()) return;
  for (std::size_t b = 0; b < bone_count; ++b) {
    const double drive = bulge_of(b);
    pose.bulges[b] = std::fabs(drive) > negligible_bulge ? static_cast<float>(drive) : 0.0f;
    pose.any_bulge |= pose.bulges[b] != 0;
  }
}

// The three maps that are one after the other `in`, a turn and `out`.
void set_maps(TurningBone& bone) {
  const float *x = bone.in.data(), *y = x + 4, *z = x + 8;
  for (std::size_t row = 0; row < 12; row += 4) {
    const float* o = bone.out.data() + row;
    for (std::size_t k = 0; k < 4; ++k) {
      bone.fixed[row + k] = o[0] * x[k] + (k == 3 ? o[3] : 0.0f);
      bone.cosine[row + k] = o[1] * y[k] + o[2] * z[k];
      bone.sine[row + k] = o[2] * y[k] - o[1] * z[k];
    }
  }
}

}  // namespace

void prepare_skinning(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose) {
  // Bones are set eight at a time; behind the last, each is the one that never moves.
  const auto padded = [](std::size_t count) { return (count + 7) / 8 * 8; };
  const std::size_t bones = rig.bone_count + 1, count = padded(bones);
  const bool stbs = plan.map == BoneMap::stbs;
  pose.moves.resize(count);
  pose.held.resize(count);
  if (stbs) pose.rates.resize(count);
  if (stbs && plan.blending == Blending::dual_quaternion) pose.rate_lanes.resize(count / 8);
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
    pose.pair_in_hemisphere.resize(padded(pose.blended_pairs->pairs.size()));
    pose.in_hemisphere.resize(pose.blended_pairs->kind_count);
    pose.has_before.resize(count);
    pose.before.resize(count);
  }
  if (stbs && !rig.first_bulge.empty()) pose.bulges.resize(bones);
  set_each(plan, {}, bones, pose);
}

void fill_skinning(const PackedRig&, const PackedPlan& plan, std::span<const BoneState> bones,
                   PackedPose& pose) {
  set_each(plan, bones, bones.size(), pose);
  finish(
      bones.size(), [&](std::size_t b) { return bones[b].bulge; }, pose);
}

void fill_skinning_lanes(const PackedPlan& plan, const PosedLanes& bones, PackedPose& pose) {
  for (std::size_t block = 0; block < bones.states.size(); ++block) {
    HWY_DYNAMIC_DISPATCH(set_bones)
    (plan, bones.plan[block], bones.states[block], 8 * block, pose);
  }
  finish(
      bones.count, [&](std::size_t b) { return bones.states[b / 8].bulge[b % 8]; }, pose);
}

void fill_skinning_surface(PackedPose& pose) {
  for (std::size_t b = 0; b < 8 * pose.rate_lanes.size(); ++b) {
    const RateLanes& lanes = pose.rate_lanes[b / 8];
    const auto vector = [&](std::size_t k) {
      return Vec3{lanes[k][b % 8], lanes[k + 1][b % 8], lanes[k + 2][b % 8]};
    };
    const auto floats = [](const Vec3& v) {
      const Vec3f f = to_float(v);
      return std::array{f.x, f.y, f.z};
    };
    const Vec3 along = vector(0), axis = along * (2 * lanes[6][b % 8]);
    pose.rates[b] = {floats(axis), floats(cross(vector(3), axis)), floats(along * lanes[7][b % 8])};
  }
  for (std::size_t b = 0; b < pose.turning.size(); ++b) {
    Rate& rate = pose.rates[b];
    const auto& stretch = pose.stretch_vectors[b];
    rate.stretch_vector = {stretch[0], stretch[1], stretch[2]};
    if ((pose.moves[b] & twists) == 0) continue;
    TurningBone& bone = pose.turning[b];
    set_maps(bone);
    const float twist = bone.half_turns * static_cast<float>(pi);
    const std::array<float, 3> axis{bone.out[0] * twist, bone.out[4] * twist, bone.out[8] * twist};
    const std::array<float, 3> head{bone.out[3], bone.out[7], bone.out[11]};
    rate.axis = axis;
    rate.shift = {head[1] * axis[2] - head[2] * axis[1], head[2] * axis[0] - head[0] * axis[2],
                  head[0] * axis[1] - head[1] * axis[0]};
  }
}

}  // namespace sinew::kernels
#endif
