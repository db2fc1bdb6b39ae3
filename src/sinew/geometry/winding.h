// SPDX-License-Identifier: Apache-2.0
// Winding numbers: inside and outside of a mesh, even one with holes or self-intersections.
#pragma once

#include <utility>
#include <vector>

#include "sinew/geometry/bvh.h"

namespace sinew {

// The generalised winding number of p (Jacobson et al. 2013): 1 inside a closed surface whose
// triangles are counter-clockwise seen from outside, 0 outside, -1 inside one that is inside out;
// values in between near holes. Points on the surface get the mean of both sides. Throws InputError
// for an index out of range.
double winding_number_exact(const std::vector<Vec3>& positions,
                            const std::vector<Triangle>& triangles, const Vec3& p);

// A point whose winding number exceeds this is inside. A little more than 1/2, which is the value
// on any flat piece of a surface, so that rounding decides nothing there.
inline constexpr double least_winding_inside = 0.52;

// The winding number in logarithmic time (Barill et al. 2018): clusters of triangles farther away
// than `accuracy` (beta in the paper) times their radius are approximated by a dipole, a quadrupole
// and an octupole. At 2 the error is about 1e-3 on average and rarely 1e-2; larger values are
// slower and more accurate. Queries are const and may run on several threads at once. Without
// triangles the number is 0 everywhere.
class WindingNumber {
 public:
  // Throws UsageError for an accuracy below 1, InputError for an index out of range or a coordinate
  // that is not finite.
  WindingNumber(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                double accuracy = 2);
  explicit WindingNumber(Bvh bvh, double accuracy = 2);

  // How often the surface goes around p: about 1 inside, 0 outside.
  double at(const Vec3& p) const;

  // The underlying tree, for distances and rays.
  const Bvh& bvh() const { return bvh_; }
  // The same, for those who need no winding numbers any more.
  Bvh take_bvh() && { return std::move(bvh_); }

 private:
  // The far field of a node's triangles. With r the vector from the query point to the center, R
  // its length, and n the area vectors of surface elements at the offsets d from the center, the
  // winding number is
  //   (dipole(r) / R^3 - 3 quadrupole(r) / R^5 + 15/2 octupole(r) / R^7) / (4 pi),
  // where the polynomials are the sums of n r, (n r)(d r) and (n r)(d r)^2, without their multiples
  // of R^2, which cancel.
  struct Cluster {
    Vec3 center;               // the triangles' centroid
    double reach_squared = 0;  // beyond this distance the expansion is used
    Vec3 dipole;
    Vec3 squares, products;        // quadrupole: xx yy zz, yz zx xy
    Vec3 cubes, by_next, by_last;  // octupole: xxx yyy zzz, xxy yyz zzx, xxz yyx zzy
    double xyz = 0;

    void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c);
    void add(const Cluster& child);
    // Adds (n r)(d r) to the quadrupole.
    void add_products(const Vec3& n, const Vec3& d);
    // Adds (n r)(r D r) to the octupole, for a symmetric D: its diagonal, and its elements yz zx
    // xy.
    void add_products(const Vec3& n, const Vec3& same, const Vec3& mixed);
  };

  Bvh bvh_;
  std::vector<Cluster> clusters_;  // one for each node of the tree
};

}  // namespace sinew
