// SPDX-License-Identifier: Apache-2.0
// Reading and writing whole files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

// Throws FileError if the file cannot be read.
std::string read_file(const std::filesystem::path& path);

// Atomic: writes a temporary file beside `path` and renames it, so that an existing file is either
// replaced or untouched. Keeps its permissions. Throws FileError.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace sinew
