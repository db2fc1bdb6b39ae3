// SPDX-License-Identifier: Apache-2.0
// What the program says when names, numbers and times are not quite right.
#ifdef SINEW_CLI
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

class CliMessages : public Cli {
 protected:
  void refused(int status, const std::string& arguments, std::string_view message) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, status) << arguments;
    EXPECT_TRUE(contains(result.err, message)) << arguments << "\n" << result.err;
  }
};

TEST_F(CliMessages, a_method_that_is_not_there_is_refused_at_rest_too) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 300").status, 0);
  ASSERT_EQ(run("sample tube -o tube.obj --resolution 300").status, 0);
  for (const char* model : {"tube.glb", "tube.obj"}) {
    refused(2, std::string("render ") + model + " --method foo -o a.png",
            "there is no method 'foo'; there are lbs, ");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.png"));
  EXPECT_EQ(run("render tube.glb --method lbs,stbs-dqs -o a.png").status, 0);
}

TEST_F(CliMessages, a_time_outside_of_the_clip_is_said_and_is_its_first_or_last_moment) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 300").status, 0);
  const double end = duration(read_rig(folder_ / "tube.glb").clips.at(0));
  const auto posed = [&](const std::string& time, const char* file) {
    const Result result =
        run("deform tube.glb --clip bend --method lbs --time " + time + " -o " + file);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  EXPECT_EQ(posed(std::to_string(end), "end.obj"), "");
  EXPECT_TRUE(contains(posed("99", "past.obj"), "--time 99: the clip 'bend' goes from 0 to "));
  EXPECT_EQ(read_file(folder_ / "end.obj"), read_file(folder_ / "past.obj"));
  EXPECT_TRUE(contains(posed("-1", "before.obj"), "this is its first moment"));
  EXPECT_TRUE(contains(run("compare tube.glb --clip 0 --time 99 -o s.png").err, "--time 99"));
  EXPECT_TRUE(contains(run("render tube.glb --clip 0 --time 99 -o s.png").err, "--time 99"));
}

TEST_F(CliMessages, frames_beyond_the_end_of_the_clip_are_said_and_are_its_last_moment) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 300").status, 0);
  const int end = int(std::floor(duration(read_rig(folder_ / "tube.glb").clips.at(0)) * 10 + 1e-6));
  const auto frames = [&](int last) {
    const Result result = run("deform tube.glb --clip 0 --method lbs --fps 10 --frames " +
                              std::to_string(end - 1) + ":" + std::to_string(last) + " -o frames");
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  EXPECT_EQ(frames(end), "");
  EXPECT_TRUE(contains(frames(end + 2), "the clip 'bend' ends at frame " + std::to_string(end)));
  const auto frame = [&](int f) {
    const std::string digits = std::to_string(10000 + f).substr(1);
    return read_file(folder_ / "frames" / ("frame_" + digits + ".obj"));
  };
  EXPECT_EQ(frame(end + 2), frame(end + 1));
  EXPECT_NE(frame(end - 1), frame(end));
  EXPECT_TRUE(contains(run("render tube.glb --clip 0 --frames 0:9 --fps 1 --size 20 -o a.gif").err,
                       "--frames"));
}

TEST_F(CliMessages, what_is_not_found_gets_the_nearest_names) {
  ASSERT_EQ(run("sample arm -o arm.glb --resolution 600").status, 0);
  refused(2, "bake arm.glb -o out.glb --bones fore_arm",
          "there is no bone 'fore_arm' (did you mean 'forearm'");
  refused(2, "render arm.glb --show weights --bone hnad -o a.png",
          "--bone: there is no bone 'hnad' (did you mean 'hand'");
  refused(2, "render arm.glb --focus hnad -o a.png", "--focus: there is no bone 'hnad'");
  refused(2, "deform arm.glb --clip Fits --method lbs -o a.obj",
          "there is no clip 'Fits' (did you mean 'fist'?)");
  refused(2, "deform arm.glb --clip fist --method stbs-dq -o a.obj", "did you mean 'stbs-dqs'");
  refused(2, "weights arm.glb --method bwb -o a.glb", "did you mean 'bbw'?");
  refused(2, "sample manequin -o a.glb", "did you mean 'mannequin'?");
  refused(2, "bench wieghts", "did you mean 'weights'?");
  refused(2, "wieghts arm.glb", "there is no command 'wieghts' (did you mean 'weights'?)");
  refused(2, "edit arm.glb -o a.glb --smoth 3",
          "edit has no option '--smoth' (did you mean '--smooth'?)");
  refused(2, "demo --figures stbs1", "did you mean 'stbs-1'");
  write("p.json", R"({"joints": {"fore arm": {"scale": [1, 1, 1]}}})");
  refused(3, "deform arm.glb --pose p.json --method lbs -o a.obj",
          "p.json: /joints/fore arm: the rig has no joint 'fore arm' (did you mean 'forearm'");
}

TEST_F(CliMessages, joints_without_names_go_by_numbers) {
  write("a.tgf", "1 0 0 0\n2 0 1 0\n3 0 2 0\n#\n1 2\n2 3\n");
  ASSERT_EQ(run("sample tube -o a.obj --resolution 300").status, 0);
  ASSERT_EQ(
      run("weights a.obj --skeleton a.tgf --method idw --endpoints projection -o a.glb").status, 0);
  Rig rig = read_rig(folder_ / "a.glb");
  for (Joint& joint : rig.skeleton.joints) joint.name.clear();
  write_rig(folder_ / "a.glb", rig);
  const Result baked = run("bake a.glb -o b.glb --bones 1 --segments 2");
  EXPECT_EQ(baked.status, 0) << baked.err;
  EXPECT_TRUE(contains(baked.out, "  bone               1: 2 segments")) << baked.out;
  EXPECT_EQ(run("render a.glb --show weights --bone 0 --size 64 -o a.png").status, 0);
  refused(2, "bake a.glb -o b.glb --bones 7",
          "there is no bone '7'; there are 2, by their joints' names or by the numbers from 0 on");
}

TEST_F(CliMessages, a_model_without_a_skeleton_gets_no_weights) {
  Rig rig;
  rig.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  rig.mesh.triangles = {{0, 1, 2}};
  write_rig(folder_ / "a.glb", rig);
  for (const char* method : {"", " --method rigid"}) {
    refused(3, std::string("weights a.glb -o b.glb") + method,
            "a.glb: it has no skeleton; give one with --skeleton");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.glb"));
  write("a.tgf", "1 0 0 0\n2 0 1 0\n#\n1 2\n");
  EXPECT_EQ(run("weights a.glb --skeleton a.tgf --method rigid -o b.glb").status, 0);
}

TEST_F(CliMessages, a_sample_is_described_by_what_its_file_holds) {
  const auto said = [&](const std::string& file) {
    return run("sample tube3 --resolution 100 -o " + file).out;
  };
  EXPECT_TRUE(contains(said("a.glb"), ": tube3 with 2"));
  EXPECT_TRUE(contains(said("a.glb"), "3 bones, 2 clips"));
  EXPECT_EQ(said("a.tgf"), "a.tgf: skeleton of the tube3, 3 bones\n");
  EXPECT_EQ(said("a.bvh"), "a.bvh: skeleton of the tube3, 3 bones, clip 'bend'\n");
  EXPECT_TRUE(contains(said("a.obj"), "a.obj: mesh of the tube3, 2"));
  EXPECT_FALSE(contains(said("a.obj"), "bone"));
}

TEST_F(CliMessages, names_of_a_tgf_file_are_kept) {
  write("a.tgf", "1 0 0 0 upper arm\n2 0 1 0 1 0\n3 0 2 0 hand\n#\n1 2\n2 3\n");
  const auto info = nlohmann::json::parse(run("info a.tgf --json").out);
  EXPECT_EQ(info["joint_list"][0]["name"], "upper arm");
  EXPECT_EQ(info["joint_list"][1]["name"], "");
  EXPECT_EQ(info["joint_list"][2]["name"], "hand");
}

TEST_F(CliMessages, notes_that_repeat_are_counted) {
  std::string primitives;
  for (int i = 0; i < 37; ++i) primitives += R"(,{"mode": 0, "attributes": {"POSITION": 0}})";
  write("points.gltf",
        R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "buffers": [{"byteLength": 12, "uri": "data:;base64,AAAAAAAAAAAAAAAA"}],
            "bufferViews": [{"buffer": 0, "byteLength": 12}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3",
                           "min": [0, 0, 0], "max": [0, 0, 0]}],
            "meshes": [{"primitives": [)" +
            primitives.substr(1) + "]}]}");
  const Result text = run("info points.gltf");
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "/meshes/0/primitives/0: points or lines, left out (x 37)"))
      << text.out;
  const auto json = nlohmann::json::parse(run("info points.gltf --json").out);
  EXPECT_GE(json["problems"].size(), 37u);
}

TEST_F(CliMessages, a_bake_over_its_bound_names_the_bones) {
  ASSERT_EQ(run("sample arm -o arm.glb --resolution 600").status, 0);
  const Result text = run("bake arm.glb -o out.glb --max-error 0.5 --influences 1");
  EXPECT_EQ(text.status, 1);
  EXPECT_TRUE(contains(text.out, "\n  over the bound     ")) << text.out;
  const auto json = nlohmann::json::parse(
      run("bake arm.glb -o out.glb --max-error 0.5 --influences 1 --json").out);
  const auto& over = json["over_bound"];
  ASSERT_GE(over.size(), 2u);
  EXPECT_EQ(over[0]["max_error"], json["max_error"]);
  for (std::size_t i = 1; i < over.size(); ++i) {
    EXPECT_GE(over[i - 1]["max_error"], over[i]["max_error"]);
    EXPECT_GT(over[i]["max_error"], 0.5);
  }
  EXPECT_FALSE(json["remedy"].get<std::string>().empty());
}

}  // namespace
}  // namespace sinew
#endif
