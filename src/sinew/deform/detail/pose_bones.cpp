// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/lane_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/deform/detail/pose_bones.cpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <hwy/foreach_target.h>

#include "sinew/core/internal/lanes-inl.h"
#include "sinew/deform/detail/pose_bones.h"
#include "sinew/deform/twist.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::detail::HWY_NAMESPACE {

using namespace lanes::HWY_NAMESPACE;

// Where the numbers of a BoneState and of others lie, counted in doubles.
#define SINEW_OFFSET(type, member) (offsetof(type, member) / sizeof(double))
static_assert(sizeof(Affine) == 12 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double));
static_assert(SINEW_OFFSET(BoneState, turn) == SINEW_OFFSET(BoneState, matrix) + 12);
static_assert(SINEW_OFFSET(BoneState, scale_shear) == SINEW_OFFSET(BoneState, matrix) + 16);
static_assert(SINEW_OFFSET(BoneState, posed_tail) == SINEW_OFFSET(BoneState, posed_head) + 3);
static_assert(SINEW_OFFSET(BoneState, rotation) == SINEW_OFFSET(BoneState, posed_head) + 6);
static_assert(SINEW_OFFSET(BoneState, across) == SINEW_OFFSET(BoneState, posed_head) + 12);
static_assert(SINEW_OFFSET(BoneState, bulge) == SINEW_OFFSET(BoneState, posed_head) + 22);

struct Map {
  Matrix linear;
  Three translation;
};

template <class Places>
SINEW_KERNEL_INLINE Map load_map(const Places& from, std::size_t offset = 0) {
  const Four a = load4(from, offset), b = load4(from, offset + 4), c = load4(from, offset + 8);
  return {{{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}}, {c.y, c.z, c.w}};
}

SINEW_KERNEL_INLINE Three image_of(const Map& map, const Three& p) {
  return map.linear * p + map.translation;
}

// to_affine() of as many joints as there are lanes.
SINEW_KERNEL_INLINE void set_local_frames(const Transform* joints, Affine* frames) {
  static_assert(sizeof(Transform) == 10 * sizeof(double));
  static_assert(SINEW_OFFSET(Transform, rotation) == 3 && SINEW_OFFSET(Transform, scale) == 7);
  const Rows<const double, 10> from{&joints->translation.x};
  const Four a = load4(from, 0), b = load4(from, 4), c = load4(from, 6);
  const Matrix r = to_matrix(Four{a.w, b.x, b.y, b.z});
  const Three x = r.x * b.w, y = r.y * c.z, z = r.z * c.w;
  store({x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, a.x, a.y, a.z},
        Rows<double, 12>{&frames->linear.x.x}, 0);
}

SINEW_KERNEL_INLINE void set_local_frames(std::span<const Transform> joints,
                                          std::span<Affine> frames) {
  const std::size_t count = joints.size();
  if (count < lane_count) {
    std::array<Transform, lane_count> some;
    std::array<Affine, lane_count> results;
    std::copy(joints.begin(), joints.end(), some.begin());
    set_local_frames(some.data(), results.data());
    std::copy_n(results.begin(), count, frames.begin());
    return;
  }
  // The last ones may be computed twice.
  for (std::size_t first = 0; first < count; first += lane_count) {
    const std::size_t at = std::min(first, count - lane_count);
    set_local_frames(&joints[at], &frames[at]);
  }
}

#ifdef __EMSCRIPTEN__
// Emscripten 3.1.6 mixes up the numbers of columns that are stored over each other, as below.
SINEW_KERNEL_INLINE void put_all_below(const RigPlan::Data& plan, std::span<Affine> globals) {
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    Affine& frame = globals[plan.order[i]];
    if (plan.parents[i] != no_joint) frame = globals[plan.parents[i]] * frame;
  }
}
#else
// A frame's columns, the fourth number of which is not used.
using Column = double __attribute__((vector_size(32)));
struct Columns {
  Column x, y, z, t;
};

SINEW_KERNEL_INLINE Columns load_columns(const Affine& frame) {
  const double* from = &frame.linear.x.x;
  Columns c;
  Column last;
  std::memcpy(&c.x, from, sizeof c.x);
  std::memcpy(&c.y, from + 3, sizeof c.y);
  std::memcpy(&c.z, from + 6, sizeof c.z);
  std::memcpy(&last, from + 8, sizeof last);
  c.t = __builtin_shufflevector(last, last, 1, 2, 3, 3);
  return c;
}

// b becomes a * b, and is returned.
SINEW_KERNEL_INLINE Columns put_below(const Columns& a, Affine& b) {
  double* to = &b.linear.x.x;
  const auto image = [&](std::size_t i)
                         HWY_ATTR { return a.x * to[i] + a.y * to[i + 1] + a.z * to[i + 2]; };
  const Columns c{image(0), image(3), image(6), image(9) + a.t};
  const Column end = __builtin_shufflevector(c.z, c.t, 2, 4, 5, 6);
  std::memcpy(to, &c.x, sizeof c.x);
  std::memcpy(to + 3, &c.y, sizeof c.y);
  std::memcpy(to + 6, &c.z, sizeof c.z);
  std::memcpy(to + 8, &end, sizeof end);
  return c;
}

SINEW_KERNEL_INLINE void put_all_below(const RigPlan::Data& plan, std::span<Affine> globals) {
  // Most joints follow their parent, whose frame need not come back from memory: reading what was
  // just written in parts takes longer than the product.
  Columns last{};
  JointIndex last_joint = no_joint;
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const JointIndex joint = plan.order[i], parent = plan.parents[i];
    if (parent == no_joint) continue;
    if (parent != last_joint) last = load_columns(globals[parent]);
    last = put_below(last, globals[joint]);
    last_joint = joint;
  }
}
#endif

void pose_frames(const RigPlan::Data& plan, std::span<const Transform> joints,
                 std::span<Affine> globals) {
  set_local_frames(joints, globals);
  put_all_below(plan, globals);
}

// As many bones as there are lanes.
struct Block {
  const RigPlan::LaneBones* plan;
  std::size_t lane;  // the first of its lanes
  std::size_t first, count;
};

SINEW_KERNEL_INLINE Doubles lanes_of(const Block& block, const LaneStates::Lane& lanes) {
  return load_lanes(lanes.data() + block.lane);
}

SINEW_KERNEL_INLINE Three lanes_of(const Block& block,
                                   const std::array<LaneStates::Lane, 3>& lanes) {
  return {lanes_of(block, lanes[0]), lanes_of(block, lanes[1]), lanes_of(block, lanes[2])};
}

SINEW_KERNEL_INLINE Four lanes_of(const Block& block,
                                  const std::array<LaneStates::Lane, 4>& lanes) {
  return {lanes_of(block, lanes[0]), lanes_of(block, lanes[1]), lanes_of(block, lanes[2]),
          lanes_of(block, lanes[3])};
}

template <std::size_t count>
SINEW_KERNEL_INLINE void keep(const Doubles (&values)[count], const Block& block,
                              std::array<LaneStates::Lane, count>& to) {
  for (std::size_t k = 0; k < count; ++k) store_lanes(values[k], to[k].data() + block.lane);
}

SINEW_KERNEL_INLINE void keep(Doubles value, const Block& block, LaneStates::Lane& to) {
  store_lanes(value, to.data() + block.lane);
}

// The map of twelve lanes, by columns.
SINEW_KERNEL_INLINE Map map_of(const Block& block, const std::array<LaneStates::Lane, 12>& lanes) {
  Doubles m[12];
  for (std::size_t k = 0; k < 12; ++k) m[k] = lanes_of(block, lanes[k]);
  return {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}, {m[9], m[10], m[11]}};
}

// Of one place per lane, told by its index.
template <class T>
SINEW_KERNEL_INLINE std::array<const double*, lane_count> places(const Block& block, const T* from,
                                                                 const std::array<int, 8>& index) {
  std::array<const double*, lane_count> result;
  for (std::size_t i = 0; i < lane_count; ++i) {
    result[i] = static_cast<const double*>(static_cast<const void*>(from + index[block.lane + i]));
  }
  return result;
}

SINEW_KERNEL_INLINE Map operator*(const Map& a, const Map& b) {
  return {a.linear * b.linear, a.linear * b.translation + a.translation};
}

// Whether m is a rotation but for rounding.
SINEW_KERNEL_INLINE Mask is_rotation(const Matrix& m) {
  const Doubles xx = dot(m.x, m.x) - 1, yy = dot(m.y, m.y) - 1, zz = dot(m.z, m.z) - 1;
  const Doubles yz = dot(m.y, m.z), zx = dot(m.z, m.x), xy = dot(m.x, m.y);
  const Doubles off = xx * xx + yy * yy + zz * zz + 2 * (yz * yz + zx * zx + xy * xy);
  return (off < 1e-24) & (determinant(m) > 0);
}

struct Turn {
  Four turn;
  Mask rigid;  // there is nothing but this turn
};

// The rotation nearest to m (polar decomposition by the iteration of Higham 1986); for a singular m
// the one of its translation-rotation-scale split.
SINEW_KERNEL_INLINE Turn nearest_rotation(const Matrix& m) {
  const Mask rigid = is_rotation(m);
  if (!any(~rigid)) return {to_quaternion(m), rigid};
  const Mask invertible = determinant(m) > 0;
  Matrix q = select(invertible, m, identity());
  Mask moving = invertible & ~rigid;
  for (int i = 0; i < 100 && any(moving); ++i) {
    // The transposed inverse.
    const Matrix cofactors{cross(q.y, q.z), cross(q.z, q.x), cross(q.x, q.y)};
    const Matrix next = (q + cofactors * (1 / dot(q.x, cofactors.x))) * all(0.5);
    const Doubles moved = length_squared(next - q);
    q = select(moving, next, q);
    // What is left is half the square of this step.
    moving = moving & (moved > 1e-17);
  }
  Four turn = to_quaternion(q);
  if (any(~invertible)) {
    for (std::size_t i = 0; i < lane_count; ++i) {
      if (invertible[i] != 0) continue;
      const auto column = [&](const Three& c) HWY_ATTR { return Vec3{c.x[i], c.y[i], c.z[i]}; };
      const Quat lone = to_transform({{column(m.x), column(m.y), column(m.z)}, {}}).rotation;
      turn.x[i] = lone.x;
      turn.y[i] = lone.y;
      turn.z[i] = lone.z;
      turn.w[i] = lone.w;
    }
  }
  return {turn, rigid};
}

// follow_twist() of those lanes that are `wanted`; the others keep their angles.
SINEW_KERNEL_INLINE Doubles follow_twists(Mask wanted, Doubles& angle, const Four& turn,
                                          const Three& axis) {
  constexpr double whole_turn = 2 * pi;
  const Doubles along = dot(vector_of(turn), axis);
  const Doubles squared = turn.w * turn.w + along * along;
  const Doubles alone = full_angle(along, turn.w);
  const Doubles near = alone + whole_turn * nearest_whole((angle - alone) * (1 / whole_turn));
  const Doubles followed = select(angle == angle, near, alone);
  const Mask in_full = squared > 0.5001;
  if (!any(wanted & ~in_full)) {
    angle = select(wanted, followed, angle);
    return followed;
  }
  Doubles fade = all(1);
  Mask known = in_full;
  for (std::size_t i = 0; i < lane_count; ++i) {
    if (in_full[i] != 0) continue;
    fade[i] = twist_fade(std::sqrt(squared[i]));
    known[i] = fade[i] > 0 ? -1 : 0;
  }
  angle = select(wanted & known, followed, angle);
  return select(known, fade * followed, Doubles{});
}

// Twists of joints without bones that move tails.
SINEW_KERNEL_INLINE void twist_by_ends(const RigPlan::Data& plan, const Block& block,
                                       std::span<const Affine> globals, const Four& turn,
                                       const Three& axis, LaneStates& to, double* angles) {
  Mask has_end{};
  std::array<const double*, lane_count> inverse{};
  for (std::size_t i = 0; i < lane_count; ++i) {
    const std::size_t b = std::min(block.first + i, plan.bones.size() - 1);
    inverse[i] = &plan.bones[b].end_inverse_bind.linear.x.x;
    has_end[i] = i < block.count && plan.bones[b].links.end != no_joint ? -1 : 0;
  }
  const auto ends = places(block, globals.data(), block.plan->tail_joint);
  const Matrix end = load_map(ends).linear * load_map(inverse).linear;
  const Four turned = conjugate(turn) * nearest_rotation(end).turn;
  Doubles angle = load_lanes(angles + 16);
  const Doubles twist = follow_twists(has_end, angle, turned, axis);
  store_lanes(angle, angles + 16);
  for (std::size_t i = 0; i < block.count; ++i) {
    if (has_end[i] == 0) continue;
    to.twist_tail[block.lane + i] = plan.bones[block.first + i].links.next_share * twist[i];
  }
}

// Tails that a pose stretches itself.
SINEW_KERNEL_INLINE void stretch_tails(const RigPlan::Data& plan, const Block& block,
                                       std::span<const TailStretch> tails, const Map& map,
                                       Three& posed_tail) {
  for (std::size_t i = 0; i < block.count; ++i) {
    const RigPlan::PlannedBone& planned = plan.bones[block.first + i];
    for (const TailStretch& tail : tails) {
      if (tail.joint != planned.joint || planned.links.end != no_joint) continue;
      if (planned.links.tail_carrier != BoneIndex(block.first + i)) continue;
      const Vec3 stretched = planned.head + (planned.tail - planned.head) * tail.factor;
      const Three posed = image_of(map, {all(stretched.x), all(stretched.y), all(stretched.z)});
      posed_tail.x[i] = posed.x[i];
      posed_tail.y[i] = posed.y[i];
      posed_tail.z[i] = posed.z[i];
    }
  }
}

// The scale across the bone: flat * s * flat, with flat the projection that takes away the axis,
// and the identity along it.
SINEW_KERNEL_INLINE Matrix scale_across(const Matrix& s, const Three& axis) {
  const Three image = s * axis;
  const Three along{dot(s.x, axis), dot(s.y, axis), dot(s.z, axis)};
  const Doubles more = 1 + dot(axis, image);
  const auto column = [&](const Three& c, Doubles a, Doubles l)
                          HWY_ATTR { return c + axis * (more * a - l) - image * a; };
  return {column(s.x, axis.x, along.x), column(s.y, axis.y, along.y), column(s.z, axis.z, along.z)};
}

// What is left of `l` once it is turned back.
SINEW_KERNEL_INLINE Matrix without_turn(const Matrix& l, const Four& turn) {
  return to_matrix(conjugate(turn)) * l;
}

// All but the twists between bones.
SINEW_KERNEL_INLINE void pose_block(const RigPlan::Data& plan, const Block& block,
                                    BoneDetail detail, std::span<const Affine> globals,
                                    std::span<const TailStretch> tails, LaneStates& to,
                                    double* angles) {
  const Map m = load_map(places(block, globals.data(), block.plan->joint)) *
                map_of(block, block.plan->inverse_bind);
  const Matrix& l = m.linear;
  const Three& t = m.translation;
  keep({l.x.x, l.x.y, l.x.z, l.y.x, l.y.y, l.y.z, l.z.x, l.z.y, l.z.z, t.x, t.y, t.z}, block,
       to.matrix);
  if (detail < BoneDetail::turns) return;
  const auto [turn, rigid] = nearest_rotation(l);
  keep({turn.x, turn.y, turn.z, turn.w}, block, to.turn);
  store_flags(~rigid & 1, to.is_scaled.data() + block.lane);
  Matrix s;
  if (any(~rigid)) {
    s = without_turn(l, turn);
    keep({s.x.x, s.x.y, s.x.z, s.y.x, s.y.y, s.y.z, s.z.x, s.z.y, s.z.z}, block, to.scale_shear);
  }
  if (detail < BoneDetail::ends) return;

  store4(turn, Rows<double, 4>{to.turns[block.lane].data()}, 0);
  const Three axis = lanes_of(block, block.plan->axis);
  const Three head = image_of(m, lanes_of(block, block.plan->head));
  Three tail = image_of(load_map(places(block, globals.data(), block.plan->tail_joint)),
                        lanes_of(block, block.plan->tail));
  if (block.plan->has_ends) twist_by_ends(plan, block, globals, turn, axis, to, angles);
  if (!tails.empty()) stretch_tails(plan, block, tails, m, tail);
  keep({head.x, head.y, head.z}, block, to.posed_head);
  keep({tail.x, tail.y, tail.z}, block, to.posed_tail);

  // Most bones have their length and end where their turn takes them; rounding apart.
  const Doubles rest_length = lanes_of(block, block.plan->rest_length);
  const Three bone = tail - head, image = to_matrix(turn) * axis;
  const Three off = bone - image * rest_length;
  constexpr double rounding = least_stretch / 2;
  const Mask straight = dot(off, off) < (rounding * rounding) * (rest_length * rest_length);
  Four r = turn;
  Doubles stretch{};
  if (any(~straight)) {
    r = select(straight, turn, rotation_between(image, normalized(bone, image)) * turn);
    const Doubles longer = length(bone) - rest_length;
    stretch = select(absolute(longer) < least_stretch * rest_length, Doubles{}, longer);
  }
  keep({r.x, r.y, r.z, r.w}, block, to.rotation);
  keep(stretch, block, to.stretch);
  if (!any(~rigid)) return;
  const Matrix a = select(rigid, identity(), scale_across(s, axis));
  keep({a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z}, block, to.across);
}

// The twists of bones against their parents.
SINEW_KERNEL_INLINE void share_twists(const Block& block, std::span<LaneStates> states,
                                      bool with_all, double* angles) {
  const RigPlan::LaneBones& plan = *block.plan;
  const Doubles own_share = lanes_of(block, plan.own_share);
  const Doubles next_share = lanes_of(block, plan.next_share);
  const Mask own = with_all ? lanes_of(block, plan.has_parent) != 0 : own_share != 0;
  const Mask handed_on = with_all ? lanes_of(block, plan.is_next) != 0 : next_share != 0;
  const bool any_own = any(own), any_handed_on = any(handed_on);
  if (!any_own && !any_handed_on) return;
  std::array<const double*, lane_count> above;
  for (std::size_t i = 0; i < lane_count; ++i) {
    const int parent = plan.parent[block.lane + i];
    above[i] = states[parent / 8].turns[parent % 8].data();
  }
  LaneStates& to = states[block.first / 8];
  const Four turned = conjugate(load4(above, 0)) * lanes_of(block, to.turn);
  if (any_own) {
    Doubles angle = load_lanes(angles);
    const Doubles twist = follow_twists(own, angle, turned, lanes_of(block, plan.axis));
    store_lanes(angle, angles);
    // The others have none.
    keep(select(own, -own_share * twist, Doubles{}), block, to.twist_head);
    if (with_all) keep(select(own, twist, Doubles{}), block, to.own_twist);
  }
  if (any_handed_on) {
    Doubles angle = load_lanes(angles + 8);
    const Doubles twist =
        follow_twists(handed_on, angle, turned, lanes_of(block, plan.parent_axis));
    store_lanes(angle, angles + 8);
    const Doubles at_tail = next_share * twist;
    for (std::size_t i = 0; i < block.count; ++i) {
      const int parent = plan.parent[block.lane + i];
      if (handed_on[i] != 0) states[parent / 8].twist_tail[parent % 8] = at_tail[i];
    }
  }
}

// Calls body(block) for all bones.
template <class Body>
SINEW_KERNEL_INLINE void for_each_block(const RigPlan::Data& plan, const Body& body) {
  const std::size_t count = plan.bones.size();
  for (std::size_t first = 0; first < count; first += lane_count) {
    body(Block{&plan.lane_bones[first / 8], first % 8, first, std::min(lane_count, count - first)});
  }
}

void pose_all(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
              std::span<const TailStretch> tails, std::span<LaneStates> states,
              std::span<double> angles) {
  const auto angles_of = [&](const Block& block) { return &angles[angle_index(block.first, 0)]; };
  for_each_block(plan, [&](const Block& block) HWY_ATTR {
    pose_block(plan, block, detail, globals, tails, states[block.first / 8], angles_of(block));
  });
  if (detail < BoneDetail::ends) return;
  for_each_block(plan, [&](const Block& block) HWY_ATTR {
    share_twists(block, states, detail >= BoneDetail::all, angles_of(block));
  });
}

void write_all(const RigPlan::Data& plan, BoneDetail detail, std::span<const LaneStates> states,
               std::span<BoneState> bones) {
  for_each_block(plan, [&](const Block& block) HWY_ATTR {
    const LaneStates& from = states[block.first / 8];
    const Rows<double, sizeof(BoneState) / sizeof(double)> to{&bones[block.first].head.x};
    const Map m = map_of(block, from.matrix);
    const Matrix& l = m.linear;
    const Three& t = m.translation;
    constexpr std::size_t at = SINEW_OFFSET(BoneState, matrix);
    store({l.x.x, l.x.y, l.x.z, l.y.x, l.y.y, l.y.z, l.z.x, l.z.y, l.z.z, t.x, t.y, t.z}, to, at);
    if (detail < BoneDetail::turns) return;
    const Four turn = lanes_of(block, from.turn);
    const Matrix s = without_turn(l, turn);
    store({turn.x, turn.y, turn.z, turn.w, s.x.x, s.x.y, s.x.z, s.y.x, s.y.y, s.y.z, s.z.x, s.z.y,
           s.z.z},
          to, at + 12);
    if (detail < BoneDetail::ends) return;
    const Three head = lanes_of(block, from.posed_head), tail = lanes_of(block, from.posed_tail);
    const Four r = lanes_of(block, from.rotation);
    Mask scaled;
    for (std::size_t i = 0; i < lane_count; ++i) scaled[i] = -from.is_scaled[block.lane + i];
    Doubles a[9];
    for (std::size_t k = 0; k < 9; ++k) {
      a[k] = select(scaled, lanes_of(block, from.across[k]), all(k % 4 == 0 ? 1 : 0));
    }
    store({head.x,
           head.y,
           head.z,
           tail.x,
           tail.y,
           tail.z,
           r.x,
           r.y,
           r.z,
           r.w,
           lanes_of(block, from.twist_head),
           lanes_of(block, from.twist_tail),
           a[0],
           a[1],
           a[2],
           a[3],
           a[4],
           a[5],
           a[6],
           a[7],
           a[8],
           lanes_of(block, from.own_twist),
           lanes_of(block, from.bulge)},
          to, SINEW_OFFSET(BoneState, posed_head));
  });
}

}  // namespace sinew::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::detail {

HWY_EXPORT(pose_frames);
HWY_EXPORT(pose_all);
HWY_EXPORT(write_all);

void pose_joints(const RigPlan::Data& plan, std::span<const Transform> joints,
                 std::span<Affine> globals) {
  HWY_DYNAMIC_DISPATCH(pose_frames)(plan, joints, globals);
}

void pose_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
                std::span<const TailStretch> tails, std::span<LaneStates> states,
                std::span<double> angles) {
  HWY_DYNAMIC_DISPATCH(pose_all)(plan, detail, globals, tails, states, angles);
}

void write_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const LaneStates> states,
                 std::span<BoneState> bones) {
  HWY_DYNAMIC_DISPATCH(write_all)(plan, detail, states, bones);
}

}  // namespace sinew::detail
#endif
