// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/filter.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

double secant(const std::vector<Vec2>& p, std::size_t i) {
  return (p[i + 1].y - p[i].y) / (p[i + 1].x - p[i].x);
}

// The weighted harmonic mean of the neighbouring secants (Fritsch and Butland 1984): 0 at a flat
// stretch and where the curve turns, and always within the bounds that keep the cubic monotone.
double slope(const std::vector<Vec2>& p, std::size_t i) {
  if (p.size() < 2) return 0;
  if (i == 0) return secant(p, 0);
  if (i + 1 == p.size()) return secant(p, i - 1);
  const double before = secant(p, i - 1);
  const double after = secant(p, i);
  if (!(before * after > 0)) return 0;
  const double h0 = p[i].x - p[i - 1].x;
  const double h1 = p[i + 1].x - p[i].x;
  return 3 * (h0 + h1) / ((2 * h1 + h0) / before + (h1 + 2 * h0) / after);
}

}  // namespace

double evaluate(const FilterCurve& curve, double x) {
  const std::vector<Vec2>& p = curve.points;
  if (p.empty()) return std::isnan(x) ? 0 : x;
  if (!(x > p.front().x)) return p.front().y;
  if (x >= p.back().x) return p.back().y;
  const auto after =
      std::upper_bound(p.begin(), p.end(), x, [](double v, const Vec2& q) { return v < q.x; });
  const auto i = static_cast<std::size_t>(after - p.begin()) - 1;
  const double h = p[i + 1].x - p[i].x;
  const double t = (x - p[i].x) / h;
  const double y = p[i].y * (1 + 2 * t) * (1 - t) * (1 - t) + p[i + 1].y * t * t * (3 - 2 * t) +
                   h * slope(p, i) * t * (1 - t) * (1 - t) - h * slope(p, i + 1) * t * t * (1 - t);
  return std::clamp(y, std::min(p[i].y, p[i + 1].y), std::max(p[i].y, p[i + 1].y));
}

void validate(const FilterCurve& curve) {
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const Vec2& q = curve.points[i];
    const bool inside = q.x >= 0 && q.x <= 1 && q.y >= 0 && q.y <= 1;
    const bool ascending =
        i == 0 || (q.x > curve.points[i - 1].x && (curve.free || q.y >= curve.points[i - 1].y));
    if (!inside || !ascending) {
      throw InputError(formatted("filter point {}", i),
                       formatted("({}, {}) must lie in [0, 1] x [0, 1], right of the point "
                                 "before it{}",
                                 q.x, q.y, curve.free ? "" : " and not below it"));
    }
  }
}

}  // namespace sinew
