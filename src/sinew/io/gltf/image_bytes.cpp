// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/image_bytes.h"

#include <cstdint>

#include <fmt/format.h>

namespace sinew::gltf {
namespace {

const char* const ends_early = "ends before the image does";

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

std::uint64_t big_endian(std::string_view bytes, std::size_t first, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = (value << 8U) | byte_at(bytes, first + i);
  return value;
}

// Chunks: length, type, data, checksum.
std::string png_problem(std::string_view bytes) {
  std::size_t at = 8;
  for (bool is_first = true;; is_first = false) {
    if (bytes.size() < at + 12) return ends_early;
    const std::uint64_t length = big_endian(bytes, at, 4);
    const std::string_view type = bytes.substr(at + 4, 4);
    if (is_first != (type == "IHDR") || (is_first && length != 13)) {
      return fmt::format("byte {}: PNG's first chunk, and it alone, is an IHDR of 13 bytes", at);
    }
    if (length > bytes.size() - at - 12) return ends_early;
    if (type == "IEND") return {};
    at += 12 + static_cast<std::size_t>(length);
  }
}

// Segments: FF, marker, length with its own two bytes, data. The frame header has the size.
std::string jpeg_problem(std::string_view bytes) {
  std::size_t at = 2;
  while (true) {
    if (bytes.size() < at + 2) return ends_early;
    if (byte_at(bytes, at) != 0xFF) return fmt::format("byte {}: a JPEG marker is missing", at);
    const unsigned marker = byte_at(bytes, at + 1);
    if (marker == 0xFF) {  // a fill byte
      ++at;
      continue;
    }
    if (marker == 0xD9 || marker == 0xDA) return "has no JPEG frame header before its pixels";
    at += 2;
    if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) continue;
    if (bytes.size() < at + 2) return ends_early;
    const auto length = static_cast<std::size_t>(big_endian(bytes, at, 2));
    const bool is_frame =
        marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (length < (is_frame ? 8U : 2U)) {
      return fmt::format("byte {}: a JPEG segment cannot have a length of {}", at, length);
    }
    if (length > bytes.size() - at) return ends_early;
    if (is_frame) return {};
    at += length;
  }
}

std::string webp_problem(std::string_view bytes) {
  const std::uint64_t length = byte_at(bytes, 4) | byte_at(bytes, 5) << 8U |
                               byte_at(bytes, 6) << 16U | byte_at(bytes, 7) << 24U;
  return length > bytes.size() - 8 ? ends_early : std::string();
}

}  // namespace

std::string image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "image/webp";
  if (bytes.starts_with("\xABKTX 20\xBB")) return "image/ktx2";
  return {};
}

std::string image_problem(std::string_view bytes) {
  const std::string type = image_type(bytes);
  if (type == "image/png") return png_problem(bytes);
  if (type == "image/jpeg") return jpeg_problem(bytes);
  if (type == "image/webp") return webp_problem(bytes);
  return {};
}

}  // namespace sinew::gltf
