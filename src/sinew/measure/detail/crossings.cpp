// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/detail/crossings.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/geometry/triangle_pair.h"
#include "sinew/mesh/triangle.h"
#include "sinew/mesh/weld.h"

namespace sinew::detail {
namespace {

constexpr std::size_t run_length = 512;                  // in triangles
constexpr std::size_t most_compared = 512 * run_length;  // by the triangles of a run
constexpr double most_worse = 2;  // than at rest, before the tree is built anew

using Corners = std::array<Vec3, 3>;

bool boxes_meet(const Box& a, const Box& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (a.low[i] > b.high[i] || b.low[i] > a.high[i]) return false;
  }
  return true;
}

Box box_of(const Corners& corners) {
  const auto& [a, b, c] = corners;
  return {component_min(component_min(a, b), c), component_max(component_max(a, b), c)};
}

bool has_no_area(const Corners& corners) { return has_no_area(corners[0], corners[1], corners[2]); }

// In floats. The map from positions to floats is monotonic, so that boxes which meet still do.
struct SmallBox {
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  std::array<float, 3> low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};

  void add(const SmallBox& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], other.low[i]);
      high[i] = std::max(high[i], other.high[i]);
    }
  }
  bool meets(const SmallBox& o) const {
    // Without branches, which would be hard to predict.
    int meet = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      meet &= static_cast<int>(low[i] <= o.high[i]) & static_cast<int>(o.low[i] <= high[i]);
    }
    return meet != 0;
  }
  double half_area() const {
    const double x = double{high[0]} - low[0], y = double{high[1]} - low[1],
                 z = double{high[2]} - low[2];
    return x * y + y * z + z * x;
  }
};

struct SmallBoxes {
  std::vector<SmallBox> triangles;  // in the tree's order
  std::vector<SmallBox> nodes;
};

std::vector<Vec3f> in_floats(const std::vector<Vec3>& positions,
                             const std::vector<Triangle>& triangles) {
  if (triangles.empty()) return {};
  Box box{positions[triangles[0][0]], positions[triangles[0][0]]};
  for (const Triangle& t : triangles) {
    for (const Index v : t) {
      box = {component_min(box.low, positions[v]), component_max(box.high, positions[v])};
    }
  }
  const Vec3 middle = box.center(), extent = box.high - box.low;
  const double size = std::max({extent.x, extent.y, extent.z});
  const double scale = size >= std::numeric_limits<double>::min() ? 1 / size : 1;
  std::vector<Vec3f> result(positions.size());
  std::transform(positions.begin(), positions.end(), result.begin(),
                 [&](const Vec3& p) { return to_float((p - middle) * scale); });
  return result;
}

SmallBoxes boxes_for(const TriangleTree& tree, const std::vector<Triangle>& triangles,
                     const std::vector<Vec3>& positions) {
  const std::vector<Vec3f> points = in_floats(positions, triangles);
  SmallBoxes boxes;
  boxes.triangles.resize(tree.order.size());
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    for (const Index v : triangles[tree.order[i]]) {
      const Vec3f& p = points[v];
      boxes.triangles[i].add({{p.x, p.y, p.z}, {p.x, p.y, p.z}});
    }
  }
  boxes.nodes.resize(tree.nodes.size());
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const TriangleTree::Node& node = tree.nodes[n];
    if (node.count == 0) {
      boxes.nodes[n] = boxes.nodes[node.first];
      boxes.nodes[n].add(boxes.nodes[node.first + std::size_t{1}]);
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      boxes.nodes[n].add(boxes.triangles[i]);
    }
  }
  return boxes;
}

// How many boxes a line through the shape enters, about.
double cost_of(const SmallBoxes& boxes) {
  double sum = 0;
  for (const SmallBox& box : boxes.nodes) sum += box.half_area();
  return boxes.nodes.empty() ? 0 : sum / boxes.nodes[0].half_area();
}

struct CrossingCounts {
  std::size_t compared = 0, pairs = 0, created = 0;
};

class CrossingFinder {
 public:
  CrossingFinder(const TriangleTree& tree, const SmallBoxes& boxes,
                 const std::vector<Triangle>& triangles, const std::vector<Triangle>& joined,
                 const std::vector<Vec3>& rest, const std::vector<Vec3>& deformed)
      : tree_(tree),
        boxes_(boxes),
        triangles_(triangles),
        joined_(joined),
        rest_(rest),
        deformed_(deformed),
        created_(triangles.size()) {}

  SelfIntersections find() {
    std::vector<CrossingCounts> runs(tree_.runs.size() - 1);
    parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) {
        for (Index i = tree_.runs[r]; i < tree_.runs[r + 1]; ++i) {
          if (!compare_leaf(tree_.leaves[i], runs[r])) break;
        }
      }
    });
    SelfIntersections result;
    for (const CrossingCounts& run : runs) {
      result.pairs += run.pairs;
      result.created += run.created;
      result.complete = result.complete && run.compared <= most_compared;
    }
    for (std::size_t t = 0; t < created_.size(); ++t) {
      if (created_[t].load(std::memory_order_relaxed)) {
        result.triangles.push_back(static_cast<Index>(t));
      }
    }
    return result;
  }

 private:
  // With itself and with those after it; false if that was too much.
  bool compare_leaf(std::size_t leaf, CrossingCounts& counts) {
    const SmallBox& box = boxes_.nodes[leaf];
    const Index begin = tree_.nodes[leaf].first;
    std::array<Index, Bvh::max_depth + 1> stack;
    std::size_t size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const std::size_t n = stack[--size];
      const TriangleTree::Node& node = tree_.nodes[n];
      if (node.end <= begin || !boxes_.nodes[n].meets(box)) continue;
      if (node.count == 0) {
        stack[size++] = node.first + 1;
        stack[size++] = node.first;
      } else if (!compare_leaves(leaf, n, counts)) {
        return false;
      }
    }
    return true;
  }

  bool compare_leaves(std::size_t leaf, std::size_t other, CrossingCounts& counts) {
    const TriangleTree::Node& one = tree_.nodes[leaf];
    const TriangleTree::Node& two = tree_.nodes[other];
    for (Index i = one.first; i < one.end; ++i) {
      const SmallBox& box = boxes_.triangles[i];
      if (!box.meets(boxes_.nodes[other])) continue;
      for (Index j = leaf == other ? i + 1 : two.first; j < two.end; ++j) {
        if (!box.meets(boxes_.triangles[j])) continue;
        if (!compare(tree_.order[i], tree_.order[j], counts)) return false;
      }
    }
    return true;
  }

  bool compare(Index s, Index t, CrossingCounts& counts) {
    if (share_a_corner(s, t)) return true;
    const Corners one = corners(s, deformed_), other = corners(t, deformed_);
    if (!boxes_meet(box_of(one), box_of(other))) return true;
    if (++counts.compared > most_compared) return false;
    if (has_no_area(one) || has_no_area(other) || !triangles_meet(one, other)) return true;
    ++counts.pairs;
    if (meet_at_rest(s, t)) return true;
    ++counts.created;
    created_[s].store(true, std::memory_order_relaxed);
    created_[t].store(true, std::memory_order_relaxed);
    return true;
  }

  bool share_a_corner(Index s, Index t) const {
    const Triangle& other = joined_[t];
    return std::any_of(joined_[s].begin(), joined_[s].end(),
                       [&](Index v) { return v == other[0] || v == other[1] || v == other[2]; });
  }

  Corners corners(Index triangle, const std::vector<Vec3>& positions) const {
    const auto& [a, b, c] = triangles_[triangle];
    return {positions[a], positions[b], positions[c]};
  }

  bool meet_at_rest(Index s, Index t) const {
    const Corners one = corners(s, rest_), other = corners(t, rest_);
    return boxes_meet(box_of(one), box_of(other)) && !has_no_area(one) && !has_no_area(other) &&
           triangles_meet(one, other);
  }

  const TriangleTree& tree_;
  const SmallBoxes& boxes_;
  const std::vector<Triangle>& triangles_;
  const std::vector<Triangle>& joined_;
  const std::vector<Vec3>& rest_;
  const std::vector<Vec3>& deformed_;
  std::vector<std::atomic<bool>> created_;
};

}  // namespace

TriangleTree::TriangleTree(const std::vector<Vec3>& positions,
                           const std::vector<Triangle>& triangles) {
  const Bvh bvh(positions, triangles);
  order.assign(bvh.order().begin(), bvh.order().end());
  nodes.resize(bvh.nodes().size());
  for (std::size_t n = nodes.size(); n-- > 0;) {
    const Bvh::Node& node = bvh.nodes()[n];
    nodes[n] = {node.first, node.count,
                node.is_leaf() ? node.first + node.count : nodes[node.first + std::size_t{1}].end};
    if (node.is_leaf()) leaves.push_back(static_cast<Index>(n));
  }
  std::sort(leaves.begin(), leaves.end(),
            [&](Index a, Index b) { return nodes[a].first < nodes[b].first; });
  runs.push_back(0);
  for (std::size_t i = 1; i < leaves.size(); ++i) {
    if (nodes[leaves[i]].first / run_length != nodes[leaves[i - 1]].first / run_length) {
      runs.push_back(static_cast<Index>(i));
    }
  }
  if (!leaves.empty()) runs.push_back(static_cast<Index>(leaves.size()));
}

Crossings::Crossings(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest)
    : triangles_(triangles), rest_(rest), joined_(triangles), tree_(rest, triangles) {
  const std::vector<Index> same = weld(rest, {}).representative_of;
  for (Triangle& t : joined_) {
    for (Index& v : t) v = same[v];
  }
  cost_ = cost_of(boxes_for(tree_, triangles_, rest_));
}

SelfIntersections Crossings::find(const std::vector<Vec3>& deformed) const {
  const TriangleTree* tree = &tree_;
  SmallBoxes boxes = boxes_for(tree_, triangles_, deformed);
  std::optional<TriangleTree> fresh;
  // Written so that shapes without an area at rest get a tree of their own, too.
  if (!(cost_of(boxes) <= most_worse * cost_)) {
    tree = &fresh.emplace(deformed, triangles_);
    boxes = boxes_for(*tree, triangles_, deformed);
  }
  return CrossingFinder(*tree, boxes, triangles_, joined_, rest_, deformed).find();
}

}  // namespace sinew::detail
