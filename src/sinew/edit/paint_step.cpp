// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/paint_step.h"

#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/overload.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

SurfacePoint point_of_triangle(const Mesh& mesh, const DabPoint& at) {
  if (at.triangle >= mesh.triangles.size()) {
    throw UsageError(fmt::format("there is no triangle {}; the mesh has {}", at.triangle,
                                 mesh.triangles.size()));
  }
  const Triangle& t = mesh.triangles[at.triangle];
  SurfacePoint point;
  point.triangle = at.triangle;
  point.barycentric = at.barycentric;
  for (std::size_t i = 0; i < 3; ++i) {
    point.position = point.position + mesh.positions[t[i]] * at.barycentric[i];
  }
  return point;
}

std::optional<SurfacePoint> find_point(const WeightPainter& painter, const Mesh& mesh,
                                       const PaintDab& dab) {
  return std::visit(Overload{[&](const DabPoint& at) {
                               return std::optional<SurfacePoint>(point_of_triangle(mesh, at));
                             },
                             [&](const Vec3& place) { return painter.nearest(place); },
                             [&](const Ray& ray) { return painter.pick(ray); }},
                    dab);
}

BoneIndex bone_to_paint(const Skeleton& skeleton, const std::string& name) {
  if (name.empty()) return 0;
  const std::vector<BoneIndex> bones = find_bones(skeleton, name);
  if (bones.size() > 1) {
    throw UsageError(fmt::format("'{}' names {} bones; give the number of one, such as {}", name,
                                 bones.size(), int(bones.front())));
  }
  return bones.front();
}

// What is wrong with a stroke is wrong with its file.
template <class Action>
auto at_place(const std::string& file, const std::string& place, const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    throw file.empty() ? InputError(place, error.what()) : InputError(file, place, error.what());
  }
}

}  // namespace

StepForm PaintStep::form() {
  return {{"paint", "STROKES.json", "Replay strokes of a brush (docs/files.md)"}};
}

PaintStep PaintStep::parse(const StepText& text) {
  try {
    return {parse_strokes(read_file(text.argument)), text.argument};
  } catch (const InputError& error) {
    throw error.in_file(text.argument);
  }
}

std::string PaintStep::arguments() const { return name; }

void PaintStep::apply(Editing& editing) const {
  editing.require_weights();
  const Rig& rig = editing.rig;
  Skin skin = rig.skin;
  WeightPainter painter(rig.mesh, rig.skeleton, skin, strokes.mirror_plane);
  painter.set_locks(editing.locks);
  std::vector<bool> painted(rig.mesh.vertex_count(), false);
  std::vector<std::string> missed;
  std::size_t dabs = 0;
  for (std::size_t s = 0; s < strokes.strokes.size(); ++s) {
    const PaintStroke& stroke = strokes.strokes[s];
    const std::string place = fmt::format("/strokes/{}", s);
    Brush brush = stroke.brush;
    brush.bone =
        at_place(name, place + "/bone", [&] { return bone_to_paint(rig.skeleton, stroke.bone); });
    painter.begin_stroke();
    for (std::size_t d = 0; d < stroke.dabs.size(); ++d) {
      const std::string dab_place = fmt::format("{}/dabs/{}", place, d);
      at_place(name, dab_place, [&] {
        const auto point = find_point(painter, rig.mesh, stroke.dabs[d]);
        if (!point) {
          missed.push_back(dab_place);
          return;
        }
        ++dabs;
        for (const Index v : painter.dab(brush, *point)) painted[v] = true;
      });
    }
  }
  painter.end_stroke();
  editing.set_rows(painter.skin(), painted, 0);
  editing.facts.push_back({"strokes", strokes.strokes.size()});
  editing.facts.push_back({"dabs", dabs});
  editing.facts.push_back({"missed_dabs", std::move(missed)});
}

}  // namespace sinew
