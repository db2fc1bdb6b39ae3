// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/deflate.h"

#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/prefix_code.h"
#include "sinew/image/read_image.h"
#include "tests/support/shapes.h"

namespace sinew::images {
namespace {

using Bytes = std::vector<std::uint8_t>;

void add_chunk(std::string& file, const std::string& body) {
  store(file, static_cast<std::uint32_t>(body.size() - 4), ByteOrder::big);
  file += body;
  store(file, crc32(body), ByteOrder::big);
}

// What another decoder makes of deflated(): that of pictures, of which these are a grey one.
Bytes inflated_rows(const std::string& packed, int width, int height) {
  std::string file = "\x89PNG\r\n\x1a\n", header = "IHDR";
  store(header, static_cast<std::uint32_t>(width), ByteOrder::big);
  store(header, static_cast<std::uint32_t>(height), ByteOrder::big);
  header += {8, 0, 0, 0, 0};
  add_chunk(file, header);
  add_chunk(file, "IDAT" + packed);
  add_chunk(file, "IEND");
  const Image image = decode_image(file);
  Bytes rows;
  for (int y = 0; y < height; ++y) {
    rows.push_back(0);
    for (int x = 0; x < width; ++x) rows.push_back(image.at(x, y).r);
  }
  return rows;
}

// Rows without a filter, of numbers that `next` gives.
template <class Next>
Bytes rows_of(int width, int height, Next next) {
  Bytes rows;
  for (int y = 0; y < height; ++y) {
    rows.push_back(0);
    for (int x = 0; x < width; ++x) rows.push_back(static_cast<std::uint8_t>(next(x, y)));
  }
  return rows;
}

TEST(Deflate, another_decoder_reads_what_was_packed) {
  Random random(3);
  const auto noise = [&](double most) { return (random.number() + 1) / 2 * most; };
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 1}, {7, 3}, {300, 400}, {1000, 90}}) {
    const Bytes pictures[] = {
        rows_of(width, height, [](int, int) { return 0; }),
        rows_of(width, height, [](int x, int y) { return x * y; }),
        rows_of(width, height, [](int x, int) { return "abcabd"[x % 6]; }),
        rows_of(width, height, [&](int, int) { return noise(256); }),
        rows_of(width, height, [&](int, int) { return noise(16) * noise(16); }),
        rows_of(width, height, [&](int x, int y) { return x % 64 < y % 64 ? 9 : noise(200); })};
    for (const Bytes& bytes : pictures) {
      for (const int tries : {thorough_tries, quick_tries, 1}) {
        EXPECT_EQ(inflated_rows(deflated(bytes, tries), width, height), bytes)
            << width << " x " << height << ", " << tries;
      }
    }
  }
}

TEST(Deflate, what_repeats_gets_small_and_what_does_not_hardly_grows) {
  EXPECT_LT(deflated(Bytes(500000)).size(), 600u);
  Random random(5);
  Bytes noise(200000);
  for (auto& byte : noise) byte = static_cast<std::uint8_t>(128 * (random.number() + 1));
  EXPECT_LT(deflated(noise).size(), noise.size() + 100);
  // From as far away as matches may be, and no further.
  Bytes twice(noise.begin(), noise.begin() + 32768);
  twice.insert(twice.end(), twice.begin(), twice.begin() + 32768);
  EXPECT_LT(deflated(twice).size(), 32768u + 700);
  EXPECT_EQ(deflated({}).size(), 8u);
}

TEST(Deflate, codes_are_the_best_there_are_and_no_longer_than_asked_for) {
  const std::vector<std::uint32_t> counts = {1, 1, 2, 3, 5, 8, 13, 21, 34, 0};
  EXPECT_EQ(best_code(counts, 15).length,
            (std::vector<std::uint8_t>{8, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  const PrefixCode shorter = best_code(counts, 5);
  double kraft = 0;
  for (const std::uint8_t length : shorter.length) {
    EXPECT_LE(length, 5);
    if (length > 0) kraft += 1.0 / (1 << length);
  }
  EXPECT_EQ(kraft, 1);
  // At least two, whatever occurs.
  EXPECT_EQ(best_code(std::vector<std::uint32_t>{0, 0, 7, 0}, 7).length,
            (std::vector<std::uint8_t>{1, 0, 1, 0}));
  EXPECT_EQ(best_code(std::vector<std::uint32_t>{0, 0}, 7).length,
            (std::vector<std::uint8_t>{1, 1}));
}

}  // namespace
}  // namespace sinew::images
