// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/brush.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/geometry/surface_distance.h"
#include "sinew/skeleton/mirror.h"
#include "sinew/weights/detail/paint_history.h"
#include "sinew/weights/detail/paint_row.h"
#include "sinew/weights/detail/welded_rows.h"

namespace sinew {

using detail::SkinRow;

namespace {

double fall_off(Falloff falloff, double share) {
  switch (falloff) {
    case Falloff::constant:
      return 1;
    case Falloff::linear:
      return std::max(1 - share, 0.0);
    case Falloff::smooth:
      break;
  }
  const double left = std::max(1 - share * share, 0.0);
  return left * left;
}

// How much of a dab (and of its mirror image) arrives at a welded vertex.
struct Touch {
  Index vertex;
  double amount, mirrored;
};

}  // namespace

class WeightPainter::Canvas {
 public:
  Canvas(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin, const Plane& plane)
      : triangles_(mesh.triangles),
        bvh_(mesh.positions, mesh.triangles),
        welded_(mesh),
        distance_(welded_.surface.positions, welded_.surface.triangles),
        skeleton_(skeleton),
        plane_{plane.point, normalized(plane.normal)},
        partners_(mirror_bones(skeleton, plane_)),
        given_(skin),
        rows_(detail::to_rows(skin)),
        neighbors_(welded_.neighbors) {
    for (Index& n : neighbors_.items) n = welded_.surface.source[n];
  }

  std::span<const Index> dab(const Brush& brush, const SurfacePoint& at) {
    require(brush);
    require(at);
    gather_touches(brush, at);
    const detail::PaintRow paint(brush, partners_, locks_, skeleton_, rows_);
    detail::RowSmoother smoother(skeleton_.bones.size(), locks_, true, false);
    painted_.resize(touches_.size());
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      const auto& [vertex, amount, mirrored] = touches_[i];
      const Index source = welded_.surface.source[vertex];
      const std::span<const Index> around = neighbors_[vertex];
      SkinRow& row = painted_[i];
      if (brush.target != PaintTarget::bone_weights) {
        paint.endpoints(source, around, amount, mirrored, row);
      } else if (brush.mode == PaintMode::smooth) {
        smoother.smooth(rows_, source, around, std::max(amount, mirrored), row);
      } else if (brush.mode == PaintMode::sharpen) {
        paint.sharpened(source, std::max(amount, mirrored), row);
      } else {
        paint.weights(source, around, welded_.surface.positions[vertex], amount, mirrored, row);
      }
      std::erase_if(row, [](const auto& influence) { return !(influence.weight > 0); });
    }
    commit();
    return changed_;
  }

  bool undo() { return history_.undo(rows_, changed_); }
  bool redo() { return history_.redo(rows_, changed_); }
  std::span<const Index> changed() const { return changed_; }

  detail::PaintHistory& history() { return history_; }
  const Bvh& bvh() const { return bvh_; }
  Locks& locks() { return locks_; }
  Skin skin() const { return detail::from_rows(rows_, given_); }
  Skin skin_of(std::span<const Index> vertices) const {
    std::vector<SkinRow> chosen;
    chosen.reserve(vertices.size());
    for (const Index v : vertices) chosen.push_back(row(v));
    Skin like;  // one number of each kind that there is: to copy them all would take as long as the
                // mesh
    if (!given_.endpoints.empty()) like.endpoints.push_back(0);
    if (!given_.twist_endpoints.empty()) like.twist_endpoints.push_back(0);
    return detail::from_rows(chosen, std::move(like));
  }
  const SkinRow& row(std::size_t vertex) const {
    if (vertex < rows_.size()) return rows_[vertex];
    throw UsageError(fmt::format("there is no vertex {}; there are {}", vertex, rows_.size()));
  }

  void require(const Brush& brush) const {
    if (brush.bone < 0 || static_cast<std::size_t>(brush.bone) >= skeleton_.bones.size()) {
      throw UsageError(fmt::format("there is no bone {} to paint; there are {} bones", brush.bone,
                                   skeleton_.bones.size()));
    }
    if (!(brush.radius > 0) || !std::isfinite(brush.radius)) {
      throw UsageError("a brush has a positive radius");
    }
    if (!(brush.strength >= 0 && brush.strength <= 1 && brush.value >= 0 && brush.value <= 1)) {
      throw UsageError("a brush's strength and value are numbers from 0 to 1");
    }
    if ((brush.target == PaintTarget::endpoints && given_.endpoints.empty()) ||
        (brush.target == PaintTarget::twist_endpoints && given_.twist_endpoints.empty())) {
      throw UsageError(
          "the skin has no endpoint weights of this kind to paint; compute them first");
    }
  }

 private:
  void require(const SurfacePoint& at) const {
    if (at.triangle >= triangles_.size() || !is_finite(at.barycentric)) {
      throw UsageError(fmt::format("there is no triangle {} to paint at", at.triangle));
    }
  }

  Vec3 face_normal(Index triangle) const {
    const auto& [a, b, c] = triangles_[triangle];
    const auto at = [&](Index v) {
      return welded_.surface.positions[welded_.surface.representative_of[v]];
    };
    return cross(at(b) - at(a), at(c) - at(a));
  }

  void gather_touches(const Brush& brush, const SurfacePoint& at) {
    touches_.clear();
    add_touches(brush, at, false);
    if (!brush.mirror) return;
    const Vec3 normal = reflect_direction(plane_, face_normal(at.triangle));
    const auto image = bvh_.closest_accepted(
        reflect_point(plane_, at.position),
        [&](Index t, const Vec3&) { return dot(face_normal(t), normal) >= 0; }, brush.radius);
    if (!image) return;
    add_touches(brush, *image, true);
    std::sort(touches_.begin(), touches_.end(),
              [](const Touch& a, const Touch& b) { return a.vertex < b.vertex; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      if (kept > 0 && touches_[kept - 1].vertex == touches_[i].vertex) {
        touches_[kept - 1].amount += touches_[i].amount;
        touches_[kept - 1].mirrored += touches_[i].mirrored;
      } else {
        touches_[kept++] = touches_[i];
      }
    }
    touches_.resize(kept);
  }

  void add_touches(const Brush& brush, const SurfacePoint& at, bool mirrored) {
    Triangle corners = triangles_[at.triangle];
    for (Index& v : corners) v = welded_.surface.representative_of[v];
    for (const auto& [vertex, distance] : distance_.within(corners, at.barycentric, brush.radius)) {
      const double amount = brush.strength * fall_off(brush.falloff, distance / brush.radius);
      if (!(amount > 0)) continue;
      touches_.push_back({vertex, mirrored ? 0 : amount, mirrored ? amount : 0});
    }
  }

  // Writes the painted rows to all copies of their vertices.
  void commit() {
    changed_.clear();
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      for (const Index copy : welded_.copies[touches_[i].vertex]) {
        if (rows_[copy] == painted_[i]) continue;
        changed_.push_back(copy);
        history_.replace(rows_, copy, painted_[i]);
      }
    }
    history_.end_dab();
    std::sort(changed_.begin(), changed_.end());
  }

  std::vector<Triangle> triangles_;
  Bvh bvh_;
  detail::WeldedMesh welded_;
  SurfaceDistance distance_;
  Skeleton skeleton_;
  Plane plane_;
  BoneMirror partners_;
  Skin given_;
  std::vector<SkinRow> rows_;  // of the mesh's vertices
  Adjacency neighbors_;        // of welded vertices: each neighbour's first copy in the mesh
  Locks locks_;
  detail::PaintHistory history_;
  std::vector<Touch> touches_;
  std::vector<SkinRow> painted_;
  std::vector<Index> changed_;
};

WeightPainter::WeightPainter(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin,
                             const Plane& mirror_plane) {
  validate(mesh);
  validate(skin, mesh.vertex_count(), skeleton.bones.size());
  canvas_ = std::make_unique<Canvas>(mesh, skeleton, skin, mirror_plane);
}

WeightPainter::~WeightPainter() = default;
WeightPainter::WeightPainter(WeightPainter&&) noexcept = default;
WeightPainter& WeightPainter::operator=(WeightPainter&&) noexcept = default;

void WeightPainter::set_locks(Locks locks) { canvas_->locks() = std::move(locks); }
const Locks& WeightPainter::locks() const { return canvas_->locks(); }

std::optional<SurfacePoint> WeightPainter::pick(const Ray& ray) const {
  const auto hit = canvas_->bvh().first_hit(ray);
  if (!hit) return std::nullopt;
  return SurfacePoint{ray.origin + ray.direction * hit->t, hit->triangle, hit->barycentric,
                      hit->t * length(ray.direction)};
}

std::optional<SurfacePoint> WeightPainter::nearest(const Vec3& p) const {
  return canvas_->bvh().closest(p);
}

void WeightPainter::begin_stroke() { canvas_->history().begin_stroke(); }
void WeightPainter::end_stroke() { canvas_->history().end_stroke(); }

std::span<const Index> WeightPainter::dab(const Brush& brush, const SurfacePoint& at) {
  return canvas_->dab(brush, at);
}

void WeightPainter::require(const Brush& brush) const { canvas_->require(brush); }

bool WeightPainter::undo() { return canvas_->undo(); }
bool WeightPainter::redo() { return canvas_->redo(); }
bool WeightPainter::can_undo() const { return canvas_->history().can_undo(); }
bool WeightPainter::can_redo() const { return canvas_->history().can_redo(); }

std::span<const Index> WeightPainter::changed() const { return canvas_->changed(); }

std::vector<Influence> WeightPainter::row(std::size_t vertex) const {
  std::vector<Influence> row;
  for (const auto& influence : canvas_->row(vertex)) {
    row.push_back({influence.bone, influence.weight});
  }
  return row;
}

Skin WeightPainter::rows(std::span<const Index> vertices) const {
  return canvas_->skin_of(vertices);
}

Skin WeightPainter::skin() const { return canvas_->skin(); }

}  // namespace sinew
