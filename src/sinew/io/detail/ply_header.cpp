// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/ply_header.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::ply {
namespace {

Type parse_type(const text::Reader& in, std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Type>, 16> names = {{
      {"char", Type::int8},
      {"int8", Type::int8},
      {"uchar", Type::uint8},
      {"uint8", Type::uint8},
      {"short", Type::int16},
      {"int16", Type::int16},
      {"ushort", Type::uint16},
      {"uint16", Type::uint16},
      {"int", Type::int32},
      {"int32", Type::int32},
      {"uint", Type::uint32},
      {"uint32", Type::uint32},
      {"float", Type::float32},
      {"float32", Type::float32},
      {"double", Type::float64},
      {"float64", Type::float64},
  }};
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& entry) { return entry.first == word; });
  if (found == names.end()) in.fail(fmt::format("{} is not a number type", text::quoted(word)));
  return found->second;
}

PlyFormat parse_format(text::Reader& in) {
  const std::string_view word = in.word();
  if (word == "ascii") return PlyFormat::text;
  if (word == "binary_little_endian") return PlyFormat::little_endian;
  if (word == "binary_big_endian") return PlyFormat::big_endian;
  in.fail(fmt::format("{} is not a PLY format", text::quoted(word)));
}

Property parse_property(text::Reader& in) {
  Property property;
  std::string_view word = in.word();
  if (word == "list") {
    property.count_type = parse_type(in, in.word());
    if (*property.count_type >= Type::float32) in.fail("a list's length should be an integer");
    word = in.word();
  }
  property.type = parse_type(in, word);
  property.name = in.word();
  if (property.name.empty()) in.fail("the property has no name");
  return property;
}

Element parse_element(text::Reader& in) {
  Element element{std::string(in.word()), 0, {}, in.place()};
  const std::string_view word = in.word();
  const auto count = text::parse_integer(word);
  if (element.name.empty() || !count || *count < 0) {
    in.fail(fmt::format("the element should have a name and a number, not {}", text::quoted(word)));
  }
  element.count = static_cast<std::size_t>(*count);
  return element;
}

// The least that one item takes.
std::size_t least_size(const Element& element, PlyFormat format) {
  std::size_t size = 0;
  for (const Property& p : element.properties) {
    size += format == PlyFormat::text ? 2 : size_of(p.count_type.value_or(p.type));
  }
  return size;
}

}  // namespace

std::size_t size_of(Type type) {
  switch (type) {
    case Type::int8:
    case Type::uint8:
      return 1;
    case Type::int16:
    case Type::uint16:
      return 2;
    case Type::float64:
      return 8;
    default:
      return 4;
  }
}

Header read_header(text::Reader& in) {
  Header header;
  if (in.word() != "ply" || !in.end_line()) in.fail("a PLY file begins with a line 'ply'");
  bool has_format = false;
  while (true) {
    if (!in.next_line()) in.fail("the header has no end: there should be a line 'end_header'");
    const std::string_view keyword = in.word();
    if (keyword == "format") {
      header.format = parse_format(in);
      has_format = true;
    } else if (keyword == "element") {
      header.elements.push_back(parse_element(in));
    } else if (keyword == "property") {
      if (header.elements.empty()) in.fail("the property belongs to no element");
      header.elements.back().properties.push_back(parse_property(in));
    } else if (keyword == "end_header") {
      break;
    } else if (keyword != "comment" && keyword != "obj_info") {
      in.fail(fmt::format("{} is not a word of a PLY header", text::quoted(keyword)));
    }
  }
  if (!has_format) in.fail("the header has no line 'format'");
  if (!in.end_line()) in.fail("end_header should end its line");
  std::size_t left = in.remaining() + (header.format == PlyFormat::text ? 1 : 0);
  for (const Element& element : header.elements) {
    const std::size_t size = least_size(element, header.format);
    if (size == 0) continue;
    if (element.count > left / size) {
      throw InputError(element.place,
                       fmt::format("the file is too short for {} times {}: is it cut off?",
                                   element.count, text::quoted(element.name)));
    }
    left -= element.count * size;
  }
  return header;
}

}  // namespace sinew::ply
