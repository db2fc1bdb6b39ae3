// SPDX-License-Identifier: Apache-2.0
// One vertex's influences with their endpoint weights, in the order of the skin.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skin/skin.h"

namespace sinew::detail {

struct EditInfluence {
  BoneIndex bone = 0;
  double weight = 0;
  double endpoint = 0, twist_endpoint = 0;  // 0 if the skin has none
};
using EditRow = std::vector<EditInfluence>;

void get_row(const Skin& skin, std::size_t vertex, EditRow& row);
void push_row(const EditRow& row, bool endpoints, bool twist_endpoints, Skin& skin);

// The bone's weight in the row, the sum if it is listed twice; 0 if it is not.
double weight_of(const EditRow& row, BoneIndex bone);

// How far two rows are apart.
struct RowChange {
  double sum = 0;       // of the absolute changes of weights
  double weight = 0;    // largest change of a weight
  double endpoint = 0;  // largest change of an endpoint weight of a bone with weight in both
};
RowChange change_of(const EditRow& before, const EditRow& after);

// The same bones have weight, and no number differs by more than `tolerance`; order does not
// matter.
bool same_rows(const EditRow& before, const EditRow& after, double tolerance);

}  // namespace sinew::detail
