// SPDX-License-Identifier: Apache-2.0
// Stretchable and Twistable Bones, fig. 4: a leg moved by bones, by points, and by both.
#include <array>

#include <fmt/format.h>

#include "figures.h"
#include "limbs.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"

namespace sinew::gallery {
namespace {

// The part of the leg between two shares of a bone's length, or beyond its end.
double part_not_rigid(const Mesh& mesh, const std::vector<Vec3>& positions, const Vec3& head,
                      const Vec3& tail, double from, double to) {
  std::vector<Vec3> before, after;
  const Vec3 along = tail - head;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const double t = dot(mesh.positions[v] - head, along) / dot(along, along);
    if (t < from || t > to) continue;
    before.push_back(mesh.positions[v]);
    after.push_back(positions[v]);
  }
  return not_rigid(before, after);
}

// Points as bones so short that they have no direction.
std::vector<BonePlan> points_at(std::span<const Vec3> places) {
  std::vector<BonePlan> plans;
  for (std::size_t i = 0; i < places.size(); ++i) {
    plans.push_back(
        {fmt::format("point_{}", i + 1), "", places[i], places[i] + Vec3{0, -0.004, 0}});
  }
  return plans;
}

}  // namespace

Figure leg(Models& models, const Progress& progress) {
  progress.report("leg", 0);
  const Rig& rig = models.leg(progress.part(0.1, 0.5));
  Rig points = rig;
  points.skeleton = make_skeleton(points_at(std::array{hip, knee, ankle}));
  weigh_automatically(points, models.detail().nodes(6000), progress.part(0.5, 0.9));

  Figure figure;
  figure.id = "stbs-4";
  figure.title = "A leg: bones against points";
  figure.source = "Stretchable and Twistable Bones, fig. 4";
  figure.claim =
      "Bones keep limbs rigid where they bend, but stretched with bone weights alone the foot "
      "explodes. Points stretch well, as blended translations, but lose rigidity where they turn. "
      "Stretchable bones take each for what it does well.";

  const double bend = 80;
  const Quat turn = rotation_about(Vec3{1, 0, 0}, radians(bend));
  const Quat half = rotation_about(Vec3{1, 0, 0}, radians(bend / 2));
  const auto bent = pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "shin", .bend = turn}});
  const auto longer =
      pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "thigh", .stretch = 1.25},
                                          BoneMotion{.bone = "shin", .stretch = 2.4}});
  // What the points do: go where the bones' ends go, and turn with them (the knee half way).
  const auto points_for = [&](const std::vector<BoneState>& bones, bool turned) {
    const std::array ends{bones[0].posed_head, bones[0].posed_tail, bones[1].posed_tail};
    const std::array turns{Quat{}, turned ? half : Quat{}, turned ? turn : Quat{}};
    std::vector<BonePose> poses;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Bone& bone = points.skeleton.bones[i];
      poses.push_back({ends[i], ends[i] + rotate(turns[i], bone.tail - bone.head), turns[i], 0, 0});
    }
    return bone_states(points.skeleton, poses);
  };
  std::vector<Panel> bends, stretches;
  std::vector<Vec3> feet;
  const auto add = [&](const std::string& name, const Rig& model,
                       const std::vector<BoneState>& states, const char* method, bool stretched) {
    const auto positions = models.deformed(model, states, method);
    (stretched ? stretches : bends)
        .push_back({name + (stretched ? ": stretched" : ": bent"),
                    scene_of(surface(model.mesh, positions, limb_skin()),
                             bones(stretched ? longer : bent, 0.045))});
    const bool is_points = name == "points", is_lbs = name == "bones (LBS)";
    if (stretched) {
      for (std::size_t v = 0; v < positions.size(); ++v) {
        if (model.mesh.positions[v].y < 0.13) feet.push_back(positions[v]);
      }
      figure.numbers.push_back({name, "stretched: foot not rigid",
                                part_not_rigid(model.mesh, positions, knee, ankle, 1.05, 9),
                                Unit::percent, is_lbs ? std::optional(0.2) : std::nullopt,
                                is_lbs ? std::nullopt : std::optional(0.01)});
    } else {
      figure.numbers.push_back({name, "bent: middle of the shin not rigid",
                                part_not_rigid(model.mesh, positions, knee, ankle, 0.3, 0.8),
                                Unit::percent, is_points ? std::optional(0.15) : std::nullopt,
                                is_points ? std::nullopt : std::optional(0.01)});
    }
  };
  for (const bool stretched : {false, true}) {
    const auto& states = stretched ? longer : bent;
    add("bones (LBS)", rig, states, "lbs", stretched);
    add("points", points, points_for(states, !stretched), "lbs", stretched);
    add("STBS", rig, states, "stbs-lbs", stretched);
  }
  const Wall bend_wall({.view = {78, 6}, .aspect = 1.15, .margin = 0.04}, models.detail(),
                       places(bends));
  const Wall stretch_wall({.view = {60, 6}, .aspect = 0.6, .height = 1.25, .margin = 0.04},
                          models.detail(), places(stretches));
  const Wall foot_wall({.view = {60, 6}, .aspect = 1.15, .margin = 0.04}, models.detail(), feet);
  figure.pictures.push_back(still(figure.id + "-bent", bend_wall.draw(bends),
                                  "A leg bent by bones, by points and by STBS"));
  figure.pictures.push_back(still(figure.id + "-stretched", stretch_wall.draw(stretches),
                                  "A leg stretched by bones, by points and by STBS"));
  for (Panel& panel : stretches)
    panel.title.replace(panel.title.find(':'), std::string::npos, ": its foot");
  figure.pictures.push_back(still(figure.id + "-foot", foot_wall.draw(stretches),
                                  "The foot of the stretched leg by bones, by points and by STBS"));
  figure.result = fmt::format(
      "Bent by {:.0f}\u00b0, the middle of the shin departs from a rigid motion by {} of its size "
      "with bones, {} with points and {} with STBS. Stretched, the foot departs from one by {} "
      "with bones, {} with points and {} with STBS.",
      bend, figure.text("bones (LBS)", "bent: middle of the shin not rigid"),
      figure.text("points", "bent: middle of the shin not rigid"),
      figure.text("STBS", "bent: middle of the shin not rigid"),
      figure.text("bones (LBS)", "stretched: foot not rigid"),
      figure.text("points", "stretched: foot not rigid"),
      figure.text("STBS", "stretched: foot not rigid"));
  return figure;
}

}  // namespace sinew::gallery
