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

bool crosses_cell(const VoxelGrid& grid, const VoxelCell& cell, const Segment& bone) {
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
    VoxelCell cell;
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

// The nodes that a bone is at: those of cells it passes through, and those nearest to its stretches
// outside.
std::vector<std::size_t> entries(const VoxelGrid& grid, const VoxelPart& part,
                                 const Segment& bone) {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < part.nodes.size(); ++n) {
    if (crosses_cell(grid, part.nodes[n], bone)) found.push_back(n);
  }
  for (const Vec3& p : outside_samples(grid, part, bone)) {
    double nearest = infinite;
    for (const VoxelCell& c : part.nodes) {
      nearest = std::min(nearest, length_squared(grid.center(c) - p));
    }
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
      if (length_squared(grid.center(part.nodes[n]) - p) <= nearest * (1 + slack)) {
        found.push_back(n);
      }
    }
  }
  return found;
}

// The 26 neighbours of a node.
struct Step {
  VoxelCell cells;
  std::ptrdiff_t offset = 0;  // in VoxelPart::node_at
  double length = 0;
  bool along_axis = false;
};

std::vector<Step> steps_of(const VoxelGrid& grid, const VoxelPart& part) {
  std::vector<Step> steps;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const int axes = std::abs(x) + std::abs(y) + std::abs(z);
        if (axes == 0) continue;
        const std::ptrdiff_t row = part.counts[0];
        steps.push_back({{x, y, z},
                         x + row * (y + z * static_cast<std::ptrdiff_t>(part.counts[1])),
                         grid.size * std::sqrt(double(axes)),
                         axes == 1});
      }
    }
  }
  return steps;
}

using Entry = std::pair<double, std::size_t>;
using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

// Lowers each value to the least of value + way over all nodes.
void spread(const VoxelPart& part, std::span<const Step> steps, double step_scale,
            std::vector<double>& values) {
  Queue queue;
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (values[n] < infinite) queue.push({values[n], n});
  }
  while (!queue.empty()) {
    const auto [d, n] = queue.top();
    queue.pop();
    if (d > values[n]) continue;
    const auto at = static_cast<std::ptrdiff_t>(part.index(part.nodes[n]));
    for (const Step& step : steps) {
      const int found = part.node_at[at + step.offset];
      if (found < 0) continue;
      double& value = values[found];
      if (d + step_scale * step.length >= value) continue;
      value = d + step_scale * step.length;
      queue.push({value, static_cast<std::size_t>(found)});
    }
  }
}

class March {
 public:
  March(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone,
        std::span<const double> longest)
      : grid_(grid),
        part_(part),
        longest_(longest),
        steps_(steps_of(grid, part)),
        straight_(part.nodes.size()),
        way_(part.nodes.size()),
        distance_(part.nodes.size(), infinite),
        direct_(part.nodes.size(), 0),
        done_(part.nodes.size(), 0) {
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
      const Vec3 center = grid.center(part.nodes[n]);
      const Vec3 way = bone.at(closest_on(bone, center)) - center;
      const double most = std::max({std::fabs(way.x), std::fabs(way.y), std::fabs(way.z)});
      straight_[n] = length(way);
      way_[n] = most > 0 ? way / most : way;
    }
    for (const std::size_t n : entries(grid, part, bone)) {
      if (direct_[n] != 0) continue;
      direct_[n] = 1;
      distance_[n] = straight_[n];
      queue_.push({distance_[n], n});
    }
  }

  std::vector<double> run() {
    while (!queue_.empty()) {
      const auto [d, n] = queue_.top();
      queue_.pop();
      if (done_[n] != 0) continue;
      done_[n] = 1;
      const auto at = static_cast<std::ptrdiff_t>(part_.index(part_.nodes[n]));
      for (const Step& step : steps_) {
        const std::size_t place = at + step.offset;
        const int found = part_.node_at[place];
        if (found >= 0) visit(n, static_cast<std::size_t>(found), place, step);
      }
    }
    for (std::size_t n = 0; n < distance_.size(); ++n) distance_[n] -= straight_[n];
    return std::move(distance_);
  }

 private:
  // Whether the straight way from a node to the bone passes on into its neighbour at -step.
  bool on_the_way(std::size_t n, const VoxelCell& step) const {
    const Vec3& way = way_[n];
    return std::fabs(way.x + step[0]) <= 0.5 + slack && std::fabs(way.y + step[1]) <= 0.5 + slack &&
           std::fabs(way.z + step[2]) <= 0.5 + slack;
  }

  void visit(std::size_t n, std::size_t m, std::size_t place, const Step& step) {
    if (done_[m] != 0 || direct_[m] != 0 || straight_[m] > longest_[m]) return;
    double d = straight_[m];
    if (direct_[n] != 0 && on_the_way(m, step.cells)) {
      direct_[m] = 1;
    } else {
      double around = distance_[n] + step.length;
      if (step.along_axis) around = std::min(around, from_axes(place));
      d = std::max(d, around);
      if (d >= distance_[m] || d > longest_[m]) return;
    }
    distance_[m] = d;
    queue_.push({d, m});
  }

  double from_axes(std::size_t place) const {
    const std::array<std::size_t, 3> strides = {
        1, static_cast<std::size_t>(part_.counts[0]),
        static_cast<std::size_t>(part_.counts[0]) * static_cast<std::size_t>(part_.counts[1])};
    std::array<double, 3> known;
    for (std::size_t i = 0; i < 3; ++i) {
      known[i] = infinite;
      for (const std::size_t other : {place - strides[i], place + strides[i]}) {
        const int n = part_.node_at[other];
        if (n >= 0 && done_[n] != 0) {
          known[i] = std::min(known[i], distance_[n]);
        }
      }
    }
    return eikonal(known, grid_.size);
  }

  const VoxelGrid& grid_;
  const VoxelPart& part_;
  std::span<const double> longest_;
  std::vector<Step> steps_;
  std::vector<double> straight_;
  std::vector<Vec3> way_;  // to the bone, its largest component 1 or -1
  std::vector<double> distance_;
  std::vector<char> direct_, done_;
  Queue queue_;
};

}  // namespace

bool passes_through(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone) {
  return std::any_of(part.nodes.begin(), part.nodes.end(),
                     [&](const VoxelCell& c) { return crosses_cell(grid, c, bone); });
}

double nearest_cell(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone) {
  double nearest = infinite;
  for (const VoxelCell& c : part.nodes) {
    nearest = std::min(nearest, distance_squared(bone, grid.center(c)));
  }
  return nearest;
}

std::vector<double> reach(const VoxelGrid& grid, const VoxelPart& part,
                          std::span<const Segment> bones, std::span<const std::size_t> wanted,
                          double factor) {
  const std::vector<Step> steps = steps_of(grid, part);
  std::vector<double> nearest(part.nodes.size(), infinite);
  for (const Segment& bone : bones) {
    for (const std::size_t n : entries(grid, part, bone)) {
      nearest[n] =
          std::min(nearest[n], std::sqrt(distance_squared(bone, grid.center(part.nodes[n]))));
    }
  }
  // Steps from cell to cell are never shorter than the real way, and longer by less than a sixth.
  spread(part, steps, 1, nearest);
  std::vector<double> longest(part.nodes.size(), infinite);
  for (const std::size_t n : wanted) {
    if (nearest[n] < infinite) longest[n] = -factor * (nearest[n] + grid.size);
  }
  spread(part, steps, 5.0 / 6, longest);
  for (double& l : longest) l = -l;
  return longest;
}

std::vector<double> detours(const VoxelGrid& grid, const VoxelPart& part, const Segment& bone,
                            std::span<const double> longest) {
  return March(grid, part, bone, longest).run();
}

}  // namespace sinew::detail
