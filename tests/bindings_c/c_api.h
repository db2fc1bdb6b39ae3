// SPDX-License-Identifier: Apache-2.0
// Helpers for tests that call the C interface as a program in C would.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sinew.h>

namespace sinew::c_api {

#define EXPECT_OK(call) EXPECT_EQ(call, SINEW_OK) << sinew_last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, SINEW_OK) << sinew_last_error()

// The call fails with this status, and a message that contains `text`.
#define EXPECT_REFUSED(call, status, text)                                   \
  do {                                                                       \
    EXPECT_EQ(call, status) << sinew_last_error();                           \
    EXPECT_NE(std::string(sinew_last_error()).find(text), std::string::npos) \
        << "the message is: " << sinew_last_error();                         \
  } while (false)

template <class Options>
Options sized() {
  Options options{};
  options.struct_size = sizeof options;
  return options;
}

template <class T>
sinew_type type_of();
template <>
inline sinew_type type_of<float>() {
  return SINEW_FLOAT32;
}
template <>
inline sinew_type type_of<double>() {
  return SINEW_FLOAT64;
}
template <>
inline sinew_type type_of<std::int32_t>() {
  return SINEW_INT32;
}
template <>
inline sinew_type type_of<std::uint32_t>() {
  return SINEW_UINT32;
}
template <>
inline sinew_type type_of<std::uint8_t>() {
  return SINEW_UINT8;
}

// An array of elements with so many numbers each.
template <class T>
sinew_array array_of(const std::vector<T>& values, std::uint32_t components) {
  return {values.data(), values.size() / components, 0, components,
          static_cast<std::uint32_t>(type_of<T>())};
}

// The numbers of an array that the library handed out.
inline std::vector<double> doubles(const sinew_array& array) {
  std::vector<double> values;
  EXPECT_TRUE(array.count == 0 || array.type == SINEW_FLOAT64);
  for (std::size_t i = 0; i < array.count; ++i) {
    const auto* element = reinterpret_cast<const double*>(
        static_cast<const unsigned char*>(array.data) + i * array.stride);
    values.insert(values.end(), element, element + array.components);
  }
  return values;
}

// Frees what it holds at its end, and a test that leaks fails.
template <class T, sinew_status (*free_it)(T*)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  ~Owned() { EXPECT_OK(free_it(handle_)); }
  T** out() { return &handle_; }
  operator T*() const { return handle_; }

 private:
  T* handle_ = nullptr;
};

using OwnedRig = Owned<sinew_rig, sinew_rig_free>;
using OwnedPose = Owned<sinew_pose, sinew_pose_free>;
using OwnedDeformer = Owned<sinew_deformer, sinew_deformer_free>;
using OwnedImage = Owned<sinew_image, sinew_image_free>;
using OwnedPuppet = Owned<sinew_puppet, sinew_puppet_free>;
using OwnedBuffer = Owned<sinew_buffer, sinew_buffer_free>;
using OwnedPainter = Owned<sinew_painter, sinew_painter_free>;
using OwnedGpuSkin = Owned<sinew_gpu_skin, sinew_gpu_skin_free>;
using OwnedIk = Owned<sinew_ik, sinew_ik_free>;

inline std::string text_in(const sinew_buffer* buffer) {
  const char* data = nullptr;
  std::size_t size = 0;
  EXPECT_OK(sinew_buffer_data(buffer, &data, &size));
  return std::string(data == nullptr ? "" : data, size);
}

inline std::size_t count_of(const sinew_rig* rig, sinew_item item) {
  std::size_t count = 0;
  EXPECT_OK(sinew_rig_count(rig, item, &count));
  return count;
}

inline std::vector<double> field_of(const sinew_rig* rig, sinew_field field,
                                    std::size_t index = 0) {
  sinew_array array{};
  EXPECT_OK(sinew_rig_get(rig, field, index, &array));
  return doubles(array);
}

inline OwnedRig sample(const char* name, std::size_t vertices) {
  OwnedRig rig;
  EXPECT_OK(sinew_rig_sample(name, vertices, nullptr, nullptr, rig.out()));
  return rig;
}

// A strip of triangles along y on two bones of length 1, with joints "a", "b" and weights that pass
// from one to the other: six vertices.
inline OwnedRig strip() {
  OwnedRig rig;
  EXPECT_OK(sinew_rig_create("strip", rig.out()));
  const std::vector<float> positions{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
  const std::vector<std::uint8_t> triangles{0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
  auto mesh = sized<sinew_mesh_data>();
  mesh.positions = array_of(positions, 3);
  mesh.triangles = array_of(triangles, 3);
  EXPECT_OK(sinew_rig_set_mesh(rig, &mesh));
  const char* names[] = {"a", "b"};
  const std::vector<std::int32_t> parents{-1, 0};
  const std::vector<double> rests{0.5, 0, 0, 0, 1, 0};
  auto skeleton = sized<sinew_skeleton_data>();
  skeleton.joint_names = names;
  skeleton.joint_parents = array_of(parents, 1);
  skeleton.joint_rests = array_of(rests, 3);
  EXPECT_OK(sinew_rig_set_skeleton(rig, &skeleton));
  const std::vector<float> dense{1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1, 0, 1};
  auto weights = sized<sinew_weights_data>();
  weights.weights = array_of(dense, 2);
  EXPECT_OK(sinew_rig_set_weights(rig, &weights));
  return rig;
}

inline OwnedPose pose_of(const sinew_rig* rig) {
  OwnedPose pose;
  EXPECT_OK(sinew_pose_create(rig, nullptr, pose.out()));
  return pose;
}

// Leaves no handle behind.
class CApi : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(sinew_handle_count(&before_)); }
  void TearDown() override {
    std::size_t after = 0;
    ASSERT_OK(sinew_handle_count(&after));
    EXPECT_EQ(after, before_);
  }

 private:
  std::size_t before_ = 0;
};

}  // namespace sinew::c_api
