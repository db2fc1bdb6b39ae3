// SPDX-License-Identifier: Apache-2.0
// A head on its neck, with blend shapes: smile, frown, jaw and blink.
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "sinew/core/math.h"
#include "sinew/samples/detail/characters.h"
#include "sinew/samples/detail/chart.h"
#include "sinew/samples/detail/sculptor.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

constexpr Vec3 skin{0.72, 0.44, 0.31}, lips{0.55, 0.20, 0.17}, palate{0.030, 0.005, 0.005},
    hair{0.07, 0.04, 0.03}, white{0.88, 0.87, 0.84}, iris{0.10, 0.22, 0.30},
    pupil{0.01, 0.01, 0.01};

// The left eye: its ball, and half the width and height of its opening.
constexpr Vec3 eye{0.031, 0.240, 0.0735};
constexpr double ball = 0.0165, eye_wide = 0.0150, eye_high = 0.0066;
constexpr double mouth_height = 0.1728, mouth_wide = 0.021;

// Half the height of what is between the lips.
double half_between_lips(double x) {
  const double t = x / mouth_wide;
  return 0.0016 * std::max(0.0, 1 - t * t);
}

Blueprint make_blueprint() {
  Blueprint blueprint;
  blueprint.name = "head";
  blueprint.material = "skin";
  add_joint(blueprint, "neck", "", {0, 0.02, -0.022});
  add_leaf(blueprint, "head", "neck", {0, 0.125, 0.0}, {0, 0.325, 0.0});
  Sculptor sculptor(blueprint);
  const auto narrow = [](double factor) { return flattened({1, 0, 0}, factor); };
  sculptor.color = skin;
  sculptor.add("neck", {0, 0.0, -0.022}, {0, 0.125, 0.0}, 0.064, 0.054).spread = 1.3;
  sculptor.blend = 0.03;
  sculptor.add_pair("neck", {0.03, 0.03, -0.03}, {0.11, -0.015, -0.03}, 0.045, 0.038);
  sculptor.blend = 0.025;
  sculptor.add("head", {0, 0.250, -0.012}, {0, 0.245, 0.008}, 0.099, 0.096).warp = narrow(0.80);
  sculptor.add("head", {0, 0.200, 0.030}, {0, 0.150, 0.060}, 0.066, 0.036).warp = narrow(0.88);
  sculptor.blend = 0.02;
  sculptor.detail = 0.6;
  sculptor.add("head", {0, 0.146, 0.078}, {0, 0.150, 0.080}, 0.021, 0.021);               // chin
  sculptor.add("head", {-0.030, 0.264, 0.072}, {0.030, 0.264, 0.072}, 0.021, 0.021);      // brow
  sculptor.add_pair("head", {0.044, 0.212, 0.056}, {0.034, 0.198, 0.064}, 0.027, 0.023);  // cheeks
  sculptor.add_pair("head", {0.050, 0.178, 0.02}, {0.032, 0.152, 0.05}, 0.018, 0.016);    // jaw
  sculptor.blend = 0.012;
  sculptor.detail = 0.45;
  sculptor.add("head", {0, 0.246, 0.092}, {0, 0.213, 0.112}, 0.0085, 0.0125);  // nose
  sculptor.blend = 0.006;
  sculptor.add_pair("head", {0.0105, 0.2075, 0.1025}, {0.009, 0.208, 0.106}, 0.0085, 0.008);
  sculptor.detail = 0.16;
  sculptor.add_pair("head", eye, eye, ball, ball);
  sculptor.blend = 0.005;
  // Lids, above and below the ball.
  sculptor.add_pair("head", {0.0175, 0.2455, 0.0835}, {0.031, 0.2515, 0.0890}, 0.0042, 0.0052);
  sculptor.add_pair("head", {0.031, 0.2515, 0.0890}, {0.0455, 0.2450, 0.0790}, 0.0052, 0.0042);
  sculptor.add_pair("head", {0.0185, 0.2345, 0.0830}, {0.031, 0.2290, 0.0865}, 0.0034, 0.0040);
  sculptor.add_pair("head", {0.031, 0.2290, 0.0865}, {0.0445, 0.2345, 0.0785}, 0.0040, 0.0034);
  sculptor.blend = 0.004;
  sculptor.detail = 0.16;
  sculptor.add("head", {-0.015, 0.1772, 0.0905}, {0.015, 0.1772, 0.0905}, 0.0058, 0.0058);
  sculptor.add_pair("head", {0.004, 0.1785, 0.0925}, {0.018, 0.1745, 0.0870}, 0.0055, 0.0030);
  sculptor.add("head", {-0.012, 0.1672, 0.0895}, {0.012, 0.1672, 0.0895}, 0.0066, 0.0066);
  sculptor.add_pair("head", {0.004, 0.1672, 0.0900}, {0.018, 0.1712, 0.0860}, 0.0060, 0.0030);
  // Within the lips: small triangles along the line between them, for the jaw to pull apart.
  sculptor.blend = 0;
  sculptor.detail = 0.05;
  sculptor.add_pair("head", {0, mouth_height, 0.0975}, {0.012, mouth_height, 0.0957}, 0.001, 0.001);
  sculptor.add_pair("head", {0.012, mouth_height, 0.0957}, {mouth_wide, mouth_height, 0.0918},
                    0.001, 0.001);
  sculptor.blend = 0.008;
  sculptor.detail = 0.5;
  for (const double side : {1.0, -1.0}) {
    for (const auto& [high, low, radius] :
         {std::tuple{Vec3{0.081, 0.252, -0.014}, Vec3{0.080, 0.236, -0.010}, 0.022},
          std::tuple{Vec3{0.079, 0.226, -0.006}, Vec3{0.077, 0.213, -0.002}, 0.014}}) {
      Primitive& ear = sculptor.add("head", {side * high.x, high.y, high.z},
                                    {side * low.x, low.y, low.z}, radius, 0.75 * radius);
      ear.warp = narrow(0.42);
    }
  }
  blueprint.symmetric = true;
  return blueprint;
}

// Where the opening of the eye is, almond-shaped, as a number below 1.
double in_eye(const Vec3& p) {
  if (p.z < eye.z) return 9;
  const double x = (std::fabs(p.x) - eye.x) / eye_wide;
  return x * x + std::fabs(p.y - eye.y) / eye_high;
}

Vec3 painted_head(const Vec3& p) {
  const double side = std::fabs(p.x), off = math::hypot(side - eye.x, p.y - eye.y);
  if (in_eye(p) < 1) {
    if (math::hypot(side - eye.x + 0.0018, p.y - eye.y - 0.0024) < 0.0011) return {1, 1, 1};
    if (off < 0.0028) return pupil;
    return off < 0.0064 ? iris : white;
  }
  if (in_eye(p) < 1.16 && p.y > eye.y) return hair * 0.8;  // lashes
  const double arch = 0.2655 - 6 * (side - 0.028) * (side - 0.028);
  if (p.z > 0.05 && side > 0.012 && side < 0.052 &&
      std::fabs(p.y - arch) < 0.0036 - 0.04 * (side - 0.012))
    return hair;
  if (std::fabs(p.y - mouth_height) < half_between_lips(side) && p.z > 0.07) return palate;
  const double lip_x = side / 0.0215;
  const double lip_y = (p.y - mouth_height) / (p.y > mouth_height ? 0.0095 : 0.0115);
  if (p.z > 0.05 && lip_x * lip_x + lip_y * lip_y < 1) return lips;
  const double ear_y = (p.y - 0.236) / 0.044, ear_z = (p.z + 0.020) / 0.027;
  const bool ear = side > 0.06 && ear_y * ear_y + ear_z * ear_z < 1;
  if (p.y > 0.15 && !ear && p.y - 0.277 - 0.75 * (p.z - 0.02) > 0) return hair;
  return skin;
}

// 1 at the centre, 0 from `radius` on, smooth.
double bump(const Vec3& p, const Vec3& center, double radius) {
  const double t = 1 - length_squared(p - center) / (radius * radius);
  return t > 0 ? t * t : 0;
}

// 0 below `from`, 1 above `to`, smooth.
double ramp(double x, double from, double to) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// From the middle of the mouth to its corner, where it is 1.
double mouth_x(const Vec3& p) { return p.x / mouth_wide; }

// 1 in the middle of the mouth, 0 on cheeks, chin and below the nose.
double about_mouth(const Vec3& p) {
  const Vec3 off{p.x / 0.050, (p.y - mouth_height) / 0.036, (p.z - 0.085) / 0.060};
  return bump(off, {}, 1);
}

// The shapes as displacements of the left half, where x >= 0.
Vec3 smile(const Vec3& p) {
  return Vec3{0.0096 * mouth_x(p), 0.0125 * mouth_x(p) * mouth_x(p) - 0.0012,
              -0.0040 * mouth_x(p) * mouth_x(p)} *
             about_mouth(p) +
         Vec3{0.002, 0.0060, 0.0055} * bump(p, {0.042, 0.205, 0.070}, 0.030) +
         Vec3{0, 0.0018, 0.0006} * bump(p, {eye.x, 0.228, 0.086}, 0.014);
}

Vec3 frown(const Vec3& p) {
  return Vec3{-0.0015 * mouth_x(p), 0.0030 - 0.0120 * mouth_x(p) * mouth_x(p), 0} * about_mouth(p) +
         Vec3{-0.0050, -0.0075, 0.0030} * bump(p, {0.014, 0.266, 0.088}, 0.028) +
         Vec3{0, 0.0030, 0} * bump(p, {0.046, 0.266, 0.075}, 0.022);
}

Vec3 open_jaw(const Vec3& p) {
  // Only the middle of what is between the lips is drawn apart: every triangle that is stretched is
  // as dark as it.
  const double between = std::max(0.4 * half_between_lips(p.x), 1e-6);
  const double inwards = (mouth_height - p.y) / between;
  const double below = std::clamp(0.5 + 0.5 * inwards, 0.0, 1.0);
  // The lower lip is an arch; what is below it goes along more and more.
  const double across = std::min(mouth_x(p), 1.0), arch = std::sqrt(1 - across * across);
  const double near = std::clamp(1 - (mouth_height - p.y) / 0.028, 0.0, 1.0);
  const double front = ramp(p.z, -0.005, 0.045) * ramp(p.y, 0.075, 0.125);
  const double weight = below * (1 - (1 - arch) * near * near) * front;
  const Vec3 hinge{0, 0.205, 0.005};
  const Vec3 off{0, p.y - hinge.y, p.z - hinge.z};
  Vec3 delta = rotate(rotation_about(right_axis, radians(17 * weight)), off) - off;
  delta.y += 0.0035 * (1 - across * across) * about_mouth(p) * (1 - below);
  // Between the lips it is a little hollow.
  if (p.z > 0.07 && std::fabs(inwards) < 1) delta.z -= 0.006 * arch * (1 - inwards * inwards);
  return delta;
}

Vec3 blink(const Vec3& p) {
  if (p.z < 0.055) return {};
  // What is within the lids, and a little of these, becomes a line below the middle, so that no
  // triangle keeps a part of the eye; skin above and below follows.
  constexpr double margin = 1.3, groove = 0.0016;
  const double x = (p.x - eye.x) / (margin * eye_wide), round = 1 - x * x;
  if (round <= 0) return {};
  const double edge = margin * eye_high * round;
  const double meet = -0.0030 * round, top = 0.0125 + edge, bottom = -0.0055 - edge;
  const double t = p.y - eye.y;
  double to = t;
  if (t >= edge && t < top) {
    to = meet + (t - edge) / (top - edge) * (top - meet);
  } else if (t > -edge && t < edge) {
    to = meet;
  } else if (t <= -edge && t > bottom) {
    to = meet - (-edge - t) / (-edge - bottom) * (meet - bottom);
  }
  // Over the ball, not through it.
  const double dx = p.x - eye.x;
  const double square = (ball + 0.0016) * (ball + 0.0016) - dx * dx - to * to;
  const double front = square > 0 ? eye.z + std::sqrt(square) : p.z;
  const double lift = t > bottom && t < top ? std::max(0.0, front - p.z) : 0;
  return {0, to - t, lift - (std::fabs(t) < edge ? groove * round : 0)};
}

void add_shape(Rig& rig, std::string name, Vec3 (*displace)(const Vec3& p)) {
  BlendShape shape;
  shape.name = std::move(name);
  std::vector<Vec3> moved = rig.mesh.positions;
  std::vector<bool> moves(moved.size(), false);
  for (std::size_t v = 0; v < moved.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    Vec3 delta = displace({std::fabs(p.x), p.y, p.z});
    if (length(delta) < 1e-6) continue;
    delta.x = p.x < 0 ? -delta.x : p.x > 0 ? delta.x : 0;
    shape.vertices.push_back(static_cast<Index>(v));
    shape.positions.push_back(delta);
    moved[v] += delta;
  }
  const auto before = vertex_normals(rig.mesh.positions, rig.mesh.triangles);
  const auto after = vertex_normals(moved, rig.mesh.triangles);
  for (const Index v : shape.vertices) shape.normals.push_back(after[v] - before[v]);
  rig.mesh.shapes.push_back(std::move(shape));
}

// Smiles, yawns with closed eyes and frowns, and looks about.
Clip talk(const Rig& rig) {
  Loop loop{rig, 6, {}};
  loop.clip.name = "expressions";
  const auto between = [](double t, double from, double to) {
    return t > from && t < to ? swell((t - from) / (to - from)) : 0;
  };
  ShapeChannel faces;
  faces.first_shape = 0;
  constexpr int keys = 49;
  for (int key = 0; key < keys; ++key) {
    const double t = double(key) / (keys - 1);
    faces.curve.times.push_back(loop.seconds * t);
    const double yawn = between(t, 0.36, 0.64);
    faces.curve.values.push_back(
        {between(t, 0.02, 0.36), between(t, 0.66, 0.98), yawn,
         std::max({std::min(1.0, 1.4 * yawn), between(t, 0.12, 0.18), between(t, 0.78, 0.84)})});
  }
  loop.clip.channels.push_back(std::move(faces));
  turn(loop, "head", [](double t) {
    return rotation_about(up_axis, radians(16 * wave(t))) *
           rotation_about(right_axis, radians(-10 * swell(t)));
  });
  return std::move(loop.clip);
}

// Looks over both shoulders on a neck that grows.
Clip twist_stretch(const Rig& rig) {
  Loop loop{rig, 4, {}};
  loop.clip.name = "twist_stretch";
  turn(loop, "head", up_axis, [](double t) { return 95 * wave(t); });
  stretch(loop, "head", [](double t) { return 1 + 0.5 * swell(t); });
  return std::move(loop.clip);
}

}  // namespace

Chart head_chart() { return {{skin}, 0.11, 0.36, 0.25, painted_head}; }

Rig make_head(std::size_t vertex_target, const Progress& progress) {
  Blueprint blueprint = make_blueprint();
  blueprint.zones = head_chart().zones;
  blueprint.place = [chart = head_chart()](const Vec3& p, double zone) {
    return place_in(chart, p, zone);
  };
  Rig rig = build(blueprint, vertex_target, progress);
  add_shape(rig, "smile", smile);
  add_shape(rig, "frown", frown);
  add_shape(rig, "jaw", open_jaw);
  add_shape(rig, "blink", blink);
  rig.clips = {talk(rig), twist_stretch(rig)};
  return rig;
}

}  // namespace sinew::samples
