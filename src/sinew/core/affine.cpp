// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/affine.h"

#include <array>

namespace sinew {

Transform to_transform(const Affine& m, double* shear) {
  Transform t;
  t.translation = m.translation;
  std::array<Vec3, 3> axis = {m.linear.x, m.linear.y, m.linear.z};
  t.scale = {length(axis[0]), length(axis[1]), length(axis[2])};

  std::array<bool, 3> known{};
  int known_count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    known[i] = length(axis[i]) > 0;
    if (known[i]) {
      axis[i] = normalized(axis[i]);
      ++known_count;
    }
  }
  // From the unit axes: the determinant of short axes would underflow.
  if (known_count == 3 && determinant(Mat3{axis[0], axis[1], axis[2]}) < 0) {
    t.scale.x = -t.scale.x;
    axis[0] = -axis[0];
  }
  if (shear != nullptr) {
    *shear = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      if (known[i] && known[j]) *shear = std::fmax(*shear, std::fabs(dot(axis[i], axis[j])));
    }
  }
  if (known_count == 0) return t;

  // Gram-Schmidt from the first axis that has a direction; the rest is completed right-handed.
  std::size_t first = 0;
  while (!known[first]) ++first;
  const std::size_t second = (first + 1) % 3;
  const std::size_t third = (first + 2) % 3;
  // If the axis is parallel to the first one, the remainder is rounding error without a direction.
  constexpr double parallel = 1e-12;
  Vec3 b;
  if (known[second]) b = axis[second] - axis[first] * dot(axis[first], axis[second]);
  if (length(b) < parallel && known[third]) b = cross(axis[third], axis[first]);
  if (length(b) < parallel) b = any_perpendicular(axis[first]);
  // A second pass, for axes that were almost parallel.
  b = normalized(b);
  axis[second] = normalized(b - axis[first] * dot(axis[first], b));
  axis[third] = cross(axis[first], axis[second]);
  t.rotation = to_quaternion(Mat3{axis[0], axis[1], axis[2]});
  return t;
}

}  // namespace sinew
