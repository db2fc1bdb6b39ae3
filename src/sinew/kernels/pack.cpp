// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/pack.h"

#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/bone_state.h"

namespace sinew::kernels {
namespace {

// As normalized(), but for the last digits, and with one division.
Vec3 unit_normal(const Vec3& normal) {
  const double square = dot(normal, normal);
  const bool is_plain = square > 1e-200 && square < 1e200;
  return is_plain ? normal * (1 / std::sqrt(square)) : normalized(normal, normal);
}

// `normals`: those of bind_normals(), or none where the mesh's own serve.
Vec3 bind_normal(const Mesh& mesh, const std::vector<Vec3>& normals, std::size_t vertex) {
  if (!normals.empty()) return normals[vertex];
  const Vec3& own = mesh.normals.values[vertex];
  return mesh.shapes.empty() ? unit_normal(own) : own;
}

void pack_geometry(PackedRig& packed, const Mesh& mesh, const std::vector<Vec3>& normals) {
  packed.positions.resize(packed.tile_count * 3 * tile_size);
  packed.normals.resize(packed.positions.size());
  packed.tangents.resize(mesh.tangents.empty() ? 0 : packed.tile_count * 4 * tile_size);
  parallel_for(packed.order.size(), block_size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::size_t v = packed.order[slot];
      const std::size_t tile = slot / tile_size, lane = slot % tile_size;
      const Vec3 p = mesh.positions[v] - packed.center;
      const Vec3 n = bind_normal(mesh, normals, v);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = (tile * 3 + k) * tile_size + lane;
        packed.positions[at] = static_cast<float>(p[k]);
        packed.normals[at] = static_cast<float>(n[k]);
      }
      if (mesh.tangents.empty()) continue;
      for (std::size_t k = 0; k < 4; ++k) {
        packed.tangents[(tile * 4 + k) * tile_size + lane] =
            static_cast<float>(mesh.tangents[v][k]);
      }
    }
  });
}

void check_count(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max() / 2) {
    throw UsageError("the weights are too many for the kernels");
  }
}

// From how many there are of each tile to where they begin.
void add_up(std::vector<std::uint32_t>& counts) {
  std::size_t sum = 0;
  for (std::uint32_t& count : counts) {
    sum += count;
    check_count(sum);
    count = static_cast<std::uint32_t>(sum);
  }
}

}  // namespace

bool has_vertex_normals(const Mesh& mesh) {
  return mesh.normals.per_vertex() && !mesh.normals.empty();
}

std::vector<Vec3> bind_normals(const Mesh& mesh) {
  std::vector<Vec3> normals = has_vertex_normals(mesh)
                                  ? mesh.normals.values
                                  : vertex_normals(mesh.positions, mesh.triangles);
  if (mesh.shapes.empty()) {
    for (Vec3& normal : normals) normal = unit_normal(normal);
  }
  return normals;
}

PackedRig pack(const Rig& rig, bool with_slopes) {
  const std::size_t count = rig.mesh.vertex_count();
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("the kernels take fewer than 2^32 vertices");
  }
  PackedRig packed;
  packed.vertex_count = count;
  packed.bone_count = rig.skeleton.bones.size();
  packed.tree = bone_tree(rig.skeleton);
  packed.center = bounding_box(rig.mesh.positions).center();
  const SkinReader reader(rig);
  pack_order(packed, reader);
  add_up(packed.first_entry);
  const bool slopes = with_slopes && !rig.mesh.triangles.empty();
  std::vector<Vec3> normals;
  if (!has_vertex_normals(rig.mesh)) normals = bind_normals(rig.mesh);
  pack_geometry(packed, rig.mesh, normals);
  BlockTriangles triangles;
  if (slopes) {
    triangles = block_triangles(
        rig.mesh, [&](std::size_t vertex) { return bind_normal(rig.mesh, normals, vertex); });
  }
  normals = {};
  pack_entries(packed, reader);
  packed.first_slope.assign(packed.tile_count + 1, 0);
  packed.weight_slope_counts.assign(packed.tile_count, 0);
  if (slopes) pack_slopes(packed, rig.mesh, triangles);
  triangles = {};
  check_count(packed.entries.size() + packed.slopes.size());
  if (packed.raw_twist == packed.raw_stretch) packed.raw_twist = {};
  pack_endpoints(packed, rig.skin.filters);
  pack_blended_pairs(packed);
  pack_shapes(packed, rig.mesh);
  pack_muscles(packed, rig, with_slopes);
  return packed;
}

}  // namespace sinew::kernels
