// SPDX-License-Identifier: Apache-2.0
// Vectors of doubles as hn: Highway's, and two lanes by the compiler's own vectors where Highway
// has none (WebAssembly, as of Highway 1.0). Included once for each instruction set.
#if defined(SINEW_DOUBLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_DOUBLES_INL_H
#undef SINEW_DOUBLES_INL_H
#else
#define SINEW_DOUBLES_INL_H
#endif

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_WASM
namespace hn {

template <class T, std::size_t most>
using CappedTag = std::integral_constant<std::size_t, (most < 2 ? 1 : 2)>;
using Pair = double __attribute__((vector_size(16)));
template <class D>
using Vec = std::conditional_t<D::value == 1, double, Pair>;

constexpr std::size_t Lanes(auto d) { return d(); }
constexpr std::size_t MaxLanes(auto d) { return d(); }

template <class D>
Vec<D> Zero(D) {
  return Vec<D>{};
}
template <class D>
Vec<D> Set(D, double value) {
  if constexpr (D::value == 1) {
    return value;
  } else {
    return Pair{value, value};
  }
}
template <class D>
Vec<D> LoadU(D, const double* from) {
  Vec<D> result;
  std::memcpy(&result, from, sizeof result);
  return result;
}
template <class D>
void StoreU(Vec<D> value, D, double* to) {
  std::memcpy(to, &value, sizeof value);
}
template <class V>
V Sub(V a, V b) {
  return a - b;
}
template <class V>
V Div(V a, V b) {
  return a / b;
}
template <class V>
V MulAdd(V a, V b, V c) {
  return a * b + c;
}
template <class V>
V NegMulAdd(V a, V b, V c) {
  return c - a * b;
}

}  // namespace hn
#else
namespace hn = hwy::HWY_NAMESPACE;
#endif

}  // namespace sinew::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
