// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/bvh.h"

#include <algorithm>
#include <utility>

#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

// A fixed stack suffices: going down, one node is pushed per level.
template <class Entry>
class Stack {
 public:
  bool empty() const { return size_ == 0; }
  void push(const Entry& entry) { entries_[size_++] = entry; }
  Entry pop() { return entries_[--size_]; }

 private:
  std::array<Entry, Bvh::max_depth + 1> entries_;
  std::size_t size_ = 0;
};

double distance_squared(const Box& box, const Vec3& p) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double outside = std::max(std::max(box.low[i] - p[i], p[i] - box.high[i]), 0.0);
    sum += outside * outside;
  }
  return sum;
}

// What happens to rays exactly through an edge.
enum class Edges {
  belong_to_both,  // of its triangles
  belong_to_one,   // the ray is pushed aside by (e, e^2), e smaller than any number
};

struct Sheared {
  double x, y, z;  // across the ray and along it
};

// Positive if the edge p q lies to the left of the ray. The sign is exact for the given p and q:
// rounding preserves the order of the products, and if they round to the same value, their rounding
// errors decide. Swapping p and q changes only the sign.
double side(const Sheared& p, const Sheared& q) {
  const double left = p.x * q.y;
  const double right = p.y * q.x;
  if (left != right) return left - right;
  return std::fma(p.x, q.y, -left) - std::fma(p.y, q.x, -right);
}

double sign_when_pushed(double s, const Sheared& p, const Sheared& q) {
  if (s != 0) return s;
  return p.y != q.y ? p.y - q.y : q.x - p.x;
}

// A ray with precomputed values for its tests: triangles are sheared so that the ray runs along z.
class PreparedRay {
 public:
  explicit PreparedRay(const Ray& ray) : origin_(ray.origin) {
    const Vec3& d = ray.direction;
    const Vec3 size = {std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)};
    z_ = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    x_ = (z_ + 1) % 3;
    y_ = (z_ + 2) % 3;
    usable_ = size[z_] > 0 && is_finite(d) && is_finite(ray.origin);
    shear_x_ = d[x_] / d[z_];
    shear_y_ = d[y_] / d[z_];
    scale_ = 1 / d[z_];
    inverse_ = {1 / d.x, 1 / d.y, 1 / d.z};
  }

  // False for a direction of zero length, which hits nothing.
  bool usable() const { return usable_; }

  // Where the ray enters the box, at least t_min; nothing if it misses the box or enters it beyond
  // t_max. The slack covers rounding here and in the shear, so that no box is skipped whose
  // triangles would be hit.
  bool enters(const Box& box, double t_min, double t_max, double& entry) const {
    constexpr double slack = 16 * std::numeric_limits<double>::epsilon();
    double near = t_min;
    double far = t_max;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool down = inverse_[i] < 0;
      const double a = ((down ? box.high[i] : box.low[i]) - origin_[i]) * inverse_[i];
      const double b = ((down ? box.low[i] : box.high[i]) - origin_[i]) * inverse_[i];
      // Comparisons with NaN (0 times infinity: a ray within the box's side) leave the range as is.
      near = a > near ? a : near;
      far = b < far ? b : far;
    }
    entry = near;
    return near - slack * std::fabs(near) <= far + slack * std::fabs(far);
  }

  template <Edges edges>
  bool hits(const std::array<Vec3, 3>& corners, RayHit& hit) const {
    const Sheared a = flatten(corners[0]);
    const Sheared b = flatten(corners[1]);
    const Sheared c = flatten(corners[2]);
    const double u = side(b, c);
    const double v = side(c, a);
    const double w = side(a, b);
    if constexpr (edges == Edges::belong_to_both) {
      if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
    } else {
      const double pu = sign_when_pushed(u, b, c);
      const double pv = sign_when_pushed(v, c, a);
      const double pw = sign_when_pushed(w, a, b);
      if (!(pu > 0 && pv > 0 && pw > 0) && !(pu < 0 && pv < 0 && pw < 0)) return false;
    }
    const double sum = u + v + w;
    if (!(sum < 0 || sum > 0)) return false;
    hit.barycentric = {u / sum, v / sum, w / sum};
    hit.t = scale_ * (hit.barycentric.x * a.z + hit.barycentric.y * b.z + hit.barycentric.z * c.z);
    return true;
  }

 private:
  Sheared flatten(const Vec3& corner) const {
    const Vec3 p = corner - origin_;
    const double z = p[z_];
    return {p[x_] - shear_x_ * z, p[y_] - shear_y_ * z, z};
  }

  Vec3 origin_;
  Vec3 inverse_;
  std::size_t x_ = 0, y_ = 0, z_ = 0;
  double shear_x_ = 0, shear_y_ = 0, scale_ = 0;
  bool usable_ = false;
};

// Calls on_hit(hit) for the hits with t in [t_min, t_max], near boxes first. It returns how far
// hits still matter; less than t_min ends the search.
template <Edges edges, class OnHit>
void each_hit(const Bvh& bvh, Index below, const Ray& along, double t_min, double t_max,
              OnHit on_hit) {
  struct Entry {
    Index node;
    double t;
  };
  const PreparedRay ray(along);
  double entry = 0;
  if (bvh.empty() || !ray.usable()) return;
  if (!ray.enters(bvh.nodes()[below].box, t_min, t_max, entry)) return;
  Stack<Entry> stack;
  stack.push({below, entry});
  while (!stack.empty()) {
    const Entry top = stack.pop();
    if (top.t > t_max) continue;
    const Bvh::Node& node = bvh.nodes()[top.node];
    if (node.is_leaf()) {
      for (Index i = node.first; i < node.first + node.count; ++i) {
        RayHit hit;
        if (!ray.hits<edges>(bvh.corners()[i], hit)) continue;
        if (!(hit.t >= t_min && hit.t <= t_max)) continue;
        hit.triangle = bvh.order()[i];
        t_max = on_hit(hit);
        if (t_max < t_min) return;
      }
      continue;
    }
    Entry left{node.first, 0};
    Entry right{node.first + 1, 0};
    const bool enters_left = ray.enters(bvh.nodes()[left.node].box, t_min, t_max, left.t);
    const bool enters_right = ray.enters(bvh.nodes()[right.node].box, t_min, t_max, right.t);
    if (enters_left && enters_right) {
      if (right.t < left.t) std::swap(left, right);
      stack.push(right);
      stack.push(left);
    } else if (enters_left || enters_right) {
      stack.push(enters_left ? left : right);
    }
  }
}

template <class Accept>
std::optional<SurfacePoint> find_closest(const Bvh& bvh, const Vec3& p, double max_distance,
                                         const Accept& accept) {
  struct Entry {
    Index node;
    double distance_squared;
  };
  if (bvh.empty() || !(max_distance >= 0)) return std::nullopt;
  double best = max_distance * max_distance;
  std::optional<TrianglePoint> found;
  Index found_triangle = 0;
  Stack<Entry> stack;
  stack.push({0, distance_squared(bvh.nodes()[0].box, p)});
  while (!stack.empty()) {
    const Entry top = stack.pop();
    if (!(top.distance_squared <= best)) continue;
    const Bvh::Node& node = bvh.nodes()[top.node];
    if (node.is_leaf()) {
      for (Index i = node.first; i < node.first + node.count; ++i) {
        const auto& [a, b, c] = bvh.corners()[i];
        const TrianglePoint candidate = closest_on_triangle(p, a, b, c);
        const double d = candidate.distance_squared;
        const Index triangle = bvh.order()[i];
        if (d < best || (d == best && (!found || triangle < found_triangle))) {
          if (!accept(triangle, candidate.barycentric)) continue;
          best = d;
          found = candidate;
          found_triangle = triangle;
        }
      }
      continue;
    }
    Entry near{node.first, distance_squared(bvh.nodes()[node.first].box, p)};
    Entry far{node.first + 1, distance_squared(bvh.nodes()[node.first + 1].box, p)};
    if (far.distance_squared < near.distance_squared) std::swap(near, far);
    if (far.distance_squared <= best) stack.push(far);
    if (near.distance_squared <= best) stack.push(near);
  }
  if (!found) return std::nullopt;
  return SurfacePoint{p + found->offset, found_triangle, found->barycentric, std::sqrt(best)};
}

}  // namespace

std::optional<SurfacePoint> Bvh::closest(const Vec3& p, double max_distance) const {
  return find_closest(*this, p, max_distance, [](Index, const Vec3&) { return true; });
}

std::optional<SurfacePoint> Bvh::closest_accepted(const Vec3& p, const Accept& accept,
                                                  double max_distance) const {
  return find_closest(*this, p, max_distance, accept);
}

std::optional<RayHit> Bvh::first_hit(const Ray& ray, double t_min, double t_max,
                                     Index below) const {
  std::optional<RayHit> first;
  each_hit<Edges::belong_to_both>(*this, below, ray, t_min, t_max, [&](const RayHit& hit) {
    if (!first || hit.t < first->t || hit.triangle < first->triangle) first = hit;
    return first->t;
  });
  return first;
}

Index Bvh::node_around(const Box& box) const {
  const auto touches = [&](Index n) {
    const Box& other = nodes_[n].box;
    return box.low.x <= other.high.x && box.low.y <= other.high.y && box.low.z <= other.high.z &&
           other.low.x <= box.high.x && other.low.y <= box.high.y && other.low.z <= box.high.z;
  };
  Index node = 0;
  while (!nodes_.empty() && !nodes_[node].is_leaf()) {
    const Index first = nodes_[node].first;
    const bool left = touches(first), right = touches(first + 1);
    if (left && right) break;
    node = left ? first : first + 1;
  }
  return node;
}

bool Bvh::any_hit(const Ray& ray, double t_min, double t_max) const {
  bool any = false;
  each_hit<Edges::belong_to_both>(*this, 0, ray, t_min, t_max, [&](const RayHit&) {
    any = true;
    return -std::numeric_limits<double>::infinity();
  });
  return any;
}

std::size_t Bvh::count_hits(const Ray& ray, double t_min, double t_max) const {
  std::size_t count = 0;
  each_hit<Edges::belong_to_one>(*this, 0, ray, t_min, t_max, [&](const RayHit&) {
    ++count;
    return t_max;
  });
  return count;
}

}  // namespace sinew
