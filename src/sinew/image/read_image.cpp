// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/read_image.h"

#include <cstdlib>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/check_jpeg.h"
#include "sinew/image/detail/deflate.h"
#ifdef SINEW_WITH_WEBP
#include <webp/decode.h>
#endif

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
// What a damaged file leaves unset is zero, not what the memory had before: same input, same
// pixels.
#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(pointer, size) std::realloc(pointer, size)
#define STBI_FREE(pointer) std::free(pointer)
#include <stb/stb_image.h>

namespace sinew {
namespace {

constexpr int most_pixels = 1 << 26;

[[noreturn]] void refuse(const std::string& why) {
  throw InputError("picture", why + "; give a PNG, JPEG or WebP file");
}

[[noreturn]] void refuse_damaged(const std::string& why) {
  throw InputError("picture", why + "; get a new copy of the file");
}

// Asked before anything is allocated for them.
void check_size(int width, int height) {
  if (width < 1 || height < 1 || width > largest_image_side || height > largest_image_side ||
      width > most_pixels / height) {
    throw InputError(
        "picture",
        fmt::format("it has {} x {} pixels, which is too many; make it smaller", width, height));
  }
}

const std::uint8_t* data_of(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// The decoder does not look at checksums.
void check_png(std::string_view bytes) {
  for (std::size_t at = 8;;) {
    if (bytes.size() - at < 12) refuse_damaged("it ends too early");
    const std::size_t size = load<std::uint32_t>(bytes.data() + at, ByteOrder::big);
    if (bytes.size() - at - 12 < size) refuse_damaged("it ends too early");
    const std::string_view type = bytes.substr(at + 4, 4);
    const bool optional = (type[0] & 0x20) != 0 && type != "tRNS";
    const std::uint32_t sum = images::crc32(bytes.substr(at + 4, size + 4));
    if (!optional && sum != load<std::uint32_t>(bytes.data() + at + 8 + size, ByteOrder::big)) {
      refuse_damaged(fmt::format("it is damaged: the checksum at byte {} is wrong", at + 8 + size));
    }
    if (type == "IEND") return;
    at += size + 12;
  }
}

Image copied(const std::uint8_t* p, int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, p += 4) image.at(x, y) = {p[0], p[1], p[2], p[3]};
  }
  return image;
}

#ifdef SINEW_WITH_WEBP
Image decode_webp(std::string_view bytes) {
  WebPBitstreamFeatures features;
  const VP8StatusCode status = WebPGetFeatures(data_of(bytes), bytes.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) refuse_damaged("it ends too early");
  if (status != VP8_STATUS_OK) refuse_damaged("it is a damaged WebP file");
  if (features.has_animation) {
    throw InputError("picture", "it is an animated WebP file; give a still picture");
  }
  check_size(features.width, features.height);
  int width = 0, height = 0;
  const std::unique_ptr<std::uint8_t, void (*)(void*)> pixels(
      WebPDecodeRGBA(data_of(bytes), bytes.size(), &width, &height), WebPFree);
  if (!pixels) refuse_damaged("it is damaged or ends too early");
  return copied(pixels.get(), width, height);
}
#else
Image decode_webp(std::string_view) {
  throw InputError("picture",
                   "it is a WebP file, which this build cannot read (SINEW_WITH_WEBP=OFF); give a "
                   "PNG or JPEG file");
}
#endif

}  // namespace

Image decode_image(std::string_view bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    refuse("it has more than 2 GB");
  }
  if (bytes.size() >= 12 && bytes.substr(0, 4) == "RIFF" && bytes.substr(8, 4) == "WEBP") {
    return decode_webp(bytes);
  }
  const std::string_view start = bytes.substr(0, 2);
  if (start == "\xff\xd8" || start == "\xff\xff") images::check_jpeg(bytes);
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data_of(bytes), size, &width, &height, &channels)) {
    refuse("it cannot be read");
  }
  check_size(width, height);
  if (bytes[0] == '\x89') check_png(bytes);
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(data_of(bytes), size, &width, &height, &channels, 4), stbi_image_free);
  if (!pixels) refuse_damaged("it is damaged");
  return copied(pixels.get(), width, height);
}

Image read_image(const std::filesystem::path& path) {
  try {
    return decode_image(read_file(path));
  } catch (const InputError& error) {
    throw error.in_file(path.string());
  }
}

}  // namespace sinew
