// SPDX-License-Identifier: Apache-2.0
// Suggests how to meet an error bound that was missed.
#pragma once

#include <string>

#include "sinew/bake/detail/trial.h"

namespace sinew::baking {

// Suggests more influences or more segments, after trying them; or states the error that would
// remain with any number.
std::string remedy_for(const Work& work, const BakeOptions& options, const BakeReport& report,
                       Trial trial);

}  // namespace sinew::baking
