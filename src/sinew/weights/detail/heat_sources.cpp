// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/heat_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/weights/detail/sight.h"

namespace sinew::detail {
namespace {

constexpr std::size_t block_size = 256;
constexpr double same_distance = 1 + 1e-4;
constexpr double farthest = 8;

struct Candidate {
  double squared = 0;
  Vec3 point;
  int handle = 0;
};

void collect(const Vec3& p, const std::vector<Stretch>& stretches, std::vector<Candidate>& found) {
  found.clear();
  double nearest = std::numeric_limits<double>::infinity();
  for (const Stretch& stretch : stretches) {
    const Vec3 point = stretch.segment.at(closest_on(stretch.segment, p));
    const double squared = length_squared(point - p);
    nearest = std::min(nearest, squared);
    if (squared <= nearest * farthest * farthest) found.push_back({squared, point, stretch.handle});
  }
  found.erase(
      std::remove_if(found.begin(), found.end(),
                     [&](const Candidate& c) { return c.squared > nearest * farthest * farthest; }),
      found.end());
}

bool by_distance(const Candidate& a, const Candidate& b) {
  return a.squared != b.squared ? a.squared < b.squared : a.handle < b.handle;
}

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

HeatSources join(const std::vector<SourceBlock>& blocks) {
  HeatSources result;
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
  Viewer(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
         std::span<const Segment> segments)
      : sight_(make_sight(positions, triangles)), stretches_(sight_->cut(segments)) {}

  void look(std::size_t v, const Vec3& p, std::vector<Candidate>& scratch, std::vector<int>& found,
            SourceBlock& block) const {
    found.clear();
    double squared = see(v, p, stretches_.inside, true, scratch, found);
    if (found.empty()) squared = see(v, p, stretches_.outside, false, scratch, found);
    block.add(squared, found);
  }

 private:
  double see(std::size_t v, const Vec3& p, const std::vector<Stretch>& stretches, bool inside,
             std::vector<Candidate>& candidates, std::vector<int>& found) const {
    collect(p, stretches, candidates);
    double limit = std::numeric_limits<double>::infinity();
    double squared = 0;
    const Candidate* last = nullptr;
    bool last_visible = false;
    // Few are looked at, so that a heap is cheaper than sorting all.
    const auto farther = [](const Candidate& a, const Candidate& b) { return by_distance(b, a); };
    std::make_heap(candidates.begin(), candidates.end(), farther);
    for (auto end = candidates.end(); end != candidates.begin();) {
      std::pop_heap(candidates.begin(), end, farther);
      const Candidate& c = *--end;
      if (c.squared > limit) break;
      // Bones that meet in a joint often have the same nearest point.
      const bool visible = last != nullptr && last->point == c.point
                               ? last_visible
                               : sight_->sees(v, c.point, inside);
      last = &c;
      last_visible = visible;
      if (!visible) continue;
      if (found.empty()) {
        squared = c.squared;
        limit = squared * same_distance * same_distance;
      }
      found.push_back(c.handle);
    }
    return squared;
  }

  std::unique_ptr<Sight> sight_;
  Stretches stretches_;
};

}  // namespace

HeatSources visible_sources(const std::vector<Vec3>& positions,
                            const std::vector<Triangle>& triangles,
                            std::span<const Segment> segments) {
  const Viewer viewer(positions, triangles, segments);
  std::vector<SourceBlock> blocks((positions.size() + block_size - 1) / block_size);
  sinew::parallel_for(positions.size(), block_size, [&](std::size_t begin, std::size_t end) {
    std::vector<Candidate> scratch;
    std::vector<int> found;
    for (std::size_t v = begin; v < end; ++v) {
      viewer.look(v, positions[v], scratch, found, blocks[begin / block_size]);
    }
  });
  return join(blocks);
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
