// SPDX-License-Identifier: Apache-2.0
// Included before everything that is compiled to WebAssembly: std::sort and std::stable_sort as a
// merge sort. libc++ has five kilobytes of code for each kind of element and order, a fourteenth of
// all that is downloaded; this has a tenth of that, and takes about as long. Overloads for pointers
// and vectors, which are more special than the library's own and hence taken.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace sinew_wasm {

// Of [begin, middle) and [middle, end), each in order. Stable.
template <class T, class Less>
void merge(T* begin, T* middle, T* end, Less& less) {
  std::vector<T> left(std::make_move_iterator(begin), std::make_move_iterator(middle));
  T* from = left.data();
  T* const last = from + left.size();
  while (from != last) {
    T& next = middle != end && less(*middle, *from) ? *middle++ : *from++;
    *begin++ = std::move(next);
  }
}

template <class T, class Less>
void sort(T* first, T* last, Less& less) {
  constexpr std::size_t run = 12;
  const std::size_t count = last - first;
  for (std::size_t i = 1; i < count; ++i) {
    if (i % run == 0 || !less(first[i], first[i - 1])) continue;
    T value = std::move(first[i]);
    std::size_t k = i;
    do {
      first[k] = std::move(first[k - 1]);
      --k;
    } while (k % run != 0 && less(value, first[k - 1]));
    first[k] = std::move(value);
  }
  for (std::size_t width = run; width < count; width *= 2) {
    for (std::size_t i = 0; i + width < count; i += 2 * width) {
      T* const middle = first + i + width;
      if (less(*middle, middle[-1])) merge(first + i, middle, std::min(middle + width, last), less);
    }
  }
}

}  // namespace sinew_wasm

_LIBCPP_BEGIN_NAMESPACE_STD

template <class T, class Less>
void sort(T* first, T* last, Less less) {
  ::sinew_wasm::sort(first, last, less);
}
template <class T, class Less>
void sort(__wrap_iter<T*> first, __wrap_iter<T*> last, Less less) {
  ::sinew_wasm::sort(first.base(), last.base(), less);
}
template <class T>
void sort(__wrap_iter<T*> first, __wrap_iter<T*> last) {
  std::sort(first, last, less<T>());
}
template <class T, class Less>
void stable_sort(T* first, T* last, Less less) {
  ::sinew_wasm::sort(first, last, less);
}
template <class T, class Less>
void stable_sort(__wrap_iter<T*> first, __wrap_iter<T*> last, Less less) {
  ::sinew_wasm::sort(first.base(), last.base(), less);
}

_LIBCPP_END_NAMESPACE_STD
