// SPDX-License-Identifier: Apache-2.0
// The course notes: generalized bones on the mannequin, blend shapes on a head.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "posing.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/deform/told_pose.h"
#include "sinew/kernels/deformer.h"
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

// The part of a shape's displacements, root mean square, that the best affine map of the vertices
// it moves leaves over.
double beyond_affine(const Rig& rig, const BlendShape& shape) {
  const std::size_t count = shape.vertices.size();
  Vec3 mean_p, mean_d;
  for (std::size_t i = 0; i < count; ++i) {
    mean_p += rig.mesh.positions[shape.vertices[i]];
    mean_d += shape.positions[i];
  }
  mean_p = mean_p / double(count);
  mean_d = mean_d / double(count);
  // Least squares: displacements about their mean as a linear map of places about theirs.
  Mat3 places{{}, {}, {}}, mixed{{}, {}, {}};
  double all = 0;
  const auto add = [](Mat3& to, const Vec3& a, const Vec3& b) {
    to.x += a * b.x;
    to.y += a * b.y;
    to.z += a * b.z;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = rig.mesh.positions[shape.vertices[i]] - mean_p, d = shape.positions[i] - mean_d;
    add(places, p, p);
    add(mixed, d, p);
    all += length_squared(shape.positions[i]);
  }
  const Mat3 linear = mixed * inverse(places);
  double left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = rig.mesh.positions[shape.vertices[i]] - mean_p;
    left += length_squared(shape.positions[i] - mean_d - linear * p);
  }
  return std::sqrt(left / all);
}

// By how many degrees the skin that a bone leads is turned, in all.
double turn_of_skin(const Rig& rig, const std::vector<Vec3>& positions, std::string_view bone) {
  const Quat turn =
      fit_rigid(led_by(rig, rig.mesh.positions, {bone}), led_by(rig, positions, {bone})).rotation;
  return degrees(2 * std::acos(std::min(1.0, std::fabs(turn.w))));
}

}  // namespace

Figure generalized_bones(Models& models, const Progress& progress) {
  const Rig rig = make_sample("mannequin", models.detail().vertices(20000), progress.part(0, 0.5));
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
                 {"shin.L", "kneecap.L"},
                 {62, 4}},
      LivingPart{"arm",
                 "without biceps",
                 "biceps",
                 "forearm.L",
                 {0, 0, 1},
                 120,
                 {"upper_arm.L", "biceps.L", "forearm.L"},
                 {8, 6}},
      LivingPart{"chest", "breathed out", "breathed in", "", {}, 0, {"chest", "breath"}, {84, 4}}};
  for (const LivingPart& part : parts) {
    std::vector<Panel> panels;
    std::vector<Vec3> held;
    std::array<double, 2> measured{};
    for (const bool alive : {false, true}) {
      const Rig& model = models.cast(alive ? "driven" : "plain") == "driven" ? rig : stiff;
      ToldPose pose;
      static_cast<Pose&>(pose) = rest_pose(model);
      if (!part.joint.empty()) {
        const std::array bend{ToldBend{part.axis, radians(part.angle)}};
        PoseTeller(model.skeleton).turn(pose, find_joint(model.skeleton, part.joint), bend, 0);
      } else {
        // The arm out of the way.
        const std::array lift{ToldBend{{0, 0, 1}, radians(95)}};
        PoseTeller(model.skeleton).turn(pose, find_joint(model.skeleton, "upper_arm.L"), lift, 0);
        if (alive) pose.controls.at(0) = 1;
      }
      apply_drivers(model, pose);
      const auto states = bone_states(model, pose);
      const auto positions = models.deformed(model, states, "lbs");
      panels.push_back({alive ? part.alive : part.plain,
                        scene_of(surface(model.mesh, positions, models.skin("mannequin")))});
      for (const std::string& bone : part.around) {
        const auto skin = led_by(rig, positions, {bone});
        held.insert(held.end(), skin.begin(), skin.end());
      }
      const bool arm = part.title == "arm";
      const BoneState& center = states[bone_number(model.skeleton, arm ? "upper_arm.L" : "chest")];
      measured[alive ? 1 : 0] =
          part.title == "knee" ? turn_of_skin(rig, positions, "kneecap.L")
                               : mean_distance(rig, positions, arm ? "biceps.L" : "breath",
                                               lerp(center.posed_head, center.posed_tail, 0.5));
    }
    // Framed a little wider than what is looked at.
    const Box box = bounding_box(held);
    for (const Vec3& corner : corners(box)) held.push_back(lerp(corner, box.center(), -0.12));
    const Wall wall({.view = part.view, .aspect = 1.1, .margin = 0.02}, models.detail(), held);
    figure.swipes.push_back({figure.pictures.size(), 0, 1});
    figure.pictures.push_back(
        still(figure.id + "-" + part.title, wall.draw(panels), "The mannequin's " + part.title));
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
      "The knee bent by 120\u00b0, the skin on the kneecap turns by {} where it hangs on the "
      "thigh, "
      "by {}, half way, with a bone of its own. The elbow bent as far, the skin on the biceps lies "
      "{} "
      "as far from the middle of the upper arm as without; breathed in, the skin on the breath {} "
      "as "
      "far from the middle of the chest.",
      figure.text("without kneecap", "cap turned by"), figure.text("kneecap", "cap turned by"),
      figure.text("biceps", "farther out than without"),
      figure.text("breathed in", "farther out than without"));
  return figure;
}

Figure blend_shapes(Models& models, const Progress& progress) {
  const Rig rig = make_sample("head", models.detail().vertices(16000), progress.part(0, 0.4));
  Figure figure;
  figure.id = "notes-shapes";
  figure.title = "Blend shapes: a face";
  figure.source = "Course notes on skinning, section 5 and eq. 11";
  figure.claim =
      "No arrangement of bones makes a smile: shapes sculpted by hand are added, each with a "
      "weight, before the skin follows the bones. Weights may be mixed, negative, or above 1, "
      "within reason.";
  // Weights of smile, frown, jaw, blink.
  struct Face {
    std::string title;
    std::array<double, 4> weights;
  };
  const std::array faces{
      Face{"neutral", {0, 0, 0, 0}},     Face{"smile", {1, 0, 0, 0}},
      Face{"frown", {0, 1, 0, 0}},       Face{"jaw", {0, 0, 1, 0}},
      Face{"blink", {0, 0, 0, 1}},       Face{"half smile, jaw", {0.5, 0, 0.5, 0}},
      Face{"smile 1.4", {1.4, 0, 0, 0}}, Face{"frown -0.8", {0, -0.8, 0, 0}}};
  Pose pose = rest_pose(rig);
  Deformer deformer(rig, models.method("lbs", rig));
  const auto at = [&](std::span<const double> weights, double turn) {
    pose.joints[find_joint(rig.skeleton, "head")].rotation =
        rotation_about(Vec3{0, 1, 0}, radians(turn));
    return deformer.at(bone_states(rig, pose), weights).positions;
  };
  std::vector<Panel> panels;
  for (const Face& face : faces) {
    const auto weights = models.cast(face.title) == face.title ? face.weights : faces[0].weights;
    panels.push_back(
        {face.title, scene_of(surface(rig.mesh, at(weights, 0), models.skin("head")))});
    if (face.title == "neutral") continue;
    // Eq. 11 by hand; the pose is that of rest, so that skinning adds nothing.
    const auto shape = at(weights, 0);
    double error = 0, size = bounding_box(rig.mesh.positions).diagonal();
    std::vector<Vec3> expected = rig.mesh.positions;
    for (std::size_t k = 0; k < 4; ++k) {
      const BlendShape& blend = rig.mesh.shapes[k];
      for (std::size_t i = 0; i < blend.vertices.size(); ++i) {
        expected[blend.vertices[i]] += blend.positions[i] * face.weights[k];
      }
    }
    for (std::size_t v = 0; v < shape.size(); ++v) {
      error = std::max(error, distance(shape[v], expected[v]));
    }
    figure.numbers.push_back(
        {face.title, "largest error against eq. 11", error / size, Unit::none, {}, 1e-6});
  }
  // What a bone could make of the smile: the best affine motion of the skin that moves.
  for (std::size_t k = 0; k < 4; ++k) {
    const BlendShape& blend = rig.mesh.shapes[k];
    figure.numbers.push_back(
        {blend.name, "beyond one more bone", beyond_affine(rig, blend), Unit::percent, 0.25});
  }
  const Wall wall({.view = {14, 2}, .aspect = 0.95, .columns = 4, .margin = 0.02}, models.detail(),
                  led_by(rig, rig.mesh.positions, {"head"}));
  figure.pictures.push_back(
      still(figure.id, wall.draw(panels), "A head: neutral, and eight mixtures of four shapes"));
  figure.pictures.push_back(loop(
      figure.id + "-loop", models.detail().frames, 5,
      [&](double phase) {
        const auto part = [&](double from, double to) {
          return phase > from && phase < to ? samples::swell((phase - from) / (to - from)) : 0.0;
        };
        const double yawn = part(0.3, 0.7);
        const std::array weights{part(0, 0.34), part(0.66, 1), yawn, std::min(1.0, 1.5 * yawn)};
        return wall.draw({{"smile, yawn, frown, while the head turns",
                           scene_of(surface(rig.mesh, at(weights, 28 * samples::wave(phase)),
                                            models.skin("head")))}});
      },
      "The head smiles, yawns and frowns while it turns", progress.part(0.5, 1)));
  figure.swipes.push_back({0, 0, 1});
  figure.result = fmt::format(
      "Four shapes on {} vertices. Mixed, negative and above 1, the result is that of eq. 11 to "
      "{} of the size. The best affine motion, all that one more bone could do, leaves {} of the "
      "smile unexplained, {} of the frown, {} of the jaw, {} of the blink.",
      rig.mesh.vertex_count(), figure.text("half smile, jaw", "largest error against eq. 11"),
      figure.text("smile", "beyond one more bone"), figure.text("frown", "beyond one more bone"),
      figure.text("jaw", "beyond one more bone"), figure.text("blink", "beyond one more bone"));
  return figure;
}

}  // namespace sinew::gallery
