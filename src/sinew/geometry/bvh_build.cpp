// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr std::size_t leaf_size = 4;
constexpr std::size_t bin_count = 16;
// Deeper than this, nodes are cut at the median: at most 32 more levels for 2^32 triangles.
constexpr std::size_t max_binned_depth = Bvh::max_depth - 34;
// Ranges of more triangles are counted on several threads, and those of no more become a tree by
// one of them. Whatever the number of threads: the tree is the same.
constexpr std::size_t most_by_one_thread = 16384;

constexpr float infinity = std::numeric_limits<float>::infinity();

// The box of a triangle, in floats: where to cut is not a matter of the last digits. The low corner
// and the high one negated, so that a larger box has smaller numbers.
struct Bounds {
  std::array<float, 6> least{infinity, infinity, infinity, infinity, infinity, infinity};

  void add(const Bounds& other) {
    for (std::size_t i = 0; i < least.size(); ++i) {
      least[i] = other.least[i] < least[i] ? other.least[i] : least[i];
    }
  }
  float extent(std::size_t axis) const { return -least[axis + 3] - least[axis]; }
  float half_area() const {
    return extent(0) * extent(1) + extent(1) * extent(2) + extent(2) * extent(0);
  }
};

struct Item {
  Bounds bounds;
  Index triangle = 0;

  // Twice the middle.
  float center(std::size_t axis) const { return bounds.least[axis] - bounds.least[axis + 3]; }
};

Bounds centers_of(std::span<const Item> items) {
  Bounds centers;
  for (const Item& item : items) {
    const std::array<float, 3> c{item.center(0), item.center(1), item.center(2)};
    centers.add({{c[0], c[1], c[2], -c[0], -c[1], -c[2]}});
  }
  return centers;
}

struct Bin {
  Bounds bounds;
  std::size_t count = 0;

  void add(const Bin& other) {
    bounds.add(other.bounds);
    count += other.count;
  }
};

// Which of the equal slices of [low, high] a coordinate falls in.
struct Slices {
  float low = 0;
  float scale = 0;

  Slices(const Bounds& centers, std::size_t axis)
      : low(centers.least[axis]), scale(static_cast<float>(bin_count) / centers.extent(axis)) {}
  std::size_t operator()(float x) const {
    const float slice = (x - low) * scale;
    if (!(slice > 0)) return 0;
    return slice < static_cast<float>(bin_count) ? static_cast<std::size_t>(slice) : bin_count - 1;
  }
};

using AllSlices = std::array<Slices, 3>;
using Bins = std::array<std::array<Bin, bin_count>, 3>;

Bins bins_of(std::span<const Item> items, const AllSlices& slices) {
  Bins bins;
  for (const Item& item : items) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bins[axis][slices[axis](item.center(axis))].add({item.bounds, 1});
    }
  }
  return bins;
}

// What `of` gives for all items, on several threads if there are many; `join` adds one such result
// to another, in any order with the same result.
template <class Of, class Join>
auto gathered(std::span<const Item> items, const Of& of, const Join& join) {
  if (items.size() <= most_by_one_thread) return of(items);
  std::vector<decltype(of(items))> parts((items.size() - 1) / most_by_one_thread + 1);
  parallel_for(items.size(), most_by_one_thread, [&](std::size_t begin, std::size_t end) {
    parts[begin / most_by_one_thread] = of(items.subspan(begin, end - begin));
  });
  for (std::size_t i = 1; i < parts.size(); ++i) join(parts[0], parts[i]);
  return parts[0];
}

struct Cut {
  float cost = infinity;
  std::size_t axis = 0;
  std::size_t bin = 0;  // the first one on the right side
};

// The cut between two bins along `axis` with the least surface area heuristic.
Cut best_cut(const std::array<Bin, bin_count>& bins, std::size_t axis) {
  std::array<float, bin_count> right_cost{};
  Bin right;
  for (std::size_t i = bin_count - 1; i > 0; --i) {
    right.add(bins[i]);
    right_cost[i] =
        right.count > 0 ? right.bounds.half_area() * static_cast<float>(right.count) : -1;
  }
  Cut best;
  Bin left;
  for (std::size_t i = 1; i < bin_count; ++i) {
    left.add(bins[i - 1]);
    if (left.count == 0 || right_cost[i] < 0) continue;
    const float cost = left.bounds.half_area() * static_cast<float>(left.count) + right_cost[i];
    if (cost < best.cost) best = {cost, axis, i};
  }
  return best;
}

// Sorts the items into two sides, neither of them empty; returns where the second begins.
std::size_t split(std::span<Item> items, bool binned) {
  const Bounds centers =
      gathered(items, centers_of, [](Bounds& to, const Bounds& more) { to.add(more); });
  if (binned) {
    const AllSlices slices = {Slices(centers, 0), Slices(centers, 1), Slices(centers, 2)};
    const Bins bins = gathered(
        items, [&](std::span<const Item> some) { return bins_of(some, slices); },
        [](Bins& to, const Bins& more) {
          for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t i = 0; i < bin_count; ++i) to[axis][i].add(more[axis][i]);
          }
        });
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
  const std::size_t axis =
      centers.extent(0) >= centers.extent(1) && centers.extent(0) >= centers.extent(2) ? 0
      : centers.extent(1) >= centers.extent(2)                                         ? 1
                                                                                       : 2;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  std::nth_element(items.begin(), middle, items.end(), [axis](const Item& a, const Item& b) {
    const float x = a.center(axis);
    const float y = b.center(axis);
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

// Cuts ranges of more than `largest` items in two, until there are none; the nodes come after those
// there are, children after their parents, two at a time. Returns the ranges that are left, with
// their nodes, which have no more than their items.
std::vector<Task> cut(std::span<Item> items, const Task& whole, std::size_t largest,
                      std::vector<Bvh::Node>& nodes) {
  std::vector<Task> tasks = {whole}, left;
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    if (task.end - task.begin <= largest) {
      nodes[task.node].first = static_cast<Index>(task.begin);
      nodes[task.node].count = static_cast<Index>(task.end - task.begin);
      left.push_back(task);
      continue;
    }
    const std::size_t middle = task.begin + split(items.subspan(task.begin, task.end - task.begin),
                                                  task.depth < max_binned_depth);
    const std::size_t first = nodes.size();
    nodes[task.node].first = static_cast<Index>(first);
    nodes.resize(first + 2);
    tasks.push_back({first + 1, middle, task.end, task.depth + 1});
    tasks.push_back({first, task.begin, middle, task.depth + 1});
  }
  return left;
}

// The tree below one range, its first node for the range itself. Children are numbered from there.
std::vector<Bvh::Node> subtree(std::span<Item> items, const Task& task) {
  std::vector<Bvh::Node> nodes(1);
  nodes.reserve(task.end - task.begin);
  for (const Task& leaf : cut(items, {0, task.begin, task.end, task.depth}, leaf_size, nodes)) {
    const auto range = items.subspan(leaf.begin, leaf.end - leaf.begin);
    std::sort(range.begin(), range.end(),
              [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
  }
  return nodes;
}

Box joined(const Box& a, const Box& b) {
  return {component_min(a.low, b.low), component_max(a.high, b.high)};
}

Box box_of(std::span<const std::array<Vec3, 3>> triangles) {
  Box box{triangles[0][0], triangles[0][0]};
  for (const auto& corners : triangles) {
    for (const Vec3& p : corners) box = joined(box, {p, p});
  }
  return box;
}

std::vector<Item> items_of(const std::vector<Vec3>& positions,
                           const std::vector<Triangle>& triangles) {
  const Vec3& any = positions[triangles[0][0]];
  Box box{any, any};
  for (const Triangle& t : triangles) {
    for (const Index v : t) box = joined(box, {positions[v], positions[v]});
  }
  const Vec3 middle = box.center(), extent = box.high - box.low;
  const double size = std::max({extent.x, extent.y, extent.z});
  const double scale = size > 0 ? 1 / size : 1;
  std::vector<Item> items(triangles.size());
  parallel_for(items.size(), most_by_one_thread, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      items[t].triangle = static_cast<Index>(t);
      for (const Index v : triangles[t]) {
        const Vec3f p = to_float((positions[v] - middle) * scale);
        items[t].bounds.add({{p.x, p.y, p.z, -p.x, -p.y, -p.z}});
      }
    }
  });
  return items;
}

}  // namespace

Bvh::Bvh(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  if (triangles.empty()) return;
  std::vector<Item> items = items_of(positions, triangles);
  nodes_.emplace_back();
  const std::vector<Task> tasks = cut(items, {0, 0, items.size(), 1}, most_by_one_thread, nodes_);
  std::vector<std::vector<Node>> subtrees(tasks.size());
  parallel_for(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) subtrees[i] = subtree(items, tasks[i]);
  });

  order_.resize(items.size());
  corners_.resize(items.size());
  parallel_for(items.size(), most_by_one_thread, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle& t = triangles[items[i].triangle];
      order_[i] = items[i].triangle;
      corners_[i] = {positions[t[0]], positions[t[1]], positions[t[2]]};
    }
  });

  const std::size_t above = nodes_.size();
  std::vector<std::size_t> first(tasks.size() + 1, above);  // of each subtree, after its root
  for (std::size_t i = 0; i < tasks.size(); ++i) first[i + 1] = first[i] + subtrees[i].size() - 1;
  nodes_.resize(first.back());
  nodes_.shrink_to_fit();
  const auto find_box = [&](Node& node) {
    node.box = node.is_leaf() ? box_of(std::span(corners_).subspan(node.first, node.count))
                              : joined(nodes_[node.first].box, nodes_[node.first + 1].box);
  };
  parallel_for(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto place = [&](std::size_t k) { return k == 0 ? tasks[i].node : first[i] + k - 1; };
      for (std::size_t k = subtrees[i].size(); k-- > 0;) {
        Node& node = nodes_[place(k)] = subtrees[i][k];
        if (!node.is_leaf()) node.first = static_cast<Index>(place(node.first));
        find_box(node);
      }
      subtrees[i] = {};
    }
  });
  // Above the subtrees.
  for (std::size_t n = above; n-- > 0;) {
    if (!nodes_[n].is_leaf()) find_box(nodes_[n]);
  }
}

}  // namespace sinew
