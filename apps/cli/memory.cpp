// SPDX-License-Identifier: Apache-2.0
// Large arrays lie on large pages where the system has them: with small ones, a seventh of the time
// of `weights` went into asking for pages. Replaces what the standard library calls for memory.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t large_page = 2 << 20;
  if (size < 2 * large_page) return;
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (first + large_page - 1) / large_page * large_page;
  const std::uintptr_t end = (first + size) / large_page * large_page;
  // A system without large pages refuses, and nothing is lost.
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    void* memory = std::malloc(size > 0 ? size : 1);
    if (memory != nullptr) {
      ask_for_large_pages(memory, size);
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
