// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/dmat.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::read_dmat, [](const auto& matrix) {
    for (const auto format : {sinew::DmatFormat::text, sinew::DmatFormat::binary}) {
      require(sinew::read_dmat(sinew::write_dmat(matrix, format)) == matrix,
              "it comes back as it was");
    }
  });
}
