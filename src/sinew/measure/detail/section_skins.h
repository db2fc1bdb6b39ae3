// SPDX-License-Identifier: Apache-2.0
// Cross-sections of several poses of one skin.
#pragma once

#include <span>
#include <vector>

#include "sinew/measure/sections.h"

namespace sinew::detail {

// For each bone, the triangles that its sections cut, ascending.
using SectionSkins = std::vector<std::vector<Index>>;
SectionSkins section_skins(const std::vector<Triangle>& triangles, const Weights& weights,
                           std::size_t bone_count, SectionSkin skin);

// See sinew::bone_sections(); nothing is checked.
std::vector<std::vector<Section>> bone_sections(const std::vector<Triangle>& triangles,
                                                const SectionSkins& skins,
                                                std::span<const BoneState> states,
                                                const std::vector<Vec3>& rest,
                                                const std::vector<Vec3>& deformed);

}  // namespace sinew::detail
