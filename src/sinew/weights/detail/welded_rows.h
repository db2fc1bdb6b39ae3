// SPDX-License-Identifier: Apache-2.0
// Rows of weights on the welded mesh, where copies of a vertex along seams are merged.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/mesh.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/row_mixer.h"

namespace sinew::detail {

struct WeldedMesh {
  explicit WeldedMesh(const Mesh& mesh);

  Welded surface;
  Adjacency copies;     // the mesh's vertices that each welded vertex stands for
  Adjacency neighbors;  // along the edges of triangles and tetrahedra

  // One row for each welded vertex: the mean of its copies' rows, or exactly their row if all are
  // equal.
  std::vector<SkinRow> gather(const Skin& skin, RowMixer& mixer) const;
  // Copies each row to all copies of its vertex; see from_rows().
  Skin scatter(std::span<const SkinRow> rows, const Skin& like) const;
};

// One step of Laplacian smoothing at a vertex (see weights/smooth.h).
class RowSmoother {
 public:
  RowSmoother(std::size_t bone_count, const Locks& locks, bool bone_weights, bool endpoints)
      : mixer_(bone_count), locks_(locks), bone_weights_(bone_weights), endpoints_(endpoints) {}

  void smooth(std::span<const SkinRow> rows, std::size_t vertex, std::span<const Index> neighbors,
              double strength, SkinRow& result);

 private:
  void smooth_weights(const SkinRow& own, double strength, SkinRow& result) const;
  void smooth_endpoints(double strength, SkinRow& result) const;
  const RowInfluence* in_mean(int bone) const;

  RowMixer mixer_;
  Locks locks_;
  bool bone_weights_, endpoints_;
  SkinRow mean_;
  SkinRow own_;
};

}  // namespace sinew::detail
