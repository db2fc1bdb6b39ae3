// SPDX-License-Identifier: Apache-2.0
// Results of reading glTF files made in memory.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/gltf.h"
#include "sinew/io/gltf/accessors.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/input_errors.h"

namespace sinew {

inline std::string place_of_gltf_error(const GltfBuilder& b) {
  return place_of_error([&] { parse_gltf(b.glb()); });
}

inline std::vector<double> doubles(const GltfBuilder& b, int accessor = 0) {
  const gltf::Document document = gltf::parse_document(b.glb(), {});
  return gltf::Accessors(document).doubles(accessor);
}

inline std::string place_of_accessor_error(const GltfBuilder& b, int accessor = 0) {
  return place_of_error([&] { doubles(b, accessor); });
}

}  // namespace sinew
