// SPDX-License-Identifier: Apache-2.0
// Locates the real models for tests, which are optional.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/paths.h"

// $SINEW_ASSETS, or ../shared/assets next to the project; it may not exist.
inline std::filesystem::path asset_folder() {
  const char* folder = std::getenv("SINEW_ASSETS");
  return folder != nullptr ? std::filesystem::path(folder)
                           : source_folder() / ".." / "shared" / "assets";
}

// All models with one of these extensions, by name.
inline std::vector<std::filesystem::path> all_assets(
    std::initializer_list<const char*> extensions) {
  std::vector<std::filesystem::path> paths;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(asset_folder(), missing)) {
    const std::string extension = entry.path().extension().string();
    if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The path of the named model in asset_folder(), if it exists; if not, tests are skipped, see
// below.
inline std::optional<std::filesystem::path> asset(const char* name) {
  const std::filesystem::path path = asset_folder() / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

// The message of every test that is skipped because a model is missing; ctest counts them as
// skipped.
inline std::string missing_model(const std::string& name) {
  return "model " + name + " not there: set SINEW_ASSETS";
}

// Skips the test with a message if the model is missing.
#define SINEW_ASSET_OR_SKIP(variable, name)                   \
  const auto variable##_found = asset(name);                  \
  if (!variable##_found) GTEST_SKIP() << missing_model(name); \
  const std::filesystem::path variable = *variable##_found

// The same for all glTF models there are.
#define SINEW_GLTF_ASSETS_OR_SKIP(variable)            \
  const auto variable = all_assets({".glb", ".gltf"}); \
  if (variable.empty()) GTEST_SKIP() << missing_model("*.glb")
