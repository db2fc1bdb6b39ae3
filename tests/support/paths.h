// SPDX-License-Identifier: Apache-2.0
// The folders of this clone and its build. These paths are compiled into one small file, so that a
// second clone finds all other files in the compiler cache.
#pragma once

#include <filesystem>

std::filesystem::path source_folder();
std::filesystem::path binary_folder();
std::filesystem::path sinew_program();  // empty if the program is not built
