// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/gif.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/binary.h"
#include "sinew/image/detail/palette.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A reader of just what the encoder writes, after the specification.
struct Frame {
  int left, top, width, height, delay, disposal, glass;
  Image shown;  // all of the picture after this frame
};

class GifReader {
 public:
  explicit GifReader(const std::string& file) : file_(file) {}

  std::vector<Frame> frames() {
    EXPECT_EQ(file_.substr(0, 6), "GIF89a");
    const int width = word(6), height = word(8);
    at_ = 13;
    std::vector<Frame> frames;
    Image shown(width, height, {0, 0, 0, 0});
    Frame frame{};
    while (at_ < file_.size()) {
      const int kind = byte();
      if (kind == 0x3b) break;
      if (kind == 0x21) {
        const int label = byte();
        if (label == 0xf9) {
          frame.disposal = byte(at_ + 1) >> 2 & 7;
          frame.delay = word(at_ + 2);
          frame.glass = byte(at_ + 4);
        }
        blocks();
        continue;
      }
      EXPECT_EQ(kind, 0x2c);
      frame.left = word(at_);
      frame.top = word(at_ + 2);
      frame.width = word(at_ + 4);
      frame.height = word(at_ + 6);
      const int colors = 2 << (byte(at_ + 8) & 7);
      const std::size_t table = at_ + 9;
      at_ = table + 3 * static_cast<std::size_t>(colors);
      const auto first_bits = static_cast<unsigned>(byte());
      const std::vector<int> pixels = decompress(blocks(), first_bits);
      EXPECT_EQ(pixels.size(), static_cast<std::size_t>(frame.width * frame.height));
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (pixels[i] == frame.glass) continue;
        const std::size_t color = table + 3 * static_cast<std::size_t>(pixels[i]);
        const auto channel = [&](std::size_t c) {
          return static_cast<std::uint8_t>(byte(color + c));
        };
        shown.at(frame.left + static_cast<int>(i) % frame.width,
                 frame.top + static_cast<int>(i) / frame.width) = {channel(0), channel(1),
                                                                   channel(2), 255};
      }
      frame.shown = shown;
      frames.push_back(frame);
      if (frame.disposal == 2) shown = Image(width, height, {0, 0, 0, 0});
    }
    EXPECT_EQ(at_, file_.size());
    return frames;
  }

 private:
  int byte(std::size_t at) const { return static_cast<unsigned char>(file_.at(at)); }
  int byte() { return byte(at_++); }
  int word(std::size_t at) const { return byte(at) + 256 * byte(at + 1); }

  std::string blocks() {
    std::string data;
    while (const int size = byte()) {
      data += file_.substr(at_, static_cast<std::size_t>(size));
      at_ += static_cast<std::size_t>(size);
    }
    return data;
  }

  static std::vector<int> decompress(const std::string& data, unsigned first_bits) {
    const std::size_t clear = std::size_t{1} << first_bits;
    std::vector<std::vector<int>> strings;
    std::vector<int> out, last;
    std::size_t bit = 0;
    unsigned bits = first_bits + 1;
    while (true) {
      std::size_t code = 0;
      for (unsigned i = 0; i < bits; ++i, ++bit) {
        code |= std::size_t(static_cast<unsigned char>(data.at(bit / 8)) >> bit % 8 & 1) << i;
      }
      if (code == clear + 1) return out;
      if (code == clear) {
        strings.clear();
        for (std::size_t i = 0; i < clear + 2; ++i) strings.push_back({static_cast<int>(i)});
        last.clear();
        bits = first_bits + 1;
        continue;
      }
      std::vector<int> string = code < strings.size() ? strings[code] : last;
      if (code >= strings.size()) string.push_back(last.at(0));
      out.insert(out.end(), string.begin(), string.end());
      if (!last.empty() && strings.size() < 4096) {
        last.push_back(string[0]);
        strings.push_back(last);
      }
      if (strings.size() == std::size_t{1} << bits && bits < 12) ++bits;
      last = string;
    }
  }

  const std::string& file_;
  std::size_t at_ = 0;
};

std::vector<Frame> decoded(const std::vector<Image>& frames, double seconds) {
  GifEncoder encoder(seconds);
  for (const Image& frame : frames) encoder.add(frame);
  const std::string file = encoder.finish();
  return GifReader(file).frames();
}

Image noisy(int width, int height, int levels, std::uint64_t seed) {
  Random random(seed);
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto level = static_cast<std::uint8_t>(levels * (random.number() + 1) / 2);
      image.at(x, y) = {level, static_cast<std::uint8_t>(255 - level), 77, 255};
    }
  }
  return image;
}

TEST(Gif, few_colours_come_back_exactly) {
  for (const int levels : {1, 2, 5, 100, 254}) {
    // Long enough for the table of strings to fill up and start again.
    const std::vector<Image> frames{noisy(150, 90, levels, 1), noisy(150, 90, levels, 2)};
    const auto read = decoded(frames, 0.1);
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].shown, frames[0]) << levels;
    EXPECT_EQ(read[1].shown, frames[1]) << levels;
  }
}

TEST(Gif, many_colours_come_back_nearly) {
  Image image(64, 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(4 * x), static_cast<std::uint8_t>(4 * y), 128,
                        255};
    }
  }
  const auto read = decoded({image}, 0.1);
  double sum = 0;
  for (std::size_t i = 0; i < image.pixels().size(); ++i) {
    const Pixel &a = image.pixels()[i], &b = read[0].shown.pixels()[i];
    sum += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
    EXPECT_LT(std::abs(a.r - b.r), 25);
  }
  EXPECT_LT(sum / 4096, 15);
}

TEST(Gif, an_animation_has_its_frames_and_stores_what_changed) {
  std::vector<Image> frames(5, noisy(40, 30, 50, 1));
  frames[1].at(7, 9) = {1, 2, 3, 255};
  frames[1].at(12, 20) = {1, 2, 3, 255};
  frames[2] = frames[1];
  const auto read = decoded(frames, 1.0 / 30);
  ASSERT_EQ(read.size(), frames.size());
  for (std::size_t f = 0; f < frames.size(); ++f) EXPECT_EQ(read[f].shown, frames[f]) << f;
  EXPECT_EQ(read[0].width, 40);
  EXPECT_EQ(read[0].height, 30);
  EXPECT_EQ(read[1].left, 7);
  EXPECT_EQ(read[1].top, 9);
  EXPECT_EQ(read[1].width, 6);
  EXPECT_EQ(read[1].height, 12);
  EXPECT_EQ(read[2].width * read[2].height, 1);
  // 3, 4, 3, 3, 4 hundredths: a sixth of a second in all.
  int total = 0;
  for (const Frame& frame : read) total += frame.delay;
  EXPECT_EQ(total, 17);
}

TEST(Gif, a_cut_out_shows_no_trace_of_the_frame_before) {
  Image left(20, 10, {0, 0, 0, 0}), right = left;
  left.at(3, 5) = {200, 10, 10, 255};
  right.at(15, 5) = {200, 10, 10, 255};
  const auto read = decoded({left, right}, 0.1);
  EXPECT_EQ(read[1].shown.at(3, 5).a, 0);
  EXPECT_EQ(read[1].shown.at(15, 5), (Pixel{200, 10, 10, 255}));
}

TEST(Gif, impossible_animations_are_refused) {
  EXPECT_EQ(wrong_usage([&] { GifEncoder(0); }), "a frame must be shown for some time");
  EXPECT_EQ(wrong_usage([&] { GifEncoder(0.1).finish(); }),
            "an animation needs at least one frame");
  EXPECT_EQ(wrong_usage([&] {
              decoded({Image(2, 2), Image(3, 2)}, 0.1);
            }),
            "a frame is 3 x 2 pixels, the one before it 2 x 2");
}

}  // namespace
}  // namespace sinew
