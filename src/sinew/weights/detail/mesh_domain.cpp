// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/mesh/triangle.h"
#include "sinew/weights/detail/domain.h"
#include "sinew/weights/detail/on_bone.h"

namespace sinew::detail {
namespace {

// Triangles (in the plane) and tetrahedra alike: the gradients of the corners' hat functions.
struct Simplex {
  std::array<int, 4> nodes{};
  std::array<Vec3, 4> gradients;
  std::size_t corners = 0;
  double volume = 0;
};

Simplex simplex_of(const std::vector<Vec3>& points, const Tetrahedron& t) {
  Simplex simplex;
  simplex.corners = 4;
  std::array<Vec3, 4> p;
  for (std::size_t i = 0; i < 4; ++i) {
    simplex.nodes[i] = static_cast<int>(t[i]);
    p[i] = points[t[i]];
  }
  simplex.volume = std::abs(dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0]))) / 6;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = p[(i + 1) % 4], &b = p[(i + 2) % 4], &c = p[(i + 3) % 4];
    const Vec3 normal = cross(b - a, c - a);
    simplex.gradients[i] = normal / dot(p[i] - a, normal);
  }
  return simplex;
}

Simplex simplex_of(const std::vector<Vec3>& points, const Triangle& t) {
  Simplex simplex;
  simplex.corners = 3;
  std::array<Vec3, 3> p;
  for (std::size_t i = 0; i < 3; ++i) {
    simplex.nodes[i] = static_cast<int>(t[i]);
    p[i] = points[t[i]];
  }
  const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
  simplex.volume = std::abs(normal.z) / 2;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 side = p[(i + 2) % 3] - p[(i + 1) % 3];
    simplex.gradients[i] = Vec3{-side.y, side.x, 0} / normal.z;
  }
  return simplex;
}

// Shares of the corners at a place, all at least -1e-9; empty if it lies outside.
std::vector<Term> locate(const Simplex& simplex, const std::vector<Vec3>& points, const Vec3& p) {
  std::vector<Term> terms;
  double left = 1;
  for (std::size_t i = 1; i < simplex.corners; ++i) {
    const Vec3& origin = points[static_cast<std::size_t>(simplex.nodes[0])];
    const double share = dot(simplex.gradients[i], p - origin);
    terms.push_back({simplex.nodes[i], share});
    left -= share;
  }
  terms.push_back({simplex.nodes[0], left});
  for (const Term& term : terms) {
    if (!(term.share > -1e-9)) return {};
  }
  return terms;
}

class Builder {
 public:
  Builder(const Mesh& mesh, const Skeleton& skeleton) : skeleton_(skeleton) {
    domain_.points = mesh.positions;
    box_ = bounding_box(mesh.positions);
    extent_ = box_.diagonal();
    if (!mesh.tetrahedra.empty()) {
      add_elements(mesh.tetrahedra, extent_ * extent_ * extent_);
    } else {
      add_elements(mesh.triangles, extent_ * extent_);
    }
    used_.assign(mesh.positions.size(), false);
    element_of_.resize(mesh.positions.size());
    for (std::size_t e = 0; e < domain_.elements.size(); ++e) {
      for (const int node : domain_.elements.of(e)) {
        used_[static_cast<std::size_t>(node)] = true;
        element_of_[static_cast<std::size_t>(node)] = e;
      }
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Term term{static_cast<int>(v), 1};
      domain_.vertices.push(used_[v] ? std::span(&term, 1) : std::span<const Term>());
    }
    add_samples();
  }

  Domain take() { return std::move(domain_); }

 private:
  template <class Corners>
  void add_elements(const std::vector<Corners>& all, double unit) {
    std::size_t flat = 0;
    for (const Corners& corners : all) {
      const Simplex simplex = simplex_of(domain_.points, corners);
      if (!(simplex.volume > 1e-18 * unit)) {
        ++flat;
        continue;
      }
      simplices_.push_back(simplex);
      std::array<double, 4> mass;
      mass.fill(simplex.volume / static_cast<double>(simplex.corners));
      std::array<double, 16> stiffness{};
      for (std::size_t i = 0; i < simplex.corners; ++i) {
        for (std::size_t j = 0; j < simplex.corners; ++j) {
          stiffness[i * simplex.corners + j] =
              simplex.volume * dot(simplex.gradients[i], simplex.gradients[j]);
        }
      }
      domain_.elements.push({simplex.nodes.data(), simplex.corners}, {mass.data(), simplex.corners},
                            {stiffness.data(), simplex.corners * simplex.corners});
    }
    if (flat > 0) {
      domain_.repairs.push_back(fmt::format("{} elements without volume were left out", flat));
    }
  }

  double mean_edge() const {
    double sum = 0;
    for (const Simplex& simplex : simplices_) {
      sum += distance(domain_.points[static_cast<std::size_t>(simplex.nodes[0])],
                      domain_.points[static_cast<std::size_t>(simplex.nodes[1])]);
    }
    return simplices_.empty() ? extent_ : sum / static_cast<double>(simplices_.size());
  }

  void hold_node(std::size_t node, const Vec3& point) {
    const Term term{static_cast<int>(node), 1};
    domain_.hold(point, element_of_[node], {&term, 1});
  }

  void add_samples() {
    const double spacing = mean_edge() / 2, on_bone = on_bone_tolerance(skeleton_, domain_.points);
    std::vector<char> held(domain_.points.size(), 0);
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
      const Bone& bone = skeleton_.bones[b];
      std::vector<double> places;  // along the bone where nodes hold it
      for (std::size_t v = 0; v < domain_.points.size(); ++v) {
        if (!used_[v]) continue;
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
      if (domain_.samples.size() == before && !by_nodes) hold_nearest(b, held);
    }
  }

  // The parameters between which the bone lies in the box of all points; none: 1 and 0.
  std::pair<double, double> inside_box(const Bone& bone) const {
    const Vec3 way = bone.tail - bone.head;
    double near = 0, far = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const double low = box_.low[i] - bone.head[i], high = box_.high[i] - bone.head[i];
      if (way[i] == 0) {
        // Beside it by rounding alone is not beside it.
        if (low > 1e-9 * extent_ || high < -1e-9 * extent_) return {1, 0};
        continue;
      }
      near = std::max(near, std::min(low / way[i], high / way[i]));
      far = std::min(far, std::max(low / way[i], high / way[i]));
    }
    return {near, far};
  }

  // Holds points of the bone where no node does over more than four times the spacing. A mesh made
  // for the bones has nodes all along them, and is taken at its word.
  void fill_gaps(const Bone& bone, std::vector<double> places, double spacing) {
    const double step = spacing / distance(bone.head, bone.tail);
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
    const Vec3 low = component_min(bone.head, bone.tail),
               high = component_max(bone.head, bone.tail);
    std::vector<std::size_t> near;
    for (std::size_t e = 0; e < simplices_.size(); ++e) {
      const Simplex& simplex = simplices_[e];
      Vec3 least = domain_.points[static_cast<std::size_t>(simplex.nodes[0])], most = least;
      for (std::size_t i = 1; i < simplex.corners; ++i) {
        const Vec3& p = domain_.points[static_cast<std::size_t>(simplex.nodes[i])];
        least = component_min(least, p);
        most = component_max(most, p);
      }
      if (least.x <= high.x && least.y <= high.y && least.z <= high.z && most.x >= low.x &&
          most.y >= low.y && most.z >= low.z) {
        near.push_back(e);
      }
    }
    for (const double t : wanted) {
      const Vec3 p = lerp(bone.head, bone.tail, t);
      for (const std::size_t e : near) {
        const std::vector<Term> terms = locate(simplices_[e], domain_.points, p);
        if (terms.empty()) continue;
        domain_.hold(p, e, terms);
        break;
      }
    }
  }

  void hold_nearest(std::size_t number, std::vector<char>& held) {
    const Bone& bone = skeleton_.bones[number];
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t node = domain_.points.size();
    double place = 0;
    for (std::size_t v = 0; v < domain_.points.size(); ++v) {
      if (!used_[v] || held[v] != 0) continue;
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
    domain_.repairs.push_back(fmt::format(
        "bone {} lies outside of the shape and is tied to vertex {}, the nearest free one", number,
        node));
  }

  const Skeleton& skeleton_;
  Domain domain_;
  std::vector<Simplex> simplices_;
  std::vector<bool> used_;
  std::vector<std::size_t> element_of_;  // one for each node that is used
  Box box_;
  double extent_ = 0;
};

}  // namespace

bool has_domain(const Mesh& mesh) {
  if (!mesh.tetrahedra.empty()) return true;
  const Box box = bounding_box(mesh.positions);
  return !mesh.triangles.empty() && box.high.z == box.low.z && box.diagonal() > 0;
}

Domain mesh_domain(const Mesh& mesh, const Skeleton& skeleton) {
  return Builder(mesh, skeleton).take();
}

}  // namespace sinew::detail
