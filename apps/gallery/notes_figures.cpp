// SPDX-License-Identifier: Apache-2.0
// The course notes: blend shapes on a head.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "posing.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"

namespace sinew::gallery {
namespace {

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

}  // namespace

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
  Actor actor(rig, models.method("lbs", rig));
  const auto turned = [&](double turn) {
    pose.joints[find_joint(rig.skeleton, "head")].rotation =
        rotation_about(Vec3{0, 1, 0}, radians(turn));
    return bone_states(rig, pose);
  };
  const auto face_of = [&](std::span<const double> weights, double turn) {
    Drawable face = actor.drawn(turned(turn), weights);
    face.color = {1, 1, 1};
    face.texture = models.skin("head");
    return face;
  };
  std::vector<Panel> panels;
  for (const Face& face : faces) {
    const auto weights = models.cast(face.title) == face.title ? face.weights : faces[0].weights;
    panels.push_back({face.title, scene_of(face_of(weights, 0))});
    if (face.title == "neutral") continue;
    // Eq. 11 by hand; the pose is that of rest, so that skinning adds nothing.
    const auto shape = actor.at(turned(0), weights);
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
                           scene_of(face_of(weights, 28 * samples::wave(phase)))}});
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
