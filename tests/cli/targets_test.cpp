// SPDX-License-Identifier: Apache-2.0
// Targets in pose and key files, as scripts use them.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

class CliTargets : public Cli {
 protected:
  CliTargets() { EXPECT_EQ(run("sample mannequin -o hero.glb --resolution 600").status, 0); }

  // Where the joint is in a clip.
  Vec3 place(const char* file, const char* joint, const char* clip, double time) const {
    const Rig rig = read_rig(folder_ / file);
    const Pose pose = pose_at(rig, find_clip(rig, clip), time);
    return forward_kinematics(rig.skeleton, pose.joints)[find_joint(rig.skeleton, joint)]
        .translation;
  }
};

TEST_F(CliTargets, deform_render_and_compare_reach_for_them) {
  write("near.json", R"({"targets": {"hand.L": {"position": [0.3, 1.3, 0.3]}}})");
  write("far.json", R"({"targets": {"hand.L": {"position": [1.0, 1.5, 0.5]}}})");
  write("longer.json", R"({"targets": {"hand.L": {"position": [1.0, 1.5, 0.5],
      "lengths": "beyond-reach"}}})");
  const auto widest = [&](const char* name) {
    double x = 0;
    for (const Vec3& p : read_rig(folder_ / name).mesh.positions) x = std::max(x, p.x);
    return x;
  };
  for (const std::string pose : {"near", "far", "longer"}) {
    const Result result =
        run("deform hero.glb --pose " + pose + ".json --method stbs-dqs -o " + pose + ".obj");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(contains(result.err, "joint 11 (hand.L) cannot reach its target and stops 0.4"),
              pose == "far")
        << result.err;
  }
  EXPECT_LT(widest("near.obj"), 0.6);
  EXPECT_GT(widest("longer.obj"), widest("far.obj") + 0.2);
  EXPECT_EQ(run("render hero.glb --pose longer.json --size 40 -o longer.png").status, 0);
  const Result compared =
      run("compare hero.glb --pose longer.json --focus upper_arm.L --methods lbs,stbs-dqs "
          "--size 100 -o sheet.png");
  EXPECT_EQ(compared.status, 0) << compared.err;
}

TEST_F(CliTargets, animate_keeps_hands_on_their_way) {
  write("keys.json", R"({"name": "push", "keys": [
      {"time": 0, "pose": {"targets": {"hand.L": {"position": [0.3, 1.3, 0.3]}}}},
      {"time": 1, "pose": {"targets": {"hand.L": {"position": [0.3, 1.3, 0.45]}}}}]})");
  const Result result = run("animate hero.glb --keys keys.json --rate 30 -o animated.glb --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["duration"], 1);
  for (const double t : {0.0, 0.25, 0.5, 0.77, 1.0}) {
    EXPECT_LT(distance(place("animated.glb", "hand.L", "push", t), {0.3, 1.3, 0.3 + 0.15 * t}),
              1e-4);
  }
  // The same from two pose files.
  write("a.json", R"({"targets": {"hand.L": {"position": [0.3, 1.3, 0.3]}}})");
  write("b.json", R"({"targets": {"hand.L": {"position": [0.3, 1.3, 0.45]}}})");
  const Result two =
      run("animate hero.glb --pose a.json --pose b.json --name push --rate 30 -o two.glb");
  ASSERT_EQ(two.status, 0) << two.err;
  EXPECT_LT(distance(place("two.glb", "hand.L", "push", 0.5), {0.3, 1.3, 0.375}), 1e-4);
}

TEST_F(CliTargets, bad_targets_are_named_and_nothing_is_written) {
  write("bad.json", R"({"targets": {"hand.L": {"position": [0.3, "up", 0]}}})");
  const Result result = run("deform hero.glb --pose bad.json --method lbs -o out.obj");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "bad.json: /targets/hand.L/position")) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.obj"));
  write("keys.json", R"({"keys": [{"time": 0, "pose": {"targets": {"hand.L": {}}}},
      {"time": 1, "pose": {"targets": {"hand.L": {"position": [0, 1, 0]}}}}]})");
  const Result keys = run("animate hero.glb --keys keys.json -o out.glb");
  EXPECT_EQ(keys.status, 3);
  EXPECT_TRUE(contains(keys.err, "keys.json: /keys/1: the target of joint 11 (hand.L)"))
      << keys.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb"));
}

}  // namespace
}  // namespace sinew
#endif
