// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/medit.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::read_medit, [](const auto& mesh) {
    validate(mesh);
    require(sinew::read_medit(sinew::write_medit(mesh)) == mesh, "it comes back as it was");
  });
}
