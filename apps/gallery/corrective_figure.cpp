// SPDX-License-Identifier: Apache-2.0
// Correctives by pose: an elbow that collapses, sculpted as it should be, and bent again.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "limbs.h"
#include "measuring.h"
#include "panels.h"
#include "posing.h"
#include "sinew/correct/correctives.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/deform/told_pose.h"
#include "sinew/kernels/deformer.h"

namespace sinew::gallery {
namespace {

constexpr double sculpted_at = 125;  // degrees
constexpr Vec3 hinge{0, -1, 0};
constexpr const char* plain_name = "LBS";
constexpr const char* corrected_name = "LBS with a corrective";

ToldPose bent_elbow(const Rig& rig, double degrees) {
  ToldPose pose{rest_pose(rig), {}, {}};
  pose.joints[find_joint(rig.skeleton, "forearm")].rotation =
      rotation_about(hinge, radians(degrees));
  apply_drivers(rig, pose);
  return pose;
}

std::vector<Vec3> posed_arm(const Rig& rig, const ToldPose& pose, const Method& method) {
  Deformed result = Deformer(rig, method).at(bone_states(rig, pose), pose.shapes);
  require_finite(result);
  return std::move(result.positions);
}

// In place of a sculptor: an elbow that keeps its flesh, with a point where the bone is, and a
// biceps that is tense.
std::vector<Vec3> sculpt(const Rig& rig) {
  std::vector<Vec3> skin =
      posed_arm(rig, bent_elbow(rig, sculpted_at), method_from_name("dqs", rig));
  const Vec3 out = rotate(rotation_about(hinge, radians(sculpted_at / 2)), Vec3{0, 0, -1});
  for (std::size_t v = 0; v < skin.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    const double from_point = distance(p, arm_elbow + Vec3{0.004, 0, -0.042}) / 0.026;
    skin[v] += out * (0.013 * std::exp(-from_point * from_point));
    const Vec3 from_bone{0, p.y, p.z};
    const double along = (p.x - 0.19) / 0.06, front = std::max(0.0, p.z / length(from_bone));
    skin[v] += normalized(from_bone) * (0.020 * std::exp(-along * along) * front * front);
  }
  return skin;
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, distance(a[v], b[v]));
  return largest;
}

}  // namespace

Figure corrective(Models& models, const Progress& progress) {
  progress.report("corrective", 0);
  Rig rig;
  rig.name = "muscular_arm";
  rig.mesh = muscular_arm_mesh(models.detail());
  rig.skeleton = make_skeleton(std::array{BonePlan{"upper_arm", "", arm_shoulder, arm_elbow},
                                          BonePlan{"forearm", "upper_arm", arm_elbow, arm_wrist}});
  weigh_automatically(rig, models.detail().nodes(6000), progress.part(0.1, 0.3));
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const std::vector<Vec3> example = sculpt(rig);
  const ToldPose example_pose = bent_elbow(rig, sculpted_at);
  const auto corrected_for = [&](const Method& method) {
    return make_correctives(rig, std::array{CorrectiveExample{"elbow", example_pose, example}},
                            method)
        .rig;
  };
  const Method method = models.method("lbs", rig);
  const Rig corrected_rig = corrected_for(method);
  const Rig& left = models.cast("no corrective") == "corrective" ? corrected_rig : rig;
  const Rig& right = models.cast("corrective") == "corrective" ? corrected_rig : rig;

  Figure figure;
  figure.id = "corrective";
  figure.title = "A corrective: an elbow as the sculptor wants it";
  figure.source =
      "Pose-space deformation (Lewis et al. 2000), which Offset Curve Deformation names for "
      "details";
  figure.claim =
      "Linear blending flattens a bent elbow. One example, sculpted in the pose, becomes a blend "
      "shape that the pose turns on: shown again by linear blending, the elbow is the sculpted "
      "one, it grows as the arm bends, and the straight arm stays as it is.";

  Actor left_actor(left, method), right_actor(right, method);
  const auto panel = [](const char* title, Actor& actor, const Rig& model, double degrees) {
    const ToldPose pose = bent_elbow(model, degrees);
    return Panel{
        title, scene_of(textured(actor.drawn(bone_states(model, pose), pose.shapes), limb_skin()))};
  };
  const auto bend = [&](double degrees) {
    return std::vector<Panel>{panel("linear blending", left_actor, left, degrees),
                              panel("with the corrective", right_actor, right, degrees)};
  };
  std::vector<Vec3> held;
  for (const double share : {0.0, 0.5, 1.0}) {
    const auto more = places(bend(share * sculpted_at));
    held.insert(held.end(), more.begin(), more.end());
  }
  constexpr View above{0, 66};
  const Wall wall({.view = above, .aspect = 1.25, .height = 1.1, .margin = 0.03}, models.detail(),
                  held);
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, 3,
      [&](double phase) {
        return wall.draw(bend(sculpted_at * (1 - std::cos(2 * pi * phase)) / 2));
      },
      "An arm bends its elbow by linear blending, and with a corrective", progress.part(0.4, 0.9)));

  std::vector<Panel> close = bend(sculpted_at);
  close.insert(close.begin() + 1,
               {"sculpted example", scene_of(surface(rig.mesh, example, limb_skin()))});
  std::vector<Vec3> elbow;
  for (std::size_t v = 0; v < example.size(); ++v) {
    const double x = rig.mesh.positions[v].x;
    if (x > 0.14 && x < 0.44) elbow.push_back(example[v]);
  }
  const Wall near({.view = above, .aspect = 1.1, .margin = 0.0}, models.detail(), elbow);
  figure.pictures.push_back(still(figure.id + "-elbow", near.draw(close),
                                  "The bent elbow by linear blending, as sculpted, and with the "
                                  "corrective"));
  figure.swipes.push_back({1, 0, 2});

  const int forearm = bone_number(rig.skeleton, "forearm");
  for (const bool is_plain : {true, false}) {
    const Rig& model = is_plain ? left : right;
    const char* name = is_plain ? plain_name : corrected_name;
    const ToldPose pose = bent_elbow(model, sculpted_at);
    const auto positions = posed_arm(model, pose, method);
    figure.numbers.push_back(
        {name, "distance from the elbow",
         distance_from_joint(model, bone_states(model, pose), positions, forearm), Unit::percent,
         is_plain ? std::nullopt : std::optional(0.85),
         is_plain ? std::optional(0.6) : std::nullopt});
    figure.numbers.push_back({name, "off the sculpted example, of the size",
                              largest_distance(positions, example) / size, Unit::none,
                              is_plain ? std::optional(0.02) : std::nullopt,
                              is_plain ? std::nullopt : std::optional(1e-4)});
    figure.numbers.push_back(
        {name, "moved at rest, of the size",
         largest_distance(posed_arm(model, bent_elbow(model, 0), method), rig.mesh.positions) /
             size,
         Unit::none, std::nullopt, 1e-6});
  }
  // How evenly it sets in: the largest part of it that a turn by one degree brings.
  double steepest = 0;
  double last = 0;
  for (int degree = 1; degree <= int(sculpted_at); ++degree) {
    const ToldPose pose = bent_elbow(right, degree);
    const double weight = pose.shapes.empty() ? 0 : pose.shapes.back();
    steepest = std::max(steepest, std::fabs(weight - last));
    last = weight;
  }
  figure.numbers.push_back(
      {corrected_name, "of it, by one degree", steepest, Unit::percent, 0.005, 0.02});
  // The same example under other methods.
  for (const auto& [name, other] :
       {std::pair{"DQS with a corrective", "dqs"}, std::pair{"STBS with a corrective", "stbs-dqs"},
        std::pair{"Stretch It with a corrective", "stretch-it"}}) {
    const Method used = models.method(other, rig);
    const Rig model = models.cast("corrective") == "corrective" ? corrected_for(used) : rig;
    figure.numbers.push_back(
        {name, "off the sculpted example, of the size",
         largest_distance(posed_arm(model, bent_elbow(model, sculpted_at), used), example) / size,
         Unit::none, std::nullopt, 1e-4});
  }
  figure.result = fmt::format(
      "Bent by {:.0f}\u00b0: where it collapses most, the skin keeps {} of its distance from the "
      "elbow by linear blending, {} with the corrective, which shows the example to within {} of "
      "the arm's size; mapped back under dual quaternions {}, under STBS {}. A turn by one degree "
      "brings at most {} of it.",
      sculpted_at, figure.text(plain_name, "distance from the elbow"),
      figure.text(corrected_name, "distance from the elbow"),
      figure.text(corrected_name, "off the sculpted example, of the size"),
      figure.text("DQS with a corrective", "off the sculpted example, of the size"),
      figure.text("STBS with a corrective", "off the sculpted example, of the size"),
      figure.text(corrected_name, "of it, by one degree"));
  return figure;
}

}  // namespace sinew::gallery
