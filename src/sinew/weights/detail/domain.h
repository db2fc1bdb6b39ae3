// SPDX-License-Identifier: Apache-2.0
// The volume (or area, in two dimensions) that bounded biharmonic weights are computed over.
#pragma once

#include <cstddef>
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

// Sums of node values, one after the other.
using Combinations = Rows<Term>;

// Finite elements of any kind: their nodes, each with a share of its element's volume, and the
// stiffness (Dirichlet energy) between them, of element e row by row from matrices[e] on.
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
  // For each element those that have to come with it: some of its nodes are only known as sums, and
  // these keep them apart. Empty if there are none at all.
  std::vector<std::vector<std::size_t>> hosts;
  Combinations vertices;  // the mesh's, in their order; empty for those that lie in no element
  // Points of bones, to be held: a node itself (one term) or a place between nodes.
  Combinations samples;
  std::vector<std::size_t> sample_elements;  // one that has all of a sample's nodes
  std::vector<Vec3> sample_points;
  std::vector<double> sample_strengths;  // of springs, relative to the energy's own diagonal
  std::vector<std::string> repairs;      // see SolveNotes

  // The elements and all that have to come with them, ascending, each once.
  std::vector<std::size_t> with_hosts(std::vector<std::size_t> chosen) const;

  void hold(const Vec3& point, std::size_t element, std::span<const Term> terms,
            double strength = 1);
};

// The mesh's own tetrahedra, or, without any, its triangles, which then lie in the plane z = 0.
// Nodes are its vertices; those on a bone are held exactly, and where a bone passes between nodes,
// points of it. A bone outside is tied to the points of the shape that are nearest to it along its
// length (see bone_ties.h), or, where nothing lies beside it, to the nearest node.
Domain mesh_domain(const Mesh& mesh, const Skeleton& skeleton);

// The energy of squared Laplacians over some of the elements, K M^-1 K. local[node] is the node's
// place among the `count` unknowns; every node of these elements has one.
SymmetricMatrix bilaplacian(const Domain& domain, std::span<const std::size_t> elements,
                            const std::vector<int>& local, int count);

}  // namespace sinew::detail
