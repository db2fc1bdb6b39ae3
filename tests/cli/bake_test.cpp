// SPDX-License-Identifier: Apache-2.0
// `sinew bake` as scripts call it.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

class CliBake : public Cli {
 protected:
  CliBake() { EXPECT_EQ(run("sample arm -o arm.glb --resolution 600").status, 0); }
};

TEST_F(CliBake, writes_the_rig_and_a_report_that_says_the_same_as_stdout) {
  const Result result =
      run("bake arm.glb -o out.glb --influences 8 --live none --json --report r.json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto printed = nlohmann::json::parse(result.out);
  const auto report = nlohmann::json::parse(read_file(folder_ / "r.json"));
  EXPECT_EQ(printed["max_error"], report["max_error"]);
  EXPECT_EQ(printed["files"].size(), 2u);
  EXPECT_LE(report["max_error"].get<double>(), 2.0);
  EXPECT_TRUE(report["within_bound"].get<bool>());
  const Rig before = read_rig(folder_ / "arm.glb"), after = read_rig(folder_ / "out.glb");
  EXPECT_EQ(after.skeleton.joints.size() - before.skeleton.joints.size(), report["helpers"]);
  EXPECT_EQ(after.clips.size(), before.clips.size());
  EXPECT_EQ(after.mesh, before.mesh);
  EXPECT_TRUE(after.skin.endpoints.empty());
}

TEST_F(CliBake, endpoint_weights_are_computed_anew_by_the_method_asked_for) {
  ASSERT_EQ(run("weights arm.glb --endpoints none -o bare.glb").status, 0);
  const auto error = [&](const std::string& options) {
    const Result result = run("bake " + options + " -o out.glb --segments 4 --influences 8 --json");
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out)["max_error_box"].get<double>();
  };
  const double projected = error("bare.glb --endpoints projection");
  EXPECT_EQ(error("arm.glb --endpoints projection"), projected);
  EXPECT_NE(error("arm.glb --endpoints idw"), projected);
  EXPECT_EQ(run("bake arm.glb -o out.glb --endpoints none").status, 2);
  ASSERT_EQ(run("bake arm.glb -o a.pc2 --to cache --clip 0 --fps 4 --endpoints idw").status, 0);
  ASSERT_EQ(run("bake arm.glb -o b.pc2 --to cache --clip 0 --fps 4 --endpoints heat").status, 0);
  EXPECT_NE(read_file(folder_ / "a.pc2"), read_file(folder_ / "b.pc2"));
}

TEST_F(CliBake, the_same_bytes_every_time) {
  ASSERT_EQ(run("bake arm.glb -o one.glb --segments 3").status, 0);
  ASSERT_EQ(run("bake arm.glb -o two.glb --segments 3 --threads 1").status, 0);
  EXPECT_EQ(read_file(folder_ / "one.glb"), read_file(folder_ / "two.glb"));
}

TEST_F(CliBake, a_bound_that_is_not_met_is_status_1_and_says_what_would_do) {
  const Result result = run("bake arm.glb -o out.glb --max-error 1 --influences 2");
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_TRUE(contains(result.out, "influences per vertex would meet it")) << result.out;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out.glb"));
}

TEST_F(CliBake, wrong_usage_writes_nothing) {
  EXPECT_EQ(run("bake arm.glb -o out.glb --live unity").status, 2);
  EXPECT_EQ(run("bake arm.glb -o out.glb --live").status, 2);
  EXPECT_EQ(run("bake arm.glb -o out.glb --bones nobody").status, 2);
  EXPECT_EQ(run("bake arm.glb -o out.obj").status, 2);
  EXPECT_EQ(run("bake arm.obj -o out.glb").status, 2);
  EXPECT_EQ(run("bake arm.glb").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb"));
}

TEST_F(CliBake, live_helpers_come_with_a_table_beside_the_rig) {
  for (const char* out : {"out.glb", "out.gltf"}) {
    std::filesystem::remove(folder_ / "out.live.json");
    const Result result = run(std::string("bake arm.glb -o ") + out +
                              " --live vrm --bones forearm hand --segments 3 --json");
    ASSERT_EQ(result.status, 0) << result.err;
    const auto printed = nlohmann::json::parse(result.out);
    EXPECT_EQ(printed["files"], (nlohmann::json{out, "out.live.json"}));
    // The forearm's helpers, and what they follow at both of its ends. The hand takes no twist.
    EXPECT_EQ(printed["live"]["constraints"], 8);
    const auto table = nlohmann::json::parse(read_file(folder_ / "out.live.json"));
    EXPECT_EQ(table["helpers"].size(), 8u);
    EXPECT_TRUE(contains(read_file(folder_ / out), "VRMC_node_constraint"));
  }
}

TEST_F(CliBake, a_table_can_come_alone) {
  const Result result =
      run("bake arm.glb -o out.glb --table t.json --bones forearm hand --segments 3 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "t.json"))["helpers"].size(), 8u);
  EXPECT_FALSE(contains(read_file(folder_ / "out.glb"), "VRMC_node_constraint"));
  ASSERT_EQ(run("bake arm.glb -o out.glb --bones forearm --segments 3").status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.live.json"));
}

TEST_F(CliBake, a_clip_can_be_baked_to_blend_shapes) {
  const Result result = run(
      "bake arm.glb --to morph --clip fist --method stbs-dqs -o out.glb --json --report r.json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto printed = nlohmann::json::parse(result.out);
  EXPECT_LE(printed["max_error_box"].get<double>(), 0.1);
  EXPECT_EQ(printed["max_error_box"],
            nlohmann::json::parse(read_file(folder_ / "r.json"))["max_error_box"]);
  const Rig after = read_rig(folder_ / "out.glb");
  EXPECT_EQ(after.mesh.shapes.size(), printed["targets"]);
  ASSERT_EQ(after.clips.size(), 1u);
  EXPECT_EQ(after.clips.front().name, "fist");
  EXPECT_EQ(run("bake arm.glb --to morph --clip fist --fps 3 --max-error 0.01 -o out.glb").status,
            1);
}

TEST_F(CliBake, a_clip_can_be_baked_to_a_point_cache) {
  const std::string clip = "bake arm.glb --to cache --clip fist --fps 10 -o ";
  ASSERT_EQ(run(clip + "out.pc2").status, 0);
  ASSERT_EQ(run(clip + "out.MDD --json").status, 0);
  const std::size_t vertices = read_rig(folder_ / "arm.glb").mesh.vertex_count();
  EXPECT_EQ(std::filesystem::file_size(folder_ / "out.pc2"), 32 + 31 * vertices * 12);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "out.MDD"), 8 + 31 * 4 + 31 * vertices * 12);
  EXPECT_EQ(run(clip + "out.abc").status, 2);
}

TEST_F(CliBake, options_of_another_way_out_are_refused_by_name) {
  const auto refused = [&](const std::string& arguments, const char* option) {
    const Result result = run("bake arm.glb " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.err, option)) << result.err;
  };
  refused("-o out.pc2 --to cache --clip fist --segments 4", "--segments");
  refused("-o out.pc2 --to cache --clip fist --max-error 1", "--max-error");
  refused("-o out.glb --to morph --clip fist --influences 8", "--influences");
  refused("-o out.glb --to morph --clip fist --bones hand", "--bones");
  refused("-o out.glb --clip fist", "--clip");
  refused("-o out.glb --method lbs", "--method");
  refused("-o out.glb --fps 30", "--fps");
  refused("-o out.glb --to morph", "--clip: 'bend_twist_stretch' 'fist'");
  refused("-o out.glb --to morph --clip fist --fps 0", "frames per second");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.pc2"));
}

TEST_F(CliBake, bones_can_be_named) {
  const Result result = run("bake arm.glb -o out.glb --segments 4 --bones forearm hand --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["helpers"], 10);
}

}  // namespace
}  // namespace sinew
#endif
