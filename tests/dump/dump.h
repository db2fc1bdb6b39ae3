// SPDX-License-Identifier: Apache-2.0
// What sinew_dump writes for tests by other software, one function for each of its words.
#pragma once

#include <filesystem>

namespace sinew {

void dump_bakes(const std::filesystem::path& folder);
void dump_rewritten(const std::filesystem::path& folder);
void dump_rig(const std::filesystem::path& file);
void dump_gpu_cases(const std::filesystem::path& folder);

}  // namespace sinew
