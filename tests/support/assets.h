// SPDX-License-Identifier: Apache-2.0
// Where the real models for tests are, if they are there at all.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

// The path of the named model in $SINEW_ASSETS or in ../shared/assets beside the project; nothing
// if there is none. Tests then skip: GTEST_SKIP() << "no such model".
inline std::optional<std::filesystem::path> asset(const char* name) {
  const char* folder = std::getenv("SINEW_ASSETS");
  std::filesystem::path path =
      folder != nullptr ? std::filesystem::path(folder)
                        : std::filesystem::path(SINEW_SOURCE_DIR) / ".." / "shared" / "assets";
  path /= name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

// Skips the test where the model is missing, and says so.
#define SINEW_ASSET_OR_SKIP(variable, name)                                                    \
  const auto variable##_found = asset(name);                                                   \
  if (!variable##_found) GTEST_SKIP() << "model " << (name) << " not there: set SINEW_ASSETS"; \
  const std::filesystem::path variable = *variable##_found
