// SPDX-License-Identifier: Apache-2.0
// What the slides on stretchable, twistable bones leave as future work: muscles by filters.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "limbs.h"
#include "panels.h"
#include "posing.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/measure/sections.h"

namespace sinew::gallery {
namespace {

constexpr Vec3 front{0, 0, 1};               // of the arm, where its biceps is
constexpr double straight = 35, bent = 125;  // degrees
constexpr double shorter = 0.64;
constexpr const char* without = "STBS";
constexpr const char* with = "STBS with a muscle";

struct ArmModel {
  Rig rig;
  int bone = 0;  // the upper arm
  JointIndex elbow = no_joint;

  explicit ArmModel(Rig made)
      : rig(std::move(made)),
        bone(bone_number(rig.skeleton, "upper_arm")),
        elbow(find_joint(rig.skeleton, "forearm")) {
    rig.mesh = dressed(std::move(rig.mesh), [](const Vec3& p) { return 0.03 - p.x; });
  }

  std::vector<BoneState> states(double degrees, double length) const {
    Pose pose = rest_pose(rig);
    Transform& joint = pose.joints[elbow];
    joint.rotation = joint.rotation * rotation_about(Vec3{0, -1, 0}, radians(degrees));
    joint.translation = joint.translation * length;
    return bone_states(rig, pose);
  }
};

ArmModel with_muscle(const ArmModel& plain, const Muscle& muscle) {
  ArmModel model = plain;
  model.rig.skin.muscles.resize(model.rig.skeleton.bones.size());
  model.rig.skin.muscles[model.bone] = muscle;
  return model;
}

// Of the skin that the upper arm moves most, how far from the bone it is against rest: the most on
// the given side, between two shares of the bone's length.
double growth(const ArmModel& model, const std::vector<BoneState>& states,
              const std::vector<Vec3>& positions, const Vec3& side, double from, double to) {
  const Bone& bone = model.rig.skeleton.bones[model.bone];
  const BoneState& state = states[model.bone];
  const Vec3 u = normalized(bone.tail - bone.head);
  const Vec3 posed_u = normalized(state.posed_tail - state.posed_head);
  double most = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3 d = model.rig.mesh.positions[v] - bone.head;
    const double t = dot(d, u) / distance(bone.head, bone.tail);
    const Vec3 arm = d - u * dot(d, u);
    const auto row = model.rig.skin.weights.row(v);
    const bool is_own = std::any_of(row.begin(), row.end(), [&](const Influence& influence) {
      return influence.bone == model.bone && influence.weight > 0.6;
    });
    if (!is_own || t < from || t > to || dot(arm, side) < 0.9 * length(arm)) continue;
    const Vec3 posed = positions[v] - state.posed_head;
    const double ratio = length(posed - posed_u * dot(posed, posed_u)) / length(arm);
    if (std::fabs(ratio - 1) > std::fabs(most)) most = ratio - 1;
  }
  return most;
}

// Of a slice across the bone: its area times what its thickness has become.
double slice_volume(const ArmModel& model, const std::vector<BoneState>& states,
                    const std::vector<Vec3>& positions, double at) {
  const auto sections = bone_sections(model.rig.mesh.triangles, model.rig.skin.weights, states,
                                      model.rig.mesh.positions, positions, SectionSkin::own);
  double radius = 0, nearest = 2;
  for (const Section& section : sections[model.bone]) {
    if (std::fabs(section.t - at) >= nearest) continue;
    nearest = std::fabs(section.t - at);
    radius = section.radius;
  }
  return radius * radius * stretch_factor(states[model.bone]);
}

}  // namespace

Figure biceps(Models& models, const Progress& progress) {
  progress.report("biceps", 0);
  const ArmModel arm(models.sample("arm", 14000));
  Muscle by_angle{.side = front};
  by_angle.angle = MuscleAngle{.joint = arm.elbow, .start = 0, .end = bent, .gain = 0.6};
  const auto made = [&](const char* name, const Muscle& muscle) {
    return models.cast(name) == "muscle" ? with_muscle(arm, muscle) : arm;
  };
  const Muscle by_stretch{.stretch = 1};
  const ArmModel plain_bent = made("no muscle", by_angle), bending = made("muscle", by_angle);
  const ArmModel plain_short = made("no muscle", by_stretch),
                 shortened = made("muscle", by_stretch);

  Figure figure;
  figure.id = "muscle";
  figure.title = "A biceps that bulges";
  figure.source = "Stretchable and Twistable Bones, the talk's slides: future work";
  figure.claim =
      "\"Explore other roles for endpoint weights, e.g. muscle bulging via simple filters\": a "
      "third curve along the bone says where its skin swells, driven by the angle of a joint or by "
      "the bone's own length. A shorter arm then keeps the volume of its muscle, and joints stay "
      "as they are.";

  const auto actor_of = [&](const ArmModel& model) {
    return Actor(model.rig, models.method("stbs-dqs", model.rig));
  };
  Actor plain_bent_actor = actor_of(plain_bent), bending_actor = actor_of(bending);
  Actor plain_short_actor = actor_of(plain_short), shortened_actor = actor_of(shortened);
  const auto panel = [](const char* title, Actor& actor, const std::vector<BoneState>& states) {
    return Panel{title, scene_of(actor.drawn(states, limb_skin()), bones(states))};
  };
  const auto bend = [&](double degrees) {
    return std::vector<Panel>{panel("STBS", plain_bent_actor, plain_bent.states(degrees, 1)),
                              panel("with a biceps", bending_actor, bending.states(degrees, 1))};
  };
  const auto shorten = [&](double length) {
    return std::vector<Panel>{
        panel("STBS: shorter", plain_short_actor, plain_short.states(0, length)),
        panel("with a muscle", shortened_actor, shortened.states(0, length))};
  };

  std::vector<Panel> all = bend(straight);
  for (const auto& more : {bend((straight + bent) / 2), bend(bent)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  const Wall bend_wall({.view = {0, 62}, .aspect = 1.25, .margin = 0.04}, models.detail(),
                       places(all));
  figure.pictures.push_back(swing(
      figure.id + "-bent", models.detail().frames, 3,
      [&](double phase) {
        return bend_wall.draw(
            bend(straight + (bent - straight) * (1 - std::cos(2 * pi * phase)) / 2));
      },
      "An arm bends its elbow: its upper arm stays as it is, and swells at the biceps",
      progress.part(0.1, 0.6)));
  std::vector<Panel> lengths = shorten(1);
  for (const auto& more : {shorten(shorter)}) {
    lengths.insert(lengths.end(), more.begin(), more.end());
  }
  const Wall length_wall({.view = {0, 40}, .aspect = 2.2, .margin = 0.04}, models.detail(),
                         places(lengths));
  figure.pictures.push_back(swing(
      figure.id + "-shorter", models.detail().frames, 3,
      [&](double phase) {
        return length_wall.draw(shorten(1 + (shorter - 1) * (1 - std::cos(2 * pi * phase)) / 2));
      },
      "The upper arm gets shorter: it keeps its width, and swells to keep its volume",
      progress.part(0.6, 0.95)));

  struct Case {
    const char* name;
    const ArmModel& bent_arm;
    const ArmModel& short_arm;
    bool swells;
  };
  for (const auto& [name, bent_arm, short_arm, is_muscle] :
       {Case{without, plain_bent, plain_short, false}, Case{with, bending, shortened, true}}) {
    const bool swells = is_muscle;  // lambdas cannot take it from the case
    const auto if_swells = [&](double bound) {
      return swells ? std::optional(bound) : std::nullopt;
    };
    const auto if_not = [&](double bound) { return swells ? std::nullopt : std::optional(bound); };
    const auto states = bent_arm.states(bent, 1);
    const auto positions = models.deformed(bent_arm.rig, states, "stbs-dqs");
    figure.numbers.push_back({name, "bent: biceps farther from the bone",
                              growth(bent_arm, states, positions, front, 0.4, 0.6), Unit::percent,
                              if_swells(0.5), if_not(0.01)});
    figure.numbers.push_back({name, "bent: back of the arm",
                              std::fabs(growth(bent_arm, states, positions, -front, 0.4, 0.6)),
                              Unit::percent, std::nullopt, 0.01});
    const auto short_states = short_arm.states(0, shorter);
    const auto short_positions = models.deformed(short_arm.rig, short_states, "stbs-dqs");
    figure.numbers.push_back({name, "shorter: volume of a slice at the middle",
                              slice_volume(short_arm, short_states, short_positions, 0.5),
                              Unit::percent, if_swells(0.95), swells ? 1.05 : 0.75});
    figure.numbers.push_back(
        {name, "shorter: skin at the elbow farther from the bone",
         std::fabs(growth(short_arm, short_states, short_positions, front, 0.9, 1)), Unit::percent,
         std::nullopt, 0.05});
  }
  figure.result = fmt::format(
      "With the elbow bent by {:.0f}\u00b0, the biceps is {} farther from the bone, the back of "
      "the "
      "arm {}. Shortened to {:.0f} %, a slice of the upper arm's middle has {} of its volume, "
      "without a muscle {}; at the elbow the skin moves by {} of its distance.",
      bent, figure.text(with, "bent: biceps farther from the bone"),
      figure.text(with, "bent: back of the arm"), 100 * shorter,
      figure.text(with, "shorter: volume of a slice at the middle"),
      figure.text(without, "shorter: volume of a slice at the middle"),
      figure.text(with, "shorter: skin at the elbow farther from the bone"));
  return figure;
}

}  // namespace sinew::gallery
