// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/default_method.h"

namespace sinew {

std::string_view default_method_name(const Rig& rig) {
  return rig.skin.blend_shares.empty() ? "stbs-dqs" : "stbs-mixed";
}

}  // namespace sinew
