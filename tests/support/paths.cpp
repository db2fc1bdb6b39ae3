// SPDX-License-Identifier: Apache-2.0
#include "tests/support/paths.h"

std::filesystem::path source_folder() { return SINEW_SOURCE_DIR; }
std::filesystem::path binary_folder() { return SINEW_BINARY_DIR; }
std::filesystem::path sinew_program() { return SINEW_PROGRAM; }
