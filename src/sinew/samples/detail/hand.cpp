// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/hand.h"

#include <array>
#include <string>

namespace sinew::samples {
namespace {

// In metres at scale 1, as (along, thumbward, palmward).
struct Finger {
  std::string_view name;
  Vec3 base, direction;
  std::array<double, 3> lengths;
  double radius;
};

constexpr std::array<Finger, 5> fingers{{
    {"index", {0.090, 0.031, 0}, {1, 0.13, 0.02}, {0.036, 0.024, 0.017}, 0.0088},
    {"middle", {0.094, 0.009, 0}, {1, 0.02, 0.02}, {0.041, 0.027, 0.018}, 0.0091},
    {"ring", {0.090, -0.013, 0}, {1, -0.09, 0.02}, {0.037, 0.025, 0.018}, 0.0086},
    {"pinky", {0.082, -0.033, 0}, {1, -0.22, 0.02}, {0.029, 0.019, 0.015}, 0.0075},
    {"thumb", {0.024, 0.024, 0.008}, {0.72, 0.66, 0.22}, {0.042, 0.032, 0.024}, 0.0106},
}};

}  // namespace

void add_hand(Blueprint& blueprint, std::string_view parent, std::string_view suffix,
              const HandFrame& frame, const Vec3& color) {
  const std::string end(suffix);
  const double scale = frame.scale;
  const auto offset = [&](const Vec3& v) {
    return (frame.along * v.x + frame.thumbward * v.y + frame.palmward * v.z) * scale;
  };
  const auto add_flesh = [&](Primitive flesh, double detail) {
    flesh.detail = detail;
    flesh.color = color;
    blueprint.flesh.push_back(flesh);
  };
  const std::string hand = "hand" + end;
  add_joint(blueprint, hand, parent, frame.wrist);
  const auto add_palm = [&](const Vec3& a, const Vec3& b, double ra, double rb, double flat) {
    Primitive palm = limb(blueprint, hand, frame.wrist + offset(a), frame.wrist + offset(b),
                          ra * scale, rb * scale, 0.015 * scale);
    palm.warp = flattened(frame.palmward, flat);
    add_flesh(palm, 0.5);
  };
  add_palm({0.000, 0.000, 0}, {0.072, 0.010, 0}, 0.027, 0.033, 0.48);
  add_palm({0.020, -0.008, 0}, {0.068, -0.016, 0}, 0.026, 0.026, 0.55);

  for (const Finger& finger : fingers) {
    const Vec3 direction = normalized(offset(finger.direction));
    Vec3 place = frame.wrist + offset(finger.base);
    std::string above = hand;
    double radius = finger.radius * scale;
    if (finger.name == "thumb") {
      // Its root is a part of the palm.
      add_flesh(
          limb(blueprint, hand, frame.wrist + offset({0.018, 0.012, 0.004}),
               place + direction * (0.02 * scale), 0.016 * scale, 0.0135 * scale, 0.012 * scale),
          0.4);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string name = std::string(finger.name) + "_" + std::to_string(i + 1) + end;
      const Vec3 tip = place + direction * (finger.lengths[i] * scale);
      if (i < 2) {
        add_joint(blueprint, name, above, place);
      } else {
        add_leaf(blueprint, name, above, place, tip);
      }
      const double thinner = radius * (i == 2 ? 0.82 : 0.92);
      Primitive flesh = limb(blueprint, name, i == 0 ? place - direction * (0.012 * scale) : place,
                             tip - (i == 2 ? direction * (0.2 * thinner) : Vec3{}), radius, thinner,
                             (i == 0 ? 0.007 : 0.002) * scale);
      flesh.spread = 0.9;
      add_flesh(flesh, 0.33);
      radius = thinner;
      place = tip;
      above = name;
    }
  }
  point_to(blueprint, hand, "middle_1" + end);
}

}  // namespace sinew::samples
