// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_gltf(bytes); },
      [](const auto& model) { validate(model.rig); });
}
