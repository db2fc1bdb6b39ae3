// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"
#include "sinew/deform/internal/bind_frame.h"
#include "sinew/deform/internal/surface.h"
#include "sinew/deform/reference/stretch_it.h"
#include "sinew/deform/stretch_it.h"
#include "sinew/kernels/detail/tiles.h"

namespace sinew {
namespace kernels {
namespace {

// M_i Rx(alpha' - alpha_i) B_i^-1 (Yang and Zhang 2006, eq. 10) turns about the bone's axis at
// bind; `twist` is alpha_i.
void set_bone(PackedPose& pose, std::size_t b, const BoneState& bone, double twist) {
  const Mat3 frame = bind_frame(bone.head, bone.tail);
  const double c = math::cos(twist), s = math::sin(twist);
  const Mat3 back{{1, 0, 0}, {0, c, -s}, {0, s, c}};
  const Vec3 bind_head = bone.head - pose.center;
  const Vec3 head = transform_point(bone.matrix, bone.head);
  pose.turning[b] =
      turning_bone(frame, back * transpose(frame), bone.matrix.linear, bind_head, head);
  pose.matrices[b] = rows_about_head(bone.matrix.linear, head, bind_head);
  pose.accumulated_twist[b] = static_cast<float>(twist / pi);
}

bool is_rigid(const Mat3& m) {
  constexpr double rounding = 1e-7;
  const Mat3 product = transpose(m) * m;
  const Vec3 off[] = {product.x - Vec3{1, 0, 0}, product.y - Vec3{0, 1, 0},
                      product.z - Vec3{0, 0, 1}};
  return std::all_of(std::begin(off), std::end(off),
                     [](const Vec3& v) { return length(v) < rounding; });
}

// Whatever their turn about their own axes, in which the joint lies.
KeptDistance kept_distance(const BoneTree& tree, std::span<const BoneState> bones, std::size_t b,
                           const Vec3& center) {
  const BoneState& own = bones[b];
  const Vec3 joint = own.head - center;
  KeptDistance kept{
      {static_cast<float>(joint.x), static_cast<float>(joint.y), static_cast<float>(joint.z)}};
  if (tree.parents[b] < 0 || !is_rigid(own.matrix.linear)) return kept;
  const BoneState& parent = bones[tree.parents[b]];
  const Vec3 along = parent.tail - parent.head, from_head = own.head - parent.head;
  const double rounding = 1e-7 * length(along);
  const Vec3 apart =
      transform_point(parent.matrix, own.head) - transform_point(own.matrix, own.head);
  if (is_rigid(parent.matrix.linear) && length(apart) < rounding &&
      length(cross(normalized(along), from_head)) < rounding) {
    kept.parent = static_cast<std::uint32_t>(tree.parents[b]);
  }
  return kept;
}

// Whether a bone and the one before it move as one.
bool moves_with(const BoneState& bone, const BoneState& parent, double twist, double size) {
  constexpr double rounding = 1e-9;
  const Mat3 &own = bone.matrix.linear, &other = parent.matrix.linear;
  const Vec3 apart =
      transform_point(parent.matrix, bone.head) - transform_point(bone.matrix, bone.head);
  return std::fabs(twist) <= rounding && length(own.x - other.x) <= rounding &&
         length(own.y - other.y) <= rounding && length(own.z - other.z) <= rounding &&
         length(apart) <= rounding * size;
}

void set_bodies(const BoneTree& tree, std::span<const BoneState> bones, const Vec3& center,
                std::span<std::uint32_t> bodies) {
  double size = 0;
  for (const BoneState& bone : bones) size = std::max(size, distance(bone.head, center));
  for (const int bone : tree.order) {
    const auto b = static_cast<std::size_t>(bone);
    const int parent = tree.parents[b];
    const bool is_part =
        parent >= 0 && moves_with(bones[b], bones[parent], bones[b].own_twist, size);
    bodies[b] = is_part ? bodies[parent] : static_cast<std::uint32_t>(b);
  }
}

void prepare_stretch_it(const PackedRig& rig, const PackedPlan&, PackedPose& pose) {
  pose.turning.resize(rig.bone_count + 1);
  pose.matrices.resize(rig.bone_count + 1);
  pose.radians.resize(rig.bone_count);
  pose.accumulated_twist.resize(rig.bone_count + 1);
  pose.kept_distances.resize(rig.bone_count + 1);
  pose.bodies.resize(rig.bone_count + 1, static_cast<std::uint32_t>(rig.bone_count));
  set_bone(pose, rig.bone_count, still_bone(), 0);
}

void fill_stretch_it(const PackedRig& rig, const PackedPlan&, std::span<const BoneState> bones,
                     PackedPose& pose) {
  accumulate_twists(rig.tree, bones, pose.radians);
  set_bodies(rig.tree, bones, pose.center, pose.bodies);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    set_bone(pose, b, bones[b], pose.radians[b]);
    pose.kept_distances[b] = kept_distance(rig.tree, bones, b, pose.center);
  }
}

}  // namespace
}  // namespace kernels

namespace {

class StretchItMethod : public MethodImpl {
 public:
  explicit StretchItMethod(StretchIt settings) : settings_(std::move(settings)) {}

  MethodTraits traits() const override { return {.scales = true}; }

  Deformed reference(const ReferenceInput& input) const override {
    return reference::deform_points(input, point_map(input));
  }

  reference::PointMap point_map(const ReferenceInput& input) const override {
    check(input.bones.size());
    std::vector<double> twists(input.bones.size());
    accumulate_twists(bone_tree(input.rig.skeleton), input.bones, twists);
    return [bones = input.bones, twists = std::move(twists), collapsing = settings_.collapsing](
               std::size_t, const reference::SkinPoint& point) {
      return reference::stretch_it(point, bones, twists, collapsing);
    };
  }

  std::unique_ptr<const BoundMethod> bind(const Binding& binding) const override {
    check(binding.bone_count());
    kernels::PackedPlan plan;
    plan.collapsing = settings_.collapsing;
    const auto not_ascending = std::adjacent_find(plan.collapsing.begin(), plan.collapsing.end(),
                                                  [](int a, int b) { return a >= b; });
    if (not_ascending == plan.collapsing.end()) {
      plan.collapses.resize(binding.bone_count() + 1, 0);
      for (const int bone : plan.collapsing) plan.collapses[static_cast<std::size_t>(bone)] = 1;
    }
    return kernels::bind_tiles(
        binding, std::move(plan),
        {kernels::prepare_stretch_it, kernels::fill_stretch_it, kernels::deform_stretch_it});
  }

 private:
  void check(std::size_t bone_count) const {
    for (const int bone : settings_.collapsing) {
      if (bone >= 0 && static_cast<std::size_t>(bone) < bone_count) continue;
      throw UsageError(
          formatted("stretch-it is to push out at bone {}, but the rig has {}", bone, bone_count));
    }
  }

  StretchIt settings_;
};

// All bones that have a parent bone.
std::vector<BoneIndex> bending_joints(const Skeleton& skeleton) {
  std::vector<BoneIndex> bones;
  const std::vector<BoneIndex> parents = parent_bones(skeleton);
  for (std::size_t b = 0; b < parents.size(); ++b) {
    if (parents[b] >= 0) bones.push_back(b);
  }
  return bones;
}

constexpr MethodOption stretch_it_options[] = {
    {.name = "collapsing",
     .kind = MethodOption::Kind::joints,
     .help = "the joints that push out (default: all that bend)"}};

Method make_stretch_it(const Rig& rig, const MethodSettings& given) {
  return StretchIt{given.joints("collapsing", bending_joints(rig.skeleton))};
}

}  // namespace

StretchIt::operator Method() const { return Method(std::make_shared<StretchItMethod>(*this)); }

extern constinit const MethodInfo stretch_it_method{
    .name = "stretch-it",
    .summary = "linear blending with twist as an angle, pushed out where joints collapse",
    .traits = {.scales = true},
    .options = stretch_it_options,
    .make = make_stretch_it};

}  // namespace sinew
