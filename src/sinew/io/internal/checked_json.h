// SPDX-License-Identifier: Apache-2.0
// JSON values that know their position: every access checks type and range, and errors give the
// JSON pointer. Internal to the readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

// A view of a value in a JSON document; the document must outlive it.
class JsonRef {
 public:
  explicit JsonRef(const nlohmann::json& value, std::string pointer = {})
      : value_(&value), pointer_(std::move(pointer)) {}

  const nlohmann::json& value() const { return *value_; }
  // The JSON pointer; "/" for the whole document, so that it is never empty.
  std::string place() const { return pointer_.empty() ? "/" : pointer_; }
  [[noreturn]] void fail(const std::string& problem) const;

  // Members of an object. If there is no such member, `at` throws and `find` returns nothing; both
  // throw if this is not an object.
  JsonRef at(std::string_view key) const;
  std::optional<JsonRef> find(std::string_view key) const;

  // Throws at the first member of this object whose name is not in the list.
  void allow_only(std::initializer_list<std::string_view> keys) const;

  // Elements of an array.
  std::size_t size() const;
  JsonRef at(std::size_t index) const;

  bool boolean() const;
  const std::string& string() const;
  double number() const;  // finite
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  std::size_t size_value(std::size_t low = 0) const;  // a count or an offset in bytes
  // An index into a list of `count` things called `what` ("accessors").
  int index(std::size_t count, std::string_view what) const;
  std::vector<double> numbers() const;
  std::vector<double> numbers(std::size_t count) const;  // exactly that many
  Vec3 vec3() const;

 private:
  const nlohmann::json* value_;
  std::string pointer_;
};

// Whether the text begins with the byte order mark of UTF-8.
bool has_byte_order_mark(std::string_view text);

// Parses a whole JSON text, with an optional byte order mark, nested at most 100 deep, in which no
// object has two members of one name. Throws InputError with the line and byte (`first_byte` is the
// text's place in its file).
nlohmann::json parse_json(std::string_view text, std::size_t first_byte = 0);

}  // namespace sinew
