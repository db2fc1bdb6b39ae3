// SPDX-License-Identifier: Apache-2.0
// What drawing and measuring require of their callers, and that they refuse the rest.
#include <limits>

#include "sinew/draw/colors.h"
#include "sinew/draw/overlay.h"
#include "sinew/draw/scene.h"
#include "sinew/image/gif.h"
#include "sinew/image/png.h"
#include "sinew/measure/measure.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(DrawRequirements, colours_are_for_the_bones_that_there_are) {
  const Rig rig = tube_rig();
  EXPECT_EQ(wrong_usage([&] { blended_colors(rig.skin.weights, std::vector<Rgb>(2)); }),
            "2 colours for 3 bones");
  const std::string influences = std::to_string(rig.skin.weights.influences.size());
  EXPECT_EQ(wrong_usage([&] { endpoint_colors(rig.skin.weights, {}, {}); }),
            "0 endpoint weights for " + influences + " influences");
  EXPECT_EQ(wrong_usage([&] { striped_colors(rig.mesh, rig.skeleton, rig.skin.weights, {}, 0); }),
            "0 stripes: there is at least 1");
  EXPECT_EQ(bad_input([&] { striped_colors(rig.mesh, rig.skeleton, {}, {}); }),
            "weights: 0 rows for " + std::to_string(rig.mesh.vertex_count()) + " vertices");
}

TEST(DrawRequirements, pictures_have_pixels_and_animations_their_frames) {
  const std::string none = "a picture cannot be 0 x 0 pixels; each side goes from 1 to 16384";
  EXPECT_EQ(wrong_usage([] { encode_png({}); }), none);
  GifEncoder gif(0.1);
  EXPECT_EQ(wrong_usage([&] { gif.add({}); }), none);
  ApngEncoder apng(1, 0.1);
  EXPECT_EQ(wrong_usage([&] { apng.finish(); }), "the animation has 0 of its 1 frames");
  apng.add(Image(2, 2));
  EXPECT_EQ(wrong_usage([&] { apng.add(Image(2, 2)); }), "the animation has all of its 1 frames");
  for (const double aspect : {0.0, -1.0, not_a_number}) {
    EXPECT_EQ(wrong_usage([&] { frame({}, Box{}, aspect); }),
              "a picture has a width and a height above 0");
  }
  EXPECT_EQ(wrong_usage([] { bone_drawable({}, 0); }), "a bone is drawn with a thickness above 0");
}

TEST(DrawRequirements, a_posed_mesh_has_its_vertices) {
  Mesh mesh = tube_rig().mesh;
  const std::size_t count = mesh.vertex_count();
  // Normals by corner split vertices: what counts are the mesh's own.
  std::vector<Vec3> flat;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    flat.push_back({0, 0, t % 2 == 0 ? 1.0 : -1.0});
    for (std::size_t i = 0; i < 3; ++i) mesh.normals.corners.push_back(static_cast<Index>(t));
  }
  mesh.normals.values = flat;
  const PosedDrawable posed(mesh);
  EXPECT_EQ(wrong_usage([&] { posed.at(std::vector<Vec3>(count + 1)); }),
            std::to_string(count + 1) + " positions for " + std::to_string(count) + " vertices");
  EXPECT_EQ(wrong_usage([&] { posed.at(mesh.positions); }), "");
}

TEST(MeasureRequirements, states_and_sections_are_one_per_bone) {
  const Rig rig = tube_rig();
  const std::vector<BoneState> states = bone_states(rig, rest_pose(rig));
  EXPECT_EQ(wrong_usage([&] { joint_twists(rig.skeleton, states, {}); }),
            "the pose and the sections differ in their number of bones");
  EXPECT_EQ(wrong_usage([&] { twisted_bones(rig.skeleton, std::span(states).first(1)); }),
            "the pose and the skeleton differ in their number of bones");
  Weights broken = rig.skin.weights;
  broken.offsets.back() += 1;
  const std::vector<Vec3>& rest = rig.mesh.positions;
  EXPECT_EQ(wrong_usage([&] { cap_errors(rig.skeleton, broken, states, rest, rest); }),
            "the weights' offsets do not fit their influences");
}

}  // namespace
}  // namespace sinew
