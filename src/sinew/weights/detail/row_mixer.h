// SPDX-License-Identifier: Apache-2.0
// Weighted sums of rows of bone weights, together with their endpoint weights.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/skin/skin.h"
#include "sinew/weights/locks.h"

namespace sinew::detail {

// One bone's influence on a vertex, with its endpoint weights.
struct RowInfluence {
  BoneIndex bone = 0;
  double weight = 0;
  double endpoint = 0;
  double twist_endpoint = 0;

  friend bool operator==(const RowInfluence&, const RowInfluence&) = default;
};
using SkinRow = std::vector<RowInfluence>;

// Convert from the sparse form to one row per vertex and back. A bone listed twice in a row becomes
// one influence with the sum of both weights. Endpoint weights that `skin` does not have are 0 in
// the rows. from_rows() returns `like` with these rows in place of its own: they get the kinds of
// endpoint weights that it has; filters and blend shares stay.
std::vector<SkinRow> to_rows(const Skin& skin);
Skin from_rows(std::span<const SkinRow> rows, Skin like);

double row_sum(const SkinRow& row);

// Scales the unlocked weights so that the row sums to 1, as normalize(weights, locks) does.
void normalize(SkinRow& row, const Locks& locks = {});

// A bone's weight in the result is the sum of its weights times the factors. Its endpoint weight is
// the mean of its endpoint weights, weighted by the same products, so rows without the bone do not
// affect it.
class RowMixer {
 public:
  explicit RowMixer(std::size_t bone_count) : sums_(bone_count), seen_(bone_count, false) {}

  void add(std::span<const RowInfluence> row, double factor);
  void add(const RowInfluence& influence, double factor);

  // Moves out the sum of what was added since the last call: bones ascending, without zero weights.
  void take(SkinRow& row);

 private:
  std::vector<RowInfluence> sums_;  // endpoint weights times weights
  std::vector<bool> seen_;
  std::vector<int> bones_;
};

}  // namespace sinew::detail
