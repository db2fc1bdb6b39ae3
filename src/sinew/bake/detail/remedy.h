// SPDX-License-Identifier: Apache-2.0
// What would meet a bound that was missed.
#pragma once

#include <string>

#include "sinew/bake/detail/trial.h"

namespace sinew::baking {

// More influences or more segments, having tried them; or what would be left with any number.
std::string remedy_for(const Work& work, const BakeOptions& options, const BakeReport& report,
                       Trial trial);

}  // namespace sinew::baking
