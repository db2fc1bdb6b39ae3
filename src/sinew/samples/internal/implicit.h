// SPDX-License-Identifier: Apache-2.0
// Solid shapes as signed distances: tapered capsules, flattened ones, and their smooth union.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/core/vec.h"
#include "sinew/mesh/mesh.h"

namespace sinew::samples {

// All balls with centres from `a` to `b` and radii from `radius_a` to `radius_b` (a ball or an
// ellipsoid where a and b are the same), seen through `warp`: identity, or what makes the shape
// round when it is applied to offsets from `a` (see flattened).
struct Primitive {
  Vec3 a, b;
  double radius_a = 1, radius_b = 1;
  Mat3 warp;
  double blend = 0;   // width over which it melts into those before it in the list
  int bone = 0;       // what it moves with
  double spread = 1;  // how wide its weights fade, in radii
  double detail = 1;  // wanted edge length, relative to detail 1
  Vec3 color{0.8, 0.8, 0.8};
};

// The warp of a shape that is `factor` times as thick along the unit vector `direction`.
Mat3 flattened(const Vec3& direction, double factor);

// A distance, negative inside, and its gradient. Exact for round primitives; for warped ones and
// unions it is exact to first order near the surface.
struct Distance {
  double value = 0;
  Vec3 gradient;
};

// A primitive with what its distance needs computed once.
class Cone {
 public:
  explicit Cone(const Primitive& primitive);

  Distance distance(const Vec3& p) const;
  // Never more than distance(p).value where that is positive, and cheaper.
  double lower_bound(const Vec3& p) const;
  // How far p is from being the primitive's own: how far out of its infinite cone, plus how far
  // past its ends. Grows in proportion to the way across a joint, as distance() does not.
  double claim(const Vec3& p) const;

  double blend() const { return blend_; }
  double reach() const { return reach_; }  // everything lies within reach of middle
  const Vec3& middle() const { return middle_; }
  double stretch() const { return stretch_; }  // how much faster than distance() space can run

 private:
  Vec3 a_, axis_;
  double length_ = 0, radius_a_ = 0, slope_ = 0, lean_ = 0;
  Mat3 warp_;
  bool warped_ = false;
  double blend_ = 0;
  Vec3 middle_;
  double reach_ = 0, stretch_ = 1;
};

// How much a primitive has to do with a point of the union: the derivative of the union's distance
// by the primitive's. The shares at a point sum to 1.
struct Share {
  std::uint32_t primitive = 0;
  double share = 0;
};

// The smooth union of primitives, folded in list order; evaluated through a grid of short lists.
class Field {
 public:
  explicit Field(std::vector<Primitive> primitives);

  Distance distance(const Vec3& p) const;
  void shares(const Vec3& p, std::vector<Share>& out) const;

  // p moved onto the surface by Newton steps of at most `limit` each.
  Vec3 project(Vec3 p, int steps, double limit) const;

  // The wanted edge length at p where detail 1 wants `edge`: growing gently away from the
  // primitives of finer detail, and from those so thin that they would lose their shape.
  double edge_length(const Vec3& p, double edge) const;
  // Lattice cells near p must not be larger, lest thin primitives fall between the nodes.
  double cell_limit(const Vec3& p) const;

  const std::vector<Primitive>& primitives() const { return primitives_; }
  const std::vector<Cone>& cones() const { return cones_; }
  const Box& bounds() const { return bounds_; }

 private:
  std::span<const std::uint32_t> near(const Vec3& p) const;
  void build_grid();

  std::vector<Primitive> primitives_;
  std::vector<Cone> cones_;
  std::vector<double> thickness_;
  Box bounds_;
  double cell_ = 1;
  std::size_t size_[3] = {0, 0, 0};
  std::vector<std::uint32_t> offsets_, lists_, all_;
};

}  // namespace sinew::samples
