// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/remesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/samples/detail/edge_mesh.h"

namespace sinew::samples {
namespace {

constexpr std::size_t grain = 1024;

struct Work {
  EdgeMesh mesh;
  std::vector<Vec3> positions;
  std::vector<double> sizes;  // wanted edge lengths at the vertices
};

Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) { return cross(b - a, c - a); }

// Twice the area over the sum of squared sides, scaled to 1 for equal sides.
double shape_quality(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double sides = length_squared(b - a) + length_squared(c - b) + length_squared(a - c);
  return sides > 0 ? 2 * std::sqrt(3.0) * length(area_vector(a, b, c)) / sides : 0;
}

// What a collapse must respect.
struct Limits {
  double upright = 0.5;  // the cosine of how far a triangle may turn
  double longest = 1.7;  // edges, for their place
};

// Whether the triangles around `vertex` stay upright, and fit, when it moves to `to`; those that
// have `except` as a corner go away and do not count.
bool may_move(const Work& work, Index vertex, const Vec3& to, Index except, const Limits& limits,
              double size) {
  bool allowed = true;
  work.mesh.for_each_leaving(vertex, [&](std::uint32_t h) {
    if (!allowed) return;
    const Index b = work.mesh.to(h), c = work.mesh.opposite(h);
    if (b == except || c == except) return;
    const Vec3 before = area_vector(work.positions[vertex], work.positions[b], work.positions[c]);
    const Vec3 after = area_vector(to, work.positions[b], work.positions[c]);
    const double both = length(before) * length(after);
    // What is upside down or flat already cannot be asked to keep its direction.
    if (both > 0 && dot(before, after) < limits.upright * both) allowed = false;
    const double quality = shape_quality(to, work.positions[b], work.positions[c]);
    if (quality < 0.08 &&
        quality < shape_quality(work.positions[vertex], work.positions[b], work.positions[c])) {
      allowed = false;
    }
    if (distance(to, work.positions[b]) > limits.longest * size) allowed = false;
  });
  return allowed;
}

// Collapses the edge if allowed.
bool try_collapse(Work& work, std::uint32_t h, const Limits& limits) {
  Index gone = work.mesh.from(h), kept = work.mesh.to(h);
  const bool along_border = work.mesh.twin(h) == EdgeMesh::none;
  if (work.mesh.is_border(gone) && !along_border) {
    if (work.mesh.is_border(kept)) return false;
    h = work.mesh.twin(h);
    std::swap(gone, kept);
  }
  const Vec3 place = work.mesh.is_border(kept) && !along_border
                         ? work.positions[kept]
                         : lerp(work.positions[gone], work.positions[kept], 0.5);
  const double size = 0.5 * (work.sizes[gone] + work.sizes[kept]);
  if (!may_move(work, gone, place, kept, limits, size) ||
      !may_move(work, kept, place, gone, limits, size) || !work.mesh.can_collapse(h)) {
    return false;
  }
  work.mesh.collapse(h);
  work.positions[kept] = place;
  work.sizes[kept] = size;
  return true;
}

double cosine_at(const Vec3& corner, const Vec3& a, const Vec3& b) {
  const Vec3 u = a - corner, v = b - corner;
  const double lengths = std::sqrt(length_squared(u) * length_squared(v));
  return lengths > 0 ? dot(u, v) / lengths : 1;
}

// Turns the edges that are not Delaunay: the angles across from them sum to more than half a turn.
void flip_edges(Work& work) {
  const std::vector<Vec3>& p = work.positions;
  for (std::uint32_t h = 0; h < work.mesh.half_edge_count(); ++h) {
    if (work.mesh.is_removed(h)) continue;
    const std::uint32_t g = work.mesh.twin(h);
    if (g == EdgeMesh::none || g < h) continue;
    const Index a = work.mesh.from(h), b = work.mesh.to(h);
    const Index left = work.mesh.opposite(h), right = work.mesh.opposite(g);
    // For angles in [0, pi]: their sum exceeds pi just if the cosines' sum is negative.
    if (cosine_at(p[left], p[a], p[b]) + cosine_at(p[right], p[a], p[b]) > -1e-9) continue;
    const Vec3 old = area_vector(p[a], p[b], p[left]) + area_vector(p[b], p[a], p[right]);
    const Vec3 first = area_vector(p[right], p[left], p[a]);
    const Vec3 second = area_vector(p[left], p[right], p[b]);
    if (dot(first, old) <= 0.3 * length(first) * length(old) ||
        dot(second, old) <= 0.3 * length(second) * length(old) || !work.mesh.can_flip(h)) {
      continue;
    }
    work.mesh.flip(h);
  }
}

void collapse_to(Work& work, std::size_t target, std::size_t copies) {
  std::size_t count = 0;
  for (Index v = 0; v < work.positions.size(); ++v) {
    if (!work.mesh.is_vertex_removed(v)) count += work.mesh.is_border(v) ? 1 : copies;
  }
  // In small steps of the threshold, so that where the last one stops does not show.
  // Past what the places want, shapes give way: there are more limbs than vertices for them.
  int pass = 0;
  for (double threshold = 0.2; count > target && threshold < 1.7; threshold *= 1.04) {
    // Needles stand in the way of collapses; turning edges does away with them.
    if (threshold > 0.5 && pass++ % 6 == 0) flip_edges(work);
    const Limits limits{threshold < 1 ? 0.5 : 0.1, std::max(1.7, 1.9 * threshold)};
    for (std::uint32_t h = 0; h < work.mesh.half_edge_count() && count > target; ++h) {
      if (work.mesh.is_removed(h)) continue;
      if (work.mesh.twin(h) != EdgeMesh::none && work.mesh.twin(h) < h) continue;
      const Index a = work.mesh.from(h), b = work.mesh.to(h);
      const double size = 0.5 * (work.sizes[a] + work.sizes[b]);
      if (length_squared(work.positions[a] - work.positions[b]) >
          threshold * threshold * size * size) {
        continue;
      }
      const bool along_border = work.mesh.twin(h) == EdgeMesh::none;
      if (!try_collapse(work, h, limits)) continue;
      count -= std::min(count, along_border ? 1 : copies);
    }
  }
}

// Moves each vertex towards the centroid of its triangles, those of places that want longer edges
// counting less, and back onto the shape. Border vertices move along the border.
void smooth(Work& work, const RemeshRules& rules, double step, int projection_steps) {
  std::vector<Vec3> moved(work.positions.size());
  parallel_for(work.positions.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<Index>(i);
      moved[i] = work.positions[i];
      if (work.mesh.is_vertex_removed(v)) continue;
      const bool border = work.mesh.is_border(v);
      Vec3 sum, normal;
      double total = 0;
      work.mesh.for_each_leaving(v, [&](std::uint32_t h) {
        const Index b = work.mesh.to(h), c = work.mesh.opposite(h);
        const Vec3 &pb = work.positions[b], &pc = work.positions[c];
        const Vec3 area = area_vector(moved[i], pb, pc);
        normal += area;
        if (border) {
          const bool first = work.mesh.twin(h) == EdgeMesh::none;
          const bool last = work.mesh.twin(EdgeMesh::previous(h)) == EdgeMesh::none;
          if (first) sum += pb;
          if (last) sum += pc;
          total += (first ? 1 : 0) + (last ? 1 : 0);
          return;
        }
        const double size = work.sizes[v] + work.sizes[b] + work.sizes[c];
        const double weight = length(area) / (size * size * size * size);
        sum += (moved[i] + pb + pc) * (weight / 3);
        total += weight;
      });
      if (!(total > 0)) continue;
      Vec3 move = (sum / total - moved[i]) * step;
      if (!border) {
        const Vec3 n = normalized(normal);
        move -= n * dot(move, n);
      }
      moved[i] = rules.project(moved[i] + move, border, projection_steps);
    }
  });
  work.positions.swap(moved);
}

void update_sizes(Work& work, const RemeshRules& rules) {
  parallel_for(work.positions.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!work.mesh.is_vertex_removed(static_cast<Index>(i))) {
        work.sizes[i] = rules.edge_length(work.positions[i]);
      }
    }
  });
}

Surface compacted(const Work& work) {
  Surface surface;
  std::vector<Index> number(work.positions.size(), 0);
  for (Index v = 0; v < work.positions.size(); ++v) {
    if (work.mesh.is_vertex_removed(v)) continue;
    number[v] = static_cast<Index>(surface.positions.size());
    surface.positions.push_back(work.positions[v]);
  }
  for (std::uint32_t h = 0; h < work.mesh.half_edge_count(); h += 3) {
    if (work.mesh.is_removed(h)) continue;
    surface.triangles.push_back(
        {number[work.mesh.from(h)], number[work.mesh.from(h + 1)], number[work.mesh.from(h + 2)]});
  }
  return surface;
}

}  // namespace

Surface remesh(const Surface& dense, std::size_t vertex_target, std::size_t copies,
               const RemeshRules& rules, const Progress& progress) {
  Work work{EdgeMesh(dense.positions.size(), dense.triangles), dense.positions,
            std::vector<double>(dense.positions.size(), 1)};
  progress.report("thinning", 0);
  update_sizes(work, rules);
  collapse_to(work, vertex_target, copies);
  // Removed elements would otherwise be visited in every round.
  const Surface thin = compacted(work);
  work = {EdgeMesh(thin.positions.size(), thin.triangles), thin.positions,
          std::vector<double>(thin.positions.size(), 1)};
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    progress.report("smoothing", 0.3 + 0.7 * round / rounds);
    update_sizes(work, rules);
    flip_edges(work);
    smooth(work, rules, 0.8, round + 1 == rounds ? 4 : 1);
  }
  flip_edges(work);
  progress.report("smoothing", 1);
  return compacted(work);
}

}  // namespace sinew::samples
