// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"

namespace sinew {

Progress::Progress(Hook hook) : hook_(std::move(hook)) {}

void Progress::report(std::string_view stage, double fraction) const {
  if (!hook_) return;
  // 0 of 0 steps is no progress.
  const double inner = std::isnan(fraction) ? 0 : std::clamp(fraction, 0.0, 1.0);
  const double done = std::lerp(from_, to_, inner);
  if (!hook_(stage, done)) throw Cancelled();
}

Progress Progress::part(double from, double to) const {
  Progress inner(*this);
  inner.from_ = std::lerp(from_, to_, from);
  inner.to_ = std::lerp(from_, to_, to);
  return inner;
}

}  // namespace sinew
