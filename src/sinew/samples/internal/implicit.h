// SPDX-License-Identifier: Apache-2.0
// Solid shapes as signed distance functions: tapered capsules, flattened ones, and their smooth
// union.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/core/vec.h"
#include "sinew/mesh/mesh.h"

namespace sinew::samples {

// The union of balls with centres from `a` to `b` and radii from `radius_a` to `radius_b` (a single
// ball or ellipsoid if a and b are equal). `warp` is the identity, or the linear map, applied to
// offsets from `a`, that makes a flattened shape round (see flattened).
struct Primitive {
  Vec3 a, b;
  double radius_a = 1, radius_b = 1;
  Mat3 warp;
  double blend = 0;   // width of the blend with the preceding primitives
  int bone = 0;       // the bone it moves with
  double spread = 1;  // width over which its weights fade, in radii
  double detail = 1;  // target edge length, relative to detail 1
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

// A primitive with precomputed data for its distance.
class Cone {
 public:
  explicit Cone(const Primitive& primitive);

  Distance distance(const Vec3& p) const;
  // A cheap lower bound on distance(p).value where that is positive.
  double lower_bound(const Vec3& p) const;
  // How far p is from belonging to the primitive: the distance outside its infinite cone plus the
  // distance past its ends. Unlike distance(), it grows linearly across a joint.
  double claim(const Vec3& p) const;

  double blend() const { return blend_; }
  double reach() const { return reach_; }  // everything lies within reach of middle
  const Vec3& middle() const { return middle_; }
  double stretch() const { return stretch_; }  // true distance <= stretch() * distance()

 private:
  Vec3 a_, axis_;
  double length_ = 0, radius_a_ = 0, slope_ = 0, lean_ = 0;
  Mat3 warp_;
  bool warped_ = false;
  double blend_ = 0;
  Vec3 middle_;
  double reach_ = 0, stretch_ = 1;
};

// A primitive's share in a point of the union: the derivative of the union's distance with respect
// to the primitive's. The shares at a point sum to 1.
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

  // The target edge length at p if it is `edge` at detail 1: grows gradually away from primitives
  // of finer detail and from those so thin that they would lose their shape.
  double edge_length(const Vec3& p, double edge) const;
  // The largest lattice cell allowed near p; with larger ones thin primitives would fall between
  // the nodes.
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
