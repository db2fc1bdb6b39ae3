// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/deform/muscles.h"
#include "sinew/kernels/detail/pack.h"
#include "sinew/kernels/gpu.h"

namespace sinew {
namespace {

// Floats count exactly up to here.
constexpr std::size_t gpu_count_limit = std::size_t{1} << 24;
// As in the kernels: gradients are dropped if they would rotate a normal by less than this many
// radians when two bones are one model size apart.
constexpr double negligible_gpu_turn = 1e-5;

void put_number(std::vector<float>& to, double x) { to.push_back(static_cast<float>(x)); }

void put_count(std::vector<float>& to, std::size_t count) {
  to.push_back(static_cast<float>(count));
}

void put_texel(std::vector<float>& to, const Vec3& v, double fourth = 0) {
  for (const double x : {v.x, v.y, v.z, fourth}) put_number(to, x);
}

std::vector<float> flat(const std::vector<Vec3>& values) {
  std::vector<float> floats;
  floats.reserve(3 * values.size());
  for (const Vec3& v : values) {
    for (const double x : {v.x, v.y, v.z}) put_number(floats, x);
  }
  return floats;
}

void check_gpu_count(std::size_t count, const char* what) {
  if (count < gpu_count_limit) return;
  throw UsageError(formatted("a GPU takes fewer than {} {}", gpu_count_limit, what));
}

void pad_to_rows(std::vector<float>& texels) {
  constexpr std::size_t row = 4 * gpu_texture_width;
  if (texels.size() > row) texels.resize((texels.size() + row - 1) / row * row);
}

void put_influences(GpuSkin& skin, const Rig& rig, const std::vector<Vec3>& normals,
                    bool with_gradients) {
  const SkinRows rows = skin_rows(rig);
  std::optional<SkinSlopes> slopes;
  if (with_gradients) slopes.emplace(rig.mesh.positions, rig.mesh.triangles, normals, rows);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const double least = size > 0 ? negligible_gpu_turn / size : 0;
  std::vector<SkinSlope> list;
  SkinSlopes::Fan fan;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    list.clear();
    if (slopes) {
      slopes->at(v, list, fan);
      std::erase_if(list, [&](const SkinSlope& slope) {
        return slope.at.weight == 0 && !(length(slope.weight) > least);
      });
    } else {
      for (const SkinInfluence& influence : rows[v]) list.push_back({influence, {}, {}, {}, 0});
    }
    std::stable_sort(list.begin(), list.end(), [](const SkinSlope& a, const SkinSlope& b) {
      return a.at.weight > b.at.weight;
    });
    put_count(skin.vertices, skin.influences.size() / 4);
    put_count(skin.vertices, rows[v].size());
    put_count(skin.vertices, list.size());
    put_number(skin.vertices,
               rig.skin.blend_shares.empty() ? default_blend_share : rig.skin.blend_shares[v]);
    for (const auto& [at, weight, stretch, twist, area] : list) {
      put_texel(skin.influences, {double(at.bone), at.weight, at.stretch_endpoint},
                at.twist_endpoint);
      if (!slopes) continue;
      put_texel(skin.gradients, weight);
      put_texel(skin.gradients, stretch * at.weight);
      put_texel(skin.gradients, twist * at.weight);
    }
  }
  check_gpu_count(skin.influences.size() / 4, "influences");
}

// The delta of one shape at one vertex.
struct VertexDelta {
  std::size_t shape = 0;
  Vec3 position, normal, tangent;
};

// Muscles follow the shapes, in the order of their bones.
std::vector<std::vector<VertexDelta>> deltas_by_vertex(const Rig& rig) {
  std::vector<std::vector<VertexDelta>> by_vertex(rig.mesh.vertex_count());
  const auto add = [&](std::size_t k, const BlendShape& shape) {
    for (std::size_t i = 0; i < shape.positions.size(); ++i) {
      const std::size_t v = shape.vertices.empty() ? i : std::size_t{shape.vertices[i]};
      const VertexDelta delta{k, shape.positions[i],
                              shape.normals.empty() ? Vec3{} : shape.normals[i],
                              shape.tangents.empty() ? Vec3{} : shape.tangents[i]};
      if (delta.position == Vec3{} && delta.normal == Vec3{} && delta.tangent == Vec3{}) continue;
      by_vertex[v].push_back(delta);
    }
  };
  const std::vector<BlendShape> shapes = kernels::shapes_with_normals(rig.mesh);
  for (std::size_t k = 0; k < shapes.size(); ++k) add(k, shapes[k]);
  for (const BulgeShape& bulge : bulge_shapes(rig)) {
    add(shapes.size() + static_cast<std::size_t>(int(bulge.bone)), bulge.shape);
  }
  return by_vertex;
}

void put_deltas(GpuSkin& skin, const Rig& rig) {
  if (rig.mesh.shapes.empty() && !has_muscles(rig.skin)) return;
  const std::size_t first_weight = 4 * gpu_bone_texels * rig.skeleton.bones.size();
  for (const std::vector<VertexDelta>& deltas : deltas_by_vertex(rig)) {
    put_count(skin.delta_ranges, skin.deltas.size() / (4 * gpu_delta_texels));
    put_count(skin.delta_ranges, deltas.size());
    for (const auto& [shape, position, normal, tangent] : deltas) {
      put_texel(skin.deltas, position, static_cast<double>(first_weight + shape));
      put_texel(skin.deltas, normal);
      put_texel(skin.deltas, tangent);
    }
  }
  check_gpu_count(skin.deltas.size() / (4 * gpu_delta_texels), "deltas of shapes");
}

}  // namespace

GpuSkin gpu_skin(const Rig& rig, const GpuSkinOptions& options) {
  validate(rig);
  const std::vector<Vec3> normals = kernels::bind_normals(rig.mesh);
  GpuSkin skin;
  skin.positions = flat(rig.mesh.positions);
  skin.normals = flat(normals);
  for (const Vec4& t : rig.mesh.tangents) put_texel(skin.tangents, {t.x, t.y, t.z}, t.w);
  put_influences(skin, rig, normals, options.gradients);
  put_deltas(skin, rig);
  for (std::vector<float>* texels : {&skin.influences, &skin.gradients, &skin.deltas}) {
    pad_to_rows(*texels);
  }
  return skin;
}

}  // namespace sinew
