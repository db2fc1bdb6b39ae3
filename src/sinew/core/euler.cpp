// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/euler.h"

#include <array>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"

namespace sinew {
namespace {

constexpr std::array<std::array<int, 3>, 6> axes = {
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

Vec3 unit(int axis) {
  Vec3 u;
  u[axis] = 1;
  return u;
}

}  // namespace

int euler_axis(EulerOrder order, int i) {
  if (i < 0 || i > 2) throw UsageError(formatted("Euler angles have places 0 to 2, not {}", i));
  return axes[static_cast<int>(order)][i];
}

Quat from_euler(const Vec3& angles, EulerOrder order) {
  Quat q;
  for (const int axis : axes[static_cast<int>(order)]) {
    q = q * rotation_about(unit(axis), angles[axis]);
  }
  return q;
}

Vec3 to_euler(const Quat& q, EulerOrder order) {
  const std::size_t i = euler_axis(order, 0);
  const std::size_t j = euler_axis(order, 1);
  const std::size_t k = euler_axis(order, 2);
  const double sign = (j == (i + 1) % 3) ? 1.0 : -1.0;  // even or odd permutation of x, y, z
  const Mat3 m = to_matrix(normalized(q));
  const double s = std::clamp(sign * m[k][i], -1.0, 1.0);
  Vec3 angles;
  angles[j] = math::asin(s);
  if (std::fabs(s) < 1.0 - 1e-12) {
    angles[i] = math::atan2(-sign * m[k][j], m[k][k]);
    angles[k] = math::atan2(-sign * m[j][i], m[i][i]);
  } else {
    angles[i] = math::atan2(sign * m[j][k], m[j][j]);
  }
  return angles;
}

}  // namespace sinew
