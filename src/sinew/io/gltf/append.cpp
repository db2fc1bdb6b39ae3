// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/append.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sinew::gltf {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian");

std::size_t component_count(std::string_view type) {
  if (type == "SCALAR") return 1;
  if (type == "MAT4") return 16;
  return static_cast<std::size_t>(type.back() - '0');
}

constexpr int component_type(float) { return 5126; }
constexpr int component_type(std::uint8_t) { return 5121; }
constexpr int component_type(std::uint16_t) { return 5123; }
constexpr int component_type(std::uint32_t) { return 5125; }

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The buffer that takes new data.
std::size_t open_buffer(Document& document) {
  Json& buffers = array_in(document.json, "buffers");
  for (std::size_t i = buffers.size(); i-- > 0;) {
    if (has_own_bytes(document, i)) return i;
  }
  buffers.push_back({{"byteLength", 0}});
  document.buffers.emplace_back();
  return buffers.size() - 1;
}

void state_bounds(Json& accessor, std::span<const float> values, std::size_t width,
                  bool zero_included = false) {
  Json low = Json::array(), high = Json::array();
  for (std::size_t c = 0; c < width; ++c) {
    float least = zero_included || values.empty() ? 0 : values[c], most = least;
    for (std::size_t i = c; i < values.size(); i += width) {
      least = std::min(least, values[i]);
      most = std::max(most, values[i]);
    }
    low.push_back(least);
    high.push_back(most);
  }
  accessor["min"] = std::move(low);
  accessor["max"] = std::move(high);
}

int push(Document& document, Json accessor) {
  Json& accessors = array_in(document.json, "accessors");
  accessors.push_back(std::move(accessor));
  return static_cast<int>(accessors.size()) - 1;
}

template <class T>
int add(Document& document, std::span<const T> values, std::string_view type,
        const AccessorOptions& options) {
  const std::size_t width = component_count(type);
  Json accessor = {{"bufferView", add_buffer_view(document, bytes_of(values), options.target)},
                   {"componentType", component_type(T{})},
                   {"count", values.size() / width},
                   {"type", type}};
  if (options.normalized) accessor["normalized"] = true;
  if constexpr (std::is_same_v<T, float>) {
    if (options.bounds) state_bounds(accessor, values, width);
  }
  return push(document, std::move(accessor));
}

template <class T>
std::vector<T> narrowed(std::span<const std::uint32_t> values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const std::uint32_t value : values) result.push_back(static_cast<T>(value));
  return result;
}

}  // namespace

Document copy_with_room(const Document& source) {
  Document copy{source.json, {}, source.folder, source.is_glb, source.has_byte_order_mark};
  copy.buffers.resize(source.buffers.size());
  for (std::size_t i = 0; i < copy.buffers.size(); ++i) {
    copy.buffers[i].reserve(2 * source.buffers[i].size());
    copy.buffers[i] = source.buffers[i];
  }
  return copy;
}

bool has_own_bytes(const Document& document, std::size_t buffer) {
  const Json& json = document.json["buffers"][buffer];
  // Of a buffer that nothing uses, anything may be missing or wrong.
  const auto length = json.find("byteLength");
  if (length == json.end() || !length->is_number()) return false;
  if (document.buffers[buffer].size() < length->get<std::size_t>()) return false;
  const auto extensions = json.find("extensions");
  return extensions == json.end() || !extensions->contains("EXT_meshopt_compression");
}

float to_float(double value) {
  constexpr double limit = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -limit, limit));
}

void append(std::vector<float>& out, const Vec3& v) {
  for (std::size_t i = 0; i < 3; ++i) out.push_back(to_float(v[i]));
}

void append(std::vector<float>& out, const Quat& q) {
  for (const double x : {q.x, q.y, q.z, q.w}) out.push_back(to_float(x));
}

void append(std::vector<float>& out, std::span<const double> values) {
  for (const double x : values) out.push_back(to_float(x));
}

Json& array_in(Json& object, const char* name) {
  Json& member = object[name];
  if (member.is_null()) member = Json::array();
  return member;
}

int add_buffer_view(Document& document, std::string_view bytes, Target target) {
  const std::size_t index = open_buffer(document);
  std::string& buffer = document.buffers[index];
  buffer.resize((buffer.size() + 3) / 4 * 4, '\0');
  Json view = {{"buffer", index}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}};
  if (target != Target::none) view["target"] = static_cast<int>(target);
  buffer.append(bytes);
  document.json["buffers"][index]["byteLength"] = buffer.size();
  Json& views = array_in(document.json, "bufferViews");
  views.push_back(std::move(view));
  return static_cast<int>(views.size()) - 1;
}

int add_accessor(Document& document, std::span<const float> values, std::string_view type,
                 const AccessorOptions& options) {
  return add(document, values, type, options);
}
int add_accessor(Document& document, std::span<const std::uint8_t> values, std::string_view type,
                 const AccessorOptions& options) {
  return add(document, values, type, options);
}
int add_accessor(Document& document, std::span<const std::uint16_t> values, std::string_view type,
                 const AccessorOptions& options) {
  return add(document, values, type, options);
}
int add_accessor(Document& document, std::span<const std::uint32_t> values, std::string_view type,
                 const AccessorOptions& options) {
  return add(document, values, type, options);
}

int add_indices(Document& document, std::span<const std::uint32_t> values) {
  const std::uint32_t largest = *std::max_element(values.begin(), values.end());
  const AccessorOptions options{.target = Target::indices};
  if (largest < std::numeric_limits<std::uint16_t>::max()) {
    return add<std::uint16_t>(document, narrowed<std::uint16_t>(values), "SCALAR", options);
  }
  return add(document, values, "SCALAR", options);
}

int add_sparse_accessor(Document& document, std::size_t count,
                        std::span<const std::uint32_t> places, std::span<const float> values) {
  Json accessor = {{"componentType", component_type(0.0f)}, {"count", count}, {"type", "VEC3"}};
  state_bounds(accessor, values, 3, places.size() < count);
  if (!places.empty()) {
    const bool narrow = count <= std::numeric_limits<std::uint16_t>::max();
    const auto short_places = narrowed<std::uint16_t>(places);
    const int view = narrow ? add_buffer_view(document, bytes_of<std::uint16_t>(short_places))
                            : add_buffer_view(document, bytes_of(places));
    accessor["sparse"] = {
        {"count", places.size()},
        {"indices",
         {{"bufferView", view},
          {"componentType", narrow ? component_type(std::uint16_t{}) : component_type(0u)}}},
        {"values", {{"bufferView", add_buffer_view(document, bytes_of(values))}}}};
  }
  return push(document, std::move(accessor));
}

int add_matrices(Document& document, std::span<const Affine> matrices) {
  std::vector<float> values;
  values.reserve(matrices.size() * 16);
  for (const Affine& m : matrices) {
    for (std::size_t column = 0; column < 4; ++column) {
      const Vec3& v = column < 3 ? m.linear[column] : m.translation;
      for (std::size_t row = 0; row < 3; ++row) values.push_back(to_float(v[row]));
      values.push_back(column < 3 ? 0.0f : 1.0f);
    }
  }
  return add_accessor(document, values, "MAT4");
}

}  // namespace sinew::gltf
