// SPDX-License-Identifier: Apache-2.0
// Bone and endpoint weights as glTF vertex attributes.
#pragma once

#include <span>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/mesh/mesh.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// The weights of some vertices: each vertex has 4 * sets entries, filled from the front; unused
// entries have joint 0 and weight 0.
struct PackedWeights {
  std::size_t vertex_count = 0;
  std::size_t sets = 0;
  std::vector<std::uint16_t> joints;    // [vertex][place]
  std::vector<float> weights;           // float32; only one of these two is filled
  std::vector<std::uint16_t> integers;  // unorm8 and unorm16
  std::vector<float> endpoints;         // empty: the rig has none
  std::vector<float> twist_endpoints;   // the same
};

// Packs the rows `rows` of the rig's weights. `slot_of_bone` is each bone's index in the skin (-1
// if it is not in the skin; no row may use it then). Weights are adapted to what glTF allows:
// weights that round to 0 are dropped, duplicate bones in a row are merged, rows that do not sum to
// 1 within single precision are normalised, and a vertex without weights follows the skin's first
// joint. Rows of integers are rounded by largest remainder, so that they sum to exactly 255 or
// 65535. Throws InputError for a vertex that is moved by a joint beyond the first 65,536 of the
// skin.
PackedWeights pack_weights(const Rig& rig, std::span<const Index> rows,
                           std::span<const int> slot_of_bone, GltfOptions::WeightFormat format);

// Replaces JOINTS_n, WEIGHTS_n, _ENDPOINT_n and _TWIST_ENDPOINT_n in `attributes`.
void set_weights(Document& document, Json& attributes, const PackedWeights& packed,
                 GltfOptions::WeightFormat format);

}  // namespace sinew::gltf
