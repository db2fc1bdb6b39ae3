// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/deflate.h"
#include "sinew/image/detail/frames.h"

namespace sinew {
namespace {

using images::Area;

using Bytes = std::vector<std::uint8_t>;

void put32(std::string& out, std::size_t value) {
  store(out, static_cast<std::uint32_t>(value), ByteOrder::big);
}
void put16(std::string& out, unsigned value) {
  store(out, static_cast<std::uint16_t>(value), ByteOrder::big);
}

void add_chunk(std::string& file, std::string_view type, std::string_view data) {
  put32(file, data.size());
  const std::size_t start = file.size();
  file.append(type).append(data);
  put32(file, images::crc32(std::string_view(file).substr(start)));
}

std::uint8_t paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int a = std::abs(guess - left), b = std::abs(guess - up), c = std::abs(guess - corner);
  return static_cast<std::uint8_t>(a <= b && a <= c ? left : b <= c ? up : corner);
}

// One row after each of the five filters; the one whose bytes are smallest is taken.
void add_filtered_row(Bytes& out, const Bytes& row, const Bytes& above, std::size_t step) {
  std::array<Bytes, 5> tried;
  std::size_t best = 0;
  long least = std::numeric_limits<long>::max();
  for (std::size_t filter = 0; filter < 5; ++filter) {
    Bytes& bytes = tried[filter];
    bytes.resize(row.size());
    long sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int left = i >= step ? row[i - step] : 0, up = above[i];
      const int corner = i >= step ? above[i - step] : 0;
      const int guess = filter == 0   ? 0
                        : filter == 1 ? left
                        : filter == 2 ? up
                        : filter == 3 ? (left + up) / 2
                                      : paeth(left, up, corner);
      bytes[i] = static_cast<std::uint8_t>(row[i] - guess);
      sum += std::min<int>(bytes[i], 256 - bytes[i]);
    }
    if (sum >= least) continue;
    least = sum;
    best = filter;
  }
  out.push_back(static_cast<std::uint8_t>(best));
  out.insert(out.end(), tried[best].begin(), tried[best].end());
}

std::string compressed_pixels(const Image& image, const Area& area, bool alpha, int most_tries) {
  const std::size_t step = alpha ? 4 : 3;
  Bytes filtered, row(step * static_cast<std::size_t>(area.width)), above(row.size());
  for (int y = area.top; y < area.top + area.height; ++y) {
    std::size_t i = 0;
    for (int x = area.left; x < area.left + area.width; ++x) {
      const Pixel& pixel = image.at(x, y);
      row[i++] = pixel.r;
      row[i++] = pixel.g;
      row[i++] = pixel.b;
      if (alpha) row[i++] = pixel.a;
    }
    add_filtered_row(filtered, row, above, step);
    std::swap(row, above);
  }
  return images::deflated(filtered, most_tries);
}

std::string header(const Image& image, bool alpha) {
  std::string file = "\x89PNG\r\n\x1a\n", data;
  put32(data, static_cast<std::size_t>(image.width()));
  put32(data, static_cast<std::size_t>(image.height()));
  data += {8, static_cast<char>(alpha ? 6 : 2), 0, 0, 0};
  add_chunk(file, "IHDR", data);
  add_chunk(file, "sRGB", std::string(1, '\0'));
  return file;
}

bool has_alpha(const Image& image) {
  return std::any_of(image.pixels().begin(), image.pixels().end(),
                     [](const Pixel& pixel) { return pixel.a != 255; });
}

}  // namespace

std::string encode_png(const Image& image) {
  check_image_size(image.width(), image.height());
  const bool alpha = has_alpha(image);
  std::string file = header(image, alpha);
  add_chunk(file, "IDAT",
            compressed_pixels(image, images::whole(image), alpha, images::thorough_tries));
  add_chunk(file, "IEND", {});
  return file;
}

ApngEncoder::ApngEncoder(std::size_t frame_count, double seconds_per_frame)
    : frame_count_(frame_count), seconds_(seconds_per_frame) {
  images::check_animation(frame_count, seconds_per_frame);
}

void ApngEncoder::add(const Image& frame) {
  check_image_size(frame.width(), frame.height());
  if (frames_ == frame_count_) {
    throw UsageError(fmt::format("the animation has all of its {} frames", frame_count_));
  }
  if (frames_ == 0) {
    file_ = header(frame, true);
    std::string control;
    put32(control, frame_count_);
    put32(control, 0);  // times to play: for ever
    add_chunk(file_, "acTL", control);
  } else {
    images::check_same_size(last_, frame);
  }
  const Area area = frames_ == 0 ? images::whole(frame) : images::changed(last_, frame);
  std::string control;
  put32(control, sequence_++);
  for (const int value : {area.width, area.height, area.left, area.top}) {
    put32(control, static_cast<std::size_t>(value));
  }
  put16(control, static_cast<unsigned>(std::lround(std::min(seconds_, 65.0) * 1000)));
  put16(control, 1000);
  control += {0, 0};  // leave it there; replace what was there
  add_chunk(file_, "fcTL", control);
  // There are many of them.
  const std::string pixels = compressed_pixels(frame, area, true, images::quick_tries);
  if (frames_ == 0) {
    add_chunk(file_, "IDAT", pixels);
  } else {
    std::string data;
    put32(data, sequence_++);
    add_chunk(file_, "fdAT", data + pixels);
  }
  last_ = frame;
  ++frames_;
}

std::string ApngEncoder::finish() {
  if (frames_ != frame_count_) {
    throw UsageError(fmt::format("the animation has {} of its {} frames", frames_, frame_count_));
  }
  add_chunk(file_, "IEND", {});
  return std::move(file_);
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_file(path, encode_png(image));
}

}  // namespace sinew
