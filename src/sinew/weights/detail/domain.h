// SPDX-License-Identifier: Apache-2.0
// The volume (or area, in two dimensions) that bounded biharmonic weights are computed over.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/rows.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/sparse_cholesky.h"

namespace sinew::detail {

struct Term {
  int node = 0;
  double share = 0;
};

// A list of weighted sums of node values.
using Combinations = Rows<Term>;

// Finite elements of any kind: their nodes, each with its share of the element's volume, and the
// element stiffness matrices (Dirichlet energy), row-major; that of element e starts at
// matrices[e].
struct Elements {
  Rows<int> nodes;
  std::vector<double> masses;  // one for each of nodes.items
  std::vector<std::size_t> matrices{0};
  std::vector<double> stiffness;

  std::size_t size() const { return nodes.size(); }
  std::span<const int> of(std::size_t e) const { return nodes[e]; }
  // `matrix` has as many rows and columns as there are nodes.
  void push(std::span<const int> element, std::span<const double> mass,
            std::span<const double> matrix);
};

struct Domain {
  std::vector<Vec3> points;  // the nodes
  Elements elements;
  // For each element, other elements that must be solved together with it: they own the nodes from
  // which this element's hanging nodes are interpolated. Empty if no element needs this.
  std::vector<std::vector<std::size_t>> hosts;
  Combinations vertices;  // one per mesh vertex; empty for vertices in no element
  // Points of bones at which values are prescribed: a node (one term) or a point between nodes.
  Combinations samples;
  std::vector<std::size_t> sample_elements;  // an element that has all of the sample's nodes
  std::vector<Vec3> sample_points;
  std::vector<double> sample_strengths;  // of springs, relative to the energy's own diagonal
  std::vector<std::string> repairs;      // see SolveNotes
  // Of all nodes, for the energy over any of the elements; each piece finds its own if not given.
  std::optional<EliminationOrder> order;

  // The chosen elements and their hosts, ascending, without duplicates.
  std::vector<std::size_t> with_hosts(std::vector<std::size_t> chosen) const;

  void hold(const Vec3& point, std::size_t element, std::span<const Term> terms,
            double strength = 1);
};

// The mesh's own tetrahedra or, if it has none, its triangles, which must then lie in the plane z =
// 0. The nodes are the mesh's vertices. Nodes on a bone are held exactly; where a bone passes
// between nodes, points of the bone are held. A bone outside the shape is tied to the nearest
// surface points along its length (see bone_ties.h) or, if nothing lies beside it, to the nearest
// node.
Domain mesh_domain(const Mesh& mesh, const Skeleton& skeleton);

// The energy of squared Laplacians over some of the elements, K M^-1 K. local[node] is the node's
// index among the `count` unknowns; every node of these elements has one.
SymmetricMatrix bilaplacian(const Domain& domain, std::span<const std::size_t> elements,
                            const std::vector<int>& local, int count);

}  // namespace sinew::detail
