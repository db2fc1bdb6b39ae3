// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/error.h"

#include <utility>

namespace sinew {
namespace {

std::string message(const std::string& file, const std::string& place, const std::string& problem) {
  std::string text;
  for (const std::string* part : {&file, &place}) {
    if (!part->empty()) text += *part + ": ";
  }
  return text + problem;
}

}  // namespace

Error::Error(const std::string& message) : std::runtime_error(message) {}

Error::Error(const char* message) : std::runtime_error(message) {}

InputError::InputError(std::string place, std::string problem)
    : InputError(std::string(), std::move(place), std::move(problem)) {}

InputError::InputError(std::string file, std::string place, std::string problem)
    : Error(message(file, place, problem)),
      file_(std::move(file)),
      place_(std::move(place)),
      problem_(std::move(problem)) {}

InputError InputError::in_file(const std::string& file) const {
  return file_.empty() ? InputError(file, place_, problem_) : *this;
}

}  // namespace sinew
