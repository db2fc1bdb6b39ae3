// SPDX-License-Identifier: Apache-2.0
// How long computations report how far they are, and how a caller stops them.
#pragma once

#include <functional>
#include <string_view>

namespace sinew {

// Handed by value to everything that may take long; the default one reports to nobody.
class Progress {
 public:
  // Called with what is being done and the fraction done, in [0, 1]; false cancels.
  using Hook = std::function<bool(std::string_view stage, double fraction)>;

  Progress() = default;
  // An empty hook reports to nobody.
  explicit Progress(Hook hook);

  // Throws Cancelled if the hook says so. Not to be called from within a parallel body.
  void report(std::string_view stage, double fraction) const;

  // A progress whose 0..1 is `from`..`to` of this one.
  Progress part(double from, double to) const;

 private:
  Hook hook_;
  double from_ = 0;
  double to_ = 1;
};

}  // namespace sinew
