// SPDX-License-Identifier: Apache-2.0
// Delta mush beside the others: what it makes of weights that nobody has smoothed.
#include <array>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "posing.h"
#include "sinew/measure/strain.h"
#include "sinew/measure/volume.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {

Figure delta_mush(Models& models, const Progress& progress) {
  Rig rig = models.sample("arm", 14000, progress.part(0, 0.4));
  rig.clips.clear();
  const auto reweigh = [&](const WeightMethod& method) {
    ComputedWeights computed = compute_weights(rig.mesh, rig.skeleton, method, ProjectionOptions{});
    rig.skin = std::move(computed.skin);
  };
  reweigh(RigidOptions{});
  Figure figure;
  figure.id = "delta-mush";
  figure.title = "Delta mush beside the others, on weights that nobody smoothed";
  figure.source = "Mancewicz et al. 2014, Delta Mush; the methods of the papers beside it";
  figure.claim =
      "Each vertex follows one bone alone. Every method that blends by weights then tears the skin "
      "at the joints, twisted or bent, as there is nothing to blend. Delta mush smooths the torn "
      "shape and puts the detail of the rest shape back.";
  std::vector<BoneMotion> motions{
      {.bone = "forearm", .bend = rotation_about(Vec3{0, -1, 0}, radians(80))},
      {.bone = "hand", .twist = 60}};
  for (const std::string finger : {"index", "middle", "ring", "pinky"}) {
    for (int i = 1; i <= 3; ++i) {
      motions.push_back({.bone = fmt::format("{}_{}", finger, i),
                         .bend = rotation_about(Vec3{0, 0, -1}, radians(i == 2 ? 70 : 45))});
    }
  }
  const auto states = pose_bones(rig.skeleton, motions);
  std::vector<Panel> panels;
  std::vector<Vec3> near;
  const std::array shown{std::pair{"LBS", "lbs"}, std::pair{"DQS", "dqs"},
                         std::pair{"STBS", "stbs-dqs"}, std::pair{"Stretch It", "stretch-it"},
                         std::pair{"delta mush", "delta-mush"}};
  for (const auto& [name, method] : shown) {
    progress.report(name, 0.4 + 0.1 * double(panels.size()));
    const GivenOptions passes =
        models.cast(method) == "delta-mush" ? GivenOptions{{"iterations", {"20"}}} : GivenOptions{};
    const auto positions =
        deformed(rig, states, method_from_name(models.cast(method), rig, passes));
    panels.push_back({name, scene_of(surface(rig.mesh, positions))});
    const auto hand = led_by(rig, positions, {"hand", "index_3", "pinky_3", "thumb_3"});
    near.insert(near.end(), hand.begin(), hand.end());
    const Strain strain =
        summarize(triangle_strains(rig.mesh.triangles, rig.mesh.positions, positions),
                  strain_bounds(rig.mesh.triangles, rig.skin.weights, states));
    const bool mush = std::string_view(method) == "delta-mush";
    figure.numbers.push_back({name, "torn or crushed skin", strain.distorted_area, Unit::percent,
                              mush ? std::nullopt : std::optional(0.015),
                              mush ? std::optional(0.01) : std::nullopt});
    const auto volume = volume_change(rig.mesh.triangles, rig.mesh.positions, positions);
    figure.numbers.push_back({name, "volume", volume ? volume->change() : 0, Unit::percent});
  }
  const Wall wall({.view = {-20, 42}, .aspect = 1.25, .columns = 3, .margin = 0.03},
                  models.detail(), near);
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "An arm with each vertex on one bone, by five methods"));
  figure.swipes.push_back({0, 0, 4});
  figure.result = fmt::format(
      "Torn or crushed are {} of the skin by LBS, {} by DQS, {} by STBS, {} by Stretch It and {} "
      "by "
      "delta mush with 20 passes; the volume changes by {} with LBS and {} with delta mush.",
      figure.text("LBS", "torn or crushed skin"), figure.text("DQS", "torn or crushed skin"),
      figure.text("STBS", "torn or crushed skin"),
      figure.text("Stretch It", "torn or crushed skin"),
      figure.text("delta mush", "torn or crushed skin"), figure.text("LBS", "volume"),
      figure.text("delta mush", "volume"));
  return figure;
}

}  // namespace sinew::gallery
