// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/obj.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::read_obj, [](const auto& mesh) {
    validate(mesh);
    require(sinew::read_obj(sinew::write_obj(mesh)) == mesh, "it comes back as it was");
  });
}
