// SPDX-License-Identifier: Apache-2.0
// Settings of Stretch It.
#pragma once

#include <vector>

namespace sinew {

class Method;

// Yang and Zhang's Stretch It (seed 002): linear skinning with the twist blended as an angle, and
// the shape pushed out again at the joints that would collapse.
struct StretchIt {
  std::vector<int> collapsing;  // bones whose heads are such joints

  // The method with these settings.
  operator Method() const;
};

}  // namespace sinew
