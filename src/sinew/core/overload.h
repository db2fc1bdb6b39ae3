// SPDX-License-Identifier: Apache-2.0
// Several lambdas as one visitor: std::visit(Overload{...}, variant).
#pragma once

namespace sinew {

// Calls whichever of the functions fits the argument.
template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace sinew
