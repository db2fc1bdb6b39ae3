// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_ways.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "sinew/core/parallel.h"
#include "sinew/geometry/flatness.h"

namespace sinew::detail {
namespace {

constexpr std::size_t fewest_seeing = 10;  // one in so many
constexpr double farthest_seed = 5;        // times the distance to the nearest bone in sight
constexpr std::size_t looking_at_once = 256;
constexpr double no_way = std::numeric_limits<double>::infinity();

struct Glimpse {
  double squared = 0;
  Vec3 point;
  int bone = 0;
};

// The stretches of the bones wanted (empty: of all), as points nearest to p, the nearest first.
void gather(const Vec3& p, const std::vector<Stretch>& stretches, std::span<const char> wanted,
            std::vector<Glimpse>& found) {
  found.clear();
  for (const Stretch& stretch : stretches) {
    if (!wanted.empty() && wanted[stretch.handle] == 0) continue;
    const Vec3 point = stretch.segment.at(closest_on(stretch.segment, p));
    found.push_back({length_squared(point - p), point, stretch.handle});
  }
  std::sort(found.begin(), found.end(), [](const Glimpse& a, const Glimpse& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.bone < b.bone;
  });
}

}  // namespace

BoneWays::BoneWays(const Mesh& mesh, const Skeleton& skeleton)
    : welded_(weld(mesh.positions, mesh.triangles)) {
  const UnitSpace space = unit_space(mesh.positions, skeleton);
  for (Vec3& p : welded_.positions) p = space.to_unit(p);
  std::vector<Tetrahedron> tetrahedra = mesh.tetrahedra;
  for (Tetrahedron& t : tetrahedra) {
    for (Index& corner : t) corner = welded_.representative_of[corner];
  }
  neighbors_ = vertex_neighbors(welded_.positions.size(), welded_.triangles, tetrahedra);
  bones_ = bone_segments(space, skeleton);
  sight_ = make_sight(welded_.positions, welded_.triangles);
  stretches_ = sight_->cut(bones_);
  look_around();
  find_parts();
  find_blind_parts();
}

void BoneWays::look_around() {
  struct Block {
    std::vector<std::size_t> counts;
    std::vector<int> near;
  };
  const std::size_t n = welded_.positions.size();
  nearest_.assign(n, no_way);
  sees_inside_.assign(n, 0);
  std::vector<Block> blocks((n + looking_at_once - 1) / looking_at_once);
  parallel_for(n, looking_at_once, [&](std::size_t begin, std::size_t end) {
    std::vector<Glimpse> found;
    Block& block = blocks[begin / looking_at_once];
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t before = block.near.size();
      double limit = no_way;
      const auto look = [&](const std::vector<Stretch>& stretches, bool inside) {
        gather(welded_.positions[v], stretches, {}, found);
        for (const Glimpse& c : found) {
          if (c.squared > limit) break;
          if (!sight_->sees(v, c.point, inside)) continue;
          if (limit == no_way) {
            limit = near_ratio * near_ratio * c.squared;
            nearest_[v] = std::sqrt(c.squared);
          }
          block.near.push_back(c.bone);
        }
      };
      look(stretches_.inside, true);
      sees_inside_[v] = limit < no_way ? 1 : 0;
      look(stretches_.outside, false);
      block.counts.push_back(block.near.size() - before);
    }
  });
  for (const Block& block : blocks) {
    for (const std::size_t count : block.counts) {
      near_.offsets.push_back(near_.offsets.back() + count);
    }
    near_.items.insert(near_.items.end(), block.near.begin(), block.near.end());
  }
}

void BoneWays::find_parts() {
  const std::size_t n = welded_.positions.size();
  constexpr Index unseen = std::numeric_limits<Index>::max();
  part_.assign(n, unseen);
  std::vector<Index> members;
  for (std::size_t first = 0; first < n; ++first) {
    if (part_[first] != unseen) continue;
    members = {static_cast<Index>(first)};
    part_[first] = members[0];
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const Index next : neighbors_[members[i]]) {
        if (part_[next] != unseen) continue;
        part_[next] = members[0];
        members.push_back(next);
      }
    }
  }
}

void BoneWays::find_blind_parts() {
  const std::size_t n = welded_.positions.size();
  std::vector<std::size_t> size(n, 0), seeing(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    ++size[part_[v]];
    if (sees_inside_[v] != 0) ++seeing[part_[v]];
  }
  blind_.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v) blind_[v] = fewest_seeing * seeing[v] < size[v] ? 1 : 0;
  // A flat part has no inside, unless all is flat.
  if (find_flat(welded_.positions, welded_.triangles)) return;
  std::vector<Index> order(welded_.triangles.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto part_of = [&](Index t) { return part_[welded_.triangles[t][0]]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return part_of(a) < part_of(b); });
  std::vector<Vec3> corners;
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < order.size();) {
    const Index part = part_of(order[i]);
    corners.clear();
    triangles.clear();
    for (; i < order.size() && part_of(order[i]) == part; ++i) {
      const auto first = static_cast<Index>(corners.size());
      for (const Index v : welded_.triangles[order[i]]) corners.push_back(welded_.positions[v]);
      triangles.push_back({first, first + 1, first + 2});
    }
    if (find_flat(corners, triangles)) blind_[part] = 1;
  }
}

bool BoneWays::are_outside(std::span<const char> wanted) const {
  return std::none_of(stretches_.inside.begin(), stretches_.inside.end(),
                      [&](const Stretch& s) { return wanted[s.handle] != 0; });
}

double BoneWays::straight(std::size_t v, std::span<const char> wanted) const {
  double squared = no_way;
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    if (wanted[b] == 0) continue;
    squared = std::min(squared, distance_squared(bones_[b], welded_.positions[v]));
  }
  return std::sqrt(squared);
}

double BoneWays::in_sight(std::size_t v, std::span<const char> wanted) const {
  std::vector<Glimpse> found;
  double squared = no_way;
  const auto look = [&](const std::vector<Stretch>& stretches, bool inside) {
    gather(welded_.positions[v], stretches, wanted, found);
    for (const Glimpse& c : found) {
      if (c.squared >= squared) return;
      if (!sight_->sees(v, c.point, inside)) continue;
      squared = c.squared;
      return;
    }
  };
  look(stretches_.inside, true);
  look(stretches_.outside, false);
  return std::sqrt(squared);
}

std::vector<double> BoneWays::spread(std::vector<double> lengths) const {
  struct Entry {
    double length;
    Index vertex;
    bool operator>(const Entry& other) const {
      return length != other.length ? length > other.length : vertex > other.vertex;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    if (lengths[v] < no_way) queue.push({lengths[v], static_cast<Index>(v)});
  }
  while (!queue.empty()) {
    const Entry top = queue.top();
    queue.pop();
    if (top.length > lengths[top.vertex]) continue;
    for (const Index next : neighbors_[top.vertex]) {
      const double length =
          top.length + distance(welded_.positions[top.vertex], welded_.positions[next]);
      if (length >= lengths[next]) continue;
      lengths[next] = length;
      queue.push({length, next});
    }
  }
  return lengths;
}

std::vector<double> BoneWays::ways(std::span<const char> wanted) const {
  std::vector<double> lengths(welded_.positions.size(), no_way);
  parallel_for(lengths.size(), looking_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const double least = straight(v, wanted);
      if (is_blind(part(v))) {
        lengths[v] = least;
      } else if (nearest_[v] < no_way && least <= farthest_seed * nearest_[v]) {
        lengths[v] = in_sight(v, wanted);
      }
    }
  });
  return spread(std::move(lengths));
}

std::vector<double> BoneWays::ways_to_nearest() const {
  const std::vector<char> all(bones_.size(), 1);
  std::vector<double> lengths = nearest_;
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    if (is_blind(part(v))) lengths[v] = straight(v, all);
  }
  return spread(std::move(lengths));
}

}  // namespace sinew::detail
