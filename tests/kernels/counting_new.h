// SPDX-License-Identifier: Apache-2.0
// Linking this replaces operator new by one that counts, for the whole process.
#pragma once

#include <cstddef>

namespace sinew::test {

std::size_t allocation_count();

}  // namespace sinew::test
