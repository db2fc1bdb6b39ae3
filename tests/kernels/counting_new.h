// SPDX-License-Identifier: Apache-2.0
// Linking this replaces operator new by one that counts, for the whole process.
#pragma once

#include <cstddef>

namespace sinew::test {

std::size_t allocation_count();
// In use now, and the most there ever were since the last call.
std::size_t allocated_bytes();
std::size_t most_allocated_bytes();

}  // namespace sinew::test
