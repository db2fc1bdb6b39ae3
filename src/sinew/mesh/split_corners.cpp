// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "sinew/core/internal/bits.h"
#include "sinew/mesh/mesh.h"
#include "sinew/mesh/polygons.h"

namespace sinew {
namespace {

std::array<std::uint64_t, 3> bits(const Vec3& a) {
  return {bits_as<std::uint64_t>(a.x), bits_as<std::uint64_t>(a.y), bits_as<std::uint64_t>(a.z)};
}
std::array<std::uint64_t, 2> bits(const Vec2& a) {
  return {bits_as<std::uint64_t>(a.x), bits_as<std::uint64_t>(a.y)};
}

// For each value, the first one with the same bits, so that equal values do not split vertices.
template <class T>
std::vector<Index> first_equal(const std::vector<T>& values) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return bits(values[a]) < bits(values[b]); });
  std::vector<Index> first(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && bits(values[order[i]]) == bits(values[order[i - 1]]);
    first[order[i]] = repeats ? first[order[i - 1]] : order[i];
  }
  return first;
}

struct Copy {
  Index vertex, normal, uv;
  friend bool operator==(const Copy&, const Copy&) = default;
};

struct CopyHash {
  std::size_t operator()(const Copy& copy) const {
    std::uint64_t hash = 0;
    for (const Index part : {copy.vertex, copy.normal, copy.uv}) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

// `values` followed by one more for each copy.
template <class T>
void append_copies(std::vector<T>& values, const std::vector<Index>& source) {
  if (values.empty()) return;
  const std::size_t vertices = values.size();
  values.reserve(source.size());
  for (std::size_t v = vertices; v < source.size(); ++v) values.push_back(values[source[v]]);
}

template <class T>
void split_layer(Layer<T>& layer, const std::vector<Index>& vertex_of_corner,
                 const std::vector<Index>& source, const T& missing) {
  if (layer.empty()) return;
  if (layer.per_vertex()) return append_copies(layer.values, source);
  std::vector<T> values(source.size(), missing);
  for (std::size_t c = 0; c < layer.corners.size(); ++c) {
    values[vertex_of_corner[c]] = layer.values[layer.corners[c]];
  }
  layer = {std::move(values), {}};
}

void split_shape(BlendShape& shape, const std::vector<Index>& source, std::size_t vertices) {
  std::vector<Vec3>* const arrays[] = {&shape.positions, &shape.normals, &shape.tangents};
  if (shape.vertices.empty()) {
    for (auto* values : arrays) append_copies(*values, source);
    return;
  }
  const std::vector<Index> moved = shape.vertices;
  for (std::size_t v = vertices; v < source.size(); ++v) {
    const auto found = std::lower_bound(moved.begin(), moved.end(), source[v]);
    if (found == moved.end() || *found != source[v]) continue;
    const std::size_t place = found - moved.begin();
    shape.vertices.push_back(static_cast<Index>(v));
    for (auto* values : arrays) {
      if (!values->empty()) values->push_back((*values)[place]);
    }
  }
}

// The triangles of `mesh` with the vertices that its face corners now have.
std::vector<Triangle> split_triangles(const Mesh& mesh,
                                      const std::vector<Index>& vertex_of_corner) {
  std::vector<Triangle> triangles = mesh.triangles;
  std::vector<Triangle> cut;
  std::vector<std::array<Index, 3>> places;
  std::size_t triangle = 0;
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    const std::span<const Index> corners = face_corners(mesh, f);
    const std::size_t first = first_corner(mesh, f);
    cut.clear();
    places.clear();
    triangulate_polygon(mesh.positions, corners, cut, &places);
    for (std::size_t i = 0; i < cut.size(); ++i, ++triangle) {
      const bool same = cut[i] == mesh.triangles[triangle];
      for (std::size_t k = 0; k < 3; ++k) {
        std::size_t place = places[i][k];
        if (!same) {
          // The triangles may have been made from other positions than the current ones: match by
          // vertex.
          const auto found = std::find(corners.begin(), corners.end(), mesh.triangles[triangle][k]);
          if (found != corners.end()) place = static_cast<std::size_t>(found - corners.begin());
        }
        triangles[triangle][k] = vertex_of_corner[first + place];
      }
    }
  }
  return triangles;
}

}  // namespace

SplitMesh split_corners(const Mesh& mesh) {
  validate(mesh);
  SplitMesh result{mesh, std::vector<Index>(mesh.vertex_count())};
  std::vector<Index>& source = result.source;
  std::iota(source.begin(), source.end(), Index{0});
  if (mesh.normals.per_vertex() && mesh.uvs.per_vertex()) return result;

  const std::vector<Index> normal_of = first_equal(mesh.normals.values);
  const std::vector<Index> uv_of = first_equal(mesh.uvs.values);
  std::vector<Index> vertex_of_corner;
  std::vector<char> taken(mesh.vertex_count());
  std::unordered_map<Copy, Index, CopyHash> copies;
  for (std::size_t f = 0; f < face_count(mesh); ++f) {
    for (const Index vertex : face_corners(mesh, f)) {
      const std::size_t corner = vertex_of_corner.size();
      Copy copy{vertex, 0, 0};
      if (!mesh.normals.per_vertex()) copy.normal = normal_of[mesh.normals.corners[corner]];
      if (!mesh.uvs.per_vertex()) copy.uv = uv_of[mesh.uvs.corners[corner]];
      const Index fresh = taken[vertex] ? static_cast<Index>(source.size()) : vertex;
      const auto [place, is_new] = copies.try_emplace(copy, fresh);
      if (is_new && taken[vertex]) source.push_back(vertex);
      taken[vertex] = true;
      vertex_of_corner.push_back(place->second);
    }
  }

  Mesh& out = result.mesh;
  out.triangles = split_triangles(mesh, vertex_of_corner);
  if (!mesh.polygons.empty()) out.polygons.indices = vertex_of_corner;
  split_layer(out.normals, vertex_of_corner, source, Vec3{0, 0, 1});
  split_layer(out.uvs, vertex_of_corner, source, Vec2{});
  append_copies(out.positions, source);
  append_copies(out.tangents, source);
  append_copies(out.colors, source);
  for (BlendShape& shape : out.shapes) split_shape(shape, source, mesh.vertex_count());
  set_vertex_ranges(out);
  return result;
}

}  // namespace sinew
