// SPDX-License-Identifier: Apache-2.0
// Bodies that are made for one figure, piece by piece.
#pragma once

#include "sinew/samples/internal/blueprint.h"

namespace sinew::gallery {

// Pieces of flesh on one bone.
class Sculpture {
 public:
  Sculpture(const char* name, const Vec3& tone) : color(tone) {
    blueprint_.name = name;
    add_joint(blueprint_, name, "", {0, 0, 0});
  }

  // From a to b, flattened to `thickness` of its width along `across`, if that is below 1.
  void add(const Vec3& a, const Vec3& b, double ra, double rb, double blend,
           const Vec3& across = {0, 0, 1}, double thickness = 1, double detail = 1) {
    samples::Primitive flesh =
        limb(blueprint_, blueprint_.name, a, b, ra, rb, blueprint_.flesh.empty() ? 0 : blend);
    flesh.color = color;
    flesh.detail = detail;
    if (thickness != 1) flesh.warp = samples::flattened(normalized(across), thickness);
    blueprint_.flesh.push_back(flesh);
  }

  // The same on both sides, in x.
  void add_pair(Vec3 a, Vec3 b, double ra, double rb, double blend, const Vec3& across = {0, 0, 1},
                double thickness = 1, double detail = 1) {
    for (int side = 0; side < 2; ++side) {
      add(a, b, ra, rb, blend, across, thickness, detail);
      a.x = -a.x;
      b.x = -b.x;
    }
  }

  Mesh mesh(std::size_t vertices) const { return build(blueprint_, vertices, {}).mesh; }

  Vec3 color;

 private:
  samples::Blueprint blueprint_;
};

}  // namespace sinew::gallery
