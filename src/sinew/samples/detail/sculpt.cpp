// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/sculpt.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/internal/key_map.h"
#include "sinew/samples/detail/remesh.h"

namespace sinew::samples {
namespace {

// The edge length with which `surface` (a rough version, `copies` of which make the whole) would
// have `vertex_target` vertices, if all its triangles had equal sides.
double edge_for_target(const Field& field, const Surface& surface, std::size_t copies,
                       std::size_t vertex_target) {
  // Some thousand triangles, evenly spread over the list, stand for the rest.
  const std::size_t stride = std::max<std::size_t>(surface.triangles.size() / 4000, 1);
  std::vector<std::pair<Vec3, double>> patches;
  double area = 0;
  for (std::size_t i = 0; i < surface.triangles.size(); i += stride) {
    const Triangle& t = surface.triangles[i];
    const Vec3 &a = surface.positions[t[0]], &b = surface.positions[t[1]],
               &c = surface.positions[t[2]];
    const double patch = 0.5 * length(cross(b - a, c - a)) * static_cast<double>(copies * stride);
    patches.emplace_back((a + b + c) / 3.0, patch);
    area += patch;
  }
  const auto count_with = [&](double edge) {
    double count = 0;
    for (const auto& [place, patch] : patches) {
      const double wanted = field.edge_length(place, edge);
      count += patch / (wanted * wanted);
    }
    return count * 2 / std::sqrt(3.0);
  };
  double low = 0, high = 8 * std::sqrt(area / static_cast<double>(vertex_target));
  for (int i = 0; i < 25; ++i) {
    const double middle = 0.5 * (low + high);
    (count_with(middle) > static_cast<double>(vertex_target) ? low : high) = middle;
  }
  return high;
}

// Inside vertices of a half stay clear of the mirror plane; the border's stay in it.
Vec3 keep_to_half(Vec3 p, bool border, double clearance) {
  p.x = border ? 0 : std::max(p.x, clearance);
  return p;
}

// Cuts a lattice of equal triangles in the plane z = 0 along the field's outline.
class FlatMarcher {
 public:
  FlatMarcher(const Field& field, double edge)
      : field_(field), edge_(edge), origin_(field.bounds().low - Vec3{2, 2, 0} * edge) {
    const Vec3 extent = field.bounds().high - origin_;
    columns_ = static_cast<std::uint32_t>(extent.x / edge) + 4;
    rows_ = static_cast<std::uint32_t>(extent.y / (edge * height)) + 4;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      for (std::uint32_t column = 0; column < columns_; ++column) {
        values_.push_back(field_.distance(node(row * columns_ + column)).value);
      }
    }
  }

  Surface march() {
    for (std::uint32_t row = 0; row + 1 < rows_; ++row) {
      for (std::uint32_t column = 0; column + 1 < columns_; ++column) {
        const std::uint32_t a = row * columns_ + column, b = a + 1;
        const std::uint32_t c = a + columns_, d = c + 1;
        if (row % 2 == 0) {
          cut({a, b, c});
          cut({b, d, c});
        } else {
          cut({a, b, d});
          cut({a, d, c});
        }
      }
    }
    return std::move(surface_);
  }

 private:
  static constexpr double height = 0.86602540378443865;

  Vec3 node(std::uint32_t index) const {
    const std::uint32_t row = index / columns_, column = index % columns_;
    return {origin_.x + (column + (row % 2) * 0.5) * edge_, origin_.y + row * height * edge_, 0};
  }

  Index vertex(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const auto next = static_cast<Index>(surface_.positions.size());
    const Index found = vertex_of_.insert((static_cast<std::uint64_t>(a) << 32) | b, next);
    if (found == next) {
      const double t = a == b ? 0 : values_[a] / (values_[a] - values_[b]);
      surface_.positions.push_back(a == b ? node(a)
                                          : lerp(node(a), node(b), std::clamp(t, 0.02, 0.98)));
    }
    return found;
  }

  void cut(const std::array<std::uint32_t, 3>& t) {
    std::vector<Index> polygon;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      if (values_[a] < 0) polygon.push_back(vertex(a, a));
      if ((values_[a] < 0) != (values_[b] < 0)) polygon.push_back(vertex(a, b));
    }
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      surface_.triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
    }
  }

  const Field& field_;
  double edge_;
  Vec3 origin_;
  std::uint32_t columns_ = 0, rows_ = 0;
  std::vector<double> values_;
  KeyMap vertex_of_;
  Surface surface_;
};

}  // namespace

Surface sculpt(const Field& field, std::size_t vertex_target, bool symmetric,
               const Progress& progress) {
  progress.report("measuring", 0);
  const std::size_t copies = symmetric ? 2 : 1;
  const Surface rough = polygonize(field, field.bounds().diagonal() / 60, symmetric);
  const double edge = edge_for_target(field, rough, copies, vertex_target);
  progress.report("polygonizing", 0.05);
  const RemeshRules rules{
      [&](const Vec3& p) { return field.edge_length(p, edge); },
      [&](const Vec3& p, bool border, int steps) {
        const Vec3 q = field.project(p, steps, 0.5 * edge);
        return symmetric ? keep_to_half(q, border, 0.2 * field.edge_length(q, edge)) : q;
      }};
  Surface surface = remesh(polygonize(field, edge, symmetric), vertex_target, copies, rules,
                           progress.part(0.3, 1));
  return symmetric ? with_mirror_image(surface) : surface;
}

Surface sculpt_flat(const Field& field, std::size_t vertex_target, const Progress& progress) {
  progress.report("measuring", 0);
  const Surface rough = FlatMarcher(field, field.bounds().diagonal() / 100).march();
  const double edge = edge_for_target(field, rough, 1, vertex_target);
  progress.report("polygonizing", 0.05);
  const RemeshRules rules{[&](const Vec3& p) { return field.edge_length(p, edge); },
                          [&](const Vec3& p, bool border, int steps) {
                            Vec3 q = border ? field.project(p, steps, 0.5 * edge) : p;
                            q.z = 0;
                            return q;
                          }};
  return remesh(FlatMarcher(field, 0.7 * edge).march(), vertex_target, 1, rules,
                progress.part(0.3, 1));
}

}  // namespace sinew::samples
