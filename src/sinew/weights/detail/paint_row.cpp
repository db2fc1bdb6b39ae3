// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/paint_row.h"

#include <algorithm>
#include <array>

#include "sinew/skin/projection.h"

namespace sinew::detail {

PaintRow::PaintRow(const Brush& brush, const BoneMirror& partners, const Locks& locks,
                   const Skeleton& skeleton, std::span<const SkinRow> rows)
    : brush_(brush),
      partner_(partners.partner[brush.bone]),
      reversed_(partners.reversed[brush.bone]),
      locks_(locks),
      skeleton_(skeleton),
      rows_(rows) {}

double PaintRow::painted(double from, double amount, bool reversed,
                         std::optional<double> mean) const {
  const double sign = reversed ? -1 : 1;
  const double value = reversed ? 1 - brush_.value : brush_.value;
  double result = from;
  switch (brush_.mode) {
    case PaintMode::add:
      result = from + sign * amount;
      break;
    case PaintMode::subtract:
      result = from - sign * amount;
      break;
    case PaintMode::replace:
      result = from + amount * (value - from);
      break;
    case PaintMode::smooth:
      result = from + amount * (mean.value_or(from) - from);
      break;
    case PaintMode::sharpen: {
      const double tail = from * from;
      const double head = (1 - from) * (1 - from);
      result = from + amount * (tail / (tail + head) - from);
      break;
    }
  }
  return std::clamp(result, 0.0, 1.0);
}

std::optional<double> PaintRow::mean_around(std::span<const Index> around, int bone,
                                            double RowInfluence::*kind) const {
  double sum = 0;
  double total = 0;
  for (const Index n : around) {
    for (const RowInfluence& influence : rows_[n]) {
      if (influence.bone != bone) continue;
      sum += influence.weight * influence.*kind;
      total += influence.weight;
    }
  }
  if (!(total > 0)) return std::nullopt;
  return std::clamp(sum / total, 0.0, 1.0);
}

void PaintRow::weights(Index vertex, std::span<const Index> around, const Vec3& position,
                       double amount, double mirrored, SkinRow& result) const {
  const SkinRow& own = rows_[vertex];
  std::vector<Influence> row;
  for (const RowInfluence& influence : own) row.push_back({influence.bone, influence.weight});
  std::vector<Influence> values;
  const auto set = [&](int bone, double by) {
    if (!(by > 0)) return;
    const auto found =
        std::find_if(own.begin(), own.end(), [&](const auto& i) { return i.bone == bone; });
    values.push_back({bone, painted(found != own.end() ? found->weight : 0, by, false, {})});
  };
  if (partner_ == brush_.bone) {
    set(brush_.bone, std::max(amount, mirrored));
  } else {
    set(brush_.bone, amount);
    set(partner_, mirrored);
  }
  set_weights(row, values, locks_);

  result.clear();
  for (std::size_t i = 0; i < row.size(); ++i) {
    RowInfluence influence = i < own.size() ? own[i] : RowInfluence{row[i].bone, 0, 0, 0};
    influence.weight = row[i].weight;
    if (i >= own.size()) {
      const Bone& bone = skeleton_.bones[influence.bone];
      const double projected = project_on_segment(position, bone.head, bone.tail);
      influence.endpoint =
          mean_around(around, influence.bone, &RowInfluence::endpoint).value_or(projected);
      influence.twist_endpoint =
          mean_around(around, influence.bone, &RowInfluence::twist_endpoint).value_or(projected);
    }
    result.push_back(influence);
  }
}

void PaintRow::sharpened(Index vertex, double amount, SkinRow& result) const {
  result = rows_[vertex];
  double sum = 0;
  double squares = 0;
  for (const RowInfluence& influence : result) {
    if (locks_.has(influence.bone)) continue;
    sum += influence.weight;
    squares += influence.weight * influence.weight;
  }
  if (!(squares > 0)) return;
  for (RowInfluence& influence : result) {
    if (locks_.has(influence.bone)) continue;
    const double square = influence.weight * influence.weight * (sum / squares);
    influence.weight += amount * (square - influence.weight);
  }
  normalize(result, locks_);
}

void PaintRow::endpoints(Index vertex, std::span<const Index> around, double amount,
                         double mirrored, SkinRow& result) const {
  result = rows_[vertex];
  const auto kind = brush_.target == PaintTarget::endpoints ? &RowInfluence::endpoint
                                                            : &RowInfluence::twist_endpoint;
  for (RowInfluence& influence : result) {
    if (locks_.has(influence.bone)) continue;
    const std::optional<double> mean =
        brush_.mode == PaintMode::smooth ? mean_around(around, influence.bone, kind) : std::nullopt;
    // If a bone is its own reversed mirror image, both dabs apply, one after the other.
    if (partner_ == brush_.bone && !reversed_) {
      if (influence.bone != brush_.bone) continue;
      influence.*kind = painted(influence.*kind, std::max(amount, mirrored), false, mean);
      continue;
    }
    if (influence.bone == brush_.bone) {
      influence.*kind = painted(influence.*kind, amount, false, mean);
    }
    if (influence.bone == partner_) {
      influence.*kind = painted(influence.*kind, mirrored, reversed_, mean);
    }
  }
}

}  // namespace sinew::detail
