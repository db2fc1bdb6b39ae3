// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/write.h"
#include "tests/support/gltf_reading.h"

#ifdef SINEW_WITH_MESHOPT
#include <meshoptimizer.h>
#endif

namespace sinew {
namespace {

// A document with one accessor of `type` over a compressed view.
GltfBuilder compressed(const std::vector<unsigned char>& data, const char* mode, std::size_t count,
                       std::size_t stride, int component, const char* type,
                       const char* filter = nullptr, bool normalized = false) {
  GltfBuilder b;
  const int data_view = b.view_of_bytes({reinterpret_cast<const char*>(data.data()), data.size()});
  nlohmann::json extension = {{"buffer", 0},    {"byteOffset", 0},      {"byteLength", data.size()},
                              {"count", count}, {"byteStride", stride}, {"mode", mode}};
  if (filter != nullptr) extension["filter"] = filter;
  b.json["bufferViews"][data_view] = {{"buffer", 1},
                                      {"byteLength", count * stride},
                                      {"extensions", {{"EXT_meshopt_compression", extension}}}};
  if (std::string(mode) == "ATTRIBUTES") b.json["bufferViews"][0]["byteStride"] = stride;
  b.json["buffers"] = {nlohmann::json::object(),
                       {{"byteLength", count * stride},
                        {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  b.add("accessors", {{"bufferView", 0},
                      {"componentType", component},
                      {"normalized", normalized},
                      {"count", count},
                      {"type", type}});
  return b;
}

constexpr const char* meshopt_place = "/bufferViews/0/extensions/EXT_meshopt_compression";

#ifdef SINEW_WITH_MESHOPT

template <class T>
std::vector<unsigned char> encode_vertices(const std::vector<T>& values, std::size_t stride) {
  const std::size_t count = values.size() * sizeof(T) / stride;
  std::vector<unsigned char> data(meshopt_encodeVertexBufferBound(count, stride));
  data.resize(meshopt_encodeVertexBuffer(data.data(), data.size(), values.data(), count, stride));
  return data;
}

TEST(GltfMeshopt, attributes_come_back_exactly) {
  std::vector<float> values;
  for (int i = 0; i < 300; ++i) values.push_back(std::sin(static_cast<float>(i)));
  const GltfBuilder b =
      compressed(encode_vertices(values, 12), "ATTRIBUTES", 100, 12, 5126, "VEC3");
  EXPECT_EQ(doubles(b), std::vector<double>(values.begin(), values.end()));
}

TEST(GltfMeshopt, data_stays_compressed_when_it_is_written_again) {
  std::vector<float> values;
  for (int i = 0; i < 300; ++i) values.push_back(std::sin(static_cast<float>(i)));
  gltf::Document document = gltf::parse_document(
      compressed(encode_vertices(values, 12), "ATTRIBUTES", 100, 12, 5126, "VEC3").glb(), {});
  // The stand-in comes first, where a .glb has its bytes.
  std::swap(document.buffers[0], document.buffers[1]);
  std::swap(document.json["buffers"][0], document.json["buffers"][1]);
  nlohmann::json& view = document.json["bufferViews"][0];
  view["buffer"] = 0;
  view["extensions"]["EXT_meshopt_compression"]["buffer"] = 1;
  for (const std::string& bytes : {gltf::glb_bytes(document), gltf::gltf_text(document)}) {
    const gltf::Document back = gltf::parse_document(bytes, {});
    EXPECT_EQ(gltf::Accessors(back).doubles(0), std::vector<double>(values.begin(), values.end()));
    EXPECT_EQ(back.json["bufferViews"].size(), 1U);
    EXPECT_TRUE(back.json["bufferViews"][0]["extensions"].contains("EXT_meshopt_compression"));
  }
}

TEST(GltfMeshopt, triangles_and_index_sequences_come_back) {
  const std::vector<unsigned> indices = {0, 1, 2, 2, 1, 3, 2, 3, 4};
  std::vector<unsigned char> data(meshopt_encodeIndexBufferBound(9, 5));
  data.resize(meshopt_encodeIndexBuffer(data.data(), data.size(), indices.data(), 9));
  const std::vector<double> triangles =
      doubles(compressed(data, "TRIANGLES", 9, 2, 5123, "SCALAR"));
  ASSERT_EQ(triangles.size(), 9U);
  // The codec may turn triangles, so that each starts elsewhere.
  for (std::size_t t = 0; t < 9; t += 3) {
    const auto start = std::find(triangles.begin() + static_cast<std::ptrdiff_t>(t),
                                 triangles.begin() + static_cast<std::ptrdiff_t>(t) + 3,
                                 static_cast<double>(indices[t])) -
                       triangles.begin() - static_cast<std::ptrdiff_t>(t);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(triangles[t + (static_cast<std::size_t>(start) + k) % 3], indices[t + k]);
    }
  }
  std::vector<unsigned char> sequence(meshopt_encodeIndexSequenceBound(9, 5));
  sequence.resize(meshopt_encodeIndexSequence(sequence.data(), sequence.size(), indices.data(), 9));
  EXPECT_EQ(doubles(compressed(sequence, "INDICES", 9, 4, 5125, "SCALAR")),
            std::vector<double>(indices.begin(), indices.end()));
}

TEST(GltfMeshopt, filters_are_undone) {
  const std::vector<float> normals = {0, 0.6F, 0.8F, 0, 1, 0, 0, 0};
  std::vector<std::int8_t> octahedral(8);
  meshopt_encodeFilterOct(octahedral.data(), 2, 4, 8, normals.data());
  const std::vector<double> n = doubles(compressed(encode_vertices(octahedral, 4), "ATTRIBUTES", 2,
                                                   4, 5120, "VEC3", "OCTAHEDRAL", true));
  EXPECT_NEAR(n.at(1), 0.6, 0.004);
  EXPECT_NEAR(n.at(2), 0.8, 0.004);
  EXPECT_NEAR(n.at(3), 1, 1e-12);

  const std::vector<float> turn = {0.5F, -0.5F, 0.1F, 0.7F};
  std::vector<std::int16_t> quaternion(4);
  meshopt_encodeFilterQuat(quaternion.data(), 1, 8, 12, turn.data());
  const std::vector<double> q = doubles(compressed(encode_vertices(quaternion, 8), "ATTRIBUTES", 1,
                                                   8, 5122, "VEC4", "QUATERNION", true));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(q.at(i), turn[i], 5e-4);

  const std::vector<float> numbers = {1.5F, -1000, 0.001F, 0};
  std::vector<std::uint32_t> exponential(4);
  meshopt_encodeFilterExp(exponential.data(), 4, 4, 15, numbers.data());
  const std::vector<double> e = doubles(compressed(encode_vertices(exponential, 4), "ATTRIBUTES", 4,
                                                   4, 5126, "SCALAR", "EXPONENTIAL"));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(e.at(i), numbers[i], 1e-3 * std::fabs(numbers[i]));
  }
}

TEST(GltfMeshopt, sizes_that_cannot_be_are_refused_before_anything_is_allocated) {
  const std::vector<float> values(1024 * 3);
  const std::vector<unsigned char> data = encode_vertices(values, 12);
  // All zeros: as dense as the codec gets.
  EXPECT_EQ(place_of_accessor_error(compressed(data, "ATTRIBUTES", 1024, 12, 5126, "VEC3")), "");
  EXPECT_EQ(place_of_accessor_error(compressed(data, "ATTRIBUTES", 1U << 30U, 12, 5126, "VEC3")),
            meshopt_place);
  EXPECT_EQ(place_of_accessor_error(compressed(data, "TRIANGLES", 3U << 28U, 4, 5125, "SCALAR")),
            meshopt_place);
}

TEST(GltfMeshopt, damaged_data_is_refused) {
  const std::vector<float> values(300, 1.25F);
  std::vector<unsigned char> data = encode_vertices(values, 12);
  data[0] = 0x12;
  EXPECT_EQ(place_of_accessor_error(compressed(data, "ATTRIBUTES", 100, 12, 5126, "VEC3")),
            meshopt_place);
  const std::vector<unsigned char> good = encode_vertices(values, 12);
  const std::string stride = std::string(meshopt_place) + "/byteStride";
  EXPECT_EQ(place_of_accessor_error(compressed(good, "TRIANGLES", 3, 12, 5125, "SCALAR")), stride);
  EXPECT_EQ(
      place_of_accessor_error(compressed(good, "ATTRIBUTES", 100, 12, 5120, "VEC3", "OCTAHEDRAL")),
      stride);
  EXPECT_EQ(
      place_of_accessor_error(compressed(good, "ATTRIBUTES", 100, 12, 5126, "VEC3", "SECRET")),
      std::string(meshopt_place) + "/filter");
  EXPECT_EQ(place_of_accessor_error(compressed(good, "SECRET", 100, 12, 5126, "VEC3")),
            std::string(meshopt_place) + "/mode");
}

#else

TEST(GltfMeshopt, a_build_without_the_decoder_says_so) {
  try {
    doubles(compressed({1, 2, 3, 4}, "ATTRIBUTES", 1, 4, 5121, "VEC4"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), meshopt_place);
    EXPECT_NE(error.problem().find("SINEW_WITH_MESHOPT"), std::string::npos);
  }
}

#endif

}  // namespace
}  // namespace sinew
