// SPDX-License-Identifier: Apache-2.0
// `sinew pose` and `sinew animate` as scripts call them, and the joint tree of `sinew info`.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

// An arm, coarse enough for tests.
class CliPose : public Cli {
 protected:
  CliPose() { EXPECT_EQ(run("sample arm -o hero.glb --resolution 300").status, 0); }

  void expect_done(const std::string& arguments) const {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.err;
  }

  // The largest distance between the vertices of two files.
  double difference(const char* a, const char* b) const {
    const Rig one = read_rig(folder_ / a), other = read_rig(folder_ / b);
    EXPECT_EQ(one.mesh.vertex_count(), other.mesh.vertex_count());
    double largest = 0;
    for (std::size_t v = 0; v < one.mesh.vertex_count(); ++v) {
      largest = std::max(largest, distance(one.mesh.positions[v], other.mesh.positions[v]));
    }
    return largest;
  }
};

TEST_F(CliPose, a_moment_of_a_clip_as_a_pose_file_deforms_to_the_same_bits) {
  for (const std::string moment :
       {"--clip bend_twist_stretch --time 1.7", "--clip fist --time 0.6"}) {
    expect_done("pose hero.glb -o pose.json " + moment);
    expect_done("deform hero.glb --method stbs-dqs --pose pose.json -o by_pose.obj");
    expect_done("deform hero.glb --method stbs-dqs -o by_clip.obj " + moment);
    EXPECT_EQ(read_file(folder_ / "by_pose.obj"), read_file(folder_ / "by_clip.obj")) << moment;
  }
}

TEST_F(CliPose, the_template_is_the_rest_pose) {
  expect_done("pose hero.glb -o rest.json");
  expect_done("deform hero.glb --method stbs-lbs --pose rest.json -o rest.obj");
  write("nothing.json", R"({"joints": {}})");
  expect_done("deform hero.glb --method stbs-lbs --pose nothing.json -o nothing.obj");
  EXPECT_EQ(read_file(folder_ / "rest.obj"), read_file(folder_ / "nothing.obj"));
  const auto pose = nlohmann::json::parse(read_file(folder_ / "rest.json"));
  EXPECT_EQ(pose["joints"]["hand"]["twist"], 0);
  EXPECT_EQ(pose["joints"]["hand"]["stretch"], 1);
  EXPECT_TRUE(pose["joints"]["hand"]["bend"].empty());
}

TEST_F(CliPose, keys_become_a_clip_that_other_commands_see) {
  write("keys.json", R"({"name": "wring", "keys": [
      {"time": 0, "pose": {}},
      {"time": 2, "pose": {"joints": {"hand": {"twist": 720},
          "forearm": {"stretch": 1.6, "bend": [30, "x"]}, "index_3": {"stretch": 1.3}}}}]})");
  expect_done("animate hero.glb --keys keys.json -o animated.glb");
  expect_done("deform animated.glb --clip wring --time 2 --method stbs-dqs -o by_clip.obj");
  write("pose.json", R"({"joints": {"hand": {"twist": 720},
      "forearm": {"stretch": 1.6, "bend": [30, "x"]}, "index_3": {"stretch": 1.3}}})");
  expect_done("deform hero.glb --pose pose.json --method stbs-dqs -o by_pose.obj");
  EXPECT_LT(difference("by_clip.obj", "by_pose.obj"), 1e-6);
  expect_done("pose animated.glb --clip wring --time 2 -o moment.json");
  expect_done("deform animated.glb --pose moment.json --method stbs-dqs -o by_moment.obj");
  EXPECT_LT(difference("by_clip.obj", "by_moment.obj"), 1e-6);
  const auto info = nlohmann::json::parse(run("info animated.glb --json").out);
  EXPECT_EQ(info["clips"].size(), 3u);
  EXPECT_EQ(info["clips"][2]["duration"], 2);
}

TEST_F(CliPose, poses_become_a_clip_that_may_replace_another) {
  write("a.json", R"({"joints": {"hand": {"twist": 170}}})");
  write("b.json", R"({"joints": {"forearm": {"bend": [60, "y"]}}})");
  const auto animate = [&](const std::string& options) {
    const Result result =
        run("animate hero.glb --pose a.json --pose b.json -o out.glb --json " + options);
    EXPECT_EQ(result.status, 0) << options << result.err;
    return nlohmann::json::parse(result.out);
  };
  auto made = animate("");
  EXPECT_EQ(made["clip"], "animation");
  EXPECT_EQ(made["duration"], 1);
  EXPECT_EQ(made["replaced"], false);
  made = animate("--name fist --times 0.5,2 --loop --ease smooth");
  EXPECT_EQ(made["replaced"], true);
  EXPECT_EQ(made["duration"], 3.5);
  const Rig rig = read_rig(folder_ / "out.glb");
  ASSERT_EQ(rig.clips.size(), 2u);
  EXPECT_EQ(duration(find_clip(rig, "fist")), 3.5);
  const auto bend = [&](double time) {
    const Pose pose = pose_at(rig, find_clip(rig, "fist"), time);
    return degrees(rotation_angle(pose.joints[find_joint(rig.skeleton, "forearm")].rotation));
  };
  EXPECT_NEAR(bend(2), 60, 1e-4);
  EXPECT_NEAR(bend(1.25), 30, 1e-4);
  EXPECT_NEAR(bend(3.5), 0, 1e-4);
}

TEST_F(CliPose, bad_files_and_options_are_refused_and_nothing_is_written) {
  write("typo.json", R"({"joints": {"hnad": {"twist": 170}}})");
  write("bones.json", R"({"bones": []})");
  write("keys.json", R"({"keys": [{"time": 0, "pose": {"joints": {"hand": {"twist": 400}}}}]})");
  const auto expect_refused = [&](const std::string& arguments, int status,
                                  const std::string& message) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, status) << arguments << result.err;
    EXPECT_TRUE(contains(result.err, message)) << arguments << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb")) << arguments;
  };
  expect_refused("animate hero.glb --pose typo.json -o out.glb", 3,
                 "typo.json: /joints/hnad: the rig has no joint 'hnad' (did you mean 'hand'");
  expect_refused("animate hero.glb --pose bones.json -o out.glb", 3, "bones.json: /bones");
  expect_refused("animate hero.glb --keys keys.json -o out.glb", 3, "keys.json: /keys/0: ");
  expect_refused("animate hero.glb --keys none.json -o out.glb", 3, "none.json");
  expect_refused("animate hero.glb -o out.glb", 2, "--keys");
  expect_refused("animate hero.glb --keys keys.json --pose a.json -o out.glb", 2, "--pose");
  expect_refused("animate hero.glb --pose typo.json --times 1,2 -o out.glb", 2, "--times");
  expect_refused("animate hero.glb --pose a.json --pose b.json --times 2,1 -o out.glb", 2,
                 "ascending");
  expect_refused("animate hero.glb --pose typo.json -o out.obj", 2, "out.obj");
  expect_refused("pose hero.glb --clip none -o out.glb", 2, "none");
  expect_refused("pose hero.glb --time 1 -o out.glb", 2, "--clip");
}

// Generalized bones cannot be posed, and the nodes above a skeleton carry it.
TEST_F(CliPose, it_says_how_many_joints_are_in_the_file) {
  expect_done("sample mannequin --resolution 300 -o man.glb");
  const Result result = run("pose man.glb -o man.json");
  const auto pose = nlohmann::json::parse(read_file(folder_ / "man.json"));
  const std::size_t count = pose["joints"].size();
  EXPECT_LT(count, read_rig(folder_ / "man.glb").skeleton.joints.size());
  EXPECT_EQ(result.out, "man.json: " + std::to_string(count) + " joints at rest\n");
}

TEST_F(CliPose, info_shows_the_joint_tree_with_numbers_and_lengths) {
  const std::string text = run("info hero.glb").out;
  EXPECT_TRUE(contains(text, "\n       0 upper_arm          0.2901   0 0 0\n")) << text;
  EXPECT_TRUE(contains(text, "\n       1   forearm ")) << text;
  EXPECT_TRUE(contains(text, "\n       5           index_3 ")) << text;
}

TEST_F(CliPose, a_tree_of_many_joints_is_cut_short) {
  std::string skeleton;
  for (int j = 1; j <= 2000; ++j)
    skeleton += std::to_string(j) + " 0 " + std::to_string(j) + " 0\n";
  skeleton += "#\n";
  for (int j = 1; j < 2000; ++j) {
    skeleton += std::to_string(j) + " " + std::to_string(j + 1) + "\n";
  }
  write("long.tgf", skeleton);
  const std::string text = run("info long.tgf").out;
  EXPECT_TRUE(contains(text, "and 1700 more; --json lists them all")) << text.substr(0, 2000);
  EXPECT_LT(text.size(), 40000u);
}

}  // namespace
}  // namespace sinew
#endif
