// SPDX-License-Identifier: Apache-2.0
// Where weights come from: heat and bounded biharmonic ones on the beast, and those of Stretch It.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "ogre.h"
#include "panels.h"
#include "posing.h"
#include "sinew/draw/colors.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {
namespace {

// The head turned, an arm raised, the other forward; the trunk stands still.
std::vector<BoneMotion> stance() {
  const auto about = [](const Vec3& axis, double angle) {
    return rotation_about(axis, radians(angle));
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  return {{.bone = "head", .bend = about(z, 8) * about(y, 30)},
          {.bone = "upper_arm.L", .bend = about(z, 60), .stretch = 1.1},
          {.bone = "forearm.L", .bend = about(z, 40), .stretch = 1.25},
          {.bone = "upper_arm.R", .bend = about(x, -35), .stretch = 1.1},
          {.bone = "forearm.R", .bend = about(x, -45), .stretch = 1.25}};
}

// Parts of the ogre at rest: what belongs to the head alone, and to the bone of the back.
bool is_head(const Vec3& p) {
  return std::fabs(p.x) < 0.32 && (p.y > 1.80 || (p.y > 1.66 && p.z > 0.28));
}
bool is_belly(const Vec3& p) { return p.y > 0.75 && p.y < 1.1 && std::fabs(p.x) < 0.5; }

// How far the head is from having moved rigidly.
double head_not_rigid(const Mesh& mesh, const std::vector<Vec3>& positions) {
  std::vector<Vec3> before, after;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!is_head(mesh.positions[v])) continue;
    before.push_back(mesh.positions[v]);
    after.push_back(positions[v]);
  }
  return not_rigid(before, after);
}

// How far the belly, whose bone stands still, is dragged: the mean of its farthest tenth, relative
// to the ogre's height.
double belly_dragged(const Mesh& mesh, const std::vector<Vec3>& positions) {
  std::vector<double> moved;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (is_belly(mesh.positions[v])) moved.push_back(distance(mesh.positions[v], positions[v]));
  }
  std::sort(moved.begin(), moved.end(), std::greater<>());
  moved.resize(std::max<std::size_t>(1, moved.size() / 10));
  double sum = 0;
  for (const double m : moved) sum += m;
  const Box box = bounding_box(mesh.positions);
  return sum / double(moved.size()) / (box.high.y - box.low.y);
}

// Root mean square distance of corresponding points, relative to the size of the shape.
double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += length_squared(a[v] - b[v]);
  return std::sqrt(sum / double(a.size())) / bounding_box(a).diagonal();
}

}  // namespace

Figure bone_and_endpoint_weights(Models& models, const Progress& progress) {
  Rig rig = make_ogre(models.detail());
  progress.report("weights", 0.2);
  const std::size_t nodes = models.detail().nodes(9000);
  weigh_automatically(rig, nodes, progress.part(0.2, 0.6));
  Figure figure;
  figure.id = "stbs-9";
  figure.title = "Heat and bounded biharmonic weights on a heavy creature";
  figure.source = "Stretchable and Twistable Bones, fig. 9";
  figure.claim =
      "With the same bone weights, endpoint weights from bone heat and bounded biharmonic ones "
      "(BBW) give much the same shape. They cannot cure poor bone weights: where bone heat bleeds "
      "into head, shoulder and belly, only bone weights by BBW help.";
  const auto states = pose_bones(rig.skeleton, stance());
  const auto rest = pose_bones(rig.skeleton, {});
  std::vector<Panel> panels{
      {"rest, and bones", scene_of(surface(rig.mesh, rig.mesh.positions), bones(rest))}};
  const Skin automatic = rig.skin;
  std::vector<std::vector<Vec3>> shapes;
  for (const std::string source : {"heat", "bbw"}) {
    progress.report(source, source == "heat" ? 0.6 : 0.8);
    const std::string used = models.cast(source);
    rig.skin.weights = automatic.weights;
    if (used != "bbw") {
      rig.skin.weights =
          compute_weights(rig.mesh, rig.skeleton, weight_method_from_name(used), std::nullopt)
              .skin.weights;
    }
    for (const std::string ends : {"heat", "bbw"}) {
      EndpointMethod method = endpoint_method_from_name(ends);
      if (auto* by_bbw = std::get_if<BbwEndpointOptions>(&method)) {
        by_bbw->bbw.lattice_nodes = nodes;
      }
      rig.skin.endpoints =
          used == "bbw" && ends == "bbw"
              ? automatic.endpoints
              : compute_weights(rig.mesh, rig.skeleton, std::nullopt, method, rig.skin.weights)
                    .skin.endpoints;
      const auto positions = models.deformed(rig, states, "stbs-dqs");
      shapes.push_back(positions);
      const auto label = [](const std::string& s) { return s == "bbw" ? "BBW" : "heat"; };
      const std::string title = fmt::format("bones {}, endpoints {}", label(source), label(ends));
      panels.push_back({title, scene_of(surface(rig.mesh, positions))});
      const bool is_heat = source == "heat";
      figure.numbers.push_back({title, "belly dragged along", belly_dragged(rig.mesh, positions),
                                Unit::percent, is_heat ? std::optional(0.029) : std::nullopt,
                                is_heat ? std::nullopt : std::optional(0.022)});
      figure.numbers.push_back(
          {title, "head not rigid", head_not_rigid(rig.mesh, positions), Unit::percent});
    }
  }
  const double by_endpoints =
      std::max(difference(shapes[0], shapes[1]), difference(shapes[2], shapes[3]));
  const double by_bones =
      std::min(difference(shapes[0], shapes[2]), difference(shapes[1], shapes[3]));
  figure.numbers.push_back(
      {"other endpoint weights", "shape differs by", by_endpoints, Unit::percent, {}, 0.003});
  figure.numbers.push_back(
      {"other bone weights", "shape differs by", by_bones, Unit::percent, 0.004});
  const Wall wall({.view = {24, 8}, .aspect = 1.15, .columns = 3, .margin = 0.02}, models.detail(),
                  places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels),
            "The ogre with bone and endpoint weights from heat and from BBW"));
  std::vector<Vec3> close;
  for (const auto& shape : shapes) {
    for (std::size_t v = 0; v < shape.size(); ++v) {
      const Vec3& p = rig.mesh.positions[v];
      if (p.y > 0.75 && std::fabs(p.x) < 0.5) close.push_back(shape[v]);
    }
  }
  const Wall near({.view = {24, 10}, .aspect = 1.2, .margin = 0.0}, models.detail(), close);
  const auto level = [&](const std::string& title, const std::vector<Vec3>& positions) {
    return Panel{title, scene_of(banded(rig.mesh, positions, {}, {0, 1, 0}, 0.05))};
  };
  figure.pictures.push_back(
      still(figure.id + "-shoulder",
            near.draw({level("rest, bands level", rig.mesh.positions),
                       level(panels[1].title, shapes[0]), level(panels[4].title, shapes[3])}),
            "Head, shoulder and belly in bands that were level at rest"));
  figure.swipes.push_back({0, 1, 4});
  figure.swipes.push_back({1, 1, 2});
  figure.result = fmt::format(
      "The trunk stands still, an arm is raised. With bone weights from heat it drags the flank "
      "along, by {} of the ogre's height, {} with endpoint weights by BBW; with bone weights by "
      "BBW "
      "by {} and {} (in the close-up, bands that were level at rest climb towards the arm from the "
      "middle of the belly on, and by BBW from near the shoulder). The head, whose bone runs "
      "through it, gains little: it departs from a rigid "
      "motion by {} of its size, and by {}. Over all of the shape, other endpoint weights change "
      "{} "
      "of its size, other bone weights {}.",
      figure.text("bones heat, endpoints heat", "belly dragged along"),
      figure.text("bones heat, endpoints BBW", "belly dragged along"),
      figure.text("bones BBW, endpoints heat", "belly dragged along"),
      figure.text("bones BBW, endpoints BBW", "belly dragged along"),
      figure.text("bones heat, endpoints heat", "head not rigid"),
      figure.text("bones BBW, endpoints BBW", "head not rigid"),
      figure.text("other endpoint weights", "shape differs by"),
      figure.text("other bone weights", "shape differs by"));
  return figure;
}

Figure weight_map(Models& models, const Progress& progress) {
  progress.report("weight map", 0);
  Rig rig = make_sample("tube3", models.detail().vertices(12000));
  Figure figure;
  figure.id = "stretch-it-3";
  figure.title = "Stretch It: weights by distance";
  figure.source = "Stretch It, fig. 3 and eq. 1 to 3";
  figure.claim =
      "The weight of the second joint on a cylinder bound to three: from the distances to the "
      "bones "
      "at each joint alone, highest about the joint and falling smoothly to 0 beyond its "
      "neighbours.";
  const std::string used = models.cast("shepard");
  rig.skin.weights =
      compute_weights(rig.mesh, rig.skeleton, weight_method_from_name(used), std::nullopt)
          .skin.weights;
  const auto rest = pose_bones(rig.skeleton, {});
  std::vector<Panel> panels;
  for (int b = 0; b < 3; ++b) {
    Drawable skin = surface(rig.mesh, rig.mesh.positions);
    const std::array shown{BoneIndex(b)};
    skin.colors = weight_colors(rig.skin.weights, shown);
    panels.push_back({fmt::format("joint {}", b + 1), scene_of(skin, bones(rest, 0.05))});
  }
  const Wall wall({.view = {20, 10}, .aspect = 0.6}, models.detail(), places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels),
            "A cylinder coloured by the weight of each joint, white 0 to red 1"));
  // The second joint's weight as a function of height.
  const auto second = [&](std::size_t v) {
    double weight = 0;
    for (const Influence& influence : rig.skin.weights.row(v)) {
      if (influence.bone == 1) weight += influence.weight;
    }
    return weight;
  };
  const Bone& bone = rig.skeleton.bones[1];
  const double long_ = distance(bone.head, bone.tail);
  double peak = 0, steepest = 0, sum_error = 0, at_head = 0, nearest = 1e9;
  for (const Triangle& t : rig.mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      const double apart = distance(rig.mesh.positions[a], rig.mesh.positions[b]);
      steepest = std::max(steepest, std::fabs(second(a) - second(b)) * long_ / apart);
    }
  }
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : rig.skin.weights.row(v)) sum += influence.weight;
    sum_error = std::max(sum_error, std::fabs(sum - 1));
    peak = std::max(peak, second(v));
    const double off = std::fabs(rig.mesh.positions[v].y - bone.head.y);
    if (off < nearest) {
      nearest = off;
      at_head = second(v);
    }
  }
  figure.numbers = {
      {"second joint", "weight half way to the first", at_head, Unit::none, 0.4, 0.6},
      {"second joint", "largest weight", peak, Unit::none, 0.9, 1.0},
      {"second joint", "steepest change along its bone", steepest, Unit::none, {}, 12},
      {"all", "largest error of a sum", sum_error, Unit::none, {}, 1e-6}};
  figure.result = fmt::format(
      "Shepard's weights with the paper's drop rate. Where two bones meet, each has {} of the "
      "weight; the largest weight is {}; it never changes by more than {} over the length of a "
      "bone, and the weights of each vertex sum to 1 within {}.",
      figure.text("second joint", "weight half way to the first"),
      figure.text("second joint", "largest weight"),
      figure.text("second joint", "steepest change along its bone"),
      figure.text("all", "largest error of a sum"));
  return figure;
}

}  // namespace sinew::gallery
