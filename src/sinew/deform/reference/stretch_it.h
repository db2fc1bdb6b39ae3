// SPDX-License-Identifier: Apache-2.0
// Stretch It (Yang and Zhang 2006) in double precision, with the corrections that its equations
// need: eq. 5 starts at the joint, and eq. 9 is delta_i = alpha' - alpha_i.
#pragma once

#include <span>

#include "sinew/deform/reference/skinning.h"

namespace sinew::reference {

// `twists` are the results of accumulate_twists, one per bone; `collapsing` are the bones at whose
// heads the skin is pushed out. Indices are not checked.
Vec3 stretch_it(const SkinPoint& point, std::span<const BoneState> bones,
                std::span<const double> twists, std::span<const BoneIndex> collapsing);

}  // namespace sinew::reference
