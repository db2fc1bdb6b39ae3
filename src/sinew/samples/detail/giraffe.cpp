// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include "sinew/core/math.h"
#include "sinew/samples/detail/characters.h"
#include "sinew/samples/detail/sculptor.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

constexpr Vec3 cream{0.83, 0.66, 0.38}, brown{0.42, 0.19, 0.06}, dark{0.10, 0.06, 0.04};
constexpr std::array<Vec3, 5> neck{
    {{0.46, 1.82, 0}, {0.62, 2.12, 0}, {0.76, 2.42, 0}, {0.88, 2.71, 0}, {0.98, 2.98, 0}}};
constexpr std::array<double, 5> neck_radii{0.235, 0.165, 0.130, 0.108, 0.100};

struct Leg {
  std::string_view name;
  double top, hoof;
  bool front;
};
constexpr std::array<Leg, 4> legs{{{"front_near", 0.30, 0.26, true},
                                   {"front_far", 0.52, 0.62, true},
                                   {"back_near", -0.42, -0.36, false},
                                   {"back_far", -0.62, -0.74, false}}};

Blueprint make_blueprint() {
  Blueprint blueprint;
  blueprint.name = "giraffe";
  blueprint.material = "coat";
  blueprint.flat = true;
  Sculptor sculptor(blueprint);
  sculptor.color = cream;

  add_joint(blueprint, "body", "", {-0.46, 1.60, 0});
  add_joint(blueprint, "chest", "body", {0.06, 1.65, 0});
  sculptor.blend = 0.1;
  sculptor.add("chest", {0.02, 1.60, 0}, {0.38, 1.70, 0}, 0.31, 0.33);
  sculptor.add("body", {-0.50, 1.57, 0}, {0.02, 1.60, 0}, 0.29, 0.31);

  sculptor.blend = 0.06;
  for (std::size_t i = 0; i + 1 < neck.size(); ++i) {
    const std::string name = "neck_" + std::to_string(i + 1);
    add_joint(blueprint, name, i == 0 ? "chest" : "neck_" + std::to_string(i), neck[i]);
    sculptor.add(name, neck[i], neck[i + 1], neck_radii[i], neck_radii[i + 1]).spread = 1.3;
  }
  point_to(blueprint, "chest", "neck_1");
  add_leaf(blueprint, "head", "neck_4", neck.back(), {1.40, 2.83, 0});
  sculptor.detail = 0.7;
  sculptor.add("head", {1.00, 3.00, 0}, {1.16, 2.96, 0}, 0.125, 0.105);
  sculptor.add("head", {1.16, 2.96, 0}, {1.42, 2.82, 0}, 0.100, 0.072);
  sculptor.blend = 0.02;
  sculptor.detail = 0.5;
  for (const double x : {0.93, 1.03}) {
    sculptor.color = brown;
    sculptor.add("head", {x, 3.08, 0}, {x - 0.02, 3.25, 0}, 0.026, 0.022);
    sculptor.color = dark;
    sculptor.add("head", {x - 0.02, 3.26, 0}, 0.036);
  }
  sculptor.color = cream;
  sculptor.add("head", {0.90, 3.03, 0}, {0.72, 3.10, 0}, 0.052, 0.016);  // ear

  for (const Leg& leg : legs) {
    const std::string name(leg.name);
    const Vec3 top{leg.top, 1.46, 0};
    const Vec3 knee{0.5 * (leg.top + leg.hoof) + (leg.front ? 0.015 : -0.03), 0.78, 0};
    const Vec3 hoof{leg.hoof, 0.12, 0};
    add_joint(blueprint, name + "_upper", leg.front ? "chest" : "body", top);
    add_joint(blueprint, name + "_lower", name + "_upper", knee);
    add_leaf(blueprint, name + "_hoof", name + "_lower", hoof, {leg.hoof + 0.03, 0.03, 0});
    sculptor.color = cream;
    sculptor.detail = 0.7;
    sculptor.blend = 0.06;
    sculptor.add(name + "_upper", top, knee, leg.front ? 0.125 : 0.15, 0.066);
    sculptor.blend = 0.02;
    sculptor.add(name + "_lower", knee, hoof, 0.066, 0.046);
    sculptor.color = dark;
    sculptor.add(name + "_hoof", {leg.hoof, 0.08, 0}, {leg.hoof + 0.035, 0.05, 0}, 0.052, 0.050);
  }
  point_to(blueprint, "body", "chest");

  add_joint(blueprint, "tail_1", "body", {-0.74, 1.70, 0});
  add_joint(blueprint, "tail_2", "tail_1", {-0.93, 1.44, 0});
  add_leaf(blueprint, "tail_3", "tail_2", {-1.00, 1.14, 0}, {-1.02, 0.90, 0});
  sculptor.color = cream;
  sculptor.blend = 0.04;
  sculptor.detail = 0.5;
  sculptor.add("tail_1", {-0.74, 1.70, 0}, {-0.93, 1.44, 0}, 0.045, 0.032);
  sculptor.add("tail_2", {-0.93, 1.44, 0}, {-1.00, 1.14, 0}, 0.032, 0.028);
  sculptor.color = dark;
  sculptor.add("tail_3", {-1.00, 1.14, 0}, {-1.02, 0.98, 0}, 0.032, 0.070);
  sculptor.add("tail_3", {-1.02, 0.98, 0}, {-1.03, 0.84, 0}, 0.070, 0.012);
  return blueprint;
}

// A number in [0, 1) that only depends on the two whole ones.
double scatter(int i, int j, double seed) {
  const double x = math::sin(i * 127.1 + j * 311.7 + seed) * 43758.5453;
  return x - std::floor(x);
}

// Brown patches with pale seams between them: where one of the scattered centres is clearly the
// nearest.
double patch(const Vec3& p, double size) {
  const int column = static_cast<int>(std::floor(p.x / size));
  const int row = static_cast<int>(std::floor(p.y / size));
  double nearest = 1e9, second = 1e9;
  for (int j = row - 2; j <= row + 2; ++j) {
    for (int i = column - 2; i <= column + 2; ++i) {
      const Vec3 center{(i + 0.5 + 0.7 * (scatter(i, j, 0) - 0.5)) * size,
                        (j + 0.5 + 0.7 * (scatter(i, j, 5) - 0.5)) * size, 0};
      const double d = distance(p, center);
      second = std::min(second, std::max(d, nearest));
      nearest = std::min(nearest, d);
    }
  }
  return std::clamp((second - nearest) / size * 6 - 0.8, 0.0, 1.0);
}

Vec3 painted(const Vec3& p, const Vec3& blended) {
  if (distance(p, {1.13, 3.00, 0}) < 0.028) return dark;  // the eye
  const bool coat = distance(blended, cream) < 0.02;
  if (!coat) return blended;
  const double legs_fade = std::clamp((p.y - 0.75) / 0.35, 0.0, 1.0);
  const double face_fade = std::clamp((1.05 - p.x) / 0.12, 0.0, 1.0);
  const double muzzle = std::clamp((p.x - 1.36) / 0.08, 0.0, 1.0);
  const double amount = patch(p, p.y > 2.0 ? 0.15 : 0.20) * legs_fade * face_fade;
  return lerp(lerp(cream, brown, amount), dark, 0.5 * muzzle);
}

}  // namespace

Rig make_giraffe(std::size_t vertex_target, const Progress& progress) {
  Blueprint blueprint = make_blueprint();
  blueprint.paint = [](const Vec3& p, const Vec3&, const Vec3& blended) {
    return painted(p, blended);
  };
  Rig rig = build(blueprint, vertex_target, progress);
  // Turning about any axis but z would leave the plane.
  constexpr Vec3 out{0, 0, 1};

  Loop graze{rig, 4, {}};
  graze.clip.name = "bend_stretch";
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "neck_" + std::to_string(i);
    turn(graze, name, out, [](double t) { return -24 * swell(t); });
    if (i > 1) stretch(graze, name, [](double t) { return 1 + 0.35 * wave(t, 0.1); });
  }
  turn(graze, "head", out, [](double t) { return -10 + 45 * swell(t); });
  for (int i = 1; i <= 3; ++i) {
    turn(graze, "tail_" + std::to_string(i), out,
         [i](double t) { return 22 * wave(2 * t, 0.1 * i); });
  }

  Loop walk{rig, 2, {}};
  walk.clip.name = "walk";
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const std::string name(legs[i].name);
    const double delay = i == 0 || i == 3 ? 0 : 0.5, way = legs[i].front ? -1 : 1;
    turn(walk, name + "_upper", out, [=](double t) { return 16 * wave(t, delay); });
    turn(walk, name + "_lower", out, [=](double t) { return way * 26 * swell(t - delay + 0.15); });
  }
  turn(walk, "neck_1", out, [](double t) { return 5 * wave(2 * t); });
  turn(walk, "neck_3", out, [](double t) { return 4 * wave(2 * t, 0.1); });
  turn(walk, "tail_1", out, [](double t) { return 12 * wave(2 * t); });
  rig.clips.push_back(std::move(graze.clip));
  rig.clips.push_back(std::move(walk.clip));
  return rig;
}

}  // namespace sinew::samples
