// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/deflate.h"

#include <array>
#include <new>

#ifdef SINEW_WITH_ZLIB
#include <zlib.h>
#else
#include <cstdlib>
#include <limits>
#include <memory>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#endif

namespace sinew::images {
namespace {

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? 0xedb88320u ^ (sum >> 1) : sum >> 1;
    table[byte] = sum;
  }
  return table;
}();

[[noreturn]] void refuse() { throw std::bad_alloc(); }

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t sum = 0xffffffffu;
  for (const char byte : bytes) {
    sum = crc_table[(sum ^ static_cast<std::uint8_t>(byte)) & 0xff] ^ (sum >> 8);
  }
  return ~sum;
}

#ifdef SINEW_WITH_ZLIB
std::string deflated(std::span<const std::uint8_t> bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, bytes.data(), bytes.size(), 9) !=
      Z_OK) {
    refuse();
  }
  out.resize(size);
  return out;
}
#else
std::string deflated(std::span<const std::uint8_t> bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) refuse();
  // It takes bytes that it does not write to.
  auto* data = const_cast<std::uint8_t*>(bytes.data());
  int size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> out(
      stbi_zlib_compress(data, static_cast<int>(bytes.size()), &size, 9), std::free);
  if (!out) refuse();
  return {reinterpret_cast<const char*>(out.get()), static_cast<std::size_t>(size)};
}
#endif

}  // namespace sinew::images
