// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/gif.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/frames.h"
#include "sinew/image/detail/palette.h"

namespace sinew {
namespace {

using images::Area;

constexpr std::size_t most_colors = 255;
constexpr unsigned longest_code = 12;

void put_low_first(std::string& out, long value) {
  store(out, static_cast<std::uint16_t>(value), ByteOrder::little);
}
void put8(std::string& out, unsigned value) { out.push_back(static_cast<char>(value)); }

// Codes of growing length, lowest bits first, in blocks of at most 255 bytes.
class CodeWriter {
 public:
  explicit CodeWriter(std::string& out) : out_(out) {}

  void put(unsigned code, unsigned bits) {
    waiting_ |= code << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, waiting_ >>= 8) put_byte(waiting_ & 255);
  }
  void finish() {
    if (count_ > 0) put_byte(waiting_ & 255);
    end_block();
    put8(out_, 0);
  }

 private:
  void put_byte(unsigned byte) {
    put8(block_, byte);
    if (block_.size() == 255) end_block();
  }
  void end_block() {
    if (block_.empty()) return;
    put8(out_, static_cast<unsigned>(block_.size()));
    out_ += block_;
    block_.clear();
  }

  std::string& out_;
  std::string block_;
  unsigned waiting_ = 0, count_ = 0;
};

// Lempel, Ziv and Welch's compression: each code stands for a known string and is followed by a new
// one, which is the known string and one more pixel.
void put_compressed(std::string& out, const std::vector<std::uint8_t>& pixels,
                    unsigned color_bits) {
  const unsigned clear = 1u << color_bits, end = clear + 1;
  put8(out, color_bits);
  CodeWriter writer(out);
  constexpr std::uint16_t unknown = 0;
  std::vector<std::uint16_t> table;  // [string * 256 + pixel]: the code of both together
  unsigned next = 0, bits = 0;
  const auto restart = [&] {
    writer.put(clear, bits == 0 ? color_bits + 1 : bits);
    table.assign(std::size_t{256} << longest_code, unknown);
    next = end + 1;
    bits = color_bits + 1;
  };
  restart();
  unsigned string = pixels[0];
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    std::uint16_t& longer = table[std::size_t{string} * 256 + pixels[i]];
    if (longer != unknown) {
      string = longer;
      continue;
    }
    writer.put(string, bits);
    string = pixels[i];
    longer = static_cast<std::uint16_t>(next++);
    if (next > 1u << bits) ++bits;
    if (next == 1u << longest_code) restart();
  }
  writer.put(string, bits);
  writer.put(end, next == 1u << bits && bits < longest_code ? bits + 1 : bits);
  writer.finish();
}

bool is_visible(const Pixel& pixel) { return pixel.a >= 128; }

}  // namespace

GifEncoder::GifEncoder(double seconds_per_frame) : seconds_(seconds_per_frame) {
  images::check_animation(1, seconds_per_frame);
}

void GifEncoder::add(const Image& frame) {
  check_image_size(frame.width(), frame.height());
  const bool first = file_.empty();
  if (first) {
    file_ = "GIF89a";
    put_low_first(file_, frame.width());
    put_low_first(file_, frame.height());
    file_ += std::string("\x70\0\0", 3);
    file_ += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // repeat for ever
  } else {
    images::check_same_size(last_, frame);
  }
  if (first) {
    cut_out_ = !std::all_of(frame.pixels().begin(), frame.pixels().end(), is_visible);
  }
  // Pixels cannot become transparent again unless the whole frame is cleared first.
  const bool fresh = first || cut_out_;
  const Area area = fresh ? images::whole(frame) : images::changed(last_, frame);
  const images::Palette palette = images::make_palette(frame, area, most_colors);
  const auto glass = static_cast<std::uint8_t>(palette.size());
  const unsigned color_bits = std::max(2u, static_cast<unsigned>(std::bit_width(palette.size())));
  images::PaletteLookup lookup(palette);
  std::vector<std::uint8_t> pixels;
  pixels.reserve(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height));
  for (int y = area.top; y < area.top + area.height; ++y) {
    for (int x = area.left; x < area.left + area.width; ++x) {
      const Pixel& pixel = frame.at(x, y);
      const bool stays = !fresh && pixel == last_.at(x, y);
      pixels.push_back(is_visible(pixel) && !stays ? lookup.at(pixel, x, y) : glass);
    }
  }

  // Rounding must not add up over the frames.
  time_ += seconds_;
  const long delay = std::clamp(std::lround(std::min(time_, 1e6) * 100) - hundredths_, 2L, 65535L);
  hundredths_ += delay;
  constexpr unsigned keep = 1u << 2, take_away = 2u << 2, has_glass = 1;
  file_ += std::string("\x21\xf9\x04", 3);
  put8(file_, (cut_out_ ? take_away : keep) | has_glass);
  put_low_first(file_, delay);
  put8(file_, glass);
  put8(file_, 0);
  put8(file_, 0x2c);
  for (const int value : {area.left, area.top, area.width, area.height})
    put_low_first(file_, value);
  put8(file_, 0x80 | (color_bits - 1));
  for (std::size_t i = 0; i < std::size_t{1} << color_bits; ++i) {
    for (std::size_t c = 0; c < 3; ++c) put8(file_, i < palette.size() ? palette[i][c] : 0u);
  }
  put_compressed(file_, pixels, color_bits);
  last_ = frame;
}

std::string GifEncoder::finish() {
  if (file_.empty()) throw UsageError("an animation needs at least one frame");
  put8(file_, 0x3b);
  return std::move(file_);
}

}  // namespace sinew
