// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/sight.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/geometry/components.h"
#include "sinew/geometry/flatness.h"
#include "sinew/geometry/orient.h"
#include "sinew/geometry/topology.h"
#include "sinew/geometry/winding.h"
#include "sinew/mesh/adjacency.h"
#include "sinew/weights/detail/plane_cover.h"

namespace sinew::detail {
namespace {

// Of a line's length: what lies on its ends does not block it.
constexpr double end_slack = 1e-6;
// A triangle that a line runs along, to this sine, does not block it: rounding would decide.
constexpr double grazing = 1e-6;
constexpr double on_surface = 1e-7;  // in unit space

class SolidSight : public Sight {
 public:
  SolidSight(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles, bool cuts)
      : positions_(positions), topology_(inspect(positions, triangles)) {
    bvh_ = Bvh(positions, topology_.inconsistent_edges > 0 ? orient(positions, triangles).triangles
                                                           : triangles);
    if (cuts) winding_.emplace(std::move(bvh_));
    faces_.resize(triangles.size());
    parallel_for(triangles.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        const auto& [a, b, c] = triangles[t];
        faces_[t] = normalized(cross(positions[b] - positions[a], positions[c] - positions[a]), {});
      }
    });
    // In a surface with a known inside, a line that leaves a vertex to the outside need not be
    // followed to know that it meets the surface again before it is at a stretch inside.
    if (topology_.watertight) find_facing(triangles);
  }

  bool is_flat() const override { return false; }

  Stretches cut(std::span<const Segment> segments) const override {
    Stretches stretches;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& s = segments[i];
      std::vector<double> cuts = {0};
      // Bones that run through a surface more often than this are not cut any finer.
      while (s.inverse_squared > 0 && cuts.size() < 64) {
        const auto hit = bvh().first_hit({s.head, s.arm}, cuts.back() + end_slack, 1);
        if (!hit) break;
        cuts.push_back(hit->t);
      }
      cuts.push_back(1);
      for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        const Vec3 middle = s.at(0.5 * (cuts[k] + cuts[k + 1]));
        // On the surface itself the winding number is undefined.
        const bool inside = std::fabs(winding_->at(middle)) > least_winding_inside ||
                            bvh().closest(middle, on_surface);
        auto& side = inside ? stretches.inside : stretches.outside;
        side.push_back({segment(s.at(cuts[k]), s.at(cuts[k + 1])), static_cast<int>(i)});
      }
    }
    return stretches;
  }

  void end_cutting() override {
    bvh_ = std::move(*winding_).take_bvh();
    winding_.reset();
  }

  bool sees(std::size_t v, const Vec3& point, bool inside) const override {
    const Vec3 way = point - positions_[v];
    return !(inside && leaves_outward(v, way)) && !is_blocked({positions_[v], way});
  }

 private:
  void find_facing(const std::vector<Triangle>& triangles) {
    const std::vector<Vec3>& positions = positions_;
    const Components components = connected_components(positions.size(), triangles);
    std::vector<double> volumes(components.count, 0.0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      volumes[components.of_triangle[t]] += dot(cross(positions[a], positions[b]), positions[c]);
    }
    // If a component is inside out, it cannot be determined.
    const bool outward =
        std::none_of(volumes.begin(), volumes.end(), [](double volume) { return volume < 0; });
    if (outward) around_ = vertex_triangles(positions.size(), triangles);
  }

  const Bvh& bvh() const { return winding_ ? winding_->bvh() : bvh_; }

  bool is_blocked(const Ray& ray) const {
    if (!bvh().any_hit(ray, end_slack, 1 - end_slack)) return false;
    const double least = grazing * length(ray.direction);
    double from = end_slack;
    // A line may run along many triangles, but hardly along so many that it is worth going on.
    for (int i = 0; i < 256; ++i) {
      const auto hit = bvh().first_hit(ray, from, 1 - end_slack);
      if (!hit) return false;
      if (std::fabs(dot(faces_[hit->triangle], ray.direction)) > least) return true;
      from = hit->t + end_slack;
    }
    return true;
  }

  bool leaves_outward(std::size_t v, const Vec3& direction) const {
    if (around_.size() == 0) return false;
    const double least = grazing * length(direction);
    bool any = false;
    for (const Index triangle : around_[v]) {
      if (dot(faces_[triangle], direction) <= least) return false;
      any = true;
    }
    return any;
  }

  const std::vector<Vec3>& positions_;
  Topology topology_;
  std::optional<WindingNumber> winding_;  // as long as segments are cut
  Bvh bvh_;                               // then
  std::vector<Vec3> faces_;               // unit normals of the triangles
  Adjacency around_;                      // the triangles at each vertex; or empty
};

class FlatSight : public Sight {
 public:
  FlatSight(const FlatFrame& frame, const std::vector<Vec3>& positions,
            const std::vector<Triangle>& triangles)
      : frame_(frame), points_(flattened(frame, positions)), cover_(points_, triangles) {}

  bool is_flat() const override { return true; }

  void end_cutting() override {}

  Stretches cut(std::span<const Segment> segments) const override {
    Stretches stretches;
    std::vector<Interval> covered;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& s = segments[i];
      cover_.along(frame_.flattened(s.head), frame_.flattened(s.at(1)), PlaneCover::any_part,
                   covered);
      const auto add = [&](std::vector<Stretch>& side, double from, double to) {
        side.push_back({segment(s.at(from), s.at(to)), static_cast<int>(i)});
      };
      double last = 0;
      for (const Interval& interval : covered) {
        if (interval.low > last + end_slack) add(stretches.outside, last, interval.low);
        add(stretches.inside, interval.low, interval.high);
        last = interval.high;
      }
      if (covered.empty() || last < 1 - end_slack) add(stretches.outside, last, 1);
    }
    return stretches;
  }

  bool sees(std::size_t v, const Vec3& point, bool inside) const override {
    std::vector<Interval> covered;
    cover_.along(points_[v], frame_.flattened(point),
                 inside ? cover_.part_of(v) : PlaneCover::any_part, covered);
    if (inside) {
      return covered.size() == 1 && covered[0].low <= end_slack && covered[0].high >= 1 - end_slack;
    }
    return covered.empty() || (covered.size() == 1 && covered[0].low <= end_slack);
  }

 private:
  static std::vector<Vec3> flattened(const FlatFrame& frame, const std::vector<Vec3>& positions) {
    std::vector<Vec3> points;
    points.reserve(positions.size());
    for (const Vec3& p : positions) points.push_back(frame.flattened(p));
    return points;
  }

  FlatFrame frame_;
  std::vector<Vec3> points_;
  PlaneCover cover_;
};

std::unique_ptr<Sight> sight_of(const std::vector<Vec3>& positions,
                                const std::vector<Triangle>& triangles, bool cuts) {
  if (const auto frame = find_flat(positions, triangles)) {
    return std::make_unique<FlatSight>(*frame, positions, triangles);
  }
  return std::make_unique<SolidSight>(positions, triangles, cuts);
}

}  // namespace

std::unique_ptr<Sight> make_sight(const std::vector<Vec3>& positions,
                                  const std::vector<Triangle>& triangles) {
  return sight_of(positions, triangles, true);
}

std::unique_ptr<Sight> make_sight_without_cuts(const std::vector<Vec3>& positions,
                                               const std::vector<Triangle>& triangles) {
  return sight_of(positions, triangles, false);
}

}  // namespace sinew::detail
