// SPDX-License-Identifier: Apache-2.0
// Steps of editing as text: what they are called, what they take, and one as a person writes it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/io/dmat.h"
#include "sinew/rig/rig.h"

namespace sinew {

// What is in a file that a step takes. The order is that of StepContent.
enum class ContentKind { none, json, matrix, rig };

// The text of a .json file.
struct JsonText {
  std::string text;
};

// What would be in the file, where there are no files.
using StepContent = std::variant<std::monostate, JsonText, Matrix, std::shared_ptr<const Rig>>;

// A word that a step is written with. `sinew edit` has an option of that name.
struct StepWord {
  std::string name;                         // without dashes: "smooth"
  std::string argument;                     // what to call its argument: "N"; empty: it takes none
  std::string help;                         // one line
  ContentKind content = ContentKind::none;  // of the file that the argument is or may be
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
  // If there is one, nothing is read, and `argument` only says what reports and errors call it.
  StepContent content{};

  // The argument of a modifier, or `otherwise`.
  std::string modifier(const std::string& modifier_name, const std::string& otherwise = {}) const;
};

// Numbers in a step's argument. Throw UsageError naming the step ("--smooth: 'many' is not a whole
// number from 1 to 1000").
int whole_argument(const StepText& text, int low, int high);
double number_argument(const StepText& text, double low, double high);

// The text of a .json file, given or read. Throws FileError.
std::string json_argument(const StepText& text);

// The modifier "where" of the steps that change rows of weights; see where.h.
StepWord where_word();

}  // namespace sinew
