// SPDX-License-Identifier: Apache-2.0
// Where weights come from: heat and bounded biharmonic ones on the beast, and those of Stretch It.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "posing.h"
#include "sinew/draw/colors.h"
#include "sinew/measure/strain.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {
namespace {

// A heavy stance: arms out, twisted and stretched, head thrown to the side.
std::vector<BoneMotion> stance() {
  std::vector<BoneMotion> motions{
      {.bone = "back", .bend = rotation_about(Vec3{0, 0, 1}, radians(8)), .end_twist = 25},
      {.bone = "neck",
       .bend = rotation_about(Vec3{0, 0, 1}, radians(-34)),
       .twist = 60,
       .share = 0,
       .stretch = 1.25}};
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double sign = left ? 1 : -1;
    motions.push_back({.bone = "upper_arm" + side,
                       .bend = rotation_about(Vec3{0, 0, 1}, radians(sign * 70)) *
                               rotation_about(Vec3{1, 0, 0}, radians(left ? -30 : 10)),
                       .twist = sign * 50,
                       .share = 0,
                       .stretch = 1.2});
    motions.push_back({.bone = "forearm" + side,
                       .bend = rotation_about(Vec3{1, 0, 0}, radians(-40)),
                       .twist = sign * 120,
                       .stretch = 1.5});
  }
  return motions;
}

// Root mean square distance of corresponding points, relative to the size of the shape.
double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += length_squared(a[v] - b[v]);
  return std::sqrt(sum / double(a.size())) / bounding_box(a).diagonal();
}

}  // namespace

Figure bone_and_endpoint_weights(Models& models, const Progress& progress) {
  Rig rig = models.beast(progress.part(0, 0.4));
  Figure figure;
  figure.id = "stbs-9";
  figure.title = "Heat and bounded biharmonic weights on a heavy creature";
  figure.source = "Stretchable and Twistable Bones, fig. 9 (there an ogre)";
  figure.claim =
      "With the same bone weights, endpoint weights from bone heat and bounded biharmonic ones "
      "(BBW) give much the same shape. They cannot cure poor bone weights: where bone heat bleeds "
      "into head, shoulder and belly, only bone weights by BBW help.";
  const auto states = pose_bones(rig.skeleton, stance());
  const auto rest = pose_bones(rig.skeleton, {});
  std::vector<Panel> panels{
      {"rest, and bones", scene_of(surface(rig.mesh, rig.mesh.positions), bones(rest))}};
  const Weights bbw = rig.skin.weights;
  const std::vector<double> bbw_endpoints = rig.skin.endpoints;
  std::vector<std::vector<Vec3>> shapes;
  for (const std::string source : {"heat", "bbw"}) {
    progress.report(source, source == "heat" ? 0.4 : 0.7);
    const std::string used = models.cast(source);
    rig.skin.weights = bbw;
    if (used != "bbw") {
      rig.skin.weights = compute_weights(rig.mesh, rig.skeleton, weight_method_from_name(used),
                                         std::nullopt, {}, progress.part(0.4, 0.5))
                             .skin.weights;
    }
    for (const std::string ends : {"heat", "bbw"}) {
      rig.skin.endpoints = compute_weights(rig.mesh, rig.skeleton, std::nullopt,
                                           endpoint_method_from_name(ends), rig.skin.weights)
                               .skin.endpoints;
      const auto positions = models.deformed(rig, states, "stbs-dqs");
      shapes.push_back(positions);
      const auto label = [](const std::string& s) { return s == "bbw" ? "BBW" : "heat"; };
      const std::string title = fmt::format("bones {}, endpoints {}", label(source), label(ends));
      panels.push_back({title, scene_of(surface(rig.mesh, positions))});
      const auto strains = triangle_strains(rig.mesh.triangles, rig.mesh.positions, positions);
      const auto bounds = strain_bounds(rig.mesh.triangles, bbw, states);
      const Strain strain = summarize(strains, bounds);
      figure.numbers.push_back({title, "torn or crushed skin", strain.distorted_area, Unit::percent,
                                std::nullopt, 0.006});
    }
  }
  const double by_endpoints =
      std::max(difference(shapes[0], shapes[1]), difference(shapes[2], shapes[3]));
  const double by_bones =
      std::min(difference(shapes[0], shapes[2]), difference(shapes[1], shapes[3]));
  figure.numbers.push_back({"other endpoint weights", "shape differs by", by_endpoints,
                            Unit::percent, std::nullopt, 0.008});
  figure.numbers.push_back(
      {"other bone weights", "shape differs by", by_bones, Unit::percent, 0.0015});
  const Wall wall({.view = {24, 8}, .aspect = 1.15, .columns = 3, .margin = 0.02}, models.detail(),
                  places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels),
            "The beast with bone and endpoint weights from heat and from BBW"));
  std::vector<Vec3> close;
  for (const auto& shape : shapes) {
    const auto part = led_by(rig, shape, {"neck", "chest", "upper_arm.L"});
    close.insert(close.end(), part.begin(), part.end());
  }
  const Wall near({.view = {40, 14}, .aspect = 1.2, .columns = 2, .margin = 0.0}, models.detail(),
                  close);
  std::vector<Panel> shoulders{panels[1], panels[4]};
  figure.pictures.push_back(
      still(figure.id + "-shoulder", near.draw(shoulders), "Neck, shoulder and belly"));
  figure.swipes.push_back({1, 0, 1});
  figure.result = fmt::format(
      "Exchanging endpoint weights moves the surface by {} of its size on average, exchanging bone "
      "weights by {}. Torn or crushed (more than twice what the pose "
      "asks for, or less than a quarter) are {} of the skin with heat for both, {} with BBW for "
      "both: bone heat does not bleed into this creature as it does into the paper's, and its "
      "bone weights are no worse.",
      figure.text("other endpoint weights", "shape differs by"),
      figure.text("other bone weights", "shape differs by"),
      figure.text("bones heat, endpoints heat", "torn or crushed skin"),
      figure.text("bones BBW, endpoints BBW", "torn or crushed skin"));
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
