// SPDX-License-Identifier: Apache-2.0
// Bounded biharmonic weights (Jacobson, Baran, Popovic and Sorkine 2011) for bones and endpoints.
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
  // Where the mesh has no tetrahedra of its own and is not flat: about how many nodes
  // the lattice that fills it should have.
  std::size_t lattice_nodes = 12000;
  // Columns are solved until their duality gap is below this share of their energy, and then go on
  // to the optimum by an active set. Endpoint weights, whose errors count for less, are solved to
  // three times the gap and stop there.
  double gap = 1e-3;
  // At most, for each column.
  std::size_t iterations = 400;
};

// Where endpoint weights come from.
enum class EndpointSource {
  bones,   // solved for directly: the parameter t along each bone, in the part that the bone moves
  joints,  // from joint weights by seed 000 eq. 7, the joints' hat functions being held along bones
};

// The domain is built once: the mesh's tetrahedra, its triangles where it is flat
// (geometry/flatness.h), or a lattice that fills any surface. Bones outside are tied to the surface
// beside them. Parts without a bone take over the weights of what is nearest. Not to be used from
// two threads at once.
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
  // also beyond the ends where no other bone goes on. Throws InputError for weights that do not fit
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
