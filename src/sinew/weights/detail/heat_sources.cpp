// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/heat_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/mesh/components.h"
#include "sinew/mesh/orient.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/winding.h"

namespace sinew::detail {
namespace {

constexpr std::size_t block_size = 256;
constexpr double same_distance = 1 + 1e-4;
constexpr double farthest = 8;
// Of a line's length: what lies on its ends does not block it.
constexpr double end_slack = 1e-6;
// A triangle that a line runs along, to this sine, does not block it: rounding would decide.
constexpr double grazing = 1e-6;
constexpr double on_surface = 1e-7;  // in unit space

// A stretch of a segment that is inside the surface or outside as a whole.
struct Stretch {
  Segment segment;
  int handle = 0;
};

struct Stretches {
  std::vector<Stretch> inside, outside;
};

Stretches cut_at_surface(const WindingNumber& winding, std::span<const Segment> segments) {
  Stretches stretches;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    std::vector<double> cuts = {0};
    // Bones that run through a surface more often than this are not cut any finer.
    while (s.inverse_squared > 0 && cuts.size() < 64) {
      const auto hit = winding.bvh().first_hit({s.head, s.arm}, cuts.back() + end_slack, 1);
      if (!hit) break;
      cuts.push_back(hit->t);
    }
    cuts.push_back(1);
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const Vec3 middle = s.at(0.5 * (cuts[k] + cuts[k + 1]));
      // On the surface itself the winding number is anything.
      const bool inside = std::fabs(winding.at(middle)) > least_winding_inside ||
                          winding.bvh().closest(middle, on_surface);
      auto& side = inside ? stretches.inside : stretches.outside;
      side.push_back({segment(s.at(cuts[k]), s.at(cuts[k + 1])), static_cast<int>(i)});
    }
  }
  return stretches;
}

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
      : topology_(inspect(positions, triangles)),
        winding_(positions, topology_.inconsistent_edges > 0
                                ? orient(positions, triangles).triangles
                                : triangles),
        stretches_(cut_at_surface(winding_, segments)) {
    for (const auto& [a, b, c] : triangles) {
      faces_.push_back(
          normalized(cross(positions[b] - positions[a], positions[c] - positions[a]), {}));
    }
    // In a surface with a known inside, a line that leaves a vertex to the outside need not be
    // followed to know that it meets the surface again before it is at a stretch inside.
    if (topology_.watertight) find_facing(positions, triangles);
  }

  void look(std::size_t v, const Vec3& p, std::vector<Candidate>& scratch, std::vector<int>& found,
            SourceBlock& block) const {
    found.clear();
    double squared = see(v, p, stretches_.inside, true, scratch, found);
    if (found.empty()) squared = see(v, p, stretches_.outside, false, scratch, found);
    block.add(squared, found);
  }

 private:
  void find_facing(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
    normal_starts_.assign(positions.size() + 1, 0);
    for (const Triangle& t : triangles) {
      for (const Index corner : t) ++normal_starts_[corner + 1];
    }
    for (std::size_t v = 0; v < positions.size(); ++v) {
      normal_starts_[v + 1] += normal_starts_[v];
    }
    normals_.resize(3 * triangles.size());
    std::vector<std::size_t> place(normal_starts_.begin(), normal_starts_.end() - 1);
    const Components components = connected_components(positions.size(), triangles);
    std::vector<double> volumes(static_cast<std::size_t>(components.count), 0.0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      volumes[static_cast<std::size_t>(components.of_triangle[t])] +=
          dot(cross(positions[a], positions[b]), positions[c]);
      for (const Index corner : triangles[t]) normals_[place[corner]++] = faces_[t];
    }
    // Where a component is turned inside out there is no telling.
    const bool outward =
        std::none_of(volumes.begin(), volumes.end(), [](double volume) { return volume < 0; });
    if (!outward) normal_starts_.clear();
  }

  bool is_blocked(const Ray& ray) const {
    if (!winding_.bvh().any_hit(ray, end_slack, 1 - end_slack)) return false;
    const double least = grazing * length(ray.direction);
    double from = end_slack;
    // A line may run along many triangles, but hardly along so many that it is worth going on.
    for (int i = 0; i < 256; ++i) {
      const auto hit = winding_.bvh().first_hit(ray, from, 1 - end_slack);
      if (!hit) return false;
      if (std::fabs(dot(faces_[hit->triangle], ray.direction)) > least) return true;
      from = hit->t + end_slack;
    }
    return true;
  }

  bool leaves_outward(std::size_t v, const Vec3& direction) const {
    if (normal_starts_.empty()) return false;
    const std::size_t end = normal_starts_[v + 1];
    const double least = grazing * length(direction);
    bool any = false;
    for (std::size_t i = normal_starts_[v]; i < end; ++i) {
      if (dot(normals_[i], direction) <= least) return false;
      any = true;
    }
    return any;
  }

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
      const bool visible =
          last != nullptr && last->point == c.point
              ? last_visible
              : !(inside && leaves_outward(v, c.point - p)) && !is_blocked({p, c.point - p});
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

  Topology topology_;
  WindingNumber winding_;
  Stretches stretches_;
  std::vector<Vec3> faces_;                 // unit normals of the triangles
  std::vector<std::size_t> normal_starts_;  // of each vertex among normals_; or empty
  std::vector<Vec3> normals_;
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
