// SPDX-License-Identifier: Apache-2.0
// Offset curves: a bent and a twisted cylinder; shoulder, neck and knuckles; how long they take.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/draw/font.h"
#include "sinew/draw/overlay.h"
#include "sinew/kernels/binding.h"
#include "sinew/measure/self_intersections.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"

namespace sinew::gallery {

Figure offset_curves(Models& models, const Progress& progress) {
  progress.report("offset curves", 0);
  Rig rig = make_sample("tube", models.detail().vertices(12000));
  rig.clips.clear();
  const auto squares = paint_squares(rig.mesh, {0, 0, 0}, {0, 2, 0}, 6, 0.12, {0.45, 0.16, 0.30});
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
  const auto twisted_by = [&](double degrees) {
    return pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "bone_2", .twist = degrees}});
  };
  const auto twisted = twisted_by(180);
  struct Case {
    std::string name;
    Method method;
  };
  const std::array methods{Case{"LBS", models.method("lbs", rig)},
                           Case{"DQS", models.method("dqs", rig)},
                           Case{"OCD, arcs", models.method("ocd-arc", rig)},
                           Case{"OCD, spline", models.method("ocd-spline", rig)}};
  std::vector<Panel> bends;
  std::vector<Actor> actors;
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
    bends.push_back(
        {fmt::format("{}: bent", name), scene_of(surface(rig.mesh, positions, squares))});
    actors.emplace_back(rig, method);
    positions = actors.back().at(twisted);
    figure.numbers.push_back({name, "twisted: thinnest section",
                              measure_limbs(rig, twisted, positions).radius, Unit::percent,
                              ocd ? std::optional(0.9) : std::nullopt,
                              lbs ? std::optional(0.1) : std::nullopt});
  }
  const Wall bend_wall({.view = {0, 10}, .aspect = 0.9}, models.detail(), places(bends));
  const Wall twist_wall({.view = {20, 10}, .aspect = 0.5}, models.detail(), rig.mesh.positions);
  figure.pictures.push_back(
      still("ocd-bent", bend_wall.draw(bends), "A cylinder bent by four methods"));
  figure.pictures.push_back(swing(
      "ocd-twisted", models.detail().frames, 3,
      [&](double phase) {
        std::vector<Panel> twists;
        for (std::size_t i = 0; i < actors.size(); ++i) {
          twists.push_back(
              {fmt::format("{}: twisted", methods[i].name),
               scene_of(actors[i].drawn(twisted_by(180 * samples::swell(phase)), squares))});
        }
        return twist_wall.draw(twists);
      },
      "A cylinder twisted by four methods", progress.part(0.4, 1)));
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

Figure offset_curve_parts(Models& models, const Progress& progress) {
  const Rig& person = models.person(progress.part(0, 0.5));
  const Rig& hand = models.sample("arm", 14000, progress.part(0.5, 0.7));
  Figure figure;
  figure.id = "ocd-parts";
  figure.title = "Offset curves: shoulder, neck and knuckles";
  figure.source = "Offset Curve Deformation from Skeletal Animation, sections 1 and 2";
  figure.claim =
      "Arc segments suit elbows and knuckles, B-splines shoulder, chest and neck: no pinching "
      "under "
      "twist, no skin that goes through itself inside a bend.";
  std::vector<BoneMotion> fist;
  for (const std::string finger : {"index", "middle", "ring", "pinky"}) {
    for (int i = 1; i <= 3; ++i) {
      fist.push_back({.bone = fmt::format("{}_{}", finger, i),
                      .bend = rotation_about(Vec3{0, 0, -1}, radians(i == 2 ? 85 : 50))});
    }
  }
  struct Part {
    std::string name;
    const Rig* rig;
    std::vector<BoneMotion> motions;
    std::string curves;                   // the method for it
    std::vector<std::string_view> shown;  // bones
    double around = 0;  // looked at: what was so near the first one's joint; 0: their skin
    View view;
  };
  const std::array parts{Part{"shoulder",
                              &person,
                              {{.bone = "upper_arm.L",
                                .bend = rotation_about(Vec3{0, 0, 1}, radians(75)),
                                .twist = 100,
                                .share = 0}},
                              "ocd-spline",
                              {"upper_arm.L"},
                              0.17,
                              {10, 10}},
                         Part{"neck",
                              &person,
                              {{.bone = "neck",
                                .bend = rotation_about(Vec3{1, 0, 0}, radians(20)),
                                .twist = 100,
                                .share = 0}},
                              "ocd-spline",
                              {"neck"},
                              0.27,
                              {30, 5}},
                         Part{"knuckles",
                              &hand,
                              fist,
                              "ocd-arc",
                              {"index_1", "index_2", "index_3", "middle_2", "pinky_3", "pinky_1"},
                              0,
                              {165, 12}}};
  for (const Part& part : parts) {
    progress.report(part.name, 0.75);
    const Rig& rig = *part.rig;
    const auto states = pose_bones(rig.skeleton, part.motions);
    std::vector<Panel> panels;
    std::vector<Vec3> held;
    for (const std::string& method : {std::string("lbs"), std::string("dqs"), part.curves}) {
      const auto positions = models.deformed(rig, states, method);
      const bool ocd = method == part.curves;
      const std::string name = method == "lbs"       ? "LBS"
                               : method == "dqs"     ? "DQS"
                               : method == "ocd-arc" ? "OCD, arcs"
                                                     : "OCD, spline";
      panels.push_back({part.name + ": " + name,
                        scene_of(surface(rig.mesh, positions,
                                         models.skin(&rig == &person ? "mannequin" : "arm")))});
      const Vec3& joint = rig.skeleton.bones[bone_number(rig.skeleton, part.shown[0])].head;
      for (std::size_t v = 0; part.around > 0 && v < positions.size(); ++v) {
        if (distance(rig.mesh.positions[v], joint) < part.around) held.push_back(positions[v]);
      }
      for (const std::string_view bone : part.shown) {
        if (part.around > 0) break;
        const auto skin = led_by(rig, positions, {bone});
        held.insert(held.end(), skin.begin(), skin.end());
      }
      const LimbNumbers limbs = measure_limbs(rig, states, positions);
      const auto crossing =
          self_intersections(rig.mesh.triangles, rig.mesh.positions, positions).created;
      if (part.name != "knuckles") {
        const bool is_neck = part.name == "neck";
        figure.numbers.push_back(
            {part.name + ": " + name, "thinnest twisted section", limbs.radius, Unit::percent,
             ocd ? std::optional(is_neck ? 0.87 : 0.95) : std::nullopt,
             method == "lbs" ? std::optional(is_neck ? 0.72 : 0.82) : std::nullopt});
      }
      figure.numbers.push_back({part.name + ": " + name, "crossing triangles", double(crossing),
                                Unit::count,
                                part.name == "knuckles" && !ocd ? std::optional(1.0) : std::nullopt,
                                ocd ? std::optional(0.0) : std::nullopt});
      figure.numbers.push_back({part.name + ": " + name, "volume", limbs.volume, Unit::percent});
    }
    const Wall wall({.view = part.view, .aspect = 1.15, .margin = 0.02}, models.detail(), held);
    figure.swipes.push_back({figure.pictures.size(), 0, 2});
    figure.pictures.push_back(still(figure.id + "-" + part.name, wall.draw(panels),
                                    fmt::format("The {} by three methods", part.name)));
  }
  figure.result = fmt::format(
      "Twisted by 100\u00b0, the thinnest section of the shoulder keeps {} of its radius with LBS, "
      "{} with splines, that of the neck {} and {}. In the fist {} triangles go through others "
      "with "
      "LBS, {} with arcs.",
      figure.text("shoulder: LBS", "thinnest twisted section"),
      figure.text("shoulder: OCD, spline", "thinnest twisted section"),
      figure.text("neck: LBS", "thinnest twisted section"),
      figure.text("neck: OCD, spline", "thinnest twisted section"),
      figure.text("knuckles: LBS", "crossing triangles"),
      figure.text("knuckles: OCD, arcs", "crossing triangles"));
  return figure;
}

Figure offset_curve_times(Models& models, const Progress& progress) {
  Figure figure;
  figure.id = "ocd-times";
  figure.title = "Offset curves: frames per second, measured in this run";
  figure.source = "Offset Curve Deformation, published table (2008, one Xeon of 3.4 GHz)";
  figure.claim =
      "Published frames per second for 10, 20 and 40 thousand points: linear blending 34, 18 and "
      "10; dual quaternions 21, 11 and 5.7; arcs 30, 15 and 8.2; splines 25, 13 and 6.9. Offset "
      "curves are nearly as fast as the standard methods.";
  struct Row {
    std::string name, method;
    std::array<double, 3> published;
    std::optional<double> most = {};  // times dual quaternions
  };
  const std::array rows{Row{"LBS", "lbs", {34.2, 18.1, 10.1}}, Row{"DQS", "dqs", {20.9, 10.8, 5.7}},
                        Row{"OCD, arcs", "ocd-arc", {29.5, 15.3, 8.2}, 6},
                        Row{"OCD, spline", "ocd-spline", {25.3, 13.2, 6.9}, 12}};
  std::array<std::array<double, 3>, 4> milliseconds{};
  for (std::size_t k = 0; k < 3; ++k) {
    const int thousands = 10 << k;
    Rig rig = make_sample("tube", models.detail().vertices(1000 * thousands));
    rig.clips.clear();
    const auto states = pose_bones(
        rig.skeleton,
        std::array{BoneMotion{
            .bone = "bone_2", .bend = rotation_about(Vec3{0, 0, 1}, radians(-80)), .twist = 90}});
    const Binding binding(rig);
    std::vector<Vec3f> out(rig.mesh.vertex_count());
    std::vector<Plan> plans;
    for (const Row& row : rows) plans.emplace_back(binding, models.method(row.method, rig));
    std::vector<Palette> palettes(plans.begin(), plans.end());
    for (auto& row : milliseconds) row[k] = std::numeric_limits<double>::infinity();
    // In turns, so that whatever else the machine does slows all of them.
    constexpr int turns = 20;
    for (int i = 0; i < turns; ++i) {
      progress.report("frames", (double(k) + double(i) / turns) / 3);
      for (std::size_t m = 0; m < rows.size(); ++m) {
        const auto start = std::chrono::steady_clock::now();
        palettes[m].update(states);
        deform(palettes[m], {.positions = &out[0].x});
        const std::chrono::duration<double, std::milli> spent =
            std::chrono::steady_clock::now() - start;
        milliseconds[m][k] = std::min(milliseconds[m][k], spent.count());
      }
    }
  }
  for (std::size_t m = 0; m < rows.size(); ++m) {
    for (std::size_t k = 0; k < 3; ++k) {
      figure.numbers.push_back({rows[m].name, fmt::format("{} thousand points", 10 << k),
                                1000 / milliseconds[m][k], Unit::count, rows[m].published[k]});
    }
    figure.numbers.push_back({rows[m].name, "time, beside dual quaternions",
                              milliseconds[m][2] / milliseconds[1][2], Unit::times, std::nullopt,
                              rows[m].most});
  }
  // Bars of equal scale: the time of a frame with the most points.
  std::vector<std::pair<std::string, Image>> bars;
  const int height = models.detail().height;
  Image chart(std::max(8, 2 * height), std::max(8, height * 2 / 3), {255, 255, 255, 255});
  double most = 0;
  for (const auto& row : milliseconds) most = std::max(most, row[2]);
  const Rgb tint = to_linear(Pixel{88, 132, 190}), grey = to_linear(Pixel{70, 75, 85});
  const int step = chart.height() / 4;
  for (int m = 0; m < 4; ++m) {
    const std::size_t row = m;
    const double size = 0.34 * step;
    const int from = chart.width() / 4;
    const int wide = std::max(
        2, static_cast<int>(0.55 * chart.width() * milliseconds[row][2] / std::max(most, 1e-9)));
    fill_rectangle(chart, from, m * step + step / 5, wide, step * 3 / 5, tint);
    if (size < 4) continue;
    draw_text(chart, 0.3 * size, m * step + 0.62 * step, rows[row].name, {size, grey, 1, true});
    draw_text(chart, from + wide + 0.4 * size, m * step + 0.62 * step,
              fmt::format("{:.2g} ms", milliseconds[row][2]), {size, grey, 1, true});
  }
  bars.emplace_back("a frame of 40 thousand points", std::move(chart));
  figure.pictures.push_back(
      still(figure.id, sheet_of(bars), "Bars: milliseconds for a frame, by method"));
  figure.result = fmt::format(
      "For 40 thousand points {} frames per second by linear blending, {} by dual quaternions, {} "
      "by "
      "arcs and {} by splines, the fastest of twenty frames each, while this page was made. Beside "
      "dual quaternions arcs take {} the time, splines {}.",
      figure.text("LBS", "40 thousand points"), figure.text("DQS", "40 thousand points"),
      figure.text("OCD, arcs", "40 thousand points"),
      figure.text("OCD, spline", "40 thousand points"),
      figure.text("OCD, arcs", "time, beside dual quaternions"),
      figure.text("OCD, spline", "time, beside dual quaternions"));
  return figure;
}

}  // namespace sinew::gallery
