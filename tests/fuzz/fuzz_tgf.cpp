// SPDX-License-Identifier: Apache-2.0
// Skeletons, and those drawn in the plane.
#include "sinew/io/tgf.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto check = [](const auto& skeleton) {
    validate(skeleton);
    require(sinew::read_tgf(sinew::write_tgf(skeleton)) == skeleton, "it comes back as it was");
  };
  fuzz(data, size, sinew::read_plane_tgf, [](const auto& skeleton) { validate(skeleton); });
  return fuzz(data, size, sinew::read_tgf, check);
}
