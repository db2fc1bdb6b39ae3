// SPDX-License-Identifier: Apache-2.0
// The header of a PLY file: which numbers follow, and of which types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/internal/text.h"
#include "sinew/io/ply.h"

namespace sinew::ply {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(Type type);

struct Property {
  std::string name;
  Type type = Type::float32;
  std::optional<Type> count_type;  // set for a list: the type of its length, which comes first
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
  std::string place;  // its line in the header
};

struct Header {
  PlyFormat format = PlyFormat::text;
  std::vector<Element> elements;
};

// Reads up to and including the line end_header. Also throws InputError if the rest of the file is
// too short for the elements even with all their lists empty.
Header read_header(text::Reader& in);

}  // namespace sinew::ply
