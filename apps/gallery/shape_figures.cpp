// SPDX-License-Identifier: Apache-2.0
// Stretchable and Twistable Bones on simple shapes: a cigar, boxes, a leg.
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "figures.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/draw/colors.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::gallery {
namespace {

constexpr Vec3 amber{0.78, 0.40, 0.12}, green{0.14, 0.40, 0.34};

std::shared_ptr<const Image> paint_box(Rig& rig) {
  return paint_squares(rig.mesh, {0, 0, 0}, {0, 1, 0}, 8, 0.2, green);
}

// A box from y = -0.2 to 2.2, 0.5 times `width` wide, on bones that end at these heights.
Rig make_box_rig(const Detail& detail, std::span<const double> heights, double width = 1,
                 std::size_t vertices = 12000) {
  Rig rig = make_sample("box", detail.vertices(vertices));
  for (Vec3& p : rig.mesh.positions) p = {width * p.x, 2 * p.y, width * p.z};
  rig.mesh.normals = {};
  std::vector<BonePlan> plans;
  for (std::size_t i = 0; i + 1 < heights.size(); ++i) {
    plans.push_back({fmt::format("bone_{}", i + 1),
                     i == 0 ? "" : fmt::format("bone_{}", i),
                     {0, heights[i], 0},
                     {0, heights[i + 1], 0}});
  }
  rig.skeleton = make_skeleton(plans);
  rig.clips.clear();
  weigh_automatically(rig, detail.nodes(5000));
  return rig;
}

// By how much the ends of the surface are turned against each other about the vertical axis.
double turn_between_ends(const Mesh& mesh, const std::vector<Vec3>& positions) {
  const Box box = bounding_box(mesh.positions);
  const auto turn_of = [&](double low, double high) -> std::optional<double> {
    double c = 0, s = 0;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const Vec3& p = mesh.positions[v];
      const Vec3& q = positions[v];
      if (p.y < low || p.y > high) continue;
      c += p.x * q.x + p.z * q.z;
      s += p.z * q.x - p.x * q.z;
    }
    if (c == 0 && s == 0) return std::nullopt;
    return std::atan2(s, c);
  };
  // Followed from slice to slice, as an angle alone does not count turns.
  constexpr int slices = 60;
  double total = 0;
  std::optional<double> last;
  for (int i = 0; i < slices; ++i) {
    const double step = (box.high.y - box.low.y) / slices;
    const auto now = turn_of(box.low.y + i * step, box.low.y + (i + 1) * step);
    if (!now) continue;
    if (last) total += std::remainder(*now - *last, 2 * pi);
    last = now;
  }
  return std::fabs(degrees(total));
}

}  // namespace

Figure cigar(Models& models, const Progress& progress) {
  progress.report("cigar", 0);
  Rig rig = make_sample("cigar", models.detail().vertices(12000));
  const auto squares = paint_squares(rig.mesh, {0, 0, 0}, {0, 1, 0}, 6, 0.1, amber);
  // Lying, as in the paper.
  const Quat down = rotation_about(Vec3{0, 0, 1}, radians(-90));
  for (Vec3& p : rig.mesh.positions) p = rotate(down, p);
  for (Vec3& n : rig.mesh.normals.values) n = rotate(down, n);
  rig.skeleton = make_skeleton(std::array{BonePlan{"bone", "", {0, 0, 0}, {1, 0, 0}}});
  rig.clips.clear();
  weigh_automatically(rig, models.detail().nodes(3000));

  Figure figure;
  figure.id = "stbs-2";
  figure.title = "A cigar on one bone";
  figure.source = "Stretchable and Twistable Bones, fig. 2";
  figure.claim =
      "With one bone all bone weights are 1. Stretched by linear blending, the ends beyond the "
      "bone are scaled with it; with endpoint weights they keep their shape.";
  const auto rest = pose_bones(rig.skeleton, {});
  const auto states =
      pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "bone", .stretch = 2}});
  std::vector<Panel> panels{
      {"rest", scene_of(surface(rig.mesh, rig.mesh.positions, squares), bones(rest, 0.06))}};
  Drawable ends = surface(rig.mesh, rig.mesh.positions);
  ends.colors = endpoint_colors(rig.skin.weights, rig.skin.endpoints, {});
  panels.push_back({"endpoint weights (BBW): blue 0, orange 1", scene_of(ends, bones(rest, 0.06))});
  for (const auto& [name, method] : {std::pair{"LBS", "lbs"}, std::pair{"STBS", "stbs-lbs"}}) {
    const auto positions = models.deformed(rig, states, method);
    panels.push_back({name, scene_of(surface(rig.mesh, positions, squares), bones(states, 0.03))});
    const Box box = bounding_box(positions);
    const bool stbs = std::string_view(name) == "STBS";
    const double beyond_rest = bounding_box(rig.mesh.positions).high.x - 1;
    figure.numbers.push_back(
        {name, "ends not rigid", measure_limbs(rig, states, positions).cap_error, Unit::percent,
         stbs ? std::nullopt : std::optional(0.3), stbs ? std::optional(0.01) : std::nullopt});
    figure.numbers.push_back({name, "length of the end beyond the bone",
                              (box.high.x - 2) / beyond_rest, Unit::times,
                              stbs ? std::optional(0.98) : std::optional(1.9),
                              stbs ? std::optional(1.02) : std::nullopt});
  }
  const Wall wall({.view = {0, 12}, .aspect = 4.6, .columns = 1, .height = 0.55}, models.detail(),
                  places(panels));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels),
            "A cigar at rest, its endpoint weights, stretched by LBS and by STBS"));
  figure.result = fmt::format(
      "Bounded biharmonic endpoint weights. Stretched to twice its length, the end beyond the bone "
      "grows with it by LBS ({}) and keeps its length by STBS ({}).",
      figure.text("LBS", "length of the end beyond the bone"),
      figure.text("STBS", "length of the end beyond the bone"));
  return figure;
}

Figure boxes(Models& models, const Progress& progress) {
  progress.report("boxes", 0);
  Rig one = make_box_rig(models.detail(), std::array{0.0, 2.0});
  progress.report("boxes", 0.3);
  Rig two = make_box_rig(models.detail(), std::array{0.0, 1.0, 2.0});
  const auto squares = paint_box(one);
  paint_box(two);
  Figure figure;
  figure.id = "stbs-3";
  figure.title = "Boxes on one bone and on two, twisted";
  figure.source = "Stretchable and Twistable Bones, fig. 3";
  figure.claim =
      "One bone twisted by 315\u00b0: the standard methods can only turn the whole box; endpoint "
      "weights spread the twist. Two bones: LBS collapses at the joint, DQS packs the twist there; "
      "STBS spreads it over one bone or both.";
  struct Case {
    const Rig* rig;
    std::string title, method;
    double twist, share;
  };
  const std::array cases{Case{&one, "one bone: LBS, DQS", "lbs", 315, 0},
                         Case{&one, "one bone: STBS", "stbs-lbs", 315, 0},
                         Case{&two, "two bones: LBS", "lbs", 180, 0.5},
                         Case{&two, "two bones: DQS", "dqs", 180, 0.5},
                         Case{&two, "STBS, one bone", "stbs-lbs", 180, 0},
                         Case{&two, "STBS, both bones", "stbs-lbs", 180, 0.5}};
  const auto pose_at = [](const Case& c, double amount) {
    return pose_bones(
        c.rig->skeleton,
        std::array{BoneMotion{.bone = c.rig->skeleton.bones.size() == 1 ? "bone_1" : "bone_2",
                              .twist = c.twist * amount,
                              .share = c.share}});
  };
  std::vector<Actor> actors;
  for (const Case& c : cases) {
    actors.emplace_back(*c.rig, models.method(c.method, *c.rig));
    const auto states = pose_at(c, 1);
    const auto positions = actors.back().at(states);
    const LimbNumbers limbs = measure_limbs(*c.rig, states, positions);
    const bool stbs = c.method == "stbs-lbs", single = c.rig == &one;
    Number turn{c.title, "twist from end to end", turn_between_ends(c.rig->mesh, positions),
                Unit::degrees};
    if (single && !stbs) turn.at_most = 1;
    if (stbs) {
      turn.at_least = c.twist - 3;
      turn.at_most = c.twist + 3;
    }
    figure.numbers.push_back(turn);
    if (single && !stbs) continue;
    Number near{c.title, "of it near the joint", limbs.near_joints, Unit::percent};
    Number thin{c.title, "thinnest section", limbs.radius, Unit::percent};
    if (stbs) {
      thin.at_least = 0.95;
    } else {
      near.at_least = 0.6;
    }
    if (c.title == "STBS, both bones") near.at_most = 0.25;
    if (c.method == "lbs") thin.at_most = 0.2;
    if (c.method == "dqs") thin.at_least = 0.9;
    figure.numbers.push_back(near);
    figure.numbers.push_back(thin);
  }
  const auto rest = pose_bones(two.skeleton, {});
  const auto panels_at = [&](double amount) {
    std::vector<Panel> panels{
        {"rest, two bones",
         scene_of(surface(two.mesh, two.mesh.positions, squares), bones(rest, 0.1))}};
    for (std::size_t i = 0; i < cases.size(); ++i) {
      panels.push_back(
          {cases[i].title, scene_of(actors[i].drawn(pose_at(cases[i], amount), squares))});
    }
    return panels;
  };
  const Wall wall({.view = {28, 14}, .aspect = 0.5}, models.detail(), places(panels_at(1)));
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, 3,
      [&](double phase) { return wall.draw(panels_at(samples::swell(phase))); },
      "Boxes twisted by LBS, DQS and STBS", progress.part(0.6, 1)));
  figure.result = fmt::format(
      "On one bone LBS twists the box by {} from end to end, STBS by {}. On two bones the joint "
      "keeps {} of its radius by LBS and {} by DQS, where {} of the twist lies near the joint; "
      "over both bones of STBS {}, where an even spread has 20 %.",
      figure.text("one bone: LBS, DQS", "twist from end to end"),
      figure.text("one bone: STBS", "twist from end to end"),
      figure.text("two bones: LBS", "thinnest section"),
      figure.text("two bones: DQS", "thinnest section"),
      figure.text("two bones: DQS", "of it near the joint"),
      figure.text("STBS, both bones", "of it near the joint"));
  return figure;
}

Figure box_fall_off(Models& models, const Progress& progress) {
  progress.report("fall-off", 0);
  Rig rig = make_box_rig(models.detail(), std::array{0.8, 1.2}, 1.7, 40000);
  const auto squares = paint_box(rig);
  progress.report("fall-off", 0.5);
  Figure figure;
  figure.id = "stbs-8";
  figure.title = "The fall-off of heat weights beyond the bone";
  figure.source = "Stretchable and Twistable Bones, fig. 8";
  figure.claim =
      "A box on one bone that is shorter than it, one end twisted by 360\u00b0. With endpoint "
      "weights from bone heat the full twist is not reached beyond the ends; with bounded "
      "biharmonic ones (BBW) it is.";
  const auto states =
      pose_bones(rig.skeleton, std::array{BoneMotion{.bone = "bone_1", .end_twist = 360}});
  std::vector<Panel> panels{
      {"rest", scene_of(surface(rig.mesh, rig.mesh.positions, squares), bones(states, 0.1))}};
  const auto computed = [&](const char* method) {
    return compute_weights(rig.mesh, rig.skeleton, std::nullopt,
                           endpoint_method_from_name(models.cast(method)), rig.skin.weights)
        .skin.endpoints;
  };
  const auto bbw = computed("bbw"), heat = computed("heat");
  for (const auto& [name, endpoints] : {std::pair{"bone heat", &heat}, std::pair{"BBW", &bbw}}) {
    rig.skin.endpoints = *endpoints;
    const auto positions = models.deformed(rig, states, "stbs-lbs");
    panels.push_back({name, scene_of(surface(rig.mesh, positions, squares))});
    const bool is_bbw = endpoints == &bbw;
    figure.numbers.push_back({name, "twist from end to end", turn_between_ends(rig.mesh, positions),
                              Unit::degrees, is_bbw ? std::optional(355.0) : std::nullopt,
                              is_bbw ? std::optional(361.0) : std::optional(340.0)});
  }
  const Wall wall({.view = {28, 14}, .aspect = 0.62}, models.detail(), places(panels));
  figure.pictures.push_back(still(figure.id, wall.draw(panels),
                                  "A box twisted with endpoint weights from heat and from BBW"));
  figure.result = fmt::format(
      "Asked for 360\u00b0, the ends of the box turn by {} with heat and by {} with BBW.",
      figure.text("bone heat", "twist from end to end"),
      figure.text("BBW", "twist from end to end"));
  return figure;
}

}  // namespace sinew::gallery
