// SPDX-License-Identifier: Apache-2.0
// Members of JSON that may have any type, for what checks files.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// Of a file with very many, the first ones.
inline constexpr std::size_t most_listed_problems = 100;

class Look {
 public:
  explicit Look(const Json& json) : json_(json) {
    for_each(json, "", "extensionsUsed", [&](const Json& name, const std::string&) {
      if (name.is_string()) used_.insert(name.get<std::string>());
    });
  }

 protected:
  static const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  static std::optional<std::uint64_t> count_of(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value != nullptr ? whole(*value) : std::nullopt;
  }

  // 3 and 3.0 are the same in JSON.
  static std::optional<std::uint64_t> whole(const Json& value) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0 && number <= 1e15) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::uint64_t>(number);
  }

  // An index into a list with `count` items; empty if it is none, or there is no value.
  static std::optional<std::size_t> index_below(std::size_t count, const Json* value) {
    const auto number = value != nullptr ? whole(*value) : std::nullopt;
    if (!number || *number >= count) return std::nullopt;
    return static_cast<std::size_t>(*number);
  }

  static std::string text_of(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }

  template <class Function>
  static void for_each(const Json& object, const std::string& at, const char* list,
                       Function&& function) {
    const Json* items = member(object, list);
    if (items == nullptr || !items->is_array()) return;
    for (std::size_t i = 0; i < items->size(); ++i) {
      function((*items)[i], fmt::format("{}/{}/{}", at, list, i));
    }
  }

  // The object that an index refers to; null if there is none, which the schema has said.
  const Json* item(const Json& index, const char* list) const {
    const Json* items = member(json_, list);
    const std::size_t count = items != nullptr && items->is_array() ? items->size() : 0;
    const auto number = index_below(count, &index);
    return number ? &(*items)[*number] : nullptr;
  }

  const Json* refer(const Json& object, const char* key, const char* list) const {
    const Json* index = member(object, key);
    return index == nullptr ? nullptr : item(*index, list);
  }

  static std::size_t size_of(const Json* list) {
    return list != nullptr && list->is_array() ? list->size() : 0;
  }

  static double number_of(const Json& object, const char* key, double otherwise) {
    const Json* value = member(object, key);
    return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
  }

  struct Format {
    std::string type;
    std::uint64_t component = 0;
    bool normalized = false;
  };

  static Format format_of(const Json& accessor) {
    const Json* normalized = member(accessor, "normalized");
    return {text_of(accessor, "type"), count_of(accessor, "componentType").value_or(0),
            normalized != nullptr && *normalized == true};
  }

  static std::optional<std::uint64_t> width_of(const Json& accessor) {
    static const std::map<std::string, std::uint64_t, std::less<>> widths{
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
        {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const auto width = widths.find(text_of(accessor, "type"));
    return width == widths.end() ? std::nullopt : std::optional(width->second);
  }

  static std::optional<std::uint64_t> component_size_of(const Json& accessor) {
    static const std::map<std::uint64_t, std::uint64_t> sizes{{5120, 1}, {5121, 1}, {5122, 2},
                                                              {5123, 2}, {5125, 4}, {5126, 4}};
    const auto size = sizes.find(count_of(accessor, "componentType").value_or(0));
    return size == sizes.end() ? std::nullopt : std::optional(size->second);
  }

  // In bytes; none of a later version, or of an extension. Columns of matrices are padded.
  static std::optional<std::uint64_t> element_size(const Json& accessor) {
    const auto width = width_of(accessor), size = component_size_of(accessor);
    if (!width || !size) return std::nullopt;
    const std::string type = text_of(accessor, "type");
    if (type == "MAT2" && *size == 1) return 8;
    if (type == "MAT3" && *size < 4) return *size == 1 ? 12 : 24;
    return *width * *size;
  }

  const Json& json_;
  std::set<std::string, std::less<>> used_;  // extensions
};

}  // namespace sinew::gltf
