// SPDX-License-Identifier: Apache-2.0
// Runs the program as scripts do.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/file.h"
#include "sinew/image/read_image.h"
#include "tests/support/paths.h"

namespace sinew {

class Cli : public testing::Test {
 protected:
  Cli()
      : folder_(std::filesystem::temp_directory_path() /
                ("sinew_cli_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  struct Result {
    int status = 0;
    std::string out, err;
  };

  // Runs `sinew ARGUMENTS` in the test's folder.
  Result run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" + sinew_program().string() +
                                "' " + arguments + " >stdout 2>stderr </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_ / "stdout"),
            read_file(folder_ / "stderr")};
  }

  Image image(const char* name) const { return read_image(folder_ / name); }

  void write(const char* name, std::string_view text) const { write_file(folder_ / name, text); }

  std::filesystem::path folder_;
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace sinew
