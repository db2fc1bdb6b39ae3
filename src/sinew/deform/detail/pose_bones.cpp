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

struct Map {
  Matrix linear;
  Three translation;
};

SINEW_KERNEL_INLINE Map load_map(const double* const* from, std::size_t offset) {
  const Four a = load4(from, offset), b = load4(from, offset + 4), c = load4(from, offset + 8);
  return {{{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}}, {c.y, c.z, c.w}};
}

SINEW_KERNEL_INLINE Three load3(const double* const* from, std::size_t offset) {
  return {load1(from, offset), load1(from, offset + 1), load1(from, offset + 2)};
}

SINEW_KERNEL_INLINE Three image_of(const Map& map, const Three& p) {
  return map.linear * p + map.translation;
}

// to_affine() of each joint.
SINEW_KERNEL_INLINE void set_local_frames(std::span<const Transform> joints,
                                          std::span<Affine> frames) {
  static_assert(sizeof(Transform) == 10 * sizeof(double));
  static_assert(SINEW_OFFSET(Transform, rotation) == 3 && SINEW_OFFSET(Transform, scale) == 7);
  Affine nowhere;
  for (std::size_t first = 0; first < joints.size(); first += lane_count) {
    std::array<const double*, lane_count> from;
    std::array<double*, lane_count> to;
    for (std::size_t i = 0; i < lane_count; ++i) {
      from[i] = &joints[std::min(first + i, joints.size() - 1)].translation.x;
      to[i] = first + i < joints.size() ? &frames[first + i].linear.x.x : &nowhere.linear.x.x;
    }
    const Four a = load4(from.data(), 0), b = load4(from.data(), 4);
    const Matrix r = to_matrix(Four{a.w, b.x, b.y, b.z});
    const Three x = r.x * b.w, y = r.y * load1(from.data(), 8), z = r.z * load1(from.data(), 9);
    const Doubles frame[] = {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, a.x, a.y, a.z};
    store(frame, to.data(), 0);
  }
}

#ifdef __EMSCRIPTEN__
// Emscripten 3.1.6 mixes up the numbers of columns that are stored over each other, as below.
SINEW_KERNEL_INLINE void put_below(const Affine& a, Affine& b) { b = a * b; }
#else
// b becomes a * b. A column at a time, the fourth number of which is not used.
SINEW_KERNEL_INLINE void put_below(const Affine& a, Affine& b) {
  using Column = double __attribute__((vector_size(32)));
  const double* from = &a.linear.x.x;
  double* to = &b.linear.x.x;
  Column x, y, z, last;
  std::memcpy(&x, from, sizeof x);
  std::memcpy(&y, from + 3, sizeof y);
  std::memcpy(&z, from + 6, sizeof z);
  std::memcpy(&last, from + 8, sizeof last);
  const Column t = __builtin_shufflevector(last, last, 1, 2, 3, 3);
  const auto image = [&](std::size_t i)
                         HWY_ATTR { return x * to[i] + y * to[i + 1] + z * to[i + 2]; };
  const Column first = image(0), second = image(3), third = image(6), moved = image(9) + t;
  const Column end = __builtin_shufflevector(third, moved, 2, 4, 5, 6);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + 3, &second, sizeof second);
  std::memcpy(to + 6, &third, sizeof third);
  std::memcpy(to + 8, &end, sizeof end);
}
#endif

void pose_frames(const RigPlan::Data& plan, std::span<const Transform> joints,
                 std::span<Affine> globals) {
  set_local_frames(joints, globals);
  for (const JointIndex joint : plan.order) {
    const JointIndex parent = plan.skeleton.joints[joint].parent;
    if (parent != no_joint) put_below(globals[parent], globals[joint]);
  }
}

// The rotation nearest to m (polar decomposition by the iteration of Higham 1986); for a singular m
// the one of its translation-rotation-scale split.
SINEW_KERNEL_INLINE Four nearest_rotation(const Matrix& m) {
  const Mask invertible = determinant(m) > 0;
  Matrix q = select(invertible, m, identity());
  Mask moving = invertible | ~invertible;
  for (int i = 0; i < 100; ++i) {
    // The transposed inverse.
    const Matrix cofactors{cross(q.y, q.z), cross(q.z, q.x), cross(q.x, q.y)};
    const Matrix next = (q + cofactors * (1 / determinant(q))) * all(0.5);
    const Doubles moved = length_squared(next - q);
    q = select(moving, next, q);
    moving = moving & (moved > 1e-30);
    if (!any(moving)) break;
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
  return turn;
}

// follow_twist() of those lanes that are `wanted`; the others keep their angles.
SINEW_KERNEL_INLINE Doubles follow_twists(Mask wanted, Doubles& angle, const Four& turn,
                                          const Three& axis) {
  constexpr double whole_turn = 2 * pi;
  const Doubles along = dot(vector_of(turn), axis);
  const Doubles squared = turn.w * turn.w + along * along;
  const Doubles alone = full_angle(along, turn.w);
  const Doubles near = alone + whole_turn * nearest_whole((angle - alone) / whole_turn);
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

// As many bones as there are lanes, or fewer at the end: then the rest reads the last one and
// writes to nowhere.
struct Block {
  std::size_t first, count;
  std::array<const RigPlan::PlannedBone*, lane_count> planned;
  std::array<BoneState*, lane_count> bones;
  std::array<double*, lane_count> states;       // the same as numbers
  std::array<const double*, lane_count> plans;  // of each, from its head on
};

SINEW_KERNEL_INLINE std::size_t last_of(const Block& block, std::size_t lane) {
  return std::min(lane, block.count - 1);
}

SINEW_KERNEL_INLINE const double* numbers(const void* from) {
  return static_cast<const double*>(from);
}

// Of one place per lane, told by its index.
template <class T, class IndexOf>
SINEW_KERNEL_INLINE std::array<const double*, lane_count> places(const Block& block, const T* from,
                                                                 const IndexOf& index_of) {
  std::array<const double*, lane_count> result;
  for (std::size_t i = 0; i < lane_count; ++i) {
    result[i] = numbers(from + index_of(*block.planned[i], block.first + last_of(block, i)));
  }
  return result;
}

// Offsets from a planned bone's head.
constexpr std::size_t plan_head = 0;
constexpr std::size_t plan_tail =
    SINEW_OFFSET(RigPlan::PlannedBone, tail) - SINEW_OFFSET(RigPlan::PlannedBone, head);
constexpr std::size_t plan_inverse =
    SINEW_OFFSET(RigPlan::PlannedBone, inverse_bind) - SINEW_OFFSET(RigPlan::PlannedBone, head);
constexpr std::size_t plan_axis =
    SINEW_OFFSET(RigPlan::PlannedBone, axis) - SINEW_OFFSET(RigPlan::PlannedBone, head);
constexpr std::size_t plan_end =
    SINEW_OFFSET(RigPlan::PlannedBone, end_inverse_bind) - SINEW_OFFSET(RigPlan::PlannedBone, head);

SINEW_KERNEL_INLINE Map operator*(const Map& a, const Map& b) {
  return {a.linear * b.linear, a.linear * b.translation + a.translation};
}

// Matrices, and turns if they are asked for.
SINEW_KERNEL_INLINE void turn_block(const Block& block, std::span<const Affine> globals,
                                    bool with_turns) {
  const auto joints =
      places(block, globals.data(), [](const auto& bone, std::size_t) { return int(bone.joint); });
  const Map m = load_map(joints.data(), 0) * load_map(block.plans.data(), plan_inverse);
  const Matrix& l = m.linear;
  constexpr std::size_t at = SINEW_OFFSET(BoneState, matrix);
  const Doubles numbers[] = {l.x.x, l.x.y,           l.x.z,           l.y.x,
                             l.y.y, l.y.z,           l.z.x,           l.z.y,
                             l.z.z, m.translation.x, m.translation.y, m.translation.z};
  store(numbers, block.states.data(), at);
  if (!with_turns) return;
  const Four turn = nearest_rotation(l);
  const Matrix s = to_matrix(conjugate(turn)) * l;
  const Doubles turned[] = {turn.x, turn.y, turn.z, turn.w, s.x.x, s.x.y, s.x.z,
                            s.y.x,  s.y.y,  s.y.z,  s.z.x,  s.z.y, s.z.z};
  store(turned, block.states.data(), at + 12);
}

SINEW_KERNEL_INLINE Matrix load_matrix(const double* const* from, std::size_t offset) {
  const Four a = load4(from, offset), b = load4(from, offset + 4);
  return {{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, load1(from, offset + 8)}};
}

// Tails that joints without bones move, and their twists.
SINEW_KERNEL_INLINE void move_by_ends(const Block& block, std::span<const Affine> globals,
                                      const Four& turn, const Three& tail, const Three& axis,
                                      std::span<double> angles, Three& posed_tail) {
  Mask has_end{};
  Doubles angle{};
  for (std::size_t i = 0; i < block.count; ++i) {
    if (block.planned[i]->links.end == no_joint) continue;
    has_end[i] = -1;
    angle[i] = angles[3 * (block.first + i) + 2];
  }
  if (!any(has_end)) return;
  const auto ends = places(block, globals.data(), [](const auto& bone, std::size_t) {
    return bone.links.end == no_joint ? int(bone.joint) : int(bone.links.end);
  });
  const Map end = load_map(ends.data(), 0) * load_map(block.plans.data(), plan_end);
  posed_tail = select(has_end, image_of(end, tail), posed_tail);
  const Four turned = conjugate(turn) * nearest_rotation(end.linear);
  const Doubles twist = follow_twists(has_end, angle, turned, axis);
  for (std::size_t i = 0; i < block.count; ++i) {
    if (has_end[i] == 0) continue;
    angles[3 * (block.first + i) + 2] = angle[i];
    block.bones[i]->twist_tail = block.planned[i]->links.next_share * twist[i];
  }
}

// Tails that a pose stretches itself.
SINEW_KERNEL_INLINE void stretch_tails(const Block& block, std::span<const TailStretch> tails,
                                       Three& posed_tail) {
  for (std::size_t i = 0; i < block.count; ++i) {
    const RigPlan::PlannedBone& planned = *block.planned[i];
    for (const TailStretch& tail : tails) {
      if (tail.joint != planned.joint || planned.links.end != no_joint) continue;
      if (planned.links.tail_carrier != BoneIndex(block.first + i)) continue;
      const Vec3 stretched = planned.head + (planned.tail - planned.head) * tail.factor;
      const Vec3 posed = transform_point(block.bones[i]->matrix, stretched);
      posed_tail.x[i] = posed.x;
      posed_tail.y[i] = posed.y;
      posed_tail.z[i] = posed.z;
    }
  }
}

SINEW_KERNEL_INLINE void find_ends(const Block& block, const BoneState* bones,
                                   std::span<const Affine> globals,
                                   std::span<const TailStretch> tails, std::span<double> angles) {
  const auto carriers = places(
      block, bones, [](const auto& bone, std::size_t) { return int(bone.links.tail_carrier); });
  constexpr std::size_t matrix = SINEW_OFFSET(BoneState, matrix);
  const Four ends = load4(block.plans.data(), plan_head);
  const Three head{ends.x, ends.y, ends.z};
  const Three tail{ends.w, load1(block.plans.data(), plan_tail + 1),
                   load1(block.plans.data(), plan_tail + 2)};
  const Three axis = load3(block.plans.data(), plan_axis);
  const double* const* states = block.states.data();
  const Four turn = load4(states, SINEW_OFFSET(BoneState, turn));
  const Three posed_head = image_of(load_map(states, matrix), head);
  Three posed_tail = image_of(load_map(carriers.data(), matrix), tail);
  move_by_ends(block, globals, turn, tail, axis, angles, posed_tail);
  if (!tails.empty()) stretch_tails(block, tails, posed_tail);
  const Three image = rotate(turn, axis);
  const Three posed = normalized(posed_tail - posed_head, image);
  const Four r = rotation_between(image, posed) * turn;
  const Doubles placed[] = {posed_head.x, posed_head.y, posed_head.z, posed_tail.x, posed_tail.y,
                            posed_tail.z, r.x,          r.y,          r.z,          r.w};
  store(placed, block.states.data(), SINEW_OFFSET(BoneState, posed_head));
  const Matrix along{axis * axis.x, axis * axis.y, axis * axis.z};
  const Matrix flat = identity() - along;
  const Matrix scale_shear = load_matrix(states, SINEW_OFFSET(BoneState, scale_shear));
  const Matrix a = along + flat * scale_shear * flat;
  const Doubles across[] = {a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z};
  store(across, block.states.data(), SINEW_OFFSET(BoneState, across));
}

// Which twists of a bone against its parent are followed.
struct Wanted {
  bool own, handed_on;
};

SINEW_KERNEL_INLINE Wanted wanted_of(const RigPlan::Data& plan, std::size_t bone, bool with_all) {
  const BoneLinks& links = plan.bones[bone].links;
  if (links.parent < 0) return {false, false};
  const BoneLinks& above = plan.bones[links.parent].links;
  return {with_all || links.own_share != 0,
          above.next == int(bone) && (with_all || above.next_share != 0)};
}

SINEW_KERNEL_INLINE void share_twists(const RigPlan::Data& plan, const Block& block,
                                      BoneState* bones, bool with_all, std::span<double> angles) {
  Mask own{}, handed_on{};
  Doubles own_angle{}, next_angle{};
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t b = block.first + i;
    const Wanted wanted = wanted_of(plan, b, with_all);
    own[i] = wanted.own ? -1 : 0;
    handed_on[i] = wanted.handed_on ? -1 : 0;
    own_angle[i] = angles[3 * b];
    next_angle[i] = angles[3 * b + 1];
  }
  const bool any_own = any(own), any_handed_on = any(handed_on);
  if (!any_own && !any_handed_on) return;
  const auto index_above = [](const auto& bone, std::size_t b) {
    return bone.links.parent < 0 ? int(b) : int(bone.links.parent);
  };
  constexpr std::size_t turn_at = SINEW_OFFSET(BoneState, turn);
  const auto above = places(block, bones, index_above);
  const Four turned = conjugate(load4(above.data(), turn_at)) * load4(block.states.data(), turn_at);
  if (any_own) {
    const Three axis = load3(block.plans.data(), plan_axis);
    const Doubles twist = follow_twists(own, own_angle, turned, axis);
    for (std::size_t i = 0; i < block.count; ++i) {
      if (own[i] == 0) continue;
      angles[3 * (block.first + i)] = own_angle[i];
      block.bones[i]->twist_head = -block.planned[i]->links.own_share * twist[i];
      if (with_all) block.bones[i]->own_twist = twist[i];
    }
  }
  if (any_handed_on) {
    auto plans = places(block, plan.bones.data(), index_above);
    for (const double*& p : plans) p += SINEW_OFFSET(RigPlan::PlannedBone, axis);
    const Doubles twist = follow_twists(handed_on, next_angle, turned, load3(plans.data(), 0));
    for (std::size_t i = 0; i < block.count; ++i) {
      if (handed_on[i] == 0) continue;
      angles[3 * (block.first + i) + 1] = next_angle[i];
      const BoneIndex parent = block.planned[i]->links.parent;
      bones[parent].twist_tail = plan.bones[parent].links.next_share * twist[i];
    }
  }
}

void pose_all(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
              std::span<const TailStretch> tails, std::span<BoneState> bones,
              std::span<double> angles) {
  BoneState nowhere;
  const auto for_each_block = [&](const auto& body) HWY_ATTR {
    for (std::size_t first = 0; first < bones.size(); first += lane_count) {
      Block block{first, std::min(lane_count, bones.size() - first), {}, {}, {}, {}};
      for (std::size_t i = 0; i < lane_count; ++i) {
        block.planned[i] = &plan.bones[first + last_of(block, i)];
        block.bones[i] = i < block.count ? &bones[first + i] : &nowhere;
        block.states[i] = &block.bones[i]->head.x;
        block.plans[i] = &block.planned[i]->head.x;
      }
      body(block);
    }
  };
  for_each_block([&](const Block& block)
                     HWY_ATTR { turn_block(block, globals, detail >= BoneDetail::turns); });
  if (detail < BoneDetail::ends) return;
  for_each_block([&](const Block& block)
                     HWY_ATTR { find_ends(block, bones.data(), globals, tails, angles); });
  for_each_block([&](const Block& block) HWY_ATTR {
    share_twists(plan, block, bones.data(), detail >= BoneDetail::all, angles);
  });
}

}  // namespace sinew::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::detail {

HWY_EXPORT(pose_frames);
HWY_EXPORT(pose_all);

void pose_joints(const RigPlan::Data& plan, std::span<const Transform> joints,
                 std::span<Affine> globals) {
  HWY_DYNAMIC_DISPATCH(pose_frames)(plan, joints, globals);
}

void pose_bones(const RigPlan::Data& plan, BoneDetail detail, std::span<const Affine> globals,
                std::span<const TailStretch> tails, std::span<BoneState> bones,
                std::span<double> angles) {
  HWY_DYNAMIC_DISPATCH(pose_all)(plan, detail, globals, tails, bones, angles);
}

}  // namespace sinew::detail
#endif
