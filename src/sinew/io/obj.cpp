// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/obj.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/detail/mesh_text.h"
#include "sinew/mesh/polygons.h"

namespace sinew {
namespace {

constexpr Index none = std::numeric_limits<Index>::max();

class ObjReader {
 public:
  explicit ObjReader(std::string_view text)
      : in_(text, {.comment = '#', .continuation = true, .blank = ' '}) {}

  Mesh read() {
    while (in_.next_line()) statement(in_.word());
    // Nothing but lines that are skipped: a file of another kind.
    if (mesh_.positions.empty() && !skipped_at_.empty()) {
      throw InputError(skipped_at_,
                       fmt::format("the line begins with {}, and the file has no vertices; is it "
                                   "an OBJ file?",
                                   skipped_));
    }
    vertices_.finish(mesh_.positions.size(), "vertex", 1);
    uvs_.finish(mesh_.uvs.values.size(), "texture coordinate", 1);
    normals_.finish(mesh_.normals.values.size(), "normal", 1);
    if (!mesh_.colors.empty()) {
      mesh_.colors.resize(mesh_.positions.size(), text::missing_color);
      text::settle_colors(mesh_.colors);
    }
    end_part();
    const std::vector<Index> corners = faces_.indices;
    set_faces(mesh_, std::move(faces_));
    settle(mesh_.uvs, corners, Vec2{}, [](Index) { return Vec2{}; });
    std::vector<Vec3> smooth;
    settle(mesh_.normals, corners, Vec3{0, 0, 1}, [&](Index vertex) {
      if (smooth.empty()) smooth = vertex_normals(mesh_.positions, mesh_.triangles);
      return smooth[vertex];
    });
    finish_parts();
    return std::move(mesh_);
  }

 private:
  void statement(std::string_view keyword) {
    if (keyword == "v") {
      read_vertex();
    } else if (keyword == "vn") {
      std::array<double, 3> n{};
      read_numbers(n, 3);
      mesh_.normals.values.push_back({n[0], n[1], n[2]});
    } else if (keyword == "vt") {
      std::array<double, 3> t{};
      read_numbers(t, 1);
      mesh_.uvs.values.push_back({t[0], t[1]});
    } else if (keyword == "f") {
      read_face();
    } else if (keyword == "g" || keyword == "o") {
      start_part(in_.rest_of_line(), part_.material);
    } else if (keyword == "usemtl") {
      start_part(part_.name, in_.rest_of_line());
    } else if (skipped_at_.empty()) {
      skipped_at_ = in_.place();
      skipped_ = text::quoted(keyword);
    }
  }

  // At least `least` numbers of this line, at most as many as `values` has; how many there were.
  template <std::size_t size>
  std::size_t read_numbers(std::array<double, size>& values, std::size_t least) {
    std::size_t count = 0;
    for (std::string_view word; count < size && !(word = in_.word()).empty(); ++count) {
      const auto value = text::parse_number(word);
      if (!value) {
        in_.fail(fmt::format("{} should be a finite number", text::quoted(word)));
      }
      values[count] = *value;
    }
    if (count < least) in_.fail(fmt::format("there are {} numbers, not {}", count, least));
    return count;
  }

  void read_vertex() {
    std::array<double, 8> n{};
    const std::size_t count = read_numbers(n, 3);
    mesh_.positions.push_back({n[0], n[1], n[2]});
    if (count == 6 || count == 7) {
      mesh_.colors.resize(mesh_.positions.size() - 1, text::missing_color);
      mesh_.colors.push_back({n[3], n[4], n[5], count == 7 ? n[6] : 1});
    }
  }

  void read_face() {
    for (std::string_view word; !(word = in_.word()).empty();) {
      const std::string_view corner = word;
      faces_.indices.push_back(take_index(word, corner, mesh_.positions.size(), vertices_));
      Index uv = none, normal = none;
      if (!word.empty() && word[0] != '/') {
        uv = take_index(word, corner, mesh_.uvs.values.size(), uvs_);
      } else if (!word.empty()) {
        word.remove_prefix(1);
        if (word.empty()) bad_corner(corner);
      }
      if (!word.empty()) normal = take_index(word, corner, mesh_.normals.values.size(), normals_);
      if (!word.empty()) bad_corner(corner);
      add_corner(mesh_.uvs.corners, uv);
      add_corner(mesh_.normals.corners, normal);
    }
    text::end_face(faces_, [&] { return in_.place(); });
  }

  // Most files have only some of the two layers: a layer begins with its first index.
  void add_corner(std::vector<Index>& corners, Index index) {
    if (index == none && corners.empty()) return;
    corners.resize(faces_.indices.size() - 1, none);
    corners.push_back(index);
  }

  [[noreturn]] void bad_corner(std::string_view corner) const {
    in_.fail(
        fmt::format("face corner {} should look like 7, 7/2, 7//3 or 7/2/3", text::quoted(corner)));
  }

  // Takes the index at the beginning of `word` and the slash behind it.
  Index take_index(std::string_view& word, std::string_view corner, std::size_t count,
                   text::IndexCheck& check) {
    const std::size_t slash = std::min(word.find('/'), word.size());
    const auto value = text::parse_integer(word.substr(0, slash));
    if (!value || slash + 1 == word.size()) bad_corner(corner);
    word.remove_prefix(std::min(slash + 1, word.size()));
    if (*value < 0) {
      if (*value < -static_cast<std::int64_t>(count)) {
        in_.fail(fmt::format("index {} in face corner {} goes back before the first of {}", *value,
                             text::quoted(corner), count));
      }
      return static_cast<Index>(static_cast<std::int64_t>(count) + *value);
    }
    const auto place = [&] { return in_.place(); };
    const Index index = text::checked_index(*value, 1, place);
    if (index >= count) check.add(index, place);
    return index;
  }

  void end_part() {
    part_.polygon_count = static_cast<Index>(faces_.size() - part_.first_polygon);
    if (part_.polygon_count == 0) return;
    Part* const last = mesh_.parts.empty() ? nullptr : &mesh_.parts.back();
    if (last != nullptr && last->name == part_.name && last->material == part_.material) {
      last->polygon_count += part_.polygon_count;
    } else {
      mesh_.parts.push_back(part_);
    }
    part_.first_polygon = static_cast<Index>(faces_.size());
  }

  void start_part(std::string_view name, std::string_view material) {
    if (name == part_.name && material == part_.material) return;
    end_part();
    // Copies first: either may be the part's own.
    std::string new_name(name), new_material(material);
    part_.name = std::move(new_name);
    part_.material = std::move(new_material);
  }

  void finish_parts() {
    if (mesh_.parts.size() == 1 && mesh_.parts[0].name.empty() && mesh_.parts[0].material.empty()) {
      mesh_.parts.clear();
    }
    for (Part& part : mesh_.parts) {
      const std::size_t first = part.first_polygon, last = first + part.polygon_count;
      const auto triangles_before = [&](std::size_t face) {
        return static_cast<Index>(first_corner(mesh_, face) - 2 * face);
      };
      part.first_triangle = triangles_before(first);
      part.triangle_count = triangles_before(last) - part.first_triangle;
      if (mesh_.polygons.empty()) part.first_polygon = part.polygon_count = 0;
    }
    set_vertex_ranges(mesh_);
  }

  // Makes the layer per vertex where each vertex has one value; completes it otherwise. `missing`
  // gives the value of a corner that has none.
  template <class T, class Missing>
  void settle(Layer<T>& layer, const std::vector<Index>& vertex_of, const T& unused,
              Missing&& missing) {
    const std::size_t vertices = mesh_.positions.size();
    if (layer.corners.empty()) {
      // Without faces, values beside the vertices can only be theirs.
      if (!vertex_of.empty() || layer.values.size() != vertices) layer = {};
      return;
    }
    layer.corners.resize(vertex_of.size(), none);
    if (layer.values.size() == vertices && layer.corners == vertex_of) {
      layer.corners.clear();
      return;
    }
    std::vector<Index> completed(vertices, none);  // by vertex, where a corner had no value
    for (std::size_t c = 0; c < layer.corners.size(); ++c) {
      if (layer.corners[c] != none) continue;
      Index& index = completed[vertex_of[c]];
      if (index == none) {
        index = static_cast<Index>(layer.values.size());
        layer.values.push_back(missing(vertex_of[c]));
      }
      layer.corners[c] = index;
    }
    std::vector<Index> of_vertex(vertices, none);
    for (std::size_t c = 0; c < layer.corners.size(); ++c) {
      Index& index = of_vertex[vertex_of[c]];
      if (index == none) index = layer.corners[c];
      if (!(layer.values[index] == layer.values[layer.corners[c]])) return;
    }
    std::vector<T> values(vertices, unused);
    for (std::size_t v = 0; v < vertices; ++v) {
      if (of_vertex[v] != none) values[v] = layer.values[of_vertex[v]];
    }
    layer = {std::move(values), {}};
  }

  text::Reader in_;
  std::string skipped_at_, skipped_;  // the first statement that was not read
  Mesh mesh_;
  Polygons faces_;
  Part part_;  // the one that faces are being added to; its polygon range counts all faces
  text::IndexCheck vertices_, uvs_, normals_;
};

void append_name(std::string& out, std::string_view keyword, std::string_view name) {
  out += keyword;
  out += ' ';
  for (const char c : name) out += c == '\n' || c == '\r' ? ' ' : c;
  out += '\n';
}

// Where the values are the vertices' own, a corner's index is its vertex.
template <class T>
Index layer_index(const Layer<T>& layer, std::size_t corner, Index vertex) {
  return layer.per_vertex() ? vertex : layer.corners[corner];
}

}  // namespace

Mesh read_obj(std::string_view text) { return ObjReader(text).read(); }

std::string write_obj(const Mesh& mesh) {
  using text::append_integer;
  using text::append_number;
  using text::append_numbers;
  std::string out;
  const bool alpha = std::any_of(mesh.colors.begin(), mesh.colors.end(),
                                 [](const Vec4& color) { return color.w != 1; });
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    out += "v ";
    append_numbers(out, mesh.positions[v], mesh.colors.empty() ? '\n' : ' ');
    if (mesh.colors.empty()) continue;
    const Vec4& color = mesh.colors[v];
    append_numbers(out, {color.x, color.y, color.z}, alpha ? ' ' : '\n');
    if (alpha) append_number(out, color.w, '\n');
  }
  for (const Vec2& uv : mesh.uvs.values) {
    out += "vt ";
    append_number(out, uv.x, ' ');
    append_number(out, uv.y, '\n');
  }
  for (const Vec3& normal : mesh.normals.values) {
    out += "vn ";
    append_numbers(out, normal, '\n');
  }
  Part state;
  std::size_t next_part = 0;
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    for (; next_part < mesh.parts.size(); ++next_part) {
      const Part& part = mesh.parts[next_part];
      if ((mesh.polygons.empty() ? part.first_triangle : part.first_polygon) > f) break;
      if (part.name != state.name) append_name(out, "g", part.name);
      if (part.material != state.material) append_name(out, "usemtl", part.material);
      state = part;
    }
    const std::span<const Index> corners = face_corners(mesh, f);
    out += 'f';
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::size_t corner = first_corner(mesh, f) + i;
      out += ' ';
      append_integer(out, std::uint64_t{corners[i]} + 1);
      if (!mesh.uvs.empty()) {
        out += '/';
        append_integer(out, std::uint64_t{layer_index(mesh.uvs, corner, corners[i])} + 1);
      }
      if (!mesh.normals.empty()) {
        out += mesh.uvs.empty() ? "//" : "/";
        append_integer(out, std::uint64_t{layer_index(mesh.normals, corner, corners[i])} + 1);
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace sinew
