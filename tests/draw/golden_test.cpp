// SPDX-License-Identifier: Apache-2.0
// Five scenes as they should look, in tests/golden. With SINEW_UPDATE_GOLDEN=1 in the environment
// the pictures are drawn anew: look at them before they are committed.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "sinew/draw/colors.h"
#include "sinew/draw/scene.h"
#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#include "sinew/kernels/deformer.h"
#include "sinew/kernels/targets.h"
#include "sinew/samples/samples.h"
#include "tests/support/paths.h"
#include "tests/support/picture_difference.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

constexpr int side = 192;

struct Posed {
  Rig rig;
  std::vector<BoneState> bones;
  std::vector<double> shapes;
};

// A sample with its first bone posed by hand.
Posed posed_by_hand(const char* name, double stretch, double twist_degrees) {
  Posed posed{make_sample(name, 1500), {}, {}};
  std::vector<BonePose> bones = rest_bones(posed.rig);
  bones[0].end = bones[0].start + (bones[0].end - bones[0].start) * stretch;
  bones[0].twist_end = radians(twist_degrees);
  posed.bones = bone_states(posed.rig.skeleton, bones);
  posed.shapes = rest_pose(posed.rig).shapes;
  return posed;
}

Posed posed_by_clip(const char* name, const char* clip_name, double time) {
  Posed posed{make_sample(name, 2000), {}, {}};
  const Clip& clip = find_clip(posed.rig, clip_name);
  posed.bones = bone_states(posed.rig, clip, time);
  posed.shapes = pose_at(posed.rig, clip, time).shapes;
  return posed;
}

// All methods from where stbs-dqs is seen whole.
Image draw(const Posed& posed, const char* method, const View& view, bool flat = false) {
  const auto deformed = [&](const char* name) {
    return Deformer(posed.rig, method_from_name(name, posed.rig))
        .at(posed.bones, posed.shapes)
        .positions;
  };
  const std::vector<Vec3> framed = deformed("stbs-dqs");
  Scene scene;
  scene.surfaces = {PosedDrawable(posed.rig.mesh).at(deformed(method))};
  scene.surfaces[0].lit = !flat;
  scene.ground = !flat;
  scene.ground_height = bounding_box(framed).low.y;
  const Lens lens{flat ? 0 : Lens{}.field_of_view, 0.06};
  return render(scene, frame(view, framed, 1, lens), side, side);
}

// With whatever instructions the machine has, the picture of `method` is the golden one but for
// roundings; that of `other` is not, and not by little.
void expect_golden(const char* name, const Posed& posed, const char* method, const char* other,
                   const View& view, bool flat = false) {
  const auto file = source_folder() / "tests" / "golden" / (std::string(name) + ".png");
  if (std::getenv("SINEW_UPDATE_GOLDEN") != nullptr) {
    write_png(file, draw(posed, method, view, flat));
  }
  const Image golden = read_image(file);
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    const PictureDifference same = picture_difference(golden, draw(posed, method, view, flat));
    EXPECT_LT(same.mean, 0.005) << target;
    EXPECT_EQ(same.visible, 0) << target;
    EXPECT_LT(same.changed, 0.01) << target;
    EXPECT_LE(same.largest, 8) << target;
  }
  use_kernel_target("");
  const PictureDifference swapped = picture_difference(golden, draw(posed, other, view, flat));
  EXPECT_FALSE(look_alike(swapped));
  EXPECT_GT(swapped.visible, 0.005) << "mean " << swapped.mean;
}

TEST(Golden, a_stretched_cigar) {
  expect_golden("cigar", posed_by_hand("cigar", 1.7, 0), "stbs-lbs", "lbs", {35, 15});
}

TEST(Golden, a_twisted_box) {
  expect_golden("box", posed_by_hand("box", 1, 150), "stbs-dqs", "dqs", {35, 15});
}

TEST(Golden, a_twisted_arm) {
  expect_golden("arm", posed_by_clip("arm", "bend_twist_stretch", 1), "stbs-dqs", "lbs", {20, 25});
}

TEST(Golden, a_mannequin_in_the_colours_of_its_bones) {
  Posed posed = posed_by_clip("mannequin", "twist_stretch", 1);
  const std::vector<Rgb> colors =
      blended_colors(posed.rig.skin.weights, bone_colors(posed.rig.skeleton));
  for (const Rgb& color : colors) {
    posed.rig.mesh.colors.push_back({color.x, color.y, color.z, 1});
  }
  expect_golden("mannequin", posed, "stbs-dqs", "lbs", {25, 10});
}

TEST(Golden, a_drawn_giraffe) {
  expect_golden("giraffe", posed_by_clip("giraffe", "bend_stretch", 2), "stbs-dqs", "lbs", {0, 0},
                true);
}

TEST(Golden, pictures_that_are_alike_look_alike_and_others_do_not) {
  Image a(64, 64, {120, 90, 70, 255}), shifted = a, noisy = a;
  for (int i = 20; i < 40; ++i) {
    for (int j = 20; j < 40; ++j) {
      a.at(i, j) = {220, 220, 210, 255};
      shifted.at(i + 3, j) = {220, 220, 210, 255};
      noisy.at(i, j) = {221, 219, 211, 255};
    }
  }
  EXPECT_TRUE(look_alike(picture_difference(a, a)));
  EXPECT_TRUE(look_alike(picture_difference(a, noisy)));
  EXPECT_FALSE(look_alike(picture_difference(a, shifted)));
  EXPECT_FALSE(look_alike(picture_difference(a, Image(32, 64))));
}

}  // namespace
}  // namespace sinew
