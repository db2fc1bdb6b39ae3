// SPDX-License-Identifier: Apache-2.0
// `sinew animate --motion` as scripts call it.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include "sinew/io/bvh.h"
#include "sinew/io/io.h"
#include "tests/support/cli.h"
#include "tests/support/human.h"

namespace sinew {
namespace {

// A small rig without much skin, and a walk in other names.
class CliMotion : public Cli {
 protected:
  CliMotion() {
    Rig rig;
    rig.skeleton = human();
    rig.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    rig.mesh.triangles = {{0, 1, 2}};
    for (int v = 0; v < 3; ++v) rig.skin.weights.push_row(std::vector{Influence{0, 1}});
    write_rig(folder_ / "rig.glb", rig);
    HumanOptions options;
    options.names = cmu_names();
    options.size = 100;
    Rig walk;
    walk.skeleton = human(options);
    walk.clips.push_back(human_clip(options, human_walk(), 31, 1));
    bvh_ = write_bvh(walk);
    write("walk.bvh", bvh_);
  }

  std::string bvh_;
};

TEST_F(CliMotion, a_recording_becomes_a_clip_named_after_its_file) {
  const Result result =
      run("animate rig.glb --motion walk.bvh --map-out map.json -o out.glb --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["clip"], "walk");
  EXPECT_NEAR(report["duration"].get<double>(), 1, 1e-6);
  EXPECT_NEAR(report["scale"].get<double>(), 0.01, 1e-12);
  EXPECT_EQ(report["frames"], 31);
  EXPECT_EQ(report["mapped"].size(), 23u);
  EXPECT_EQ(report["guessed"], 0);
  EXPECT_TRUE(report["unmapped_source"].empty());
  EXPECT_EQ(report["files"], (std::vector<std::string>{"out.glb", "map.json"}));
  const Rig rig = read_rig(folder_ / "out.glb");
  ASSERT_EQ(rig.clips.size(), 1u);
  const auto globals =
      forward_kinematics(rig.skeleton, pose_at(rig, find_clip(rig, "walk"), 1).joints);
  EXPECT_NEAR(globals[find_joint(rig.skeleton, "hips")].translation.z, 1.2, 1e-3);

  // The mapping it wrote gives the same again, under another name.
  const Result again =
      run("animate out.glb --motion walk.bvh --map map.json --in-place --fps 10 --name stroll "
          "-o again.glb --json");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["frames"], 11);
  const Rig both = read_rig(folder_ / "again.glb");
  ASSERT_EQ(both.clips.size(), 2u);
  const auto still =
      forward_kinematics(both.skeleton, pose_at(both, find_clip(both, "stroll"), 1).joints);
  EXPECT_NEAR(still[find_joint(both.skeleton, "hips")].translation.z, 0, 1e-6);
}

TEST_F(CliMotion, the_text_lists_what_is_mapped_and_what_is_not) {
  Rig rig = read_rig(folder_ / "rig.glb");
  rig.skeleton.joints[find_joint(rig.skeleton, "head")].name = "hat";
  write_rig(folder_ / "hat.glb", rig);
  const Result result = run("animate hat.glb --motion walk.bvh -o out.glb");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "LeftUpLeg       -> thigh.L\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "of the motion, moves nothing: Head\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "of the rig, not moved: hat\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "22 pairs, 0 guessed; 31 frames")) << result.out;
}

TEST_F(CliMotion, joints_that_are_computed_get_no_channels) {
  Rig rig = read_rig(folder_ / "rig.glb");
  const JointIndex head = find_joint(rig.skeleton, "head");
  rig.drivers.push_back({head, RotationShare{find_joint(rig.skeleton, "hand.L"), 0.5}});
  write_rig(folder_ / "driven.glb", rig);
  const Result result = run("animate driven.glb --motion walk.bvh --map-out map.json -o out.glb");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "of the rig, computed from other joints: head\n")) << result.out;
  EXPECT_FALSE(contains(result.out, "not moved")) << result.out;
  EXPECT_TRUE(contains(result.out, "22 pairs")) << result.out;
  EXPECT_FALSE(contains(read_file(folder_ / "map.json"), "head"));
  for (const Channel& channel : read_rig(folder_ / "out.glb").clips.at(0).channels) {
    EXPECT_NE(joint_of(channel), head);
  }
}

TEST_F(CliMotion, a_clip_of_another_rig_is_a_motion_too) {
  ASSERT_EQ(run("animate rig.glb --motion walk.bvh -o out.glb").status, 0);
  const Result result = run("animate rig.glb --motion out.glb --motion-clip walk -o b.glb --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["scale"], 1);
}

TEST_F(CliMotion, bad_input_is_named_and_nothing_is_written) {
  const auto expect_refused = [&](const std::string& options, int status, std::string_view part) {
    const Result result = run("animate rig.glb " + options + " -o none.glb");
    EXPECT_EQ(result.status, status) << options;
    EXPECT_TRUE(contains(result.err, part)) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none.glb"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none.json"));
  };
  write("cut.bvh", bvh_.substr(0, bvh_.size() / 2));
  expect_refused("--motion cut.bvh", 3, "cut.bvh: line ");
  write("map.json", R"({"Hips": "hips", "LeftLeg": "shinn.L"})");
  expect_refused("--motion walk.bvh --map map.json --map-out none.json", 3,
                 "map.json: /LeftLeg: the rig has no joint 'shinn.L' (did you mean 'shin.L'");
  write("legs.json", R"({"LeftLeg": "shin.L", "RightLeg": "shin.R"})");
  expect_refused("--motion walk.bvh --map legs.json", 3,
                 "legs.json: joints: no joint of the motion moves the rig's hips");
  write("other.bvh",
        "HIERARCHY\nROOT b1\n{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site { "
        "OFFSET 0 1 0 } }\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0\n");
  expect_refused("--motion other.bvh", 3, "The motion's joints: b1. The rig's joints: hips, spine");
  write("long.bvh",
        "HIERARCHY\nROOT hips\n{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site { "
        "OFFSET 0 1 0 } }\nMOTION\nFrames: 2\nFrame Time: 1e200\n0 0 0\n0 0 0\n");
  expect_refused("--motion long.bvh", 3, "long.bvh: motion: it lasts ");
  write("empty.bvh",
        "HIERARCHY\nROOT hips\n{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site { "
        "OFFSET 0 1 0 } }\nMOTION\nFrames: 0\nFrame Time: 1\n");
  expect_refused("--motion empty.bvh", 3, "empty.bvh: motion: it has no frames");
  expect_refused("--motion rig.glb", 3, "rig.glb: it has no motion");
  expect_refused("--motion missing.bvh", 3, "missing.bvh");
  expect_refused("--motion walk.bvh --keys keys.json", 2, "--keys");
  expect_refused("--map map.json", 2, "--motion");
}

}  // namespace
}  // namespace sinew
#endif
