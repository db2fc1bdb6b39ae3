// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/step_text.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/internal/text.h"

namespace sinew {

std::string StepText::modifier(const std::string& modifier_name,
                               const std::string& otherwise) const {
  for (const auto& [name_given, value] : modifiers) {
    if (name_given == modifier_name) return value;
  }
  return otherwise;
}

int whole_argument(const StepText& text, int low, int high) {
  const auto value = text::parse_integer(text.argument);
  if (!value || *value < low || *value > high) {
    throw UsageError(fmt::format("--{}: {} is not a whole number from {} to {}", text.name,
                                 text::quoted(text.argument), low, high));
  }
  return static_cast<int>(*value);
}

double number_argument(const StepText& text, double low, double high) {
  const auto value = text::parse_number(text.argument);
  if (!value || *value < low || *value > high) {
    throw UsageError(fmt::format("--{}: {} is not a number from {} to {}", text.name,
                                 text::quoted(text.argument), low, high));
  }
  return *value;
}

std::string json_argument(const StepText& text) {
  const auto* given = std::get_if<JsonText>(&text.content);
  return given != nullptr ? given->text : read_file(text.argument);
}

StepWord where_word() {
  return {"where", "BONES|EXPRESSION",
          "Only these vertices: those that a bone moves, or \"x > 0 and weight(hand.L) < 0.5\""};
}

}  // namespace sinew
