// SPDX-License-Identifier: Apache-2.0
// Stretchable and Twistable Bones, fig. 11: a yawn, exaggerated.
#include <array>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {

Figure yawn(Models& models, const Progress& progress) {
  Rig rig = models.sample("beast", 20000, progress.part(0, 0.3));
  rig.clips.clear();
  // The bones end in the middle of jaw and snout, so that chin and nose lie beyond them.
  for (const char* name : {"jaw", "head"}) {
    Bone& bone = rig.skeleton.bones[bone_number(rig.skeleton, name)];
    bone.tail = lerp(bone.head, bone.tail, 0.45);
  }
  rig.skin.endpoints =
      compute_weights(rig.mesh, rig.skeleton, std::nullopt, ProjectionOptions{}, rig.skin.weights)
          .skin.endpoints;
  Figure figure;
  figure.id = "stbs-11";
  figure.title = "An exaggerated yawn";
  figure.source = "Stretchable and Twistable Bones, fig. 11 (there a dog)";
  figure.claim =
      "Stretchable bones exaggerate a yawn: jaw and snout grow longer as they open, and chin, "
      "fangs "
      "and nostrils keep their shape; scaled with the bones, they are blown up.";
  const auto pose_at = [&](double phase) {
    const double amount = samples::swell(phase);
    return pose_bones(
        rig.skeleton,
        std::array{BoneMotion{.bone = "neck_4",
                              .bend = rotation_about(Vec3{1, 0, 0}, radians(-18 * amount))},
                   BoneMotion{.bone = "head", .stretch = 1 + 0.7 * amount},
                   BoneMotion{.bone = "jaw",
                              .bend = rotation_about(Vec3{1, 0, 0}, radians(34 * amount)),
                              .stretch = 1 + 1.9 * amount}});
  };
  const std::array methods{std::pair{"LBS", "lbs"}, std::pair{"STBS", "stbs-lbs"}};
  std::vector<Actor> actors;
  for (const auto& [name, method] : methods) actors.emplace_back(rig, models.method(method, rig));
  const auto panels_at = [&](double phase) {
    const auto states = pose_at(phase);
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      panels.push_back({methods[i].first, scene_of(actors[i].drawn(states))});
    }
    return panels;
  };
  std::vector<Vec3> held;
  for (Actor& actor : actors) {
    const auto posed = actor.at(pose_at(0.5));
    for (std::size_t v = 0; v < posed.size(); ++v) {
      const Vec3& p = rig.mesh.positions[v];
      if (p.y > 2.2 && p.z > 0.45) held.push_back(posed[v]);
    }
  }
  const Wall wall({.view = {62, 4}, .aspect = 1.1, .height = 1.25, .margin = 0.03}, models.detail(),
                  held);
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, 2.5,
      [&](double phase) { return wall.draw(panels_at(phase)); },
      "The beast yawns, by LBS and by STBS", progress.part(0.3, 1)));
  std::vector<Vec3> muzzle;
  for (Actor& actor : actors) {
    const auto posed = actor.at(pose_at(0.5));
    for (std::size_t v = 0; v < posed.size(); ++v) {
      const Vec3& p = rig.mesh.positions[v];
      if (p.y > 2.2 && p.z > 1.15) muzzle.push_back(posed[v]);
    }
  }
  const Wall near({.view = {62, 4}, .aspect = 1.1, .margin = 0.02}, models.detail(), muzzle);
  std::vector<Panel> closer = panels_at(0.5);
  closer.insert(closer.begin(), {"rest", scene_of(surface(rig.mesh, rig.mesh.positions))});
  figure.pictures.push_back(
      still(figure.id + "-jaw", near.draw(closer), "Jaw and snout at rest, and at their widest"));
  figure.swipes.push_back({1, 1, 2});
  const auto states = pose_at(0.5);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const double error = measure_limbs(rig, states, actors[i].at(states)).cap_error;
    const bool stbs = i == 1;
    figure.numbers.push_back({methods[i].first, "tips of jaw and snout not rigid", error,
                              Unit::percent, stbs ? std::nullopt : std::optional(0.3),
                              stbs ? std::optional(0.1) : std::nullopt});
  }
  const BoneState& jaw = states[bone_number(rig.skeleton, "jaw")];
  figure.result = fmt::format(
      "The jaw becomes {:.3g} times as long. What lies beyond the ends of its bones departs from a "
      "rigid motion by {} of its size with LBS, {} with STBS.",
      distance(jaw.posed_head, jaw.posed_tail) / distance(jaw.head, jaw.tail),
      figure.text("LBS", "tips of jaw and snout not rigid"),
      figure.text("STBS", "tips of jaw and snout not rigid"));
  return figure;
}

}  // namespace sinew::gallery
