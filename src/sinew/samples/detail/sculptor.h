// SPDX-License-Identifier: Apache-2.0
// A concise way to describe the body of a character, piece by piece.
#pragma once

#include <string_view>

#include "sinew/samples/internal/blueprint.h"

namespace sinew::samples {

// Adds primitives to a blueprint; `color`, `blend` and `detail` apply until they are changed.
class Sculptor {
 public:
  explicit Sculptor(Blueprint& blueprint) : blueprint_(blueprint) {}

  Vec3 color;
  double blend = 0.03;
  double detail = 1;

  Primitive& add(std::string_view bone, const Vec3& a, const Vec3& b, double ra, double rb) {
    blueprint_.flesh.push_back(limb(blueprint_, bone, a, b, ra, rb, blend));
    blueprint_.flesh.back().color = color;
    blueprint_.flesh.back().detail = detail;
    return blueprint_.flesh.back();
  }
  Primitive& add(std::string_view bone, const Vec3& center, double radius) {
    return add(bone, center, center, radius, radius);
  }
  // Adds two pieces that are mirror images, on one bone in the middle.
  void add_pair(std::string_view bone, Vec3 a, Vec3 b, double ra, double rb,
                const Mat3& warp = {}) {
    for (int side = 0; side < 2; ++side) {
      add(bone, a, b, ra, rb).warp = warp;
      a.x = -a.x;
      b.x = -b.x;
    }
  }

 private:
  Blueprint& blueprint_;
};

}  // namespace sinew::samples
