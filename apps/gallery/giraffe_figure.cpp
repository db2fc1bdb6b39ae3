// SPDX-License-Identifier: Apache-2.0
// Stretchable and Twistable Bones in the plane: endpoint weights by four methods.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {
namespace {

Drawable drawing(const Mesh& mesh, std::span<const Vec3> positions) {
  Drawable flat = surface(mesh, positions);
  flat.lit = false;
  return flat;
}

// The endpoint weights of one bone as a function on the vertices that it moves.
std::vector<std::optional<double>> endpoints_of(const Rig& rig, int bone) {
  std::vector<std::optional<double>> values(rig.mesh.vertex_count());
  for (std::size_t v = 0; v < values.size(); ++v) {
    for (std::size_t i = rig.skin.weights.offsets[v]; i < rig.skin.weights.offsets[v + 1]; ++i) {
      const Influence& influence = rig.skin.weights.influences[i];
      if (influence.bone == bone && influence.weight > 0.5) values[v] = rig.skin.endpoints[i];
    }
  }
  return values;
}

// The largest jump of the gradient from one triangle to the next, times the bone's length: 1 where
// a function that follows the bone stops at once.
double largest_kink(const Rig& rig, int bone) {
  const auto values = endpoints_of(rig, bone);
  std::map<std::pair<Index, Index>, Vec3> across;
  double largest = 0;
  for (const Triangle& t : rig.mesh.triangles) {
    if (!values[t[0]] || !values[t[1]] || !values[t[2]]) continue;
    const Vec3 &a = rig.mesh.positions[t[0]], &b = rig.mesh.positions[t[1]],
               &c = rig.mesh.positions[t[2]];
    const Vec3 normal = cross(b - a, c - a);
    const Vec3 gradient =
        (cross(normal, c - b) * *values[t[0]] + cross(normal, a - c) * *values[t[1]] +
         cross(normal, b - a) * *values[t[2]]) /
        dot(normal, normal);
    for (std::size_t k = 0; k < 3; ++k) {
      const Index from = t[k], to = t[(k + 1) % 3];
      const auto [found, is_new] =
          across.try_emplace({std::min(from, to), std::max(from, to)}, gradient);
      if (!is_new) largest = std::max(largest, length(found->second - gradient));
    }
  }
  const Bone& along = rig.skeleton.bones[bone];
  return largest * distance(along.head, along.tail);
}

// The smallest endpoint weight beyond the bone's tail.
double least_beyond(const Rig& rig, int bone) {
  const auto values = endpoints_of(rig, bone);
  const Bone& along = rig.skeleton.bones[bone];
  double least = 1;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!values[v]) continue;
    const Vec3 p = rig.mesh.positions[v] - along.tail;
    if (dot(p, along.tail - along.head) > 0) least = std::min(least, *values[v]);
  }
  return least;
}

}  // namespace

Figure giraffe_neck(Models& models, const Progress& progress) {
  Rig rig = models.giraffe(progress.part(0, 0.5));
  Figure figure;
  figure.id = "stbs-7";
  figure.title = "A giraffe's neck: where endpoint weights come from";
  figure.source = "Stretchable and Twistable Bones, fig. 7";
  figure.claim =
      "One bone moves head and neck. Endpoint weights by projection are not smooth; by inverse "
      "distances (IDW) they are, but fall off beyond the end, and the top of the head sags; by "
      "bone heat and bounded biharmonic functions (BBW), hardly to be told apart, they please.";
  // Ends well below the head, so that much lies beyond it.
  const int neck = bone_number(rig.skeleton, "neck");
  Bone& bone = rig.skeleton.bones[neck];
  bone.tail = lerp(bone.head, bone.tail, 0.8);
  const auto rest = pose_bones(rig.skeleton, {});
  const auto states =
      pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "neck", .stretch = 1.7}});
  std::vector<Panel> panels{
      {"rest, and bones", scene_of(drawing(rig.mesh, rig.mesh.positions), bones(rest, 0.08))}};
  std::vector<std::vector<Vec3>> shapes;
  std::vector<Panel> bands;
  std::vector<Vec3> close;
  for (const auto& [name, method] : {std::pair{"projection", "projection"}, std::pair{"IDW", "idw"},
                                     std::pair{"bone heat", "heat"}, std::pair{"BBW", "bbw"}}) {
    progress.report(name, 0.5 + 0.1 * double(shapes.size()));
    EndpointMethod source = endpoint_method_from_name(models.cast(method));
    if (auto* idw = std::get_if<InverseDistanceEndpointOptions>(&source)) idw->alpha = 2;
    rig.skin.endpoints =
        compute_weights(rig.mesh, rig.skeleton, std::nullopt, source, rig.skin.weights)
            .skin.endpoints;
    shapes.push_back(models.deformed(rig, states, "stbs-lbs"));
    panels.push_back({name, scene_of(drawing(rig.mesh, shapes.back()))});
    Drawable flat = banded(rig.mesh, shapes.back(), bone.tail, bone.tail - bone.head, 0.035);
    flat.lit = false;
    bands.push_back({name, scene_of(std::move(flat))});
    for (std::size_t v = 0; v < shapes.back().size(); ++v) {
      const Vec3 off = rig.mesh.positions[v] - bone.tail;
      if (length(off) < 0.24) close.push_back(shapes.back()[v]);
    }
    const std::string_view which(name);
    Number kink{name, "largest kink", largest_kink(rig, neck), Unit::none};
    Number least{name, "smallest weight on the head", least_beyond(rig, neck), Unit::none};
    Number head{name, "head not rigid", measure_limbs(rig, states, shapes.back()).cap_error,
                Unit::percent};
    if (which == "projection") kink.at_least = 0.6;
    if (which == "IDW" || which == "BBW") kink.at_most = 0.5;
    if (which == "IDW") least.at_most = 0.9;
    if (which == "bone heat" || which == "BBW") {
      least.at_least = 0.9;
      head.at_most = 0.1;
    }
    figure.numbers.insert(figure.numbers.end(), {kink, least, head});
  }
  std::vector<Vec3> held;
  for (const auto& shape : shapes) {
    for (const Vec3& p : shape) {
      if (p.y > 1.3 && p.x > -0.1) held.push_back(p);
    }
  }
  const Wall wall({.view = {0, 0}, .aspect = 0.72, .margin = 0.04}, models.detail(), held);
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels),
            "A giraffe's neck stretched with endpoint weights of four methods"));
  const Wall near({.view = {0, 0}, .aspect = 0.85, .margin = 0.0}, models.detail(), close);
  figure.pictures.push_back(
      still(figure.id + "-end", near.draw(bands),
            "Close up, where the bone ends: bands that were equally wide at rest"));
  figure.swipes.push_back({1, 0, 3});
  figure.result = fmt::format(
      "Neck stretched to 1.7 times its length. The gradient of the weights jumps by up to {} times "
      "that along the bone for projection (in the close-up, wide bands turn narrow from one to the "
      "next), {} for BBW, where "
      "they change little by little. Beyond the end, where it should be 1, the "
      "weight falls to {} for IDW, {} for heat and {} for BBW; the head departs from a rigid "
      "motion by {}, {} and {} of its size.",
      figure.text("projection", "largest kink"), figure.text("BBW", "largest kink"),
      figure.text("IDW", "smallest weight on the head"),
      figure.text("bone heat", "smallest weight on the head"),
      figure.text("BBW", "smallest weight on the head"), figure.text("IDW", "head not rigid"),
      figure.text("bone heat", "head not rigid"), figure.text("BBW", "head not rigid"));
  return figure;
}

}  // namespace sinew::gallery
