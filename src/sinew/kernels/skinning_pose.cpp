// SPDX-License-Identifier: Apache-2.0
// Fills a PackedPose for the skinning methods, several bones at a time.
#include "sinew/core/internal/lane_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/kernels/skinning_pose.cpp"
#include <algorithm>
#include <array>
#include <cmath>

#include <hwy/foreach_target.h>

#include "sinew/core/internal/lanes-inl.h"
#include "sinew/kernels/detail/skinning_pose.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

using namespace lanes::HWY_NAMESPACE;

// Where the numbers of a BoneState lie, counted in doubles.
#define SINEW_OFFSET(member) (offsetof(BoneState, member) / sizeof(double))

// Bones, and where they go in the arrays of a PackedPose. If there are fewer than lanes, the rest
// are bones that never move.
struct BoneGroup {
  PackedPose* pose;
  std::size_t first;
  std::array<const double*, lane_count> states;
};

// The records of one array that belong to the bones, as numbers; `kEach` of them to a bone.
template <std::size_t kEach = 1, class Record>
SINEW_KERNEL_INLINE auto records(const BoneGroup& bones, std::vector<Record>& all,
                                 std::size_t which = 0) {
  using Number = std::conditional_t<std::is_same_v<Record, Arc>, double, float>;
  static_assert(sizeof(Record) % sizeof(Number) == 0);
  return Rows<Number, kEach * sizeof(Record) / sizeof(Number)>{
      reinterpret_cast<Number*>(&all[kEach * bones.first + which])};
}

SINEW_KERNEL_INLINE Matrix load_matrix(const BoneGroup& bones, std::size_t offset) {
  const Four a = load4(bones.states, offset), b = load4(bones.states, offset + 4),
             c = load4(bones.states, offset + 5);
  return {{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.w}};
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
  Three axis;       // at bind
  Doubles stretch;  // by which the tail moves along it
  Matrix across;
  Four middle;   // the rotation halfway between both ends' twists
  Doubles turn;  // from there to the tail's twist, and back to the head's
  // Sine and cosine of half that turn, as quaternions have it.
  Doubles sine, cosine;
  bool any_turn;           // whether it is not 0 for all bones
  Mask stretches, twists;  // as Moves says
};

SINEW_KERNEL_INLINE Stretchable load_stretchable(const BoneGroup& bones) {
  static_assert(SINEW_OFFSET(head) == 0 && SINEW_OFFSET(tail) == 3);
  static_assert(SINEW_OFFSET(posed_head) == 6 && SINEW_OFFSET(posed_tail) == 9);
  static_assert(SINEW_OFFSET(rotation) == 12 && SINEW_OFFSET(twist_head) == 16);
  static_assert(SINEW_OFFSET(twist_tail) == 17 && SINEW_OFFSET(across) == 18);
  const auto& from = bones.states;
  const Four a = load4(from, 0), b = load4(from, 4), c = load4(from, 8), d = load4(from, 16),
             e = load4(from, 20), f = load4(from, 23);
  Stretchable bone;
  const Three head{a.x, a.y, a.z}, tail{a.w, b.x, b.y}, posed_tail{c.y, c.z, c.w};
  bone.posed_head = {b.z, b.w, c.x};
  bone.across = {{d.z, d.w, e.x}, {e.y, e.z, e.w}, {f.y, f.z, f.w}};
  bone.bind_head = head - all3(bones.pose->center);
  const Three rest = tail - head;
  const Doubles rest_length = length(rest), posed_length = length(posed_tail - bone.posed_head);
  bone.axis = select(rest_length > 0, rest * (1 / rest_length), {all(1), Doubles{}, Doubles{}});
  bone.stretch = posed_length - rest_length;
  bone.middle = load4(from, 12);
  const Doubles twist_head = d.x, twist_tail = d.y;
  const Doubles mean = (twist_head + twist_tail) * 0.5;
  if (any(mean != 0)) bone.middle = bone.middle * rotation_about(bone.axis, mean);
  bone.turn = (twist_tail - twist_head) * 0.5;
  bone.any_turn = any(bone.turn != 0);
  bone.sine = Doubles{};
  bone.cosine = all(1);
  if (bone.any_turn) {
    const auto [sine, cosine] = sine_cosine(bone.turn * 0.5);
    bone.sine = sine;
    bone.cosine = cosine;
  }
  // Smaller twists (in radians) and stretches (relative to the bone) are lost in a float.
  constexpr double negligible = 3e-8;
  bone.stretches = absolute(bone.stretch) > negligible * rest_length;
  bone.twists = absolute(twist_tail - twist_head) > negligible;
  return bone;
}

// A unit vector across the unit vector u.
SINEW_KERNEL_INLINE Three perpendicular(const Three& u) {
  const Mask low = absolute(u.x) < 0.6;
  const Three v = select(low, Three{Doubles{}, u.z, -u.y}, Three{-u.z, Doubles{}, u.x});
  return v * (1 / length(v));
}

// A row of `across` and of what takes a point to the bone's head.
SINEW_KERNEL_INLINE Four row_in(const Stretchable& bone, const Three& direction) {
  const Three row{dot(bone.across.x, direction), dot(bone.across.y, direction),
                  dot(bone.across.z, direction)};
  return {row.x, row.y, row.z, -dot(row, bone.bind_head)};
}

// Jacobson and Sorkine 2011, eq. 5: a' + R K(e) X (p - a) + e R s, X the scale across the bone. In
// the frame of the bone (first axis along it) K turns the second and third axis; see TurningBone.
SINEW_KERNEL_INLINE void set_stbs_linear(const BoneGroup& bones, const Stretchable& bone) {
  PackedPose& pose = *bones.pose;
  const Three v = perpendicular(bone.axis);
  const Four in[] = {row_in(bone, bone.axis), row_in(bone, v), row_in(bone, cross(bone.axis, v))};
  const Matrix middle = to_matrix(bone.middle);
  const Three x = middle * bone.axis, y = middle * v, z = cross(x, y);
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
    if (bone.any_turn) {
      const Four middle_row = fixed + turned * cosine;
      const Four to_tail = (in[1] * o[2] + in[2] * -o[1]) * sine;
      at_head = middle_row + -to_tail;
      at_tail = middle_row + to_tail;
    }
    for (std::size_t corner = 0; corner < 4; ++corner) {
      Four row = (corner & 2) != 0 ? at_tail : at_head;
      if ((corner & 1) != 0) row.w = row.w + shift[k];
      store4(row, records<4>(bones, pose.matrices, corner), 4 * k);
    }
  }
  store4(pure(stretch), records(bones, pose.stretch_vectors), 0);
  if (!any(bone.twists)) return;
  const auto to = records(bones, pose.turning);
  for (std::size_t k = 0; k < 3; ++k) {
    store4(in[k], to, 4 * k);
    store4(Four{out[k][0], out[k][1], out[k][2], out[k][3]}, to, 12 + 4 * k);
  }
  store4(Four{bone.stretch, bone.turn * (2 / pi), Doubles{}, Doubles{}}, to, 24);
}

// For motions: a center, and half the way from one end's rotation to the other's.
SINEW_KERNEL_INLINE void set_arcs(const BoneGroup& bones, const Four& center, Doubles cosine,
                                  Doubles sine) {
  static_assert(sizeof(Arc) == 6 * sizeof(double));
  store({center.x, center.y, center.z, center.w, cosine, sine}, records(bones, bones.pose->arcs),
        0);
}

SINEW_KERNEL_INLINE void set_before(const BoneGroup& bones, const Matrix& before,
                                    const Three& bind_head) {
  const Matrix change = before - identity();
  const Mask matters = length_squared(change) >= 1e-18;
  store_flags(matters & 1, &bones.pose->has_before[bones.first]);
  if (!any(matters)) return;
  store_map(change, -(change * bind_head), records(bones, bones.pose->before));
}

// A turn about the posed bone, and its stretch. (Linear blending has them from its TurningBones.)
SINEW_KERNEL_INLINE void set_rates(const BoneGroup& bones, const Stretchable& bone,
                                   const Three& posed_axis) {
  static_assert(sizeof(Rate) == 9 * sizeof(float));
  const Three axis = posed_axis * (2 * bone.turn), shift = cross(bone.posed_head, axis);
  const Three stretch = posed_axis * bone.stretch;
  store({axis.x, axis.y, axis.z, shift.x, shift.y, shift.z, stretch.x, stretch.y, stretch.z},
        records(bones, bones.pose->rates), 0);
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
  if (bone.any_turn) {
    const Four s = c * pure(bone.axis);
    const Four dual_s = dual(s), stretch_s = stretch * s;
    const auto ends = [&](const Four& at_c, const Four& at_s, Four(&result)[2]) HWY_ATTR {
      const Four middle = at_c * bone.cosine, to_tail = at_s * bone.sine;
      result[0] = middle + -to_tail;
      result[1] = middle + to_tail;
    };
    ends(c, s, real);
    ends(dual_c, dual_s, moved);
    ends(stretch_c, stretch_s, stretched);
    if (any(bone.twists)) {
      const auto to = records(bones, pose.turning_motions);
      store4(c, to, 0);
      store4(s, to, 4);
      store4(dual_c, to, 8);
      store4(dual_s, to, 12);
      store4(stretch_c, to, 16);
      store4(stretch_s, to, 20);
      store4(Four{bone.turn * (1 / pi), Doubles{}, Doubles{}, Doubles{}}, to, 24);
    }
  }
  const auto stretch_dual = records(bones, pose.stretch_dual);
  for (std::size_t end = 0; end < 2; ++end) {
    const auto plain = records<4>(bones, pose.motions, 2 * end);
    store4(real[end], plain, 0);
    store4(moved[end], plain, 4);
    const auto longer = records<4>(bones, pose.motions, 2 * end + 1);
    store4(real[end], longer, 0);
    store4(moved[end] + stretched[end], longer, 4);
    store4(stretched[end], stretch_dual, 4 * end);
  }
  if (pose.turning.empty()) set_rates(bones, bone, posed_axis);
  set_before(bones, bone.across, bone.bind_head);
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
  const auto& from = bones.states;
  constexpr std::size_t at = SINEW_OFFSET(matrix);
  const Four a = load4(from, at), b = load4(from, at + 4), c = load4(from, at + 8);
  const Matrix linear{{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}};
  const Three translation{c.y, c.z, c.w}, center = all3(pose.center);
  if (!rigid && !pose.matrices.empty()) {
    store_map(linear, linear * center + translation, records(bones, pose.matrices));
  }
  if (!rigid && pose.motions.empty()) return;
  const Four first = load4(from, SINEW_OFFSET(head)), turn = load4(from, SINEW_OFFSET(turn));
  const Three bind{first.x, first.y, first.z}, bind_head = bind - center;
  const Three head = linear * bind + translation, t = head - rotate(turn, bind_head);
  if (rigid && !pose.matrices.empty()) {
    store_map(to_matrix(turn), t, records(bones, pose.matrices));
  }
  if (pose.motions.empty()) return;
  const auto to = records(bones, pose.motions);
  store4(turn, to, 0);
  store4((pure(t) * turn) * all(0.5), to, 4);
  set_arcs(bones, turn, all(1), Doubles{});
  set_before(bones, rigid ? identity() : load_matrix(bones, SINEW_OFFSET(scale_shear)), bind_head);
}

// The bones [0, count); those that are not given never move.
void set_bones(const PackedPlan& plan, std::span<const BoneState> bones, std::size_t count,
               PackedPose& pose) {
  const BoneState still = still_bone();
  for (std::size_t b = 0; b < count; b += lane_count) {
    BoneGroup some{&pose, b, {}};
    for (std::size_t i = 0; i < lane_count; ++i) {
      some.states[i] = b + i < bones.size() ? &bones[b + i].head.x : &still.head.x;
    }
    if (plan.map == BoneMap::stbs) {
      set_stbs(some);
    } else {
      set_plain(some, plan.map == BoneMap::rigid);
    }
  }
}

// Whether no two rotations of a pair of bones are ever opposite.
void compare_pairs(const BlendedPairs& blended_pairs, PackedPose& pose) {
  constexpr double rounding = 1e-5;  // more than that of floats, and than half_turn_margin
  const std::size_t count = blended_pairs.pairs.size();
  for (std::size_t first = 0; first < count; first += lane_count) {
    std::array<const double*, lane_count> from, to;
    for (std::size_t i = 0; i < lane_count; ++i) {
      const auto& [a, b] = blended_pairs.pairs[std::min(first + i, count - 1)];
      from[i] = pose.arcs[a].center.data();
      to[i] = pose.arcs[b].center.data();
    }
    const Four center = load_products(from, to, 0);
    const Doubles between = center.x + center.y + center.z + center.w;
    Mask agree = between > rounding;
    if (pose.any_moves) {                               // or else arcs are points
      const Four a = load4(from, 2), b = load4(to, 2);  // z and w are cosine and sine
      // The angle between the centers plus the radii of both arcs is less than a quarter turn.
      agree = (a.z * b.z - a.w * b.w > rounding) & (between > a.w * b.z + a.z * b.w + rounding);
    }
    store_flags(agree & 1, &pose.pair_in_hemisphere[first]);
  }
}

#undef SINEW_OFFSET

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {
namespace {

HWY_EXPORT(set_bones);
HWY_EXPORT(compare_pairs);

void find_hemispheres(PackedPose& pose) {
  const BlendedPairs& blended_pairs = *pose.blended_pairs;
  HWY_DYNAMIC_DISPATCH(compare_pairs)(blended_pairs, pose);
  std::fill(pose.in_hemisphere.begin(), pose.in_hemisphere.end(), std::uint8_t{1});
  for (std::size_t pair = 0; pair < blended_pairs.pairs.size(); ++pair) {
    if (pose.pair_in_hemisphere[pair] != 0) continue;
    for (std::size_t i = blended_pairs.first[pair]; i < blended_pairs.first[pair + 1]; ++i) {
      pose.in_hemisphere[blended_pairs.kinds[i]] = 0;
    }
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

// Smaller bulges are lost in a float.
constexpr double negligible_bulge = 3e-8;

}  // namespace

void prepare_skinning(const PackedRig& rig, const PackedPlan& plan, PackedPose& pose) {
  // Bones are set eight at a time; behind the last, each is the one that never moves.
  const auto padded = [](std::size_t count) { return (count + 7) / 8 * 8; };
  const std::size_t bones = rig.bone_count + 1, count = padded(bones);
  const bool stbs = plan.map == BoneMap::stbs;
  pose.moves.resize(count);
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
    pose.pair_in_hemisphere.resize(padded(pose.blended_pairs->pairs.size()));
    pose.in_hemisphere.resize(pose.blended_pairs->kind_count);
    pose.has_before.resize(count);
    pose.before.resize(count);
  }
  if (stbs && !rig.first_bulge.empty()) pose.bulges.resize(bones);
  HWY_DYNAMIC_DISPATCH(set_bones)(plan, {}, bones, pose);
}

void fill_skinning(const PackedRig&, const PackedPlan& plan, std::span<const BoneState> bones,
                   PackedPose& pose) {
  HWY_DYNAMIC_DISPATCH(set_bones)(plan, bones, bones.size(), pose);
  const auto is_set = [](std::uint8_t flag) { return flag != 0; };
  pose.any_moves = std::any_of(pose.moves.begin(), pose.moves.end(), is_set);
  pose.any_before = std::any_of(pose.has_before.begin(), pose.has_before.end(), is_set);
  if (pose.blended_pairs) find_hemispheres(pose);
  pose.any_bulge = false;
  if (!pose.bulges.empty()) {
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const double drive = bones[b].bulge;
      pose.bulges[b] = std::fabs(drive) > negligible_bulge ? static_cast<float>(drive) : 0.0f;
      pose.any_bulge |= pose.bulges[b] != 0;
    }
  }
}

void fill_skinning_surface(PackedPose& pose) {
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
