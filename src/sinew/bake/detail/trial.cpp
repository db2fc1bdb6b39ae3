// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/trial.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sinew/bake/detail/bulges.h"
#include "sinew/bake/detail/helpers.h"
#include "sinew/bake/detail/live.h"
#include "sinew/bake/detail/tracks.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/posed_rig.h"

namespace sinew::baking {
namespace {

// Helpers that nothing moves stand as the rest pose has them, which need not be the bind pose.
void place_at_rest(const Rig& rig, const RigPlan& plan, std::span<const SplitBone> splits,
                   const StateOptions& states, Skeleton& baked) {
  const PosedRig rest{plan, states};
  const std::span<const Affine> frames = rest.joints();
  const std::vector<Affine> motions = helper_palette(rest.bones(), splits);
  std::vector<int> joints(motions.size(), no_joint);  // of the bones that helpers are of
  std::vector<bool> carries_scale(motions.size(), false);
  for (const SplitBone& split : splits) {
    std::fill_n(joints.begin() + split.first_helper, split.twist_share.size(),
                rig.skeleton.bones[split.bone].joint);
    std::fill_n(carries_scale.begin() + split.first_helper, split.twist_share.size(),
                split.scale_axes.has_value());
  }
  for (std::size_t b = rig.skeleton.bones.size(); b < motions.size(); ++b) {
    const Bone& bone = baked.bones[b];
    Joint& joint = baked.joints[bone.joint];
    const Transform local =
        helper_local(baked, bone, joints[b], frames[joints[b]], motions[b], carries_scale[b]);
    const double reach = length(joint.rest.translation) + distance(bone.head, bone.tail);
    if (is_finite(local.translation) &&
        (distance(local.translation, joint.rest.translation) > 1e-6 * reach ||
         rotation_angle(conjugate(joint.rest.rotation) * local.rotation) > 1e-6 ||
         distance(local.scale, joint.rest.scale) > 1e-6)) {
      joint.rest = local;
    }
  }
}

// Adds helpers to the rig, and all that moves them, but no weights.
void with_helpers(const Rig& rig, std::span<const SplitBone> splits, const PoseSet& poses,
                  const Limbs& limbs, const BakeOptions& options, Baked& result) {
  Rig& baked = result.rig = rig;
  add_helpers(baked.skeleton, splits);
  if (options.live == LiveHelpers::vrm) {
    result.constraints = add_rolls(rig, splits, baked.skeleton, result.report.notes);
  }
  result.table = live_table(rig, splits, baked.skeleton);
  const StateOptions states{.squash = options.squash};
  const RigPlan plan(rig);
  place_at_rest(rig, plan, splits, states, baked.skeleton);
  baked.skin.endpoints.clear();
  baked.skin.twist_endpoints.clear();
  baked.skin.filters.clear();
  baked.skin.blend_shares.clear();
  baked.offset_curves = {};
  const std::vector<BulgeShape> bulges = bake_bulges(rig, states, baked);
  if (rig.clips.empty()) {
    keep_weights_in_range(baked, rig.mesh.shapes.size());
    return;
  }
  baked.drivers.clear();
  baked.shape_drivers.clear();
  baked.pose_spaces.clear();
  baked.controls.clear();
  const TrackOptions tracks{options.key_tolerance * bounding_box(rig.mesh.positions).diagonal(),
                            limbs.widest, bulges, states};
  parallel_for(rig.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      baked.clips[c] =
          bake_clip(rig, plan, rig.clips[c], baked, splits, poses.has_scale[c], tracks);
    }
  });
  keep_weights_in_range(baked, rig.mesh.shapes.size());
}

void fill_palettes(const Rig& baked, std::span<const SplitBone> splits, const PoseSet& poses,
                   std::vector<Target>& targets) {
  std::vector<ClipSampler> clips(baked.clips.begin(), baked.clips.end());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const TestPose& pose = poses.tests[i];
    if (pose.is_made_up) {
      targets[i].palette = helper_palette(pose.states, splits);
      continue;
    }
    Pose played = rest_pose(baked);
    clips[pose.clip].sample(pose.time, played);
    targets[i].palette = bone_maps(baked, played);
    // What the tracks of driven shapes lose counts, too.
    if (!baked.mesh.shapes.empty()) {
      targets[i].rest = std::make_shared<const std::vector<Vec3>>(
          blend_shapes(baked.mesh, played.shapes).positions);
    }
  }
}

}  // namespace

Trial run_trial(const Work& work, std::span<const SplitBone> splits, const BakeOptions& options,
                std::vector<Target> targets) {
  // Not in braces: if the weights found no memory, GCC 12 would free the members before them twice.
  Trial trial;
  trial.unlimited = split_weights(work.rows, work.source.skeleton.bones.size(), splits);
  trial.targets = std::move(targets);
  with_helpers(work.source, splits, work.poses, work.limbs, options, trial.baked);
  fill_palettes(trial.baked.rig, splits, work.poses, trial.targets);
  return trial;
}

double plain_error(const Work& work, std::span<const TestPose> poses, std::span<Target> targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    targets[i].palette.clear();
    for (const BoneState& state : poses[i].states) {
      targets[i].palette.push_back(state.matrix);
    }
  }
  Weights weights = work.source.skin.weights;
  normalize(weights);
  // Nothing moves muscles then.
  const auto swap_rest = [&] {
    for (Target& target : targets) {
      if (target.plain) std::swap(target.rest, target.plain);
    }
  };
  swap_rest();
  const double error = measure(weights, targets, work.rows, work.limbs).largest;
  swap_rest();
  return error;
}

}  // namespace sinew::baking
