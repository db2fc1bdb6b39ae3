// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/nested_dissection.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

constexpr std::size_t leaf_size = 48;

class Dissection {
 public:
  Dissection(const Graph& graph, std::span<const Vec3> points)
      : graph_(graph),
        points_(points),
        side_(points.size(), Side::low),
        partner_(points.size(), nobody),
        reached_(points.size(), 0),
        order_(points.size()) {
    std::vector<int> nodes(points.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    dissect(nodes, 0);
  }

  std::vector<int> take() { return std::move(order_); }

 private:
  enum class Side : signed char { low, high, done };
  static constexpr int nobody = -1;

  // Puts the nodes into the places from `first` on. Their neighbours that are not done are all
  // among them.
  void dissect(std::span<int> nodes, std::size_t first) {
    if (nodes.size() <= leaf_size) return finish(nodes, first);
    const std::vector<int> separator = best_cut(nodes);
    for (const int node : separator) side_[node] = Side::done;
    const auto is = [&](Side side) {
      return [this, side](int node) { return side_[node] == side; };
    };
    const auto middle = std::stable_partition(nodes.begin(), nodes.end(), is(Side::low));
    const auto end = std::stable_partition(middle, nodes.end(), is(Side::high));
    const std::span<int> lows(nodes.begin(), middle), highs(middle, end), rest(end, nodes.end());
    finish(rest, first + lows.size() + highs.size());
    if (lows.empty() || highs.empty()) {
      // Nearly all nodes are neighbours of each other: there is nothing to separate.
      finish(lows.empty() ? highs : lows, first);
      return;
    }
    dissect(lows, first);
    dissect(highs, first + lows.size());
  }

  void finish(std::span<int> nodes, std::size_t first) {
    std::sort(nodes.begin(), nodes.end());
    for (const int node : nodes) {
      side_[node] = Side::done;
      order_[first++] = node;
    }
  }

  // Cuts at the median of each axis along which the nodes extend far enough, and keeps the cut with
  // the smallest separator.
  std::vector<int> best_cut(std::span<int> nodes) {
    Vec3 low = points_[nodes[0]], high = low;
    for (const int node : nodes) {
      const Vec3& p = points_[node];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3 extent = high - low;
    const double longest = std::max({extent.x, extent.y, extent.z});
    std::vector<int> best;
    double Vec3::*best_axis = nullptr;
    double Vec3::*last_axis = nullptr;
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      if (extent.*axis < 0.5 * longest) continue;
      halve(nodes, axis);
      last_axis = axis;
      std::vector<int> separator = separate(nodes);
      if (best_axis != nullptr && separator.size() >= best.size()) continue;
      best = std::move(separator);
      best_axis = axis;
    }
    if (best_axis != last_axis) halve(nodes, best_axis);
    return best;
  }

  void halve(std::span<int> nodes, double Vec3::*axis) {
    const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
    std::nth_element(nodes.begin(), middle, nodes.end(), [&](int a, int b) {
      const double x = points_[a].*axis, y = points_[b].*axis;
      return x < y || (x == y && a < b);
    });
    for (auto node = nodes.begin(); node != nodes.end(); ++node) {
      side_[*node] = node < middle ? Side::low : Side::high;
    }
  }

  // A minimum vertex cover of the edges between the sides.
  std::vector<int> separate(std::span<const int> nodes) {
    std::vector<int> border;
    for (const int node : nodes) {
      partner_[node] = nobody;
      if (side_[node] != Side::low) continue;
      const auto neighbours = graph_[node];
      if (std::any_of(neighbours.begin(), neighbours.end(),
                      [&](int other) { return side_[other] == Side::high; })) {
        border.push_back(node);
      }
    }
    std::sort(border.begin(), border.end());
    // Each round sees each node once at most (Hopcroft and Karp without their layers).
    for (bool more = true; more;) {
      more = false;
      ++round_;
      for (const int node : border) {
        if (partner_[node] == nobody && find_partner(node)) more = true;
      }
    }
    // By König's theorem, the high-side nodes reached by the last, failed search and the low-side
    // nodes it did not reach cover all edges.
    std::vector<int> cover;
    for (const int node : border) {
      if (reached_[node] != round_) cover.push_back(node);
    }
    for (const int node : nodes) {
      if (side_[node] == Side::high && reached_[node] == round_) cover.push_back(node);
    }
    return cover;
  }

  bool find_partner(int node) {
    reached_[node] = round_;
    for (const int other : graph_[node]) {
      if (side_[other] != Side::high || reached_[other] == round_) continue;
      reached_[other] = round_;
      if (partner_[other] == nobody || find_partner(partner_[other])) {
        partner_[other] = node;
        partner_[node] = other;
        return true;
      }
    }
    return false;
  }

  const Graph& graph_;
  std::span<const Vec3> points_;
  std::vector<Side> side_;
  std::vector<int> partner_;  // in a matching of nodes across the cut
  std::vector<int> reached_;  // in which round
  std::vector<int> order_;
  int round_ = 0;
};

}  // namespace

std::vector<int> nested_dissection(const Graph& graph, std::span<const Vec3> points) {
  return Dissection(graph, points).take();
}

}  // namespace sinew::detail
