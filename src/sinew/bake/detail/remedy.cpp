// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/remedy.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/bake/detail/influences.h"

namespace sinew::baking {
namespace {

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

// The same bones in more segments, all in as many: what the bound asks for, if their number was
// fixed, or else twice as many. None if there are no more.
std::vector<SplitBone> finer_splits(const Work& work, const BakeOptions& options, double bound) {
  SplitRule rule;
  rule.asked_for.assign(work.source.skeleton.bones.size(), false);
  int most = 0, wanted = 1;
  for (const SplitBone& split : work.splits) {
    const std::size_t b = split.bone;
    rule.asked_for[b] = true;
    most = std::max(most, split.segments());
    const int enough = chosen_segments(work.poses.extents[b], work.limbs.unevenness[b], bound);
    wanted = std::max(wanted, options.segments ? enough : 2 * split.segments());
  }
  rule.segments = std::min(wanted, most_segments);
  if (most == 0 || *rule.segments <= most) return {};
  return split_bones(work.source, work.rows, work.limbs, work.poses.extents, rule);
}

}  // namespace

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
    const Trial next = run_trial(work, finer, options, std::move(trial.targets));
    const double error = error_of(next);
    const std::size_t needed = summarize(next.unlimited).max_influences;
    const std::string with = options.influences > 0 && needed > options.influences
                                 ? fmt::format(", with up to {} influences per vertex", needed)
                                 : std::string();
    const int segments = finer.front().segments();
    if (error <= bound && options.segments) {
      return fmt::format("{} segments are too few; use {}, or do not fix the number{}",
                         *options.segments, segments, with);
    }
    if (error <= bound) return fmt::format("{} segments would meet it{}", segments, with);
    least = std::min(least, error);
  }
  return fmt::format(
      "more segments and influences would still leave {:.3g}%; blend shapes or a point cache lose "
      "nothing (--to morph, --to cache)",
      100 * least);
}

}  // namespace sinew::baking
