// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/self_intersections.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/geometry/triangle_pair.h"
#include "sinew/measure/detail/require.h"
#include "sinew/mesh/triangle.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 512;
constexpr std::size_t most_compared = 512 * grain;  // by the triangles of a block

bool boxes_meet(const Box& a, const Box& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (a.low[i] > b.high[i] || b.low[i] > a.high[i]) return false;
  }
  return true;
}

Box box_of(const std::array<Vec3, 3>& corners) {
  const auto& [a, b, c] = corners;
  return {component_min(component_min(a, b), c), component_max(component_max(a, b), c)};
}

bool has_no_area(const std::array<Vec3, 3>& corners) {
  return has_no_area(corners[0], corners[1], corners[2]);
}

struct Counts {
  std::size_t compared = 0, pairs = 0, created = 0;
  bool complete = true;
};

class Finder {
 public:
  Finder(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
         const std::vector<Vec3>& deformed)
      : rest_(rest),
        triangles_(triangles),
        bvh_(deformed, triangles),
        ends_(bvh_.nodes().size()),
        created_(triangles.size()) {
    for (std::size_t n = ends_.size(); n-- > 0;) {
      const Bvh::Node& node = bvh_.nodes()[n];
      ends_[n] = node.is_leaf() ? node.first + node.count : ends_[node.first + std::size_t{1}];
    }
    const std::vector<Index> joined = weld(rest, {}).representative_of;
    joined_ = triangles;
    for (Triangle& t : joined_) {
      for (Index& v : t) v = joined[v];
    }
  }

  SelfIntersections find() {
    const std::size_t count = bvh_.triangle_count();
    std::vector<Counts> blocks((count + grain - 1) / grain);
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) compare(i, blocks[begin / grain]);
    });
    SelfIntersections result;
    for (const Counts& block : blocks) {
      result.pairs += block.pairs;
      result.created += block.created;
      result.complete = result.complete && block.complete;
    }
    for (std::size_t t = 0; t < created_.size(); ++t) {
      if (created_[t].load(std::memory_order_relaxed)) {
        result.triangles.push_back(static_cast<Index>(t));
      }
    }
    return result;
  }

 private:
  // With those that come after it in the tree's order.
  void compare(std::size_t place, Counts& counts) {
    const std::array<Vec3, 3>& corners = bvh_.corners()[place];
    if (has_no_area(corners)) return;
    const Index triangle = bvh_.order()[place];
    const Box box = box_of(corners);
    std::array<Index, Bvh::max_depth + 1> stack;
    std::size_t size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const std::size_t n = stack[--size];
      const Bvh::Node& node = bvh_.nodes()[n];
      if (ends_[n] <= place + 1 || !boxes_meet(node.box, box)) continue;
      if (!node.is_leaf()) {
        stack[size++] = node.first + 1;
        stack[size++] = node.first;
        continue;
      }
      const std::size_t end = std::size_t{node.first} + node.count;
      for (std::size_t other = std::max<std::size_t>(node.first, place + 1); other < end; ++other) {
        const std::array<Vec3, 3>& other_corners = bvh_.corners()[other];
        const Index other_triangle = bvh_.order()[other];
        if (!boxes_meet(box, box_of(other_corners)) || share_a_corner(triangle, other_triangle)) {
          continue;
        }
        if (++counts.compared > most_compared) {
          counts.complete = false;
          return;
        }
        if (has_no_area(other_corners) || !triangles_meet(corners, other_corners)) continue;
        ++counts.pairs;
        if (meet_at_rest(triangle, other_triangle)) continue;
        ++counts.created;
        created_[triangle].store(true, std::memory_order_relaxed);
        created_[other_triangle].store(true, std::memory_order_relaxed);
      }
    }
  }

  bool share_a_corner(Index s, Index t) const {
    const Triangle& corners = joined_[t];
    return std::any_of(joined_[s].begin(), joined_[s].end(), [&](Index v) {
      return v == corners[0] || v == corners[1] || v == corners[2];
    });
  }

  std::array<Vec3, 3> at_rest(Index triangle) const {
    const auto& [a, b, c] = triangles_[triangle];
    return {rest_[a], rest_[b], rest_[c]};
  }

  bool meet_at_rest(Index s, Index t) const {
    const std::array<Vec3, 3> one = at_rest(s), other = at_rest(t);
    return boxes_meet(box_of(one), box_of(other)) && !has_no_area(one) && !has_no_area(other) &&
           triangles_meet(one, other);
  }

  const std::vector<Vec3>& rest_;
  const std::vector<Triangle>& triangles_;
  std::vector<Triangle> joined_;
  Bvh bvh_;
  std::vector<Index> ends_;  // per node: after its last triangle in the tree's order
  std::vector<std::atomic<bool>> created_;
};

}  // namespace

SelfIntersections self_intersections(const std::vector<Triangle>& triangles,
                                     const std::vector<Vec3>& rest,
                                     const std::vector<Vec3>& deformed) {
  detail::require_same_mesh(triangles, rest, deformed);
  return Finder(triangles, rest, deformed).find();
}

}  // namespace sinew
