// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/medial_bones.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/picture/detail/background.h"
#include "sinew/picture/detail/islands.h"
#include "sinew/picture/detail/medial_axis.h"

namespace sinew {
namespace {

using detail::AxisBranch;
using detail::AxisPoint;
using detail::AxisTree;

constexpr int coarse_side = 512;

// Blocks of `step` pixels are inside where half of their pixels are, and also where only some are
// but none around are: thin lines.
Mask coarse(const Mask& mask, int step) {
  if (step == 1) return mask;
  const int width = (mask.width + step - 1) / step, height = (mask.height + step - 1) / step;
  std::vector<int> counts(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  Mask result(width, height);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) counts[result.index(x / step, y / step)] += mask.at(x, y);
  }
  const auto full = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < height &&
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

bool has_children(const AxisTree& tree, std::size_t branch) {
  return std::any_of(tree.branches.begin(), tree.branches.end(),
                     [&](const AxisBranch& b) { return b.parent == static_cast<int>(branch); });
}

void remove_branch(AxisTree& tree, std::size_t branch) {
  tree.branches.erase(tree.branches.begin() + static_cast<std::ptrdiff_t>(branch));
  for (AxisBranch& b : tree.branches) b.parent -= b.parent > static_cast<int>(branch);
}

// One branch in place of the two that are left at the root, from the thicker end.
void join_at_root(AxisTree& tree) {
  AxisBranch a = tree.branches[0], b = tree.branches[1];
  if (a.points.back().radius < b.points.back().radius) std::swap(a, b);
  std::reverse(a.points.begin(), a.points.end());
  a.points.insert(a.points.end(), b.points.begin() + 1, b.points.end());
  tree.root = a.points.front();
  tree.branches = {{-1, std::move(a.points)}};
}

// A branch that goes on as a single one becomes one with it.
void join_chains(AxisTree& tree) {
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    int next = -1, count = 0;
    for (std::size_t k = 0; k < tree.branches.size(); ++k) {
      if (tree.branches[k].parent != static_cast<int>(i)) continue;
      next = static_cast<int>(k);
      ++count;
    }
    if (count != 1) continue;
    const AxisBranch tail = tree.branches[static_cast<std::size_t>(next)];
    AxisBranch& head = tree.branches[i];
    head.points.insert(head.points.end(), tail.points.begin() + 1, tail.points.end());
    for (AxisBranch& b : tree.branches) {
      if (b.parent == next) b.parent = static_cast<int>(i);
    }
    remove_branch(tree, static_cast<std::size_t>(next));
    --i;
  }
}

int count_branches(const std::vector<AxisTree>& trees) {
  int count = 0;
  for (const AxisTree& tree : trees) count += static_cast<int>(tree.branches.size());
  return count;
}

// Gives up the branches that stand out least until `most` are left, or one for each tree.
void merge(std::vector<AxisTree>& trees, int most) {
  while (count_branches(trees) > most) {
    AxisTree* chosen = nullptr;
    std::size_t branch = 0;
    double least = 0;
    for (AxisTree& tree : trees) {
      if (tree.branches.size() < 2) continue;
      for (std::size_t i = 0; i < tree.branches.size(); ++i) {
        if (has_children(tree, i)) continue;
        const double out = detail::standing_out(tree.branches[i]);
        if (chosen && out >= least) continue;
        chosen = &tree;
        branch = i;
        least = out;
      }
    }
    if (!chosen) return;
    if (chosen->branches.size() == 2) {
      join_at_root(*chosen);
    } else {
      remove_branch(*chosen, branch);
      join_chains(*chosen);
    }
  }
}

// Where to divide a branch, and how much that is worth.
struct Bend {
  double worth = 0;
  std::size_t at = 0;
};
Bend bend_of(const std::vector<AxisPoint>& points) {
  // Too short to be two bones.
  if (points.size() < 5) return {};
  const Vec2 a = points.front().position, way = points.back().position - a;
  const double chord = std::hypot(way.x, way.y), whole = detail::length_of(points);
  Bend bend;
  double radius = 0, along = 0;
  std::size_t middle = 1;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Vec2 d = points[i].position - a, step = points[i].position - points[i - 1].position;
    const double off =
        chord > 0 ? std::fabs(d.x * way.y - d.y * way.x) / chord : std::hypot(d.x, d.y);
    const double thick = points[i].radius + 0.5;
    along += std::hypot(step.x, step.y);
    if (2 * along <= whole) middle = i;
    radius += thick / static_cast<double>(points.size() - 2);
    // Bones shorter than the limb is thick would bend nothing.
    if (std::min(along, whole - along) > 1.5 * thick && off / thick > bend.worth) {
      bend = {off / thick, i};
    }
  }
  // What is all but straight is divided in the middle, the longest first.
  if (bend.worth < 0.2) bend.at = middle;
  bend.worth += 0.05 * whole / radius;
  return bend;
}

// Divides where it helps most until there are `count` branches, or none can be divided.
void split(std::vector<AxisTree>& trees, int count) {
  struct Choice {
    Bend bend;
    std::size_t tree, branch;
  };
  for (int have = count_branches(trees); have < count; ++have) {
    Choice best{};
    for (std::size_t t = 0; t < trees.size(); ++t) {
      for (std::size_t i = 0; i < trees[t].branches.size(); ++i) {
        const Bend bend = bend_of(trees[t].branches[i].points);
        if (bend.worth > best.bend.worth) best = {bend, t, i};
      }
    }
    if (best.bend.worth == 0) return;
    AxisTree& tree = trees[best.tree];
    const auto first = static_cast<int>(best.branch), second = first + 1;
    std::vector<AxisPoint>& points = tree.branches[best.branch].points;
    const auto cut = points.begin() + static_cast<std::ptrdiff_t>(best.bend.at);
    AxisBranch tail{first, {cut, points.end()}};
    points.erase(cut + 1, points.end());
    for (AxisBranch& b : tree.branches) b.parent += b.parent >= first;
    tree.branches.insert(tree.branches.begin() + second, std::move(tail));
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

PlaneBones bones_of(const std::vector<AxisTree>& trees, double scale) {
  PlaneBones bones;
  const auto add = [&](const AxisPoint& point) {
    bones.points.push_back(point.position * scale);
    return static_cast<int>(bones.points.size() - 1);
  };
  for (const AxisTree& tree : trees) {
    const int root = add(tree.root);
    std::vector<int> ends;
    for (const AxisBranch& b : tree.branches) {
      ends.push_back(add(b.points.back()));
      bones.segments.push_back(
          {b.parent < 0 ? root : ends[static_cast<std::size_t>(b.parent)], ends.back()});
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
      const Vec2 a = bones.points[static_cast<std::size_t>(from)],
                 way = bones.points[static_cast<std::size_t>(to)] - a, d = point.position - a;
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
PlaneBones best_bones(std::vector<AxisTree> trees, int count, double scale) {
  std::vector<AxisPoint> axis;
  for (const AxisTree& tree : trees) {
    for (const AxisBranch& branch : tree.branches) {
      axis.insert(axis.end(), branch.points.begin(), branch.points.end());
    }
  }
  double thickness = 0;
  for (const AxisPoint& point : axis) thickness += point.radius * point.radius * point.radius;
  merge(trees, count);
  double least = std::numeric_limits<double>::infinity();
  std::vector<AxisTree> best;
  for (int most = count_branches(trees); most >= static_cast<int>(trees.size()); --most) {
    merge(trees, most);
    std::vector<AxisTree> divided = trees;
    split(divided, count);
    const double off = misfit(axis, bones_of(divided, 1));
    // Branches are only given up for what can be seen: a tenth of the limbs' thickness.
    if (off >= least - 0.01 * thickness) continue;
    least = off;
    best = std::move(divided);
  }
  return bones_of(best, scale);
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
  Mask seen = coarse(mask, step);
  fill_small_holes(seen);
  std::vector<AxisTree> trees = detail::medial_axis(seen);
  const std::size_t least = trees[0].area / 100;
  trees.erase(std::find_if(trees.begin(), trees.end(),
                           [&](const AxisTree& tree) { return tree.area < least; }),
              trees.end());
  if (trees.size() > static_cast<std::size_t>(count)) trees.resize(static_cast<std::size_t>(count));
  for (AxisTree& tree : trees) {
    if (tree.branches.empty()) lengthen(tree);
  }
  PlaneBones bones = best_bones(trees, count, step);
  for (Vec2& point : bones.points) point = into_the_figure(mask, point, step);
  return bones;
}

}  // namespace sinew
