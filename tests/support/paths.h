// SPDX-License-Identifier: Apache-2.0
// Where this clone and its build lie. They are compiled into one small file, so that another clone
// finds all the others in the compiler cache.
#pragma once

#include <filesystem>

std::filesystem::path source_folder();
std::filesystem::path binary_folder();
std::filesystem::path sinew_program();  // empty in a build without it
