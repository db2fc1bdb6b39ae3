// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/ply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/binary.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/detail/mesh_text.h"
#include "sinew/io/detail/ply_header.h"
#include "sinew/mesh/polygons.h"

namespace sinew {
namespace {

using ply::Type;

// The numbers after the header, one by one.
class Values {
 public:
  Values(std::string_view bytes, text::Reader in, PlyFormat format)
      : bytes_(bytes), in_(in), format_(format), position_(in.offset()) {}

  // Throws InputError where it is not finite.
  double next(Type type) {
    if (format_ == PlyFormat::text) return in_.number("a value");
    const double value = load_next(type);
    if (!std::isfinite(value)) fail("the value is not finite");
    return value;
  }

  std::size_t next_count(Type type, Type of) {
    const double value = next(type);
    const std::size_t left = format_ == PlyFormat::text ? in_.remaining() + 1 : remaining();
    const std::size_t each = format_ == PlyFormat::text ? 2 : ply::size_of(of);
    const std::size_t most = left / each;
    if (!(value >= 0 && value <= double(most)) || value != std::floor(value)) {
      fail(fmt::format("a list cannot have {} entries here", value));
    }
    return static_cast<std::size_t>(value);
  }

  void skip(Type type) {
    if (format_ != PlyFormat::text) {
      need(ply::size_of(type));
      position_ += ply::size_of(type);
    } else if (in_.next_word().empty()) {
      fail("the file ends where a value should be");
    }
  }

  std::string place() const {
    return format_ == PlyFormat::text ? in_.place() : fmt::format("byte {}", last_);
  }

  [[noreturn]] void fail(const std::string& problem) const { throw InputError(place(), problem); }

 private:
  std::size_t remaining() const { return bytes_.size() - position_; }

  void need(std::size_t size) {
    last_ = position_;
    if (remaining() < size) fail("the file ends where a value should be");
  }

  template <class T>
  double load_as() {
    need(sizeof(T));
    position_ += sizeof(T);
    return static_cast<double>(load<T>(bytes_.data() + last_, format_ == PlyFormat::little_endian
                                                                  ? ByteOrder::little
                                                                  : ByteOrder::big));
  }

  double load_next(Type type) {
    switch (type) {
      case Type::int8:
        return load_as<std::int8_t>();
      case Type::uint8:
        return load_as<std::uint8_t>();
      case Type::int16:
        return load_as<std::int16_t>();
      case Type::uint16:
        return load_as<std::uint16_t>();
      case Type::int32:
        return load_as<std::int32_t>();
      case Type::uint32:
        return load_as<std::uint32_t>();
      case Type::float32:
        return load_as<float>();
      default:
        return load_as<double>();
    }
  }

  std::string_view bytes_;
  text::Reader in_;
  PlyFormat format_;
  std::size_t position_;
  std::size_t last_ = 0;  // where the latest value begins
};

// What a vertex can have, by place in an array of numbers.
enum Slot : std::size_t { x, y, z, nx, ny, nz, u, v, red, green, blue, alpha, slot_count };

std::size_t slot_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Slot>, 20> names = {{
      {"x", x},
      {"y", y},
      {"z", z},
      {"nx", nx},
      {"ny", ny},
      {"nz", nz},
      {"s", u},
      {"t", v},
      {"u", u},
      {"v", v},
      {"texture_u", u},
      {"texture_v", v},
      {"red", red},
      {"green", green},
      {"blue", blue},
      {"alpha", alpha},
      {"diffuse_red", red},
      {"diffuse_green", green},
      {"diffuse_blue", blue},
      {"diffuse_alpha", alpha},
  }};
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == names.end() ? slot_count : found->second;
}

double largest(Type type) {
  switch (type) {
    case Type::int8:
      return std::numeric_limits<std::int8_t>::max();
    case Type::uint8:
      return std::numeric_limits<std::uint8_t>::max();
    case Type::int16:
      return std::numeric_limits<std::int16_t>::max();
    case Type::uint16:
      return std::numeric_limits<std::uint16_t>::max();
    case Type::int32:
      return std::numeric_limits<std::int32_t>::max();
    case Type::uint32:
      return std::numeric_limits<std::uint32_t>::max();
    default:
      return 1;
  }
}

void skip(Values& in, const ply::Property& property) {
  if (!property.count_type) return in.skip(property.type);
  for (std::size_t n = in.next_count(*property.count_type, property.type); n > 0; --n) {
    in.skip(property.type);
  }
}

void read_vertices(Values& in, const ply::Element& element, Mesh& mesh) {
  std::vector<std::size_t> slots;
  std::array<bool, slot_count> has{};
  for (const ply::Property& property : element.properties) {
    std::size_t slot = property.count_type ? slot_count : slot_of(property.name);
    // Where several properties could fill a slot, the first does.
    if (slot != slot_count && has[slot]) slot = slot_count;
    if (slot != slot_count) has[slot] = true;
    slots.push_back(slot);
  }
  if (!has[x] || !has[y] || !has[z]) {
    throw InputError(element.place, "the vertices have no x, y and z");
  }
  const bool normals = has[nx] && has[ny] && has[nz];
  const bool uvs = has[u] && has[v];
  const bool colors = has[red] && has[green] && has[blue];
  for (std::size_t i = 0; i < element.count; ++i) {
    std::array<double, slot_count> n{};
    n[alpha] = 1;
    for (std::size_t p = 0; p < slots.size(); ++p) {
      const ply::Property& property = element.properties[p];
      if (slots[p] == slot_count) {
        skip(in, property);
        continue;
      }
      n[slots[p]] = in.next(property.type);
      if (slots[p] >= red) n[slots[p]] /= largest(property.type);
    }
    mesh.positions.push_back({n[x], n[y], n[z]});
    if (normals) mesh.normals.values.push_back({n[nx], n[ny], n[nz]});
    if (uvs) mesh.uvs.values.push_back({n[u], n[v]});
    if (colors) mesh.colors.push_back({n[red], n[green], n[blue], n[alpha]});
  }
  text::settle_colors(mesh.colors);
}

// `vertices`: how many were read so far; where faces come first, `check` looks at theirs later.
void read_faces(Values& in, const ply::Element& element, std::size_t vertices, Polygons& faces,
                text::IndexCheck& check) {
  const auto corners = std::find_if(
      element.properties.begin(), element.properties.end(), [](const ply::Property& property) {
        return property.count_type &&
               (property.name == "vertex_indices" || property.name == "vertex_index");
      });
  if (corners == element.properties.end()) {
    throw InputError(element.place, "the faces have no list vertex_indices");
  }
  const auto place = [&] { return in.place(); };
  for (std::size_t f = 0; f < element.count; ++f) {
    for (auto property = element.properties.begin(); property != element.properties.end();
         ++property) {
      if (property != corners) {
        skip(in, *property);
        continue;
      }
      for (std::size_t n = in.next_count(*property->count_type, property->type); n > 0; --n) {
        const double value = in.next(property->type);
        if (!(std::fabs(value) < 1e15) || value != std::floor(value)) {
          in.fail(fmt::format("{} is not a vertex index", value));
        }
        const Index index = text::checked_index(static_cast<std::int64_t>(value), 0, place);
        if (index >= vertices) check.add(index, place);
        faces.indices.push_back(index);
      }
      text::end_face(faces, place);
    }
  }
}

}  // namespace

Mesh read_ply(std::string_view bytes) {
  text::Reader in(bytes, {.comment = '\0'});
  const ply::Header header = ply::read_header(in);
  Values values(bytes, in, header.format);
  Mesh mesh;
  Polygons faces;
  text::IndexCheck check;
  bool has_vertices = false, has_faces = false;
  for (const ply::Element& element : header.elements) {
    if (element.name == "vertex" || element.name == "face") {
      bool& has = element.name == "vertex" ? has_vertices : has_faces;
      if (has) throw InputError(element.place, "there is a second element of that name");
      has = true;
    }
    if (element.name == "vertex") {
      read_vertices(values, element, mesh);
    } else if (element.name == "face" && element.count > 0) {
      read_faces(values, element, mesh.positions.size(), faces, check);
    } else if (!element.properties.empty()) {
      for (std::size_t i = 0; i < element.count; ++i) {
        for (const ply::Property& property : element.properties) skip(values, property);
      }
    }
  }
  if (!has_vertices) in.fail("the file has no element vertex");
  check.finish(mesh.positions.size(), "vertex", 0);
  set_faces(mesh, std::move(faces));
  return mesh;
}

}  // namespace sinew
