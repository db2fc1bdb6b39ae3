// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/read_image.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/deflate.h"
#include "sinew/image/png.h"
#include "tests/support/shapes.h"
#ifdef SINEW_WITH_WEBP
#include <webp/encode.h>
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace sinew {
namespace {

Image smooth(int width, int height, bool alpha = false) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(255 * x / width),
                        static_cast<std::uint8_t>(255 * y / height), 90,
                        static_cast<std::uint8_t>(alpha ? 100 + x : 255)};
    }
  }
  return image;
}

const std::uint8_t* bytes_of(const Image& image) {
  return reinterpret_cast<const std::uint8_t*>(image.pixels().data());
}

std::string jpeg(const Image& image) {
  std::string file;
  stbi_write_jpg_to_func(
      [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                              static_cast<std::size_t>(size));
      },
      &file, image.width(), image.height(), 4, bytes_of(image), 95);
  return file;
}

void add_chunk(std::string& file, const std::string& type, const std::string& data) {
  store(file, static_cast<std::uint32_t>(data.size()), ByteOrder::big);
  const std::string body = type + data;
  file += body;
  store(file, images::crc32(body), ByteOrder::big);
}

// A PNG of any kind; `rows` begin with their filters, `extra` are chunks before the pixels.
std::string png(std::uint32_t width, std::uint32_t height, int depth, int color,
                const std::string& rows,
                const std::vector<std::pair<std::string, std::string>>& extra = {}) {
  std::string file = "\x89PNG\r\n\x1a\n", header;
  store(header, width, ByteOrder::big);
  store(header, height, ByteOrder::big);
  header += {static_cast<char>(depth), static_cast<char>(color), 0, 0, 0};
  add_chunk(file, "IHDR", header);
  for (const auto& [type, data] : extra) add_chunk(file, type, data);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(rows.data()), rows.size());
  add_chunk(file, "IDAT", images::deflated(bytes));
  add_chunk(file, "IEND", "");
  return file;
}

std::string problem_of(const std::string& file) {
  try {
    decode_image(file);
  } catch (const InputError& error) {
    return error.problem();
  }
  return "";
}

// Every file that is cut off anywhere must be refused.
void expect_truncations_refused(const std::string& good) {
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 97) {
    EXPECT_NE(problem_of(good.substr(0, size)), "") << size << " of " << good.size();
  }
  EXPECT_NE(problem_of(good.substr(0, good.size() - 2)), "");
  EXPECT_EQ(problem_of(good), "");
}

// Returns how many of the files with a flipped bit are refused. None may do worse.
int refused_with_a_flipped_bit(const std::string& good, int tries) {
  int refused = 0;
  for (int i = 0; i < tries; ++i) {
    std::string bad = good;
    const std::size_t at =
        good.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(tries);
    bad[at] = static_cast<char>(bad[at] ^ (1 << i % 8));
    refused += problem_of(bad) != "";
  }
  return refused;
}

TEST(ReadImage, truncated_and_changed_pngs_are_refused) {
  expect_truncations_refused(encode_png(smooth(64, 48, true)));
  // Without anything that does not matter in it.
  const Image image = smooth(64, 48, true);
  std::string rows;
  for (int y = 0; y < 48; ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<const char*>(&image.at(0, y)), 4 * 64);
  }
  const std::string good = png(64, 48, 8, 6, rows);
  EXPECT_EQ(decode_image(good), image);
  EXPECT_EQ(refused_with_a_flipped_bit(good, 200), 200);
}

TEST(ReadImage, truncated_jpegs_are_refused_and_changed_ones_do_no_harm) {
  const Image image = smooth(64, 48);
  const std::string good = jpeg(image);
  expect_truncations_refused(good);
  // 19 here; another version of the decoder may differ by a few.
  EXPECT_GE(refused_with_a_flipped_bit(good, 200), 15);
  const Image read = decode_image(good);
  for (int x = 0; x < 64; ++x) {
    EXPECT_NEAR(read.at(x, 20).r, image.at(x, 20).r, 3);
    EXPECT_EQ(read.at(x, 20).a, 255);
  }
  // What follows the end of the picture is nobody's business.
  EXPECT_EQ(decode_image(good + "more"), read);
}

TEST(ReadImage, a_jpeg_without_one_of_its_tables_is_refused) {
  const std::string good = jpeg(smooth(64, 48));
  int removed = 0;
  for (std::size_t at = 2; good[at + 1] != '\xda';) {
    const auto size = 2 + load<std::uint16_t>(good.data() + at + 2, ByteOrder::big);
    if (good[at + 1] == '\xc4' || good[at + 1] == '\xdb') {
      const std::string bad = good.substr(0, at) + good.substr(at + size);
      EXPECT_NE(problem_of(bad).find("needs a table that is not there"), std::string::npos) << at;
      ++removed;
    }
    at += size;
  }
  EXPECT_EQ(removed, 2);
}

TEST(ReadImage, all_kinds_of_png_are_read) {
  using namespace std::string_literals;
  EXPECT_EQ(decode_image(png(2, 1, 8, 0, "\0\x10\xf0"s)).at(1, 0), (Pixel{240, 240, 240, 255}));
  EXPECT_EQ(decode_image(png(2, 1, 1, 0, "\0\x40"s)).at(1, 0), (Pixel{255, 255, 255, 255}));
  EXPECT_EQ(decode_image(png(1, 1, 16, 0, "\0\x80\x7f"s)).at(0, 0), (Pixel{128, 128, 128, 255}));
  EXPECT_EQ(decode_image(png(1, 1, 16, 6, "\0\x10\x01\x20\x02\x30\x03\x40\x04"s)).at(0, 0),
            (Pixel{16, 32, 48, 64}));
  EXPECT_EQ(decode_image(png(1, 1, 8, 4, "\0\x50\x60"s)).at(0, 0), (Pixel{80, 80, 80, 96}));
  const Image indexed =
      decode_image(png(2, 1, 8, 3, "\0\0\x01"s, {{"PLTE", "\1\2\3\4\5\6"s}, {"tRNS", "\x07"s}}));
  EXPECT_EQ(indexed.at(0, 0), (Pixel{1, 2, 3, 7}));
  EXPECT_EQ(indexed.at(1, 0), (Pixel{4, 5, 6, 255}));
}

TEST(ReadImage, a_wrong_checksum_of_what_does_not_matter_is_passed_over) {
  using namespace std::string_literals;
  std::string file = png(1, 1, 8, 0, "\0\x33"s, {{"tEXt", "Title\0x"s}});
  const std::size_t text = file.find("Title");
  file[text] = 'P';
  EXPECT_EQ(decode_image(file).at(0, 0), (Pixel{51, 51, 51, 255}));
}

TEST(ReadImage, the_largest_is_read_and_one_pixel_more_is_refused) {
  const std::uint32_t width = largest_image_side, height = (1u << 26) / width;
  const std::string rows((1 + width / 8) * height, '\0');
  const Image read = decode_image(png(width, height, 1, 0, rows));
  EXPECT_EQ(read.width(), 16384);
  EXPECT_EQ(read.height(), 4096);
  EXPECT_EQ(read.at(16383, 4095), (Pixel{0, 0, 0, 255}));
  EXPECT_EQ(problem_of(png(width, height + 1, 1, 0, rows)),
            "it has 16384 x 4097 pixels, which is too many; make it smaller");
  EXPECT_EQ(problem_of(png(width + 1, 1, 1, 0, rows)),
            "it has 16385 x 1 pixels, which is too many; make it smaller");
}

#ifdef SINEW_WITH_WEBP
std::string webp(const Image& image, bool lossless) {
  std::uint8_t* data = nullptr;
  const std::size_t size = lossless
                               ? WebPEncodeLosslessRGBA(bytes_of(image), image.width(),
                                                        image.height(), 4 * image.width(), &data)
                               : WebPEncodeRGBA(bytes_of(image), image.width(), image.height(),
                                                4 * image.width(), 90, &data);
  std::string file(reinterpret_cast<const char*>(data), size);
  WebPFree(data);
  return file;
}

TEST(ReadImage, webp_is_read_with_and_without_loss) {
  const Image image = smooth(64, 48, true);
  EXPECT_EQ(decode_image(webp(image, true)), image);
  const Image lossy = decode_image(webp(image, false));
  ASSERT_EQ(lossy.width(), 64);
  ASSERT_EQ(lossy.height(), 48);
  for (int x = 0; x < 64; ++x) {
    EXPECT_NEAR(lossy.at(x, 20).r, image.at(x, 20).r, 6);
    EXPECT_EQ(lossy.at(x, 20).a, image.at(x, 20).a);
  }
  EXPECT_EQ(decode_image(webp(smooth(5, 3), true)), smooth(5, 3));
}

TEST(ReadImage, truncated_webps_are_refused_and_changed_ones_do_no_harm) {
  for (const bool lossless : {false, true}) {
    const std::string good = webp(smooth(64, 48, true), lossless);
    expect_truncations_refused(good);
    // 109 and 175 here; another version of the decoder may differ by a few.
    EXPECT_GE(refused_with_a_flipped_bit(good, 200), lossless ? 165 : 100);
  }
}

TEST(ReadImage, an_animated_webp_is_refused_by_name) {
  // The extended header of a WebP file, its flag for animation set.
  std::string file = "RIFF";
  store<std::uint32_t>(file, 42, ByteOrder::little);
  file += "WEBPVP8X";
  store<std::uint32_t>(file, 10, ByteOrder::little);
  store<std::uint32_t>(file, 2, ByteOrder::little);
  file += std::string("\x3f\0\0\x2f\0\0", 6);
  file += "ANIM";
  store<std::uint32_t>(file, 6, ByteOrder::little);
  file += std::string(6, 0);
  EXPECT_NE(problem_of(file).find("animated"), std::string::npos) << problem_of(file);
}
#else
TEST(ReadImage, a_build_without_webp_says_so) {
  const std::string file("RIFF\0\0\0\0WEBPVP8 ", 16);
  EXPECT_NE(problem_of(file).find("SINEW_WITH_WEBP"), std::string::npos);
}
#endif

TEST(ReadImage, other_files_are_refused_with_the_kinds_that_are_read) {
  EXPECT_NE(problem_of("GIF89a.................").find("PNG, JPEG or WebP"), std::string::npos);
  EXPECT_NE(problem_of("").find("PNG, JPEG or WebP"), std::string::npos);
}

}  // namespace
}  // namespace sinew
