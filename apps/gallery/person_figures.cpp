// SPDX-License-Identifier: Apache-2.0
// Stretchable and Twistable Bones on a person: an arm, weights in colour, the spine.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/font.h"
#include "sinew/draw/overlay.h"
#include "sinew/measure/sections.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/report.h"

namespace sinew::gallery {
namespace {

constexpr Vec3 to_viewer{0, 0, 1};

struct ArmPose {
  double twist = 0, bend = 0, stretch = 0;  // the first two in degrees, the last as a share
};

std::vector<BoneState> pose_arm(const Rig& rig, const ArmPose& arm) {
  return pose_bones(rig.skeleton,
                    std::array{BoneMotion{.bone = "neck", .stretch = 1 + 1.2 * arm.stretch},
                               BoneMotion{.bone = "upper_arm.L",
                                          .bend = rotation_about(to_viewer, radians(36)),
                                          .stretch = 1 + 0.25 * arm.stretch},
                               BoneMotion{.bone = "forearm.L",
                                          .bend = rotation_about(to_viewer, radians(arm.bend)),
                                          .twist = arm.twist,
                                          .stretch = 1 + 0.8 * arm.stretch}});
}

// The curve of a filter, endpoint weights to the right and what becomes of them upwards, beside the
// straight line of no filter.
Image plot(const FilterCurve& curve, int width, int height) {
  Image picture(width, height, {255, 255, 255, 255});
  const double side = 0.74 * std::min(width, height), left = 0.5 * (width - side) + 0.06 * side,
               bottom = 0.5 * (height + side) - 0.04 * side;
  const auto at = [&](double x, double y) { return Vec2{left + x * side, bottom - y * side}; };
  std::vector<Stroke> grid, straight, line;
  for (int i = 0; i <= 4; ++i) {
    grid.push_back({at(0.25 * i, 0), at(0.25 * i, 1), 1});
    grid.push_back({at(0, 0.25 * i), at(1, 0.25 * i), 1});
  }
  constexpr int steps = 80;
  for (int i = 0; i < steps; ++i) {
    const double x = double(i) / steps, next = double(i + 1) / steps;
    if (i % 2 == 0) straight.push_back({at(x, x), at(next, next), 1.5});
    line.push_back({at(x, evaluate(curve, x)), at(next, evaluate(curve, next)), 3});
  }
  draw_strokes(picture, grid, {0.72F, 0.74F, 0.78F});
  draw_strokes(picture, straight, {0.15F, 0.25F, 0.5F});
  draw_strokes(picture, line, {0.6F, 0.05F, 0.03F});
  const double size = 0.055 * height;
  if (size < 5) return picture;
  const Rgb grey = to_linear(Pixel{70, 75, 85});
  const TextStyle style{size, grey, 1, true};
  const auto label = [&](double x, double y, const std::string& text) {
    draw_text(picture, x - 0.5 * text_width(text, size), y, text, style);
  };
  label(left, bottom + 1.2 * size, "0");
  label(left + side, bottom + 1.2 * size, "1");
  label(left - 0.7 * size, bottom - side + 0.8 * size, "1");
  label(left + 0.5 * side, bottom + 1.2 * size, "pelvis to neck");
  return picture;
}

}  // namespace

Figure person_arm(Models& models, const Progress& progress) {
  Rig rig = models.person(progress.part(0, 0.8));
  const auto skin = paint_stripes(rig, arm_stripes(), models.skin("mannequin"));
  progress.report("arm", 0.8);
  Figure figure;
  figure.id = "stbs-5";
  figure.title = "An arm twisted, bent and stretched";
  figure.source = "Stretchable and Twistable Bones, fig. 5";
  figure.claim =
      "With automatic weights the arm is twisted by 180\u00b0, spread along upper and lower arm; "
      "bent; bent over dual quaternions, which cure the collapse of the elbow; and stretched, with "
      "the neck: head and hand do not explode. LBS collapses, isolates the twist and explodes; DQS "
      "packs the twist and explodes.";
  struct Case {
    std::string title, method;
    ArmPose arm;
  };
  const ArmPose twisted{180, 0, 0}, bent{180, 95, 0}, all{180, 95, 1};
  const std::array cases{Case{"STBS-LBS: twisted", "stbs-lbs", twisted},
                         Case{"STBS-LBS: twisted, bent", "stbs-lbs", bent},
                         Case{"STBS-DQS: twisted, bent", "stbs-dqs", bent},
                         Case{"STBS-DQS: and stretched", "stbs-dqs", all},
                         Case{"LBS: all three", "lbs", all},
                         Case{"DQS: all three", "dqs", all}};
  const auto rest = pose_bones(rig.skeleton, {});
  std::vector<Panel> panels{
      {"rest, and bones", scene_of(surface(rig.mesh, rig.mesh.positions, skin), bones(rest))}};
  const std::array methods{std::pair{"STBS-DQS", "stbs-dqs"}, std::pair{"LBS", "lbs"},
                           std::pair{"DQS", "dqs"}};
  std::vector<Actor> actors;
  for (const auto& [name, method] : methods) actors.emplace_back(rig, models.method(method, rig));
  const auto arms_at = [&](double share) {
    const auto states = pose_arm(rig, {share * all.twist, all.bend, all.stretch});
    std::vector<Panel> arms;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      arms.push_back({methods[i].first, scene_of(actors[i].drawn(states, skin))});
    }
    return arms;
  };
  std::vector<Vec3> held, close;
  const Vec3& elbow = rig.skeleton.bones[bone_number(rig.skeleton, "forearm.L")].head;
  for (const Case& c : cases) {
    const auto states = pose_arm(rig, c.arm);
    const auto positions = models.deformed(rig, states, c.method);
    panels.push_back({c.title, scene_of(surface(rig.mesh, positions, skin))});
    for (const Vec3& p : positions) {
      if (p.y > 1.05 && p.x > -0.25) held.push_back(p);
    }
    if (c.arm.stretch > 0) {
      for (std::size_t v = 0; v < positions.size(); ++v) {
        if (distance(rig.mesh.positions[v], elbow) < 0.2) close.push_back(positions[v]);
      }
    }
    const LimbNumbers limbs = measure_limbs(rig, states, positions);
    const bool stbs = c.method.starts_with("stbs");
    Number near{c.title, "twist near the elbow", limbs.near_joints, Unit::percent};
    Number thin{c.title, "thinnest twisted section", limbs.radius, Unit::percent};
    Number caps{c.title, "head and hand not rigid", limbs.cap_error, Unit::percent};
    Number missed{c.title, "ends of bones missed", limbs.missed, Unit::percent};
    if (stbs) {
      near.at_most = 0.4;
      caps.at_most = 0.1;
      missed.at_most = 0.05;
      if (c.method == "stbs-dqs" || c.arm.bend == 0) thin.at_least = 0.85;
    } else {
      near.at_least = 0.6;
    }
    if (!stbs) caps.at_least = 0.3;
    if (c.method == "lbs") thin.at_most = 0.6;
    figure.numbers.insert(figure.numbers.end(), {near, thin, caps, missed});
  }
  const Wall wall({.view = {10, 8}, .aspect = 0.9, .columns = 4, .margin = 0.03}, models.detail(),
                  held);
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "A person's arm twisted, bent and stretched"));
  const Wall near({.view = {10, 8}, .aspect = 1.2, .margin = 0.02}, models.detail(), close);
  figure.pictures.push_back(swing(
      figure.id + "-arm", models.detail().frames, 3,
      [&](double phase) { return near.draw(arms_at(samples::swell(phase))); },
      "The elbow, twisted more and more, by STBS-DQS, LBS and DQS", progress.part(0.9, 1)));
  figure.swipes.push_back({1, 1, 0});
  figure.result = fmt::format(
      "Near the elbow lie {} of the twist by STBS-DQS, {} by LBS and {} by DQS. The thinnest "
      "section keeps {} bent over STBS-LBS, {} over STBS-DQS and {} by LBS. Head and hand depart "
      "from a rigid motion by {} of their size by STBS-DQS, {} by LBS and {} by DQS.",
      figure.text("STBS-DQS: and stretched", "twist near the elbow"),
      figure.text("LBS: all three", "twist near the elbow"),
      figure.text("DQS: all three", "twist near the elbow"),
      figure.text("STBS-LBS: twisted, bent", "thinnest twisted section"),
      figure.text("STBS-DQS: twisted, bent", "thinnest twisted section"),
      figure.text("LBS: all three", "thinnest twisted section"),
      figure.text("STBS-DQS: and stretched", "head and hand not rigid"),
      figure.text("LBS: all three", "head and hand not rigid"),
      figure.text("DQS: all three", "head and hand not rigid"));
  return figure;
}

Figure colored_weights(Models& models, const Progress& progress) {
  Rig rig = models.person(progress.part(0, 0.8));
  if (const std::string used = models.cast("bbw"); used != "bbw") {
    rig.skin =
        compute_weights(rig.mesh, rig.skeleton, weight_method_from_name(used), ProjectionOptions{})
            .skin;
  }
  progress.report("weights", 0.8);
  Figure figure;
  figure.id = "stbs-6";
  figure.title = "Automatic weights in colour";
  figure.source = "Stretchable and Twistable Bones, fig. 6";
  figure.claim =
      "Bone weights, each bone in a colour of its own, blended; and the endpoint weights of bone "
      "after bone, from 0 to 1. Both computed automatically, as bounded biharmonic functions.";
  const auto rest = pose_bones(rig.skeleton, {});
  Drawable blended = surface(rig.mesh, rig.mesh.positions);
  blended.colors = blended_colors(rig.skin.weights, bone_colors(rig.skeleton));
  std::vector<Panel> panels{{"bone weights", scene_of(blended, bones(rest))}};
  for (const char* name : {"spine", "neck", "upper_arm.L", "forearm.L", "thigh.L", "shin.L"}) {
    Drawable skin = surface(rig.mesh, rig.mesh.positions);
    const std::array shown{BoneIndex(bone_number(rig.skeleton, name))};
    skin.colors = endpoint_colors(rig.skin.weights, rig.skin.endpoints, shown);
    panels.push_back({fmt::format("endpoints: {}", name), scene_of(skin)});
  }
  Drawable all = surface(rig.mesh, rig.mesh.positions);
  all.colors = endpoint_colors(rig.skin.weights, rig.skin.endpoints, {});
  panels.push_back({"endpoints: all, mixed", scene_of(all)});
  const Wall wall({.view = {18, 6}, .aspect = 0.85, .columns = 4, .margin = 0.03}, models.detail(),
                  places(panels));
  figure.pictures.push_back(still(figure.id, wall.draw(panels),
                                  "A person coloured by bone weights, and by the endpoint weights "
                                  "of six bones: blue 0, orange 1"));

  const WeightReport report =
      make_report(rig.mesh, rig.skeleton, {rig.skin.weights, rig.skin.endpoints, {}});
  double least = 1, most = 0;
  for (const Influence& influence : rig.skin.weights.influences) {
    least = std::min(least, influence.weight);
    most = std::max(most, influence.weight);
  }
  const auto [low, high] =
      std::minmax_element(rig.skin.endpoints.begin(), rig.skin.endpoints.end());
  // The largest change of a vertex's weights along an edge: 1 where a bone ends at once.
  double jump = 0;
  for (const Triangle& t : rig.mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      double gained = 0;
      for (const Influence& to : rig.skin.weights.row(t[(k + 1) % 3])) {
        double before = 0;
        for (const Influence& from : rig.skin.weights.row(t[k])) {
          if (from.bone == to.bone) before += from.weight;
        }
        gained += std::max(0.0, to.weight - before);
      }
      jump = std::max(jump, gained);
    }
  }
  const std::string bone_row = "bone weights", end_row = "endpoint weights";
  figure.numbers = {
      {bone_row, "smallest", least, Unit::none, 0.0, {}},
      {bone_row, "largest", most, Unit::none, {}, 1.0},
      {bone_row, "vertices without weight", double(report.uncovered), Unit::count, {}, 0.0},
      {bone_row, "largest change along an edge", jump, Unit::none, {}, 0.7},
      {bone_row, "largest error of a sum", report.largest_sum_error, Unit::none, {}, 1e-6},
      {bone_row,
       "vertices on a wrong limb",
       double(report.bleeding.size()),
       Unit::count,
       {},
       0.01 * double(report.vertices)},
      {end_row, "smallest", *low, Unit::none, 0.0, {}},
      {end_row, "largest", *high, Unit::none, {}, 1.0},
  };
  figure.result = fmt::format(
      "{} bones, {} vertices, {:.1f} bones per vertex. All weights lie within [0, 1] and sum to 1; "
      "{} vertices are without weight, {} follow a bone of a wrong limb. In the pictures endpoint "
      "weights run from blue (0) to orange (1), and fade to grey where the bone has no weight.",
      report.bones, report.vertices, report.mean_influences,
      figure.text(bone_row, "vertices without weight"),
      figure.text(bone_row, "vertices on a wrong limb"));
  return figure;
}

Figure spine_filter(Models& models, const Progress& progress) {
  Rig rig = models.person(progress.part(0, 0.8));
  progress.report("spine", 0.8);
  Figure figure;
  figure.id = "stbs-10";
  figure.title = "A spine of one bone, with and without a filter";
  figure.source = "Stretchable and Twistable Bones, fig. 10";
  figure.claim =
      "A single bone twists the whole torso smoothly. Passed through a curve, the endpoint weights "
      "concentrate the twist in the abdomen and keep the chest rigid.";
  const double twist = 90;
  const std::size_t spine = bone_number(rig.skeleton, "spine");
  const auto states =
      pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "spine", .end_twist = twist}});
  const FilterCurve abdomen{{{0, 0}, {0.08, 0.04}, {0.42, 0.96}, {0.55, 1}, {1, 1}}};
  const auto skin = paint_stripes(rig, std::array{StripedLimb{{"spine"}, 6, 0.2, 0.68}},
                                  models.skin("mannequin"));
  const auto rest = pose_bones(rig.skeleton, {});
  std::vector<Panel> panels{
      {"rest, and bones", scene_of(surface(rig.mesh, rig.mesh.positions, skin), bones(rest))}};
  std::vector<Vec3> held;
  std::array<Rig, 2> rigs{rig, rig};
  std::vector<Actor> actors;
  for (const bool filtered : {false, true}) {
    Rig& one = rigs[filtered ? 1 : 0];
    const std::string name = filtered ? "filtered" : "endpoint weights as they are";
    if (models.cast(filtered ? "filter" : "no filter") == "filter") {
      one.skin.filters.assign(rig.skeleton.bones.size(), {});
      one.skin.filters[spine].twist = abdomen;
    }
    actors.emplace_back(one, models.method("stbs-dqs", one));
    const auto positions = actors.back().at(states);
    for (const Vec3& p : positions) {
      if (p.y > 0.8) held.push_back(p);
    }
    panels.push_back({name, scene_of(surface(rig.mesh, positions, skin))});
    const auto sections =
        bone_sections(rig.mesh.triangles, rig.skin.weights, states, rig.mesh.positions, positions);
    const auto turn_at = [&](double t) {
      double best = 2, turn = 0;
      for (const Section& section : sections[spine]) {
        if (!section.turn || std::fabs(section.t - t) >= best) continue;
        best = std::fabs(section.t - t);
        turn = *section.turn;
      }
      return turn;
    };
    const double share = std::fabs(turn_at(0.8) - turn_at(0.5)) / radians(twist);
    figure.numbers.push_back({name, "part of the twist in the chest", share, Unit::percent,
                              filtered ? std::nullopt : std::optional(0.2),
                              filtered ? std::optional(0.08) : std::nullopt});
  }
  Scene blank;
  blank.background_alpha = 0;
  panels.push_back(
      {"the filter", blank, [&abdomen](Image& p) { p = plot(abdomen, p.width(), p.height()); }});
  const Wall wall({.view = {14, 6}, .aspect = 0.9}, models.detail(), held);
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels),
            "A person's torso twisted by one bone, without and with a filter, and its curve"));
  const Wall side({.view = {14, 6}, .aspect = 1.15, .margin = 0.02}, models.detail(), held);
  figure.pictures.push_back(swing(
      figure.id + "-loop", models.detail().frames, 3,
      [&](double phase) {
        const auto turned = pose_bones(
            rig.skeleton, std::array{BoneMotion{.bone = "spine",
                                                .end_twist = -twist * std::cos(2 * pi * phase)}});
        std::vector<Panel> both;
        for (std::size_t i = 0; i < actors.size(); ++i) {
          both.push_back({panels[i + 1].title, scene_of(actors[i].drawn(turned, skin))});
        }
        return side.draw(both);
      },
      "The torso turns to both sides, without and with a filter", progress.part(0.9, 1)));
  figure.swipes.push_back({1, 0, 1});
  figure.result = fmt::format(
      "The top of the one spine bone is twisted by {:.0f}\u00b0. Between half and four fifths of "
      "its length, the chest, lie {} of the twist; with the filter, {}.",
      twist, figure.text("endpoint weights as they are", "part of the twist in the chest"),
      figure.text("filtered", "part of the twist in the chest"));
  return figure;
}

}  // namespace sinew::gallery
