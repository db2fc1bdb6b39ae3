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
constexpr double nothing_more = -1;  // as the limit of a distance

// So little longer is as long.
constexpr double slack = 1e-12;

struct Glimpse {
  double squared = 0;
  Vec3 point;
  int bone = 0;

  bool operator>(const Glimpse& other) const {
    return squared != other.squared ? squared > other.squared : bone > other.bone;
  }
};

// A vertex on the way of a search, the least first.
struct Step {
  double length;
  Index vertex;

  bool operator>(const Step& other) const {
    return length != other.length ? length > other.length : vertex > other.vertex;
  }
};
const Segment& segment_of(const Stretch& stretch) { return stretch.segment; }

using Steps = std::priority_queue<Step, std::vector<Step>, std::greater<>>;

}  // namespace

BoneWays::BoneWays(const Mesh& mesh, const Skeleton& skeleton)
    : BoneWays(std::make_unique<BoneScene>(mesh, skeleton)) {}

BoneWays::BoneWays(std::unique_ptr<BoneScene> own) : BoneWays(*own) { own_ = std::move(own); }

BoneWays::BoneWays(BoneScene& scene)
    : scene_(scene.welded()),
      views_(scene.views()),
      bone_table_(scene_.bones, [](const Segment& s) -> const Segment& { return s; }),
      inside_table_(views_.bones.inside, segment_of),
      outside_table_(views_.bones.outside, segment_of) {
  const Welded& welded = scene_.welded;
  std::vector<Tetrahedron> tetrahedra = scene.mesh().tetrahedra;
  for (Tetrahedron& t : tetrahedra) {
    for (Index& corner : t) corner = welded.representative_of[corner];
  }
  neighbors_ = vertex_neighbors(welded.positions.size(), welded.triangles, tetrahedra);
  find_parts();
  find_blind_parts();
}

template <class Take>
void BoneWays::look(std::size_t v, bool inside, std::span<const char> wanted, double limit,
                    const Take& take) const {
  const Vec3& p = scene_.welded.positions[v];
  const std::vector<Stretch>& stretches = inside ? views_.bones.inside : views_.bones.outside;
  // Not kept by each thread: glibc ends the program if it has no memory to keep it.
  std::vector<Glimpse> found;
  found.reserve(stretches.size());
  for (const Stretch& stretch : stretches) {
    if (!wanted.empty() && wanted[stretch.handle] == 0) continue;
    const Vec3 point = stretch.segment.at(closest_on(stretch.segment, p));
    found.push_back({length_squared(point - p), point, stretch.handle});
  }
  std::make_heap(found.begin(), found.end(), std::greater<>());
  for (; !found.empty(); found.pop_back()) {
    std::pop_heap(found.begin(), found.end(), std::greater<>());
    const Glimpse& nearest = found.back();
    if (nearest.squared > limit) return;
    if (views_.sight->sees(v, nearest.point, inside)) limit = take(nearest.bone, nearest.squared);
  }
}

std::vector<int> BoneWays::near_in_sight(std::size_t v) const {
  std::vector<int> near;
  if (views_.seen.nearest[v] == no_bone) return near;
  const Vec3& p = scene_.welded.positions[v];
  const double nearest = views_.seen.squared[v], limit = near_ratio * near_ratio * nearest;
  std::vector<double> squared;
  std::vector<Glimpse> found;
  const auto add = [&](bool inside) {
    const std::vector<Stretch>& stretches = inside ? views_.bones.inside : views_.bones.outside;
    squared.resize(stretches.size());
    (inside ? inside_table_ : outside_table_).measure(p, squared);
    // Those of the side of the nearest one that are nearer are known to be hidden.
    const double least = inside == (views_.seen.inside[v] != 0) ? nearest : 0;
    found.clear();
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      if (!(squared[i] >= least && squared[i] <= limit)) continue;
      const Segment& s = stretches[i].segment;
      found.push_back({squared[i], s.at(closest_on(s, p)), stretches[i].handle});
    }
    std::sort(found.begin(), found.end(), [](const Glimpse& a, const Glimpse& b) { return b > a; });
    for (const Glimpse& glimpse : found) {
      if (views_.sight->sees(v, glimpse.point, inside)) near.push_back(glimpse.bone);
    }
  };
  if (views_.seen.inside[v] != 0) add(true);
  add(false);
  return near;
}

void BoneWays::find_parts() {
  const std::size_t n = scene_.welded.positions.size();
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
  const std::size_t n = scene_.welded.positions.size();
  std::vector<std::size_t> size(n, 0), seeing(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    ++size[part_[v]];
    if (views_.seen.inside[v] != 0) ++seeing[part_[v]];
  }
  blind_.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v) blind_[v] = fewest_seeing * seeing[v] < size[v] ? 1 : 0;
  // A flat part has no inside, unless all is flat.
  if (views_.sight->is_flat()) return;
  std::vector<Index> order(scene_.welded.triangles.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto part_of = [&](Index t) { return part_[scene_.welded.triangles[t][0]]; };
  // A part that has all triangles is as flat as the shape.
  const auto is_in_first = [&](Index t) { return part_of(t) == part_of(0); };
  if (std::all_of(order.begin(), order.end(), is_in_first)) return;
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
      for (const Index v : scene_.welded.triangles[order[i]])
        corners.push_back(scene_.welded.positions[v]);
      triangles.push_back({first, first + 1, first + 2});
    }
    if (find_flat(corners, triangles)) blind_[part] = 1;
  }
}

bool BoneWays::are_outside(std::span<const char> wanted) const {
  return std::none_of(views_.bones.inside.begin(), views_.bones.inside.end(),
                      [&](const Stretch& s) { return wanted[s.handle] != 0; });
}

double BoneWays::straight(std::size_t v, std::span<const char> wanted) const {
  double squared = no_way;
  for (std::size_t b = 0; b < scene_.bones.size(); ++b) {
    if (wanted[b] == 0) continue;
    squared = std::min(squared, distance_squared(scene_.bones[b], scene_.welded.positions[v]));
  }
  return std::sqrt(squared);
}

double BoneWays::in_sight(std::size_t v, std::span<const char> wanted) const {
  double least = no_way;
  const auto take = [&](int, double squared) {
    least = squared;
    return nothing_more;
  };
  look(v, true, wanted, least, take);
  look(v, false, wanted, least, take);
  return std::sqrt(least);
}

void BoneWays::shorten(std::span<const Index> from, std::span<const char> open, double limit,
                       std::vector<double>& lengths) const {
  // Calls shorter(vertex, length) for neighbours to which the path through v is shorter.
  const auto each_shorter = [&](Index v, const auto& shorter) {
    for (const Index next : neighbors_[v]) {
      if (!open.empty() && open[next] == 0) continue;
      const double length =
          lengths[v] + distance(scene_.welded.positions[v], scene_.welded.positions[next]);
      if (length < lengths[next]) shorter(next, length);
    }
  };
  // Most are next to others that are as near by themselves.
  constexpr std::size_t block = 4096;
  std::vector<std::vector<Step>> blocks((from.size() + block - 1) / block);
  parallel_for(from.size(), block, [&](std::size_t begin, std::size_t end) {
    for (const Index v : from.subspan(begin, end - begin)) {
      bool any = false;
      if (lengths[v] < no_way) each_shorter(v, [&](Index, double) { any = true; });
      if (any) blocks[begin / block].push_back({lengths[v], v});
    }
  });
  std::vector<Step> first;
  for (const std::vector<Step>& some : blocks) first.insert(first.end(), some.begin(), some.end());
  Steps queue(std::greater<>(), std::move(first));
  while (!queue.empty() && queue.top().length <= limit) {
    const Step top = queue.top();
    queue.pop();
    if (top.length > lengths[top.vertex]) continue;
    each_shorter(top.vertex, [&](Index next, double length) {
      lengths[next] = length;
      queue.push({length, next});
    });
  }
}

std::vector<double> BoneWays::spread(std::vector<double> lengths, double limit) const {
  std::vector<Index> from;
  std::vector<char> is_reached(lengths.size(), 0);  // for each part
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    if (lengths[v] == no_way) continue;
    from.push_back(static_cast<Index>(v));
    is_reached[part(v)] = 1;
  }
  shorten(from, {}, limit, lengths);
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    if (lengths[v] == no_way && is_reached[part(v)] != 0) {
      lengths[v] = std::numeric_limits<double>::max();
    }
  }
  return lengths;
}

double BoneWays::seed(std::size_t v, std::span<const char> wanted, double straight) const {
  if (is_blind(part(v))) return straight;
  const double nearest = std::sqrt(views_.seen.squared[v]);
  const bool near = nearest < no_way && straight <= farthest_seed * nearest;
  return near ? in_sight(v, wanted) : no_way;
}

std::vector<double> BoneWays::ways(std::span<const char> wanted) const {
  std::vector<double> lengths(scene_.welded.positions.size());
  parallel_for(lengths.size(), looking_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) lengths[v] = seed(v, wanted, straight(v, wanted));
  });
  return spread(std::move(lengths));
}

std::vector<double> BoneWays::ways(std::span<const char> wanted,
                                   std::span<const Index> vertices) const {
  const std::size_t n = scene_.welded.positions.size();
  // Backwards from the vertices asked for, in the order of the least length that a path to the
  // bones through a vertex may have.
  std::vector<double> behind(n, no_way), lengths(n, no_way);
  std::vector<char> is_found(n, 0);
  std::vector<Index> found;
  Steps queue;
  const auto reach = [&](Index v, double length) {
    if (length >= behind[v]) return;
    behind[v] = length;
    queue.push({length + straight(v, wanted), v});
  };
  const auto search = [&](double limit) {
    while (!queue.empty() && queue.top().length <= limit) {
      const Step top = queue.top();
      queue.pop();
      const double least = straight(top.vertex, wanted);
      if (top.length > behind[top.vertex] + least) continue;
      if (is_found[top.vertex] == 0) {
        is_found[top.vertex] = 1;
        found.push_back(top.vertex);
        lengths[top.vertex] = seed(top.vertex, wanted, least);
      }
      // From a vertex that sees all the way to the bone, no other way is shorter.
      if (lengths[top.vertex] <= least * (1 + slack)) continue;
      for (const Index next : neighbors_[top.vertex]) {
        reach(next, behind[top.vertex] + distance(scene_.welded.positions[top.vertex],
                                                  scene_.welded.positions[next]));
      }
    }
  };
  double limit = 0;
  for (const Index v : vertices) {
    reach(v, 0);
    limit = std::max(limit, straight(v, wanted));
  }
  // As far as the longest path leads, in steps until it is known.
  for (double longest = no_way; !queue.empty();) {
    search(limit * (1 + slack));
    shorten(found, is_found, no_way, lengths);
    longest = 0;
    for (const Index v : vertices) longest = std::max(longest, lengths[v]);
    if (longest <= limit || queue.empty()) break;
    limit = std::min(longest, std::max(2 * limit, queue.top().length));
  }
  std::vector<double> result;
  for (const Index v : vertices) result.push_back(lengths[v]);
  return result;
}

std::vector<double> BoneWays::ways_to_nearest() const {
  const std::vector<char> all(scene_.bones.size(), 1);
  std::vector<double> lengths(views_.seen.squared.size());
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    lengths[v] = is_blind(part(v)) ? straight(v, all) : std::sqrt(views_.seen.squared[v]);
  }
  return spread(std::move(lengths));
}

}  // namespace sinew::detail
