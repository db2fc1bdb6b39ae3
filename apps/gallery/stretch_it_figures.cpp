// SPDX-License-Identifier: Apache-2.0
// The figures of Stretch It: a bent and a twisted cylinder, fingers and a forearm.
#include <array>

#include <fmt/format.h>

#include "figures.h"
#include "limbs.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/shepard.h"

namespace sinew::gallery {
namespace {

const std::array compared_methods{std::pair{"LBS", "lbs"}, std::pair{"Stretch It", "stretch-it"}};

constexpr Vec3 blue{0.12, 0.33, 0.52};

std::shared_ptr<const Image> paint_tube(Rig& rig) {
  return paint_squares(rig.mesh, {0, 0, 0}, {0, 2, 0}, 6, 0.12, blue);
}

// With the weights of the paper.
Rig make_tube(const Detail& detail) {
  Rig rig = make_sample("tube", detail.vertices(12000));
  rig.clips.clear();
  rig.skin.weights = shepard_weights(rig.mesh.positions, rig.skeleton);
  rig.skin.endpoints.clear();
  return rig;
}

}  // namespace

Figure bent_tube(Models& models, const Progress& progress) {
  progress.report("bent cylinder", 0);
  Rig rig = make_tube(models.detail());
  const auto squares = paint_tube(rig);
  Figure figure;
  figure.id = "stretch-it-4";
  figure.title = "Stretch It: a bent cylinder";
  figure.source = "Stretch It, fig. 4";
  figure.claim =
      "Smooth skinning collapses at the joint; stretched out from it again, the surface keeps its "
      "distance.";
  const auto states = pose_bones(
      rig.skeleton, std::array{BoneMotion{.bone = "bone_2",
                                          .bend = rotation_about(Vec3{0, 0, 1}, radians(-110))}});
  std::vector<Panel> panels;
  for (const auto& [name, method] : compared_methods) {
    const auto positions = models.deformed(rig, states, method);
    panels.push_back({name, scene_of(surface(rig.mesh, positions, squares))});
    const bool is_lbs = std::string_view(name) == "LBS";
    figure.numbers.push_back({name, "distance from the joint",
                              distance_from_joint(rig, states, positions, 1), Unit::percent,
                              is_lbs ? std::nullopt : std::optional(0.95),
                              is_lbs ? std::optional(0.7) : std::nullopt});
    figure.numbers.push_back(
        {name, "volume", measure_limbs(rig, states, positions).volume, Unit::percent});
  }
  const Wall wall({.view = {0, 10}, .aspect = 1.1}, models.detail(), places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "A cylinder bent by LBS and by Stretch It"));
  figure.result = fmt::format(
      "Bent by 110\u00b0: where it collapses most, the surface keeps {} of its distance from the "
      "joint with LBS, {} with Stretch It; the volume changes by {} and {}.",
      figure.text("LBS", "distance from the joint"),
      figure.text("Stretch It", "distance from the joint"), figure.text("LBS", "volume"),
      figure.text("Stretch It", "volume"));
  return figure;
}

Figure twisted_tube(Models& models, const Progress& progress) {
  progress.report("twisted cylinder", 0);
  Rig rig = make_tube(models.detail());
  const auto squares = paint_tube(rig);
  Figure figure;
  figure.id = "stretch-it-5";
  figure.title = "Stretch It: a twisted cylinder";
  figure.source = "Stretch It, fig. 5";
  figure.claim = "The middle joint twisted by 180\u00b0: a candy wrapper, and none.";
  const auto twisted_by = [&](double degrees) {
    return pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "bone_2", .twist = degrees}});
  };
  const auto states = twisted_by(180);
  std::vector<Actor> actors;
  for (const auto& [name, method] : compared_methods) {
    actors.emplace_back(rig, models.method(method, rig));
    const auto positions = actors.back().at(states);
    const bool is_lbs = std::string_view(name) == "LBS";
    const LimbNumbers limbs = measure_limbs(rig, states, positions);
    figure.numbers.push_back({name, "thinnest section", limbs.radius, Unit::percent,
                              is_lbs ? std::nullopt : std::optional(0.98),
                              is_lbs ? std::optional(0.1) : std::nullopt});
    figure.numbers.push_back({name, "volume", limbs.volume, Unit::percent});
  }
  const Wall wall({.view = {20, 10}, .aspect = 0.5}, models.detail(), rig.mesh.positions);
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, 3,
      [&](double phase) {
        std::vector<Panel> panels;
        for (std::size_t i = 0; i < actors.size(); ++i) {
          panels.push_back(
              {compared_methods[i].first,
               scene_of(actors[i].drawn(twisted_by(180 * samples::swell(phase)), squares))});
        }
        return wall.draw(panels);
      },
      "A cylinder twisted by LBS and by Stretch It", progress.part(0.3, 1)));
  figure.result = fmt::format(
      "The thinnest section keeps {} of its radius with LBS, {} with Stretch It.",
      figure.text("LBS", "thinnest section"), figure.text("Stretch It", "thinnest section"));
  return figure;
}

Figure fingers(Models& models, const Progress& progress) {
  Rig rig = models.sample("arm", 14000, progress.part(0, 0.5));
  rig.clips.clear();
  rig.mesh = dressed(std::move(rig.mesh), [](const Vec3& p) { return 0.12 - p.x; });
  rig.skin.weights = shepard_weights(rig.mesh.positions, rig.skeleton);
  rig.skin.endpoints.clear();
  progress.report("fingers", 0.5);
  Figure figure;
  figure.id = "stretch-it-7";
  figure.title = "Stretch It: fingers and a forearm";
  figure.source = "Stretch It, fig. 7";
  figure.claim =
      "Bent fingers and a bent forearm collapse by smooth skinning, and do not when stretched out "
      "again.";
  std::vector<BoneMotion> fist;
  for (const std::string finger : {"index", "middle", "ring", "pinky"}) {
    for (int i = 1; i <= 3; ++i) {
      fist.push_back({.bone = fmt::format("{}_{}", finger, i),
                      .bend = rotation_about(Vec3{0, 0, -1}, radians(i == 2 ? 95 : 60))});
    }
  }
  const std::vector<BoneMotion> elbow{
      {.bone = "forearm", .bend = rotation_about(Vec3{0, -1, 0}, radians(115))}};
  struct Part {
    std::string name, bone;
    const std::vector<BoneMotion>& motions;
    View view;
    std::vector<std::string_view> shown;  // bones whose skin is looked at
  };
  for (const Part& part :
       {Part{"fingers",
             "middle_2",
             fist,
             {165, 12},
             {"index_1", "index_2", "index_3", "middle_2", "pinky_3", "pinky_1"}},
        Part{"forearm", "forearm", elbow, {0, 60}, {"upper_arm", "forearm", "hand", "middle_3"}}}) {
    const auto states = pose_bones(rig.skeleton, part.motions);
    const int bone = bone_number(rig.skeleton, part.bone);
    std::vector<Panel> panels;
    std::vector<Vec3> held;
    for (const auto& [name, method] : compared_methods) {
      const auto positions = models.deformed(rig, states, method);
      panels.push_back({fmt::format("{}: {}", part.name, name),
                        scene_of(surface(rig.mesh, positions, limb_skin()))});
      for (const std::string_view shown : part.shown) {
        const auto skin = led_by(rig, positions, {shown});
        held.insert(held.end(), skin.begin(), skin.end());
      }
      const bool is_lbs = std::string_view(name) == "LBS";
      figure.numbers.push_back({name, fmt::format("{}: distance from the joint", part.name),
                                distance_from_joint(rig, states, positions, bone), Unit::percent,
                                is_lbs ? std::nullopt : std::optional(0.8),
                                is_lbs ? std::optional(0.75) : std::nullopt});
    }
    const Wall wall({.view = part.view, .aspect = 1.2, .margin = 0.02}, models.detail(), held);
    figure.swipes.push_back({figure.pictures.size(), 0, 1});
    figure.pictures.push_back(still(fmt::format("{}-{}", figure.id, part.name), wall.draw(panels),
                                    "Bent by LBS and by Stretch It"));
  }
  figure.result = fmt::format(
      "Where it collapses most, the skin over a finger's second joint keeps {} of its distance "
      "from it with LBS, {} with Stretch It; over the elbow {} and {}.",
      figure.text("LBS", "fingers: distance from the joint"),
      figure.text("Stretch It", "fingers: distance from the joint"),
      figure.text("LBS", "forearm: distance from the joint"),
      figure.text("Stretch It", "forearm: distance from the joint"));
  return figure;
}

Figure bent_leg(Models& models, const Progress& progress) {
  progress.report("leg", 0);
  Rig rig;
  rig.name = "leg";
  rig.mesh = leg_mesh(models.detail());
  rig.skeleton = make_skeleton(
      std::array{BonePlan{"thigh", "", hip, knee}, BonePlan{"shin", "thigh", knee, ankle}});
  rig.skin.weights = shepard_weights(rig.mesh.positions, rig.skeleton);
  Figure figure;
  figure.id = "stretch-it-8";
  figure.title = "Stretch It: a bent leg";
  figure.source = "Stretch It, fig. 8";
  figure.claim = "A knee bent far collapses by smooth skinning; stretched out, it stays a knee.";
  const auto states = pose_bones(
      rig.skeleton,
      std::array{BoneMotion{.bone = "thigh", .bend = rotation_about(Vec3{1, 0, 0}, radians(-50))},
                 BoneMotion{.bone = "shin", .bend = rotation_about(Vec3{1, 0, 0}, radians(115))}});
  std::vector<Panel> panels;
  for (const auto& [name, method] : compared_methods) {
    const auto positions = models.deformed(rig, states, method);
    panels.push_back({name, scene_of(surface(rig.mesh, positions, limb_skin()))});
    const bool is_lbs = std::string_view(name) == "LBS";
    figure.numbers.push_back({name, "distance from the joint",
                              distance_from_joint(rig, states, positions, 1), Unit::percent,
                              is_lbs ? std::nullopt : std::optional(0.8),
                              is_lbs ? std::optional(0.7) : std::nullopt});
  }
  const Wall wall({.view = {66, 8}, .aspect = 1.0, .height = 1.2, .margin = 0.03}, models.detail(),
                  places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "A leg bent by LBS and by Stretch It"));
  figure.swipes.push_back({0, 0, 1});
  figure.result = fmt::format(
      "Bent by 115\u00b0: where it collapses most, the skin keeps {} of its distance from the knee "
      "with LBS, {} with Stretch It.",
      figure.text("LBS", "distance from the joint"),
      figure.text("Stretch It", "distance from the joint"));
  return figure;
}

Figure muscular_arm(Models& models, const Progress& progress) {
  progress.report("muscular arm", 0);
  Rig rig;
  rig.name = "muscular_arm";
  rig.mesh = muscular_arm_mesh(models.detail());
  rig.skeleton = make_skeleton(std::array{BonePlan{"upper_arm", "", arm_shoulder, arm_elbow},
                                          BonePlan{"forearm", "upper_arm", arm_elbow, arm_wrist}});
  rig.skin.weights = shepard_weights(rig.mesh.positions, rig.skeleton);
  Figure figure;
  figure.id = "stretch-it-9";
  figure.title = "Stretch It: a muscular arm bent and twisted";
  figure.source = "Stretch It, fig. 9";
  figure.claim =
      "Bent and twisted at once, the elbow of a muscular arm collapses and pinches by smooth "
      "skinning, and does neither when twist and stretch are taken care of.";
  const auto pose_at = [&](double amount) {
    return pose_bones(
        rig.skeleton,
        std::array{BoneMotion{.bone = "upper_arm",
                              .bend = rotation_about(Vec3{0, 1, 0}, radians(20 * amount))},
                   BoneMotion{.bone = "forearm",
                              .bend = rotation_about(Vec3{0, -1, 0}, radians(60 * amount)),
                              .twist = 120 * amount}});
  };
  std::vector<Actor> actors;
  for (const auto& [name, method] : compared_methods) {
    actors.emplace_back(rig, models.method(method, rig));
  }
  const auto panels_at = [&](double phase) {
    const auto states = pose_at(samples::swell(phase));
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      panels.push_back({compared_methods[i].first, scene_of(actors[i].drawn(states, limb_skin()))});
    }
    return panels;
  };
  std::vector<Vec3> held = places(panels_at(0.5));
  held.insert(held.end(), rig.mesh.positions.begin(), rig.mesh.positions.end());
  const Wall wall({.view = {0, 62}, .aspect = 1.25, .height = 1.1, .margin = 0.03}, models.detail(),
                  held);
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, 3,
      [&](double phase) { return wall.draw(panels_at(phase)); },
      "A muscular arm bent and twisted by LBS and by Stretch It", progress.part(0.2, 1)));
  const auto states = pose_at(1);
  std::vector<Vec3> close;
  for (const Panel& panel : panels_at(0.5)) {
    const std::vector<Vec3>& posed = panel.scene.surfaces[0].positions;
    for (std::size_t v = 0; v < posed.size(); ++v) {
      if (distance(rig.mesh.positions[v], arm_elbow) < 0.13) close.push_back(posed[v]);
    }
  }
  const Wall near({.view = {0, 62}, .aspect = 1.25, .margin = 0.0}, models.detail(), close);
  figure.pictures.push_back(still(figure.id + "-elbow", near.draw(panels_at(0.5)),
                                  "The elbow, bent and twisted by LBS and by Stretch It"));
  figure.swipes.push_back({1, 0, 1});
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const char* name = compared_methods[i].first;
    const auto positions = actors[i].at(states);
    const bool is_lbs = i == 0;
    figure.numbers.push_back({name, "distance from the elbow",
                              distance_from_joint(rig, states, positions, 1), Unit::percent,
                              is_lbs ? std::nullopt : std::optional(0.8),
                              is_lbs ? std::optional(0.5) : std::nullopt});
    figure.numbers.push_back(
        {name, "volume", measure_limbs(rig, states, positions).volume, Unit::percent});
  }
  figure.result = fmt::format(
      "Bent by 60\u00b0 and twisted by 120\u00b0: where it collapses most, the skin keeps {} of "
      "its distance from the elbow with LBS, {} with Stretch It; the volume changes by {} and {}.",
      figure.text("LBS", "distance from the elbow"),
      figure.text("Stretch It", "distance from the elbow"), figure.text("LBS", "volume"),
      figure.text("Stretch It", "volume"));
  return figure;
}

}  // namespace sinew::gallery
