// SPDX-License-Identifier: Apache-2.0
// The dancer and other small puppets, and what must hold for every puppet.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/puppet/stage.h"
#include "tests/picture/drawings.h"
#include "tests/support/puppets.h"

namespace sinew {

inline const SamplePicture& dancer() {
  static const SamplePicture sample = make_sample_picture("dancer", 400);
  return sample;
}

inline const Puppet& dancing() {
  static const Puppet puppet = dancing_puppet(400);
  return puppet;
}

// A picture with the given pixels opaque.
inline Image drawing(std::initializer_list<std::string_view> rows, int scale = 1) {
  const int height = static_cast<int>(rows.size()) * scale;
  const int width = static_cast<int>(rows.begin()->size()) * scale;
  Image image(width, height, {0, 0, 0, 0});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::string_view row = *(rows.begin() + y / scale);
      if (row[x / scale] == '#') image.at(x, y) = {90, 60, 30, 255};
    }
  }
  return image;
}

inline PictureBones one_bone(const Vec2& from, const Vec2& to) {
  return {{{"a", from}, {"b", to}}, {{"bone", 0, 1, 0}}};
}

inline std::vector<Vec2> rest_places(const Puppet& puppet) {
  std::vector<Vec2> places;
  for (const PictureJoint& joint : puppet.bones.joints) places.push_back(joint.place);
  return places;
}

inline void expect_sound(const Puppet& puppet) {
  const Rig& rig = puppet.rig;
  validate(rig);
  ASSERT_GT(rig.mesh.triangles.size(), 0U);
  std::set<Index> used;
  for (const Triangle& t : rig.mesh.triangles) {
    used.insert(t.begin(), t.end());
    const Vec3 a = rig.mesh.positions[t[0]], b = rig.mesh.positions[t[1]],
               c = rig.mesh.positions[t[2]];
    EXPECT_GT(cross(b - a, c - a).z, 0) << "facing the viewer";
  }
  EXPECT_EQ(used.size(), rig.mesh.vertex_count());
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : rig.skin.weights.row(v)) sum += influence.weight;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  for (const double e : rig.skin.endpoints) {
    EXPECT_GE(e, 0);
    EXPECT_LE(e, 1);
  }
}

// A drawing with bones placed automatically.
inline Puppet rigged(const Drawing& drawing, const Pixel& back = paper) {
  const Silhouette figure = silhouette(drawn_on(drawing, back));
  return make_puppet(figure, picture_bones(medial_bones(figure.mask, 12)));
}

}  // namespace sinew
