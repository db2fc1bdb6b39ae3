// SPDX-License-Identifier: Apache-2.0
// Finds the nearest point of a mesh that faces a given direction and belongs to a given part.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sinew/geometry/bvh.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/row_mixer.h"

namespace sinew::detail {

// Conditions for the point looked up, besides being near.
struct SurfaceQuery {
  Vec3 position;
  Vec3 normal;             // unit length; zero: any direction is accepted
  double min_cosine = -1;  // between the two normals
  double max_distance = std::numeric_limits<double>::infinity();
};

// Cells are the mesh's triangles, followed by the vertices in no triangle (as triangles with three
// equal corners). Normals are those of the welded surface. Queries are const and may run on several
// threads at once.
class SurfaceLookup {
 public:
  SurfaceLookup(const Mesh& mesh, const Welded& welded);

  // The nearest point in the cells for which `accept` (if given) returns true;
  // SurfacePoint::triangle is the cell's index.
  std::optional<SurfacePoint> closest(const SurfaceQuery& query,
                                      const std::function<bool(Index cell)>& accept = {}) const;

  const Triangle& cell(Index c) const { return cells_[c]; }
  // Of the mesh's vertices; zero where there is no surface.
  const Vec3& normal(std::size_t vertex) const { return normals_[vertex]; }
  // Connected parts of the welded surface.
  int part_count() const { return part_count_; }
  int part_of_cell(Index c) const { return part_of_vertex_[cells_[c][0]]; }
  int part_of_vertex(std::size_t vertex) const { return part_of_vertex_[vertex]; }

 private:
  std::vector<Triangle> cells_;
  std::vector<Vec3> normals_;
  std::vector<int> part_of_vertex_;
  int part_count_ = 0;
  Bvh bvh_;
};

// Adds the rows of the cell's corners, weighted by their barycentric coordinates and `factor`.
void add_interpolated(RowMixer& mixer, std::span<const SkinRow> rows, const Triangle& cell,
                      const Vec3& barycentric, double factor = 1);

}  // namespace sinew::detail
