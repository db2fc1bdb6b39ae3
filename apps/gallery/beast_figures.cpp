// SPDX-License-Identifier: Apache-2.0
// The beast, rigged automatically: six methods in motion, and the teaser of the paper.
#include <algorithm>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::gallery {
namespace {

constexpr View view{26, 6};

// The neck stretched, the arms raised, twisted and stretched; all of it at amount 1.
std::vector<BoneMotion> strike(double amount) {
  std::vector<BoneMotion> motions{{.bone = "neck", .stretch = 1 + 0.7 * amount}};
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double sign = left ? 1 : -1;
    motions.push_back({.bone = "upper_arm" + side,
                       .bend = rotation_about(Vec3{0, 0, 1}, radians(sign * 42 * amount)),
                       .stretch = 1 + 0.15 * amount});
    motions.push_back(
        {.bone = "forearm" + side, .twist = sign * 165 * amount, .stretch = 1 + 0.8 * amount});
  }
  return motions;
}

struct Row {
  std::string name;    // of the method, as papers have it
  std::string method;  // as the command line has it
};

void add_numbers(Figure& figure, const Rig& rig, std::span<const BoneState> states, const Row& row,
                 const std::vector<Vec3>& positions) {
  const LimbNumbers limbs = measure_limbs(rig, states, positions);
  const bool stbs = row.method.starts_with("stbs");
  const bool lbs = row.method == "lbs";
  figure.numbers.push_back({row.name, "head and hands not rigid", limbs.cap_error, Unit::percent,
                            lbs || row.method == "dqs" ? std::optional(0.3) : std::nullopt,
                            stbs ? std::optional(0.005) : std::nullopt});
  figure.numbers.push_back({row.name, "ends of bones missed", limbs.missed, Unit::percent,
                            std::nullopt, stbs ? std::optional(0.01) : std::nullopt});
  figure.numbers.push_back({row.name, "thinnest twisted section", limbs.radius, Unit::percent,
                            stbs ? std::optional(0.85) : std::nullopt,
                            lbs ? std::optional(0.6) : std::nullopt});
  const bool packed = lbs || row.method == "dqs";
  figure.numbers.push_back({row.name, "twist near the elbows", limbs.near_joints, Unit::percent,
                            packed ? std::optional(0.55) : std::nullopt,
                            stbs ? std::optional(0.4) : std::nullopt});
  figure.numbers.push_back({row.name, "volume", limbs.volume, Unit::percent});
}

}  // namespace

Figure teaser(Models& models, const Progress& progress) {
  const Rig& rig = models.beast(progress.part(0, 0.7));
  progress.report("teaser", 0.7);
  Figure figure;
  figure.id = "stbs-1";
  figure.title = "The teaser: a beast stretched and twisted";
  figure.source = "Stretchable and Twistable Bones, fig. 1";
  figure.claim =
      "Neck stretched, arms twisted and stretched. Linear blending (LBS) blows up head and hands "
      "and pinches the elbows; dual quaternions (DQS) do not pinch, but pack the twist near the "
      "elbows, and stretched they blow up as much; stretchable, twistable bones (STBS) do neither, "
      "and twist along the whole length of each arm. All three have the same joints at the same "
      "places.";
  const auto rest = pose_bones(rig.skeleton, {});
  const auto states = pose_bones(rig.skeleton, strike(1));
  std::vector<Panel> panels{
      {"rest pose and bones",
       scene_of(surface(rig.mesh, rig.mesh.positions, models.skin("striped beast")), bones(rest))}};
  std::vector<Panel> arms;
  std::vector<Vec3> close;
  for (const Row& row : {Row{"LBS", "lbs"}, Row{"DQS", "dqs"}, Row{"STBS", "stbs-dqs"}}) {
    const auto positions = models.deformed(rig, states, row.method);
    panels.push_back(
        {row.name, scene_of(surface(rig.mesh, positions, models.skin("striped beast")))});
    add_numbers(figure, rig, states, row, positions);
    const auto arm = led_by(rig, positions, {"upper_arm.R", "forearm.R"});
    close.insert(close.end(), arm.begin(), arm.end());
    arms.push_back({row.name + ": an arm", panels.back().scene});
  }
  const Wall wall({.view = view, .aspect = 0.9, .height = 1.1, .margin = 0.02}, models.detail(),
                  places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "The beast at rest and posed by LBS, DQS and STBS"));
  const Wall near({.view = view, .aspect = 1.6, .height = 0.8, .margin = 0.01}, models.detail(),
                  close);
  figure.pictures.push_back(
      still(figure.id + "-arm", near.draw(arms), "An arm of the beast by LBS, DQS and STBS"));
  const auto text = [&](const char* of, const char* what) { return figure.text(of, what); };
  figure.result = fmt::format(
      "The weights of {} bones were computed automatically on {} vertices. Head and hands depart "
      "from a rigid motion by {} of their size under LBS, {} under DQS and {} under STBS. The "
      "thinnest section of the twisted arms keeps {} of "
      "its radius under LBS, {} under DQS and {} under STBS; of the twist {} (LBS), {} (DQS) and "
      "{} (STBS) lie near the elbows, where an even spread has 20 %.",
      rig.skeleton.bones.size(), rig.mesh.vertex_count(), text("LBS", "head and hands not rigid"),
      text("DQS", "head and hands not rigid"), text("STBS", "head and hands not rigid"),
      text("LBS", "thinnest twisted section"), text("DQS", "thinnest twisted section"),
      text("STBS", "thinnest twisted section"), text("LBS", "twist near the elbows"),
      text("DQS", "twist near the elbows"), text("STBS", "twist near the elbows"));
  return figure;
}

Figure beast_loop(Models& models, const Progress& progress) {
  const Rig& rig = models.beast(progress.part(0, 0.3));
  std::vector<Row> rows{{"LBS", "lbs"},
                        {"DQS", "dqs"},
                        {"delta mush", "delta-mush"},
                        {"Stretch It", "stretch-it"},
                        {"OCD, arcs", "ocd-arc"},
                        {"OCD, spline", "ocd-spline"},
                        {"STBS-LBS", "stbs-lbs"},
                        {"STBS-DQS", "stbs-dqs"}};
  std::erase_if(rows, [](const Row& row) { return find_method(row.method) == nullptr; });
  Figure figure;
  figure.id = "beast";
  figure.title = "One beast, every method";
  figure.source = "All methods, on one automatic rig";
  figure.claim =
      "The papers' common ground: linear blending pinches what twists and blows up what stretches. "
      "Dual quaternions and Stretch It cure the first, each in its own way, and delta mush a "
      "little; "
      "stretchable, twistable bones and offset curves cure both.";
  std::vector<Actor> actors;
  for (const Row& row : rows) actors.emplace_back(rig, models.method(row.method, rig));
  const auto panels_at = [&](double phase) {
    const auto states = pose_bones(rig.skeleton, strike(samples::swell(phase)));
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      panels.push_back(
          {rows[i].name, scene_of(actors[i].drawn(states, models.skin("striped beast")))});
    }
    return panels;
  };
  std::vector<Vec3> held = places(panels_at(0.5));
  held.insert(held.end(), rig.mesh.positions.begin(), rig.mesh.positions.end());
  const Wall wall({.view = view, .aspect = 1.0, .columns = 4, .height = 0.9, .margin = 0.02},
                  models.detail(), held);
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, 3,
      [&](double phase) { return wall.draw(panels_at(phase)); },
      "The beast strikes, under every method", progress.part(0.3, 1)));

  const auto states = pose_bones(rig.skeleton, strike(1));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_numbers(figure, rig, states, rows[i], actors[i].at(states));
  }
  figure.result = fmt::format(
      "At the height of the loop the forearms are twisted by 165\u00b0 and 1.8 times as long. The "
      "twisted arms keep {} of their radius at the thinnest place under LBS, {} under STBS-LBS and "
      "{} under STBS-DQS; head and hands depart from a rigid motion by {} of their size under LBS, "
      "{} and {} under the two STBS.",
      figure.text("LBS", "thinnest twisted section"),
      figure.text("STBS-LBS", "thinnest twisted section"),
      figure.text("STBS-DQS", "thinnest twisted section"),
      figure.text("LBS", "head and hands not rigid"),
      figure.text("STBS-LBS", "head and hands not rigid"),
      figure.text("STBS-DQS", "head and hands not rigid"));
  return figure;
}

}  // namespace sinew::gallery
