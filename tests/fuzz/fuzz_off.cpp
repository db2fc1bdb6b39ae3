// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/off.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::read_off, [](const auto& mesh) {
    validate(mesh);
    require(sinew::read_off(sinew::write_off(mesh)) == mesh, "it comes back as it was");
  });
}
