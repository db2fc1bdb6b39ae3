// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/accessors.h"
#include "tests/support/gltf_reading.h"

namespace sinew {
namespace {

using Doubles = std::vector<double>;

TEST(GltfAccessors, all_component_types_are_decoded) {
  GltfBuilder b;
  b.accessor<std::int8_t>({-128, 127}, "SCALAR", 1);
  b.accessor<std::uint8_t>({255, 1}, "SCALAR", 1);
  b.accessor<std::int16_t>({-32768, 5}, "SCALAR", 1);
  b.accessor<std::uint16_t>({65535, 6}, "SCALAR", 1);
  b.accessor<std::uint32_t>({4294967295U, 7}, "SCALAR", 1);
  b.floats({-1.5F, 8}, "SCALAR", 1);
  EXPECT_EQ(doubles(b, 0), (Doubles{-128, 127}));
  EXPECT_EQ(doubles(b, 1), (Doubles{255, 1}));
  EXPECT_EQ(doubles(b, 2), (Doubles{-32768, 5}));
  EXPECT_EQ(doubles(b, 3), (Doubles{65535, 6}));
  EXPECT_EQ(doubles(b, 4), (Doubles{4294967295.0, 7}));
  EXPECT_EQ(doubles(b, 5), (Doubles{-1.5, 8}));
}

TEST(GltfAccessors, normalized_integers_follow_the_standards_formula) {
  GltfBuilder b;
  b.accessor<std::int8_t>({-128, -127, 127, 0}, "SCALAR", 1, true);
  b.accessor<std::uint8_t>({255, 51}, "SCALAR", 1, true);
  b.accessor<std::int16_t>({-32768, 32767}, "SCALAR", 1, true);
  b.accessor<std::uint16_t>({65535, 13107}, "SCALAR", 1, true);
  EXPECT_EQ(doubles(b, 0), (Doubles{-1, -1, 1, 0}));
  EXPECT_EQ(doubles(b, 1), (Doubles{1, 0.2}));
  EXPECT_EQ(doubles(b, 2), (Doubles{-1, 1}));
  EXPECT_EQ(doubles(b, 3), (Doubles{1, 0.2}));
  b.accessor<std::uint32_t>({1}, "SCALAR", 1, true);
  EXPECT_EQ(place_of_accessor_error(b, 4), "/accessors/4/normalized");
}

TEST(GltfAccessors, strides_and_offsets_are_followed) {
  GltfBuilder b;
  b.floats({9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 5, 6}, "VEC2", 2);
  b.json["bufferViews"][0]["byteStride"] = 16;
  b.json["accessors"][0]["byteOffset"] = 8;
  b.json["accessors"][0]["count"] = 3;
  EXPECT_EQ(doubles(b), (Doubles{1, 2, 3, 4, 5, 6}));
  b.json["accessors"][0]["count"] = 4;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0");
  b.json["accessors"][0]["count"] = 3;
  b.json["bufferViews"][0]["byteStride"] = 4;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0");
  b.json["bufferViews"][0]["byteStride"] = 10;
  EXPECT_EQ(place_of_accessor_error(b), "/bufferViews/0/byteStride");
}

TEST(GltfAccessors, columns_of_small_matrices_are_padded) {
  GltfBuilder b;
  b.accessor<std::uint8_t>({1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0}, "MAT3", 12);
  b.accessor<std::uint16_t>({1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0}, "MAT3", 12);
  b.accessor<std::uint8_t>({1, 2, 0, 0, 3, 4, 0, 0}, "MAT2", 8);
  b.floats({1, 2, 3, 4}, "MAT2", 4);
  const Doubles nine{1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(doubles(b, 0), nine);
  EXPECT_EQ(doubles(b, 1), nine);
  EXPECT_EQ(doubles(b, 2), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(doubles(b, 3), (Doubles{1, 2, 3, 4}));
}

TEST(GltfAccessors, sparse_elements_replace_the_base) {
  GltfBuilder b;
  b.floats({1, 2, 3, 4, 5, 6}, "VEC2", 2);
  const int indices = b.view<std::uint8_t>({0, 2});
  const int values = b.view<float>({10, 20, 50, 60});
  b.json["accessors"][0]["sparse"] = {
      {"count", 2},
      {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
      {"values", {{"bufferView", values}}}};
  EXPECT_EQ(doubles(b), (Doubles{10, 20, 3, 4, 50, 60}));
  b.json["accessors"][0].erase("bufferView");
  EXPECT_EQ(doubles(b), (Doubles{10, 20, 0, 0, 50, 60}));
  b.buffer[b.json["bufferViews"][1]["byteOffset"].get<std::size_t>()] = 2;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0/sparse/indices");
  b.json["accessors"][0]["sparse"]["count"] = 4;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0/sparse/count");
}

TEST(GltfAccessors, without_a_view_everything_is_zero_up_to_a_limit) {
  GltfBuilder b;
  b.add("accessors", {{"componentType", 5126}, {"count", 2}, {"type", "VEC2"}});
  EXPECT_EQ(doubles(b), (Doubles{0, 0, 0, 0}));
  b.json["accessors"][0]["count"] = 4000000000U;
  try {
    doubles(b);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), "/accessors/0");
    EXPECT_NE(error.problem().find("memory"), std::string::npos);
  }
}

TEST(GltfAccessors, what_lies_outside_the_view_or_the_buffer_is_refused) {
  GltfBuilder b;
  b.floats({1, 2, 3}, "SCALAR", 1);
  const GltfBuilder good = b;
  EXPECT_EQ(doubles(b), (Doubles{1, 2, 3}));
  b.json["accessors"][0]["count"] = 4;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0");
  b = good;
  b.json["accessors"][0]["byteOffset"] = 9007199254740988.0;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0");
  b = good;
  b.json["accessors"][0]["byteOffset"] = 2;
  b.json["accessors"][0]["count"] = 1;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0");
  b = good;
  b.json["bufferViews"][0]["byteLength"] = 9007199254740988.0;
  EXPECT_EQ(place_of_accessor_error(b), "/bufferViews/0");
  b = good;
  b.json["bufferViews"][0]["byteOffset"] = 4;
  EXPECT_EQ(place_of_accessor_error(b), "/bufferViews/0");
  b = good;
  b.json["bufferViews"][0]["buffer"] = 1;
  EXPECT_EQ(place_of_accessor_error(b), "/bufferViews/0/buffer");
  b = good;
  b.json["accessors"][0]["componentType"] = 5124;
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0/componentType");
  b = good;
  b.json["accessors"][0]["type"] = "VEC5";
  EXPECT_EQ(place_of_accessor_error(b), "/accessors/0/type");
}

TEST(GltfAccessors, numbers_that_are_not_finite_are_refused) {
  GltfBuilder b;
  b.floats({1, std::numeric_limits<float>::quiet_NaN()}, "SCALAR", 1);
  b.floats({std::numeric_limits<float>::infinity()}, "SCALAR", 1);
  EXPECT_EQ(place_of_accessor_error(b, 0), "/accessors/0");
  EXPECT_EQ(place_of_accessor_error(b, 1), "/accessors/1");
}

}  // namespace
}  // namespace sinew
