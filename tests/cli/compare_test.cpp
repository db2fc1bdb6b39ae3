// SPDX-License-Identifier: Apache-2.0
// `sinew compare` as scripts call it.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/image/read_image.h"
#include "tests/support/cli.h"
#include "tests/support/picture_difference.h"

namespace sinew {
namespace {

class CliCompare : public Cli {
 protected:
  CliCompare() { EXPECT_EQ(run("sample tube -o tube.glb --resolution 600").status, 0); }

  void write_twist() const {
    write("twist.json", R"({"joints": {"bone_2": {"rotation": [0, 1, 0, 0]}}})");
  }
};

TEST_F(CliCompare, prints_a_line_for_each_method_and_the_same_as_json) {
  write_twist();
  const Result table = run("compare tube.glb --pose twist.json --methods lbs,dqs,stbs-dqs");
  ASSERT_EQ(table.status, 0) << table.err;
  for (const char* part : {"method", "volume", "lbs", "dqs", "stbs-dqs"}) {
    EXPECT_TRUE(contains(table.out, part)) << table.out;
  }
  const Result result =
      run("compare tube.glb --pose twist.json --methods lbs,dqs,stbs-dqs --json --report r.json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto printed = nlohmann::json::parse(result.out);
  const auto report = nlohmann::json::parse(read_file(folder_ / "r.json"));
  EXPECT_EQ(printed["methods"], report["methods"]);
  EXPECT_EQ(printed["files"], nlohmann::json::array({"r.json"}));
  ASSERT_EQ(report["methods"].size(), 3u);
  for (const auto& method : report["methods"]) {
    for (const char* key :
         {"volume", "edges", "radius", "twist", "caps", "parts", "strain", "self_intersections"}) {
      EXPECT_TRUE(method.contains(key)) << key;
    }
  }
  const auto& lbs = report["methods"][0];
  const auto& stbs = report["methods"][2];
  EXPECT_LT(lbs["radius"]["smallest"], 0.3);
  EXPECT_GT(stbs["radius"]["smallest"], 0.95);
  EXPECT_GT(lbs["twist"]["near_joints"], 2 * stbs["twist"]["near_joints"].get<double>());
}

TEST_F(CliCompare, the_same_numbers_whatever_the_threads) {
  const std::string arguments = "compare tube.glb --clip bend_twist_stretch --time 1 --json";
  EXPECT_EQ(run(arguments + " --threads 1").out, run(arguments + " --threads 4").out);
}

TEST_F(CliCompare, without_a_pose_it_takes_the_middle_of_the_first_clip_and_says_so) {
  const Result result = run("compare tube.glb --methods lbs --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "clip 'bend' at 1.5 s")) << result.err;
  const auto printed = nlohmann::json::parse(result.out);
  EXPECT_EQ(printed["clip"], "bend");
  EXPECT_EQ(printed["time"], 1.5);
}

TEST_F(CliCompare, every_method_gets_the_same_pose) {
  // By bones: twists at the ends, which linear blending gets as turns of the bones.
  write("ends.json", R"({"bones": [
    {"start": [0,0,0], "end": [0,1,0], "twist": [0, 80]},
    {"start": [0,1,0], "end": [0,2,0], "twist": [80, 80]}]})");
  const Result twisted = run("compare tube.glb --pose ends.json --methods lbs,stbs-dqs --json");
  ASSERT_EQ(twisted.status, 0) << twisted.err;
  EXPECT_TRUE(contains(twisted.err, "lbs: bones that do not twist are turned by the mean"))
      << twisted.err;
  const auto twists = nlohmann::json::parse(twisted.out)["methods"];
  EXPECT_GT(twists[0]["edges"]["longest"], 1.02);
  // By joints: a translation that stretches a bone scales it along its axis.
  write("pulled.json", R"({"joints": {"bone_2": {"translation": [0, 1.5, 0]}}})");
  const Result pulled = run("compare tube.glb --pose pulled.json --methods lbs,stbs-lbs --json");
  ASSERT_EQ(pulled.status, 0) << pulled.err;
  const auto edges = nlohmann::json::parse(pulled.out)["methods"][0]["edges"];
  EXPECT_LT(edges["longest"], 1.7) << edges;
  // Alone, a method says what it leaves out.
  const Result alone = run("deform tube.glb --pose ends.json --method lbs -o out.obj");
  EXPECT_TRUE(contains(alone.err, "lbs: bones do not twist; their end twists are left out"))
      << alone.err;
  EXPECT_EQ(run("deform tube.glb --pose ends.json --method stbs-lbs -o out.obj").err, "");
}

TEST_F(CliCompare, draws_a_sheet_that_is_the_same_every_time) {
  write_twist();
  const std::string arguments =
      "compare tube.glb --pose twist.json --methods lbs --stripes --size 120 -o ";
  const Result result = run(arguments + "one.png --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["files"], nlohmann::json::array({"one.png"}));
  ASSERT_EQ(run(arguments + "two.png --threads 1").status, 0);
  const std::string picture = read_file(folder_ / "one.png");
  EXPECT_EQ(picture.substr(1, 3), "PNG");
  EXPECT_GT(picture.size(), 10000u);
  EXPECT_EQ(picture, read_file(folder_ / "two.png"));
  ASSERT_EQ(run(arguments + "three.png --view top").status, 0);
  EXPECT_GT(picture_difference(image("one.png"), image("three.png")).visible, 0.01);
}

TEST_F(CliCompare, what_is_torn_is_red_where_nothing_crosses) {
  write_twist();
  const auto sheet = [&](const std::string& method) {
    const Result result =
        run("compare tube.glb --pose twist.json --json -o " + method + ".png --methods " + method);
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out)["methods"][0];
  };
  const auto reds = [&](const char* file) {
    const Image image = read_image(folder_ / file);
    // The upper half: pictures, and no numbers.
    std::size_t count = 0;
    for (int y = 0; y < image.height() / 2; ++y) {
      for (int x = 0; x < image.width(); ++x) {
        const Pixel& p = image.at(x, y);
        count += p.r > p.g + 80 && p.r > p.b + 80 ? 1 : 0;
      }
    }
    return count;
  };
  const auto dqs = sheet("dqs"), stbs = sheet("stbs-dqs");
  EXPECT_EQ(dqs["self_intersections"]["new"], 0);
  EXPECT_GT(dqs["strain"]["distorted_area"], 0.02);
  EXPECT_GT(reds("dqs.png"), 200u);
  EXPECT_EQ(stbs["strain"]["distorted_triangles"], 0);
  EXPECT_EQ(reds("stbs-dqs.png"), 0u);
}

TEST_F(CliCompare, a_focus_is_a_joint_of_the_model) {
  write_twist();
  const std::string arguments = "compare tube.glb --pose twist.json --methods dqs --size 120 ";
  ASSERT_EQ(run(arguments + "-o all.png").status, 0);
  ASSERT_EQ(run(arguments + "-o end.png --focus bone_2").status, 0);
  EXPECT_GT(picture_difference(image("all.png"), image("end.png")).visible, 0.1);
  EXPECT_EQ(run(arguments + "-o end.png --focus nobody").status, 2);
}

TEST_F(CliCompare, wrong_usage_and_bad_models_are_told_apart) {
  write("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(run("compare tube.glb --methods lbs,magic").status, 2);
  EXPECT_EQ(run("compare tube.glb --pose twist.json --clip bend").status, 2);
  EXPECT_EQ(run("compare tube.glb --clip nothing").status, 2);
  EXPECT_EQ(run("compare tube.glb -o sheet.bmp").status, 2);
  EXPECT_EQ(run("compare tube.glb -o sheet.png --view nowhere").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "sheet.png"));
  EXPECT_EQ(run("compare bare.obj --pose twist.json").status, 3);
  EXPECT_EQ(run("compare missing.glb").status, 3);
}

TEST_F(CliCompare, a_single_triangle_without_area_and_one_bone_is_no_trouble) {
  write("one.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  write("one.tgf", "1 0 0 0\n2 1 0 0\n#\n1 2\n");
  write("one.dmat", "1 3\n1\n1\n1\n");
  write("pose.json", R"({"bones": [{"start": [0,0,0], "end": [2,0,0], "twist": [0, 90]}]})");
  const Result result =
      run("compare one.obj --skeleton one.tgf --bone-weights one.dmat --pose pose.json --json "
          "--methods lbs,dqs,stbs-lbs,stbs-dqs,stretch-it -o one.png");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto printed = nlohmann::json::parse(result.out);
  EXPECT_TRUE(printed["methods"][0]["volume"].is_null());
  EXPECT_TRUE(printed["methods"][0]["caps"]["worst"].is_null());
  EXPECT_EQ(printed["methods"][0]["edges"]["longest"], 2);
}

}  // namespace
}  // namespace sinew
#endif
