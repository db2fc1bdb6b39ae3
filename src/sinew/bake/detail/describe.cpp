// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/describe.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/bake/detail/live.h"
#include "sinew/deform/muscles.h"
#include "sinew/skeleton/bones.h"

namespace sinew::baking {
namespace {

// Of the channels that the clip did not have before.
std::size_t added_keys(const Clip& before, const Clip& after) {
  std::size_t count = 0;
  for (const Channel& channel : after.channels) {
    const auto& had = before.channels;
    if (std::find(had.begin(), had.end(), channel) != had.end()) continue;
    if (const auto* c = std::get_if<TranslationChannel>(&channel)) count += c->curve.times.size();
    if (const auto* c = std::get_if<ScaleChannel>(&channel)) count += c->curve.times.size();
    if (const auto* c = std::get_if<ShapeChannel>(&channel)) count += c->curve.times.size();
    if (const auto* c = std::get_if<RotationChannel>(&channel)) {
      count += std::get<Curve<Quat>>(c->curve).times.size();
    }
  }
  return count;
}

// Bones that are scaled along without helpers.
void note_scale(const Work& work, std::vector<std::string>& notes) {
  const Skeleton& skeleton = work.source.skeleton;
  std::vector<bool> is_split(skeleton.bones.size(), false);
  for (const SplitBone& split : work.splits) is_split[split.bone] = true;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Joint& joint = skeleton.joints[skeleton.bones[b].joint];
    const double along = work.poses.extents[b].along;
    if (joint.is_frame || is_split[b] || !(along > scale_tolerance)) continue;
    notes.push_back(
        fmt::format("'{}' is scaled along its axis by up to {:.0f}% but not split: the skin beyond "
                    "its ends is scaled too",
                    bone_name(skeleton, static_cast<int>(b)), 100 * along));
  }
}

}  // namespace

void describe_rig(const Work& work, const Rig& baked, const Weights& unlimited,
                  BakeReport& report) {
  const Rig& source = work.source;
  report.helpers = baked.skeleton.bones.size() - source.skeleton.bones.size();
  report.vertices = source.mesh.vertex_count();
  report.clips = source.clips.size();
  for (std::size_t c = 0; c < source.clips.size(); ++c) {
    report.keys += added_keys(source.clips[c], baked.clips[c]);
  }
  report.poses = work.poses.tests.size();
  report.generic_poses = source.clips.empty();
  report.max_influences = summarize(baked.skin.weights).max_influences;
  report.needed_influences = summarize(unlimited).max_influences;
  for (std::size_t v = 0; v < unlimited.vertex_count(); ++v) {
    if (baked.skin.weights.row(v).size() < unlimited.row(v).size()) ++report.pruned;
  }
  note_scale(work, report.notes);
  if (report.generic_poses && report.helpers > 0 && !report.live) {
    report.notes.push_back("there are no clips: nothing moves the helpers yet");
  }
}

void describe_live(const Work& work, std::span<const Target> targets, double percent_of_box,
                   Baked& result) {
  const auto is_made_up = [](const TestPose& pose) { return pose.is_made_up; };
  std::span<const TestPose> poses = work.poses.tests;
  const std::size_t first = std::find_if(poses.begin(), poses.end(), is_made_up) - poses.begin();
  poses = poses.subspan(first);
  targets = targets.subspan(first);
  LiveReport& live = result.report.live.emplace();
  live.poses = poses.size();
  const Errors moved = measure(result.rig.skin.weights, targets, work.rows, work.limbs);
  live.max_error_percent = 100 * moved.largest_share;
  live.max_error_box_percent = percent_of_box * moved.largest;
  std::vector<Target> plain(targets.begin(), targets.end());
  live.plain_error_box = percent_of_box * plain_error(work, poses, plain);
  if (!work.source.drivers.empty()) {
    result.report.notes.push_back("generalized bones move only in clips, not in other poses");
  }
  if (!work.source.shape_drivers.empty() || !work.source.pose_spaces.empty()) {
    result.report.notes.push_back("driven blend shapes move only in clips, not in other poses");
  }
  if (has_muscles(work.source.skin)) {
    result.report.notes.push_back("muscles bulge only in clips, not in other poses");
  }
  live.constraints = result.constraints.size();
  if (result.constraints.empty()) return;
  std::vector<Target> turned;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (poses[i].is_stretched) continue;
    turned.push_back(targets[i]);
    turned.back().palette =
        constrained_palette(result.rig.skeleton, result.constraints, poses[i].joints);
  }
  const Errors errors = measure(result.rig.skin.weights, turned, work.rows, work.limbs);
  live.constraint_error = 100 * errors.largest_share;
  live.constraint_error_box = percent_of_box * errors.largest;
  result.report.notes.push_back("constraints do not stretch: only the table does");
}

void describe_errors(const Work& work, const Errors& errors, double percent_of_box,
                     BakeReport& report) {
  report.max_error_percent = 100 * errors.largest_share;
  report.max_error_box_percent = percent_of_box * errors.largest;
  report.rms_error_box = percent_of_box * std::sqrt(errors.mean_square);
  const Skeleton& skeleton = work.source.skeleton;
  const auto joint_name = [&](std::size_t b) {
    return skeleton.joints[skeleton.bones[b].joint].name;
  };
  for (std::size_t b = 0; report.bound && b < skeleton.bones.size(); ++b) {
    if (!(100 * errors.bone_share[b] > *report.bound)) continue;
    report.over_bound.push_back({joint_name(b), static_cast<int>(b), 100 * errors.bone_share[b]});
  }
  std::stable_sort(report.over_bound.begin(), report.over_bound.end(),
                   [](const BoneOverBound& a, const BoneOverBound& b) {
                     return a.max_error_percent > b.max_error_percent;
                   });
  for (const SplitBone& split : work.splits) {
    const std::size_t b = split.bone;
    const Extent& extent = work.poses.extents[b];
    report.bones.push_back({joint_name(b), split.bone, split.segments(),
                            degrees(extent.twist_difference), extent.shortest, extent.longest,
                            work.limbs.radius[b], 100 * errors.bone_share[b],
                            percent_of_box * errors.bone_largest[b]});
  }
}

}  // namespace sinew::baking
