// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/uri.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/document.h"

namespace sinew::gltf {
namespace {

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string percent_decoded(std::string_view uri, const std::string& place) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
    const int low = i + 2 < uri.size() ? hex_digit(uri[i + 2]) : -1;
    if (high < 0 || low < 0) throw InputError(place, "has a '%' without two hexadecimal digits");
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  return colon != std::string_view::npos && colon < uri.find('/');
}

bool lies_within(const std::filesystem::path& path, const std::filesystem::path& folder) {
  auto step = path.begin();
  for (const auto& part : folder) {
    if (part.empty()) continue;
    if (step == path.end() || *step != part) return false;
    ++step;
  }
  return step != path.end();
}

}  // namespace

std::string decode_data_uri(std::string_view uri, const std::string& place) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) throw InputError(place, "is a data URI without a comma");
  if (!uri.substr(0, comma).ends_with(";base64")) {
    return percent_decoded(uri.substr(comma + 1), place);
  }
  std::string_view digits = uri.substr(comma + 1);
  for (int padding = 0; padding < 2 && digits.ends_with('='); ++padding) digits.remove_suffix(1);
  if (digits.size() % 4 == 1) throw InputError(place, "ends within a group of base64 digits");
  std::string bytes;
  bytes.reserve(digits.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  int bits = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = base64_digit(digits[i]);
    if (digit < 0) {
      throw InputError(place, fmt::format("character {} is no base64 digit", comma + 1 + i));
    }
    group = (group << 6U) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>((group >> static_cast<unsigned>(bits)) & 0xFFU);
    }
  }
  return bytes;
}

bool has_empty_parameter(std::string_view data_uri) {
  const std::string_view head = data_uri.substr(0, data_uri.find(','));
  return head.find(";;") != std::string_view::npos || head.ends_with(';');
}

std::string check_relative_uri(std::string_view uri, const std::string& place) {
  std::string decoded = percent_decoded(uri, place);
  if (decoded.empty()) throw InputError(place, "is empty: it must name a file");
  for (const char c : decoded) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == 0x7F) {
      throw InputError(place, "has a control character or a backslash, which no URI may have");
    }
  }
  if (has_scheme(uri) || has_scheme(decoded)) {
    throw InputError(place, "has a scheme: only files beside this one are read");
  }
  const std::filesystem::path path(decoded);
  const std::filesystem::path plain = path.lexically_normal();
  if (path.is_absolute() || path.has_root_path() || (!plain.empty() && *plain.begin() == "..")) {
    throw InputError(place, "leads out of the file's folder: put what it names beside the file");
  }
  return decoded;
}

std::filesystem::path resolve_uri(const std::filesystem::path& folder, const std::string& uri,
                                  const std::string& place) {
  const std::filesystem::path path = folder / check_relative_uri(uri, place);
  std::error_code failure;
  const auto real_folder = std::filesystem::weakly_canonical(folder, failure);
  if (failure) throw InputError(place, "the file's folder cannot be found");
  auto real_path = std::filesystem::weakly_canonical(path, failure);
  if (failure || !lies_within(real_path, real_folder)) {
    throw InputError(place, "leads out of the file's folder: put what it names beside the file");
  }
  // A pipe or a device would never end.
  if (std::filesystem::exists(real_path, failure) &&
      !std::filesystem::is_regular_file(real_path, failure)) {
    throw InputError(place, "names something that is no ordinary file");
  }
  return real_path;
}

}  // namespace sinew::gltf
