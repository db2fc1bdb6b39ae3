// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/rigid_fit.h"

#include <array>

#include "sinew/core/error.h"
#include "sinew/core/math.h"

namespace sinew {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

Vec3 mean(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

double reach(std::span<const Vec3> points, const Vec3& center) {
  double farthest = 0;
  for (const Vec3& p : points) farthest = std::max(farthest, distance(p, center));
  return farthest;
}

// Turns rows and columns p and q of the symmetric m so that m[p][q] becomes 0, and `vectors` along.
void annihilate(Matrix4& m, Matrix4& vectors, std::size_t p, std::size_t q) {
  const double ratio = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  const double t = (ratio < 0 ? -1 : 1) / (std::fabs(ratio) + math::hypot(ratio, 1.0));
  const double c = 1 / math::hypot(t, 1.0);
  const double s = t * c;
  for (std::size_t k = 0; k < 4; ++k) {
    const double kp = m[k][p], kq = m[k][q];
    m[k][p] = c * kp - s * kq;
    m[k][q] = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double pk = m[p][k], qk = m[q][k];
    m[p][k] = c * pk - s * qk;
    m[q][k] = s * pk + c * qk;
    const double vp = vectors[k][p], vq = vectors[k][q];
    vectors[k][p] = c * vp - s * vq;
    vectors[k][q] = s * vp + c * vq;
  }
}

// Of the largest eigenvalue, by Jacobi's method.
std::array<double, 4> largest_eigenvector(Matrix4 m) {
  constexpr int most_sweeps = 40;
  constexpr double negligible = 1e-300;
  Matrix4 vectors{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = p + 1; q < 4; ++q) {
        if (std::fabs(m[p][q]) > negligible) annihilate(m, vectors, p, q);
      }
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (m[i][i] > m[best][best]) best = i;
  }
  return {vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best]};
}

}  // namespace

RigidMotion fit_rigid(std::span<const Vec3> from, std::span<const Vec3> to) {
  if (from.size() != to.size()) throw UsageError("a rigid fit needs as many points as images");
  if (from.empty()) return {};
  RigidMotion motion{{}, mean(from), mean(to)};
  const double from_size = reach(from, motion.from), to_size = reach(to, motion.to);
  if (!(from_size > 0) || !(to_size > 0)) return motion;
  Mat3 s;  // s[i][j]: component i of `from` times component j of `to`, summed
  s = s * 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3 a = (from[i] - motion.from) / from_size, b = (to[i] - motion.to) / to_size;
    s = s + Mat3{b * a.x, b * a.y, b * a.z};
  }
  const auto [w, x, y, z] =
      largest_eigenvector({{{s.x.x + s.y.y + s.z.z, s.y.z - s.z.y, s.z.x - s.x.z, s.x.y - s.y.x},
                            {s.y.z - s.z.y, s.x.x - s.y.y - s.z.z, s.x.y + s.y.x, s.z.x + s.x.z},
                            {s.z.x - s.x.z, s.x.y + s.y.x, s.y.y - s.x.x - s.z.z, s.y.z + s.z.y},
                            {s.x.y - s.y.x, s.z.x + s.x.z, s.y.z + s.z.y, s.z.z - s.x.x - s.y.y}}});
  motion.rotation = normalized(Quat{x, y, z, w});
  return motion;
}

}  // namespace sinew
