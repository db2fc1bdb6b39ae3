// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/strokes.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::parse_strokes, [](const sinew::PaintStrokes& strokes) {
    const std::string written = sinew::strokes_to_json(strokes);
    require(sinew::strokes_to_json(sinew::parse_strokes(written)) == written,
            "strokes come back as they were");
  });
}
