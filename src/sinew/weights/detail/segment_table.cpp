// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/segment_table.h"

#include <algorithm>

namespace sinew::detail {

// Written out, so that the compiler turns it into vector instructions.
void SegmentTable::measure(const Vec3& p, std::size_t first, std::size_t count,
                           double* __restrict squared) const {
  const double* row = numbers_.data() + first;
  const double *hx = row, *hy = row + size_, *hz = row + 2 * size_;
  const double *ax = row + 3 * size_, *ay = row + 4 * size_, *az = row + 5 * size_;
  const double* inverse = row + 6 * size_;
  for (std::size_t i = 0; i < count; ++i) {
    double t = ((p.x - hx[i]) * ax[i] + (p.y - hy[i]) * ay[i] + (p.z - hz[i]) * az[i]) * inverse[i];
    t = t < 0 ? 0 : t;
    t = t > 1 ? 1 : t;
    const double x = p.x - (hx[i] + ax[i] * t), y = p.y - (hy[i] + ay[i] * t),
                 z = p.z - (hz[i] + az[i] * t);
    squared[i] = x * x + y * y + z * z;
  }
}

void SegmentTable::measure(const Vec3& p, std::span<double> squared) const {
  measure(p, 0, size_, squared.data());
}

bool SegmentTable::any_closer(const Vec3& p, double squared) const {
  constexpr std::size_t most = 64;
  std::array<double, most> some;
  for (std::size_t first = 0; first < size_; first += most) {
    const std::size_t count = std::min(most, size_ - first);
    measure(p, first, count, some.data());
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) any |= some[i] < squared;
    if (any) return true;
  }
  return false;
}

}  // namespace sinew::detail
