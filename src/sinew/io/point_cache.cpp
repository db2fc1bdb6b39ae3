// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/point_cache.h"

#include <cstdint>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/internal/binary.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/file_bytes.h"

namespace sinew {
namespace {

void store_positions(std::string& out, std::span<const Vec3f> positions, ByteOrder order) {
  out.reserve(out.size() + positions.size() * sizeof(Vec3f));
  for (const Vec3f& p : positions) {
    for (std::size_t k = 0; k < 3; ++k) store(out, p[k], order);
  }
}

std::int32_t points_per_frame(std::span<const double> times, std::span<const Vec3f> positions) {
  return static_cast<std::int32_t>(positions.size() / times.size());
}

bool has_extension(const std::filesystem::path& path, std::string_view extension) {
  return text::same_word(path.extension().string(), extension);
}

}  // namespace

std::string to_pc2(std::span<const double> times, std::span<const Vec3f> positions) {
  constexpr ByteOrder order = ByteOrder::little;
  constexpr float first_frame = 0, samples_per_frame = 1;
  std::string out("POINTCACHE2\0", 12);
  store(out, std::int32_t{1}, order);
  store(out, points_per_frame(times, positions), order);
  store(out, first_frame, order);
  store(out, samples_per_frame, order);
  store(out, static_cast<std::int32_t>(times.size()), order);
  store_positions(out, positions, order);
  return out;
}

std::string to_mdd(std::span<const double> times, std::span<const Vec3f> positions) {
  constexpr ByteOrder order = ByteOrder::big;
  std::string out;
  store(out, static_cast<std::int32_t>(times.size()), order);
  store(out, points_per_frame(times, positions), order);
  for (const double time : times) store(out, static_cast<float>(time), order);
  store_positions(out, positions, order);
  return out;
}

bool is_point_cache_file(const std::filesystem::path& path) {
  return has_extension(path, ".pc2") || has_extension(path, ".mdd");
}

std::string point_cache_bytes(const std::filesystem::path& path, std::span<const double> times,
                              std::span<const Vec3f> positions) {
  if (!is_point_cache_file(path)) {
    throw UsageError(fmt::format("{}: a point cache is written as .pc2 or .mdd", path.string()));
  }
  return has_extension(path, ".pc2") ? to_pc2(times, positions) : to_mdd(times, positions);
}

void write_point_cache(const std::filesystem::path& path, std::span<const double> times,
                       std::span<const Vec3f> positions) {
  write_file(path, point_cache_bytes(path, times, positions));
}

}  // namespace sinew
