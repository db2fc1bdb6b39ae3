// SPDX-License-Identifier: Apache-2.0
// Whole files in and out.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

// Throws FileError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

// Writes a temporary file beside `path` and renames it: an existing file is replaced whole or left
// as it was; its permissions stay. Throws FileError.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace sinew
