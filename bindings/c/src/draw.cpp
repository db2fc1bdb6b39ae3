// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/image.h"
#include "bindings/c/src/pose.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/portrait.h"
#include "sinew/kernels/deformer.h"

namespace sinew::c {
namespace {

PortraitColors colors_named(const char* name) {
  const std::string text = text_or(name, "");
  if (text.empty()) return PortraitColors::own;
  if (text == "weights") return PortraitColors::weights;
  if (text == "endpoints") return PortraitColors::endpoints;
  if (text == "bones") return PortraitColors::bones;
  throw UsageError("options.colors is '" + text + "', not weights, endpoints or bones");
}

PortraitOptions portrait_options_from(const sinew_draw_options& given) {
  PortraitOptions options;
  const int other = given.width != 0 ? given.width : given.height != 0 ? given.height : 1024;
  options.width = given.width != 0 ? given.width : other;
  options.height = given.height != 0 ? given.height : other;
  options.view = text_or(given.view, "");
  options.colors = colors_named(given.colors);
  options.bone = text_or(given.bone, "");
  if (given.color != nullptr) options.color = to_linear(color_from_name(given.color));
  if (given.background != nullptr) options.background = color_from_name(given.background);
  options.focus = text_or(given.focus, "");
  options.wire = given.wire != 0;
  options.skeleton = given.skeleton != 0;
  if (given.field_of_view != 0) options.field_of_view = given.field_of_view;
  options.orthographic = given.orthographic != 0;
  options.ground = given.no_ground == 0;
  return options;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_draw(const sinew_rig* rig, sinew_pose* pose, const sinew_draw_options* options,
                        sinew_image** image) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    const auto state = live<RigObject>(rig)->state();
    const Rig& found = state->rig();
    if (found.mesh.triangles.empty()) throw UsageError("the rig has no triangles to be seen");
    const sinew_draw_options given = options_from(options, "options");
    const PortraitOptions how = portrait_options_from(given);
    const Method method = method_from_name(method_name(given.method, found), found);
    std::vector<PartLook> looks;
    if (how.use_looks()) looks = looks_of(state->model());
    Portrait portrait(found, how, looks);
    if (pose == nullptr) {
      const std::vector<Vec3>& positions = found.mesh.positions;
      portrait.frame(portrait.in_focus(positions), bounding_box(positions).low.y);
      out = make_image(portrait.rest());
      return;
    }
    require_skin(found);
    const auto posed = live<PoseObject>(pose);
    const std::lock_guard lock(posed->mutex);
    const Deformed deformed = Deformer(found, method).at(posed->bones(), posed->shapes());
    require_finite(deformed);
    portrait.frame(portrait.in_focus(deformed.positions), bounding_box(deformed.positions).low.y);
    out = make_image(portrait.at(posed->bones(), deformed.positions));
  });
}
