// SPDX-License-Identifier: Apache-2.0
// What a rig keeps for each vertex beside its weights: blend shares, and painted weights of
// influence curves, as vertex attributes.
#pragma once

#include <span>

#include "sinew/io/gltf/document.h"
#include "sinew/mesh/mesh.h"

namespace sinew::gltf {

// Replaces _BLEND_SHARE in `attributes` by the shares of the vertices `rows`; removes it if the rig
// has none.
void set_blend_shares(Document& document, Json& attributes, const Rig& rig,
                      std::span<const Index> rows);

// The same for _CURVE_WEIGHT_n: four curves for each n.
void set_curve_weights(Document& document, Json& attributes, const Rig& rig,
                       std::span<const Index> rows);

}  // namespace sinew::gltf
