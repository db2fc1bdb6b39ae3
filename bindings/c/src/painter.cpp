// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <mutex>

#include "bindings/c/src/arrays.h"
#include "bindings/c/src/rig.h"
#include "sinew/edit/stroke_painter.h"

namespace sinew::c {
namespace {

// Use it with `mutex` locked.
struct PainterObject final : Object {
  using Handle = sinew_painter;
  static constexpr const char* name = "painter";
  const char* kind() const override { return name; }

  PainterObject(const Rig& rig, const Plane& plane, const Locks& locks)
      : painter(rig, plane, locks), locked(locks) {}

  StrokePainter painter;
  Locks locked;
  // As they were handed out last.
  std::vector<Index> vertices;
  Skin rows;
  std::mutex mutex;
};

Vec3 vec3_of(const double numbers[3]) { return {numbers[0], numbers[1], numbers[2]}; }

Vec3 point_from(const double numbers[3], const char* name) {
  require(numbers, name);
  const Vec3 point = vec3_of(numbers);
  if (!is_finite(point)) throw UsageError(std::string(name) + " is not finite");
  return point;
}

Plane mirror_plane_from(const sinew_painter_options& options) {
  Plane plane{point_from(options.mirror_point, "mirror_point"), Plane{}.normal};
  const Vec3 normal = point_from(options.mirror_normal, "mirror_normal");
  if (normal != Vec3{}) plane.normal = normal;
  return plane;
}

// Calls `action`, with the name of what it is about where that makes no sense.
template <class Action>
auto named(const char* name, const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    throw UsageError(std::string(name) + " " + error.what());
  }
}

PaintStroke stroke_from(const sinew_brush& given) {
  PaintStroke stroke;
  Brush& brush = stroke.brush;
  brush.target = named("brush.target", [&] {
    return paint_target_from_name(text_or(given.target, "bone-weights"));
  });
  brush.mode =
      named("brush.mode", [&] { return paint_mode_from_name(text_or(given.mode, "add")); });
  brush.falloff =
      named("brush.falloff", [&] { return falloff_from_name(text_or(given.falloff, "smooth")); });
  brush.radius = given.radius;
  if (given.strength != 0) brush.strength = given.strength;
  brush.value = given.value;
  brush.mirror = given.mirror != 0;
  stroke.bone =
      paints_all_bones(brush) ? text_or(given.bone, "") : text_of(given.bone, "brush.bone");
  return stroke;
}

// An undo or redo, and whether there was one.
template <class Step>
sinew_status step_through(sinew_painter* painter, int* done, const Step& step) {
  return guarded([&] {
    if (done != nullptr) *done = 0;
    const auto object = live<PainterObject>(painter);
    const std::scoped_lock lock(object->mutex);
    const bool was_one = step(object->painter);
    if (done != nullptr) *done = was_one ? 1 : 0;
  });
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_painter_create(const sinew_rig* rig, const sinew_painter_options* options,
                                  sinew_painter** painter) {
  return guarded([&] {
    sinew_painter*& out = result(painter, "painter");
    const sinew_painter_options given = options_from(options, "options");
    const auto state = live<RigObject>(rig)->state();
    require_skin(state->rig());
    Locks locks;
    if (given.locks != nullptr && given.locks[0] != '\0') {
      for (const BoneIndex bone : bones_in_list(state->rig().skeleton, given.locks)) {
        locks.set(bone);
      }
    }
    out =
        make_handle(std::make_shared<PainterObject>(state->rig(), mirror_plane_from(given), locks));
  });
}

sinew_status sinew_painter_pick(sinew_painter* painter, const double origin[3],
                                const double direction[3], int* triangle, double barycentric[3]) {
  return guarded([&] {
    if (triangle != nullptr) *triangle = -1;
    const auto object = live<PainterObject>(painter);
    require(triangle, "triangle");
    const Vec3 from = point_from(origin, "origin");
    PaintDab dab = from;
    if (direction != nullptr) {
      dab = Ray{from, point_from(direction, "direction")};
      if (vec3_of(direction) == Vec3{}) throw UsageError("direction is zero");
    }
    const std::scoped_lock lock(object->mutex);
    const std::optional<SurfacePoint> found = object->painter.find(dab);
    if (!found) return;
    *triangle = static_cast<int>(found->triangle);
    if (barycentric == nullptr) return;
    for (std::size_t k = 0; k < 3; ++k) barycentric[k] = found->barycentric[k];
  });
}

sinew_status sinew_painter_begin(sinew_painter* painter, const sinew_brush* brush) {
  return guarded([&] {
    const auto object = live<PainterObject>(painter);
    require(brush, "brush");
    const PaintStroke stroke = stroke_from(options_from(brush, "brush"));
    const std::scoped_lock lock(object->mutex);
    object->painter.weights().require(object->painter.brush_of(stroke));
    object->painter.begin(stroke);
  });
}

sinew_status sinew_painter_dab(sinew_painter* painter, size_t triangle, const double barycentric[3],
                               size_t* changed) {
  return guarded([&] {
    if (changed != nullptr) *changed = 0;
    const auto object = live<PainterObject>(painter);
    const Vec3 at = point_from(barycentric, "barycentric");
    if (triangle > std::numeric_limits<std::int32_t>::max()) {
      throw UsageError("there is no triangle " + std::to_string(triangle));
    }
    named("barycentric", [&] { require_in_triangle(at); });
    const std::scoped_lock lock(object->mutex);
    object->painter.dab(DabPoint{static_cast<Index>(triangle), at});
    if (changed != nullptr) *changed = object->painter.weights().changed().size();
  });
}

sinew_status sinew_painter_end(sinew_painter* painter) {
  return guarded([&] {
    const auto object = live<PainterObject>(painter);
    const std::scoped_lock lock(object->mutex);
    object->painter.end();
  });
}

sinew_status sinew_painter_undo(sinew_painter* painter, int* undone) {
  return step_through(painter, undone, [](StrokePainter& strokes) { return strokes.undo(); });
}

sinew_status sinew_painter_redo(sinew_painter* painter, int* redone) {
  return step_through(painter, redone, [](StrokePainter& strokes) { return strokes.redo(); });
}

sinew_status sinew_painter_changed(sinew_painter* painter, sinew_painted_rows* rows) {
  return guarded([&] {
    const auto object = live<PainterObject>(painter);
    require(rows, "rows");
    const std::scoped_lock lock(object->mutex);
    const WeightPainter& weights = object->painter.weights();
    object->vertices.assign(weights.changed().begin(), weights.changed().end());
    object->rows = weights.rows(object->vertices);
    sinew_painted_rows out{};
    out.vertices = view(object->vertices.data(), object->vertices.size(), 1);
    if (!object->vertices.empty()) {
      out.offsets = skin_view(object->rows, SINEW_WEIGHT_OFFSETS);
      out.bones = skin_view(object->rows, SINEW_WEIGHT_BONES);
      out.weights = skin_view(object->rows, SINEW_WEIGHTS);
      out.endpoints = skin_view(object->rows, SINEW_ENDPOINTS);
      out.twist_endpoints = skin_view(object->rows, SINEW_TWIST_ENDPOINTS);
    }
    fill(rows, out, "rows");
  });
}

sinew_status sinew_painter_strokes(sinew_painter* painter, sinew_buffer** json) {
  return guarded([&] {
    sinew_buffer*& out = result(json, "json");
    const auto object = live<PainterObject>(painter);
    const std::scoped_lock lock(object->mutex);
    out = make_buffer(strokes_to_json(object->painter.strokes()));
  });
}

sinew_status sinew_painter_apply(sinew_painter* painter, sinew_rig* rig) {
  return guarded([&] {
    const auto object = live<PainterObject>(painter);
    const auto target = live<RigObject>(rig);
    const std::scoped_lock lock(object->mutex);
    target->change([&](Model& model) {
      require_skin(model.rig);
      std::vector<StepFact> facts;
      Editing editing{model.rig, object->locked, facts};
      object->painter.put(editing);
    });
  });
}

sinew_status sinew_painter_free(sinew_painter* painter) {
  return guarded([&] { free_handle<PainterObject>(painter); });
}
