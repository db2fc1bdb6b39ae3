// SPDX-License-Identifier: Apache-2.0
// What a rig was when it was read, in a small part of its memory: enough to tell what has changed
// since.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/io/gltf/layout.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// 128 bits computed from the numbers of an array: arrays whose fingerprints are the same are taken
// to be the same.
using Fingerprint = std::array<std::uint64_t, 2>;

// Of what a part of the mesh has. Endpoint weights, blend shares and weights of curves count as the
// floats that they are in files.
struct PartPrints {
  Fingerprint positions{}, normals{}, tangents{}, uvs{}, colors{}, triangles{};
  Fingerprint weights{}, endpoints{}, twist_endpoints{}, blend_shares{}, curve_weights{};
};

struct Prints {
  std::size_t vertices = 0, rows = 0;  // of the mesh, and of the skin
  std::vector<PartPrints> parts{};     // those of the layout
  std::vector<Fingerprint> shapes{};   // what they move, and where to; without their names
};
// The rig must have the vertices and parts of the layout.
Prints prints_of(const Rig& rig, const Layout& layout);

struct Outline {
  Rig rig;  // without vertices, triangles, rows of the skin, and displacements of blend shapes
  Prints prints;
};
Outline outline_of(const Rig& rig, const Layout& layout);

}  // namespace sinew::gltf
