// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/geometry/components.h"
#include "sinew/mesh/triangle.h"
#include "sinew/weights/detail/bone_ties.h"
#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/detail/on_bone.h"
#include "sinew/weights/detail/simplices.h"

namespace sinew::detail {
namespace {

class Holder {
 public:
  Holder(const Skeleton& skeleton, const std::vector<Simplex>& simplices, Domain& domain)
      : skeleton_(skeleton), simplices_(simplices), domain_(domain) {
    box_ = bounding_box(domain_.points);
    extent_ = box_.diagonal();
    element_of_.assign(domain_.points.size(), none);
    for (std::size_t e = 0; e < domain_.elements.size(); ++e) {
      for (const int node : domain_.elements.of(e)) element_of_[node] = static_cast<int>(e);
    }
    parts_ = connected_components(domain_.points.size(), all_faces());
  }

  void hold_all() {
    const double spacing = mean_edge() / 2, on_bone = on_bone_tolerance(skeleton_, domain_.points);
    std::vector<char> held(domain_.points.size(), 0);
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
      const Bone& bone = skeleton_.bones[b];
      std::vector<double> places;  // along the bone where nodes hold it
      for (std::size_t v = 0; v < domain_.points.size(); ++v) {
        if (element_of_[v] == none) continue;
        const auto t = parameter_on(bone, domain_.points[v], on_bone);
        if (!t) continue;
        places.push_back(*t);
        if (held[v] != 0) continue;
        held[v] = 1;
        hold_node(v, domain_.points[v]);
      }
      const bool by_nodes = !places.empty();
      const std::size_t before = domain_.samples.size();
      fill_gaps(bone, std::move(places), spacing);
      const bool inside = by_nodes || domain_.samples.size() > before;
      if (!hold_beside(b, inside, spacing) && !inside) hold_nearest(b, held);
    }
  }

 private:
  struct Located {
    std::size_t element = 0;
    std::vector<Term> terms;
  };

  // Of all edges, so that it does not matter at which corner an element begins.
  double mean_edge() const {
    double sum = 0;
    std::size_t count = 0;
    for (const Simplex& simplex : simplices_) {
      for (std::size_t i = 0; i < simplex.corners; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          sum += distance(domain_.points[simplex.nodes[i]], domain_.points[simplex.nodes[j]]);
          ++count;
        }
      }
    }
    return count == 0 ? extent_ : sum / static_cast<double>(count);
  }

  void hold_node(std::size_t node, const Vec3& point) {
    const Term term{static_cast<int>(node), 1};
    domain_.hold(point, at(element_of_[node]), {&term, 1});
  }

  // The parameters between which the bone lies in the box of all points; none: 1 and 0.
  std::pair<double, double> inside_box(const Bone& bone) const {
    const Vec3 way = bone.tail - bone.head;
    double near = 0, far = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const double low = box_.low[i] - bone.head[i], high = box_.high[i] - bone.head[i];
      if (way[i] == 0) {
        // A bone in a face of the box may lie outside by rounding only; it still counts as inside.
        if (low > 1e-9 * extent_ || high < -1e-9 * extent_) return {1, 0};
        continue;
      }
      near = std::max(near, std::min(low / way[i], high / way[i]));
      far = std::min(far, std::max(low / way[i], high / way[i]));
    }
    return {near, far};
  }

  // Holds points of the bone where there is no node on it for more than four times the spacing. A
  // mesh made for the bones has nodes all along them and needs no extra points.
  void fill_gaps(const Bone& bone, std::vector<double> places, double spacing) {
    // Both ends are among the points: what lies beyond them is held by them.
    const double step = 1 / std::ceil(distance(bone.head, bone.tail) / spacing);
    std::sort(places.begin(), places.end());
    std::vector<double> wanted;
    double last = places.empty() ? -step : 0;
    double widest = 4 * step;
    if (places.size() > 3) widest = std::max(widest, 3.0 / static_cast<double>(places.size() - 1));
    if (!places.empty()) places.push_back(1 + step);
    const auto inside = inside_box(bone);
    const auto fill = [&](double from, double to) {
      // Of a bone from far away, only what can meet the shape is walked along.
      const double skipped = std::max(0.0, std::floor((inside.first - from) / step) - 1);
      for (double t = from + step * (1 + skipped);
           t < std::min(to - step / 2, inside.second + step); t += step) {
        if (t >= -1e-12 && t <= 1 + 1e-12) wanted.push_back(std::clamp(t, 0.0, 1.0));
      }
    };
    if (places.empty()) {
      fill(last, 1 + step);
    } else {
      for (const double place : places) {
        if (std::min(place, 1.0) - last > widest) fill(last, place);
        last = place;
      }
    }
    if (wanted.empty()) return;
    const std::vector<std::size_t> near = elements_near(bounding_box({bone.head, bone.tail}));
    std::vector<std::pair<Vec3, std::vector<Located>>> found;
    std::vector<std::size_t> count(at(parts_.count), 0);
    for (const double t : wanted) {
      const Vec3 p = lerp(bone.head, bone.tail, t);
      found.emplace_back(p, locate_all(p, near));
      for (const Located& l : found.back().second) ++count[part_of(l)];
    }
    // Where parts lie over one another, a bone is in the one that it follows farthest.
    for (const auto& [p, places_of] : found) {
      std::size_t most = 0;
      for (const Located& l : places_of) most = std::max(most, count[part_of(l)]);
      for (const Located& l : places_of) {
        if (10 * count[part_of(l)] >= 9 * most) domain_.hold(p, l.element, l.terms);
      }
    }
  }

  std::size_t part_of(const Located& l) const { return at(parts_.of_vertex[l.terms.front().node]); }

  std::vector<std::size_t> elements_near(const Box& box) const {
    std::vector<std::size_t> near;
    for (std::size_t e = 0; e < simplices_.size(); ++e) {
      const Simplex& simplex = simplices_[e];
      Box own{domain_.points[simplex.nodes[0]], {}};
      own.high = own.low;
      for (std::size_t i = 1; i < simplex.corners; ++i) {
        const Vec3& p = domain_.points[simplex.nodes[i]];
        own = {component_min(own.low, p), component_max(own.high, p)};
      }
      bool meets = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const double slack = 1e-9 * extent_;
        meets = meets && own.low[i] <= box.high[i] + slack && own.high[i] >= box.low[i] - slack;
      }
      if (meets) near.push_back(e);
    }
    return near;
  }

  // The place in every element that it lies in: there are several where the shape lies over itself,
  // as a card's front and back. Of those that share a face or an edge on which it lies, one.
  std::vector<Located> locate_all(const Vec3& p, const std::vector<std::size_t>& elements) const {
    std::vector<Located> found;
    if (simplices_.empty() || (simplices_[0].corners == 3 && std::abs(p.z) > 1e-9 * extent_)) {
      return found;
    }
    std::vector<std::vector<int>> seen;  // nodes that count at the places
    for (const std::size_t e : elements) {
      std::vector<Term> terms = locate(simplices_[e], domain_.points, p);
      if (terms.empty()) continue;
      std::vector<int> nodes;
      for (const Term& term : terms) {
        if (term.share > 1e-7) nodes.push_back(term.node);
      }
      std::sort(nodes.begin(), nodes.end());
      if (std::find(seen.begin(), seen.end(), nodes) != seen.end()) continue;
      seen.push_back(std::move(nodes));
      found.push_back({e, std::move(terms)});
    }
    return found;
  }

  std::vector<Triangle> all_faces() const {
    std::vector<Triangle> faces;
    for (const Simplex& simplex : simplices_) {
      for (std::size_t left_out = simplex.corners == 3 ? 3 : 0; left_out < 4; ++left_out) {
        const auto corner = [&](std::size_t i) {
          return static_cast<Index>(simplex.nodes[i < left_out ? i : i + 1]);
        };
        faces.push_back({corner(0), corner(1), corner(2)});
      }
    }
    return faces;
  }

  // Ties the bone, or stretches of it where others are inside, to the shape beside it. Whether
  // there is any.
  bool hold_beside(std::size_t number, bool inside, double spacing) {
    const Bone& bone = skeleton_.bones[number];
    const double length = distance(bone.head, bone.tail);
    std::vector<Beside> stretches{Beside{}};
    if (inside) {
      const std::vector<std::size_t> near = elements_near(bounding_box({bone.head, bone.tail}));
      const auto [from, to] = places_of_box(box_, bone.head, bone.tail);
      stretches = stretches_outside(from, to, length, [&](double t) {
        return !locate_all(lerp(bone.head, bone.tail, t), near).empty();
      });
    }
    if (stretches.empty()) return false;
    const std::vector<Triangle> faces = all_faces();
    std::vector<BoneLine> others;
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
      if (b != number) others.push_back({skeleton_.bones[b].head, skeleton_.bones[b].tail});
    }
    bool held = false;
    for (const Beside& stretch : stretches) {
      std::vector<BoneTie> ties =
          ties_beside(domain_.points, faces, bone.head, bone.tail, spacing, stretch);
      keep_own(ties, {bone.head, bone.tail}, others);
      if (ties.empty() || (inside && !covers(ties, stretch))) continue;
      std::vector<Vec3> points;
      for (const BoneTie& tie : ties) points.push_back(tie.point);
      const std::vector<std::size_t> near = elements_near(bounding_box(points));
      for (const BoneTie& tie : ties) {
        for (const Located& l : locate_all(tie.point, near)) {
          domain_.hold(lerp(bone.head, bone.tail, tie.t), l.element, l.terms);
        }
      }
      held = true;
    }
    if (held) domain_.repairs.push_back(tied_beside(number, inside));
    return held;
  }

  void hold_nearest(std::size_t number, std::vector<char>& held) {
    const Bone& bone = skeleton_.bones[number];
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t node = domain_.points.size();
    double place = 0;
    for (std::size_t v = 0; v < domain_.points.size(); ++v) {
      if (element_of_[v] == none || held[v] != 0) continue;
      const double t = closest_on_segment(domain_.points[v], bone.head, bone.tail);
      const double d = distance(lerp(bone.head, bone.tail, t), domain_.points[v]);
      if (d >= nearest) continue;
      nearest = d;
      node = v;
      place = t;
    }
    if (node == domain_.points.size()) return;
    held[node] = 1;
    hold_node(node, lerp(bone.head, bone.tail, place));
    domain_.repairs.push_back(
        fmt::format("bone {} lies outside the shape with no surface of its own beside it, and is "
                    "tied to vertex {}, the nearest free one",
                    number, node));
  }

  const Skeleton& skeleton_;
  const std::vector<Simplex>& simplices_;
  Domain& domain_;
  std::vector<int> element_of_;  // one for each node that is used
  Components parts_;
  Box box_;
  double extent_ = 0;
};

}  // namespace

void hold_bones(const Skeleton& skeleton, const std::vector<Simplex>& simplices, Domain& domain) {
  Holder(skeleton, simplices, domain).hold_all();
}

}  // namespace sinew::detail
