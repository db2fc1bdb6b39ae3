// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sinew/geometry/bvh.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr std::size_t leaf_size = 4;
constexpr std::size_t bin_count = 16;
// Deeper than this, nodes are cut at the median: at most 32 more levels for 2^32 triangles.
constexpr std::size_t max_binned_depth = Bvh::max_depth - 34;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Box empty_box = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};

void grow(Box& box, const Vec3& p) {
  box.low = component_min(box.low, p);
  box.high = component_max(box.high, p);
}

void grow(Box& box, const Box& other) {
  box.low = component_min(box.low, other.low);
  box.high = component_max(box.high, other.high);
}

double half_area(const Box& box) {
  const Vec3 d = box.high - box.low;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

struct Item {
  Box box;
  Index triangle = 0;

  double center(std::size_t axis) const { return 0.5 * box.low[axis] + 0.5 * box.high[axis]; }
};

struct Bin {
  Box box = empty_box;
  std::size_t count = 0;
};

// Which of the equal slices of [low, high] a coordinate falls in.
struct Slices {
  double low = 0;
  double scale = 0;

  Slices(double from, double to) : low(from), scale(static_cast<double>(bin_count) / (to - from)) {}
  std::size_t operator()(double x) const {
    const double slice = (x - low) * scale;
    if (!(slice > 0)) return 0;
    return slice < static_cast<double>(bin_count) ? static_cast<std::size_t>(slice) : bin_count - 1;
  }
};

struct Cut {
  double cost = infinity;
  std::size_t axis = 0;
  std::size_t bin = 0;  // the first one on the right side
};

// The cut between two bins along `axis` with the least surface area heuristic.
Cut best_cut(const std::array<Bin, bin_count>& bins, std::size_t axis) {
  std::array<double, bin_count> right_cost{};
  Bin right;
  for (std::size_t i = bin_count - 1; i > 0; --i) {
    grow(right.box, bins[i].box);
    right.count += bins[i].count;
    right_cost[i] = right.count > 0 ? half_area(right.box) * static_cast<double>(right.count) : -1;
  }
  Cut best;
  Bin left;
  for (std::size_t i = 1; i < bin_count; ++i) {
    grow(left.box, bins[i - 1].box);
    left.count += bins[i - 1].count;
    if (left.count == 0 || right_cost[i] < 0) continue;
    const double cost = half_area(left.box) * static_cast<double>(left.count) + right_cost[i];
    if (cost < best.cost) best = {cost, axis, i};
  }
  return best;
}

// Sorts the items into two sides, neither of them empty; returns where the second begins.
std::size_t split(std::span<Item> items, bool binned) {
  Box centers = empty_box;
  for (const Item& item : items) {
    grow(centers, Vec3{item.center(0), item.center(1), item.center(2)});
  }
  if (binned) {
    std::array<std::array<Bin, bin_count>, 3> bins;
    const std::array<Slices, 3> slices = {Slices(centers.low.x, centers.high.x),
                                          Slices(centers.low.y, centers.high.y),
                                          Slices(centers.low.z, centers.high.z)};
    for (const Item& item : items) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Bin& bin = bins[axis][slices[axis](item.center(axis))];
        grow(bin.box, item.box);
        ++bin.count;
      }
    }
    Cut best;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Cut cut = best_cut(bins[axis], axis);
      if (cut.cost < best.cost) best = cut;
    }
    // Boxes without area do not help to choose a cut.
    if (best.cost > 0 && best.cost < infinity) {
      const auto middle = std::partition(items.begin(), items.end(), [&](const Item& item) {
        return slices[best.axis](item.center(best.axis)) < best.bin;
      });
      return static_cast<std::size_t>(middle - items.begin());
    }
  }
  const Vec3 extent = centers.high - centers.low;
  const std::size_t axis = extent.x >= extent.y && extent.x >= extent.z ? 0
                           : extent.y >= extent.z                       ? 1
                                                                        : 2;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  std::nth_element(items.begin(), middle, items.end(), [axis](const Item& a, const Item& b) {
    const double x = a.center(axis);
    const double y = b.center(axis);
    return x < y || (x == y && a.triangle < b.triangle);
  });
  return items.size() / 2;
}

struct Task {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
};

}  // namespace

Bvh::Bvh(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  if (triangles.empty()) return;

  std::vector<Item> items(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    items[t].box = empty_box;
    items[t].triangle = static_cast<Index>(t);
    for (const Index v : triangles[t]) grow(items[t].box, positions[v]);
  }

  nodes_.emplace_back();
  std::vector<Task> tasks = {{0, 0, items.size(), 1}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const std::span<Item> range = std::span(items).subspan(task.begin, task.end - task.begin);
    Node node;
    node.box = empty_box;
    for (const Item& item : range) grow(node.box, item.box);
    if (range.size() <= leaf_size) {
      std::sort(range.begin(), range.end(),
                [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
      node.first = static_cast<Index>(task.begin);
      node.count = static_cast<Index>(range.size());
    } else {
      const std::size_t middle = task.begin + split(range, task.depth < max_binned_depth);
      node.first = static_cast<Index>(nodes_.size());
      nodes_.resize(nodes_.size() + 2);
      tasks.push_back({node.first + std::size_t{1}, middle, task.end, task.depth + 1});
      tasks.push_back({node.first, task.begin, middle, task.depth + 1});
    }
    nodes_[task.node] = node;
  }
  nodes_.shrink_to_fit();

  order_.reserve(items.size());
  corners_.reserve(items.size());
  for (const Item& item : items) {
    const Triangle& t = triangles[item.triangle];
    order_.push_back(item.triangle);
    corners_.push_back({positions[t[0]], positions[t[1]], positions[t[2]]});
  }
}

}  // namespace sinew
