// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/bake.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/bake/helpers.h"
#include "sinew/bake/influences.h"
#include "sinew/bake/live.h"
#include "sinew/bake/measure.h"
#include "sinew/bake/poses.h"
#include "sinew/bake/split.h"
#include "sinew/bake/tracks.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

using namespace baking;

constexpr double default_max_error = 2;

void check(const Rig& rig, const BakeOptions& options) {
  if (options.segments && (*options.segments < 1 || *options.segments > most_segments)) {
    throw UsageError(
        fmt::format("{} segments: it takes 1 to {}", *options.segments, most_segments));
  }
  if (options.max_error && !(*options.max_error > 0 && *options.max_error <= 100)) {
    throw UsageError("the largest error is above 0 and at most 100 per cent of a limb's radius");
  }
  if (!(options.key_tolerance > 0 && options.key_tolerance < 1)) {
    throw UsageError("the tolerance of keys is a share of the bounding box between 0 and 1");
  }
  validate(rig);
  if (rig.skeleton.bones.empty()) throw InputError("skeleton", "there are no bones to bake");
  if (rig.mesh.positions.empty()) throw InputError("mesh", "there are no vertices to bake");
}

// Bones of frames carry rigid meshes, in which scale is nothing odd.
void check_rest_size(const Rig& rig) {
  TwistTracker twists;
  const std::vector<BoneState> states = bone_states(rig, rest_pose(rig), twists);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < states.size(); ++b) {
    const auto joint = static_cast<std::size_t>(rig.skeleton.bones[b].joint);
    if (!rig.skeleton.joints[joint].is_frame) least = std::min(least, scale_of(states[b]));
  }
  if (least < 0.01 || !std::isfinite(least)) return;
  throw InputError("skeleton",
                   "at rest all its bones have another size than they were bound with; apply the "
                   "scale of the nodes above it to the mesh and the skeleton first");
}

std::vector<bool> asked_for(const Rig& rig, const BakeOptions& options) {
  const Skeleton& skeleton = rig.skeleton;
  if (options.all_bones) return std::vector<bool>(skeleton.bones.size(), true);
  if (options.joints.empty()) return {};
  std::vector<bool> asked(skeleton.bones.size(), false);
  for (const std::string& name : options.joints) {
    bool found = false;
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      const auto joint = static_cast<std::size_t>(skeleton.bones[b].joint);
      if (skeleton.joints[joint].name != name) continue;
      asked[b] = true;
      found = true;
    }
    if (!found) throw UsageError(fmt::format("no bone has a joint named '{}'", name));
  }
  return asked;
}

// Helpers that nothing moves stand as the rest pose has them, which need not be the bind pose.
void place_at_rest(const Rig& rig, std::span<const SplitBone> splits, Skeleton& baked) {
  TwistTracker twists;
  const Pose rest = rest_pose(rig);
  const std::vector<Affine> frames = forward_kinematics(rig.skeleton, rest.joints);
  const std::vector<Affine> motions = helper_palette(bone_states(rig, rest, twists), splits);
  std::vector<int> joints(motions.size(), no_joint);  // of the bones that helpers are of
  for (const SplitBone& split : splits) {
    std::fill_n(joints.begin() + split.first_helper, split.twist_share.size(),
                rig.skeleton.bones[static_cast<std::size_t>(split.bone)].joint);
  }
  for (std::size_t b = rig.skeleton.bones.size(); b < motions.size(); ++b) {
    const Bone& bone = baked.bones[b];
    Joint& joint = baked.joints[static_cast<std::size_t>(bone.joint)];
    const Transform local = helper_local(baked, bone, joints[b],
                                         frames[static_cast<std::size_t>(joints[b])], motions[b]);
    const double reach = length(joint.rest.translation) + distance(bone.head, bone.tail);
    if (is_finite(local.translation) &&
        (distance(local.translation, joint.rest.translation) > 1e-6 * reach ||
         rotation_angle(conjugate(joint.rest.rotation) * local.rotation) > 1e-6)) {
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
    result.constraints = add_rolls(rig.skeleton, splits, baked.skeleton, result.report.notes);
  }
  result.table = live_table(rig.skeleton, splits, baked.skeleton);
  place_at_rest(rig, splits, baked.skeleton);
  baked.endpoints.clear();
  baked.twist_endpoints.clear();
  baked.filters.clear();
  if (rig.clips.empty()) return;
  baked.drivers.clear();
  baked.controls.clear();
  const TrackOptions tracks{options.key_tolerance * bounding_box(rig.mesh.positions).diagonal(),
                            limbs.widest};
  parallel_for(rig.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      baked.clips[c] = bake_clip(rig, rig.clips[c], baked, splits, poses.has_scale[c], tracks);
    }
  });
}

void fill_palettes(const Rig& baked, std::span<const SplitBone> splits, const PoseSet& poses,
                   std::vector<Target>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const TestPose& pose = poses.tests[i];
    targets[i].palette = pose.is_made_up
                             ? helper_palette(pose.states, splits)
                             : bone_maps(baked, pose_at(baked, baked.clips[pose.clip], pose.time));
  }
}

// How far the rig's own linear blend skinning is from the truth. Its palettes stay in the targets.
double plain_error(const Rig& rig, std::span<const TestPose> poses, std::span<Target> targets,
                   const SkinRows& rows, const Limbs& limbs) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    targets[i].palette.clear();
    for (const BoneState& state : poses[i].states) {
      targets[i].palette.push_back(state.matrix);
    }
  }
  Weights weights = rig.weights;
  normalize(weights);
  return measure(weights, targets, rows, limbs).largest;
}

// Of the channels that the clip did not have before.
std::size_t added_keys(const Clip& before, const Clip& after) {
  std::size_t count = 0;
  for (const Channel& channel : after.channels) {
    const auto& had = before.channels;
    if (std::find(had.begin(), had.end(), channel) != had.end()) continue;
    if (const auto* c = std::get_if<TranslationChannel>(&channel)) count += c->curve.times.size();
    if (const auto* c = std::get_if<ScaleChannel>(&channel)) count += c->curve.times.size();
    if (const auto* c = std::get_if<RotationChannel>(&channel)) {
      count += std::get<Curve<Quat>>(c->curve).times.size();
    }
  }
  return count;
}

struct Plan {
  PoseSet poses;
  std::vector<SplitBone> splits;
};

// Which poses the bake is for, and which bones are split for them.
Plan plan(const Rig& source, const SkinRows& rows, const Limbs& limbs, SplitRule rule, bool live) {
  // Just short of half a turn: beyond it, a pose alone does not tell which way a joint was turned.
  GenericPoses code{{120, 179}, true, false, {}};
  Plan result;
  if (!source.clips.empty()) {
    result.poses = poses_of_clips(source);
  } else if (!live) {
    result.poses = generic_poses(source);
  }
  if (!live) {
    result.splits = split_bones(source, rows, limbs, result.poses.extents, rule);
    return result;
  }
  const PoseSet all = generic_poses(source, code);
  for (const Extent& extent : all.extents) rule.least_twist.push_back(extent.twist_difference);
  if (!source.clips.empty()) {
    result.splits = split_bones(source, rows, limbs, result.poses.extents, rule);
  }
  if (result.splits.empty()) {
    result.splits = split_bones(source, rows, limbs, all.extents, rule);
  }
  code.moved = live_joints(source.skeleton, rows, result.splits);
  append(result.poses, generic_poses(source, code));
  return result;
}

// Everything that the steps of a bake work on.
struct Work {
  const Rig& source;  // with weights
  const PoseSet& poses;
  const SkinRows& rows;
  const Limbs& limbs;
  std::span<const SplitBone> splits;
};

// What of scale rigid helpers cannot carry.
void note_scale(const Work& work, std::vector<std::string>& notes) {
  const Skeleton& skeleton = work.source.skeleton;
  std::vector<bool> is_split(skeleton.bones.size(), false);
  for (const SplitBone& split : work.splits) is_split[static_cast<std::size_t>(split.bone)] = true;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Joint& joint = skeleton.joints[static_cast<std::size_t>(skeleton.bones[b].joint)];
    const auto [along, across] =
        std::pair(work.poses.extents[b].along, work.poses.extents[b].across);
    if (joint.is_frame) continue;
    if (is_split[b] && across > scale_tolerance) {
      notes.push_back(fmt::format("{}: scale across the bone, by {:.0f}% at most, is lost",
                                  joint.name, 100 * across));
    } else if (!is_split[b] && std::max(along, across) > scale_tolerance) {
      notes.push_back(fmt::format(
          "{}: scaled by {:.0f}% at most, not split: what lies beyond its ends is scaled too",
          joint.name, 100 * std::max(along, across)));
    }
  }
}

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
  report.max_influences = summarize(baked.weights).max_influences;
  report.needed_influences = summarize(unlimited).max_influences;
  for (std::size_t v = 0; v < unlimited.vertex_count(); ++v) {
    if (baked.weights.row(v).size() < unlimited.row(v).size()) ++report.pruned;
  }
  note_scale(work, report.notes);
  if (report.generic_poses && report.helpers > 0 && !report.live) {
    report.notes.push_back("there are no clips: nothing moves the helpers yet");
  }
}

// How good the helpers are in poses that no clip has: the made-up ones, which come last.
void describe_live(const Work& work, std::span<const Target> targets, double percent_of_box,
                   Baked& result) {
  const auto is_made_up = [](const TestPose& pose) { return pose.is_made_up; };
  std::span<const TestPose> poses = work.poses.tests;
  const auto first = static_cast<std::size_t>(std::find_if(poses.begin(), poses.end(), is_made_up) -
                                              poses.begin());
  poses = poses.subspan(first);
  targets = targets.subspan(first);
  LiveReport& live = result.report.live.emplace();
  live.poses = poses.size();
  const Errors moved = measure(result.rig.weights, targets, work.rows, work.limbs);
  live.max_error = 100 * moved.largest_share;
  live.max_error_box = percent_of_box * moved.largest;
  std::vector<Target> plain(targets.begin(), targets.end());
  live.plain_error_box =
      percent_of_box * plain_error(work.source, poses, plain, work.rows, work.limbs);
  if (!work.source.drivers.empty()) {
    result.report.notes.push_back("generalized bones move in clips alone, not in poses of no clip");
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
  const Errors errors = measure(result.rig.weights, turned, work.rows, work.limbs);
  live.constraint_error = 100 * errors.largest_share;
  live.constraint_error_box = percent_of_box * errors.largest;
  result.report.notes.push_back("constraints know no stretch: it follows the table alone");
}

void describe_errors(const Work& work, const Errors& errors, double percent_of_box,
                     BakeReport& report) {
  report.max_error = 100 * errors.largest_share;
  report.max_error_box = percent_of_box * errors.largest;
  report.rms_error_box = percent_of_box * std::sqrt(errors.mean_square);
  const Skeleton& skeleton = work.source.skeleton;
  for (const SplitBone& split : work.splits) {
    const auto b = static_cast<std::size_t>(split.bone);
    const Extent& extent = work.poses.extents[b];
    report.bones.push_back({skeleton.joints[static_cast<std::size_t>(skeleton.bones[b].joint)].name,
                            split.bone, split.segments(), degrees(extent.twist_difference),
                            extent.shortest, extent.longest, work.limbs.radius[b],
                            100 * errors.bone_share[b], percent_of_box * errors.bone_largest[b]});
  }
}

// The smallest limit, of a few, with which the bound (a share) is met; 0 if none does.
std::size_t influences_for(const Work& work, double bound, std::size_t limit,
                           const Weights& unlimited, std::span<const Target> targets) {
  const auto is_met = [&](const Weights& weights) {
    return measure(weights, targets, work.rows, work.limbs).largest_share <= bound;
  };
  if (limit == 0 || !is_met(unlimited)) return 0;
  const std::size_t needed = summarize(unlimited).max_influences;
  for (std::size_t step = 1, n = limit + 1; n < needed; n += step, step *= 2) {
    if (is_met(limit_influences(unlimited, n, targets))) return n;
  }
  return needed;
}

// Everything that follows from which bones are split, before influences are limited.
struct Trial {
  Baked baked;
  Weights unlimited;
  std::vector<Target> targets;
};

Trial tried(const Work& work, std::span<const SplitBone> splits, const BakeOptions& options,
            std::vector<Target> targets) {
  Trial trial{
      {}, split_weights(work.rows, work.source.skeleton.bones.size(), splits), std::move(targets)};
  with_helpers(work.source, splits, work.poses, work.limbs, options, trial.baked);
  fill_palettes(trial.baked.rig, splits, work.poses, trial.targets);
  return trial;
}

// The same bones in more segments, all in as many: what the bound asks for, if their number was
// fixed, or else twice as many. None if there are no more.
std::vector<SplitBone> finer_splits(const Work& work, const BakeOptions& options, double bound) {
  SplitRule rule;
  rule.asked_for.assign(work.source.skeleton.bones.size(), false);
  int most = 0, wanted = 1;
  for (const SplitBone& split : work.splits) {
    const auto b = static_cast<std::size_t>(split.bone);
    rule.asked_for[b] = true;
    most = std::max(most, split.segments());
    const int enough = chosen_segments(work.poses.extents[b], work.limbs.unevenness[b], bound);
    wanted = std::max(wanted, options.segments ? enough : 2 * split.segments());
  }
  rule.segments = std::min(wanted, most_segments);
  if (most == 0 || *rule.segments <= most) return {};
  return split_bones(work.source, work.rows, work.limbs, work.poses.extents, rule);
}

// What would meet the bound, having tried it.
std::string remedy_for(const Work& work, const BakeOptions& options, const BakeReport& report,
                       Trial trial) {
  const double bound = *report.bound / 100;
  const std::size_t influences =
      influences_for(work, bound, options.influences, trial.unlimited, trial.targets);
  if (influences > 0) return fmt::format("{} influences per vertex would meet it", influences);
  const auto error_of = [&](const Trial& t) {
    return measure(t.unlimited, t.targets, work.rows, work.limbs).largest_share;
  };
  double least = error_of(trial);
  const std::vector<SplitBone> finer = finer_splits(work, options, bound);
  if (!finer.empty()) {
    const Trial next = tried(work, finer, options, std::move(trial.targets));
    const double error = error_of(next);
    const std::size_t needed = summarize(next.unlimited).max_influences;
    const std::string with = options.influences > 0 && needed > options.influences
                                 ? fmt::format(", with up to {} influences per vertex", needed)
                                 : std::string();
    const int segments = finer.front().segments();
    if (error <= bound && options.segments) {
      return fmt::format("{} segments are too few; {} or no fixed number would do{}",
                         *options.segments, segments, with);
    }
    if (error <= bound) return fmt::format("{} segments would meet it{}", segments, with);
    least = std::min(least, error);
  }
  return fmt::format("more segments and influences would still leave {:.3g}%", 100 * least);
}

}  // namespace

Rig weighed(const Rig& rig, const BakeOptions& options, const Progress& progress) {
  Rig result = rig;
  const bool has_weights = rig.weights.vertex_count() > 0;
  if (has_weights && !rig.endpoints.empty() && !options.replace_endpoints) return result;
  std::optional<WeightMethod> method;
  if (!has_weights) method = options.weights;
  Weighed weights = weigh(rig.mesh, rig.skeleton, method, options.endpoints, rig.weights, progress);
  result.weights = std::move(weights.skin.weights);
  result.endpoints = std::move(weights.skin.endpoints);
  result.twist_endpoints.clear();
  return result;
}

Baked bake(const Rig& rig, const BakeOptions& options, const Progress& progress) {
  check(rig, options);
  check_rest_size(rig);
  Rig source = weighed(rig, options, progress.part(0, 0.4));
  if (options.live != LiveHelpers::none) name_joints(source.skeleton);
  progress.report("reading clips", 0.4);
  const SkinRows rows = skin_rows(source);
  const Limbs limbs = limbs_of(source, rows);
  std::optional<double> bound = options.max_error;
  if (!bound && !options.segments) bound = default_max_error;
  const auto [poses, splits] =
      plan(source, rows, limbs,
           {options.segments, bound.value_or(default_max_error) / 100, asked_for(source, options)},
           options.live != LiveHelpers::none);
  const Work work{source, poses, rows, limbs, splits};

  progress.report("measuring", 0.5);
  std::vector<Target> targets = targets_of(source, rows, poses.tests);
  const double box = bounding_box(source.mesh.positions).diagonal();
  const double percent_of_box = box > 0 ? 100 / box : 0;
  const double plain = plain_error(source, poses.tests, targets, rows, limbs);
  progress.report("making tracks", 0.7);
  Trial trial = tried(work, splits, options, std::move(targets));
  progress.report("limiting influences", 0.85);
  Baked result = std::move(trial.baked);
  result.rig.weights = options.influences > 0
                           ? limit_influences(trial.unlimited, options.influences, trial.targets)
                           : trial.unlimited;

  BakeReport& report = result.report;
  report.influence_limit = options.influences;
  report.bound = bound;
  report.plain_error_box = percent_of_box * plain;
  if (options.live != LiveHelpers::none) {
    describe_live(work, trial.targets, percent_of_box, result);
  }
  describe_rig(work, result.rig, trial.unlimited, report);
  describe_errors(work, measure(result.rig.weights, trial.targets, rows, limbs), percent_of_box,
                  report);
  if (!is_within_bound(report)) {
    report.remedy = remedy_for(work, options, report, std::move(trial));
  }
  progress.report("done", 1);
  return result;
}

}  // namespace sinew
