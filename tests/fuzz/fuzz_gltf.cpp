// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: a rig that keeps its rules, or an InputError that says where.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sinew/core/error.h"
#include "sinew/io/gltf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sinew::GltfModel model = sinew::parse_gltf({reinterpret_cast<const char*>(data), size});
    validate(model.rig);
  } catch (const sinew::InputError& error) {
    if (error.place().empty() || error.problem().empty()) std::abort();
  }
  return 0;
}
