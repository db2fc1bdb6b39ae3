// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/png.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/binary.h"
#include "sinew/image/read_image.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// Smooth areas and noise, so that every filter has its rows.
Image patterned(int width, int height, bool alpha, std::uint64_t seed = 1) {
  Random random(seed);
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto noise = static_cast<std::uint8_t>(100 * (random.number() + 1));
      const auto ramp = static_cast<std::uint8_t>(255 * x / width);
      const auto level = static_cast<std::uint8_t>(255 * y / height);
      image.at(x, y) = {y % 7 == 3 ? noise : ramp, level, static_cast<std::uint8_t>(ramp ^ level),
                        static_cast<std::uint8_t>(alpha ? 200 + x % 50 : 255)};
    }
  }
  return image;
}

struct Chunk {
  std::string type, data;
};

std::vector<Chunk> chunks_of(const std::string& file) {
  std::vector<Chunk> chunks;
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t size = load<std::uint32_t>(file.data() + at, ByteOrder::big);
    chunks.push_back({file.substr(at + 4, 4), file.substr(at + 8, size)});
    at += size + 12;
  }
  return chunks;
}

std::uint32_t number(const Chunk& chunk, std::size_t at) {
  return load<std::uint32_t>(chunk.data.data() + at, ByteOrder::big);
}

std::string animated(const std::vector<Image>& frames, double seconds) {
  ApngEncoder encoder(frames.size(), seconds);
  for (const Image& frame : frames) encoder.add(frame);
  return encoder.finish();
}

TEST(Png, another_decoder_reads_what_was_written) {
  for (const bool alpha : {false, true}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 50}, {64, 37}}) {
      const Image image = patterned(width, height, alpha);
      EXPECT_EQ(decode_image(encode_png(image)), image) << width << " " << alpha;
    }
  }
}

TEST(Png, files_begin_and_end_as_they_should) {
  const auto chunks = chunks_of(encode_png(patterned(5, 4, false)));
  ASSERT_GE(chunks.size(), 3u);
  EXPECT_EQ(chunks.front().type, "IHDR");
  EXPECT_EQ(number(chunks[0], 0), 5u);
  EXPECT_EQ(number(chunks[0], 4), 4u);
  EXPECT_EQ(chunks.back().type, "IEND");
}

TEST(Png, an_animation_has_its_frames_and_stores_what_changed) {
  std::vector<Image> frames(4, patterned(40, 30, false));
  frames[1].at(7, 9) = {1, 2, 3, 255};
  frames[1].at(12, 20) = {1, 2, 3, 255};
  frames[2] = frames[1];
  frames[3] = patterned(40, 30, false, 5);
  const std::string file = animated(frames, 0.04);
  EXPECT_EQ(decode_image(file), frames[0]);
  std::vector<Chunk> controls;
  std::uint32_t sequence = 0;
  for (const Chunk& chunk : chunks_of(file)) {
    if (chunk.type == "acTL") {
      EXPECT_EQ(number(chunk, 0), 4u);
    } else if (chunk.type == "fcTL" || chunk.type == "fdAT") {
      EXPECT_EQ(number(chunk, 0), sequence++);
    }
    if (chunk.type == "fcTL") controls.push_back(chunk);
  }
  ASSERT_EQ(controls.size(), 4u);
  EXPECT_EQ(sequence, 7u);
  const auto expect_area = [&](std::size_t frame, std::array<std::uint32_t, 4> area) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(number(controls[frame], 4 + 4 * i), area[i]) << frame;
  };
  expect_area(0, {40, 30, 0, 0});
  expect_area(1, {6, 12, 7, 9});
  expect_area(2, {1, 1, 0, 0});
  for (const Chunk& control : controls) {
    EXPECT_EQ(load<std::uint16_t>(control.data.data() + 20, ByteOrder::big), 40);
    EXPECT_EQ(load<std::uint16_t>(control.data.data() + 22, ByteOrder::big), 1000);
  }
}

TEST(Png, frames_must_be_alike) {
  EXPECT_EQ(wrong_usage([&] { ApngEncoder(0, 1); }), "an animation needs at least one frame");
  EXPECT_EQ(wrong_usage([&] { ApngEncoder(1, 0); }), "a frame must be shown for some time");
  EXPECT_EQ(wrong_usage([&] {
              animated({Image(2, 2), Image(2, 3)}, 1);
            }),
            "a frame is 2 x 3 pixels, the one before it 2 x 2");
}

TEST(Png, damaged_files_are_refused_or_read_and_nothing_worse) {
  const std::string good = encode_png(patterned(20, 20, true));
  Random random(3);
  const auto place = [&](std::size_t size) {
    return static_cast<std::size_t>(0.5 * (random.number() + 1) * static_cast<double>(size));
  };
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    for (int k = 0; k <= i % 4; ++k) bad[place(bad.size())] = static_cast<char>(place(256));
    if (i % 3 == 0) bad.resize(place(bad.size()));
    try {
      decode_image(bad);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 299);
}

TEST(Png, what_is_no_picture_is_refused) {
  const std::string good = encode_png(patterned(20, 20, true));
  EXPECT_EQ(bad_input([&] { decode_image(""); }),
            "picture: it cannot be read; give a PNG, JPEG or WebP file");
  EXPECT_EQ(bad_input([&] { decode_image("not a picture"); }),
            "picture: it cannot be read; give a PNG, JPEG or WebP file");
  EXPECT_EQ(bad_input([&] { decode_image(good.substr(0, 60)); }),
            "picture: it ends too early; get a new copy of the file");
  // A header that promises more pixels than anybody has memory for.
  std::string huge = good;
  huge[16] = huge[20] = 0x3f;
  EXPECT_EQ(bad_input([&] { decode_image(huge); }),
            "picture: it cannot be read; give a PNG, JPEG or WebP file");
}

}  // namespace
}  // namespace sinew
