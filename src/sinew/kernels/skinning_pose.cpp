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
// reads the last one and writes to nowhere.
struct BoneGroup {
  PackedPose* pose;
  std::size_t first, count;
  std::array<const double*, lane_count> states;
};

// The records of one array that belong to the bones, as numbers; `each` of them to a bone.
template <class Record>
SINEW_KERNEL_INLINE auto records(const BoneGroup& bones, std::vector<Record>& all, Record& nowhere,
                                 std::size_t each = 1, std::size_t which = 0) {
  using Number = std::conditional_t<std::is_same_v<Record, Arc>, double, float>;
  static_assert(sizeof(Record) % sizeof(Number) == 0);
  std::array<Number*, lane_count> result;
  for (std::size_t i = 0; i < lane_count; ++i) {
    Record* record = i < bones.count ? &all[each * (bones.first + i) + which] : &nowhere;
    result[i] = reinterpret_cast<Number*>(record);
  }
  return result;
}

SINEW_KERNEL_INLINE Three load3(const BoneGroup& bones, std::size_t offset) {
  const double* const* from = bones.states.data();
  return {load1(from, offset), load1(from, offset + 1), load1(from, offset + 2)};
}

SINEW_KERNEL_INLINE Matrix load_matrix(const BoneGroup& bones, std::size_t offset) {
  const double* const* from = bones.states.data();
  const Four a = load4(from, offset), b = load4(from, offset + 4);
  return {{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, load1(from, offset + 8)}};
}

SINEW_KERNEL_INLINE Three all3(const Vec3& v) { return {all(v.x), all(v.y), all(v.z)}; }

SINEW_KERNEL_INLINE Three nothing() { return {Doubles{}, Doubles{}, Doubles{}}; }

// The map that applies `linear` about the bone's head and moves the head to `head`, as MatrixRows.
SINEW_KERNEL_INLINE void store_rows(const Matrix& m, const Three& head, const Three& bind_head,
                                    float* const* to, std::size_t offset = 0) {
  const Three t = head - m * bind_head;
  store4(Four{m.x.x, m.y.x, m.z.x, t.x}, to, offset);
  store4(Four{m.x.y, m.y.y, m.z.y, t.y}, to, offset + 4);
  store4(Four{m.x.z, m.y.z, m.z.z, t.z}, to, offset + 8);
}

SINEW_KERNEL_INLINE Matrix outer(const Three& column, const Three& row) {
  return {column * row.x, column * row.y, column * row.z};
}

// Stretchable, twistable bones.
struct Stretchable {
  Three head, bind_head;  // at bind; the second from the packed rig's center
  Three posed_head;
  Three axis;     // at bind
  Three stretch;  // at bind, at e = 1
  Four rotation;
  Doubles twist_head, twist_tail;
  Matrix across;
  Mask stretches, twists;  // as Moves says
};

SINEW_KERNEL_INLINE Stretchable load_stretchable(const BoneGroup& bones) {
  static_assert(SINEW_OFFSET(head) == 0 && SINEW_OFFSET(tail) == 3);
  static_assert(SINEW_OFFSET(posed_head) == 6 && SINEW_OFFSET(posed_tail) == 9);
  static_assert(SINEW_OFFSET(rotation) == 12 && SINEW_OFFSET(twist_head) == 16);
  static_assert(SINEW_OFFSET(twist_tail) == 17 && SINEW_OFFSET(across) == 18);
  const double* const* from = bones.states.data();
  const Four a = load4(from, 0), b = load4(from, 4), c = load4(from, 8), d = load4(from, 16),
             e = load4(from, 20), f = load4(from, 23);
  Stretchable bone;
  bone.head = {a.x, a.y, a.z};
  const Three tail{a.w, b.x, b.y};
  bone.posed_head = {b.z, b.w, c.x};
  const Three posed_tail{c.y, c.z, c.w};
  bone.rotation = load4(from, 12);
  bone.twist_head = d.x;
  bone.twist_tail = d.y;
  bone.across = {{d.z, d.w, e.x}, {e.y, e.z, e.w}, {f.y, f.z, f.w}};
  bone.bind_head = bone.head - all3(bones.pose->center);
  const Three rest = tail - bone.head;
  bone.axis = normalized(rest, {all(1), Doubles{}, Doubles{}});
  const Doubles rest_length = length(rest), posed_length = length(posed_tail - bone.posed_head);
  bone.stretch = rest * (posed_length / rest_length - 1);
  // Smaller twists (in radians) and stretches (relative to the bone) are lost in a float.
  constexpr double negligible = 3e-8;
  bone.stretches = absolute(posed_length - rest_length) > negligible * rest_length;
  bone.twists = absolute(bone.twist_tail - bone.twist_head) > negligible;
  return bone;
}

// What takes a point to the bone's frame at bind (first axis along the bone), turns it there and
// takes it to the pose; see TurningBone.
SINEW_KERNEL_INLINE void set_turning(const BoneGroup& bones, const Stretchable& bone,
                                     const Matrix& rotation) {
  const Three v = any_perpendicular(bone.axis);
  const Matrix frame{bone.axis, v, cross(bone.axis, v)};
  const Doubles mean = (bone.twist_head + bone.twist_tail) / 2;
  const Matrix in = transpose(frame) * bone.across;
  const Matrix axes = rotation * to_matrix(rotation_about(bone.axis, mean)) * frame;
  const Matrix rows = transpose(in);  // its columns are the rows of `in`
  static_assert(sizeof(TurningBone) == 62 * sizeof(float));
  TurningBone nowhere;
  const auto to = records(bones, bones.pose->turning, nowhere);
  store_rows(in, nothing(), bone.bind_head, to.data());
  store_rows(axes, bone.posed_head, nothing(), to.data(), 12);
  store_rows(outer(axes.x, rows.x), bone.posed_head, bone.bind_head, to.data(), 24);
  store_rows(outer(axes.y, rows.y) + outer(axes.z, rows.z), nothing(), bone.bind_head, to.data(),
             36);
  store_rows(outer(axes.z, rows.y) - outer(axes.y, rows.z), nothing(), bone.bind_head, to.data(),
             48);
  store1(dot(bone.stretch, bone.axis), to.data(), 60);
  store1((bone.twist_tail - bone.twist_head) / pi, to.data(), 61);
}

// Jacobson and Sorkine 2011, eq. 5: a' + R K(e) X (p - a) + e R s, X the scale across the bone.
SINEW_KERNEL_INLINE void set_stbs_linear(const BoneGroup& bones, const Stretchable& bone) {
  const Matrix r = to_matrix(bone.rotation);
  const Three stretch = r * bone.stretch;
  const auto turn = [&](Doubles angle) HWY_ATTR {
    return r * to_matrix(rotation_about(bone.axis, angle)) * bone.across;
  };
  const bool any_twists = any(bone.twist_tail != bone.twist_head);
  const Matrix at_head = turn(bone.twist_head);
  const Matrix at_tail = any_twists ? turn(bone.twist_tail) : at_head;
  for (std::size_t corner = 0; corner < 4; ++corner) {
    MatrixRows nowhere;
    const auto to = records(bones, bones.pose->matrices, nowhere, 4, corner);
    const Three head = (corner & 1) != 0 ? bone.posed_head + stretch : bone.posed_head;
    store_rows((corner & 2) != 0 ? at_tail : at_head, head, bone.bind_head, to.data());
  }
  std::array<float, 3> nowhere;
  const auto to = records(bones, bones.pose->stretch_vectors, nowhere);
  store({stretch.x, stretch.y, stretch.z}, to.data(), 0);
  if (any(bone.twists)) set_turning(bones, bone, r);
}

// A turn about the posed bone, and its stretch.
SINEW_KERNEL_INLINE void set_rates(const BoneGroup& bones, const Stretchable& bone) {
  static_assert(sizeof(Rate) == 9 * sizeof(float));
  const Three axis = rotate(bone.rotation, bone.axis) * (bone.twist_tail - bone.twist_head);
  const Three shift = -cross(axis, bone.posed_head);
  const Three stretch = rotate(bone.rotation, bone.stretch);
  Rate nowhere;
  const auto to = records(bones, bones.pose->rates, nowhere);
  store({axis.x, axis.y, axis.z, shift.x, shift.y, shift.z, stretch.x, stretch.y, stretch.z},
        to.data(), 0);
}

// `twist`: the rotation about the bone from one end to the other.
SINEW_KERNEL_INLINE void set_arcs(const BoneGroup& bones, const Four& center, Doubles twist) {
  static_assert(sizeof(Arc) == 6 * sizeof(double));
  // Half the way to each side, and quaternions turn by half the angle.
  const Doubles part = absolute(twist) / 4;
  const auto [sine, cosine] = sine_cosine(select(part > pi / 2, all(pi / 2), part));
  Arc nowhere;
  const auto to = records(bones, bones.pose->arcs, nowhere);
  store({center.x, center.y, center.z, center.w, cosine, sine}, to.data(), 0);
}

SINEW_KERNEL_INLINE void set_before(const BoneGroup& bones, const Matrix& before,
                                    const Three& bind_head) {
  const Matrix change = before - identity();
  const Mask matters = length_squared(change) >= 1e-18;
  for (std::size_t i = 0; i < bones.count; ++i) {
    bones.pose->has_before[bones.first + i] = matters[i] != 0 ? 1 : 0;
  }
  if (!any(matters)) return;
  MatrixRows nowhere;
  store_rows(change, nothing(), bind_head, records(bones, bones.pose->before, nowhere).data());
}

// Jacobson and Sorkine 2011, eq. 6: rotation q = R K(e), translation a' + e R s - q a, so that the
// dual part is ((a' + e R s) q - q a) / 2.
SINEW_KERNEL_INLINE void set_stbs_motions(const BoneGroup& bones, const Stretchable& bone) {
  const Four bind_head = pure(bone.bind_head), posed_head = pure(bone.posed_head);
  const Four stretch = pure(rotate(bone.rotation, bone.stretch));
  const auto dual = [&](const Four& q)
                        HWY_ATTR { return (posed_head * q + -(q * bind_head)) * all(0.5); };
  const auto stretched = [&](const Four& q) HWY_ATTR { return stretch * q * all(0.5); };
  const auto turned = [&](Doubles twist)
                          HWY_ATTR { return bone.rotation * rotation_about(bone.axis, twist); };
  const bool any_twists = any(bone.twist_tail != bone.twist_head);
  const Four at_head = turned(bone.twist_head);
  static_assert(sizeof(Motion) == 8 * sizeof(float));
  std::array<std::array<float, 4>, 2> no_stretch;
  const auto stretch_dual = records(bones, bones.pose->stretch_dual, no_stretch);
  for (std::size_t end = 0; end < 2; ++end) {
    const Four q = end != 0 && any_twists ? turned(bone.twist_tail) : at_head;
    const Four moved = dual(q), with_stretch = stretched(q);
    Motion nowhere;
    const auto plain = records(bones, bones.pose->motions, nowhere, 4, 2 * end);
    store4(q, plain.data(), 0);
    store4(moved, plain.data(), 4);
    const auto longer = records(bones, bones.pose->motions, nowhere, 4, 2 * end + 1);
    store4(q, longer.data(), 0);
    store4(moved + with_stretch, longer.data(), 4);
    store4(with_stretch, stretch_dual.data(), 4 * end);
  }
  set_before(bones, bone.across, bone.bind_head);
  const Four c = any_twists ? turned((bone.twist_head + bone.twist_tail) / 2) : at_head;
  set_arcs(bones, c, bone.twist_tail - bone.twist_head);
  if (!any(bone.twists)) return;
  const Four s = c * pure(bone.axis);
  static_assert(sizeof(TurningMotion) == 25 * sizeof(float));
  TurningMotion nowhere;
  const auto to = records(bones, bones.pose->turning_motions, nowhere);
  store4(c, to.data(), 0);
  store4(s, to.data(), 4);
  store4(dual(c), to.data(), 8);
  store4(dual(s), to.data(), 12);
  store4(stretched(c), to.data(), 16);
  store4(stretched(s), to.data(), 20);
  store1((bone.twist_tail - bone.twist_head) / (2 * pi), to.data(), 24);
}

SINEW_KERNEL_INLINE void set_stbs(const BoneGroup& bones) {
  const Stretchable bone = load_stretchable(bones);
  for (std::size_t i = 0; i < bones.count; ++i) {
    bones.pose->moves[bones.first + i] = static_cast<std::uint8_t>(
        (bone.stretches[i] != 0 ? stretches : 0) | (bone.twists[i] != 0 ? twists : 0));
  }
  set_rates(bones, bone);
  if (!bones.pose->matrices.empty()) set_stbs_linear(bones, bone);
  if (!bones.pose->motions.empty()) set_stbs_motions(bones, bone);
}

// Bones as the standard methods see them.
SINEW_KERNEL_INLINE void set_plain(const BoneGroup& bones, bool rigid) {
  PackedPose& pose = *bones.pose;
  const Three bind = load3(bones, SINEW_OFFSET(head));
  const Three bind_head = bind - all3(pose.center);
  const Matrix linear = load_matrix(bones, SINEW_OFFSET(matrix));
  const Three head = linear * bind + load3(bones, SINEW_OFFSET(matrix) + 9);
  const auto load_turn = [&]() HWY_ATTR { return load4(bones.states.data(), SINEW_OFFSET(turn)); };
  if (!pose.matrices.empty()) {
    MatrixRows nowhere;
    store_rows(rigid ? to_matrix(load_turn()) : linear, head, bind_head,
               records(bones, pose.matrices, nowhere).data());
  }
  if (pose.motions.empty()) return;
  const Four turn = load_turn();
  const Four dual = (pure(head - rotate(turn, bind_head)) * turn) * all(0.5);
  Motion nowhere;
  const auto to = records(bones, pose.motions, nowhere);
  store4(turn, to.data(), 0);
  store4(dual, to.data(), 4);
  set_arcs(bones, turn, Doubles{});
  set_before(bones, rigid ? identity() : load_matrix(bones, SINEW_OFFSET(scale_shear)), bind_head);
}

void set_bones(const PackedPlan& plan, std::span<const BoneState> bones, std::size_t first,
               PackedPose& pose) {
  for (std::size_t b = 0; b < bones.size(); b += lane_count) {
    BoneGroup some{&pose, first + b, std::min(lane_count, bones.size() - b), {}};
    for (std::size_t i = 0; i < lane_count; ++i) {
      some.states[i] = &bones[b + std::min(i, some.count - 1)].head.x;
    }
    if (plan.map == BoneMap::stbs) {
      set_stbs(some);
    } else {
      set_plain(some, plan.map == BoneMap::rigid);
    }
  }
}

#undef SINEW_OFFSET

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {
namespace {

HWY_EXPORT(set_bones);

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

// Smaller bulges are lost in a float.
constexpr double negligible_bulge = 3e-8;

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
  if (stbs && !rig.first_bulge.empty()) pose.bulges.resize(count);
  const BoneState still = still_bone();
  HWY_DYNAMIC_DISPATCH(set_bones)(plan, std::span(&still, 1), rig.bone_count, pose);
}

void fill_skinning(const PackedRig&, const PackedPlan& plan, std::span<const BoneState> bones,
                   PackedPose& pose) {
  HWY_DYNAMIC_DISPATCH(set_bones)(plan, bones, 0, pose);
  if (pose.blended_pairs) find_hemispheres(pose);
  pose.any_bulge = false;
  if (!pose.bulges.empty()) {
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const double drive = bones[b].bulge;
      pose.bulges[b] = std::fabs(drive) > negligible_bulge ? static_cast<float>(drive) : 0.0f;
      pose.any_bulge |= pose.bulges[b] != 0;
    }
  }
  const auto is_set = [](std::uint8_t flag) { return flag != 0; };
  pose.any_moves = std::any_of(pose.moves.begin(), pose.moves.end(), is_set);
  pose.any_before = std::any_of(pose.has_before.begin(), pose.has_before.end(), is_set);
}

}  // namespace sinew::kernels
#endif
