// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/beast.h"

#include <algorithm>
#include <array>
#include <string>

#include "sinew/core/math.h"
#include "sinew/samples/detail/sculptor.h"

namespace sinew::samples {
namespace {

constexpr Vec3 hide{0.17, 0.22, 0.16}, belly{0.56, 0.46, 0.27}, horn{0.70, 0.60, 0.43},
    spine_red{0.36, 0.09, 0.06}, eye{0.95, 0.62, 0.06};

constexpr std::array<Vec3, beast_neck_bones + 1> neck{
    {{0, 1.74, 0.52}, {0, 1.96, 0.74}, {0, 2.21, 0.86}, {0, 2.46, 0.93}, {0, 2.66, 1.06}}};
constexpr std::array<double, beast_neck_bones + 1> neck_radii{0.285, 0.215, 0.175, 0.152, 0.15};
constexpr std::array<Vec3, beast_tail_bones + 1> tail{{{0, 1.05, -0.66},
                                                       {0, 0.82, -1.04},
                                                       {0, 0.60, -1.44},
                                                       {0, 0.44, -1.86},
                                                       {0, 0.38, -2.28},
                                                       {0, 0.44, -2.68},
                                                       {0, 0.60, -3.02}}};
constexpr std::array<double, beast_tail_bones + 1> tail_radii{0.300, 0.235, 0.185, 0.140,
                                                              0.102, 0.070, 0.040};
constexpr Vec3 elbow{0.80, 1.12, 0.20}, wrist{0.86, 0.72, 0.52};

struct Digit {
  std::string_view name;
  double across, splay;
};
constexpr std::array<Digit, 3> digits{
    {{"claw_a", 0.100, 0.30}, {"claw_b", 0, 0}, {"claw_c", -0.100, -0.30}}};

std::string numbered(std::string_view name, std::size_t i) {
  return std::string(name) + "_" + std::to_string(i + 1);
}

void add_trunk_joints(Blueprint& blueprint) {
  add_joint(blueprint, "hips", "", {0, 1.17, -0.36});
  add_joint(blueprint, "spine", "hips", {0, 1.36, -0.08});
  add_joint(blueprint, "chest", "spine", {0, 1.55, 0.22});
  for (std::size_t i = 0; i < beast_neck_bones; ++i) {
    add_joint(blueprint, numbered("neck", i), i == 0 ? "chest" : numbered("neck", i - 1), neck[i]);
  }
  add_leaf(blueprint, "head", numbered("neck", beast_neck_bones - 1), neck.back(), {0, 2.53, 1.50});
  add_leaf(blueprint, "jaw", "head", {0, 2.58, 1.12}, {0, 2.35, 1.38});
  for (std::size_t i = 0; i < beast_tail_bones; ++i) {
    const std::string name = numbered("tail", i);
    const std::string above = i == 0 ? "hips" : numbered("tail", i - 1);
    if (i + 1 < beast_tail_bones) {
      add_joint(blueprint, name, above, tail[i]);
    } else {
      add_leaf(blueprint, name, above, tail[i], tail[i + 1]);
    }
  }
  point_to(blueprint, "hips", "spine");
  point_to(blueprint, "chest", "neck_1");
}

void add_trunk(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  sculptor.color = hide;
  sculptor.blend = 0.12;
  sculptor.add("spine", {0, 1.28, -0.16}, {0, 1.44, 0.12}, 0.40, 0.44);
  sculptor.add("hips", {0, 1.14, -0.42}, {0, 1.22, -0.28}, 0.33, 0.37);
  sculptor.add("chest", {0, 1.50, 0.18}, {0, 1.60, 0.40}, 0.43, 0.34);
  sculptor.add("spine", {0, 1.66, -0.10}, {0, 1.70, 0.12}, 0.24, 0.28);  // the arch of the back
  sculptor.blend = 0.05;
  for (std::size_t i = 0; i < beast_neck_bones; ++i) {
    sculptor.add(numbered("neck", i), neck[i], neck[i + 1], neck_radii[i], neck_radii[i + 1]);
  }
  for (std::size_t i = 0; i < beast_tail_bones; ++i) {
    sculptor.blend = i == 0 ? 0.12 : 0.03;
    sculptor.add(numbered("tail", i), tail[i], tail[i + 1], tail_radii[i], tail_radii[i + 1]);
  }
  // A flat blade at the end of the tail.
  sculptor.color = spine_red;
  sculptor.blend = 0.03;
  const Vec3 flat_way = normalized(Vec3{0, 0.9, 0.42});
  const std::string last = numbered("tail", beast_tail_bones - 1);
  sculptor.add(last, {0, 0.58, -2.98}, {0, 0.66, -3.14}, 0.11, 0.17).warp =
      flattened(flat_way, 0.4);
  sculptor.add(last, {0, 0.66, -3.14}, {0, 0.80, -3.42}, 0.17, 0.05).warp =
      flattened(flat_way, 0.4);
}

void add_head(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  sculptor.color = hide;
  sculptor.detail = 0.6;
  sculptor.blend = 0.05;
  sculptor.add("head", {0, 2.68, 1.07}, {0, 2.66, 1.16}, 0.165, 0.15);
  Primitive& snout = sculptor.add("head", {0, 2.66, 1.16}, {0, 2.55, 1.52}, 0.145, 0.088);
  snout.warp = flattened({0, 1, 0}, 0.85);
  sculptor.blend = 0.03;
  sculptor.add_pair("head", {0.062, 2.585, 1.535}, {0.056, 2.575, 1.555}, 0.040,
                    0.032);                                                             // nostrils
  sculptor.add_pair("head", {0.075, 2.785, 1.10}, {0.125, 2.735, 1.27}, 0.050, 0.034);  // brows
  sculptor.add_pair("head", {0.11, 2.62, 1.12}, {0.10, 2.59, 1.24}, 0.075, 0.055);      // cheeks
  Primitive& jaw = sculptor.add("jaw", {0, 2.56, 1.10}, {0, 2.34, 1.40}, 0.105, 0.055);
  jaw.warp = flattened(normalized(Vec3{0, 0.8, 0.6}), 0.7);
  sculptor.color = eye;
  sculptor.blend = 0.004;
  sculptor.detail = 0.35;
  sculptor.add_pair("head", {0.132, 2.705, 1.240}, {0.132, 2.705, 1.241}, 0.044, 0.044);
  sculptor.color = horn;
  sculptor.blend = 0.02;
  sculptor.detail = 0.5;
  sculptor.add_pair("head", {0.10, 2.78, 1.06}, {0.21, 2.93, 0.93}, 0.066, 0.052);
  sculptor.add_pair("head", {0.21, 2.93, 0.93}, {0.29, 3.03, 0.72}, 0.052, 0.034);
  sculptor.add_pair("head", {0.29, 3.03, 0.72}, {0.29, 3.14, 0.52}, 0.034, 0.010);
  sculptor.blend = 0.008;
  sculptor.detail = 0.3;
  sculptor.add_pair("head", {0.062, 2.50, 1.47}, {0.066, 2.415, 1.475}, 0.020, 0.006);  // fangs
  sculptor.blend = 0.03;
  sculptor.detail = 0.5;
  sculptor.color = hide;
  sculptor.add("jaw", {0, 2.36, 1.37}, {0, 2.29, 1.39}, 0.045, 0.020);  // beard
}

// Along the back, smaller towards both ends.
void add_spikes(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  sculptor.color = spine_red;
  sculptor.blend = 0.035;
  sculptor.detail = 0.6;
  const auto add = [&](const std::string& bone, const Vec3& root, const Vec3& way, double size) {
    sculptor.add(bone, root, root + normalized(way) * (1.9 * size), 0.55 * size, 0.09 * size).warp =
        flattened({1, 0, 0}, 0.7);
  };
  for (std::size_t i = 0; i < beast_neck_bones; ++i) {
    const Vec3 along = normalized(neck[i + 1] - neck[i]), back{0, along.z, -along.y};
    const double radius = 0.5 * (neck_radii[i] + neck_radii[i + 1]);
    add(numbered("neck", i), lerp(neck[i], neck[i + 1], 0.55) + back * (0.88 * radius),
        back * 1.0 - along * 0.5, 0.105 - 0.012 * static_cast<double>(i));
  }
  add("chest", {0, 1.93, 0.27}, {0, 1, -0.5}, 0.13);
  add("spine", {0, 1.93, 0.02}, {0, 1, -0.6}, 0.14);
  add("spine", {0, 1.80, -0.23}, {0, 0.9, -0.8}, 0.13);
  add("hips", {0, 1.54, -0.46}, {0, 0.8, -0.9}, 0.125);
  for (std::size_t i = 0; i + 1 < beast_tail_bones; ++i) {
    const Vec3 along = normalized(tail[i + 1] - tail[i]), back{0, -along.z, along.y};
    const double radius = 0.5 * (tail_radii[i] + tail_radii[i + 1]);
    add(numbered("tail", i), lerp(tail[i], tail[i + 1], 0.45) + back * (0.88 * radius),
        back * 1.0 + along * 0.6, 0.115 - 0.015 * static_cast<double>(i));
  }
}

void add_claw_hand(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  const Vec3 along = normalized(Vec3{0.04, -0.66, 0.75}), side{1, 0, 0};
  const Vec3 out = normalized(cross(along, side));
  const Vec3 knuckles = wrist + along * 0.20;
  add_joint(blueprint, "hand.L", "forearm.L", wrist);
  sculptor.color = hide;
  sculptor.blend = 0.05;
  sculptor.detail = 0.7;
  sculptor.add("hand.L", wrist + along * 0.02, knuckles - along * 0.03, 0.105, 0.135).warp =
      flattened(out, 0.62);
  const auto add_digit = [&](std::string_view name, const Vec3& base, const Vec3& way,
                             double size) {
    const std::string first = std::string(name) + "_1.L", second = std::string(name) + "_2.L";
    const Vec3 bent = normalized(way + Vec3{0, -0.35, 0});
    const Vec3 middle = base + way * (0.16 * size), end = middle + bent * (0.13 * size);
    const Vec3 tip = end + normalized(bent + Vec3{0, -0.35, 0}) * (0.14 * size);
    add_joint(blueprint, first, "hand.L", base);
    add_leaf(blueprint, second, first, middle, lerp(end, tip, 0.7));
    sculptor.color = hide;
    sculptor.blend = 0.02;
    sculptor.detail = 0.5;
    sculptor.add(first, base - way * 0.05, middle, 0.056 * size, 0.050 * size);
    sculptor.blend = 0.008;
    sculptor.add(second, middle, end, 0.050 * size, 0.046 * size);
    sculptor.color = horn;
    sculptor.add(second, end, tip, 0.043 * size, 0.010 * size);
  };
  for (const Digit& digit : digits) {
    add_digit(digit.name, knuckles + side * digit.across, normalized(along + side * digit.splay),
              1.0);
  }
  add_digit("claw_thumb", wrist + along * 0.08 - side * 0.09, normalized(along * 0.75 - side * 0.8),
            0.9);
  point_to(blueprint, "hand.L", "claw_b_1.L");
}

void add_limbs(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  sculptor.color = hide;
  const Vec3 shoulder{0.50, 1.54, 0.30};
  add_joint(blueprint, "shoulder.L", "chest", {0.20, 1.58, 0.28});
  add_joint(blueprint, "upper_arm.L", "shoulder.L", shoulder);
  add_joint(blueprint, "forearm.L", "upper_arm.L", elbow);
  sculptor.blend = 0.10;
  sculptor.add("shoulder.L", {0.24, 1.60, 0.27}, {0.42, 1.58, 0.29}, 0.22, 0.22);
  sculptor.blend = 0.06;
  sculptor.add("upper_arm.L", shoulder, elbow, 0.205, 0.130);
  sculptor.blend = 0.04;
  const Vec3 thick = lerp(elbow, wrist, 0.38);
  sculptor.add("forearm.L", elbow, thick, 0.130, 0.150);
  // A piece of its own above the wrist: triangles are as small as the mean radius of a piece asks.
  const Vec3 slim = lerp(elbow, wrist, 0.8);
  sculptor.add("forearm.L", thick, slim, 0.150, 0.105);
  sculptor.add("forearm.L", slim, wrist, 0.105, 0.095);
  sculptor.color = horn;
  sculptor.blend = 0.02;
  sculptor.detail = 0.6;
  sculptor.add("forearm.L", elbow + Vec3{0.01, 0.01, -0.09}, elbow + Vec3{0.05, 0.08, -0.27}, 0.055,
               0.012);
  add_claw_hand(blueprint);

  const Vec3 hip{0.27, 1.07, -0.34}, knee{0.44, 0.72, 0.02}, ankle{0.42, 0.35, -0.33},
      ball{0.45, 0.10, -0.06};
  add_joint(blueprint, "thigh.L", "hips", hip);
  add_joint(blueprint, "shin.L", "thigh.L", knee);
  add_joint(blueprint, "foot.L", "shin.L", ankle);
  add_leaf(blueprint, "toes.L", "foot.L", ball, {0.46, 0.06, 0.20});
  sculptor.color = hide;
  sculptor.detail = 1;
  sculptor.blend = 0.10;
  sculptor.add("thigh.L", hip, knee, 0.275, 0.155);
  sculptor.blend = 0.05;
  sculptor.add("shin.L", knee, ankle, 0.155, 0.090);
  sculptor.add("shin.L", lerp(knee, ankle, 0.25) + Vec3{0, -0.02, -0.03}, lerp(knee, ankle, 0.5),
               0.125, 0.095);
  sculptor.add("foot.L", ankle, ball, 0.092, 0.095);
  for (const double spread : {-0.16, 0.0, 0.17}) {
    const Vec3 toe = ball + Vec3{spread, -0.03, 0.25};
    sculptor.color = hide;
    sculptor.blend = 0.03;
    sculptor.detail = 0.6;
    sculptor.add("toes.L", ball + Vec3{spread * 0.45, -0.015, 0.02}, toe, 0.072, 0.056).spread =
        0.8;
    sculptor.color = horn;
    sculptor.blend = 0.01;
    sculptor.add("toes.L", toe + Vec3{0, 0.01, 0.01}, toe + Vec3{spread * 0.4, -0.045, 0.16}, 0.046,
                 0.010);
  }
}

// The hide pales underneath: on the belly, the throat and below the tail.
Vec3 painted(const Vec3& p, const Vec3& normal, const Vec3& blended) {
  if (!(distance(blended, hide) < 0.02)) return blended;
  const double under = -normal.y * 1.1 + normal.z * 0.45 - 0.35;
  const double middle = 1 - std::min(std::fabs(p.x) / 0.42, 1.0);
  const double mottled = 0.85 + 0.15 * math::sin(23 * p.y + 3 * math::sin(17 * p.z)) *
                                    math::sin(29 * p.z + 2 * math::sin(19 * std::fabs(p.x)));
  return lerp(blended * mottled, belly, std::clamp(3 * under * middle, 0.0, 1.0));
}

}  // namespace

Blueprint beast_blueprint() {
  Blueprint blueprint;
  blueprint.name = "beast";
  blueprint.material = "hide";
  add_trunk_joints(blueprint);
  add_trunk(blueprint);
  add_spikes(blueprint);
  add_head(blueprint);
  add_limbs(blueprint);
  mirror(blueprint);
  blueprint.paint = painted;
  return blueprint;
}

}  // namespace sinew::samples
