// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/axis_bones.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/math.h"
#include "sinew/core/quat.h"

namespace sinew::detail {
namespace {

// Two branches in place of one: up to that point, and from it on. What grows from the branch's end
// still does.
void divide(AxisTree& tree, std::size_t branch, std::size_t at) {
  const auto first = static_cast<int>(branch), second = first + 1;
  std::vector<AxisPoint>& points = tree.branches[branch].points;
  const auto cut = points.begin() + static_cast<std::ptrdiff_t>(at);
  AxisBranch tail{first, {cut, points.end()}};
  points.erase(cut + 1, points.end());
  for (AxisBranch& b : tree.branches) b.parent += b.parent >= first;
  tree.branches.insert(tree.branches.begin() + second, std::move(tail));
}

// The first point after `from` that is outside of its disc; the last one if none is.
std::size_t leaves_disc(const AxisBranch& branch, std::size_t from) {
  const AxisPoint& disc = branch.points[from];
  std::size_t i = from + 1;
  while (i + 1 < branch.points.size() &&
         distance(branch.points[i].position, disc.position) < disc.radius) {
    ++i;
  }
  return i;
}
std::size_t leaves_start(const AxisBranch& branch) { return leaves_disc(branch, 0); }

// How much of the border of the disc at a branch's start the branch takes, in radians. One that is
// about as thick is the same body going on.
double opening(const AxisBranch& branch) {
  const double room = branch.points.front().radius,
               out = branch.points[leaves_start(branch)].radius;
  return out < 0.8 * room ? 2 * math::asin(out / room) : 0;
}

// Whether what goes on from the disc at `from`, and leaves it at `out`, is thin beside it.
bool is_thin(const AxisBranch& branch, std::size_t from, std::size_t out) {
  return out + 2 < branch.points.size() &&
         branch.points[out].radius < 0.5 * branch.points[from].radius;
}

// Ends a branch in the middle of the thickest part on its way if what goes on from there is thin,
// and lets that start apart, unless it is a stub: a beak on a head. Says whether there is one more
// branch.
bool end_in_blob(AxisTree& tree, std::size_t branch) {
  AxisBranch& b = tree.branches[branch];
  std::size_t blob = leaves_start(b);
  for (std::size_t i = blob; i < b.points.size(); ++i) {
    if (b.points[i].radius > b.points[blob].radius) blob = i;
  }
  if (blob + 1 >= b.points.size()) return false;
  const std::size_t out = leaves_disc(b, blob);
  const double way = distance(b.points.front().position, b.points[blob].position);
  if (!is_thin(b, blob, out) || way < b.points[blob].radius) return false;
  const double rest = distance(b.points[out].position, b.points.back().position);
  if (rest < 0.4 * b.points[blob].radius && !has_children(tree, branch)) {
    b.points.resize(blob + 1);
    return false;
  }
  divide(tree, branch, out);
  tree.branches[branch].points.resize(blob + 1);
  tree.branches[branch + 1].apart = true;
  return true;
}

// The root's branch that leads to the thickest part outside of the root's disc; of several the
// first.
std::size_t trunk_of(const AxisTree& tree) {
  std::vector<double> thickest(tree.branches.size(), 0);
  for (std::size_t i = tree.branches.size(); i-- > 0;) {
    const AxisBranch& b = tree.branches[i];
    for (std::size_t k = b.parent < 0 ? leaves_start(b) : 0; k < b.points.size(); ++k) {
      thickest[i] = std::max(thickest[i], b.points[k].radius);
    }
    if (b.parent < 0) continue;
    double& above = thickest[b.parent];
    above = std::max(above, thickest[i]);
  }
  std::size_t trunk = 0;
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    if (tree.branches[i].parent < 0 && thickest[i] > thickest[trunk]) trunk = i;
  }
  return trunk;
}

// Whether the segment from the first to the last point is nowhere outside of the discs of them all,
// give or take a pixel, and a twentieth of how thick it is there.
bool lies_within(const AxisPoint* first, const AxisPoint* last) {
  const Vec2 a = first->position, way = last->position - a;
  const int steps = std::clamp(static_cast<int>(math::hypot(way.x, way.y)), 2, 64);
  for (int s = 1; s < steps; ++s) {
    const Vec2 p = a + way * (double(s) / steps);
    if (std::none_of(first, last + 1, [&](const AxisPoint& disc) {
          return distance(p, disc.position) <= 1.05 * disc.radius + 1;
        })) {
      return false;
    }
  }
  return true;
}

// Where to divide a branch, and how much that is worth.
struct Bend {
  double worth = 0;
  std::size_t at = 0;
};

// What is known of a branch as a whole, whatever it has been divided into.
struct Limb {
  double least = 0;  // how long its pieces must be
  double rank = 1;   // what dividing a straight piece of it is worth
};

Limb limb_of(const AxisTree& tree, std::size_t branch) {
  const AxisBranch& b = tree.branches[branch];
  double mean = 0;
  for (const AxisPoint& p : b.points) mean += (p.radius + 0.5) / double(b.points.size());
  const AxisPoint& base = b.points[b.apart ? 0 : leaves_start(b)];
  // What tapers hardly bends: a beak, a horn, an ear.
  if (!has_children(tree, branch) && b.points.back().radius < 0.5 * base.radius) {
    return {1.5 * base.radius, 0.25};
  }
  return {0.5 * mean, 1};
}

Bend bend_of(const std::vector<AxisPoint>& points, const Limb& limb) {
  // Too short to be two bones.
  if (points.size() < 5) return {};
  const Vec2 a = points.front().position, way = points.back().position - a;
  const double chord = math::hypot(way.x, way.y), whole = length_of(points);
  if (whole < 2 * limb.least) return {};
  Bend bend;
  double radius = 0, along = 0, farthest = -1, most = 0;
  std::size_t middle = 1, far = 1;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Vec2 d = points[i].position - a;
    const double off =
        chord > 0 ? std::fabs(d.x * way.y - d.y * way.x) / chord : math::hypot(d.x, d.y);
    const double thick = points[i].radius + 0.5;
    along += distance(points[i - 1].position, points[i].position);
    if (2 * along <= whole) middle = i;
    radius += thick / static_cast<double>(points.size() - 2);
    const double shorter = std::min(along, whole - along);
    if (shorter >= limb.least && off > farthest) {
      farthest = off;
      far = i;
    }
    // Bones shorter than the limb is thick would bend nothing. Thin places bend better than thick
    // ones, but limbs are thick at their bends, too.
    if (shorter > std::max(1.5 * thick, limb.least) && off / std::sqrt(thick) > most) {
      most = off / std::sqrt(thick);
      bend = {off / thick, i};
    }
  }
  // Almost straight branches are divided in the middle, the longest first.
  const bool straight = bend.worth < 0.2;
  if (straight) bend.at = middle;
  bend.worth += 0.05 * whole / radius;
  if (straight) bend.worth *= limb.rank;
  // Before all else, bones must not leave the limb.
  if (farthest >= 0 && !lies_within(&points.front(), &points.back())) {
    if (straight) bend.at = far;
    bend.worth += 1000;
  }
  return bend;
}

}  // namespace

void find_bodies(std::vector<AxisTree>& trees) {
  for (AxisTree& tree : trees) {
    // Of the root first, then of the end of each branch.
    std::vector<double> taken(tree.branches.size() + 1, 0);
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
      AxisBranch branch = tree.branches[i];
      taken[branch.parent + 1] += opening(branch);
      std::reverse(branch.points.begin(), branch.points.end());
      taken[i + 1] += opening(branch);
    }
    for (AxisBranch& branch : tree.branches) {
      branch.has_body = taken[branch.parent + 1] < 1.5 * pi;
    }
  }
}

void take_apart(std::vector<AxisTree>& trees, int most) {
  int count = count_branches(trees);
  for (AxisTree& tree : trees) {
    for (std::size_t i = 0; i < tree.branches.size() && count < most; ++i) {
      if (end_in_blob(tree, i)) ++count;
    }
    // A single branch represents the whole island.
    if (tree.branches.size() < 2) continue;
    const std::size_t trunk = trunk_of(tree);
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
      AxisBranch& b = tree.branches[i];
      const std::size_t out = leaves_start(b);
      if (i == trunk || b.apart || !b.has_body || !is_thin(b, 0, out)) continue;
      b.points.erase(b.points.begin(), b.points.begin() + static_cast<std::ptrdiff_t>(out));
      b.apart = true;
    }
    const std::size_t out = leaves_start(tree.branches[trunk]);
    if (count < most && tree.branches[trunk].has_body && is_thin(tree.branches[trunk], 0, out)) {
      divide(tree, trunk, out);
      ++count;
    }
  }
}

void split(std::vector<AxisTree>& trees, int count) {
  std::vector<std::vector<Limb>> limbs;
  std::vector<std::vector<Bend>> bends;
  for (const AxisTree& tree : trees) {
    limbs.emplace_back();
    bends.emplace_back();
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
      limbs.back().push_back(limb_of(tree, i));
      bends.back().push_back(bend_of(tree.branches[i].points, limbs.back().back()));
    }
  }
  for (int have = count_branches(trees); have < count; ++have) {
    Bend best{};
    std::size_t t = 0, branch = 0;
    for (std::size_t k = 0; k < trees.size(); ++k) {
      for (std::size_t i = 0; i < bends[k].size(); ++i) {
        if (bends[k][i].worth <= best.worth) continue;
        best = bends[k][i];
        t = k;
        branch = i;
      }
    }
    if (best.worth == 0) return;
    divide(trees[t], branch, best.at);
    const auto next = static_cast<std::ptrdiff_t>(branch) + 1;
    const Limb limb = limbs[t][branch];
    limbs[t].insert(limbs[t].begin() + next, limb);
    bends[t][branch] = bend_of(trees[t].branches[branch].points, limb);
    bends[t].insert(bends[t].begin() + next, bend_of(trees[t].branches[branch + 1].points, limb));
  }
}

void keep_within(std::vector<AxisTree>& trees) {
  for (AxisTree& tree : trees) {
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
      std::vector<AxisPoint>& points = tree.branches[i].points;
      std::size_t last = points.size() - 1;
      while (last > 1 && !lies_within(&points.front(), &points[last])) --last;
      if (last + 1 == points.size()) continue;
      points.resize(last + 1);
      for (AxisBranch& b : tree.branches) {
        if (b.parent == static_cast<int>(i)) b.apart = true;
      }
    }
  }
}

}  // namespace sinew::detail
