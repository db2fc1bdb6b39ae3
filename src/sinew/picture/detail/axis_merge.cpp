// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sinew/picture/detail/axis_bones.h"

namespace sinew::detail {
namespace {

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
    const AxisBranch tail = tree.branches[next];
    AxisBranch& head = tree.branches[i];
    head.points.insert(head.points.end(), tail.points.begin() + 1, tail.points.end());
    for (AxisBranch& b : tree.branches) {
      if (b.parent == next) b.parent = static_cast<int>(i);
    }
    remove_branch(tree, static_cast<std::size_t>(next));
    --i;
  }
}

bool gets_out(const AxisBranch& branch) {
  const AxisPoint& start = branch.points.front();
  return std::any_of(branch.points.begin(), branch.points.end(), [&](const AxisPoint& p) {
    return distance(p.position, start.position) > 1.4 * start.radius;
  });
}

// Takes away one of several branches, which has no children.
void give_up(AxisTree& tree, std::size_t branch) {
  if (tree.branches.size() == 2) {
    join_at_root(tree);
  } else {
    remove_branch(tree, branch);
    join_chains(tree);
  }
}

}  // namespace

int count_branches(const std::vector<AxisTree>& trees) {
  int count = 0;
  for (const AxisTree& tree : trees) count += static_cast<int>(tree.branches.size());
  return count;
}

bool has_children(const AxisTree& tree, std::size_t branch) {
  return std::any_of(tree.branches.begin(), tree.branches.end(),
                     [&](const AxisBranch& b) { return b.parent == static_cast<int>(branch); });
}

void merge(std::vector<AxisTree>& trees, int most) {
  while (count_branches(trees) > most) {
    AxisTree* chosen = nullptr;
    std::size_t branch = 0;
    double least = 0;
    for (AxisTree& tree : trees) {
      if (tree.branches.size() < 2) continue;
      for (std::size_t i = 0; i < tree.branches.size(); ++i) {
        if (has_children(tree, i)) continue;
        const double out = standing_out(tree.branches[i]);
        if (chosen && out >= least) continue;
        chosen = &tree;
        branch = i;
        least = out;
      }
    }
    if (!chosen) return;
    give_up(*chosen, branch);
  }
}

void drop_stubs(std::vector<AxisTree>& trees) {
  for (AxisTree& tree : trees) {
    for (std::size_t i = 0; i < tree.branches.size() && tree.branches.size() > 1; ++i) {
      if (has_children(tree, i) || gets_out(tree.branches[i])) continue;
      give_up(tree, i);
      // What it was a stub of may end in one now.
      i = static_cast<std::size_t>(-1);
    }
  }
}

}  // namespace sinew::detail
