// SPDX-License-Identifier: Apache-2.0
// Settings of Stretch It.
#pragma once

#include <vector>

#include "sinew/skeleton/indices.h"

namespace sinew {

class Method;

// Yang and Zhang's Stretch It (2006): linear skinning with the twist blended as an angle, and the
// shape pushed out again at the joints that would collapse.
struct StretchIt {
  std::vector<BoneIndex> collapsing;  // bones whose heads are joints that would collapse

  // The method with these settings.
  operator Method() const;
};

}  // namespace sinew
