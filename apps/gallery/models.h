// SPDX-License-Identifier: Apache-2.0
// The models shared by several figures, each created on first use.
#pragma once

#include <optional>

#include "figure.h"
#include "sinew/rig/rig.h"

namespace sinew::gallery {

// The built-in characters on skeletons of few bones, with automatically computed weights. Bones end
// where hands, heads and hooves begin; these follow without bones of their own.
class Models {
 public:
  explicit Models(const Detail& detail) : detail_(detail) {}

  const Detail& detail() const { return detail_; }
  const Rig& beast(const Progress& progress = {});
  const Rig& person(const Progress& progress = {});
  const Rig& giraffe(const Progress& progress = {});

 private:
  Detail detail_;
  std::optional<Rig> beast_, person_, giraffe_;
};

}  // namespace sinew::gallery
