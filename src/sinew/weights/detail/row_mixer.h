// SPDX-License-Identifier: Apache-2.0
// Adds up rows of weights, each with a factor, and their endpoint weights with them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/skin/skin.h"
#include "sinew/weights/locks.h"

namespace sinew::detail {

// One bone's part in a vertex.
struct RowInfluence {
  BoneIndex bone = 0;
  double weight = 0;
  double endpoint = 0;
  double twist_endpoint = 0;

  friend bool operator==(const RowInfluence&, const RowInfluence&) = default;
};
using SkinRow = std::vector<RowInfluence>;

// From the sparse form to one row per vertex and back. A bone that a row has twice becomes one with
// the sum of both weights. Endpoint weights that `skin` does not have are 0 in the rows; going
// back, those are written that are asked for.
std::vector<SkinRow> to_rows(const Skin& skin);
Skin from_rows(std::span<const SkinRow> rows, bool endpoints, bool twist_endpoints);

double row_sum(const SkinRow& row);

// Scales the unlocked weights so that the row sums to 1, as normalize(weights, locks) does.
void normalize(SkinRow& row, const Locks& locks = {});

// The weight of a bone in the sum is the sum of its weights times the factors; its endpoint weight
// is the mean of theirs by those same amounts, so that a row without the bone has no say in it.
class RowMixer {
 public:
  explicit RowMixer(std::size_t bone_count) : sums_(bone_count), seen_(bone_count, false) {}

  void add(std::span<const RowInfluence> row, double factor);
  void add(const RowInfluence& influence, double factor);

  // What was added up since the last time, bones ascending, without those of weight 0.
  void take(SkinRow& row);

 private:
  std::vector<RowInfluence> sums_;  // endpoint weights times weights
  std::vector<bool> seen_;
  std::vector<int> bones_;
};

}  // namespace sinew::detail
