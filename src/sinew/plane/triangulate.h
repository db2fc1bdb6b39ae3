// SPDX-License-Identifier: Apache-2.0
// Triangles for a region of the plane, to be skinned: the silhouette of a picture with the bones
// drawn on it. A constrained Delaunay triangulation, refined until the triangles are well shaped
// (Ruppert, A Delaunay Refinement Algorithm for Quality 2-Dimensional Mesh Generation, 1995, with
// concentric shells around small angles of the input).
//
// All decisions are made on an integer grid of 2^24 steps along the longer side of the outline's
// box. A difference of two places then has at most 26 bits, twice the area of a triangle fits 64
// bits and the in-circle test 128: both are exact, without tolerances and without arithmetic of
// growing length. Coordinates far from the origin have fewer bits to spare, and the grid is made
// coarser for them: a box at the distance of k times its own side has 2^24 / sqrt(k) steps.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// What is to be filled with triangles.
struct PlaneRegion {
  std::vector<Vec2> points;  // those that nothing names do not matter

  // Closed rings, in any order and direction. Inside is what lies behind an odd number of them:
  // rings may be holes and islands, touch, overlap and cross.
  std::vector<std::array<Index, 2>> outline;

  // Become chains of edges where they lie inside. They may cross each other and the outline,
  // overlap, and leave the region. One whose two ends are the same point is a point that becomes a
  // vertex.
  std::vector<std::array<Index, 2>> lines;
};

// How large and how good the triangles are.
struct PlaneMeshOptions {
  // No angle is below this, in degrees, unless it is one of the input's, is beside such a one, or
  // is where shorter edges than `min_edge` were needed. In (0, 30]; above 20 it is not certain.
  double min_angle = 20;
  double max_edge = 0;  // no edge is longer; 0: a 25th of the longer side of the outline's box
  // Nothing is refined below this, and points of the outline that are an eighth of it from each
  // other, or from a line, become one, or move there; 0: a 16th of max_edge.
  double min_edge = 0;
  double grading = 0.5;  // how much longer edges may be for each unit of distance
  // A mesh that would take more is refused.
  std::size_t most_points = 1'000'000;
};

// What one line became: the vertices along it, in order. A line that leaves the region and comes
// back has several of these; one that lies outside has none.
struct PlaneChain {
  Index line = 0;
  std::vector<Index> vertices;

  friend bool operator==(const PlaneChain&, const PlaneChain&) = default;
};

// The triangles, and what became of the input.
struct PlaneMesh {
  // In place of a vertex: there is none.
  static constexpr Index outside = std::numeric_limits<Index>::max();

  std::vector<Vec2> points;         // each has a triangle; those of the input come first
  std::vector<Triangle> triangles;  // counter-clockwise (y upwards), all with an area
  std::vector<PlaneChain> chains;   // by line
  std::vector<Index> vertex_of;     // for each point of the region, its vertex, or `outside`
};

// Ends of lines that lie inside are vertices at exactly the place given, and so are the points of
// the outline that were not joined or moved; unless a triangle thinner than a step of the grid
// would be turned over by it, then they are a step away at most. Vertices of a chain lie on their
// line to within two steps. Where lines or outlines come closer to each other than `min_edge`
// without sharing a point, triangles are as small as that.
//
// The same bits for the same input. Throws UsageError for options that make no sense, InputError
// that names the point or edge for an index out of range, a coordinate that is not finite or a ring
// that does not close, and where the outline encloses nothing or more than `most_points` are
// needed.
PlaneMesh triangulate(const PlaneRegion& region, const PlaneMeshOptions& options = {});

}  // namespace sinew
