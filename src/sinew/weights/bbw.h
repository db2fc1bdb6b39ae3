// SPDX-License-Identifier: Apache-2.0
// Bounded biharmonic weights (Jacobson et al. 2011) for bones and endpoints.
#pragma once

#include <cstddef>
#include <memory>

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/solved.h"

namespace sinew {

// How fine and how exact the solution is.
struct BbwOptions {
  // Approximate number of lattice nodes; used only if the mesh has no tetrahedra and is not flat.
  std::size_t lattice_nodes = 12000;
  // A column has converged when its duality gap is below this fraction of its energy; an active-set
  // method takes it further, to the optimum. Endpoint weights, whose errors matter less, are solved
  // to three times this gap and no further.
  double gap = 1e-3;
  // At most, for each column.
  std::size_t iterations = 400;
};

// Where endpoint weights come from.
enum class EndpointSource {
  bones,  // solved for directly: the parameter t along each bone, in the part that the bone moves
  // From joint weights (Jacobson and Sorkine 2011, eq. 7). Joint weights are solved for with the
  // joints' hat functions prescribed along the bones.
  joints,
};

// The domain is built once: the mesh's tetrahedra, its triangles if it is flat
// (geometry/flatness.h), or else a lattice that fills the surface. Bones outside the shape are tied
// to the surface beside them. Parts without a bone copy the weights of the nearest part that has
// one. Not thread-safe: use one object from one thread at a time.
class Bbw {
 public:
  // Throws InputError for a mesh or skeleton that breaks a rule, or a skeleton without bones, and
  // UsageError for options that are not above 0.
  Bbw(const Mesh& mesh, const Skeleton& skeleton, const BbwOptions& options = {},
      const Progress& progress = {});
  ~Bbw();
  Bbw(Bbw&&) noexcept;
  Bbw& operator=(Bbw&&) noexcept;

  // Least Laplacian energy within [0, 1], 1 along the bone and 0 along the others (shared equally
  // where bones meet), then normalised. Weights below 1e-4 are left out.
  SolvedWeights weights(const Progress& progress = {}) const;

  // 0 at a bone's head, 1 at its tail, t in between, exactly so for vertices on the bone; 0 and 1
  // also beyond the ends where no other bone goes on. In flat shapes, where the bone lies in the
  // surface, it comes to rest before such an end, within half the width there (or a third of the
  // bone, if that is less), and is not t there. Throws InputError for weights that do not fit
  // the mesh and the skeleton.
  SolvedEndpoints endpoints(const Weights& weights, EndpointSource source = EndpointSource::bones,
                            const Progress& progress = {}) const;

  // Unknowns of each column: nodes of the domain.
  std::size_t node_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
