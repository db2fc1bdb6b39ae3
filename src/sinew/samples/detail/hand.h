// SPDX-License-Identifier: Apache-2.0
// Hands with five fingers, for the arm and the mannequin.
#pragma once

#include <string_view>

#include "sinew/samples/internal/blueprint.h"

namespace sinew::samples {

struct HandFrame {
  Vec3 wrist;
  Vec3 along;        // unit, from the wrist to the fingers
  Vec3 thumbward;    // unit, across the palm
  Vec3 palmward;     // unit, out of the palm
  double scale = 1;  // at 1 the wrist is 0.19 m from the tip of the middle finger
};

// Adds the joint "hand" with the children index, middle, ring, pinky and thumb, three bones each
// ("index_1" to "index_3"), all with `suffix` appended, and their flesh in `color`.
void add_hand(Blueprint& blueprint, std::string_view parent, std::string_view suffix,
              const HandFrame& frame, const Vec3& color);

}  // namespace sinew::samples
