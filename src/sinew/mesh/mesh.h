// SPDX-License-Identifier: Apache-2.0
// The mesh to be deformed: vertices, triangles, and the other attributes found in its file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

// The number of a vertex, and the corners of triangles and tetrahedra.
using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;
using Tetrahedron = std::array<Index, 4>;

// A value per vertex, or (as in OBJ) a pool of values and an index into it for each face corner.
template <class T>
struct Layer {
  std::vector<T> values;
  std::vector<Index> corners;  // empty: values[v] belongs to vertex v

  // Whether there is nothing.
  bool empty() const { return values.empty(); }
  // Whether values belong to vertices and not to corners.
  bool per_vertex() const { return corners.empty(); }
  friend bool operator==(const Layer&, const Layer&) = default;
};

// The original faces of the file, if some had more than three corners. Face f has the corners
// indices[offsets[f]] to indices[offsets[f + 1] - 1]. Empty: all faces are triangles.
struct Polygons {
  std::vector<Index> offsets;
  std::vector<Index> indices;

  // Whether all faces are triangles, so that nothing is kept.
  bool empty() const { return offsets.empty(); }
  // How many faces there are.
  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  friend bool operator==(const Polygons&, const Polygons&) = default;
};

// A named range of the mesh: an OBJ group, a glTF primitive.
struct Part {
  std::string name;
  std::string material;
  Index first_vertex = 0, vertex_count = 0;  // all its vertices are in this range
  Index first_triangle = 0, triangle_count = 0;
  Index first_polygon = 0, polygon_count = 0;  // into Mesh::polygons; 0, 0 if that is empty

  friend bool operator==(const Part&, const Part&) = default;
};

// A blend shape: the deltas added to the mesh at weight 1 (course notes, eq. 11; docs/sources.md).
struct BlendShape {
  std::string name;
  std::vector<Index> vertices;  // the vertices that move, ascending; empty: all of them
  std::vector<Vec3> positions;  // one delta for each of these
  std::vector<Vec3> normals;    // the same, or empty
  std::vector<Vec3> tangents;   // the same, or empty
  double default_weight = 0;

  friend bool operator==(const BlendShape&, const BlendShape&) = default;
};

// Per-vertex arrays are in the order of the file, and either empty or as long as `positions`.
struct Mesh {
  std::vector<Vec3> positions;
  Layer<Vec3> normals;
  Layer<Vec2> uvs;             // origin at the lower left, v upwards (as in OBJ)
  std::vector<Vec4> tangents;  // xyz, and handedness in w
  std::vector<Vec4> colors;    // linear red, green, blue, alpha in [0, 1]
  std::vector<Triangle> triangles;
  Polygons polygons;  // if not empty, `triangles` is their triangulation, face by face
  std::vector<Tetrahedron> tetrahedra;
  std::vector<Part> parts;  // in order; empty: one nameless part
  std::vector<BlendShape> shapes;

  // How many vertices there are.
  std::size_t vertex_count() const { return positions.size(); }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// With sides along the axes.
struct Box {
  Vec3 low, high;

  // Of the two corners: their middle, and how far they are apart.
  Vec3 center() const { return (low + high) * 0.5; }
  double diagonal() const { return distance(low, high); }
};

// All zero if there are no positions, which must be finite.
Box bounding_box(const std::vector<Vec3>& positions);

// Vertex normals, averaged over the triangles and weighted by corner angle. Vertices without a
// triangle of nonzero area get +z. Throws InputError for an index out of range.
std::vector<Vec3> vertex_normals(const std::vector<Vec3>& positions,
                                 const std::vector<Triangle>& triangles);

// Throws InputError naming the first vertex, triangle or layer that breaks a rule: an index out of
// range, an array of the wrong length, a coordinate that is not finite.
void validate(const Mesh& mesh);

// The same surface with vertices split so that normals and UVs are per vertex, as glTF and GPUs
// need them. `source[v]` is the vertex of `mesh` that vertex v of the result is a copy of; the
// first copy of each vertex keeps its index. The mesh must be valid: throws InputError as
// validate() does.
struct SplitMesh {
  Mesh mesh;
  std::vector<Index> source;
};
SplitMesh split_corners(const Mesh& mesh);

}  // namespace sinew
