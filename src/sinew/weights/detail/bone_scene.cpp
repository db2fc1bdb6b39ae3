// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_scene.h"

#include "sinew/weights/bone_ends.h"

namespace sinew::detail {

const WeldedScene& BoneScene::welded() {
  if (welded_) return *welded_;
  const UnitSpace space = unit_space(mesh_.positions, skeleton_);
  Welded welded = weld(mesh_.positions, mesh_.triangles);
  for (Vec3& p : welded.positions) p = space.to_unit(p);
  welded_ = {space, std::move(welded), bone_segments(space, skeleton_)};
  return *welded_;
}

const BoneViews& BoneScene::views() {
  const auto& [space, welded, bones] = this->welded();
  if (views_ && !views_->sight) {
    views_->sight = make_sight_without_cuts(welded.positions, welded.triangles);
  }
  if (views_) return *views_;
  std::vector<Segment> joints;
  for (const Vec3& p : bone_ends(skeleton_).points) {
    joints.push_back(segment(space.to_unit(p), space.to_unit(p)));
  }
  BoneViews views;
  views.sight = make_sight(welded.positions, welded.triangles);
  views.bones = views.sight->cut(bones);
  views.joints = views.sight->cut(joints);
  views.sight->end_cutting();
  views.seen = look_around(welded.positions, *views.sight, views.bones);
  views_ = std::move(views);
  return *views_;
}

void BoneScene::give_back_sight() {
  if (views_) views_->sight.reset();
}

HeatSurface& BoneScene::heat_surface() {
  if (!heat_surface_) {
    const Welded& mesh = welded().welded;
    heat_surface_.emplace(mesh.positions, mesh.triangles);
  }
  return *heat_surface_;
}

}  // namespace sinew::detail
