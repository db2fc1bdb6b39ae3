// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/voxel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/triangle.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/collect_rows.h"
#include "sinew/weights/detail/inverse_power.h"
#include "sinew/weights/detail/nearest_rows.h"
#include "sinew/weights/detail/require.h"
#include "sinew/weights/detail/unit_space.h"
#include "sinew/weights/detail/voxel_distance.h"
#include "sinew/weights/detail/voxel_solid.h"

namespace sinew {
namespace {

using detail::Segment;
using detail::VoxelCell;
using detail::VoxelGrid;
using detail::VoxelPart;

// The cells around a point whose centers surround it, with the weights of trilinear interpolation.
struct Surrounding {
  std::array<int, 8> nodes;  // -1: not solid
  std::array<double, 8> shares;
};

Surrounding surrounding(const VoxelGrid& grid, const VoxelPart& part, const Vec3& p) {
  std::array<double, 3> inside;
  VoxelCell first;
  for (std::size_t i = 0; i < 3; ++i) {
    const double place = (p[i] - grid.low[i]) / grid.size - 0.5;
    const double floor = std::floor(place);
    first[i] = static_cast<int>(floor);
    inside[i] = place - floor;
  }
  Surrounding result{};
  for (std::size_t k = 0; k < 8; ++k) {
    VoxelCell c = first;
    double share = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool above = (k >> i & 1u) != 0;
      c[i] += above ? 1 : 0;
      share *= above ? inside[i] : 1 - inside[i];
    }
    result.nodes[k] = part.node(c);
    result.shares[k] = share;
  }
  return result;
}

// Distances of the cells that vertices look at, for the bones of one part.
struct Fields {
  std::vector<int> bones;
  std::vector<int> place_of;   // of a node among those kept, -1 if no vertex looks at it
  std::vector<float> detours;  // kept nodes x bones
};

Fields distance_fields(const VoxelGrid& grid, const VoxelPart& part, std::vector<int> bones,
                       const std::vector<Segment>& segments, const std::vector<Vec3>& positions) {
  Fields fields;
  fields.bones = std::move(bones);
  fields.place_of.assign(part.nodes.size(), -1);
  std::vector<std::size_t> kept;
  for (const Index v : part.vertices) {
    for (const int n : surrounding(grid, part, positions[v]).nodes) {
      if (n >= 0 && fields.place_of[n] < 0) {
        fields.place_of[n] = static_cast<int>(kept.size());
        kept.push_back(static_cast<std::size_t>(n));
      }
    }
  }
  std::vector<Segment> bone_segments;
  for (const int b : fields.bones) bone_segments.push_back(segments[b]);
  // Bones count up to four times the distance of the nearest one.
  const std::vector<double> reach = detail::reach(grid, part, bone_segments, kept, 4);
  fields.detours.resize(kept.size() * fields.bones.size());
  parallel_for(fields.bones.size(), 1, [&](std::size_t b, std::size_t) {
    const std::vector<double> detours = detail::detours(grid, part, bone_segments[b], reach);
    for (std::size_t n = 0; n < detours.size(); ++n) {
      const int place = fields.place_of[n];
      if (place < 0) continue;
      fields.detours[static_cast<std::size_t>(place) * fields.bones.size() + b] =
          static_cast<float>(detours[n]);
    }
  });
  return fields;
}

// Turns distances into shares, 1 for the nearest bone.
void fall_off(std::span<double> distances, double power, double zero) {
  const double nearest = *std::min_element(distances.begin(), distances.end());
  for (double& d : distances) {
    if (nearest <= zero) {
      d = d <= zero ? 1 : 0;
    } else {
      const double ratio = nearest / d;
      const double above = std::max(0.0, (ratio - 0.25) / 0.75);
      d = detail::power(ratio, power) * above * above;
    }
  }
}

class Solver {
 public:
  Solver(const Mesh& mesh, const Skeleton& skeleton, const VoxelOptions& options)
      : options_(options),
        space_(detail::unit_space(mesh.positions, skeleton)),
        segments_(detail::bone_segments(space_, skeleton)),
        welded_(weld(mesh.positions, mesh.triangles)) {
    for (Vec3& p : welded_.positions) p = space_.to_unit(p);
    rows_.resize(welded_.positions.size());
  }

  SolvedWeights solve(const Progress& progress) {
    std::vector<Vec3> used;
    for (const Triangle& t : welded_.triangles) {
      for (const Index v : t) used.push_back(welded_.positions[v]);
    }
    SolvedWeights result;
    if (used.empty()) {
      weigh_through_air();
      result.notes.repairs.push_back(
          "The mesh has no triangles; weights are computed from straight-line distances.");
    } else {
      const VoxelGrid grid = detail::voxel_grid(bounding_box(used), options_.resolution);
      std::vector<VoxelPart> parts =
          detail::voxelize(welded_.positions, welded_.triangles, grid, progress.part(0, 0.3));
      for (const VoxelPart& part : parts) result.notes.unknowns += part.nodes.size();
      add_enclosed_vertices(grid, parts);
      const auto bones_of = assign_bones(grid, parts, result.notes);
      std::size_t boneless = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        progress.report("distances", 0.3 + 0.7 * double(i) / double(parts.size()));
        if (bones_of[i].empty()) {
          ++boneless;
        } else {
          fill_weights(grid, parts[i], bones_of[i]);
        }
      }
      const std::size_t copied =
          detail::fill_from_nearest(welded_.positions, welded_.triangles, rows_);
      if (copied > 0) {
        result.notes.repairs.push_back(
            fmt::format("{} vertices are in no part that has a bone ({} of {} parts have none); "
                        "they take the weights of the nearest surface that has some.",
                        copied, boneless, parts.size()));
      }
    }
    result.weights = detail::collect_rows(
        welded_.representative_of.size(), [] { return 0; },
        [&](std::size_t v, std::vector<Influence>& influences, int) {
          const auto& row = rows_[welded_.representative_of[v]];
          influences.insert(influences.end(), row.begin(), row.end());
        });
    return result;
  }

 private:
  // Vertices without a triangle (the inner ones of tetrahedra, say) that lie in a part belong to
  // it.
  void add_enclosed_vertices(const VoxelGrid& grid, std::vector<VoxelPart>& parts) const {
    std::vector<char> used(welded_.positions.size(), 0);
    for (const VoxelPart& part : parts) {
      for (const Index v : part.vertices) used[v] = 1;
    }
    if (std::find(used.begin(), used.end(), 0) == used.end()) return;
    VoxelPart whole;  // for each cell of the grid, the first part that is there
    whole.counts = grid.counts;
    whole.node_at.assign(static_cast<std::size_t>(grid.counts[0]) *
                             static_cast<std::size_t>(grid.counts[1]) *
                             static_cast<std::size_t>(grid.counts[2]),
                         -1);
    for (std::size_t i = parts.size(); i-- > 0;) {
      for (const VoxelCell& c : parts[i].nodes) whole.node_at[whole.index(c)] = static_cast<int>(i);
    }
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (used[v] != 0 || !grid.contains(welded_.positions[v])) continue;
      const int i = whole.node(grid.cell(welded_.positions[v]));
      if (i >= 0) parts[i].vertices.push_back(static_cast<Index>(v));
    }
  }

  // For each part its bones: those that pass through it, and those outside of all parts that are
  // nearest to it.
  std::vector<std::vector<int>> assign_bones(const VoxelGrid& grid,
                                             const std::vector<VoxelPart>& parts,
                                             SolveNotes& notes) const {
    std::vector<std::vector<char>> through(segments_.size(), std::vector<char>(parts.size(), 0));
    std::vector<char> outside(segments_.size(), 0);
    parallel_for(segments_.size(), 1, [&](std::size_t b, std::size_t) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        through[b][i] = detail::passes_through(grid, parts[i], segments_[b]) ? 1 : 0;
      }
      if (std::find(through[b].begin(), through[b].end(), 1) != through[b].end()) return;
      outside[b] = 1;
      std::size_t nearest = 0;
      double squared = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const double other = detail::nearest_cell(grid, parts[i], segments_[b]);
        if (other < squared) {
          nearest = i;
          squared = other;
        }
      }
      through[b][nearest] = 1;
    });
    std::vector<std::vector<int>> bones_of(parts.size());
    for (std::size_t b = 0; b < segments_.size(); ++b) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (through[b][i] != 0) bones_of[i].push_back(static_cast<int>(b));
      }
      if (outside[b] != 0) {
        notes.repairs.push_back(
            fmt::format("Bone {} lies outside of the shape; it belongs to the nearest part.", b));
      }
    }
    return bones_of;
  }

  void fill_weights(const VoxelGrid& grid, const VoxelPart& part, const std::vector<int>& bones) {
    const Fields fields = distance_fields(grid, part, bones, segments_, welded_.positions);
    const std::size_t count = bones.size();
    parallel_for(part.vertices.size(), 1024, [&](std::size_t begin, std::size_t end) {
      std::vector<double> distances(count);
      for (std::size_t i = begin; i < end; ++i) {
        const Index v = part.vertices[i];
        const Vec3& p = welded_.positions[v];
        const Surrounding around = surrounding(grid, part, p);
        for (std::size_t b = 0; b < count; ++b) {
          double detour = 0;
          double sum = 0;
          for (std::size_t k = 0; k < 8; ++k) {
            if (around.nodes[k] < 0) continue;
            const int place = fields.place_of[around.nodes[k]];
            const auto d =
                static_cast<double>(fields.detours[static_cast<std::size_t>(place) * count + b]);
            if (!std::isfinite(d)) continue;
            detour += around.shares[k] * d;
            sum += around.shares[k];
          }
          const auto& bone = segments_[bones[b]];
          distances[b] = sum > 0 ? std::sqrt(distance_squared(bone, p)) + detour / sum
                                 : std::numeric_limits<double>::infinity();
        }
        set_row(v, bones, distances);
      }
    });
  }

  void weigh_through_air() {
    std::vector<int> bones(segments_.size());
    for (std::size_t b = 0; b < bones.size(); ++b) bones[b] = static_cast<int>(b);
    parallel_for(rows_.size(), 1024, [&](std::size_t begin, std::size_t end) {
      std::vector<double> distances(bones.size());
      for (std::size_t v = begin; v < end; ++v) {
        for (std::size_t b = 0; b < bones.size(); ++b) {
          distances[b] = std::sqrt(distance_squared(segments_[b], welded_.positions[v]));
        }
        set_row(static_cast<Index>(v), bones, distances);
      }
    });
  }

  // Leaves the row empty where no bone can be reached.
  void set_row(Index v, const std::vector<int>& bones, std::span<double> distances) {
    if (!std::isfinite(*std::min_element(distances.begin(), distances.end()))) return;
    fall_off(distances, options_.falloff, space_.rounding);
    for (std::size_t b = 0; b < bones.size(); ++b) {
      if (distances[b] > 0) rows_[v].push_back({bones[b], distances[b]});
    }
    detail::finish_row(rows_[v], 0, options_.smallest);
  }

  VoxelOptions options_;
  detail::UnitSpace space_;
  std::vector<Segment> segments_;
  Welded welded_;  // in unit space
  std::vector<std::vector<Influence>> rows_;
};

}  // namespace

SolvedWeights voxel_weights(const Mesh& mesh, const Skeleton& skeleton, const VoxelOptions& options,
                            const Progress& progress) {
  if (options.resolution < 8 || options.resolution > 512) {
    throw UsageError(
        fmt::format("the resolution is {}; it must be in [8, 512]", options.resolution));
  }
  if (!(options.falloff >= 1 && options.falloff <= 100)) {
    throw UsageError(fmt::format("the fall-off is {}; it must be in [1, 100]", options.falloff));
  }
  detail::require_smallest(options.smallest);
  Solver solver(mesh, skeleton, options);
  SolvedWeights result = solver.solve(progress);
  progress.report("distances", 1);
  return result;
}

}  // namespace sinew
