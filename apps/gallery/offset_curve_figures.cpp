// SPDX-License-Identifier: Apache-2.0
// Offset curves: a bent and a twisted cylinder.
#include <array>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/measure/self_intersections.h"
#include "sinew/samples/samples.h"

namespace sinew::gallery {

Figure offset_curves(Models& models, const Progress& progress) {
  progress.report("offset curves", 0);
  Rig rig = make_sample("tube", models.detail().vertices(12000));
  rig.clips.clear();
  paint_squares(rig.mesh, {0, 0, 0}, {0, 2, 0}, 6, 0.12, {0.45, 0.16, 0.30}, {0.86, 0.80, 0.68});
  Figure figure;
  figure.id = "ocd";
  figure.title = "Offset curves: a cylinder bent and twisted";
  figure.source = "Offset Curve Deformation from Skeletal Animation";
  figure.claim =
      "Linear blending loses volume at a bend and pinches under twist; others stretch unevenly and "
      "go through themselves inside a bend. Each point on an offset curve of its own, made of arcs "
      "or as a B-spline, avoids both.";
  const auto bent = pose_bones(
      rig.skeleton, std::array{BoneMotion{.bone = "bone_2",
                                          .bend = rotation_about(Vec3{0, 0, 1}, radians(-110))}});
  const auto twisted =
      pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "bone_2", .twist = 180}});
  struct Case {
    std::string name;
    Method method;
  };
  const std::array methods{Case{"LBS", method_from_name("lbs", rig)},
                           Case{"DQS", method_from_name("dqs", rig)},
                           Case{"OCD, arcs", method_from_name("ocd-arc", rig)},
                           Case{"OCD, spline", method_from_name("ocd-spline", rig)}};
  std::vector<Panel> bends, twists;
  for (const auto& [name, method] : methods) {
    const bool ocd = name.starts_with("OCD"), lbs = name == "LBS";
    auto positions = deformed(rig, bent, method);
    const auto crossings =
        self_intersections(rig.mesh.triangles, rig.mesh.positions, positions).created;
    figure.numbers.push_back({name, "bent: crossing triangles", double(crossings), Unit::count,
                              ocd ? std::nullopt : std::optional(1.0),
                              ocd ? std::optional(0.0) : std::nullopt});
    figure.numbers.push_back({name, "bent: volume", measure_limbs(rig, bent, positions).volume,
                              Unit::percent, ocd ? std::optional(-0.03) : std::nullopt,
                              lbs ? std::optional(-0.04) : std::nullopt});
    bends.push_back({fmt::format("{}: bent", name), scene_of(surface(rig.mesh, positions))});
    positions = deformed(rig, twisted, method);
    figure.numbers.push_back({name, "twisted: thinnest section",
                              measure_limbs(rig, twisted, positions).radius, Unit::percent,
                              ocd ? std::optional(0.9) : std::nullopt,
                              lbs ? std::optional(0.1) : std::nullopt});
    twists.push_back({fmt::format("{}: twisted", name), scene_of(surface(rig.mesh, positions))});
  }
  const Wall bend_wall({.view = {0, 10}, .aspect = 0.9}, models.detail(), places(bends));
  const Wall twist_wall({.view = {20, 10}, .aspect = 0.5}, models.detail(), places(twists));
  figure.pictures.push_back(
      still("ocd-bent", bend_wall.draw(bends), "A cylinder bent by four methods"));
  figure.pictures.push_back(
      still("ocd-twisted", twist_wall.draw(twists), "A cylinder twisted by four methods"));
  figure.result = fmt::format(
      "Bent by 110\u00b0, {} triangles go through others with LBS, {} with DQS, {} with arcs, {} "
      "with splines; the volume changes by {} with LBS, {} with arcs and {} with splines. Twisted "
      "by 180\u00b0, the thinnest section keeps {} of its radius with LBS, "
      "{} with arcs and {} with splines.",
      figure.text("LBS", "bent: crossing triangles"),
      figure.text("DQS", "bent: crossing triangles"),
      figure.text("OCD, arcs", "bent: crossing triangles"),
      figure.text("OCD, spline", "bent: crossing triangles"), figure.text("LBS", "bent: volume"),
      figure.text("OCD, arcs", "bent: volume"), figure.text("OCD, spline", "bent: volume"),
      figure.text("LBS", "twisted: thinnest section"),
      figure.text("OCD, arcs", "twisted: thinnest section"),
      figure.text("OCD, spline", "twisted: thinnest section"));
  return figure;
}

}  // namespace sinew::gallery
