// SPDX-License-Identifier: Apache-2.0
// A guard against deformation that has become slower.
#pragma once

#include <string>
#include <vector>

namespace sinew::bench {

// How a case does: how many times as fast as the textbook's linear blending, compiled in the same
// program, it deforms as many vertices.
struct Checked {
  std::string name;
  double times = 0;     // now
  double recorded = 0;  // with the same instructions, when the table was made
  bool is_slower = false;
};

struct CheckReport {
  std::string target;          // the instruction set, as kernel_targets() names it
  std::vector<Checked> cases;  // empty: nothing is recorded for these instructions
};

// Slower by more than this is reported. Runs of one program on one kind of processor differ by less
// than 1.2, other programs beside it included; a loop that takes 1.5 times as long is found.
inline constexpr double check_tolerance = 1.35;

// Measures on one thread, each case in turns with the textbook, the least of many calls; a case
// that seems slow is measured again, up to five times. Takes seconds.
CheckReport check_speed();

}  // namespace sinew::bench
