// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/read_image.h"

#include <limits>
#include <memory>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/file.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb/stb_image.h>

namespace sinew {
namespace {

constexpr int most_pixels = 1 << 26;

[[noreturn]] void refuse(const std::string& why) {
  throw InputError("picture", why + "; give a PNG or JPEG file");
}

}  // namespace

Image decode_image(std::string_view bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    refuse("it has more than 2 GB");
  }
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data, size, &width, &height, &channels)) {
    refuse("it cannot be read");
  }
  // Asked before anything is allocated for them.
  if (width < 1 || height < 1 || width > largest_image_side || height > largest_image_side ||
      width > most_pixels / height) {
    refuse(fmt::format("it has {} x {} pixels, which is too many", width, height));
  }
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(data, size, &width, &height, &channels, 4), stbi_image_free);
  if (!pixels) refuse("it is damaged");
  Image image(width, height);
  const stbi_uc* p = pixels.get();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, p += 4) image.at(x, y) = {p[0], p[1], p[2], p[3]};
  }
  return image;
}

Image read_image(const std::filesystem::path& path) {
  try {
    return decode_image(read_file(path));
  } catch (const InputError& error) {
    throw error.in_file(path.string());
  }
}

}  // namespace sinew
