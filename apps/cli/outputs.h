// SPDX-License-Identifier: Apache-2.0
// The files that a command writes: all of them or none, and none that it reads.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/staged_files.h"

namespace sinew::cli {

// An option for a file or folder to write; it may not be empty.
CLI::Option* add_output(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& help);

class Outputs {
 public:
  // Made before anything is read. Throws UsageError if an output is an input, or two outputs are
  // one file. Empty names are those of options that were not given.
  Outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

  // Each is written beside its place; the ones that were not announced are checked now. Those added
  // as parts are not listed by files().
  void add(const std::filesystem::path& path, std::string_view bytes);
  void add_part(const std::filesystem::path& path, std::string_view bytes);
  // Where another program writes the file.
  std::filesystem::path reserve(const std::filesystem::path& path);
  void make_folder(const std::filesystem::path& path) { staged_.make_folder(path); }
  void erase(const std::filesystem::path& path);

  // Puts all in their places.
  void commit() { staged_.commit(); }

  // In the order they were added.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void check(const std::filesystem::path& path) const;

  std::map<std::filesystem::path, std::string> inputs_;  // by what they are in the end
  std::vector<std::string> files_;
  StagedFiles staged_;
};

}  // namespace sinew::cli
