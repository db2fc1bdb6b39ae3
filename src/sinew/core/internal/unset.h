// SPDX-License-Identifier: Apache-2.0
// Large arrays that are written by several threads before anything is read.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew {

// Leaves what resize() adds as the memory was: nobody waits while one thread sets it to zero, and
// memory that is fresh from the system is first touched by the threads that fill it.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  UnsetAllocator() = default;
  template <class U>
  UnsetAllocator(const UnsetAllocator<U>&) {}

  template <class U>
  void construct(U*) {}
  template <class U, class First, class... Rest>
  void construct(U* place, First&& first, Rest&&... rest) {
    ::new (static_cast<void*>(place)) U(std::forward<First>(first), std::forward<Rest>(rest)...);
  }
};

template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace sinew
