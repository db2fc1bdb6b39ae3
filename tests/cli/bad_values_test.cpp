// SPDX-License-Identifier: Apache-2.0
// Bad values in every kind of file that a person writes: status 3, the file and the place named,
// nothing written.
#ifdef SINEW_CLI
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

// A kind of file, and the command that reads it.
struct FileKind {
  const char* file;
  const char* arguments;
};

struct BadValue {
  std::string text, place;
};

class CliBadValues : public Cli {
 protected:
  CliBadValues() {
    EXPECT_EQ(run("sample tube3 --resolution 64 -o hero.glb").status, 0);
    EXPECT_EQ(run("sample tube3 --resolution 64 -o walk.bvh").status, 0);
  }

  void expect_refused(const FileKind& kind, const std::vector<BadValue>& bad) {
    for (const auto& [text, place] : bad) {
      write(kind.file, text);
      const Result result = run(kind.arguments);
      EXPECT_EQ(result.status, 3) << text << "\n" << result.err;
      EXPECT_TRUE(contains(result.err, std::string(kind.file) + ": " + place)) << text << "\n"
                                                                               << place << "\n"
                                                                               << result.err;
      EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb")) << text;
      EXPECT_FALSE(std::filesystem::exists(folder_ / "out.obj")) << text;
    }
  }
};

TEST_F(CliBadValues, of_poses) {
  expect_refused(
      {"pose.json", "deform hero.glb --pose pose.json -o out.obj"},
      {{"{", "line 1"},
       {"{\"joints\": {\"bone_3\": {},\n\"bone_3\": {}}}",
        "line 2, byte 27: the member \"bone_3\""},
       {R"({"joints": {"hnd": {}}})", "/joints/hnd"},
       {R"({"joints": {"bone_3": {"twist": 1e9}}})", "/joints/bone_3/twist"},
       {R"({"joints": {"bone_3": {"bend": [30, [0, 0, 0]]}}})", "/joints/bone_3/bend"},
       {R"({"joints": {"bone_3": {"bend": [1e300, "x"]}}})", "/joints/bone_3"},
       {R"({"joints": {"bone_3": {"stretch": 0}}})", "/joints/bone_3/stretch"},
       {R"({"joints": {"bone_3": {"rotation": [0, 0, 0, 0]}}})", "/joints/bone_3/rotation"},
       {R"({"joints": {"bone_3": {"translation": [1e308, 1, 0]}}})", "/joints/bone_3/translation"},
       {R"({"joints": {"bone_3": {"scale": [1e200, 1, 1]}}})", "/joints/bone_3/scale"},
       {R"({"joints": {"bone_2": {"scale": [1e30, 1, 1]}, "bone_3": {"scale": [1e30, 1, 1]}}})",
        "vertex 0: the pose takes it to infinity"},
       {R"({"joints": {"bone_3": {"twists": 1}}})", "/joints/bone_3/twists"},
       {R"({"joints": {}, "controls": {"breadth": 1}})", "/controls/breadth"},
       {R"({"bones": []})", "/bones"},
       {R"({"targets": {"bone_3": {"lengths": "long"}}})", "/targets/bone_3/lengths"},
       {R"({"targets": {"bone_3": {"root": "bone_3"}}})", "/targets/bone_3/root"},
       {R"({"targets": {"bone_3": {}}, "limits": {"bone_2": {"cone": 200}}})", "/limits/bone_2"},
       {R"({"targets": {"bone_3": {}}, "stiffness": {"bone_2": 0}})", "/stiffness/bone_2"}});
}

TEST_F(CliBadValues, of_keys) {
  expect_refused(
      {"keys.json", "animate hero.glb --keys keys.json -o out.glb"},
      {{R"({"keys": []})", "/keys"},
       {R"({"keys": [{"time": 0}]})", "/keys/0/pose"},
       {R"({"keys": [{"time": 1, "pose": {}}, {"time": 0, "pose": {}}]})", "/keys/1"},
       {R"({"keys": [{"time": 0, "pose": {}, "ease": "bouncy"}]})", "/keys/0/ease"},
       {R"({"keys": [{"time": 0, "pose": {"joints": {"hnd": {}}}}]})", "/keys/0/pose/joints/hnd"},
       {R"({"keys": [{"time": 0, "pose": {"joints": {"bone_3": {"twist": 340}}}},
                               {"time": 1, "pose": {}}]})",
        "/keys/0"},
       {R"({"keys": [{"time": 0, "pose": {}}], "loop": 1})", "/loop"}});
}

TEST_F(CliBadValues, of_strokes) {
  const auto stroke = [](const std::string& members) {
    return R"({"format": "sinew-strokes", "version": 1, "strokes": [{)" + members + "}]}";
  };
  expect_refused({"strokes.json", "edit hero.glb --paint strokes.json -o out.glb"},
                 {{R"({"format": "sinew-strokes", "version": 2, "strokes": []})", "/version"},
                  {stroke(R"("bone": "nobody", "radius": 1, "dabs": [])"), "/strokes/0/bone"},
                  {stroke(R"("bone": "bone_3", "radius": 0, "dabs": [])"), "/strokes/0/radius"},
                  {stroke(R"("bone": "bone_3", "radius": 1, "strength": 2, "dabs": [])"),
                   "/strokes/0/strength"},
                  {stroke(R"("bone": "bone_3", "radius": 1, "dabs": [{}])"), "/strokes/0/dabs/0"},
                  {stroke(R"("bone": "bone_3", "radius": 1,
                  "dabs": [{"triangle": 999999, "barycentric": [1, 0, 0]}])"),
                   "/strokes/0/dabs/0"}});
}

TEST_F(CliBadValues, of_offset_curves) {
  expect_refused(
      {"curves.json", "edit hero.glb --offset-curves curves.json -o out.glb"},
      {{R"({"roundness": -1})", "/roundness"},
       {R"({"curves": [{"bones": ["hnd"]}]})", "/curves/0/bones/0"},
       {R"({"curves": [{"bones": ["bone_1", "bone_3"]}]})", "/curves/0/bones/1"},
       {R"({"curves": [{"bones": ["bone_3"], "leadIn": "bone_1"}]})", "/curves/0/leadIn"},
       {R"({"controls": {"bone_3": {"twist": [[0, 1], [1, 0]]}}})", "/controls/bone_3/twist"},
       {R"({"paintedWeights": [[1]]})", "/paintedWeights"},
       {R"({"paintedWeights": "missing.dmat"})", "/paintedWeights: missing.dmat: "}});
}

TEST_F(CliBadValues, of_drivers) {
  const auto follow = [](const std::string& members, const std::string& curve) {
    return R"({"drivers": [{"joint": "bone_3", "follow": {"property": "rotation", )" + members +
           R"(, "curve": {"times": [0, 1], )" + curve + "}}}]}";
  };
  const std::string angle = R"("angle": {"joint": "bone_2"})";
  const std::string linear = R"("interpolation": "linear", "values": [0, 1])";
  const std::string place = "/drivers/0/follow/";
  expect_refused(
      {"drivers.json", "edit hero.glb --drivers drivers.json -o out.glb"},
      {{R"({"drivers": [{"joint": "hnd", "share": {}}]})", "/drivers/0/joint"},
       {R"({"controls": [{"name": ""}]})", "/controls/0/name"},
       {follow(R"("control": "grin")", linear), place + "control"},
       {follow(R"("axis": [0, 0, 0], )" + angle, linear), place + "axis"},
       {follow(R"("angle": {"joint": "bone_2", "axis": [0, 0, 0]})", linear), place + "angle/axis"},
       {follow(angle, R"("interpolation": "linear", "values": [0])"), place + "curve/values"},
       {follow(angle, R"("interpolation": "bezier", "values": [0, 1],
                                    "in": [[0, 0], [1, 0]], "out": [[0, 0], [0, 0]])"),
        place + "curve/in/1/0"}});
}

TEST_F(CliBadValues, of_mappings) {
  expect_refused({"map.json", "animate hero.glb --motion walk.bvh --map map.json -o out.glb"},
                 {{R"({"bone_1": "bone"})", "/bone_1"},
                  {R"({"bone": "bone_1"})", "/bone"},
                  {R"({"bone_1": 3.5})", "/bone_1"},

                  {R"({"bone_1": ["bone_1", "nobody"]})", "/bone_1/1"}});
}

TEST_F(CliBadValues, of_matrices) {
  const std::size_t count = read_rig(folder_ / "hero.glb").mesh.vertex_count();
  std::string shares = "1 " + std::to_string(count) + "\n";
  for (std::size_t v = 1; v < count; ++v) shares += "0.5\n";
  expect_refused({"share.dmat", "edit hero.glb --blend-share share.dmat -o out.glb"},
                 {{"1 2\n0.5\n0.5\n", "line 1"},
                  {"", "line 1"},
                  {shares + "2\n", "row " + std::to_string(count - 1)},
                  {shares + "nan\n", "line " + std::to_string(count + 1)}});
  for (const char* step : {"joint-weights", "twist-endpoints"}) {
    const std::string command = std::string("edit hero.glb --") + step + " m.dmat -o out.glb";
    expect_refused({"m.dmat", command.c_str()}, {{"1 1\n0.5\n", "line 1"}, {"x", "line 1"}});
    const Result missing = run(std::string("edit hero.glb --") + step + " no.dmat -o out.glb");
    EXPECT_EQ(missing.status, 3);
    EXPECT_TRUE(contains(missing.err, std::string("--") + step + ": no.dmat: cannot be opened"))
        << missing.err;
  }
}

}  // namespace
}  // namespace sinew
#endif
