// SPDX-License-Identifier: Apache-2.0
// The limits of docs/limits.md for glTF files, each at its border.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/gltf_reading.h"

namespace sinew {
namespace {

// An accessor without bytes of its own, which are zeros.
GltfBuilder with_zeros(std::size_t count, const char* type = "SCALAR") {
  GltfBuilder b;
  b.add("accessors", {{"componentType", 5126}, {"type", type}, {"count", count}});
  return b;
}

TEST(GltfLimits, json_is_nested_100_levels_deep) {
  const auto place_at = [](std::size_t levels) {
    const std::string lists =
        std::string(levels - 1, '[') + std::string(levels - 1, ']');  // in the file's object
    return place_of_error(
        [&] { gltf::parse_document(R"({"asset":{"version":"2.0"},"extras":)" + lists + "}", {}); });
  };
  EXPECT_EQ(place_at(100), "");
  EXPECT_EQ(place_at(101).rfind("line 1, byte ", 0), 0u);
}

TEST(GltfLimits, an_accessor_has_fewer_than_2_to_the_32_elements) {
  constexpr std::size_t most = 4294967295;
  // Read as far as their number; there is no memory for them.
  EXPECT_EQ(place_of_accessor_error(with_zeros(most)), "/accessors/0");
  EXPECT_EQ(place_of_accessor_error(with_zeros(most + 1)), "/accessors/0/count");
}

TEST(GltfLimits, memory_is_64_mebibytes_and_64_times_the_buffers) {
  constexpr std::size_t numbers = (std::size_t{64} << 20) / sizeof(double);
  EXPECT_EQ(doubles(with_zeros(numbers)), std::vector<double>(numbers));
  EXPECT_EQ(place_of_accessor_error(with_zeros(numbers + 1)), "/accessors/0");
  EXPECT_EQ(place_of_accessor_error(with_zeros(numbers / 4, "VEC4")), "");
  EXPECT_EQ(place_of_accessor_error(with_zeros(numbers / 4 + 1, "VEC4")), "/accessors/0");
  GltfBuilder more = with_zeros(numbers + 32);
  more.buffer = "four";
  EXPECT_EQ(place_of_accessor_error(more), "");
  more = with_zeros(numbers + 33);
  more.buffer = "four";
  EXPECT_EQ(place_of_accessor_error(more), "/accessors/0");
}

TEST(GltfLimits, a_buffer_without_a_uri_is_read_up_to_a_mebibyte) {
  const auto place_at = [](std::size_t bytes) {
    nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
    json["buffers"] = {{{"byteLength", bytes}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteLength", bytes}}};
    json["accessors"] = {
        {{"bufferView", 0}, {"componentType", 5121}, {"type", "SCALAR"}, {"count", bytes}}};
    return place_of_error([&] {
      const gltf::Document document = gltf::parse_document(json.dump(), {});
      EXPECT_EQ(gltf::Accessors(document).doubles(0).size(), bytes);
    });
  };
  EXPECT_EQ(place_at(1 << 20), "");
  EXPECT_EQ(place_at((1 << 20) + 1), "/buffers/0");
}

}  // namespace
}  // namespace sinew
