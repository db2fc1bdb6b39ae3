// SPDX-License-Identifier: Apache-2.0
// Small procedural rigs with every feature that a file may have to store.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/rig/rig.h"

// Rounds to single precision, so that numbers survive a file bit for bit.
inline double exact(double value) { return static_cast<double>(static_cast<float>(value)); }
inline sinew::Vec3 exact(const sinew::Vec3& v) { return {exact(v.x), exact(v.y), exact(v.z)}; }

struct TubeOptions {
  int segments = 3;  // bones, one above the other
  int rings = 13;
  int sides = 8;
  int influences = 2;  // per vertex at most
  bool endpoints = true;
  bool shapes = true;
  bool clips = true;
  bool controls = true;
  bool settings =
      false;  // blend shares, a free filter, muscles, offset curves with painted weights, limits
};

// A tube of radius 1 along y, bones of length 2; two parts with two materials and no common vertex.
inline sinew::Rig tube_rig(const TubeOptions& options = {}) {
  using namespace sinew;
  Rig rig;
  rig.name = "tube";
  const double height = 2.0 * options.segments;
  Mesh& mesh = rig.mesh;
  for (int half = 0; half < 2; ++half) {
    Part part;
    part.name = half == 0 ? "lower" : "upper";
    part.material = half == 0 ? "red" : "blue";
    part.first_vertex = static_cast<Index>(mesh.positions.size());
    part.first_triangle = static_cast<Index>(mesh.triangles.size());
    for (int r = 0; r < options.rings; ++r) {
      const double y = exact(height * (half + double(r) / (options.rings - 1)) / 2);
      for (int s = 0; s < options.sides; ++s) {
        const double a = 2 * pi * s / options.sides;
        const Vec3 normal = exact(Vec3{std::cos(a), 0, std::sin(a)});
        mesh.positions.push_back({normal.x, y, normal.z});
        mesh.normals.values.push_back(normal);
        mesh.uvs.values.push_back({s / 16.0, r / 32.0});
        const Vec3 t = exact(Vec3{-std::sin(a), 0, std::cos(a)});
        mesh.tangents.push_back({t.x, t.y, t.z, -1});
        mesh.colors.push_back({half == 0 ? 1.0 : 0.25, 0.5, half == 0 ? 0.25 : 1.0, 1});
        if (r == 0) continue;
        const auto at = [&](int ring, int side) {
          return part.first_vertex +
                 static_cast<Index>(ring * options.sides + side % options.sides);
        };
        mesh.triangles.push_back({at(r - 1, s), at(r, s), at(r, s + 1)});
        mesh.triangles.push_back({at(r - 1, s), at(r, s + 1), at(r - 1, s + 1)});
      }
    }
    part.vertex_count = static_cast<Index>(mesh.positions.size()) - part.first_vertex;
    part.triangle_count = static_cast<Index>(mesh.triangles.size()) - part.first_triangle;
    mesh.parts.push_back(part);
  }

  for (int j = 0; j < options.segments; ++j) {
    Joint joint;
    joint.name = "joint " + std::to_string(j);
    joint.parent = j - 1;
    if (j > 0) joint.rest.translation = {0, 2, 0};
    rig.skeleton.joints.push_back(joint);
  }
  rig.skeleton.bones = bones_from_joints(rig.skeleton);

  for (const Vec3& p : mesh.positions) {
    std::vector<std::pair<double, int>> near;
    for (int b = 0; b < options.segments; ++b) near.emplace_back(std::fabs(p.y - 2 * b - 1), b);
    std::sort(near.begin(), near.end());
    near.resize(std::min(options.influences, options.segments));
    // Sixty-fourths: exact in single precision, and they sum to exactly 1.
    double left = 1;
    std::vector<Influence> row;
    for (std::size_t i = 1; i < near.size(); ++i) {
      const double share = 64 / (1 + near[i].first) / double(near.size());
      const double weight = std::ceil(share / 2) / 64;
      left -= weight;
      row.push_back({near[i].second, weight});
    }
    row.push_back({near.front().second, left});
    rig.skin.weights.push_row(row);
    for (const Influence& influence : row) {
      if (options.endpoints) {
        const double e = exact(std::clamp((p.y - 2 * influence.bone) / 2, 0.0, 1.0));
        rig.skin.endpoints.push_back(e);
        rig.skin.twist_endpoints.push_back(exact(e * e));
      }
    }
  }

  if (options.endpoints) {
    rig.skeleton.joints[1].twist_shares = TwistShares{0.25, 0.75};
    rig.skin.filters.resize(rig.skeleton.bones.size());
    rig.skin.filters[1] = {{{{0, 0}, {0.5, 0.25}, {1, 1}}}, {{{0.25, 0}, {0.75, 1}}}};
  }

  if (options.shapes) {
    BlendShape wide;
    wide.name = "wide";
    BlendShape dent;
    dent.name = "dent";
    dent.default_weight = 0.5;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      wide.positions.push_back({mesh.positions[v].x / 2, 0, mesh.positions[v].z / 2});
      wide.normals.push_back({0, 0.25, 0});
      if (v % 9 == 4) {
        dent.vertices.push_back(static_cast<Index>(v));
        dent.positions.push_back({-mesh.positions[v].x / 4, 0, 0});
      }
    }
    mesh.shapes = {wide, dent};
  }

  if (options.controls) {
    rig.controls = {{"breath", 0.25}, {"smile", 0}};
    Follow follow;
    follow.input = ControlInput{0};
    follow.curve.times = {0, 1};
    follow.curve.values = {1, 1.5};
    rig.drivers = {{options.segments - 1, follow}, {1, RotationShare{0, 0.5}}};
  }

  if (options.clips) {
    Clip bend;
    bend.name = "bend";
    RotationChannel turn;
    turn.joint = options.segments - 1;
    Curve<Quat> turns;
    turns.times = {0, 0.5, 1.25};
    for (const double angle : {0.0, 0.5, -0.25}) {
      const Quat q = rotation_about(Vec3{0, 0, 1}, angle);
      turns.values.push_back({exact(q.x), exact(q.y), exact(q.z), exact(q.w)});
    }
    turn.curve = turns;
    TranslationChannel move;
    move.joint = 0;
    move.curve.interpolation = Interpolation::hermite;
    move.curve.times = {0, 2};
    move.curve.values = {{0, 0, 0}, {0, 0.5, 0}};
    move.curve.in = {{0, {0, 0, 0}}, {0, {0, 1, 0}}};
    move.curve.out = {{0, {0.5, 0, 0}}, {0, {0, 0, 0}}};
    ScaleChannel grow;
    grow.joint = options.segments - 1;
    grow.curve.interpolation = Interpolation::step;
    grow.curve.times = {0.5, 1.5};
    grow.curve.values = {{1, 1, 1}, {1, 2, 1}};
    bend.channels = {turn, move, grow};
    if (options.shapes) {
      ShapeChannel shapes;
      shapes.curve.times = {0, 1};
      shapes.curve.values = {{0, 0.5}, {1, 0.25}};
      bend.channels.emplace_back(shapes);
    }
    if (options.controls) {
      ControlChannel breath;
      breath.curve.times = {0, 1, 2};
      breath.curve.values = {0.1, 0.9, 0.1};
      bend.channels.emplace_back(breath);
    }
    rig.clips = {bend};
  }

  if (options.settings) {
    rig.skin.filters.resize(rig.skeleton.bones.size());
    rig.skin.filters[0].twist = {{{0, 0.25}, {0.5, 1}, {1, 0}}, true};
    rig.skin.muscles.resize(rig.skeleton.bones.size());
    rig.skin.muscles[0].stretch = 0.75;
    rig.skin.muscles[1].profile.points = {{0, 0}, {0.25, 1}, {1, 0.125}};
    rig.skin.muscles[1].angle = MuscleAngle{2, Vec3{0, 0.5, 1}, -30, 120.5, -0.25};
    rig.skin.muscles[1].side = Vec3{1, 0, 0.25};
    InfluenceCurve lower, upper;
    lower.bones = {0};
    lower.controls.outward = 0.125;
    lower.controls.twist = {{{0, 0}, {0.5, 0.75}, {1, 1}}};
    for (int b = 1; b < options.segments; ++b) upper.bones.push_back(b);
    upper.lead_in = 0;
    upper.controls.rescale = 0.75;
    rig.offset_curves = {0.25, 1.5, {lower, upper}, {}};
    rig.limits = {{1, HingeLimit{normalized(Vec3{1, 2, 3}), radians(-20.1), radians(140)}},
                  {0, ConeLimit{{0, 1, 0}, radians(60), radians(-7), radians(33.3)}},
                  {2, AxesLimit{{radians(-30), 0, -pi}, {0, radians(57.25), pi}}}};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      rig.skin.blend_shares.push_back(double(v % 5) / 4);
      const double painted = double(v % 3) / 2;
      rig.offset_curves.painted_weights.insert(rig.offset_curves.painted_weights.end(),
                                               {painted, 1 - painted});
    }
  }
  return rig;
}
