// SPDX-License-Identifier: Apache-2.0
// Pictures: PNG, JPEG and WebP. What is mutated gets its checksums back, so that what lies behind
// them is reached, and sizes below 256, since large pictures only take time.
#include <algorithm>

#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/deflate.h"
#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#include "tests/fuzz/fuzz.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

std::uint32_t big_endian(const std::uint8_t* at) {
  return sinew::load<std::uint32_t>(reinterpret_cast<const char*>(at), sinew::ByteOrder::big);
}

void mend_png(std::uint8_t* data, std::size_t size) {
  constexpr std::size_t header = 8;
  for (std::size_t at = header; size - at >= 12;) {
    const std::size_t length = big_endian(data + at);
    if (length > size - at - 12) return;
    if (at == header && length >= 8) {
      for (const std::size_t side : {at + 8, at + 12}) std::fill_n(data + side, 3, 0);
    }
    const std::uint32_t sum =
        sinew::images::crc32({reinterpret_cast<const char*>(data) + at + 4, length + 4});
    for (unsigned i = 0; i < 4; ++i) {
      data[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    }
    at += length + 12;
  }
}

// The sides are 16 bits each, five bytes behind the marker of a frame.
void mend_jpeg(std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i + 9 < size; ++i) {
    if (data[i] != 0xff || data[i + 1] < 0xc0 || data[i + 1] > 0xc2) continue;
    data[i + 5] = data[i + 7] = 0;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned) {
  size = LLVMFuzzerMutate(data, size, most);
  if (size > 8 && data[0] == 0x89) mend_png(data, size);
  if (size > 8 && data[0] == 0xff) mend_jpeg(data, size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(data, size, sinew::decode_image, [](const sinew::Image& image) {
    require(sinew::decode_image(sinew::encode_png(image)) == image, "it comes back as it was");
  });
}
