// SPDX-License-Identifier: Apache-2.0
// Triangulates a region of the plane for skinning: the silhouette of a picture with the bones drawn
// on it. A constrained Delaunay triangulation, refined until the triangles are well shaped (Ruppert
// 1995, with concentric shells around small angles of the input).
//
// All decisions are made on an integer grid of 2^24 steps along the longer side of the outline's
// box. The difference of two coordinates then has at most 26 bits, twice the area of a triangle
// fits into 64 bits and the in-circle test into 128: both are exact, without tolerances or
// multi-precision arithmetic. Coordinates far from the origin have fewer bits left, so their grid
// is coarser: a box at a distance of k times its own side has 2^24 / sqrt(k) steps.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// What is to be filled with triangles.
struct PlaneRegion {
  std::vector<Vec2> points;  // unused points are ignored

  // Edges of closed rings, in any order and direction. The even-odd rule decides what is inside:
  // rings may be holes and islands, touch, overlap and cross.
  std::vector<std::array<Index, 2>> outline;

  // The mesh gets a chain of edges along each line where it lies inside. Lines may cross each other
  // and the outline, overlap, and leave the region. A line whose two ends are the same point
  // becomes a single vertex.
  std::vector<std::array<Index, 2>> lines;
};

// How large and how good the triangles are.
struct PlaneMeshOptions {
  // The smallest allowed angle, in degrees, in (0, 30]. Smaller angles occur at or beside small
  // angles of the input, and where edges shorter than `min_edge` would be needed. Above 20 it is
  // not guaranteed.
  double min_angle = 20;
  double max_edge = 0;  // the longest edge; 0: a 25th of the longer side of the outline's box
  // Edges are not refined below this length. Points of the outline closer to each other than an
  // eighth of it are merged, and ones that close to a line are moved onto it. 0: a 16th of
  // max_edge.
  double min_edge = 0;
  double grading = 0.5;  // how much longer edges may be for each unit of distance
  // A mesh that would take more is refused.
  std::size_t most_points = 1'000'000;
};

// The vertices along one line, in order. A line that leaves the region and comes back has several
// chains; a line outside has none.
struct PlaneChain {
  Index line = 0;
  std::vector<Index> vertices;

  friend bool operator==(const PlaneChain&, const PlaneChain&) = default;
};

// The triangles, and what became of the input.
struct PlaneMesh {
  // In place of a vertex: there is none.
  static constexpr Index outside = std::numeric_limits<Index>::max();

  std::vector<Vec2> points;         // each is used by a triangle; points of the input come first
  std::vector<Triangle> triangles;  // counter-clockwise (y upwards), all with an area
  std::vector<PlaneChain> chains;   // by line
  std::vector<Index> vertex_of;     // for each point of the region, its vertex, or `outside`
};

// Line ends inside the region keep their exact position, and so do points of the outline that were
// not merged or moved; except where that would flip a triangle thinner than a step of the grid:
// such vertices are off by at most a step. Vertices of a chain lie within two steps of their line.
// Where lines or outlines come closer to each other than `min_edge` without sharing a point,
// triangles get as small as that distance.
//
// Deterministic: the same input gives the same bits. Throws UsageError for invalid options;
// InputError naming the point or edge for an index out of range, a coordinate that is not finite or
// a ring that does not close; and InputError if the outline encloses nothing or more than
// `most_points` are needed.
PlaneMesh triangulate(const PlaneRegion& region, const PlaneMeshOptions& options = {});

}  // namespace sinew
