// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/medit.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/detail/mesh_text.h"
#include "sinew/mesh/polygons.h"

namespace sinew {
namespace {

class MeditReader {
 public:
  explicit MeditReader(std::string_view text) : in_(text) {}

  Mesh read() {
    std::string_view keyword = in_.next_word();
    if (!text::same_word(keyword, "MeshVersionFormatted")) {
      in_.fail(fmt::format("{} should be MeshVersionFormatted, the first word of a text .mesh file",
                           text::quoted(keyword)));
    }
    for (; !keyword.empty() && !text::same_word(keyword, "End"); keyword = next_keyword()) {
      section(keyword);
    }
    if (!has_vertices_) in_.fail("the file has no Vertices");
    check_.finish(mesh_.positions.size(), "vertex", 1);
    if (triangles_.empty() && quads_.empty() && !mesh_.tetrahedra.empty()) {
      mesh_.triangles = boundary_triangles(mesh_.positions, mesh_.tetrahedra);
      return std::move(mesh_);
    }
    for (const auto* corners : {&triangles_, &quads_}) {
      const std::size_t size = corners == &triangles_ ? 3 : 4;
      for (std::size_t i = 0; i < corners->size(); i += size) {
        const auto begin = corners->begin() + static_cast<std::ptrdiff_t>(i);
        faces_.indices.insert(faces_.indices.end(), begin,
                              begin + static_cast<std::ptrdiff_t>(size));
        text::end_face(faces_, [] { return std::string("faces"); });
      }
    }
    set_faces(mesh_, std::move(faces_));
    return std::move(mesh_);
  }

 private:
  // The next word that is no number: what lies before it belongs to sections that are skipped.
  std::string_view next_keyword() {
    while (true) {
      const std::string_view word = in_.next_word();
      if (word.empty() || (word[0] >= 'A' && word[0] <= 'Z') ||
          (word[0] >= 'a' && word[0] <= 'z')) {
        return word;
      }
    }
  }

  void section(std::string_view keyword) {
    if (text::same_word(keyword, "Dimension")) {
      const std::int64_t dimension = in_.integer("the dimension");
      if (dimension != 2 && dimension != 3) in_.fail("the dimension should be 2 or 3");
      if (has_vertices_) in_.fail("Dimension should come before Vertices");
      dimension_ = static_cast<std::size_t>(dimension);
    } else if (text::same_word(keyword, "Vertices")) {
      read_vertices();
    } else if (text::same_word(keyword, "Triangles")) {
      read_corners(3, "the number of triangles", triangles_);
    } else if (text::same_word(keyword, "Quadrilaterals")) {
      read_corners(4, "the number of quadrilaterals", quads_);
    } else if (text::same_word(keyword, "Tetrahedra")) {
      std::vector<Index> corners;
      read_corners(4, "the number of tetrahedra", corners);
      for (std::size_t i = 0; i < corners.size(); i += 4) {
        mesh_.tetrahedra.push_back({corners[i], corners[i + 1], corners[i + 2], corners[i + 3]});
      }
    }
  }

  void read_vertices() {
    if (std::exchange(has_vertices_, true)) in_.fail("there is a second section Vertices");
    const std::size_t count = in_.count("the number of vertices", 2 * (dimension_ + 1));
    mesh_.positions.reserve(count);
    for (std::size_t v = 0; v < count; ++v) {
      Vec3 p;
      for (std::size_t i = 0; i < dimension_; ++i) p[i] = in_.number("a coordinate");
      mesh_.positions.push_back(p);
      in_.number("a reference number");
    }
  }

  void read_corners(std::size_t size, std::string_view what, std::vector<Index>& corners) {
    const auto place = [&] { return in_.place(); };
    const std::size_t count = in_.count(what, 2 * (size + 1));
    corners.reserve(corners.size() + size * count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        const Index index = text::checked_index(in_.integer("a vertex index"), 1, place);
        check_.add(index, place);
        corners.push_back(index);
      }
      in_.number("a reference number");
    }
  }

  text::Reader in_;
  Mesh mesh_;
  std::size_t dimension_ = 3;
  bool has_vertices_ = false;
  std::vector<Index> triangles_, quads_;
  Polygons faces_;
  text::IndexCheck check_;
};

// A section with the faces of one number of corners.
void append_section(std::string& out, std::string_view keyword,
                    const std::vector<std::span<const Index>>& items) {
  if (items.empty()) return;
  fmt::format_to(std::back_inserter(out), "{}\n{}\n", keyword, items.size());
  for (const std::span<const Index> corners : items) {
    for (const Index vertex : corners) {
      text::append_integer(out, std::uint64_t{vertex} + 1);
      out += ' ';
    }
    out += "0\n";
  }
}

}  // namespace

Mesh read_medit(std::string_view text) { return MeditReader(text).read(); }

std::string write_medit(const Mesh& mesh) {
  std::vector<std::span<const Index>> triangles, quads, tetrahedra;
  std::size_t next_triangle = 0;
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    const std::span<const Index> corners = face_corners(mesh, f);
    const std::size_t cut = corners.size() - 2;
    if (corners.size() == 4) {
      quads.push_back(corners);
    } else {
      for (std::size_t t = 0; t < cut; ++t) triangles.push_back(mesh.triangles[next_triangle + t]);
    }
    next_triangle += cut;
  }
  for (const Tetrahedron& t : mesh.tetrahedra) tetrahedra.push_back(t);
  std::string out =
      fmt::format("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", mesh.vertex_count());
  for (const Vec3& p : mesh.positions) {
    text::append_numbers(out, p, ' ');
    out += "0\n";
  }
  append_section(out, "Triangles", triangles);
  append_section(out, "Quadrilaterals", quads);
  append_section(out, "Tetrahedra", tetrahedra);
  return out + "End\n";
}

std::vector<Triangle> boundary_triangles(const std::vector<Vec3>& positions,
                                         const std::vector<Tetrahedron>& tetrahedra) {
  struct Side {
    Triangle sorted, facing_out;
    std::size_t order;
  };
  std::vector<Side> sides;
  sides.reserve(4 * tetrahedra.size());
  for (const auto& [a, b, c, d] : tetrahedra) {
    const Vec3& p = positions[a];
    const double volume = dot(cross(positions[b] - p, positions[c] - p), positions[d] - p);
    for (Triangle t :
         {Triangle{a, c, b}, Triangle{a, b, d}, Triangle{a, d, c}, Triangle{b, c, d}}) {
      if (volume < 0) std::swap(t[1], t[2]);
      Triangle sorted = t;
      std::sort(sorted.begin(), sorted.end());
      sides.push_back({sorted, t, sides.size()});
    }
  }
  const auto by_vertices = [](const Side& x, const Side& y) {
    return x.sorted != y.sorted ? x.sorted < y.sorted : x.order < y.order;
  };
  std::sort(sides.begin(), sides.end(), by_vertices);
  std::vector<Side> single;
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].sorted == sides[begin].sorted) ++end;
    if (end == begin + 1) single.push_back(sides[begin]);
  }
  std::sort(single.begin(), single.end(),
            [](const Side& x, const Side& y) { return x.order < y.order; });
  std::vector<Triangle> triangles;
  triangles.reserve(single.size());
  for (const Side& side : single) triangles.push_back(side.facing_out);
  return triangles;
}

}  // namespace sinew
