// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sinew/core/internal/bits.h"
#include "sinew/core/internal/unset.h"
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

// Vectors of the compiler's own; the last lane is not used.
using Lanes = float __attribute__((vector_size(16)));
using Whole = std::int32_t __attribute__((vector_size(16)));

Lanes least_of(Lanes a, Lanes b) { return a < b ? a : b; }

// The box of a triangle, in floats: where to cut is not a matter of the last digits. The low corner
// and the high one negated, so that a larger box has smaller numbers.
struct Bounds {
  Lanes low{infinity, infinity, infinity, infinity};
  Lanes high{infinity, infinity, infinity, infinity};  // negated

  void add(const Bounds& other) {
    low = least_of(other.low, low);
    high = least_of(other.high, high);
  }
  float extent(std::size_t axis) const { return -high[axis] - low[axis]; }
  float half_area() const {
    const Lanes size = -high - low;
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
  }
};

// A triangle and its bounds, in half a cache line.
struct Item {
  std::array<float, 3> low{};
  Index triangle = 0;
  std::array<float, 3> high{};  // negated
  float unused = 0;

  Bounds bounds() const {
    auto [first, second] = bits_as<std::array<Whole, 2>>(*this);
    // As a float, the triangle's number is so small that some machines are slow with it.
    first &= Whole{-1, -1, -1, 0};
    return {bits_as<Lanes>(first), bits_as<Lanes>(second)};
  }
  // Twice the middle.
  float center(std::size_t axis) const { return low[axis] - high[axis]; }
};

Lanes center_of(const Bounds& bounds) { return bounds.low - bounds.high; }

void add_center(Bounds& centers, const Lanes& center) { centers.add({center, -center}); }

Bounds centers_of(std::span<const Item> items) {
  Bounds centers;
  for (const Item& item : items) add_center(centers, center_of(item.bounds()));
  return centers;
}

struct Bin {
  Bounds bounds;
  std::size_t count = 0;

  void add(const Bin& other) {
    bounds.add(other.bounds);
    count += other.count;
  }
  float cost() const { return bounds.half_area() * static_cast<float>(count); }
};

// Which of the equal slices of a box a point falls in, along each axis.
struct Slices {
  Lanes low, scale;

  explicit Slices(const Bounds& box)
      : low(box.low), scale(static_cast<float>(bin_count) / (-box.high - box.low)) {}
  Whole operator()(Lanes point) const {
    constexpr auto count = static_cast<float>(bin_count);
    const Lanes zero{}, end = zero + count, last = zero + (count - 1);
    Lanes slice = (point - low) * scale;
    slice = slice > zero ? slice : zero;  // where the box has no extent, too
    slice = slice < end ? slice : last;
    return __builtin_convertvector(slice, Whole);
  }
};

using Bins = std::array<std::array<Bin, bin_count>, 3>;

Bins bins_of(std::span<const Item> items, const Slices& slices) {
  Bins bins;
  for (const Item& item : items) {
    const Bounds bounds = item.bounds();
    const Whole slice = slices(center_of(bounds));
    for (std::size_t axis = 0; axis < 3; ++axis) bins[axis][slice[axis]].add({bounds, 1});
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

// The cut between two bins along `axis` with the least surface area heuristic. Only right behind a
// bin that is not empty: a little farther on, both sides are the same.
Cut best_cut(const std::array<Bin, bin_count>& bins, std::size_t axis) {
  std::array<std::size_t, bin_count> used;
  std::size_t count = 0;
  for (std::size_t i = 0; i < bin_count; ++i) {
    if (bins[i].count > 0) used[count++] = i;
  }
  std::array<float, bin_count> right_cost;
  Bin right;
  for (std::size_t k = count; k-- > 1;) {
    right.add(bins[used[k]]);
    right_cost[k] = right.cost();
  }
  Cut best;
  Bin left;
  for (std::size_t k = 1; k < count; ++k) {
    left.add(bins[used[k - 1]]);
    const float cost = left.cost() + right_cost[k];
    if (cost < best.cost) best = {cost, axis, used[k - 1] + 1};
  }
  return best;
}

// A range of the items, and the box of their centres.
struct Task {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  Bounds centers;

  std::size_t size() const { return end - begin; }
};

// The two sides of a range, neither of them empty, into which its items are sorted. Their nodes are
// not known yet.
std::array<Task, 2> split(std::span<Item> all, const Task& task) {
  const std::span<Item> items = all.subspan(task.begin, task.size());
  const Bounds& centers = task.centers;
  const auto sides = [&](std::size_t middle, const Bounds& left, const Bounds& right) {
    return std::array<Task, 2>{Task{0, task.begin, task.begin + middle, task.depth + 1, left},
                               Task{0, task.begin + middle, task.end, task.depth + 1, right}};
  };
  if (task.depth < max_binned_depth) {
    const Slices slices(centers);
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
      const auto first_right = static_cast<std::int32_t>(best.bin);
      Bounds left, right;
      std::size_t middle = 0, end = items.size();
      while (middle < end) {
        Item& item = items[middle];
        const Lanes center = center_of(item.bounds());
        if (slices(center)[best.axis] < first_right) {
          add_center(left, center);
          ++middle;
        } else {
          add_center(right, center);
          std::swap(item, items[--end]);
        }
      }
      return sides(middle, left, right);
    }
  }
  const std::size_t axis =
      centers.extent(0) >= centers.extent(1) && centers.extent(0) >= centers.extent(2) ? 0
      : centers.extent(1) >= centers.extent(2)                                         ? 1
                                                                                       : 2;
  const std::size_t middle = items.size() / 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(),
                   [axis](const Item& a, const Item& b) {
                     const float x = a.center(axis);
                     const float y = b.center(axis);
                     return x < y || (x == y && a.triangle < b.triangle);
                   });
  return sides(middle, centers_of(items.first(middle)), centers_of(items.subspan(middle)));
}

// Gives a node two children, which come after all nodes that there are, for the two sides.
void add_children(std::array<Task, 2>& sides, std::size_t parent, std::vector<Bvh::Node>& nodes) {
  const std::size_t first = nodes.size();
  nodes[parent].first = static_cast<Index>(first);
  nodes.resize(first + 2);
  sides[0].node = first;
  sides[1].node = first + 1;
}

// Cuts ranges of more than `most_by_one_thread` items in two, until there are none. Returns the
// ranges that are left, with their nodes.
std::vector<Task> cut_large(std::span<Item> items, const Task& whole,
                            std::vector<Bvh::Node>& nodes) {
  std::vector<Task> tasks = {whole}, left;
  while (!tasks.empty()) {
    std::vector<Task> large;
    for (const Task& task : tasks)
      (task.size() > most_by_one_thread ? large : left).push_back(task);
    std::vector<std::array<Task, 2>> halves(large.size());
    parallel_for(large.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) halves[i] = split(items, large[i]);
    });
    tasks.clear();
    for (std::size_t i = 0; i < large.size(); ++i) {
      add_children(halves[i], large[i].node, nodes);
      tasks.insert(tasks.end(), halves[i].begin(), halves[i].end());
    }
  }
  return left;
}

// The tree below one range, its first node for the range itself. Children are numbered from there.
std::vector<Bvh::Node> subtree(std::span<Item> items, const Task& whole) {
  std::vector<Bvh::Node> nodes(1);
  nodes.reserve(whole.size());
  std::vector<Task> tasks = {whole};
  tasks.back().node = 0;
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    if (task.size() > leaf_size) {
      std::array<Task, 2> sides = split(items, task);
      add_children(sides, task.node, nodes);
      tasks.insert(tasks.end(), {sides[1], sides[0]});
      continue;
    }
    nodes[task.node].first = static_cast<Index>(task.begin);
    nodes[task.node].count = static_cast<Index>(task.size());
    const auto leaf = items.subspan(task.begin, task.size());
    std::sort(leaf.begin(), leaf.end(),
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

UnsetVector<Item> items_of(const std::vector<Vec3>& positions,
                           const std::vector<Triangle>& triangles) {
  std::vector<Box> boxes((triangles.size() - 1) / most_by_one_thread + 1);
  parallel_for(triangles.size(), most_by_one_thread, [&](std::size_t begin, std::size_t end) {
    const Vec3& any = positions[triangles[begin][0]];
    Box& box = boxes[begin / most_by_one_thread] = {any, any};
    for (std::size_t t = begin; t < end; ++t) {
      for (const Index v : triangles[t]) box = joined(box, {positions[v], positions[v]});
    }
  });
  const Box box = std::reduce(boxes.begin() + 1, boxes.end(), boxes[0], joined);
  const Vec3 middle = box.center(), extent = box.high - box.low;
  const double size = std::max({extent.x, extent.y, extent.z});
  const double scale = size > 0 ? 1 / size : 1;
  UnsetVector<Item> items(triangles.size());
  parallel_for(items.size(), most_by_one_thread, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      Bounds bounds;
      for (const Index v : triangles[t]) {
        const Vec3f p = to_float((positions[v] - middle) * scale);
        bounds.add({Lanes{p.x, p.y, p.z, 0}, Lanes{-p.x, -p.y, -p.z, 0}});
      }
      const auto& [low, high] = bounds;
      items[t] = {{low[0], low[1], low[2]}, static_cast<Index>(t), {high[0], high[1], high[2]}, 0};
    }
  });
  return items;
}

}  // namespace

Bvh::Bvh(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  require_sound(positions, triangles);
  if (triangles.empty()) return;
  UnsetVector<Item> items = items_of(positions, triangles);
  nodes_.emplace_back();
  const Bounds centers =
      gathered(items, centers_of, [](Bounds& to, const Bounds& more) { to.add(more); });
  const std::vector<Task> tasks = cut_large(items, {0, 0, items.size(), 1, centers}, nodes_);
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
