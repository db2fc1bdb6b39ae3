// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/heat_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/detail/segment_table.h"

namespace sinew::detail {
namespace {

constexpr std::size_t block_size = 256;
constexpr double same_distance = 1 + 1e-4;
constexpr double farthest = 8;

// Stretches on one side of the surface, all inside or all outside.
struct Side {
  const std::vector<Stretch>& stretches;
  SegmentTable table;
  bool inside;

  Side(const std::vector<Stretch>& of, bool is_inside)
      : stretches(of),
        table(of, [](const Stretch& s) -> const Segment& { return s.segment; }),
        inside(is_inside) {}

  Vec3 nearest_point(std::size_t stretch, const Vec3& p) const {
    const Segment& segment = stretches[stretch].segment;
    return segment.at(closest_on(segment, p));
  }
};

// The nearest stretch that a vertex sees; none if it sees none.
struct Found {
  int stretch = none;
  double squared = std::numeric_limits<double>::infinity();
  double limit = 0;  // as far as heat comes, squared
  Vec3 point;

  bool gives_heat() const { return stretch != none && squared <= limit; }
};

struct Scratch {
  std::vector<double> squared;  // distances to the stretches of a side
  std::vector<int> order;
};

// The results of a block of vertices, to be joined in order.
struct SourceBlock {
  std::vector<HeatSource> of_vertex;
  std::vector<int> handles;

  void add(double squared, std::vector<int>& found) {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    of_vertex.push_back({std::sqrt(squared), handles.size(), static_cast<int>(found.size())});
    handles.insert(handles.end(), found.begin(), found.end());
  }
};

HeatSources join(const std::vector<SourceBlock>& blocks, std::size_t vertices) {
  HeatSources result;
  result.of_vertex.reserve(vertices);
  std::size_t count = 0;
  for (const SourceBlock& block : blocks) count += block.handles.size();
  result.handles.reserve(count);
  for (const SourceBlock& block : blocks) {
    for (HeatSource source : block.of_vertex) {
      source.first += result.handles.size();
      result.of_vertex.push_back(source);
    }
    result.handles.insert(result.handles.end(), block.handles.begin(), block.handles.end());
  }
  return result;
}

class Viewer {
 public:
  Viewer(const std::vector<Vec3>& positions, const Sight& sight, const Stretches& stretches)
      : positions_(positions),
        sight_(sight),
        inside_(stretches.inside, true),
        outside_(stretches.outside, false) {}

  void look(std::size_t v, Scratch& scratch, std::vector<int>& found, SourceBlock& block,
            SeenSegments& seen) const {
    found.clear();
    const Side* side = &inside_;
    Found nearest = find_nearest(v, inside_, scratch);
    seen.inside[v] = nearest.stretch != none ? 1 : 0;
    if (nearest.stretch != none) note(v, inside_, nearest, seen);
    if (!nearest.gives_heat()) {
      side = &outside_;
      nearest = find_nearest(v, outside_, scratch);
      if (nearest.stretch != none && seen.inside[v] == 0) note(v, outside_, nearest, seen);
    }
    if (!nearest.gives_heat()) return block.add(0, found);
    find_as_near(v, *side, nearest, scratch, found);
    block.add(nearest.squared, found);
  }

 private:
  static void note(std::size_t v, const Side& side, const Found& nearest, SeenSegments& seen) {
    seen.nearest[v] = side.stretches[nearest.stretch].handle;
    seen.squared[v] = nearest.squared;
  }

  Found find_nearest(std::size_t v, const Side& side, Scratch& scratch) const {
    const Vec3& p = positions_[v];
    const std::size_t count = side.stretches.size();
    Found found;
    if (count == 0) return found;
    scratch.squared.resize(count);
    side.table.measure(p, scratch.squared);
    const std::vector<double>& squared = scratch.squared;
    const auto least = std::min_element(squared.begin(), squared.end());
    found.limit = *least * farthest * farthest;
    const auto see = [&](std::size_t stretch) {
      const Vec3 point = side.nearest_point(stretch, p);
      if (!sight_.sees(v, point, side.inside)) return false;
      found.stretch = static_cast<int>(stretch);
      found.squared = squared[stretch];
      found.point = point;
      return true;
    };
    const auto first = static_cast<std::size_t>(least - squared.begin());
    if (see(first)) return found;
    // Few are looked at, so that a heap is cheaper than sorting all.
    std::vector<int>& order = scratch.order;
    order.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (i != first) order.push_back(static_cast<int>(i));
    }
    const auto farther = [&](int a, int b) {
      return squared[a] != squared[b] ? squared[a] > squared[b] : a > b;
    };
    std::make_heap(order.begin(), order.end(), farther);
    // Bones that meet in a joint often have the same nearest point.
    Vec3 hidden = side.nearest_point(first, p);
    for (auto end = order.end(); end != order.begin();) {
      std::pop_heap(order.begin(), end, farther);
      const std::size_t next = at(*--end);
      const Vec3 point = side.nearest_point(next, p);
      if (point == hidden) continue;
      if (see(next)) break;
      hidden = point;
    }
    return found;
  }

  // The handles of all stretches that the vertex sees as near as the nearest one. `scratch` holds
  // the distances.
  void find_as_near(std::size_t v, const Side& side, const Found& nearest, const Scratch& scratch,
                    std::vector<int>& found) const {
    const double limit = std::min(nearest.squared * same_distance * same_distance, nearest.limit);
    for (std::size_t i = 0; i < scratch.squared.size(); ++i) {
      if (!(scratch.squared[i] >= nearest.squared && scratch.squared[i] <= limit)) continue;
      const Vec3 point = side.nearest_point(i, positions_[v]);
      if (point == nearest.point || sight_.sees(v, point, side.inside)) {
        found.push_back(side.stretches[i].handle);
      }
    }
  }

  const std::vector<Vec3>& positions_;
  const Sight& sight_;
  Side inside_, outside_;
};

}  // namespace

SeenSegments look_around(const std::vector<Vec3>& positions, const Sight& sight,
                         const Stretches& stretches) {
  const Viewer viewer(positions, sight, stretches);
  SeenSegments seen;
  seen.nearest.assign(positions.size(), none);
  seen.squared.assign(positions.size(), std::numeric_limits<double>::infinity());
  seen.inside.assign(positions.size(), 0);
  std::vector<SourceBlock> blocks((positions.size() + block_size - 1) / block_size);
  sinew::parallel_for(positions.size(), block_size, [&](std::size_t begin, std::size_t end) {
    Scratch scratch;
    std::vector<int> found;
    SourceBlock& block = blocks[begin / block_size];
    block.of_vertex.reserve(end - begin);
    for (std::size_t v = begin; v < end; ++v) viewer.look(v, scratch, found, block, seen);
  });
  seen.sources = join(blocks, positions.size());
  return seen;
}

void use_nearest(const std::vector<Vec3>& positions, std::span<const Segment> segments,
                 const std::vector<char>& wanted, HeatSources& sources) {
  std::vector<int> found;
  SourceBlock block;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (wanted[v] == 0) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Segment& s : segments)
      nearest = std::min(nearest, distance_squared(s, positions[v]));
    found.clear();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (distance_squared(segments[i], positions[v]) <= nearest * same_distance * same_distance) {
        found.push_back(static_cast<int>(i));
      }
    }
    sources.of_vertex[v] = {std::sqrt(nearest), sources.handles.size(),
                            static_cast<int>(found.size())};
    sources.handles.insert(sources.handles.end(), found.begin(), found.end());
  }
}

}  // namespace sinew::detail
