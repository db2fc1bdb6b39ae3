// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/voxel_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace sinew::detail {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Decisions about borders of cells allow for this much of a cell, so that rounding decides nothing.
constexpr double slack = 1e-6;

bool crosses_cell(const VoxelGrid& grid, const Cell& cell, const Segment& bone) {
  const Vec3 center = grid.center(cell);
  const double half = grid.size * (0.5 + slack);
  double from = 0;
  double to = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double start = bone.head[i] - center[i];
    const double d = bone.arm[i];
    if (d == 0) {
      if (std::fabs(start) > half) return false;
      continue;
    }
    const double a = (-half - start) / d;
    const double b = (half - start) / d;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return from <= to;
}

// Whether the point lies in a cell of the part or on its border.
bool in_part(const VoxelGrid& grid, const VoxelPart& part, const Vec3& p) {
  for (unsigned corner = 0; corner < 8; ++corner) {
    Cell cell;
    bool in_grid = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double aside = (corner >> i & 1u) != 0 ? slack : -slack;
      const double place = std::floor((p[i] - grid.low[i]) / grid.size + aside);
      in_grid = in_grid && place >= 0 && place < grid.counts[i];
      cell[i] = in_grid ? static_cast<int>(place) : 0;
    }
    if (in_grid && part.node(cell) >= 0) return true;
  }
  return false;
}

// Samples of the bone that lie in no cell of the part.
std::vector<Vec3> outside_samples(const VoxelGrid& grid, const VoxelPart& part,
                                  const Segment& bone) {
  const double cells = std::ceil(length(bone.arm) / grid.size);
  const int count = static_cast<int>(std::clamp(cells, 1.0, 64.0));
  std::vector<Vec3> samples;
  for (int i = 0; i <= count; ++i) {
    const Vec3 p = bone.at(double(i) / count);
    if (!in_part(grid, part, p)) samples.push_back(p);
  }
  return samples;
}

// Solves |grad d| = 1 / size from the smallest known distances along the axes, ascending.
double eikonal(std::array<double, 3> known, double size) {
  std::sort(known.begin(), known.end());
  double d = known[0] + size;
  if (d <= known[1]) return d;
  const double sum = known[0] + known[1];
  const double squares = known[0] * known[0] + known[1] * known[1];
  d = 0.5 * (sum + std::sqrt(std::max(0.0, sum * sum - 2 * (squares - size * size))));
  if (d <= known[2]) return d;
  const double sum3 = sum + known[2];
  const double squares3 = squares + known[2] * known[2];
  return (sum3 + std::sqrt(std::max(0.0, sum3 * sum3 - 3 * (squares3 - size * size)))) / 3;
}

class March {
 public:
  March(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone)
      : grid_(grid),
        part_(part),
        bone_(bone),
        straight_(part.nodes.size()),
        distance_(part.nodes.size(), infinite),
        direct_(part.nodes.size(), 0),
        done_(part.nodes.size(), 0) {
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
      straight_[n] = std::sqrt(distance_squared(bone, grid.center(part.nodes[n])));
    }
  }

  std::vector<double> run() {
    start();
    while (!queue_.empty()) {
      const auto [d, n] = queue_.top();
      queue_.pop();
      if (done_[n] != 0) continue;
      done_[n] = 1;
      for (int z = -1; z <= 1; ++z) {
        for (int y = -1; y <= 1; ++y) {
          for (int x = -1; x <= 1; ++x) visit(n, {x, y, z});
        }
      }
    }
    for (std::size_t n = 0; n < distance_.size(); ++n) distance_[n] -= straight_[n];
    return std::move(distance_);
  }

 private:
  using Entry = std::pair<double, std::size_t>;

  void start() {
    const auto add = [&](std::size_t n) {
      if (direct_[n] != 0) return;
      direct_[n] = 1;
      distance_[n] = straight_[n];
      queue_.push({distance_[n], n});
    };
    const double reach = grid_.size * (0.87 + slack);  // half a cell's diagonal
    for (std::size_t n = 0; n < part_.nodes.size(); ++n) {
      if (straight_[n] <= reach && crosses_cell(grid_, part_.nodes[n], bone_)) add(n);
    }
    for (const Vec3& p : outside_samples(grid_, part_, bone_)) {
      double nearest = infinite;
      for (const Cell& c : part_.nodes) {
        nearest = std::min(nearest, length_squared(grid_.center(c) - p));
      }
      for (std::size_t n = 0; n < part_.nodes.size(); ++n) {
        if (length_squared(grid_.center(part_.nodes[n]) - p) <= nearest * (1 + slack)) add(n);
      }
    }
  }

  // Whether the straight way from a cell to the bone passes on into its neighbour at -step.
  bool on_the_way(const Vec3& center, const Cell& step) const {
    const Vec3 way = bone_.at(closest_on(bone_, center)) - center;
    const double longest = std::max({std::fabs(way.x), std::fabs(way.y), std::fabs(way.z)});
    if (!(longest > 0)) return true;
    for (std::size_t i = 0; i < 3; ++i) {
      if (std::fabs(way[i] / longest + step[i]) > 0.5 + slack) return false;
    }
    return true;
  }

  void visit(std::size_t n, const Cell& step) {
    const Cell& from = part_.nodes[n];
    const Cell to = {from[0] + step[0], from[1] + step[1], from[2] + step[2]};
    const int found = part_.node_at[part_.index(to)];
    if (found < 0) return;
    const auto m = static_cast<std::size_t>(found);
    if (done_[m] != 0 || direct_[m] != 0) return;
    double d;
    if (direct_[n] != 0 && on_the_way(grid_.center(to), step)) {
      d = straight_[m];
      direct_[m] = 1;
    } else {
      const int axes = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
      d = distance_[n] + grid_.size * std::sqrt(double(axes));
      if (axes == 1) d = std::min(d, from_axes(to));
      d = std::max(d, straight_[m]);
    }
    if (d < distance_[m] || direct_[m] != 0) {
      distance_[m] = d;
      queue_.push({d, m});
    }
  }

  double from_axes(const Cell& cell) const {
    std::array<double, 3> known;
    for (std::size_t i = 0; i < 3; ++i) {
      known[i] = infinite;
      for (const int side : {-1, 1}) {
        Cell other = cell;
        other[i] += side;
        const int n = part_.node_at[part_.index(other)];
        if (n >= 0 && done_[static_cast<std::size_t>(n)] != 0) {
          known[i] = std::min(known[i], distance_[static_cast<std::size_t>(n)]);
        }
      }
    }
    return eikonal(known, grid_.size);
  }

  const VoxelGrid& grid_;
  const VoxelPart& part_;
  const Segment& bone_;
  std::vector<double> straight_, distance_;
  std::vector<char> direct_, done_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

bool passes_through(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone) {
  return std::any_of(part.nodes.begin(), part.nodes.end(),
                     [&](const Cell& c) { return crosses_cell(grid, c, bone); });
}

double nearest_cell(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone) {
  double nearest = infinite;
  for (const Cell& c : part.nodes) {
    nearest = std::min(nearest, distance_squared(bone, grid.center(c)));
  }
  return nearest;
}

std::vector<double> detours(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone) {
  return March(grid, part, bone).run();
}

}  // namespace sinew::detail
