// SPDX-License-Identifier: Apache-2.0
// Progress reports and cancellation for long computations.
#pragma once

#include <functional>
#include <string_view>

namespace sinew {

// Passed by value to everything that may take long; a default-constructed one reports nothing.
class Progress {
 public:
  // Called with the current stage and the fraction done, in [0, 1]; returning false cancels.
  using Hook = std::function<bool(std::string_view stage, double fraction)>;

  Progress() = default;
  // An empty hook reports to nobody.
  explicit Progress(Hook hook);

  // Throws Cancelled if the hook returns false. Do not call it from the body of a parallel_for.
  void report(std::string_view stage, double fraction) const;

  // A progress whose range 0..1 maps to `from`..`to` of this one.
  Progress part(double from, double to) const;

 private:
  Hook hook_;
  double from_ = 0;
  double to_ = 1;
};

}  // namespace sinew
