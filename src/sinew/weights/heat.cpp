// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/heat.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/weights/bone_ends.h"
#include "sinew/weights/detail/collect_rows.h"
#include "sinew/weights/detail/heat_sources.h"
#include "sinew/weights/detail/in_scene.h"
#include "sinew/weights/detail/require.h"
#include "sinew/weights/detail/sparse_cholesky.h"
#include "sinew/weights/detail/unit_space.h"
#include "sinew/weights/detail/whole_matrix.h"

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

// What the vertices have of some handles.
class Values {
 public:
  std::size_t first, count;  // which handles

  Values(std::span<const int> places, std::size_t from, std::size_t number)
      : first(from),
        count(number),
        places_(places),
        step_(detail::SparseCholesky::padded_sides(number)),
        values_(places.size() * step_, 0.0) {}

  double* row(std::size_t v) { return values_.data() + at(v); }
  const double* row(std::size_t v) const { return values_.data() + at(v); }
  std::span<double> all() { return values_; }

 private:
  std::size_t at(std::size_t v) const { return static_cast<std::size_t>(places_[v]) * step_; }

  std::span<const int> places_;  // in the order of elimination
  std::size_t step_;
  std::vector<double> values_;
};

// The heat equation of a welded mesh in unit space, for handles that are bones or joints.
class Heat {
 public:
  Heat(const detail::WeldedScene& scene, detail::HeatSurface& surface,
       const std::vector<Segment>& handles, const HeatSources& seen, double c,
       const char* handle_name, SolveNotes& notes)
      : positions_(scene.welded.positions), handles_(handles), sources_(&seen), surface_(surface) {
    take_nearest_where_nothing_is_seen(surface.islands(), handle_name, notes);
    set_heat(surface.areas(), surface.islands(), c, scene.space.rounding);
    notes.unknowns = positions_.size();
  }

  // Whether the mesh is so large that memory decides how many handles are solved for at once.
  bool takes_turns() const { return handles_.size() > most_at_once(); }

  // Calls use(values) for some handles at a time. `last`: no other heat equation of the surface
  // follows.
  template <class Use>
  void solve(bool last, const Progress& progress, SolveNotes& notes, Use&& use) const {
    const detail::SymmetricMatrix& matrix = surface_.matrix_with(heat_, last);
    auto factor = std::make_optional<detail::SparseCholesky>(matrix, surface_.order(),
                                                             progress.part(0.5, 0.8));
    const detail::WholeMatrix whole(matrix);
    const std::size_t most = most_at_once();
    double error = 0;
    double size = 0;
    for (std::size_t first = 0; first < handles_.size(); first += most) {
      progress.report("solving", 0.8 + 0.2 * double(first) / double(handles_.size()));
      Values values(surface_.order().places(), first, std::min(most, handles_.size() - first));
      each_side(values, [&](double& place, double side) {
        place = side;
        size += side * side;
      });
      factor->solve_in_order(values.all(), values.count);
      if (first + most >= handles_.size()) factor.reset();  // which takes most of the memory
      add_errors(whole, values, error);
      put_exact_values(values);
      use(values);
    }
    notes.residual = size > 0 ? std::sqrt(error / size) : 0;
    notes.converged = notes.residual < 1e-6;
  }

 private:
  // Few enough that they take no more memory than the factor of a large mesh.
  std::size_t most_at_once() const {
    const std::size_t n = std::max<std::size_t>(positions_.size(), 1);
    return std::max<std::size_t>(8, (std::size_t{1} << 24) / n);
  }

  void take_nearest_where_nothing_is_seen(const std::vector<Index>& island, const char* handle_name,
                                          SolveNotes& notes) {
    std::vector<std::size_t> size(island.size(), 0);
    std::vector<std::size_t> seeing(island.size(), 0);
    for (std::size_t v = 0; v < island.size(); ++v) {
      ++size[island[v]];
      if (sources_->of_vertex[v].count > 0) ++seeing[island[v]];
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
    own_sources_ = *sources_;
    detail::use_nearest(positions_, handles_, wanted, own_sources_);
    sources_ = &own_sources_;
    notes.repairs.push_back(fmt::format(
        "{} of {} parts of the surface see no {}, or hardly any; their vertices take heat from the "
        "nearest {}, seen or not.",
        blind, parts, handle_name, handle_name));
  }

  // H times the area around each vertex.
  void set_heat(const std::vector<double>& areas, const std::vector<Index>& island, double c,
                double zero) {
    const std::size_t n = positions_.size();
    heat_.assign(n, 0.0);
    std::vector<double> total(n, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
      const HeatSource& source = sources_->of_vertex[v];
      if (source.count == 0) continue;
      // All of its triangles, as in the original program. A vertex without any needs no area.
      const double area = areas[v] > 0 ? 3 * areas[v] : 1;
      const double d = std::max({source.distance, 1e-3 * std::sqrt(area), zero});
      heat_[v] = c * area / (d * d);
      total[island[v]] += heat_[v];
    }
    // Heat from so far that rounding would lose it: only its proportions matter there.
    for (std::size_t v = 0; v < n; ++v) {
      const double all = total[island[v]];
      if (all < 1e-3) heat_[v] *= 1e-3 / all;
      exact_.push_back(sources_->of_vertex[v].count > 0 && sources_->of_vertex[v].distance <= zero);
    }
  }

  // Calls put(number of one of these handles, its share) for the sources of a vertex.
  template <class Put>
  void each_source(std::size_t v, const Values& values, Put&& put) const {
    const HeatSource& source = sources_->of_vertex[v];
    for (int i = 0; i < source.count; ++i) {
      const std::size_t handle = sources_->handles[source.first + static_cast<std::size_t>(i)];
      if (handle >= values.first && handle < values.first + values.count) {
        put(handle - values.first, 1.0 / source.count);
      }
    }
  }

  // Calls put(place in the values, side) for the right-hand sides that are not 0.
  template <class Put>
  void each_side(Values& values, Put&& put) const {
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      each_source(v, values, [&](std::size_t column, double share) {
        put(values.row(v)[column], heat_[v] * share);
      });
    }
  }

  // Adds the squares of what the equations miss, vertex by vertex.
  void add_errors(const detail::WholeMatrix& whole, const Values& values, double& error) const {
    constexpr std::size_t at_once = 2048, grain = 64;
    const std::size_t n = positions_.size(), count = values.count;
    std::vector<double> rest(std::min(n, at_once) * count);
    for (std::size_t from = 0; from < n; from += at_once) {
      const std::size_t some = std::min(at_once, n - from);
      parallel_for(some, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          double* row = rest.data() + i * count;
          std::fill_n(row, count, 0.0);
          for (std::size_t k = whole.starts[from + i]; k < whole.starts[from + i + 1]; ++k) {
            const double* x = values.row(static_cast<std::size_t>(whole.rows[k]));
            const double element = whole.values[k];
            for (std::size_t j = 0; j < count; ++j) row[j] += element * x[j];
          }
          each_source(from + i, values, [&](std::size_t column, double share) {
            row[column] -= heat_[from + i] * share;
          });
        }
      });
      for (std::size_t i = 0; i < some * count; ++i) error += rest[i] * rest[i];
    }
  }

  // A vertex on a bone receives infinite heat from it.
  void put_exact_values(Values& values) const {
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      if (!exact_[v]) continue;
      double* row = values.row(v);
      std::fill_n(row, values.count, 0.0);
      each_source(v, values, [&](std::size_t column, double share) { row[column] = share; });
    }
  }

  const std::vector<Vec3>& positions_;
  const std::vector<Segment>& handles_;
  const HeatSources* sources_;
  HeatSources own_sources_;  // where they are not what is seen
  detail::HeatSurface& surface_;
  std::vector<double> heat_;
  std::vector<bool> exact_;
};

}  // namespace

SolvedWeights detail::heat_weights(BoneScene& scene, const HeatOptions& options,
                                   const Progress& progress) {
  require_options(options);
  const Mesh& mesh = scene.mesh();
  const WeldedScene& surface = scene.welded();
  progress.report("visibility", 0);
  parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i == 0) scene.views();
      if (i == 1) scene.heat_surface();
    }
  });
  progress.report("surface", 0.4);
  SolvedWeights result;
  const Heat heat(surface, scene.heat_surface(), surface.bones, scene.views().seen.sources,
                  options.c, "bone", result.notes);
  std::vector<Weights> parts;  // of some bones each, for the vertices without seams
  const auto gather = [&](const Values& values) {
    parts.push_back(collect_rows(
        surface.welded.positions.size(), [] { return 0; },
        [&](std::size_t v, std::vector<Influence>& row, int) {
          const double* found = values.row(v);
          for (std::size_t i = 0; i < values.count; ++i) {
            // Rows sum to 1, so with fewer than a million bones the largest weight is not lost.
            const double w = found[i];
            if (w > 1e-7 && w > 1e-3 * options.smallest) {
              row.push_back({static_cast<int>(values.first + i), w});
            }
          }
        }));
  };
  if (heat.takes_turns()) scene.give_back_sight();
  heat.solve(scene.solves_heat_once(), progress, result.notes, gather);
  result.weights = collect_rows(
      mesh.vertex_count(), [] { return 0; },
      [&](std::size_t v, std::vector<Influence>& influences, int) {
        const std::size_t before = influences.size();
        for (const Weights& part : parts) {
          const auto row = part.row(surface.welded.representative_of[v]);
          influences.insert(influences.end(), row.begin(), row.end());
        }
        finish_row(influences, before, options.smallest);
      });
  progress.report("solving", 1);
  return result;
}

SolvedEndpoints detail::heat_endpoints(BoneScene& scene, const Weights& weights,
                                       const HeatOptions& options, const Progress& progress) {
  require_options(options);
  const Mesh& mesh = scene.mesh();
  const WeldedScene& surface = scene.welded();
  validate(weights, mesh.vertex_count(), scene.skeleton().bones.size());
  const BoneEnds ends = bone_ends(scene.skeleton());
  std::vector<Segment> joints;
  joints.reserve(ends.points.size());
  for (const Vec3& p : ends.points) {
    joints.push_back(segment(surface.space.to_unit(p), surface.space.to_unit(p)));
  }
  SolvedEndpoints result;
  progress.report("visibility", 0);
  HeatSources seen;
  parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i == 1) {
        scene.heat_surface();
        continue;
      }
      const BoneViews& views = scene.views();
      seen = look_around(surface.welded.positions, *views.sight, views.joints).sources;
    }
  });
  progress.report("surface", 0.4);
  const Heat heat(surface, scene.heat_surface(), joints, seen, options.c, "joint", result.notes);
  result.endpoints.assign(weights.influences.size(), 0.5);
  const auto add = [&](const Values& values) {
    parallel_for(mesh.vertex_count(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const double* row = values.row(surface.welded.representative_of[v]);
        const auto half = [&](int joint) {
          const std::size_t column = static_cast<std::size_t>(joint) - values.first;
          return column < values.count ? 0.5 * row[column] : 0.0;
        };
        for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
          const auto [head, tail] = ends.bones[weights.influences[i].bone];
          result.endpoints[i] += half(tail) - half(head);
        }
      }
    });
  };
  if (heat.takes_turns()) scene.give_back_sight();
  heat.solve(scene.solves_heat_once(), progress, result.notes, add);
  for (double& e : result.endpoints) e = std::clamp(e, 0.0, 1.0);
  progress.report("solving", 1);
  return result;
}

SolvedWeights heat_weights(const Mesh& mesh, const Skeleton& skeleton, const HeatOptions& options,
                           const Progress& progress) {
  detail::BoneScene scene(mesh, skeleton);
  return detail::heat_weights(scene, options, progress);
}

SolvedEndpoints heat_endpoints(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights,
                               const HeatOptions& options, const Progress& progress) {
  detail::BoneScene scene(mesh, skeleton);
  return detail::heat_endpoints(scene, weights, options, progress);
}

}  // namespace sinew
