// SPDX-License-Identifier: Apache-2.0
// What commands write: all of it or none, and nothing that they read.
#ifdef SINEW_CLI
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class OutputsCli : public Cli {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name != "stdout" && name != "stderr") found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

TEST_F(OutputsCli, if_one_cannot_be_written_none_is) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 200").status, 0);
  const std::vector<std::string> before = names();
  const char* calls[] = {
      "weights tube.glb --method rigid -o out.glb --bone-weights-out w.dmat --report no/r.json",
      "weights tube.glb --method rigid --bone-weights-out w.dmat -o no/out.glb",
      "bake tube.glb -o out.glb --segments 1 --live vrm --report no/r.json",
      "bake tube.glb -o out.glb --segments 1 --table no/t.json",
      "compare tube.glb -o sheet.png --size 100 --report no/r.json",
      "animate tube.glb --motion tube.glb -o out.glb --map-out no/map.json"};
  for (const char* call : calls) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 3) << call;
    EXPECT_TRUE(contains(result.err, "no/")) << result.err;
    EXPECT_TRUE(result.out.empty()) << call;
    EXPECT_EQ(names(), before) << call;
  }
}

TEST_F(OutputsCli, an_output_that_is_an_input_or_another_output_is_refused_unread) {
  // None of these is a file that could be read: with status 3 it would have been.
  for (const char* name : {"a.glb", "p.json", "a.tgf", "w.dmat", "t.png", "a.obj"}) write(name, "");
  fs::create_symlink("a.glb", folder_ / "link.glb");
  fs::create_directory(folder_ / "sub");
  const char* calls[] = {"weights a.glb -o a.glb",
                         "weights a.glb -o ./sub/../a.glb",
                         "weights a.glb -o link.glb",
                         "weights link.glb -o a.glb",
                         "weights a.glb --report a.glb",
                         "weights a.glb --bone-weights-out x.dmat --endpoint-weights-out x.dmat",
                         "weights a.glb -o out.glb --report sub/../out.glb",
                         "weights a.obj --skeleton a.tgf --report a.tgf",
                         "edit a.glb -o a.glb --smooth 1",
                         "edit a.glb -o b.glb --transfer b.glb",
                         "pose a.glb -o a.glb",
                         "animate a.glb --pose p.json -o a.glb",
                         "animate a.glb --motion a.tgf --map p.json --map-out p.json -o b.glb",
                         "deform a.glb --pose p.json -o a.glb",
                         "compare a.glb --pose p.json --report p.json",
                         "bake a.glb -o a.glb",
                         "bake a.glb -o b.glb --table b.glb",
                         "bake a.glb -o b.glb --live vrm --report b.live.json",
                         "render a.glb --texture t.png -o t.png",
                         "image t.png -o t.png",
                         "image t.png -o o.png --skeleton p.json --skeleton-out p.json"};
  for (const char* call : calls) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 2) << call << "\n" << result.err;
    EXPECT_TRUE(contains(result.err, " is read, and would be replaced") ||
                contains(result.err, " would be written twice"))
        << call << "\n"
        << result.err;
  }
  EXPECT_EQ(read_file(folder_ / "a.glb"), "");
}

TEST_F(OutputsCli, an_output_has_a_name) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 200").status, 0);
  for (const char* call :
       {"sample tube -o ''", "weights tube.glb --method rigid -o out.glb --report ''",
        "deform tube.glb --clip 0 -o ''", "demo -o ''", "pose tube.glb -o ''"}) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 2) << call;
    EXPECT_TRUE(contains(result.err, "a file needs a name")) << result.err;
  }
}

TEST_F(OutputsCli, links_and_long_names_are_written_to) {
  fs::create_symlink("made.glb", folder_ / "link.glb");
  EXPECT_EQ(run("sample tube -o link.glb --resolution 200").status, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.glb"));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "made.glb"));
  const std::string longest = std::string(251, 'n') + ".glb";
  EXPECT_EQ(run("sample tube --resolution 200 -o " + longest).status, 0);
  EXPECT_TRUE(fs::exists(folder_ / longest));
  EXPECT_EQ(run("sample tube --resolution 200 -o n" + longest).status, 3);
}

// In single precision a shape of size 1 is torn a million units away.
TEST_F(OutputsCli, a_shape_too_far_from_the_origin_is_a_poor_result) {
  for (const auto& [place, status] : {std::pair("1000", 0), std::pair("1000000", 1)}) {
    const std::string x(place);
    write("a.obj", "v " + x + " 0 0\nv " + x + " 1 0\nv " + x + " 0 1\nf 1 2 3\n");
    write("a.tgf", "1 " + x + " 0 0\n2 " + x + " 1 0\n#\n1 2\n");
    write("p.json", R"({"bones": [{"start": [)" + x + R"(, 0, 0], "end": [)" + x + ", 1, 0]}]}");
    write("p2.json", R"({"joints": {"0": {"bend": [30, "x"]}}})");
    write("w.dmat", "1 3\n1\n1\n1\n");
    const std::string model = " a.obj --skeleton a.tgf ";
    const Result weights = run("weights" + model + "--method rigid -o a.glb");
    EXPECT_EQ(weights.status, status) << weights.err;
    EXPECT_EQ(contains(weights.err, "move it to the origin"), status == 1) << weights.err;
    for (const char* call : {"edit a.glb --normalize -o ", "bake a.glb --bones all -o ",
                             "animate a.glb --pose p2.json -o "}) {
      const Result again = run(call + std::string("again.glb"));
      EXPECT_EQ(again.status, status) << call << again.err;
      EXPECT_EQ(contains(again.err, "move it to the origin"), status == 1) << again.err;
    }
    EXPECT_EQ(run("edit a.glb --normalize --dry-run").status, 0);
    const std::string deform =
        "deform" + model + "--bone-weights w.dmat --pose p.json --method lbs -o ";
    const Result posed = run(deform + "b.glb");
    EXPECT_EQ(posed.status, status);
    EXPECT_EQ(contains(posed.err, "move it to the origin"), status == 1) << posed.err;
  }
}

// Text has all digits of what is computed far from the origin.
TEST_F(OutputsCli, a_shape_far_from_the_origin_is_deformed_as_one_at_it) {
  for (const std::string x : {"0", "1000000", "1000000000"}) {
    write("a.obj", "v " + x + ".1 0 0\nv " + x + ".3 1.7 0\nv " + x + ".2 0 1.3\nf 1 2 3\n");
    write("a.tgf", "1 " + x + " 0 0\n2 " + x + " 1 0\n#\n1 2\n");
    write("p.json",
          R"({"bones": [{"start": [)" + x + R"(, 0, 0], "end": [)" + x + ".6, 0.9, 0]}]}");
    write("w.dmat", "1 3\n1\n1\n1\n");
    for (const std::string method : {"lbs", "stbs-dqs", "stretch-it"}) {
      const std::string deform =
          "deform a.obj --skeleton a.tgf --bone-weights w.dmat --pose p.json --method " + method +
          " -o ";
      ASSERT_EQ(run(deform + "b.obj").status, 0);
      ASSERT_EQ(run(deform + "c.obj --reference").status, 0);
      const Mesh fast = read_rig(folder_ / "b.obj").mesh, exact = read_rig(folder_ / "c.obj").mesh;
      for (std::size_t v = 0; v < exact.vertex_count(); ++v) {
        EXPECT_LT(distance(fast.positions[v], exact.positions[v]), 2e-6) << x << " " << method;
      }
    }
  }
}

TEST_F(OutputsCli, a_folder_of_frames_is_made_whole_or_not_at_all) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 200").status, 0);
  fs::create_directories(folder_ / "frames/frame_0002.obj");  // in the way of the last one
  const std::string call = "deform tube.glb --clip 0 --frames 0:2 --method lbs -o ";
  EXPECT_EQ(run(call + "frames").status, 3);
  EXPECT_FALSE(fs::exists(folder_ / "frames/frame_0000.obj"));
  EXPECT_EQ(run(call + "new/frames").status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "new/frames/frame_0002.obj"));
}

}  // namespace
}  // namespace sinew
#endif
