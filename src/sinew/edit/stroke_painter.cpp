// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/stroke_painter.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

SurfacePoint point_of_triangle(std::span<const Triangle> triangles, std::span<const Vec3> positions,
                               const DabPoint& at) {
  if (at.triangle >= triangles.size()) {
    throw UsageError(
        fmt::format("there is no triangle {}; the mesh has {}", at.triangle, triangles.size()));
  }
  const Triangle& t = triangles[at.triangle];
  SurfacePoint point;
  point.triangle = at.triangle;
  point.barycentric = at.barycentric;
  for (std::size_t i = 0; i < 3; ++i) {
    point.position = point.position + positions[t[i]] * at.barycentric[i];
  }
  return point;
}

BoneIndex bone_to_paint(const Skeleton& skeleton, const Brush& brush, const std::string& name) {
  if (name.empty() && paints_all_bones(brush)) return 0;
  const std::vector<BoneIndex> bones = find_bones(skeleton, name);
  if (bones.size() > 1) {
    throw UsageError(fmt::format("'{}' names {} bones; give the number of one, such as {}", name,
                                 bones.size(), int(bones.front())));
  }
  return bones.front();
}

}  // namespace

StrokePainter::StrokePainter(const Rig& rig, const Plane& mirror_plane, const Locks& locks)
    : triangles_(rig.mesh.triangles),
      positions_(rig.mesh.positions),
      skeleton_(rig.skeleton),
      mirror_plane_(mirror_plane),
      painter_(rig.mesh, rig.skeleton, rig.skin, mirror_plane),
      painted_(rig.mesh.vertex_count(), false) {
  painter_.set_locks(locks);
}

Brush StrokePainter::brush_of(const PaintStroke& stroke) const {
  Brush brush = stroke.brush;
  brush.bone = bone_to_paint(skeleton_, brush, stroke.bone);
  return brush;
}

std::optional<SurfacePoint> StrokePainter::find(const PaintDab& dab) const {
  return std::visit(Overload{[&](const DabPoint& at) {
                               return std::optional(point_of_triangle(triangles_, positions_, at));
                             },
                             [&](const Vec3& place) { return painter_.nearest(place); },
                             [&](const Ray& ray) { return painter_.pick(ray); }},
                    dab);
}

void StrokePainter::begin(const PaintStroke& stroke) {
  const Brush brush = brush_of(stroke);
  end();
  painter_.begin_stroke();
  brush_ = brush;
  present_ = PaintStroke{stroke.brush, stroke.bone, {}};
}

bool StrokePainter::dab(const PaintDab& dab) {
  if (!present_) throw UsageError("a dab belongs to a stroke; begin one first");
  const std::optional<SurfacePoint> at = find(dab);
  if (!at) return false;
  const std::span<const Index> changed = painter_.dab(brush_, *at);
  for (const Index v : changed) painted_[v] = true;
  has_changed_ = has_changed_ || !changed.empty();
  present_->dabs.push_back(dab);
  return true;
}

void StrokePainter::end() {
  painter_.end_stroke();
  // As the painter's own history has it: a stroke that changed nothing is none.
  if (has_changed_) {
    done_.push_back(std::move(*present_));
    undone_.clear();
  }
  present_.reset();
  has_changed_ = false;
}

bool StrokePainter::undo() {
  end();
  if (!painter_.undo()) return false;
  undone_.push_back(std::move(done_.back()));
  done_.pop_back();
  return true;
}

bool StrokePainter::redo() {
  end();
  if (!painter_.redo()) return false;
  done_.push_back(std::move(undone_.back()));
  undone_.pop_back();
  return true;
}

PaintStrokes StrokePainter::strokes() const {
  PaintStrokes strokes{mirror_plane_, done_};
  if (has_changed_) strokes.strokes.push_back(*present_);
  return strokes;
}

void StrokePainter::put(Editing& editing) const {
  const Rig& rig = editing.rig;
  if (rig.mesh.vertex_count() != painted_.size() ||
      rig.skeleton.bones.size() != skeleton_.bones.size()) {
    throw UsageError(fmt::format("painted were {} vertices and {} bones, but the rig has {} and {}",
                                 painted_.size(), skeleton_.bones.size(), rig.mesh.vertex_count(),
                                 rig.skeleton.bones.size()));
  }
  editing.set_rows(painter_.skin(), painted_, 0);
}

}  // namespace sinew
