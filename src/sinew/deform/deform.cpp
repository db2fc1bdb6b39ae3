// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/deform.h"

#include <memory>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/overload.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/detail/surface.h"
#include "sinew/deform/reference/skinning.h"
#include "sinew/deform/reference/stretch_it.h"
#ifdef SINEW_WITH_OCD
#include "sinew/deform/offset_curve/model.h"
#endif

namespace sinew {
namespace {

using reference::PointMap;
using reference::SkinPoint;

PointMap skinning_map(const Skinning& skinning, std::span<const BoneState> bones,
                      std::size_t vertex_count) {
  const BoneMap map = skinning.map;
  return std::visit(Overload{[&](const LinearBlend&) -> PointMap {
                               return [=](std::size_t, const SkinPoint& point) {
                                 return reference::linear_blend(point, bones, map);
                               };
                             },
                             [&](const DualQuaternionBlend&) -> PointMap {
                               return [=](std::size_t, const SkinPoint& point) {
                                 return reference::dual_quaternion_blend(point, bones, map);
                               };
                             },
                             [&](const MixedBlend& mixed) -> PointMap {
                               if (mixed.dual_quaternion_share.size() != vertex_count) {
                                 throw UsageError(formatted(
                                     "{} shares of dual-quaternion blending for {} vertices",
                                     mixed.dual_quaternion_share.size(), vertex_count));
                               }
                               return [=, &mixed](std::size_t vertex, const SkinPoint& point) {
                                 return lerp(reference::linear_blend(point, bones, map),
                                             reference::dual_quaternion_blend(point, bones, map),
                                             mixed.dual_quaternion_share[vertex]);
                               };
                             }},
                    skinning.blend);
}

#ifdef SINEW_WITH_OCD
template <class Model>
PointMap curve_map(Model model, std::span<const BoneState> bones) {
  const auto map = std::make_shared<offset_curve::CurveMap<Model>>(std::move(model), bones);
  return [=](std::size_t vertex, const SkinPoint& point) {
    return (*map)(vertex, point.position, point.row);
  };
}
#endif

}  // namespace

Deformed deform_reference(const Rig& rig, std::span<const BoneState> bones,
                          std::span<const double> shapes, const Method& method, bool with_normals) {
  check_fits(method, bones.size(), rig.skeleton.bones.size());
  ShapedMesh shaped = blend_shapes(rig.mesh, shapes);
  const SkinRows rows = skin_rows(rig);
  std::vector<double> twists;
  const PointMap map =
      std::visit(Overload{
                     [&](const Skinning& skinning) {
                       return skinning_map(skinning, bones, shaped.positions.size());
                     },
                     [&](const StretchIt& stretch_it) -> PointMap {
                       twists.resize(bones.size());
                       accumulate_twists(bone_tree(rig.skeleton), bones, twists);
                       return [&](std::size_t, const SkinPoint& point) {
                         return reference::stretch_it(point, bones, twists, stretch_it.collapsing);
                       };
                     },
#ifdef SINEW_WITH_OCD
                     [&](const OffsetCurveArc& arc) {
                       return curve_map(offset_curve::ArcModel(rig, arc), bones);
                     },
                     [&](const OffsetCurveSpline& spline) {
                       offset_curve::SplineModel model(rig, spline, shaped.positions);
                       return curve_map(std::move(model), bones);
                     },
#endif
                 },
                 method);

  Deformed deformed;
  deformed.positions.resize(shaped.positions.size());
  parallel_for(shaped.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      deformed.positions[v] = map(v, {shaped.positions[v], rows.row(v)});
    }
  });
  if (with_normals) {
    deformed.normals = shaped.normals.empty() ? vertex_normals(shaped.positions, rig.mesh.triangles)
                                              : std::move(shaped.normals);
    deformed.tangents = std::move(shaped.tangents);
    reference::deform_surface(shaped.positions, rig.mesh.triangles, rows, map, deformed.normals,
                              deformed.tangents);
  }
  return deformed;
}

}  // namespace sinew
