// SPDX-License-Identifier: Apache-2.0
// The course notes: generalized bones. A kneecap on a leg; kneecap, biceps and breath of the
// mannequin.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "limbs.h"
#include "panels.h"
#include "posing.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/deform/told_pose.h"
#include "sinew/measure/rigid_fit.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"

namespace sinew::gallery {
namespace {

// A part of the mannequin with a bone of its own that computes itself.
struct LivingPart {
  std::string title, plain, alive;  // of its panels
  std::string joint;                // the one that is posed; empty: the breath
  Vec3 axis;
  double angle = 0;
  std::vector<std::string> around;  // bones whose skin is looked at
  double wider = 0.12;              // by so much of its size
  View view;
};

// How far the skin that a bone leads lies from a point, on average.
double mean_distance(const Rig& rig, const std::vector<Vec3>& positions, std::string_view bone,
                     const Vec3& from) {
  double sum = 0;
  std::size_t count = 0;
  for (const Vec3& p : led_by(rig, positions, {bone})) {
    sum += distance(p, from);
    ++count;
  }
  return count == 0 ? 0 : sum / double(count);
}

// By how many degrees the skin that a bone leads is turned, in all.
double turn_of_skin(const Rig& rig, const std::vector<Vec3>& positions, std::string_view bone) {
  const Quat turn =
      fit_rigid(led_by(rig, rig.mesh.positions, {bone}), led_by(rig, positions, {bone})).rotation;
  return degrees(2 * std::acos(std::min(1.0, std::fabs(turn.w))));
}

// The leg with a bone more, from the knee to its cap, which turns by half of the knee's angle.
Rig with_kneecap(Rig rig, const Detail& detail) {
  rig.skeleton = make_skeleton(
      std::array{BonePlan{"thigh", "", hip, knee}, BonePlan{"shin", "thigh", knee, ankle},
                 BonePlan{"kneecap", "thigh", knee, knee + Vec3{0, 0.006, 0.045}}});
  const int shin = int(find_joint(rig.skeleton, "shin"));
  rig.drivers = {{find_joint(rig.skeleton, "kneecap"), RotationShare{shin, 0.5}}};
  weigh_automatically(rig, detail.nodes(6000));
  return rig;
}

// How far the front of the knee lies from the joint, on average, against rest.
double front_of_knee(const Rig& rig, const std::vector<Vec3>& positions) {
  double before = 0, after = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    if (std::fabs(p.y - knee.y) > 0.03 || p.z < knee.z + 0.03) continue;
    before += distance(p, knee);
    after += distance(positions[v], knee);  // which the pose leaves where it is
  }
  return after / before;
}

void add_knee(Figure& figure, Models& models) {
  constexpr double bend = 110;
  std::vector<Panel> panels;
  std::vector<Vec3> held;
  for (const bool alive : {false, true}) {
    const std::string name = alive ? "a leg with a kneecap" : "thigh and shin alone";
    const bool with_cap = models.cast(alive ? "driven" : "plain") == "driven";
    const Rig rig = with_cap ? with_kneecap(models.leg(), models.detail()) : models.leg();
    Pose pose = rest_pose(rig);
    pose.joints[find_joint(rig.skeleton, "shin")].rotation =
        rotation_about(Vec3{1, 0, 0}, radians(bend));
    apply_drivers(rig, pose);
    const auto states = bone_states(rig, pose);
    const auto positions = models.deformed(rig, states, "lbs");
    panels.push_back(
        {name, scene_of(surface(rig.mesh, positions, limb_skin()), bones(states, 0.04))});
    for (std::size_t v = 0; v < positions.size(); ++v) {
      if (std::fabs(rig.mesh.positions[v].y - knee.y) < 0.17) held.push_back(positions[v]);
    }
    figure.numbers.push_back(
        {name, "front of the knee from the joint", front_of_knee(rig, positions), Unit::percent,
         alive ? std::optional(0.9) : std::nullopt, alive ? std::nullopt : std::optional(0.75)});
  }
  const Wall wall({.view = {80, 4}, .aspect = 1.1, .margin = 0.02}, models.detail(), held);
  figure.swipes.push_back({figure.pictures.size(), 0, 1});
  figure.pictures.push_back(
      still(figure.id + "-leg", wall.draw(panels), "A bent knee by two bones, and with a kneecap"));
}

}  // namespace

Figure generalized_bones(Models& models, const Progress& progress) {
  const Rig& rig = models.sample("mannequin", 20000, progress.part(0, 0.5));
  Rig stiff = rig;  // the same without generalized bones: they move with their parents
  stiff.drivers.clear();
  Figure figure;
  figure.id = "notes-bones";
  figure.title = "Generalized bones: kneecap, biceps and breath";
  figure.source = "Course notes on skinning, section 4";
  figure.claim =
      "A bone need not be one. A kneecap that turns by half of the knee's angle keeps the knee "
      "round; a biceps whose scale follows the elbow bulges; a chest that a control widens "
      "breathes. "
      "All three go through plain linear blend skinning.";
  const std::array parts{
      LivingPart{"knee",
                 "without kneecap",
                 "kneecap",
                 "shin.L",
                 {1, 0, 0},
                 120,
                 {"kneecap.L"},
                 1.6,
                 {70, 4}},
      LivingPart{"arm",
                 "without biceps",
                 "biceps",
                 "forearm.L",
                 {0, 0, 1},
                 120,
                 {"upper_arm.L", "biceps.L", "forearm.L"},
                 0.12,
                 {8, 6}},
      LivingPart{
          "chest", "breathed out", "breathed in", "", {}, 0, {"chest", "breath"}, 0.12, {66, 4}}};
  add_knee(figure, models);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const LivingPart& part = parts[k];
    const bool arm = part.title == "arm";
    const auto model_of = [&](bool alive) -> const Rig& {
      return models.cast(alive ? "driven" : "plain") == "driven" ? rig : stiff;
    };
    const auto states_at = [&](bool alive, double amount) {
      const Rig& model = model_of(alive);
      ToldPose pose;
      static_cast<Pose&>(pose) = rest_pose(model);
      if (!part.joint.empty()) {
        const std::array bend{ToldBend{part.axis, radians(part.angle * amount)}};
        PoseTeller(model.skeleton).turn(pose, find_joint(model.skeleton, part.joint), bend, 0);
      } else if (alive) {
        pose.controls.at(0) = amount;
      }
      apply_drivers(model, pose);
      return bone_states(model, pose);
    };
    std::array actors{Actor(model_of(false), models.method("lbs", rig)),
                      Actor(model_of(true), models.method("lbs", rig))};
    std::vector<Vec3> held;
    std::array<double, 2> measured{};
    for (const bool alive : {false, true}) {
      const auto states = states_at(alive, 1);
      const auto positions = actors[alive].at(states);
      for (const std::string& bone : part.around) {
        const auto skin = led_by(rig, positions, {bone});
        held.insert(held.end(), skin.begin(), skin.end());
      }
      const BoneState& center = states[bone_number(rig.skeleton, arm ? "upper_arm.L" : "chest")];
      measured[alive] = part.title == "knee"
                            ? turn_of_skin(rig, positions, "kneecap.L")
                            : mean_distance(rig, positions, arm ? "biceps.L" : "breath",
                                            lerp(center.posed_head, center.posed_tail, 0.5));
    }
    // Framed a little wider than what is looked at.
    const Box box = bounding_box(held);
    for (const Vec3& corner : corners(box)) held.push_back(lerp(corner, box.center(), -part.wider));
    const Wall wall({.view = part.view, .aspect = 1.1, .margin = 0.02}, models.detail(), held);
    figure.swipes.push_back({figure.pictures.size(), 0, 1});
    const auto sheet_at = [&](double amount) {
      std::vector<Panel> panels;
      for (const bool alive : {false, true}) {
        panels.push_back(
            {alive ? part.alive : part.plain,
             scene_of(actors[alive].drawn(states_at(alive, amount), models.skin("mannequin")))});
      }
      return wall.draw(panels);
    };
    const std::string name = figure.id + "-" + part.title, text = "The mannequin's " + part.title;
    const double share = 0.4 + 0.2 * double(k);
    figure.pictures.push_back(
        part.title == "knee" ? still(name, sheet_at(1), text)
                             : swing(
                                   name, models.detail().frames, 3,
                                   [&](double phase) { return sheet_at(samples::swell(phase)); },
                                   text, progress.part(share, share + 0.2)));
    if (part.title == "knee") {
      figure.numbers.push_back(
          {part.plain, "cap turned by", measured[0], Unit::degrees, {}, 0.4 * part.angle});
      figure.numbers.push_back({part.alive, "cap turned by", measured[1], Unit::degrees,
                                0.45 * part.angle, 0.6 * part.angle});
    } else {
      figure.numbers.push_back(
          {part.alive, "farther out than without", measured[1] / measured[0], Unit::times, 1.04});
    }
  }
  figure.result = fmt::format(
      "A leg bent by 110\u00b0: the front of the knee keeps {} of its distance from the joint on "
      "thigh and shin, {} with a bone for the cap. On the mannequin, bent by 120\u00b0, the skin "
      "on "
      "the kneecap turns by {} where it hangs on the thigh, by {}, half way, with a bone of its "
      "own. The elbow bent as far, the skin on the biceps lies {} as far from the middle of the "
      "upper arm as without; breathed in, the skin on the breath {} as far from the middle of the "
      "chest.",
      figure.text("thigh and shin alone", "front of the knee from the joint"),
      figure.text("a leg with a kneecap", "front of the knee from the joint"),
      figure.text("without kneecap", "cap turned by"), figure.text("kneecap", "cap turned by"),
      figure.text("biceps", "farther out than without"),
      figure.text("breathed in", "farther out than without"));
  return figure;
}

}  // namespace sinew::gallery
