// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/internal/checked_json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr std::size_t max_depth = 100;

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::string describe(const nlohmann::json& value) {
  if (value.is_number() || value.is_boolean()) return value.dump();
  return fmt::format("of type {}", value.type_name());
}

std::string text_place(std::string_view text, std::size_t offset, std::size_t first_byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return fmt::format("line {}, byte {}", 1 + std::count(text.begin(), end, '\n'),
                     first_byte + offset);
}

// Of the names of an object's members, as they lie in the text, one that comes twice.
void check_names(std::vector<std::string_view>& names, std::string_view text,
                 std::size_t first_byte) {
  std::stable_sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  const auto offset = static_cast<std::size_t>(std::next(twice)->data() - text.data());
  throw InputError(text_place(text, offset, first_byte),
                   fmt::format("the member \"{}\" is given twice", twice->substr(0, 200)));
}

// Checked before parsing: how deep values are nested, because later printing and comparing recurse
// into the levels, and that no member is given twice, because the last one would win without a
// word.
void check_structure(std::string_view text, std::size_t first_byte) {
  std::vector<std::vector<std::string_view>> names;  // of the values that are open
  std::size_t depth = 0;
  std::string_view last_string;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t first = ++i;
      while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      last_string = text.substr(first, i - first);
    } else if (c == ':') {
      if (depth > 0) names[depth - 1].push_back(last_string);
    } else if (c == '{' || c == '[') {
      if (++depth > max_depth) {
        throw InputError(text_place(text, i, first_byte),
                         fmt::format("the JSON is nested more than {} deep", max_depth));
      }
      if (names.size() < depth) names.emplace_back();
      names[depth - 1].clear();
    } else if ((c == '}' || c == ']') && depth > 0) {
      check_names(names[--depth], text, first_byte);
    }
  }
}

// Makes a document of a text, and tells what is wrong with it without an exception.
class DocumentBuilder : public nlohmann::detail::json_sax_dom_parser<nlohmann::json> {
 public:
  explicit DocumentBuilder(nlohmann::json& document) : json_sax_dom_parser(document, false) {}

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::parse_error& error) {
    std::string problem = error.what();
    // Of "[json.exception...] parse error at line 1, column 2: ..." only what follows the place.
    if (const auto place_end = problem.find(": "); place_end != std::string::npos) {
      problem.erase(0, place_end + 2);
    }
    if (problem.size() > 200) problem.resize(200);
    offset_ = error.byte > 0 ? error.byte - 1 : 0;
    problem_ = "not valid JSON: " + problem;
    return false;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    problem_ = "not usable as JSON: it has a number too large to be represented";
    return false;
  }

  std::size_t offset() const { return offset_; }
  const std::string& problem() const { return problem_; }

 private:
  std::size_t offset_ = 0;
  std::string problem_;
};

}  // namespace

void JsonRef::fail(const std::string& problem) const { throw InputError(place(), problem); }

JsonRef JsonRef::at(std::string_view key) const {
  std::optional<JsonRef> member = find(key);
  if (!member) throw InputError(pointer_ + "/" + escaped(key), "is required but missing");
  return *member;
}

std::optional<JsonRef> JsonRef::find(std::string_view key) const {
  if (!value_->is_object()) fail(fmt::format("must be an object, but is {}", describe(*value_)));
  const auto member = value_->find(key);
  if (member == value_->end()) return std::nullopt;
  return JsonRef(*member, pointer_ + "/" + escaped(key));
}

void JsonRef::allow_only(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) fail(fmt::format("must be an object, but is {}", describe(*value_)));
  for (const auto& [key, value] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      at(key).fail(fmt::format("is not known here; there may be {}", fmt::join(keys, ", ")));
    }
  }
}

std::size_t JsonRef::size() const {
  if (!value_->is_array()) fail(fmt::format("must be an array, but is {}", describe(*value_)));
  return value_->size();
}

JsonRef JsonRef::at(std::size_t index) const {
  const std::size_t count = size();
  if (index >= count) {
    fail(fmt::format("has {} elements, but number {} is asked for", count, index));
  }
  return JsonRef((*value_)[index], fmt::format("{}/{}", pointer_, index));
}

bool JsonRef::boolean() const {
  if (!value_->is_boolean())
    fail(fmt::format("must be true or false, but is {}", describe(*value_)));
  return value_->get<bool>();
}

const std::string& JsonRef::string() const {
  if (!value_->is_string()) fail(fmt::format("must be a string, but is {}", describe(*value_)));
  return value_->get_ref<const std::string&>();
}

double JsonRef::number() const {
  if (!value_->is_number()) fail(fmt::format("must be a number, but is {}", describe(*value_)));
  const double number = value_->get<double>();
  if (!std::isfinite(number)) fail("must be a finite number");
  return number;
}

std::int64_t JsonRef::integer(std::int64_t low, std::int64_t high) const {
  // Past 2^53 doubles skip numbers; no count or size gets there.
  constexpr double exact = 9007199254740992.0;
  const double wanted = number();
  if (wanted != std::floor(wanted) || std::fabs(wanted) > exact) {
    fail(fmt::format("must be a whole number, but is {}", describe(*value_)));
  }
  const auto whole = static_cast<std::int64_t>(wanted);
  if (whole < low || whole > high) {
    fail(fmt::format("must be from {} to {}, but is {}", low, high, whole));
  }
  return whole;
}

std::size_t JsonRef::size_value(std::size_t low) const {
  const double wanted = number();
  if (wanted < static_cast<double>(low)) {
    fail(fmt::format("must be at least {}, but is {}", low, describe(*value_)));
  }
  return static_cast<std::size_t>(
      integer(static_cast<std::int64_t>(low), std::numeric_limits<std::int64_t>::max()));
}

int JsonRef::index(std::size_t count, std::string_view what) const {
  const std::size_t limit =
      std::min(count, static_cast<std::size_t>(std::numeric_limits<int>::max()));
  const double wanted = number();
  if (wanted != std::floor(wanted) || wanted < 0 || wanted >= static_cast<double>(limit)) {
    fail(fmt::format("must be an index into the {} {}, but is {}", count, what, describe(*value_)));
  }
  return static_cast<int>(wanted);
}

std::vector<double> JsonRef::numbers() const {
  std::vector<double> values(size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Long lists: the pointer is written out only where something is wrong.
    const nlohmann::json& element = (*value_)[i];
    values[i] = element.is_number() ? element.get<double>() : at(i).number();
    if (!std::isfinite(values[i])) at(i).number();
  }
  return values;
}

std::vector<double> JsonRef::numbers(std::size_t count) const {
  if (size() != count) fail(fmt::format("must have {} numbers, but has {}", count, size()));
  return numbers();
}

Vec3 JsonRef::vec3() const {
  const std::vector<double> v = numbers(3);
  return {v[0], v[1], v[2]};
}

bool has_byte_order_mark(std::string_view text) { return text.starts_with("\xEF\xBB\xBF"); }

nlohmann::json parse_json(std::string_view text, std::size_t first_byte) {
  if (has_byte_order_mark(text)) {
    text.remove_prefix(3);
    first_byte += 3;
  }
  check_structure(text, first_byte);
  nlohmann::json document;
  DocumentBuilder builder(document);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
    throw InputError(text_place(text, builder.offset(), first_byte), builder.problem());
  }
  return document;
}

}  // namespace sinew
