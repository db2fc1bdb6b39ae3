// SPDX-License-Identifier: Apache-2.0
// Arrays that callers pass in, in any type of number, and views of our own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "bindings/c/sinew.h"
#include "sinew/core/affine.h"
#include "sinew/mesh/mesh.h"

namespace sinew::c {

// An array that was passed in. Throws UsageError naming it where its description makes no sense, or
// elements do not have one of these numbers of components (none given: any).
class Array {
 public:
  Array(const sinew_array& array, const char* name,
        std::initializer_list<std::uint32_t> components = {1});

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  std::uint32_t components() const { return components_; }
  const char* name() const { return name_; }

  // A number, as it is or rounded to double precision.
  double number(std::size_t element, std::uint32_t component = 0) const;
  // A whole number from `low` to `high`. Throws UsageError for an array of others, InputError
  // naming the element for one that is out of range.
  std::int64_t whole(std::size_t element, std::uint32_t component, std::int64_t low,
                     std::int64_t high) const;

  // Throws UsageError unless there are so many elements. `of` says why: "vertices".
  void require_count(std::size_t count, const char* of) const;

  std::vector<double> numbers() const;
  std::vector<Index> indices() const;
  std::vector<Vec2> vec2s() const;
  std::vector<Vec3> vec3s() const;
  // With 1 as the fourth component where there are three.
  std::vector<Vec4> vec4s() const;

 private:
  const unsigned char* data_ = nullptr;
  std::size_t count_ = 0, stride_ = 0;
  std::uint32_t components_ = 0, type_ = SINEW_NONE;
  const char* name_;
};

// Ten numbers of an element, or three: a translation alone. The rotation is made a unit quaternion.
// Throws InputError naming the element where a number is not finite, or the rotation has no length.
Transform transform_at(const Array& array, std::size_t element);
// Twelve numbers: columns and translation.
Affine affine_at(const Array& array, std::size_t element);

// A view of numbers that lie side by side, `components` in each element.
sinew_array view(const double* data, std::size_t count, std::uint32_t components,
                 std::size_t stride = 0);
sinew_array view(const Index* data, std::size_t count, std::uint32_t components,
                 std::size_t stride = 0);
sinew_array view(const std::vector<std::size_t>& values);
// Of ints within elements: indices of joints and bones are nothing but an int.
sinew_array view_of_ints(const void* data, std::size_t count, std::size_t stride);
sinew_array view_of_floats(const std::vector<float>& values, std::uint32_t components);

template <class T>
sinew_array view(const std::vector<T>& values, std::uint32_t components) {
  return view(reinterpret_cast<const double*>(values.data()), values.size(), components, sizeof(T));
}

}  // namespace sinew::c
