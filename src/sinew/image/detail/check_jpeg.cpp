// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/check_jpeg.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::images {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw InputError("picture", why + "; get a new copy of the file");
}

class JpegCheck {
 public:
  explicit JpegCheck(std::string_view bytes) : bytes_(bytes) {}

  void all() {
    for (std::size_t at = 2;;) {
      // Compressed data goes on to the next marker; what follows 0xff there is 0 or a restart.
      while (byte(at) != 0xff) ++at;
      const std::uint8_t marker = byte(++at);
      if (marker == 0xff) continue;
      ++at;
      if (marker == 0xd9) return;
      if (marker == 0 || marker == 1 || (marker >= 0xd0 && marker <= 0xd8)) continue;
      const std::size_t size = std::size_t{byte(at)} << 8 | byte(at + 1);
      const std::size_t first = at + 2, end = at + std::max<std::size_t>(size, 2);
      if (marker == 0xc4) huffman_tables(first, end);
      if (marker == 0xdb) quantization_tables(first, end);
      if (marker == 0xc0 || marker == 0xc1 || marker == 0xc2) frame(first, marker == 0xc2);
      if (marker == 0xda) scan(first);
      at += size;
    }
  }

 private:
  std::uint8_t byte(std::size_t at) const {
    if (at >= bytes_.size()) refuse("it ends too early");
    return static_cast<std::uint8_t>(bytes_[at]);
  }

  void huffman_tables(std::size_t at, std::size_t end) {
    while (at < end) {
      std::size_t codes = 0;
      for (std::size_t i = 1; i <= 16; ++i) codes += byte(at + i);
      if (codes > 256) refuse(fmt::format("it is damaged: the table at byte {}", at));
      huffman_.set(byte(at) & 0x1f);
      at += 17 + codes;
    }
    if (at != end) refuse(fmt::format("it is damaged before byte {}", end));
  }

  void quantization_tables(std::size_t at, std::size_t end) {
    while (at < end) {
      quantization_.set(byte(at) & 0x0f);
      at += byte(at) >> 4 != 0 ? 129 : 65;
    }
  }

  // Height and width come between the precision and the number of components.
  void frame(std::size_t at, bool is_progressive) {
    is_progressive_ = is_progressive;
    const std::size_t count = byte(at + 5);
    for (std::size_t i = 0; i < count; ++i) quantized_by_.push_back(byte(at + 8 + 3 * i) & 0x0f);
  }

  void scan(std::size_t at) const {
    const std::size_t count = byte(at), range = at + 1 + 2 * count;
    const bool has_first = byte(range) == 0, refines = byte(range + 2) >> 4 != 0;
    bool complete = std::all_of(quantized_by_.begin(), quantized_by_.end(),
                                [&](std::size_t table) { return quantization_[table]; });
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t tables = byte(at + 2 + 2 * i);
      const bool uses_first = !is_progressive_ || (has_first && !refines);
      const bool uses_rest = !is_progressive_ || !has_first;
      if (uses_first && !huffman_[tables >> 4]) complete = false;
      if (uses_rest && !huffman_[0x10 | (tables & 0x0f)]) complete = false;
    }
    if (!complete) {
      refuse(fmt::format("it is damaged: the scan at byte {} needs a table that is not there", at));
    }
  }

  std::string_view bytes_;
  // Those for the first coefficient of a block, then, from 16 on, those for the others.
  std::bitset<32> huffman_;
  std::bitset<16> quantization_;
  std::vector<std::size_t> quantized_by_;
  bool is_progressive_ = false;
};

}  // namespace

void check_jpeg(std::string_view bytes) { JpegCheck(bytes).all(); }

}  // namespace sinew::images
