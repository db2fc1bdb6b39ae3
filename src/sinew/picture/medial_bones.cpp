// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/medial_bones.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/picture/detail/axis_bones.h"
#include "sinew/picture/detail/background.h"
#include "sinew/picture/detail/islands.h"
#include "sinew/picture/detail/medial_axis.h"

namespace sinew {
namespace {

using detail::AxisBranch;
using detail::AxisPoint;
using detail::AxisTree;

constexpr int coarse_side = 512;

// Calls visit(x, y) for the middle of each run of at most `longest` pixels of the outside, along
// rows and columns, that has the figure at both its ends.
template <class Visit>
void for_each_gap(const Mask& mask, int longest, Visit&& visit) {
  const auto scan = [&](int count, auto&& inside, auto&& found) {
    int last = -longest - 2;
    for (int i = 0; i < count; ++i) {
      if (!inside(i)) continue;
      const int gap = i - last - 1;
      if (gap > 0 && gap <= longest) found((last + i) / 2);
      last = i;
    }
  };
  for (int y = 0; y < mask.height; ++y) {
    scan(
        mask.width, [&](int x) { return mask.at(x, y); }, [&](int x) { visit(x, y); });
  }
  for (int x = 0; x < mask.width; ++x) {
    scan(
        mask.height, [&](int y) { return mask.at(x, y); }, [&](int y) { visit(x, y); });
  }
}

// Blocks of `step` pixels are inside where half of their pixels are and no gap runs through them,
// and also where only some are but none around are: thin lines.
Mask coarse(const Mask& mask, int step) {
  if (step == 1) return mask;
  const int width = (mask.width + step - 1) / step, height = (mask.height + step - 1) / step;
  std::vector<int> counts(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  Mask result(width, height), gaps(width, height);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) counts[result.index(x / step, y / step)] += mask.at(x, y);
  }
  for_each_gap(mask, step, [&](int x, int y) { gaps.inside[gaps.index(x / step, y / step)] = 1; });
  const auto full = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < height && !gaps.at(x, y) &&
           2 * counts[result.index(x, y)] >= step * step;
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      bool any_near = false;
      for (int j = y - 1; j <= y + 1; ++j) {
        for (int i = x - 1; i <= x + 1; ++i) any_near = any_near || full(i, j);
      }
      const std::size_t i = result.index(x, y);
      result.inside[i] = full(x, y) || (!any_near && counts[i] > 0) ? 1 : 0;
    }
  }
  return result;
}

// Holes of less than a two-hundredth of what is inside would bend the axis around them.
void fill_small_holes(Mask& mask) {
  Mask outside = mask;
  for (std::uint8_t& in : outside.inside) in = in ? 0 : 1;
  Mask holes = outside;
  detail::keep_what_reaches_the_border(outside);
  for (std::size_t i = 0; i < holes.inside.size(); ++i) holes.inside[i] ^= outside.inside[i];
  const detail::Islands found = detail::find_islands(holes);
  const auto area = std::count_if(mask.inside.begin(), mask.inside.end(), [](auto i) { return i; });
  for (std::size_t i = 0; i < holes.inside.size(); ++i) {
    if (holes.inside[i] && 200 * found.size[found.label[i] - 1] < static_cast<std::size_t>(area)) {
      mask.inside[i] = 1;
    }
  }
}

// A straight branch for a blob.
void lengthen(AxisTree& tree) {
  const double half = 0.5 * std::max(1.0, tree.root.radius);
  const AxisPoint center = tree.root;
  AxisPoint from = center, to = center;
  from.position = center.position - tree.direction * half;
  to.position = center.position + tree.direction * half;
  tree.root = from;
  tree.branches = {{-1, {from, to}}};
}

// Whether the way from one place to the other lies in the mask.
bool is_open(const Mask& mask, const Vec2& from, const Vec2& to) {
  constexpr int steps = 16;
  for (int i = 0; i <= steps; ++i) {
    const Vec2 p = from + (to - from) * (double(i) / steps);
    if (!mask.at(static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y)))) {
      return false;
    }
  }
  return true;
}

// For each branch of a tree the one before it whose end meets its own, where a hole was cut open;
// -1: none. Such ends lie in one another's discs, which other ends do not.
std::vector<int> closed_rings(const AxisTree& tree, const Mask& mask) {
  const std::size_t count = tree.branches.size();
  std::vector<bool> is_end(count, true);
  for (const AxisBranch& b : tree.branches) {
    if (b.parent >= 0 && !b.apart) is_end[b.parent] = false;
  }
  std::vector<int> closed(count, -1);
  std::vector<bool> taken(count, false);
  for (std::size_t b = 0; b < count; ++b) {
    for (std::size_t a = 0; a < b && is_end[b] && closed[b] < 0; ++a) {
      if (!is_end[a] || closed[a] >= 0 || taken[a]) continue;
      const AxisPoint &p = tree.branches[a].points.back(), &q = tree.branches[b].points.back();
      const double near = std::max(3.0, 0.75 * std::min(p.radius, q.radius));
      if (detail::distance(p.position, q.position) > near) continue;
      // Something must be left for a bone.
      if (detail::distance(p.position, tree.branches[b].points.front().position) <= near) continue;
      if (!is_open(mask, p.position, q.position)) continue;
      closed[b] = static_cast<int>(a);
      taken[a] = true;
    }
  }
  return closed;
}

PlaneBones bones_of(const std::vector<AxisTree>& trees, const Mask& mask, double scale) {
  PlaneBones bones;
  const auto add = [&](const AxisPoint& point) {
    bones.points.push_back(point.position * scale);
    return static_cast<int>(bones.points.size() - 1);
  };
  for (const AxisTree& tree : trees) {
    const auto first = static_cast<int>(bones.segments.size());
    const auto end_of = [&](int branch) { return bones.segments[first + branch][1]; };
    const std::vector<int> closed = closed_rings(tree, mask);
    // What starts apart from the root goes along with what starts there.
    const auto trunk = static_cast<int>(
        std::find_if(tree.branches.begin(), tree.branches.end(),
                     [](const AxisBranch& b) { return b.parent < 0 && !b.apart; }) -
        tree.branches.begin());
    const int root = add(tree.root);
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
      const AxisBranch& b = tree.branches[i];
      const int parent = b.parent < 0 && b.apart ? trunk : b.parent;
      const int from = b.apart ? add(b.points.front()) : parent < 0 ? root : end_of(parent);
      const int to = closed[i] < 0 ? add(b.points.back()) : end_of(closed[i]);
      bones.segments.push_back({from, to});
      bones.parents.push_back(parent < 0 ? -1 : first + parent);
    }
  }
  return bones;
}

// How far the axis is from the bones, in squares, thick parts counting for more.
double misfit(const std::vector<AxisPoint>& axis, const PlaneBones& bones) {
  double sum = 0;
  for (const AxisPoint& point : axis) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& [from, to] : bones.segments) {
      const Vec2 a = bones.points[from], way = bones.points[to] - a, d = point.position - a;
      const double squared = way.x * way.x + way.y * way.y;
      const double t =
          squared > 0 ? std::clamp((d.x * way.x + d.y * way.y) / squared, 0.0, 1.0) : 0;
      const Vec2 off = d - way * t;
      nearest = std::min(nearest, off.x * off.x + off.y * off.y);
    }
    sum += (point.radius + 0.5) * nearest;
  }
  return sum;
}

// A bone can show one more branch, or where another one bends: the best of all ways to share.
PlaneBones best_bones(std::vector<AxisTree> trees, const Mask& mask, int count, double scale) {
  detail::drop_stubs(trees);
  detail::find_bodies(trees);
  std::vector<AxisTree> limbs = trees;
  detail::take_apart(limbs, std::numeric_limits<int>::max());
  std::vector<AxisPoint> axis;
  for (const AxisTree& tree : limbs) {
    for (const AxisBranch& branch : tree.branches) {
      axis.insert(axis.end(), branch.points.begin(), branch.points.end());
    }
  }
  double thickness = 0;
  for (const AxisPoint& point : axis) thickness += point.radius * point.radius * point.radius;
  detail::merge(trees, count);
  double least = std::numeric_limits<double>::infinity();
  std::vector<AxisTree> best;
  for (int most = detail::count_branches(trees); most >= static_cast<int>(trees.size()); --most) {
    detail::merge(trees, most);
    std::vector<AxisTree> divided = trees;
    detail::take_apart(divided, count);
    detail::split(divided, count);
    detail::keep_within(divided);
    const double off = misfit(axis, bones_of(divided, mask, 1));
    // Branches are only given up for what can be seen: a tenth of the limbs' thickness.
    if (off >= least - 0.01 * thickness) continue;
    least = off;
    best = std::move(divided);
  }
  return bones_of(best, mask, scale);
}

// A place that was found coarsely may lie beside a thin line: then the nearest pixel's centre.
Vec2 into_the_figure(const Mask& mask, const Vec2& point, int reach) {
  const int x = static_cast<int>(std::floor(point.x)), y = static_cast<int>(std::floor(point.y));
  if (reach == 1 || mask.at(x, y)) return point;
  double nearest = std::numeric_limits<double>::infinity();
  Vec2 place = point;
  for (int j = y - reach; j <= y + reach; ++j) {
    for (int i = x - reach; i <= x + reach; ++i) {
      if (!mask.at(i, j)) continue;
      const Vec2 center{i + 0.5, j + 0.5}, off = center - point;
      const double squared = off.x * off.x + off.y * off.y;
      if (squared >= nearest) continue;
      nearest = squared;
      place = center;
    }
  }
  return place;
}

}  // namespace

PlaneBones medial_bones(const Mask& mask, int count) {
  check_mask(mask);
  if (count < 1) throw UsageError("at least one bone must be asked for");
  const int step = (std::max(mask.width, mask.height) + coarse_side - 1) / coarse_side;
  Mask seen = mask;
  fill_small_holes(seen);
  seen = coarse(seen, step);
  std::vector<AxisTree> trees = detail::medial_axis(seen);
  const std::size_t least = trees[0].area / 100;
  trees.erase(std::find_if(trees.begin(), trees.end(),
                           [&](const AxisTree& tree) { return tree.area < least; }),
              trees.end());
  if (trees.size() > static_cast<std::size_t>(count)) trees.resize(count);
  for (AxisTree& tree : trees) {
    if (tree.branches.empty()) lengthen(tree);
  }
  PlaneBones bones = best_bones(trees, seen, count, step);
  for (Vec2& point : bones.points) point = into_the_figure(mask, point, step);
  return bones;
}

}  // namespace sinew
