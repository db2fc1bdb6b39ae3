// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/light.h"

#include <algorithm>

namespace sinew::draw {
namespace {

const Vec3f key =
    normalized(Vec3f{float(key_direction.x), float(key_direction.y), float(key_direction.z)});
const Vec3f fill = normalized(Vec3f{0.85F, 0.10F, 0.50F});
const Vec3f back = normalized(Vec3f{0.55F, 0.45F, -0.70F});

constexpr Rgb key_color{0.95F, 0.91F, 0.85F};
constexpr Rgb fill_color{0.10F, 0.13F, 0.18F};
constexpr Rgb back_color{0.30F, 0.32F, 0.36F};
constexpr Rgb sky{0.27F, 0.29F, 0.33F};
constexpr Rgb floor_color{0.12F, 0.105F, 0.10F};

// Light that reaches `wrap` beyond where the surface turns away, as it does on soft materials.
float wrapped(float cosine, float wrap) {
  const float t = std::max(0.0F, (cosine + wrap) / (1 + wrap));
  return t * (0.4F + 0.6F * t);
}

float fifth_power(float x) { return x * x * x * x * x; }

float shine(float cosine, int doublings) {
  float value = std::max(0.0F, cosine);
  for (int i = 0; i < doublings; ++i) value *= value;
  return value;
}

}  // namespace

Rgb lit(const Rgb& color, const Vec3f& normal, const Vec3f& to_eye) {
  const float up = 0.5F + 0.5F * normal.y;
  const Rgb diffuse = lerp(floor_color, sky, up) + key_color * wrapped(dot(normal, key), 0.30F) +
                      fill_color * wrapped(dot(normal, fill), 0.5F);
  const float facing = std::clamp(dot(normal, to_eye), 0.0F, 1.0F);
  const float edge = fifth_power(1 - facing);
  const Rgb rim =
      back_color * (edge * (0.35F + 0.65F * up) + 0.5F * edge * wrapped(dot(normal, back), 0));
  const float gloss = 0.05F * shine(dot(normal, normalized(key + to_eye)), 5) +
                      0.03F * shine(dot(normal, normalized(key + to_eye)), 3);
  return scaled(color, diffuse) + rim + key_color * gloss;
}

}  // namespace sinew::draw
