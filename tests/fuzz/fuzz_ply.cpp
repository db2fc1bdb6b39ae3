// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/ply.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::read_ply, [](const auto& mesh) {
    validate(mesh);
    for (const auto format :
         {sinew::PlyFormat::text, sinew::PlyFormat::little_endian, sinew::PlyFormat::big_endian}) {
      require(sinew::read_ply(sinew::write_ply(mesh, format)) == mesh, "it comes back as it was");
    }
  });
}
