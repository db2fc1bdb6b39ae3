// SPDX-License-Identifier: Apache-2.0
// `sinew correct` as scripts call it.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/deform/posed_rig.h"
#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

class CliCorrect : public Cli {
 protected:
  CliCorrect() {
    EXPECT_EQ(run("sample arm -o arm.glb --resolution 400").status, 0);
    write("bent.json", R"({"joints": {"forearm": {"bend": [100, "y"]}}})");
    write("half.json", R"({"joints": {"forearm": {"bend": [50, "y"]}}})");
    EXPECT_EQ(run("deform arm.glb --pose bent.json --method dqs -o bent.obj").status, 0);
    EXPECT_EQ(run("deform arm.glb --pose half.json --method dqs -o half.obj").status, 0);
  }

  double difference(const char* a, const char* b) const {
    const Mesh one = read_rig(folder_ / a).mesh, other = read_rig(folder_ / b).mesh;
    EXPECT_EQ(one.vertex_count(), other.vertex_count());
    double largest = 0;
    for (std::size_t v = 0; v < one.vertex_count(); ++v) {
      largest = std::max(largest, distance(one.positions[v], other.positions[v]));
    }
    return largest / bounding_box(one.positions).diagonal();
  }
};

TEST_F(CliCorrect, a_sculpted_pose_is_shown_by_every_command_that_poses_the_rig) {
  const Result result =
      run("correct arm.glb --example bent.json bent.obj half.json half.obj --method lbs -o out.glb "
          "--report report.json --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["correctives"].size(), 2u);
  EXPECT_EQ(report["correctives"][0]["name"], "bent");
  EXPECT_EQ(report["correctives"][0]["joints"][0], "forearm");
  EXPECT_EQ(report["poor"], false);
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "report.json"))["method"], "lbs");
  for (const std::string name : {"bent", "half"}) {
    const std::string pose = " --pose " + name + ".json --method lbs -o ";
    ASSERT_EQ(run("deform arm.glb" + pose + "plain.obj").status, 0);
    ASSERT_EQ(run("deform out.glb" + pose + "shown.obj").status, 0);
    EXPECT_GT(difference("plain.obj", (name + ".obj").c_str()), 1e-3);
    EXPECT_LT(difference("shown.obj", (name + ".obj").c_str()), 1e-4);
  }
  const Result info = run("info out.glb");
  EXPECT_NE(info.out.find("bent, half by forearm"), std::string::npos) << info.out;
  EXPECT_EQ(nlohmann::json::parse(run("info out.glb --json").out)["settings"]["pose_spaces"].size(),
            1u);
  // An edited rig keeps them.
  ASSERT_EQ(run("edit out.glb --smooth 1 -o edited.glb").status, 0);
  EXPECT_EQ(read_rig(folder_ / "edited.glb").pose_spaces,
            read_rig(folder_ / "out.glb").pose_spaces);
}

TEST_F(CliCorrect, baked_clips_have_the_weights) {
  ASSERT_EQ(run("correct arm.glb --example bent.json bent.obj --method stbs-lbs -o out.glb").status,
            0);
  ASSERT_EQ(
      run("animate out.glb --pose half.json --pose bent.json --name bend -o moving.glb").status, 0);
  ASSERT_LE(run("bake moving.glb -o baked.glb").status, 1);
  const Rig moving = read_rig(folder_ / "moving.glb"), baked = read_rig(folder_ / "baked.glb");
  EXPECT_TRUE(baked.pose_spaces.empty());
  const std::size_t shape = moving.mesh.shapes.size() - 1;
  for (const double share : {0.0, 0.3, 0.77, 1.0}) {
    const Clip& clip = find_clip(moving, "bend");
    const double time = share * duration(clip);
    const double expected = pose_at(moving, clip, time).shapes[shape];
    EXPECT_NEAR(pose_at(baked, find_clip(baked, "bend"), time).shapes[shape], expected, 0.02);
    EXPECT_GT(expected, 0.4);
  }
}

TEST_F(CliCorrect, what_cannot_be_is_refused) {
  const auto refused = [&](const std::string& arguments, int status, const std::string& words) {
    const Result result = run("correct arm.glb " + arguments);
    EXPECT_EQ(result.status, status) << arguments << "\n" << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << arguments << "\n" << result.err;
  };
  write("rest.json", R"({"joints": {}})");
  write("bones.json", R"({"bones": []})");
  refused("--example rest.json bent.obj -o out.glb", 3, "rest.json: its pose turns no joint");
  refused("--example bent.json arm.glb bent.json -o out.glb", 2, "pairs");
  refused("--example bent.json bent.obj -o out.obj", 2, ".glb or .gltf");
  refused("--example bent.json bent.obj --joints nobody -o out.glb", 2, "nobody");
  refused("--example bent.json bent.obj --joints hand -o out.glb", 3, "none of the joints");
  refused("--example bent.json bent.obj --radius -3 -o out.glb", 2, "above 0");
  refused("--example bent.json bent.obj --method blend -o out.glb", 2, "blend");
  refused("--example bent.json bent.obj --example bent.json bent.obj -o out.glb", 3, "same pose");
  refused("--example bent.json bent.obj -o bent.obj", 2, "");
  ASSERT_EQ(run("sample arm -o fine.obj --resolution 800").status, 0);
  const std::string count = std::to_string(read_rig(folder_ / "fine.obj").mesh.vertex_count());
  refused("--example bent.json fine.obj -o out.glb", 3, "fine.obj: it has " + count + " vertices");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb"));
}

// Linear blending at half a turn of the hand flattens the wrist.
TEST_F(CliCorrect, vertices_that_cannot_be_inverted_make_the_result_poor) {
  write("wrung.json", R"({"joints": {"hand": {"twist": 180}}})");
  ASSERT_EQ(run("sample arm -o wrist.glb --resolution 800").status, 0);
  ASSERT_EQ(run("deform wrist.glb --pose wrung.json --method stbs-dqs -o wrung.obj").status, 0);
  const Result result =
      run("correct wrist.glb --example wrung.json wrung.obj --method lbs -o out.glb --json");
  EXPECT_EQ(result.status, 1) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  ASSERT_FALSE(report["correctives"][0]["off"].empty());
  EXPECT_GE(report["correctives"][0]["off"][0]["vertex"], 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out.glb"));
}

}  // namespace
}  // namespace sinew
#endif
