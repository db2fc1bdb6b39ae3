// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/internal/binary.h"
#include "sinew/io/detail/mesh_text.h"
#include "sinew/io/ply.h"
#include "sinew/mesh/polygons.h"

namespace sinew {
namespace {

class Output {
 public:
  Output(std::string& out, PlyFormat format) : out_(out), format_(format) {}

  template <class T>
  void add(T value) {
    if (format_ != PlyFormat::text) {
      store(out_, value, format_ == PlyFormat::little_endian ? ByteOrder::little : ByteOrder::big);
    } else if constexpr (std::is_floating_point_v<T>) {
      text::append_number(out_, value, ' ');
    } else {
      text::append_integer(out_, value);
      out_ += ' ';
    }
  }
  void add(const Vec3& value) {
    add(value.x);
    add(value.y);
    add(value.z);
  }
  void end_item() {
    if (format_ == PlyFormat::text) out_.back() = '\n';
  }

 private:
  std::string& out_;
  PlyFormat format_;
};

bool are_bytes(const std::vector<Vec4>& colors) {
  return std::all_of(colors.begin(), colors.end(), [](const Vec4& color) {
    for (std::size_t i = 0; i < 4; ++i) {
      const double byte = std::round(color[i] * 255);
      if (!(byte >= 0 && byte <= 255) || byte / 255 != color[i]) return false;
    }
    return true;
  });
}

}  // namespace

std::string write_ply(const Mesh& mesh, PlyFormat format) {
  const bool normals = !mesh.normals.empty() && mesh.normals.per_vertex();
  const bool uvs = !mesh.uvs.empty() && mesh.uvs.per_vertex();
  const bool colors = !mesh.colors.empty();
  const bool bytes = are_bytes(mesh.colors);
  std::size_t most_corners = 0;
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    most_corners = std::max(most_corners, face_corners(mesh, f).size());
  }
  const bool short_lists = most_corners <= std::numeric_limits<std::uint8_t>::max();

  std::string out = fmt::format("ply\nformat {} 1.0\nelement vertex {}\n",
                                format == PlyFormat::text            ? "ascii"
                                : format == PlyFormat::little_endian ? "binary_little_endian"
                                                                     : "binary_big_endian",
                                mesh.vertex_count());
  const auto properties = [&](std::string_view type,
                              std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      fmt::format_to(std::back_inserter(out), "property {} {}\n", type, name);
    }
  };
  properties("double", {"x", "y", "z"});
  if (normals) properties("double", {"nx", "ny", "nz"});
  if (uvs) properties("double", {"s", "t"});
  if (colors) properties(bytes ? "uchar" : "double", {"red", "green", "blue", "alpha"});
  fmt::format_to(std::back_inserter(out),
                 "element face {}\nproperty list {} uint vertex_indices\nend_header\n",
                 face_count(mesh), short_lists ? "uchar" : "uint");

  Output items(out, format);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    items.add(mesh.positions[v]);
    if (normals) items.add(mesh.normals.values[v]);
    if (uvs) {
      items.add(mesh.uvs.values[v].x);
      items.add(mesh.uvs.values[v].y);
    }
    for (std::size_t i = 0; colors && i < 4; ++i) {
      const double value = mesh.colors[v][i];
      bytes ? items.add(static_cast<std::uint8_t>(std::round(value * 255))) : items.add(value);
    }
    items.end_item();
  }
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    const std::span<const Index> corners = face_corners(mesh, f);
    short_lists ? items.add(static_cast<std::uint8_t>(corners.size()))
                : items.add(static_cast<std::uint32_t>(corners.size()));
    for (const Index vertex : corners) items.add(vertex);
    items.end_item();
  }
  return out;
}

}  // namespace sinew
