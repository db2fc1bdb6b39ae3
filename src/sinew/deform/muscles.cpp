// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/muscles.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

// The vertex as seen from a bone.
struct Across {
  Vec3 axis, arm;
};

Across across_bone(const Bone& bone, const Vec3& p) {
  const Vec3 u = normalized(bone.tail - bone.head);
  const Vec3 d = p - bone.head;
  return {u, d - u * dot(u, d)};
}

double side_share(const Muscle& muscle, const Across& across) {
  if (!muscle.side) return 1;
  const Vec3 side = *muscle.side - across.axis * dot(across.axis, *muscle.side);
  const double lengths = length(side) * length(across.arm);
  return bulge_side(muscle, lengths > 0 ? dot(side, across.arm) / lengths : 0);
}

// The rows of the skin, with the shares of bulges for weights.
SkinRows bulge_shares(const Rig& rig) {
  SkinRows rows = unfiltered_skin_rows(rig);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    for (std::size_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
      SkinInfluence& influence = rows.items[i];
      const Muscle& muscle = rig.skin.muscles[influence.bone];
      const Bone& bone = rig.skeleton.bones[influence.bone];
      influence.weight *= muscle.is_none()
                              ? 0
                              : bulge_profile(muscle, influence.stretch_endpoint) *
                                    side_share(muscle, across_bone(bone, rig.mesh.positions[v]));
    }
  }
  return rows;
}

std::vector<Vec3> normals_at_bind(const Mesh& mesh) {
  return mesh.normals.per_vertex() && !mesh.normals.empty()
             ? mesh.normals.values
             : vertex_normals(mesh.positions, mesh.triangles);
}

// How a normal begins to turn: the derivative of (s + g ds) x (t + g dt) at g = 0.
Vec3 normal_turn(const Bulge& bulge, const Vec3& normal) {
  const Vec3 n = normalized(normal, Vec3{});
  const Vec3 s = any_perpendicular(n), t = cross(n, s);
  const Vec3 change = cross(bulge.along(s), t) + cross(s, bulge.along(t));
  return (change - n * dot(n, change)) * length(normal);
}

}  // namespace

double muscle_drive(const Muscle& muscle, double factor, double degrees) {
  double drive = 0;
  if (muscle.stretch != 0) drive += muscle.stretch * (1 / std::sqrt(std::max(factor, 1e-6)) - 1);
  if (muscle.angle) {
    const auto& [joint, axis, start, end, gain] = *muscle.angle;
    drive += gain * std::clamp((degrees - start) / (end - start), 0.0, 1.0);
  }
  return std::max(drive, least_drive);
}

double muscle_angle(const MuscleAngle& angle, const Quat& turned) {
  return degrees(angle.axis ? twist_angle(turned, normalized(*angle.axis))
                            : rotation_angle(turned));
}

bool has_muscles(const Skin& skin) {
  return std::any_of(skin.muscles.begin(), skin.muscles.end(),
                     [](const Muscle& muscle) { return !muscle.is_none(); });
}

Rows<Bulge> bulge_rows(const Rig& rig, bool with_slopes) {
  Rows<Bulge> result;
  if (!has_muscles(rig.skin)) return result;
  const SkinRows shares = bulge_shares(rig);
  const std::vector<Vec3> normals = with_slopes ? normals_at_bind(rig.mesh) : std::vector<Vec3>();
  std::optional<SkinSlopes> slopes;
  if (with_slopes) slopes.emplace(rig.mesh.positions, rig.mesh.triangles, normals, shares);
  std::vector<SkinSlope> list;
  SkinSlopes::Fan fan;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    list.clear();
    if (slopes) {
      slopes->at(v, list, fan);
    } else {
      for (const SkinInfluence& share : shares[v]) list.push_back({share, {}, {}, {}, 0});
    }
    for (const SkinSlope& at : list) {
      if (at.at.weight == 0 && at.weight == Vec3{}) continue;
      const auto [axis, arm] = across_bone(rig.skeleton.bones[at.at.bone], rig.mesh.positions[v]);
      result.items.push_back({at.at.bone, arm * at.at.weight, at.at.weight, at.weight, arm, axis});
    }
    result.end_row();
  }
  return result;
}

std::vector<BulgeShape> bulge_shapes(const Rig& rig) {
  const Rows<Bulge> rows = bulge_rows(rig, true);
  const std::vector<Vec3> normals = normals_at_bind(rig.mesh);
  std::vector<BulgeShape> shapes;
  for (std::size_t b = 0; b < rig.skin.muscles.size() && rows.size() > 0; ++b) {
    BulgeShape made{BoneIndex(int(b)), {}};
    for (std::size_t v = 0; v < rows.size(); ++v) {
      for (const Bulge& bulge : rows[v]) {
        if (bulge.bone != made.bone) continue;
        made.shape.vertices.push_back(static_cast<Index>(v));
        made.shape.positions.push_back(bulge.move);
        made.shape.normals.push_back(normal_turn(bulge, normals[v]));
        if (rig.mesh.tangents.empty()) continue;
        const Vec4& t = rig.mesh.tangents[v];
        made.shape.tangents.push_back(bulge.along({t.x, t.y, t.z}));
      }
    }
    if (made.shape.vertices.empty()) continue;
    made.shape.name = "bulge_" + bone_name(rig.skeleton, made.bone);
    shapes.push_back(std::move(made));
  }
  return shapes;
}

}  // namespace sinew
