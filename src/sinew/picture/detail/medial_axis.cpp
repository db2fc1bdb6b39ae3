// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/medial_axis.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "sinew/core/math.h"
#include "sinew/picture/detail/islands.h"
#include "sinew/picture/detail/simple_point.h"
#include "sinew/picture/detail/thin.h"

namespace sinew::detail {
namespace {

// The pixels of one island's skeleton, and the shortest way from each to a root.
class PixelTree {
 public:
  PixelTree(std::vector<AxisPoint> points, const std::vector<std::vector<int>>& beside)
      : points_(std::move(points)), beside_(beside), kept_(points_.size(), true) {}

  const AxisPoint& operator[](int i) const { return points_[i]; }
  int parent(int i) const { return parent_[i]; }
  const std::vector<int>& children(int i) const { return children_[i]; }
  const std::vector<int>& kept() const { return order_; }

  void grow_from(int root) {
    const std::size_t count = points_.size();
    along_.assign(count, std::numeric_limits<double>::infinity());
    parent_.assign(count, -1);
    children_.assign(count, {});
    order_.clear();
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    along_[root] = 0;
    queue.push({0, root});
    std::vector<char> done(count, 0);
    while (!queue.empty()) {
      const auto [along, i] = queue.top();
      queue.pop();
      if (std::exchange(done[i], 1)) continue;
      order_.push_back(i);
      if (parent(i) >= 0) children_[parent(i)].push_back(i);
      for (const int k : beside_[i]) {
        const double there = along + distance((*this)[i].position, (*this)[k].position);
        if (!kept_[k] || there >= along_[k]) continue;
        along_[k] = there;
        parent_[k] = i;
        queue.push({there, k});
      }
    }
  }

  // From the end of a branch to the point that it grows from, which has other children or none
  // above it.
  std::vector<int> branch_of(int end) const {
    std::vector<int> path{end};
    while (parent(path.back()) >= 0) {
      path.push_back(parent(path.back()));
      if (children(path.back()).size() > 1) break;
    }
    return path;
  }

  // Takes away all ends that hardly stand out, and then those that these leave. Both corners of a
  // stick go at once, so that its axis ends between them.
  void prune(int root) {
    for (bool again = true; again;) {
      again = false;
      grow_from(root);
      for (const int i : order_) {
        if (i == root || !children(i).empty()) continue;
        const std::vector<int> path = branch_of(i);
        if (stands_out(i, path.back())) continue;
        for (std::size_t k = 0; k + 1 < path.size(); ++k) kept_[path[k]] = false;
        again = true;
      }
    }
    grow_from(root);
  }

  // The junction with the most room, or the middle where there is none.
  int best_root() const {
    int best = -1;
    for (const int i : order_) {
      const std::size_t ways = children(i).size() + (parent(i) >= 0 ? 1 : 0);
      if (ways > 2 && (best < 0 || (*this)[i].radius > (*this)[best].radius)) best = i;
    }
    if (best >= 0) return best;
    // The last in order is the farthest end; seen from there, so is the other.
    PixelTree other = *this;
    other.grow_from(order_.back());
    const int end = other.order_.back();
    const double half = 0.5 * other.along_[end];
    int middle = end;
    while (other.along_[middle] > half) middle = other.parent(middle);
    return middle;
  }

  // Cuts off what is in the rounding of an end: of the discs that about reach the end, all before
  // the first that is as large as any.
  void trim(int root) {
    grow_from(root);
    for (const int i : std::vector<int>(order_)) {
      if (i == root || !children(i).empty()) continue;
      const std::vector<int> path = branch_of(i);
      const AxisPoint& tip = (*this)[i];
      std::size_t cut = 0;
      for (std::size_t k = 1; k + 1 < path.size(); ++k) {
        const AxisPoint& p = (*this)[path[k]];
        const double reach = distance(tip.position, p.position) + tip.radius;
        if (reach <= 1.4 * p.radius + 1.5 && p.radius > 1.05 * (*this)[path[cut]].radius) cut = k;
      }
      for (std::size_t k = 0; k < cut; ++k) kept_[path[k]] = false;
    }
    grow_from(root);
  }

 private:
  // Whether an end reaches out of the discs of the point that its branch grows from and of all
  // before that: twigs on a twig that does not reach out of the trunk do not count either. Pixels
  // themselves make ends of up to one and a half.
  bool stands_out(int end, int from) const {
    for (int i = from; i >= 0; i = parent(i)) {
      const double way = along_[end] - along_[i];
      if (way + (*this)[end].radius < 1.5 * (*this)[i].radius + 1.5) return false;
    }
    return true;
  }

  std::vector<AxisPoint> points_;
  const std::vector<std::vector<int>>& beside_;
  std::vector<char> kept_;
  std::vector<int> parent_, order_;
  std::vector<std::vector<int>> children_;
  std::vector<double> along_;
};

// Without the steps of the pixels; the ends stay.
void smooth(std::vector<AxisPoint>& points) {
  for (int round = 0; round < 6; ++round) {
    Vec2 before = points[0].position;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const Vec2 here = points[i].position;
      points[i].position = 0.25 * before + 0.5 * here + 0.25 * points[i + 1].position;
      before = here;
    }
  }
}

std::vector<AxisBranch> branches_of(const PixelTree& tree, int root) {
  std::vector<AxisBranch> branches;
  struct Start {
    int branch, from, first;
  };
  std::vector<Start> pending;
  const auto push_children = [&](int branch, int from) {
    for (const int first : tree.children(from)) pending.push_back({branch, from, first});
  };
  push_children(-1, root);
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Start start = pending[i];
    AxisBranch branch{start.branch, {tree[start.from], tree[start.first]}};
    int at = start.first;
    while (tree.children(at).size() == 1) branch.points.push_back(tree[at = tree.children(at)[0]]);
    smooth(branch.points);
    branches.push_back(std::move(branch));
    push_children(static_cast<int>(branches.size() - 1), at);
  }
  return branches;
}

// Junctions so near that their discs are mostly the same become the one nearer to the root.
void join_junctions(std::vector<AxisBranch>& branches) {
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const std::vector<AxisPoint>& points = branches[i].points;
    const bool inner = std::any_of(branches.begin(), branches.end(), [&](const AxisBranch& b) {
      return b.parent == static_cast<int>(i);
    });
    const double room = std::max(points.front().radius, points.back().radius);
    if (!inner || length_of(points) > 0.6 * room + 1.5) continue;
    const AxisBranch gone = branches[i];
    branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(i));
    for (AxisBranch& b : branches) {
      if (b.parent == static_cast<int>(i)) {
        b.parent = gone.parent;
        b.points.insert(b.points.begin(), gone.points.begin(), gone.points.end() - 1);
      } else if (b.parent > static_cast<int>(i)) {
        --b.parent;
      }
    }
    --i;
  }
}

Vec2 center_of(const std::vector<Vec2>& pixels) {
  Vec2 sum;
  for (const Vec2 p : pixels) sum = sum + p;
  return sum * (1 / static_cast<double>(pixels.size()));
}

Vec2 longest_direction(const std::vector<Vec2>& pixels) {
  const Vec2 center = center_of(pixels);
  double xx = 0, xy = 0, yy = 0;
  for (const Vec2 p : pixels) {
    const Vec2 d = p - center;
    xx += d.x * d.x;
    xy += d.x * d.y;
    yy += d.y * d.y;
  }
  const double angle = 0.5 * math::atan2(2 * xy, xx - yy);
  return {math::cos(angle), math::sin(angle)};
}

}  // namespace

double distance(const Vec2& a, const Vec2& b) { return math::hypot(b.x - a.x, b.y - a.y); }

double length_of(const std::vector<AxisPoint>& points) {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    sum += distance(points[i - 1].position, points[i].position);
  }
  return sum;
}

double standing_out(const AxisBranch& branch) {
  return length_of(branch.points) + branch.points.back().radius - branch.points.front().radius;
}

std::vector<AxisTree> medial_axis(const Mask& mask) {
  const std::vector<double> distances = distances_to_outside(mask);
  const Mask skeleton = thinned(mask, distances);
  const Islands islands = find_islands(mask);
  struct Island {
    std::vector<Vec2> pixels;
    std::vector<AxisPoint> points;
    std::vector<std::vector<int>> beside;
  };
  std::vector<Island> parts(islands.size.size());
  std::vector<int> number(mask.inside.size(), -1);
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      const std::size_t i = mask.index(x, y);
      if (!mask.inside[i]) continue;
      Island& island = parts[islands.label[i] - 1];
      island.pixels.push_back({x + 0.5, y + 0.5});
      if (!skeleton.inside[i]) continue;
      number[i] = static_cast<int>(island.points.size());
      island.points.push_back({{x + 0.5, y + 0.5}, distances[i] - 0.5});
      island.beside.emplace_back();
      for (std::size_t k = 0; k < 8; ++k) {
        const int u = x + ring_x[k], v = y + ring_y[k];
        if (!skeleton.at(u, v) || number[mask.index(u, v)] < 0) continue;
        const int other = number[mask.index(u, v)];
        island.beside.back().push_back(other);
        island.beside[other].push_back(number[i]);
      }
    }
  }
  std::vector<AxisTree> trees;
  for (const Island& island : parts) {
    PixelTree pixels(island.points, island.beside);
    const auto widest = std::max_element(
        island.points.begin(), island.points.end(),
        [](const AxisPoint& a, const AxisPoint& b) { return a.radius < b.radius; });
    const int start = static_cast<int>(widest - island.points.begin());
    pixels.prune(start);
    pixels.trim(start);
    const int root = pixels.best_root();
    pixels.grow_from(root);
    AxisTree tree{island.pixels.size(), pixels[root], branches_of(pixels, root),
                  longest_direction(island.pixels)};
    join_junctions(tree.branches);
    if (tree.branches.empty()) tree.root.position = center_of(island.pixels);
    trees.push_back(std::move(tree));
  }
  std::stable_sort(trees.begin(), trees.end(),
                   [](const AxisTree& a, const AxisTree& b) { return a.area > b.area; });
  return trees;
}

}  // namespace sinew::detail
