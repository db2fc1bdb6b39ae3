// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/require.h"

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::detail {

void require_smallest(double smallest) {
  if (!(smallest >= 0 && smallest <= 0.01)) {
    throw UsageError(
        fmt::format("the smallest weight to keep is {}; it must be in [0, 0.01]", smallest));
  }
}

}  // namespace sinew::detail
