// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "sinew/core/error.h"

namespace sinew::c {
namespace {

std::size_t size_of(std::uint32_t type) {
  switch (type) {
    case SINEW_INT8:
    case SINEW_UINT8:
      return 1;
    case SINEW_INT16:
    case SINEW_UINT16:
      return 2;
    case SINEW_FLOAT32:
    case SINEW_INT32:
    case SINEW_UINT32:
      return 4;
    case SINEW_FLOAT64:
    case SINEW_INT64:
    case SINEW_UINT64:
      return 8;
    default:
      return 0;
  }
}

// Callers' memory need not be aligned.
template <class T>
T load(const unsigned char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

std::string place_of(const char* name, std::size_t element) {
  return std::string(name) + "[" + std::to_string(element) + "]";
}

sinew_array described(const void* data, std::size_t count, std::size_t stride,
                      std::uint32_t components, sinew_type type) {
  if (count == 0) return {};
  return {data, count, stride, components, static_cast<std::uint32_t>(type)};
}

}  // namespace

Array::Array(const sinew_array& array, const char* name,
             std::initializer_list<std::uint32_t> components)
    : name_(name) {
  const std::string start = std::string(name) + ": ";
  if (array.count == 0) return;
  if (array.data == nullptr) throw UsageError(start + "data is NULL, but count is not 0");
  const std::size_t size = size_of(array.type);
  if (size == 0) throw UsageError(start + "type " + std::to_string(array.type) + " is none");
  components_ = array.components;
  if (components_ == 0) components_ = components.size() > 0 ? *components.begin() : 1;
  if (components.size() > 0 &&
      std::find(components.begin(), components.end(), components_) == components.end()) {
    std::string wanted;
    for (const std::uint32_t n : components) {
      wanted += (wanted.empty() ? "" : " or ") + std::to_string(n);
    }
    throw UsageError(start + std::to_string(components_) + " components, but " + wanted +
                     " are expected");
  }
  stride_ = array.stride != 0 ? array.stride : components_ * size;
  if (stride_ < components_ * size && array.count > 1) {
    throw UsageError(start + "a stride of " + std::to_string(stride_) +
                     " bytes is too small for an element");
  }
  data_ = static_cast<const unsigned char*>(array.data);
  count_ = array.count;
  type_ = array.type;
}

double Array::number(std::size_t element, std::uint32_t component) const {
  const unsigned char* place = data_ + element * stride_ + component * size_of(type_);
  switch (type_) {
    case SINEW_FLOAT32:
      return double(load<float>(place));
    case SINEW_FLOAT64:
      return load<double>(place);
    case SINEW_UINT64:
      return static_cast<double>(load<std::uint64_t>(place));
    default:
      constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min();
      return static_cast<double>(whole(element, component, low, -(low + 1)));
  }
}

std::int64_t Array::whole(std::size_t element, std::uint32_t component, std::int64_t low,
                          std::int64_t high) const {
  const unsigned char* place = data_ + element * stride_ + component * size_of(type_);
  std::int64_t value = 0;
  switch (type_) {
    case SINEW_INT8:
      value = load<std::int8_t>(place);
      break;
    case SINEW_UINT8:
      value = load<std::uint8_t>(place);
      break;
    case SINEW_INT16:
      value = load<std::int16_t>(place);
      break;
    case SINEW_UINT16:
      value = load<std::uint16_t>(place);
      break;
    case SINEW_INT32:
      value = load<std::int32_t>(place);
      break;
    case SINEW_UINT32:
      value = load<std::uint32_t>(place);
      break;
    case SINEW_INT64:
      value = load<std::int64_t>(place);
      break;
    case SINEW_UINT64: {
      constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
      value = static_cast<std::int64_t>(std::min(load<std::uint64_t>(place), most));
      break;
    }
    default:
      throw UsageError(std::string(name_) + ": whole numbers are expected");
  }
  if (value < low || value > high) {
    throw InputError(place_of(name_, element), std::to_string(value) + " is not in " +
                                                   std::to_string(low) + " to " +
                                                   std::to_string(high));
  }
  return value;
}

void Array::require_count(std::size_t count, const char* of) const {
  if (count_ == count) return;
  throw UsageError(std::string(name_) + ": " + std::to_string(count_) +
                   " elements, but there are " + std::to_string(count) + " " + of);
}

std::vector<double> Array::numbers() const {
  std::vector<double> values;
  values.reserve(count_ * components_);
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::uint32_t k = 0; k < components_; ++k) values.push_back(number(i, k));
  }
  return values;
}

std::vector<Index> Array::indices() const {
  std::vector<Index> values;
  values.reserve(count_ * components_);
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::uint32_t k = 0; k < components_; ++k) {
      values.push_back(static_cast<Index>(whole(i, k, 0, std::numeric_limits<Index>::max())));
    }
  }
  return values;
}

std::vector<Vec2> Array::vec2s() const {
  std::vector<Vec2> values(count_);
  for (std::size_t i = 0; i < count_; ++i) values[i] = {number(i, 0), number(i, 1)};
  return values;
}

std::vector<Vec3> Array::vec3s() const {
  std::vector<Vec3> values(count_);
  for (std::size_t i = 0; i < count_; ++i) values[i] = {number(i, 0), number(i, 1), number(i, 2)};
  return values;
}

std::vector<Vec4> Array::vec4s() const {
  std::vector<Vec4> values(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    values[i] = {number(i, 0), number(i, 1), number(i, 2), components_ > 3 ? number(i, 3) : 1};
  }
  return values;
}

Transform transform_at(const Array& array, std::size_t element) {
  for (std::uint32_t k = 0; k < array.components(); ++k) {
    if (std::isfinite(array.number(element, k))) continue;
    throw InputError(place_of(array.name(), element), "a number is not finite");
  }
  const auto at = [&](std::uint32_t k) { return array.number(element, k); };
  Transform transform;
  transform.translation = {at(0), at(1), at(2)};
  if (array.components() == 3) return transform;
  transform.rotation = {at(3), at(4), at(5), at(6)};
  transform.scale = {at(7), at(8), at(9)};
  const double length = dot(transform.rotation, transform.rotation);
  if (!(length > 0)) {
    throw InputError(place_of(array.name(), element), "the rotation has no length");
  }
  // What is a unit quaternion already keeps its bits.
  if (std::fabs(length - 1) > 1e-12) transform.rotation = normalized(transform.rotation);
  return transform;
}

Affine affine_at(const Array& array, std::size_t element) {
  const auto column = [&](std::uint32_t k) {
    return Vec3{array.number(element, 3 * k), array.number(element, 3 * k + 1),
                array.number(element, 3 * k + 2)};
  };
  return {{column(0), column(1), column(2)}, column(3)};
}

sinew_array view(const double* data, std::size_t count, std::uint32_t components,
                 std::size_t stride) {
  return described(data, count, stride != 0 ? stride : components * sizeof(double), components,
                   SINEW_FLOAT64);
}

sinew_array view(const Index* data, std::size_t count, std::uint32_t components,
                 std::size_t stride) {
  return described(data, count, stride != 0 ? stride : components * sizeof(Index), components,
                   SINEW_UINT32);
}

sinew_array view(const std::vector<std::size_t>& values) {
  return described(values.data(), values.size(), sizeof(std::size_t), 1,
                   sizeof(std::size_t) == 8 ? SINEW_UINT64 : SINEW_UINT32);
}

sinew_array view_of_ints(const void* data, std::size_t count, std::size_t stride) {
  static_assert(sizeof(int) == 4);
  return described(data, count, stride, 1, SINEW_INT32);
}

sinew_array view_of_floats(const std::vector<float>& values, std::uint32_t components) {
  return described(values.data(), values.size() / components, components * sizeof(float),
                   components, SINEW_FLOAT32);
}

}  // namespace sinew::c
