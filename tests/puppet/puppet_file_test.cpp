// SPDX-License-Identifier: Apache-2.0
// Puppets as glTF files, and with helper joints.
#include "sinew/bake/bake.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/image/read_image.h"
#include "sinew/io/gltf_looks.h"
#include "tests/puppet/puppet_checks.h"

namespace sinew {
namespace {

TEST(Puppet, the_file_shows_and_moves_the_same) {
  const Puppet& puppet = dancing();
  const Model model = parse_gltf(to_glb(to_gltf(puppet)));
  const auto looks = part_looks(model);
  ASSERT_EQ(looks.size(), 1U);
  EXPECT_TRUE(looks[0].unlit);
  EXPECT_TRUE(looks[0].see_through);
  EXPECT_EQ(looks[0].picture.substr(1, 3), "PNG");
  ASSERT_EQ(model.rig.clips.size(), 1U);
  EXPECT_EQ(model.rig.clips[0].name, "dance");
  const double size = bounding_box(puppet.rig.mesh.positions).diagonal();
  for (const char* name : {"lbs", "stbs-dqs"}) {
    Deformer a(puppet.rig, method_from_name(name, puppet.rig));
    Deformer b(model.rig, method_from_name(name, model.rig));
    for (const double time : {0.5, 1.0, 3.0}) {
      const auto ours = bone_states(puppet.rig, puppet.rig.clips[0], time);
      const auto theirs = bone_states(model.rig, model.rig.clips[0], time);
      const auto p = a.at(ours, {}).positions, q = b.at(theirs, {}).positions;
      ASSERT_EQ(p.size(), q.size());
      for (std::size_t v = 0; v < p.size(); ++v) EXPECT_LT(distance(p[v], q[v]), 1e-6 * size);
    }
  }
}

TEST(Puppet, helper_joints_play_it_in_any_engine) {
  const Puppet& puppet = dancing();
  BakeOptions options;
  options.influences = 8;
  const BakeReport report = bake(puppet.rig, options).report;
  EXPECT_LE(report.max_error_percent, 1) << "per cent of the limbs' radius";
  EXPECT_LT(report.max_error_box_percent, 0.03);
  EXPECT_GT(report.plain_error_box, 10) << "without helpers";
}

TEST(Puppet, bones_that_hang_apart_and_close_rings_move_in_files_as_in_pictures) {
  Puppet puppet = rigged(cat);
  const PictureMotion wave = picture_loop("wave", puppet.bones);
  puppet.rig.clips.push_back(picture_clip(puppet, wave));
  const Model model = parse_gltf(to_glb(to_gltf(puppet)));
  for (const double time : {0.25, 1.0, 1.75}) {
    const std::vector<BoneState> drawn = puppet_states(puppet, wave.at(puppet.bones, time)),
                                 states = bone_states(model.rig, model.rig.clips[0], time);
    for (std::size_t b = 0; b < states.size(); ++b) {
      EXPECT_LT(distance(states[b].posed_head, drawn[b].posed_head), 1e-6) << b;
      EXPECT_LT(distance(states[b].posed_tail, drawn[b].posed_tail), 1e-6) << b;
    }
  }
}

TEST(Puppet, flat_rigs_get_no_helpers_for_twist) {
  Rig rig = dancing().rig;
  rig.clips.clear();
  // In its own plane, and in another.
  for (const bool tilted : {false, true}) {
    if (tilted) {
      const Quat turn = rotation_about(normalized(Vec3{1, 2, -1}), 0.7);
      const Affine map{to_matrix(turn), {3, -2, 5}};
      for (Vec3& p : rig.mesh.positions) p = transform_point(map, p);
      for (Vec3& n : rig.mesh.normals.values) n = rotate(turn, n);
      for (Joint& joint : rig.skeleton.joints) {
        if (joint.parent != no_joint) continue;
        joint.rest.translation = transform_point(map, joint.rest.translation);
        joint.rest.rotation = turn * joint.rest.rotation;
      }
      for (Bone& bone : rig.skeleton.bones) {
        bone.head = transform_point(map, bone.head);
        bone.tail = transform_point(map, bone.tail);
        bone.inverse_bind = bone.inverse_bind * inverse(map);
      }
    }
    for (const LiveHelpers live : {LiveHelpers::none, LiveHelpers::vrm}) {
      BakeOptions options;
      options.influences = 8;
      options.live = live;
      const Baked baked = bake(rig, options);
      EXPECT_GT(baked.report.bones.size(), 0U) << "they stretch";
      for (const auto& bone : baked.report.bones) {
        EXPECT_EQ(bone.segments, 1) << bone.name;
        EXPECT_LT(bone.twist, 1e-6) << bone.name;
      }
    }
  }
}

TEST(Puppet, transparent_pixels_of_the_file_have_the_colour_next_to_them) {
  const Puppet puppet =
      make_puppet(silhouette(drawing({"    ", " ## ", "    "}, 8)), one_bone({10, 12}, {22, 12}));
  const Model model = parse_gltf(to_glb(to_gltf(puppet)));
  const Image texture = decode_image(part_looks(model)[0].picture);
  EXPECT_EQ(texture.at(6, 12).a, 0);
  EXPECT_EQ(texture.at(6, 12).r, 90);
}

}  // namespace
}  // namespace sinew
