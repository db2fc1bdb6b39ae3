// SPDX-License-Identifier: Apache-2.0
#include "outputs.h"

#include <set>

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

// The same for all names of a file, whether it is there or not.
fs::path file_itself(const fs::path& path) {
  std::error_code failure;
  const fs::path target = fs::absolute(write_target(path), failure);
  const fs::path whole = fs::weakly_canonical(target, failure);
  return (failure ? target : whole).lexically_normal();
}

}  // namespace

CLI::Option* add_output(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& help) {
  const auto is_named = [](std::string& given) {
    return given.empty() ? std::string("a file needs a name") : std::string();
  };
  return command.add_option(name, path, help)->check(CLI::Validator(is_named, ""));
}

Outputs::Outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (const std::string& file : inputs) {
    if (!file.empty()) inputs_.emplace(file_itself(file), file);
  }
  std::set<fs::path> written;
  for (const std::string& file : outputs) {
    if (file.empty()) continue;
    check(file);
    if (!written.insert(file_itself(file)).second) {
      throw UsageError(file + " would be written twice; give each output a file of its own");
    }
  }
}

void Outputs::check(const fs::path& path) const {
  if (inputs_.contains(file_itself(path))) {
    throw UsageError(path.string() + " is read, and would be replaced; write to another file");
  }
}

void Outputs::add(const fs::path& path, std::string_view bytes) {
  add_part(path, bytes);
  files_.push_back(path.string());
}

void Outputs::add_part(const fs::path& path, std::string_view bytes) {
  check(path);
  staged_.write(path, bytes);
}

fs::path Outputs::reserve(const fs::path& path) {
  check(path);
  return staged_.reserve(path);
}

void Outputs::erase(const fs::path& path) {
  check(path);
  staged_.erase(path);
}

}  // namespace sinew::cli
