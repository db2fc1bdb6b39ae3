// SPDX-License-Identifier: Apache-2.0
// Winding numbers: what is inside a mesh, also where it has holes or runs through itself.
#pragma once

#include <vector>

#include "sinew/geometry/bvh.h"

namespace sinew {

// The generalised winding number of p (Jacobson et al. 2013): 1 inside a closed surface whose
// triangles run anticlockwise seen from outside, 0 outside, -1 inside one turned inside out; in
// between near holes. Points on the surface get the mean of both sides. Throws InputError for an
// index out of range.
double winding_number_exact(const std::vector<Vec3>& positions,
                            const std::vector<Triangle>& triangles, const Vec3& p);

// What has more than this around it is inside. A little more than the half that one sees of itself
// from any flat piece of surface, so that rounding decides nothing there.
inline constexpr double least_winding_inside = 0.52;

// The same number in logarithmic time (Barill et al. 2018): clusters of triangles farther away than
// `accuracy` (their beta) times their radius count as a dipole, a quadrupole and an octupole. At 2
// the result is off by about 1e-3 on average and hardly ever by 1e-2; larger is slower and more
// exact. Queries are const and may run on several threads at once. Without triangles the number is
// 0 everywhere.
class WindingNumber {
 public:
  // Throws UsageError for an accuracy below 1, InputError for an index out of range or a coordinate
  // that is not finite.
  WindingNumber(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                double accuracy = 2);
  explicit WindingNumber(Bvh bvh, double accuracy = 2);

  // How often the surface goes around p: about 1 inside, 0 outside.
  double at(const Vec3& p) const;

  // The tree that it stands on, for distances and rays.
  const Bvh& bvh() const { return bvh_; }

 private:
  // The far field of a node's triangles: with r from the point to the center, of length R, and n
  // the area vectors of pieces of surface at the arms d from the center, the winding number is
  //   (dipole(r) / R^3 - 3 quadrupole(r) / R^5 + 15/2 octupole(r) / R^7) / (4 pi),
  // the polynomials being the sums of n r, (n r)(d r), (n r)(d r)^2 without the parts that are
  // multiples of R^2 and cancel out.
  struct Cluster {
    Vec3 center;               // the triangles' centroid
    double reach_squared = 0;  // beyond this distance the expansion is used
    Vec3 dipole;
    Vec3 squares, products;        // of the quadrupole: xx yy zz, yz zx xy
    Vec3 cubes, by_next, by_last;  // of the octupole: xxx yyy zzz, xxy yyz zzx, xxz yyx zzy
    double xyz = 0;

    void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c);
    void add(const Cluster& child);
    // (n r)(d r) to the quadrupole.
    void add_products(const Vec3& n, const Vec3& d);
    // (n r)(r D r) to the octupole, D being symmetric: its diagonal, and its elements yz zx xy.
    void add_products(const Vec3& n, const Vec3& same, const Vec3& mixed);
  };

  Bvh bvh_;
  std::vector<Cluster> clusters_;  // one for each node of the tree
};

}  // namespace sinew
