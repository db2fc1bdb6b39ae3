// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/progress.h"

#include <algorithm>
#include <utility>

#include "sinew/core/error.h"

namespace sinew {

Progress::Progress(Hook hook) : hook_(std::move(hook)) {}

void Progress::report(std::string_view stage, double fraction) const {
  if (!hook_) return;
  const double done = from_ + (to_ - from_) * std::clamp(fraction, 0.0, 1.0);
  if (!hook_(stage, done)) throw Cancelled();
}

Progress Progress::part(double from, double to) const {
  Progress inner(*this);
  inner.from_ = from_ + (to_ - from_) * from;
  inner.to_ = from_ + (to_ - from_) * to;
  return inner;
}

}  // namespace sinew
