// SPDX-License-Identifier: Apache-2.0
// Loops over index ranges on several threads (oneTBB where the build has it, or
// threads of our own, SINEW_WITH_THREADS; one thread otherwise).
#pragma once

#include <cstddef>
#include <type_traits>

namespace sinew {

// How many threads parallel_for may use, capped at the number the machine has; 0 (the default) or
// less means all of them.
void set_thread_count(int count);
int thread_count();

namespace detail {
using RangeFunction = void (*)(void* context, std::size_t begin, std::size_t end);
void run_blocks(std::size_t count, std::size_t grain, RangeFunction function, void* context);
}  // namespace detail

// Calls body(begin, end) for the blocks [0, grain), [grain, 2 grain), ... of [0, count). The blocks
// do not depend on the number of threads, so sums accumulated per block and then added up in order
// have the same bits everywhere. A grain of 0 counts as 1. An exception in a body is rethrown here.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  detail::run_blocks(
      count, grain,
      [](void* context, std::size_t begin, std::size_t end) {
        (*static_cast<Plain*>(context))(begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace sinew
