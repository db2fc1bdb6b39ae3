// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/off.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/internal/text.h"
#include "sinew/io/detail/mesh_text.h"
#include "sinew/mesh/polygons.h"

namespace sinew {
namespace {

struct Header {
  bool uvs = false, colors = false, normals = false;
};

// "OFF", "COFF", "NOFF", "STCNOFF" and so on; nothing if it is none of them.
std::optional<Header> parse_header(std::string_view word) {
  Header header;
  const auto take = [&](std::string_view prefix) {
    if (!word.starts_with(prefix)) return false;
    word.remove_prefix(prefix.size());
    return true;
  };
  header.uvs = take("ST");
  header.colors = take("C");
  header.normals = take("N");
  if (word != "OFF") return std::nullopt;
  return header;
}

// The color at the end of a vertex' line: three numbers or four.
Vec4 read_color(text::Reader& in) {
  Vec4 color{0, 0, 0, 1};
  std::size_t count = 0;
  for (std::string_view word; count < 4 && !(word = in.word()).empty(); ++count) {
    const auto value = text::parse_number(word);
    if (!value) in.fail(fmt::format("{} should be a part of a color", text::quoted(word)));
    color[count] = *value;
  }
  if (count < 3) in.fail("the vertex has no color, but the first line says that all have one");
  return color;
}

}  // namespace

Mesh read_off(std::string_view bytes) {
  text::Reader in(bytes);
  Header header;
  text::Reader start = in;
  const std::string_view first = start.next_word();
  if (const auto found = parse_header(first)) {
    header = *found;
    in = start;
    if (text::Reader ahead = in; text::same_word(ahead.word(), "BINARY")) {
      in.fail("binary OFF is not supported; save it as text");
    }
  } else if (!text::parse_integer(first)) {
    start.fail(fmt::format("{} is not the beginning of an OFF file", text::quoted(first)));
  }

  Mesh mesh;
  const std::size_t vertices = in.count("the number of vertices", 6);
  const std::size_t faces_claimed = in.count("the number of faces", 8);
  in.next_line();  // past the number of edges, which some files leave out
  mesh.positions.reserve(vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    Vec3 p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = in.number("a coordinate");
    mesh.positions.push_back(p);
    if (header.normals) {
      for (std::size_t i = 0; i < 3; ++i) p[i] = in.number("a normal");
      mesh.normals.values.push_back(p);
    }
    if (header.colors) mesh.colors.push_back(read_color(in));
    if (header.uvs) {
      const double u = in.number("a texture coordinate");
      mesh.uvs.values.push_back({u, in.number("a texture coordinate")});
    }
    in.next_line();
  }
  text::settle_colors(mesh.colors);

  Polygons faces;
  const auto place = [&] { return in.place(); };
  text::IndexCheck check;
  for (std::size_t f = 0; f < faces_claimed; ++f) {
    const std::size_t corners = in.count("the number of corners", 2);
    for (std::size_t i = 0; i < corners; ++i) {
      const Index index = text::checked_index(in.integer("a vertex index"), 0, place);
      check.add(index, place);
      faces.indices.push_back(index);
    }
    text::end_face(faces, place);
    in.next_line();
  }
  check.finish(vertices, "vertex", 0);
  set_faces(mesh, std::move(faces));
  return mesh;
}

std::string write_off(const Mesh& mesh) {
  const bool uvs = !mesh.uvs.empty() && mesh.uvs.per_vertex();
  const bool colors = !mesh.colors.empty();
  const bool normals = !mesh.normals.empty() && mesh.normals.per_vertex();
  std::string out = fmt::format("{}{}{}OFF\n{} {} 0\n", uvs ? "ST" : "", colors ? "C" : "",
                                normals ? "N" : "", mesh.vertex_count(), face_count(mesh));
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    text::append_numbers(out, mesh.positions[v], ' ');
    if (normals) text::append_numbers(out, mesh.normals.values[v], ' ');
    if (colors) {
      for (std::size_t i = 0; i < 4; ++i) text::append_number(out, mesh.colors[v][i], ' ');
    }
    if (uvs) {
      text::append_number(out, mesh.uvs.values[v].x, ' ');
      text::append_number(out, mesh.uvs.values[v].y, ' ');
    }
    out.back() = '\n';
  }
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    const std::span<const Index> corners = face_corners(mesh, f);
    text::append_integer(out, corners.size());
    for (const Index vertex : corners) {
      out += ' ';
      text::append_integer(out, vertex);
    }
    out += '\n';
  }
  return out;
}

}  // namespace sinew
