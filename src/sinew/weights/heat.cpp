// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/heat.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/geometry/laplacian.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/bone_ends.h"
#include "sinew/weights/detail/collect_rows.h"
#include "sinew/weights/detail/heat_sources.h"
#include "sinew/weights/detail/require.h"
#include "sinew/weights/detail/sparse_cholesky.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew {
namespace {

using detail::HeatSource;
using detail::HeatSources;
using detail::Segment;

void require_options(const HeatOptions& options) {
  if (!(options.c >= 1e-3 && options.c <= 1e6)) {
    throw UsageError(fmt::format("c is {}; it must be in [1e-3, 1e6]", options.c));
  }
  detail::require_smallest(options.smallest);
}

// For each vertex the lowest one that it is connected to.
std::vector<Index> islands(const SurfaceLaplacian& laplacian) {
  std::vector<Index> parent(laplacian.areas.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const SurfaceLaplacian::Edge& edge : laplacian.edges) {
    const Index a = root(edge.a);
    const Index b = root(edge.b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::size_t v = 0; v < parent.size(); ++v) parent[v] = root(static_cast<Index>(v));
  return parent;
}

// The heat equation of a welded mesh in unit space, for handles that are bones or joints.
class Heat {
 public:
  Heat(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
       std::vector<Segment> handles, double c, double zero, const char* handle_name,
       const Progress& progress, SolveNotes& notes)
      : positions_(positions), handles_(std::move(handles)) {
    progress.report("visibility", 0);
    sources_ = detail::visible_sources(positions, triangles, handles_);
    progress.report("surface", 0.4);
    const SurfaceLaplacian laplacian = surface_laplacian(positions, triangles);
    const std::vector<Index> island = islands(laplacian);
    take_nearest_where_nothing_is_seen(island, handle_name, notes);
    set_heat(laplacian, island, c, zero);
    assemble(laplacian);
    notes.unknowns = positions.size();
  }

  // Calls use(first handle, handle count, values) for some handles at a time, the values of vertex
  // v at [v * count].
  template <class Use>
  void solve(const Progress& progress, SolveNotes& notes, Use&& use) const {
    const detail::SparseCholesky factor(matrix_, positions_, progress.part(0.5, 0.8));
    const std::size_t n = positions_.size();
    // Few enough at a time that they take no more memory than the factor of a large mesh.
    const std::size_t most =
        std::max<std::size_t>(8, (std::size_t{1} << 24) / std::max<std::size_t>(n, 1));
    double error = 0;
    double size = 0;
    for (std::size_t first = 0; first < handles_.size(); first += most) {
      progress.report("solving", 0.8 + 0.2 * double(first) / double(handles_.size()));
      const std::size_t count = std::min(most, handles_.size() - first);
      std::vector<double> values(n * count, 0.0);
      each_side(first, count, [&](std::size_t i, double side) {
        values[i] = side;
        size += side * side;
      });
      factor.solve(values, count);
      std::vector<double> rest(values.size());
      detail::multiply(matrix_, values, count, rest);
      each_side(first, count, [&](std::size_t i, double side) { rest[i] -= side; });
      for (const double r : rest) error += r * r;
      put_exact_values(first, count, values);
      use(first, count, values);
    }
    notes.residual = size > 0 ? std::sqrt(error / size) : 0;
    notes.converged = notes.residual < 1e-6;
  }

 private:
  void take_nearest_where_nothing_is_seen(const std::vector<Index>& island, const char* handle_name,
                                          SolveNotes& notes) {
    std::vector<std::size_t> size(island.size(), 0);
    std::vector<std::size_t> seeing(island.size(), 0);
    for (std::size_t v = 0; v < island.size(); ++v) {
      ++size[island[v]];
      if (sources_.of_vertex[v].count > 0) ++seeing[island[v]];
    }
    std::vector<char> wanted(island.size());
    std::size_t parts = 0;
    std::size_t blind = 0;
    for (std::size_t v = 0; v < island.size(); ++v) {
      const Index i = island[v];
      wanted[v] = 10 * seeing[i] < size[i] ? 1 : 0;
      if (i == v) {
        ++parts;
        blind += static_cast<std::size_t>(wanted[v]);
      }
    }
    if (blind == 0) return;
    detail::use_nearest(positions_, handles_, wanted, sources_);
    notes.repairs.push_back(fmt::format(
        "{} of {} parts of the surface see no {}, or hardly any; their vertices take heat from the "
        "nearest {}, seen or not.",
        blind, parts, handle_name, handle_name));
  }

  // H times the area around each vertex.
  void set_heat(const SurfaceLaplacian& laplacian, const std::vector<Index>& island, double c,
                double zero) {
    const std::size_t n = positions_.size();
    heat_.assign(n, 0.0);
    std::vector<double> total(n, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
      const HeatSource& source = sources_.of_vertex[v];
      if (source.count == 0) continue;
      // All of its triangles, as in the original program. A vertex without any needs no area.
      const double area = laplacian.areas[v] > 0 ? 3 * laplacian.areas[v] : 1;
      const double d = std::max({source.distance, 1e-3 * std::sqrt(area), zero});
      heat_[v] = c * area / (d * d);
      total[island[v]] += heat_[v];
    }
    // Heat from so far that rounding would lose it: only its proportions matter there.
    for (std::size_t v = 0; v < n; ++v) {
      const double all = total[island[v]];
      if (all < 1e-3) heat_[v] *= 1e-3 / all;
      exact_.push_back(sources_.of_vertex[v].count > 0 && sources_.of_vertex[v].distance <= zero);
    }
  }

  void assemble(const SurfaceLaplacian& laplacian) {
    const std::size_t n = positions_.size();
    std::vector<double> diagonal = heat_;
    std::vector<detail::Triplet> triplets;
    triplets.reserve(n + laplacian.edges.size());
    for (const SurfaceLaplacian::Edge& edge : laplacian.edges) {
      diagonal[edge.a] += edge.weight;
      diagonal[edge.b] += edge.weight;
      triplets.push_back({static_cast<int>(edge.b), static_cast<int>(edge.a), -edge.weight});
    }
    for (std::size_t v = 0; v < n; ++v) {
      triplets.push_back({static_cast<int>(v), static_cast<int>(v), diagonal[v]});
    }
    matrix_ = detail::assemble(static_cast<int>(n), triplets);
  }

  template <class Put>
  void each_source(std::size_t v, std::size_t first, std::size_t count, Put&& put) const {
    const HeatSource& source = sources_.of_vertex[v];
    for (int i = 0; i < source.count; ++i) {
      const std::size_t handle = sources_.handles[source.first + static_cast<std::size_t>(i)];
      if (handle >= first && handle < first + count) put(handle - first, 1.0 / source.count);
    }
  }

  // Calls put(place in the values of some handles, side) for the right-hand sides that are not 0.
  template <class Put>
  void each_side(std::size_t first, std::size_t count, Put&& put) const {
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      each_source(v, first, count, [&](std::size_t column, double share) {
        put(v * count + column, heat_[v] * share);
      });
    }
  }

  // A vertex on a bone receives infinite heat from it.
  void put_exact_values(std::size_t first, std::size_t count, std::vector<double>& values) const {
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      if (!exact_[v]) continue;
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(v * count), count, 0.0);
      each_source(v, first, count,
                  [&](std::size_t column, double share) { values[v * count + column] = share; });
    }
  }

  const std::vector<Vec3>& positions_;
  std::vector<Segment> handles_;
  HeatSources sources_;
  std::vector<double> heat_;
  std::vector<bool> exact_;
  detail::SymmetricMatrix matrix_;
};

// The mesh, welded and in unit space.
struct Scene {
  detail::UnitSpace space;
  Welded welded;

  Scene(const Mesh& mesh, const Skeleton& skeleton)
      : space(detail::unit_space(mesh.positions, skeleton)),
        welded(weld(mesh.positions, mesh.triangles)) {
    for (Vec3& p : welded.positions) p = space.to_unit(p);
  }
};

}  // namespace

SolvedWeights heat_weights(const Mesh& mesh, const Skeleton& skeleton, const HeatOptions& options,
                           const Progress& progress) {
  require_options(options);
  const Scene scene(mesh, skeleton);
  SolvedWeights result;
  const Heat heat(scene.welded.positions, scene.welded.triangles,
                  detail::bone_segments(scene.space, skeleton), options.c, scene.space.rounding,
                  "bone", progress, result.notes);
  std::vector<std::vector<Influence>> rows(scene.welded.positions.size());
  const auto gather = [&](std::size_t first, std::size_t count, std::span<const double> values) {
    parallel_for(rows.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        for (std::size_t i = 0; i < count; ++i) {
          // Rows sum to 1, so with fewer than a million bones the largest weight is not lost.
          const double w = values[v * count + i];
          if (w > 1e-7 && w > 1e-3 * options.smallest) {
            rows[v].push_back({static_cast<int>(first + i), w});
          }
        }
      }
    });
  };
  heat.solve(progress, result.notes, gather);
  parallel_for(rows.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) detail::finish_row(rows[v], 0, options.smallest);
  });
  result.weights = detail::collect_rows(
      mesh.vertex_count(), [] { return 0; },
      [&](std::size_t v, std::vector<Influence>& influences, int) {
        const auto& row = rows[scene.welded.representative_of[v]];
        influences.insert(influences.end(), row.begin(), row.end());
      });
  progress.report("solving", 1);
  return result;
}

SolvedEndpoints heat_endpoints(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights,
                               const HeatOptions& options, const Progress& progress) {
  require_options(options);
  const Scene scene(mesh, skeleton);
  validate(weights, mesh.vertex_count(), skeleton.bones.size());
  const BoneEnds ends = bone_ends(skeleton);
  std::vector<Segment> joints;
  joints.reserve(ends.points.size());
  for (const Vec3& p : ends.points) {
    joints.push_back(detail::segment(scene.space.to_unit(p), scene.space.to_unit(p)));
  }
  SolvedEndpoints result;
  const Heat heat(scene.welded.positions, scene.welded.triangles, joints, options.c,
                  scene.space.rounding, "joint", progress, result.notes);
  result.endpoints.assign(weights.influences.size(), 0.5);
  const auto add = [&](std::size_t first, std::size_t count, std::span<const double> values) {
    parallel_for(mesh.vertex_count(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const std::size_t row = scene.welded.representative_of[v] * count;
        const auto half = [&](int joint) {
          const std::size_t column = static_cast<std::size_t>(joint) - first;
          return column < count ? 0.5 * values[row + column] : 0.0;
        };
        for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
          const auto [head, tail] = ends.bones[weights.influences[i].bone];
          result.endpoints[i] += half(tail) - half(head);
        }
      }
    });
  };
  heat.solve(progress, result.notes, add);
  for (double& e : result.endpoints) e = std::clamp(e, 0.0, 1.0);
  progress.report("solving", 1);
  return result;
}

}  // namespace sinew
