// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/detail/retarget_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "sinew/core/error.h"
#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/core/internal/format.h"

namespace sinew::detail {
namespace {

// Places of the joints in the order from the root on.
std::vector<int> places_of(const std::vector<JointIndex>& order) {
  std::vector<int> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<int>(i);
  return places;
}

void sort_unique(std::vector<JointIndex>& joints, const std::vector<int>& places) {
  std::sort(joints.begin(), joints.end(),
            [&](JointIndex a, JointIndex b) { return places[a] < places[b]; });
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
}

// For each joint the nearest one above it for which `row` is not -1, in `order`.
std::vector<JointIndex> paired_above(const Skeleton& skeleton, const std::vector<JointIndex>& order,
                                     const std::vector<int>& row) {
  std::vector<JointIndex> above(order.size());
  for (const JointIndex j : order) {
    const JointIndex parent = skeleton.joints[j].parent;
    if (parent != no_joint) above[j] = row[parent] >= 0 ? parent : above[parent];
  }
  return above;
}

std::string listed(const Skeleton& skeleton) {
  constexpr int most = 150;
  std::string names;
  int count = 0;
  for (const Joint& joint : skeleton.joints) {
    if (joint.is_frame) continue;
    if (++count > most) continue;
    names += (names.empty() ? "" : ", ") + joint.name;
  }
  if (names.empty()) return "none";
  return count > most ? names + formatted(" and {} more", count - most) : names;
}

Vec3 nearest_axis(const Vec3& v) {
  const Vec3 size{std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
  if (size.y >= size.x && size.y >= size.z) return {0, v.y < 0 ? -1.0 : 1.0, 0};
  if (size.x >= size.z) return {v.x < 0 ? -1.0 : 1.0, 0, 0};
  return {0, 0, v.z < 0 ? -1.0 : 1.0};
}

// One of two skeletons, as far as its rows tell where up and left are.
class Body {
 public:
  Body(const std::vector<RetargetRow>& rows, int hips, const std::vector<Vec3>& points)
      : rows_(rows), points_(points), hips_(points[hips]) {}

  // y, unless the body lies along another axis.
  Vec3 up() const {
    Vec3 top = hips_, bottom = hips_;
    for (const HumanPart part :
         {HumanPart::upper_arm, HumanPart::spine, HumanPart::neck, HumanPart::head}) {
      if (const auto found = middle(part)) top = *found;
    }
    for (const HumanPart part : {HumanPart::thigh, HumanPart::shin, HumanPart::foot}) {
      if (const auto found = middle(part)) bottom = *found;
    }
    const Vec3 along = normalized(top - bottom, {0, 1, 0});
    return along.y > 0.5 ? Vec3{0, 1, 0} : nearest_axis(along);
  }

  // From right to left, level; an axis if it nearly is one. Zero if nothing tells.
  Vec3 left(const Vec3& up) const {
    for (const HumanPart part : {HumanPart::thigh, HumanPart::upper_arm, HumanPart::clavicle}) {
      const auto a = middle(part, BodySide::left), b = middle(part, BodySide::right);
      if (!a || !b) continue;
      const Vec3 across = *a - *b;
      const Vec3 level = across - up * dot(across, up);
      if (!(length(level) > 1e-3 * length(across))) continue;
      const Vec3 direction = normalized(level), axis = nearest_axis(direction);
      return dot(direction, axis) > 0.94 ? axis : direction;
    }
    return {};
  }

  // The sum over legs with thigh, shin and foot.
  double leg_length() const {
    double sum = 0;
    for (const BodySide side : {BodySide::none, BodySide::left, BodySide::right}) {
      const auto thigh = middle(HumanPart::thigh, side), shin = middle(HumanPart::shin, side),
                 foot = middle(HumanPart::foot, side);
      if (thigh && shin && foot) sum += distance(*thigh, *shin) + distance(*shin, *foot);
    }
    return sum;
  }

  double size() const {
    Vec3 low = points_.front(), high = low;
    for (const Vec3& p : points_) {
      low = component_min(low, p);
      high = component_max(high, p);
    }
    return distance(low, high);
  }

 private:
  // Of all rows with this part, on one side if one is given.
  std::optional<Vec3> middle(HumanPart part, std::optional<BodySide> side = {}) const {
    Vec3 sum;
    int count = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].part != part || (side && rows_[r].side != *side)) continue;
      sum += points_[r];
      ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / count;
  }

  const std::vector<RetargetRow>& rows_;
  const std::vector<Vec3>& points_;
  Vec3 hips_;
};

Quat facing_of(const Body& source, const Vec3& source_up, const Body& target,
               const Vec3& target_up) {
  const Vec3 source_left = source.left(source_up), target_left = target.left(target_up);
  if (source_left == Vec3{} || target_left == Vec3{}) return rotation_between(source_up, target_up);
  const Mat3 from{source_left, source_up, cross(source_left, source_up)};
  const Mat3 to{target_left, target_up, cross(target_left, target_up)};
  return to_quaternion(to * transpose(from));
}

bool is_swung(HumanPart part) {
  switch (part) {
    case HumanPart::hips:
    case HumanPart::spine:
    case HumanPart::neck:
    case HumanPart::head:
    case HumanPart::clavicle:
    case HumanPart::foot:
    case HumanPart::toes:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<RetargetRow> rows_of(const JointMap& map, const Skeleton& source,
                                 const Skeleton& target) {
  const std::size_t source_count = source.joints.size(), target_count = target.joints.size();
  DisjointSets sets(source_count + target_count);
  for (const JointPair& pair : map.pairs) {
    if (!has_joint(source, pair.source) || !has_joint(target, pair.target)) {
      throw UsageError(formatted("the map pairs joint {} with joint {}, but there are {} and {}",
                                 int(pair.source), int(pair.target), source_count, target_count));
    }
    sets.join(pair.source, source_count + pair.target);
  }
  const auto source_order = evaluation_order(source), target_order = evaluation_order(target);
  const auto source_places = places_of(source_order), target_places = places_of(target_order);
  const auto source_parts = human_joints(source), target_parts = human_joints(target);

  std::vector<int> row_of_set(source_count + target_count, -1);
  std::vector<RetargetRow> rows;
  for (const JointPair& pair : map.pairs) {
    int& row = row_of_set[sets.find(pair.source)];
    if (row < 0) {
      row = static_cast<int>(rows.size());
      rows.emplace_back();
    }
    rows[row].sources.push_back(pair.source);
    rows[row].targets.push_back(pair.target);
  }
  for (RetargetRow& row : rows) {
    sort_unique(row.sources, source_places);
    sort_unique(row.targets, target_places);
    const HumanJoint& of_target = target_parts[row.targets.front()];
    const HumanJoint& of_source = source_parts[row.sources.front()];
    const HumanJoint& named = of_target.part != HumanPart::unknown ? of_target : of_source;
    row.part = named.part;
    row.side = named.side;
  }
  std::sort(rows.begin(), rows.end(), [&](const RetargetRow& a, const RetargetRow& b) {
    return target_places[a.targets.front()] < target_places[b.targets.front()];
  });

  std::vector<int> source_rows(source_count, -1), target_rows(target_count, -1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const int j : rows[r].sources) source_rows[j] = static_cast<int>(r);
    for (const int j : rows[r].targets) target_rows[j] = static_cast<int>(r);
  }
  const auto above_source = paired_above(source, source_order, source_rows);
  const auto above_target = paired_above(target, target_order, target_rows);
  for (RetargetRow& row : rows) {
    row.base = above_source[row.sources.front()];
    if (row.base != no_joint) row.source_parent = source_rows[row.base];
    const JointIndex parent = above_target[row.targets.front()];
    if (parent != no_joint) row.target_parent = target_rows[parent];
  }
  return rows;
}

int hips_row(const std::vector<RetargetRow>& rows, const Skeleton& source, const Skeleton& target) {
  int tops = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].part == HumanPart::hips) return static_cast<int>(r);
    if (rows[r].source_parent < 0 || rows[r].target_parent < 0) ++tops;
  }
  if (tops == 1) return 0;
  throw InputError(
      "joints",
      formatted("{}; say which joint moves which in a mapping file (--map): {\"{}\": \"TARGET "
                "JOINT\", ...}. The motion's joints: {}. The rig's joints: {}",
                rows.empty() ? "no joint of the motion has a name that tells which joint of the "
                               "rig it moves"
                             : "no joint of the motion moves the rig's hips",
                source.joints.empty() ? "" : source.joints.front().name, listed(source),
                listed(target)));
}

std::vector<Transform> reference_locals(const Skeleton& skeleton) {
  std::vector<Transform> locals;
  for (const Joint& joint : skeleton.joints) locals.push_back(joint.rest);
  const std::vector<Affine> rest = rest_globals(skeleton);
  std::vector<int> bone_of(skeleton.joints.size(), -1);
  for (std::size_t b = skeleton.bones.size(); b-- > 0;) {
    if (!skeleton.joints[skeleton.bones[b].joint].is_frame) {
      bone_of[skeleton.bones[b].joint] = static_cast<int>(b);
    }
  }
  // Where a bone's parent has one, too, the turn between the two at bind. The topmost stay as they
  // are.
  for (std::size_t j = 0; j < locals.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (bone_of[j] < 0 || parent == no_joint || bone_of[parent] < 0) continue;
    const Affine bound = skeleton.bones[bone_of[parent]].inverse_bind *
                         inverse(skeleton.bones[bone_of[j]].inverse_bind);
    const Quat turn = to_transform(bound).rotation;
    if (!is_finite(bound.translation)) continue;
    // Files store matrices in single precision.
    if (rotation_angle(conjugate(locals[j].rotation) * turn) > 1e-3) locals[j].rotation = turn;
  }
  return locals;
}

RestFit fit_rest_poses(const std::vector<RetargetRow>& rows, int hips, const RestPoints& points) {
  const Body source(rows, hips, points.source), target(rows, hips, points.target);
  RestFit fit;
  fit.source_up = source.up();
  fit.target_up = target.up();
  fit.facing = facing_of(source, fit.source_up, target, fit.target_up);

  const double source_legs = source.leg_length(), target_legs = target.leg_length();
  const bool has_legs = source_legs > 0 && target_legs > 0;
  const double from = has_legs ? source_legs : source.size(),
               to = has_legs ? target_legs : target.size();
  if (from > 0 && to > 0) fit.scale = to / from;
  if (!(fit.scale > 0) || !std::isfinite(fit.scale)) {
    throw InputError("joints", formatted("the motion's skeleton of size {} cannot be compared with "
                                         "one of size {}",
                                         from, to));
  }

  std::vector<Vec3> source_sum(rows.size()), target_sum(rows.size());
  // A thumb counts only for a hand without other fingers.
  for (const bool is_thumb : {false, true}) {
    std::vector<bool> has_sum(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) has_sum[r] = !(source_sum[r] == Vec3{});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const int parent = rows[r].target_parent;
      if (parent < 0 || rows[r].source_parent != parent || has_sum[parent]) continue;
      if ((rows[r].part == HumanPart::thumb) != is_thumb) continue;
      source_sum[parent] += normalized(points.source[r] - points.source[parent], Vec3{});
      target_sum[parent] += normalized(points.target[r] - points.target[parent], Vec3{});
    }
  }
  fit.swings.resize(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!is_swung(rows[r].part) || static_cast<int>(r) == hips) continue;
    if (rows[r].target_parent >= 0) fit.swings[r] = fit.swings[rows[r].target_parent];
    if (!(length(source_sum[r]) > 0.1) || !(length(target_sum[r]) > 0.1)) continue;
    const Vec3 wanted = rotate(fit.facing, normalized(source_sum[r]));
    const Vec3 now = rotate(fit.swings[r], normalized(target_sum[r]));
    fit.swings[r] = normalized(rotation_between(now, wanted) * fit.swings[r]);
  }
  return fit;
}

double lowest(const std::vector<RetargetRow>& rows, const std::vector<Vec3>& points,
              const Vec3& up) {
  const bool has_feet = std::any_of(
      rows.begin(), rows.end(), [](const RetargetRow& row) { return row.part == HumanPart::foot; });
  double height = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool counts =
        !has_feet || rows[r].part == HumanPart::foot || rows[r].part == HumanPart::toes;
    if (counts) height = std::min(height, dot(points[r], up));
  }
  return height;
}

}  // namespace sinew::detail
