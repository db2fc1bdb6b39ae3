// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/accessors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/meshopt.h"

namespace sinew::gltf {
namespace {

constexpr std::size_t free_allowance = std::size_t{64} << 20U;
constexpr std::size_t allowance_per_byte = 64;

ComponentType component_type(const JsonRef& ref) {
  switch (ref.integer(5120, 5126)) {
    case 5120:
      return ComponentType::int8;
    case 5121:
      return ComponentType::uint8;
    case 5122:
      return ComponentType::int16;
    case 5123:
      return ComponentType::uint16;
    case 5125:
      return ComponentType::uint32;
    case 5126:
      return ComponentType::float32;
    default:
      ref.fail("5124 is no component type");
  }
}

struct Shape {
  const char* name;
  std::size_t columns, rows;
};
constexpr std::array<Shape, 7> shapes = {{{"SCALAR", 1, 1},
                                          {"VEC2", 1, 2},
                                          {"VEC3", 1, 3},
                                          {"VEC4", 1, 4},
                                          {"MAT2", 2, 2},
                                          {"MAT3", 3, 3},
                                          {"MAT4", 4, 4}}};

// Columns of matrices start at multiples of four bytes.
std::size_t column_size(const AccessorInfo& info) {
  const std::size_t size = info.rows * component_size(info.component);
  return info.columns > 1 ? (size + 3) / 4 * 4 : size;
}

std::size_t element_size(const AccessorInfo& info) {
  const std::size_t last = info.rows * component_size(info.component);
  return (info.columns - 1) * column_size(info) + last;
}

template <class Stored>
double stored_value(const char* at) {
  Stored value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

// Elements that are not matrices lie as they are read, number by number.
template <class Stored, class T>
std::size_t decode_run(const char* from, std::size_t stride, const AccessorInfo& info,
                       std::size_t count, T* out) {
  for (std::size_t i = 0; i < count; ++i, from += stride) {
    for (std::size_t row = 0; row < info.rows; ++row, ++out) {
      Stored stored;
      std::memcpy(&stored, from + row * sizeof stored, sizeof stored);
      *out = static_cast<T>(stored);
      if constexpr (std::is_same_v<Stored, float>) {
        if (!std::isfinite(stored)) return i;
      }
    }
  }
  return count;
}

// The first of `count` elements that is not finite, or `count`; nothing if they must be taken one
// by one.
template <class T>
std::optional<std::size_t> decode_quickly(const char* from, std::size_t stride,
                                          const AccessorInfo& info, std::size_t count, T* out) {
  if (info.columns > 1 || info.normalized) return std::nullopt;
  switch (info.component) {
    case ComponentType::float32:
      if constexpr (std::is_same_v<T, double>) {
        return decode_run<float>(from, stride, info, count, out);
      }
      return std::nullopt;
    case ComponentType::uint32:
      return decode_run<std::uint32_t>(from, stride, info, count, out);
    case ComponentType::uint16:
      return decode_run<std::uint16_t>(from, stride, info, count, out);
    case ComponentType::uint8:
      return decode_run<std::uint8_t>(from, stride, info, count, out);
    default:
      return std::nullopt;
  }
}

using Fetch = double (*)(const char*);
Fetch fetcher(ComponentType type) {
  switch (type) {
    case ComponentType::int8:
      return stored_value<std::int8_t>;
    case ComponentType::uint8:
      return stored_value<std::uint8_t>;
    case ComponentType::int16:
      return stored_value<std::int16_t>;
    case ComponentType::uint16:
      return stored_value<std::uint16_t>;
    case ComponentType::uint32:
      return stored_value<std::uint32_t>;
    case ComponentType::float32:
      break;
  }
  return stored_value<float>;
}

// One element; false if a component is not finite.
template <class T>
bool decode_element(const char* at, const AccessorInfo& info, Fetch fetch, T* out) {
  const std::size_t size = component_size(info.component);
  for (std::size_t column = 0; column < info.columns; ++column) {
    const char* component = at + column * column_size(info);
    for (std::size_t row = 0; row < info.rows; ++row, component += size) {
      if constexpr (std::is_same_v<T, double>) {
        *out = decoded(fetch(component), info.component, info.normalized);
        if (!std::isfinite(*out)) return false;
      } else {
        *out = static_cast<T>(fetch(component));
      }
      ++out;
    }
  }
  return true;
}

}  // namespace

std::size_t component_size(ComponentType type) {
  switch (type) {
    case ComponentType::int8:
    case ComponentType::uint8:
      return 1;
    case ComponentType::int16:
    case ComponentType::uint16:
      return 2;
    default:
      return 4;
  }
}

double decoded(double stored, ComponentType type, bool normalized) {
  if (!normalized) return stored;
  switch (type) {
    case ComponentType::int8:
      return std::max(stored / 127.0, -1.0);
    case ComponentType::uint8:
      return stored / 255.0;
    case ComponentType::int16:
      return std::max(stored / 32767.0, -1.0);
    case ComponentType::uint16:
      return stored / 65535.0;
    default:
      return stored;
  }
}

Accessors::Accessors(const Document& document) : document_(&document), root_(document.json) {
  std::size_t total = 0;
  for (const std::string& buffer : document.buffers) total += buffer.size();
  limit_ = free_allowance + allowance_per_byte * total;
}

void Accessors::charge(std::size_t bytes, const std::string& place) {
  if (bytes > limit_ - charged_) {
    throw InputError(
        place, fmt::format("asks for {} bytes of memory, more than {} bytes (64 MiB and 64 times "
                           "the size of the buffers) in all: the file is damaged or made to "
                           "exhaust memory",
                           bytes, limit_));
  }
  charged_ += bytes;
}

std::size_t Accessors::size() const {
  const auto list = root_.find("accessors");
  return list ? list->size() : 0;
}

std::size_t Accessors::view_count() const {
  const auto list = root_.find("bufferViews");
  return list ? list->size() : 0;
}

JsonRef Accessors::json(int accessor) const {
  return root_.at("accessors").at(static_cast<std::size_t>(accessor));
}

AccessorInfo Accessors::info(int accessor) const {
  const JsonRef ref = json(accessor);
  AccessorInfo info;
  info.component = component_type(ref.at("componentType"));
  const JsonRef type = ref.at("type");
  const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                  [&](const Shape& s) { return type.string() == s.name; });
  if (shape == shapes.end()) type.fail("must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
  info.columns = shape->columns;
  info.rows = shape->rows;
  const JsonRef count = ref.at("count");
  info.count = count.size_value(1);
  if (info.count > std::numeric_limits<std::uint32_t>::max()) count.fail("is more than 2^32 - 1");
  if (const auto normalized = ref.find("normalized")) info.normalized = normalized->boolean();
  if (info.normalized && component_size(info.component) == 4) {
    ref.at("normalized").fail("only 8-bit and 16-bit integers can be normalized");
  }
  info.has_view = ref.find("bufferView").has_value();
  info.is_sparse = ref.find("sparse").has_value();
  return info;
}

std::string_view Accessors::buffer_range(const JsonRef& json, std::size_t length) {
  const int index = json.at("buffer").index(document_->buffers.size(), "buffers");
  const std::string& buffer = document_->buffers[index];
  if (buffer.empty()) {
    root_.at("buffers")
        .at(static_cast<std::size_t>(index))
        .fail("has no uri, and there is no binary chunk for it");
  }
  const auto offset_ref = json.find("byteOffset");
  const std::size_t offset = offset_ref ? offset_ref->size_value() : 0;
  if (offset > buffer.size() || length > buffer.size() - offset) {
    json.fail(fmt::format("reaches from byte {} over {} bytes, but buffer {} has {}", offset,
                          length, index, buffer.size()));
  }
  return std::string_view(buffer).substr(offset, length);
}

Accessors::View Accessors::view(int buffer_view) {
  const JsonRef json = root_.at("bufferViews").at(static_cast<std::size_t>(buffer_view));
  View view;
  if (const auto stride = json.find("byteStride")) {
    view.byte_stride = static_cast<std::size_t>(stride->integer(4, 252));
    if (view.byte_stride % 4 != 0) stride->fail("must be a multiple of 4");
  }
  const std::size_t length = json.at("byteLength").size_value(1);
  if (const auto extensions = json.find("extensions")) {
    if (const auto compression = extensions->find("EXT_meshopt_compression")) {
      const std::string_view bytes = decompressed_bytes(buffer_view, *compression);
      if (bytes.size() < length) {
        json.at("byteLength")
            .fail(fmt::format("says {} bytes, but {} come out of EXT_meshopt_compression", length,
                              bytes.size()));
      }
      view.bytes = bytes.substr(0, length);
      return view;
    }
  }
  view.bytes = buffer_range(json, length);
  if (const auto offset = json.find("byteOffset")) view.byte_offset = offset->size_value();
  return view;
}

std::string_view Accessors::decompressed_bytes(int buffer_view, const JsonRef& extension) {
  const auto known = decompressed_.find(buffer_view);
  if (known != decompressed_.end()) return known->second;
  const MeshoptView compressed = read_meshopt_view(extension);
  const std::string_view bytes = buffer_range(extension, compressed.byte_length);
  check_meshopt_size(compressed, extension);
  charge(compressed.count * compressed.byte_stride, extension.place());
  return decompressed_[buffer_view] = decompress(compressed, bytes, extension);
}

Accessors::Elements Accessors::locate(const JsonRef& owner, const AccessorInfo& info,
                                      std::size_t count, bool may_have_stride) {
  const View source = view(owner.at("bufferView").index(view_count(), "bufferViews"));
  if (source.byte_stride != 0 && !may_have_stride) {
    owner.at("bufferView").fail("names a view with byteStride, which sparse data may not have");
  }
  const auto offset_ref = owner.find("byteOffset");
  const std::size_t offset = offset_ref ? offset_ref->size_value() : 0;
  const std::size_t size = element_size(info);
  // Tight elements of matrices keep the padding after their last column.
  const std::size_t tight = info.columns * column_size(info);
  const std::size_t stride = source.byte_stride != 0 ? source.byte_stride : tight;
  if (stride < size) {
    owner.fail(
        fmt::format("has elements of {} bytes, but its view's byteStride is {}", size, stride));
  }
  if ((source.byte_offset + offset) % component_size(info.component) != 0) {
    owner.fail(
        fmt::format("starts at byte {} of its buffer, which is no multiple of its "
                    "component's size",
                    source.byte_offset + offset));
  }
  const std::size_t length = source.bytes.size();
  if (offset > length || size > length - offset ||
      (count - 1) > (length - offset - size) / stride) {
    owner.fail(
        fmt::format("has {} elements of {} bytes every {} bytes from byte {}, more than "
                    "the {} bytes of its view",
                    count, size, stride, offset, length));
  }
  return {source.bytes.substr(offset), stride};
}

std::vector<std::uint32_t> Accessors::sparse_indices(const JsonRef& sparse,
                                                     const AccessorInfo& info) {
  const JsonRef count_ref = sparse.at("count");
  const std::size_t count = count_ref.size_value(1);
  if (count > info.count) {
    count_ref.fail(fmt::format("is {}, more than the accessor's {} elements", count, info.count));
  }
  const JsonRef ref = sparse.at("indices");
  AccessorInfo index_info;
  index_info.component = component_type(ref.at("componentType"));
  if (index_info.component != ComponentType::uint8 &&
      index_info.component != ComponentType::uint16 &&
      index_info.component != ComponentType::uint32) {
    ref.at("componentType").fail("must be an unsigned integer");
  }
  const Elements elements = locate(ref, index_info, count, false);
  charge(count * sizeof(std::uint32_t), ref.place());
  std::vector<std::uint32_t> indices(count);
  const Fetch fetch = fetcher(index_info.component);
  for (std::size_t i = 0; i < count; ++i) {
    indices[i] = static_cast<std::uint32_t>(fetch(elements.bytes.data() + i * elements.stride));
    if (indices[i] >= info.count || (i > 0 && indices[i] <= indices[i - 1])) {
      ref.fail(fmt::format("index {} is {}: indices must ascend and be less than {}", i, indices[i],
                           info.count));
    }
  }
  return indices;
}

template <class T>
void Accessors::decode_range(int accessor, const AccessorInfo& info, std::size_t first,
                             std::size_t count, T* values) {
  const JsonRef ref = json(accessor);
  const Elements base = locate(ref, info, info.count, true);
  const char* from = base.bytes.data() + first * base.stride;
  // Where it stops, taking one by one says what is wrong.
  const std::size_t done = decode_quickly(from, base.stride, info, count, values).value_or(0);
  const Fetch fetch = fetcher(info.component);
  for (std::size_t i = done; i < count; ++i) {
    if (!decode_element(from + i * base.stride, info, fetch, values + i * info.components())) {
      ref.fail(fmt::format("element {} is not a finite number", first + i));
    }
  }
}

template <class T>
void Accessors::decode(int accessor, const AccessorInfo& info, std::vector<T>& values) {
  const JsonRef ref = json(accessor);
  const std::size_t components = info.components();
  if (info.has_view) locate(ref, info, info.count, true);
  charge(info.count * components * sizeof(T), ref.place());
  values.assign(info.count * components, T{});
  if (info.has_view) decode_range(accessor, info, 0, info.count, values.data());
  if (!info.is_sparse) return;
  const JsonRef sparse = ref.at("sparse");
  const std::vector<std::uint32_t> indices = sparse_indices(sparse, info);
  const JsonRef owner = sparse.at("values");
  const Elements overrides = locate(owner, info, indices.size(), false);
  const Fetch fetch = fetcher(info.component);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!decode_element(overrides.bytes.data() + i * overrides.stride, info, fetch,
                        values.data() + indices[i] * components)) {
      owner.fail(fmt::format("element {} is not a finite number", indices[i]));
    }
  }
}

template <class T>
Decoded<T> Accessors::some(int accessor, const AccessorInfo& info) {
  if (!info.has_view || info.is_sparse) {
    std::vector<T> all;
    decode(accessor, info, all);
    return Decoded<T>(std::move(all));
  }
  const JsonRef ref = json(accessor);
  locate(ref, info, info.count, true);
  charge(info.count * info.components() * sizeof(T), ref.place());
  Decoded<T> numbers;
  numbers.accessors_ = this;
  numbers.accessor_ = accessor;
  return numbers;
}

template <class T>
std::span<const T> Decoded<T>::at(std::size_t first, std::size_t count, std::size_t width) {
  if (is_whole_) return std::span(values_).subspan(first * width, count * width);
  values_.resize(count * width);
  accessors_->decode_range(accessor_, accessors_->info(accessor_), first, count, values_.data());
  return values_;
}
template class Decoded<double>;
template class Decoded<std::uint32_t>;

std::vector<double> Accessors::doubles(int accessor) {
  std::vector<double> values;
  decode(accessor, info(accessor), values);
  return values;
}

Decoded<double> Accessors::some_doubles(int accessor) {
  return some<double>(accessor, info(accessor));
}

AccessorInfo Accessors::info_of_integers(int accessor) const {
  const AccessorInfo info = this->info(accessor);
  const bool is_unsigned = info.component == ComponentType::uint8 ||
                           info.component == ComponentType::uint16 ||
                           info.component == ComponentType::uint32;
  if (!is_unsigned || info.normalized) {
    json(accessor).fail("must hold unsigned integers that are not normalized");
  }
  return info;
}

std::vector<std::uint32_t> Accessors::integers(int accessor) {
  std::vector<std::uint32_t> values;
  decode(accessor, info_of_integers(accessor), values);
  return values;
}

Decoded<std::uint32_t> Accessors::some_integers(int accessor) {
  return some<std::uint32_t>(accessor, info_of_integers(accessor));
}

SparseElements Accessors::sparse_elements(int accessor) {
  const AccessorInfo info = this->info(accessor);
  const JsonRef sparse = json(accessor).at("sparse");
  SparseElements elements;
  elements.indices = sparse_indices(sparse, info);
  const JsonRef owner = sparse.at("values");
  const Elements source = locate(owner, info, elements.indices.size(), false);
  charge(elements.indices.size() * info.components() * sizeof(double), owner.place());
  elements.values.resize(elements.indices.size() * info.components());
  const Fetch fetch = fetcher(info.component);
  for (std::size_t i = 0; i < elements.indices.size(); ++i) {
    if (!decode_element(source.bytes.data() + i * source.stride, info, fetch,
                        elements.values.data() + i * info.components())) {
      owner.fail(fmt::format("element {} is not a finite number", i));
    }
  }
  return elements;
}

}  // namespace sinew::gltf
