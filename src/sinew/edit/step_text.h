// SPDX-License-Identifier: Apache-2.0
// Steps of editing as text: what they are called, what they take, and one as a person writes it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sinew {

// A word that a step is written with. `sinew edit` has an option of that name.
struct StepWord {
  std::string name;      // without dashes: "smooth"
  std::string argument;  // what to call its argument: "N"; empty: it takes none
  std::string help;      // one line
};

// How a step is written: its own word, and those that may follow it ("where", "from").
struct StepForm {
  StepWord word;
  std::vector<StepWord> modifiers{};
};

// One step as it is written.
struct StepText {
  std::string name;
  std::string argument{};
  std::vector<std::pair<std::string, std::string>> modifiers{};  // name and argument

  // The argument of a modifier, or `otherwise`.
  std::string modifier(const std::string& modifier_name, const std::string& otherwise = {}) const;
};

// Numbers in a step's argument. Throw UsageError naming the step ("--smooth: 'many' is not a whole
// number from 1 to 1000").
int whole_argument(const StepText& text, int low, int high);
double number_argument(const StepText& text, double low, double high);

// The modifier "where" of the steps that change rows of weights; see where.h.
StepWord where_word();

}  // namespace sinew
