// SPDX-License-Identifier: Apache-2.0
// The nearest point of a mesh that faces the right way and belongs to the right part.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sinew/geometry/bvh.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/row_mixer.h"

namespace sinew::detail {

// What a point that is looked for has to fulfil beside being near.
struct SurfaceQuery {
  Vec3 position;
  Vec3 normal;             // of unit length; zero: any direction will do
  double min_cosine = -1;  // between the two normals
  double max_distance = std::numeric_limits<double>::infinity();
};

// Cells are the mesh's triangles, and behind them the vertices that are in no triangle (as
// triangles of three times the same vertex). Normals are those of the welded surface. Queries are
// const and may run on several threads at once.
class SurfaceLookup {
 public:
  SurfaceLookup(const Mesh& mesh, const Welded& welded);

  // The nearest point in the cells that `accept` (if any) lets through; SurfacePoint::triangle is
  // a cell.
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

// Adds the rows of the cell's corners by their barycentric coordinates, times `factor`.
void add_interpolated(RowMixer& mixer, std::span<const SkinRow> rows, const Triangle& cell,
                      const Vec3& barycentric, double factor = 1);

}  // namespace sinew::detail
