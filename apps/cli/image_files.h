// SPDX-License-Identifier: Apache-2.0
// Which files sinew image reads and writes: one set for each picture.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::cli {

// As given. With several pictures, "{}" stands for the name of each.
struct ImageFileOptions {
  std::vector<std::string> pictures;
  std::string skeleton, skeleton_out, motion, mask;
  std::string output, to;
  bool moves = false;       // there is a motion, from a file or built-in
  bool one_moment = false;  // only one moment of the motion is shown

  bool still() const { return !moves || one_moment; }
};

// Paths that were not given are empty.
struct ImageFiles {
  std::filesystem::path picture, output;
  std::string skeleton, skeleton_out, motion, mask;

  std::vector<std::string> inputs() const { return {picture.string(), skeleton, motion, mask}; }
};

// Throws UsageError for outputs of the wrong kind, or that would replace an input or each other.
std::vector<ImageFiles> image_files(const ImageFileOptions& options);

}  // namespace sinew::cli
