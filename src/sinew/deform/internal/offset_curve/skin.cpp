// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/internal/offset_curve/bound_skin.h"
#include "sinew/deform/offset_curve.h"

namespace sinew {

using offset_curve::ArcModel;
using offset_curve::BoundSkin;
using offset_curve::SplineModel;

struct OffsetCurveSkin::Data {
  std::variant<BoundSkin<ArcModel>, BoundSkin<SplineModel>> bound;
  std::size_t bone_count;
};

OffsetCurveSkin::OffsetCurveSkin(const Rig& rig, const OffsetCurveArc& settings, bool with_normals)
    : data_(new Data{BoundSkin<ArcModel>(rig, ArcModel(rig, settings), with_normals),
                     rig.skeleton.bones.size()}) {}
OffsetCurveSkin::OffsetCurveSkin(const Rig& rig, const OffsetCurveSpline& settings,
                                 bool with_normals)
    : data_(new Data{
          BoundSkin<SplineModel>(rig, SplineModel(rig, settings, rig.mesh.positions), with_normals),
          rig.skeleton.bones.size()}) {}
OffsetCurveSkin::~OffsetCurveSkin() = default;
OffsetCurveSkin::OffsetCurveSkin(OffsetCurveSkin&&) noexcept = default;
OffsetCurveSkin& OffsetCurveSkin::operator=(OffsetCurveSkin&&) noexcept = default;

void OffsetCurveSkin::pose(std::span<const BoneState> bones) {
  if (bones.size() != data_->bone_count) {
    throw UsageError(formatted("{} bone states for {} bones", bones.size(), data_->bone_count));
  }
  std::visit([&](auto& bound) { bound.pose(bones); }, data_->bound);
}

void OffsetCurveSkin::check_room(std::size_t count) const {
  const std::size_t vertices =
      std::visit([](const auto& bound) { return bound.vertex_count(); }, data_->bound);
  if (count != vertices) throw UsageError(formatted("room for {} vertices of {}", count, vertices));
}

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3> out) {
  check_room(out.size());
  pose(bones);
  std::visit([&](const auto& bound) { bound.positions(out); }, data_->bound);
}

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3> positions,
                             std::span<Vec3> normals, std::span<Vec4> tangents) {
  check_room(normals.size());
  deform(bones, positions);
  std::visit(
      [&](const auto& bound) {
        if (!bound.has_normals()) throw UsageError("the skin was bound without normals");
        if (!tangents.empty()) {
          check_room(tangents.size());
          if (!bound.has_tangents()) throw UsageError("the rig has no tangents");
        }
        bound.surface(normals, tangents);
      },
      data_->bound);
}

}  // namespace sinew
