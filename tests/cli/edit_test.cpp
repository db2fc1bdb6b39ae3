// SPDX-License-Identifier: Apache-2.0
// `sinew edit` as scripts call it.
#ifdef SINEW_CLI
#include "sinew/edit/edit.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/cli.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/two_arms.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

class CliEdit : public Cli {
 protected:
  CliEdit() { write_rig(folder_ / "hero.glb", make_two_arms()); }

  nlohmann::json report_of(const std::string& arguments) const {
    const Result result = run("edit " + arguments + " --json");
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.err;
    return result.status == 0 ? nlohmann::json::parse(result.out) : nlohmann::json();
  }

  // A refused edit writes nothing.
  void expect_refused(const std::string& arguments, int status, const std::string& message) const {
    const Result result = run("edit " + arguments);
    EXPECT_EQ(result.status, status) << arguments << "\n" << result.out << result.err;
    EXPECT_TRUE(contains(result.err, message)) << arguments << "\n" << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.glb")) << arguments;
  }

  std::string bytes(const char* name) const { return read_file(folder_ / name); }
};

TEST_F(CliEdit, steps_run_in_the_order_given_and_modifiers_follow_theirs) {
  const nlohmann::json report = report_of(
      "hero.glb --lock hips --smooth 2 --where forearm.L -o out.glb --prune 3 --smooth 4 "
      "--mirror x --from right --where \"x > 0\" --normalize --lock upper_arm.R");
  std::vector<std::string> steps;
  for (const nlohmann::json& step : report["steps"]) {
    steps.push_back(step["step"].get<std::string>() + " " + step["arguments"].get<std::string>());
  }
  EXPECT_EQ(steps, (std::vector<std::string>{"lock hips", "smooth 2 where forearm.L", "prune 3",
                                             "smooth 4", "mirror x from right where x > 0",
                                             "normalize ", "lock upper_arm.R"}));
  EXPECT_EQ(report["files"], nlohmann::json::array({"out.glb"}));
  // What the library does with the same steps.
  Rig rig = read_rig(folder_ / "hero.glb");
  const std::vector<EditStep> same{LockStep{"hips"},
                                   SmoothStep{2, "forearm.L"},
                                   PruneStep{3},
                                   SmoothStep{4},
                                   MirrorStep{0, MirrorStep::From::right, "x > 0"},
                                   NormalizeStep{}};
  edit(rig, same);
  const Rig written = read_rig(folder_ / "out.glb");
  EXPECT_LT(largest_difference(rig.skin.weights, written.skin.weights, rig.skeleton.bones.size()),
            1e-7);
}

TEST_F(CliEdit, a_dry_run_reports_the_same_and_writes_nothing) {
  const nlohmann::json dry = report_of("hero.glb --smooth 3 --prune 2 --dry-run -o out.glb");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.glb"));
  nlohmann::json wet = report_of("hero.glb --smooth 3 --prune 2 -o out.glb");
  EXPECT_EQ(wet["files"].size(), 1u);
  wet["files"] = dry["files"];
  EXPECT_EQ(dry, wet);
  EXPECT_TRUE(dry["changed"].get<bool>());
  EXPECT_EQ(report_of("hero.glb --prune 2 --dry-run")["most_influences"], 2);
}

TEST_F(CliEdit, what_does_not_change_is_written_as_it_was) {
  report_of("hero.glb -o copy.glb --prune 100");
  EXPECT_EQ(bytes("copy.glb"), bytes("hero.glb"));
  report_of("hero.glb -o first.glb --smooth 2 --prune 4");
  // Edit, write, read, edit again.
  for (const char* idle : {"--normalize", "--prune 4", "--smooth 9 --where \"x > 99\"",
                           "--lock hips --normalize", "--mirror x --where \"x > 99\""}) {
    const nlohmann::json again = report_of(std::string("first.glb -o second.glb ") + idle);
    EXPECT_EQ(bytes("second.glb"), bytes("first.glb")) << idle;
    EXPECT_FALSE(again["changed"].get<bool>()) << idle;
  }
  // A file of another's: its buffer stays.
  const GltfBuilder b = small_character();
  write("theirs.glb", b.glb());
  report_of("theirs.glb -o third.glb --prune 4 --normalize");
  EXPECT_TRUE(contains(bytes("third.glb"), b.buffer));
  report_of("third.glb -o fourth.glb --prune 4 --normalize");
  EXPECT_EQ(bytes("fourth.glb"), bytes("third.glb"));
  // Mirrored twice, the second time has nothing to do.
  report_of("first.glb -o mirrored.glb --mirror x");
  report_of("mirrored.glb -o again.glb --mirror x");
  EXPECT_EQ(bytes("again.glb"), bytes("mirrored.glb"));
}

TEST_F(CliEdit, weights_of_another_rig_are_taken_by_name) {
  write_rig(folder_ / "other.glb", make_two_arms(101));
  report_of("hero.glb -o rough.glb --prune 1");
  const nlohmann::json report = report_of("rough.glb -o out.glb --transfer other.glb");
  EXPECT_EQ(report["steps"][0]["bones_without_partner"], nlohmann::json::array());
  const Rig before = read_rig(folder_ / "hero.glb"), after = read_rig(folder_ / "out.glb"),
            rough = read_rig(folder_ / "rough.glb");
  const auto mean_difference = [&](const Rig& rig) {
    double sum = 0;
    for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
      for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
        sum += std::fabs(weight_of(rig.skin, v, int(b)) - weight_of(before.skin, v, int(b)));
      }
    }
    return sum / double(rig.mesh.vertex_count());
  };
  EXPECT_LT(mean_difference(after), 0.2 * mean_difference(rough));
}

TEST_F(CliEdit, strokes_are_replayed) {
  write("strokes.json", R"({"format": "sinew-strokes", "version": 1, "strokes": [
    {"bone": "forearm.L", "mode": "replace", "radius": 0.2, "strength": 1, "falloff": "constant",
     "mirror": true, "dabs": [{"ray": {"origin": [0.2, 0.1, 9], "direction": [0, 0, -1]}}]}]})");
  const nlohmann::json report = report_of("hero.glb -o out.glb --paint strokes.json");
  EXPECT_EQ(report["steps"][0]["dabs"], 1);
  EXPECT_GT(report["steps"][0]["vertices"].get<int>(), 4);
  report_of("hero.glb -o again.glb --paint strokes.json");
  EXPECT_EQ(bytes("again.glb"), bytes("out.glb"));
  EXPECT_NE(bytes("out.glb"), bytes("hero.glb"));
}

TEST_F(CliEdit, vertices_without_weights_end_with_status_1) {
  GltfBuilder b = small_character();
  b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = b.floats(
      {0, 0, 0, 0, 0, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
  write("holes.glb", b.glb());
  const Result result = run("edit holes.glb -o out.glb --normalize");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "3 vertices have no weight")) << result.err;
  EXPECT_TRUE(contains(result.out, "without weights: 3 (0, 1, 3)")) << result.out;
}

TEST_F(CliEdit, what_is_wrong_is_refused_before_anything_is_written) {
  expect_refused("hero.glb -o bad.glb", 2, "give at least one step");
  expect_refused("hero.glb --smooth 2", 2, "give -o OUT, or --dry-run");
  expect_refused("hero.glb -o bad.obj --smooth 2", 2, "a rig is written as .glb or .gltf");
  expect_refused("hero.glb -o bad.glb --smooth lots", 2, "'lots' is not a whole number");
  expect_refused("hero.glb -o bad.glb --where x --smooth 2", 2,
                 "--where follows the step that it is for");
  expect_refused("hero.glb -o bad.glb --smooth 2 --where \"x >\"", 2, "column 4");
  expect_refused("hero.glb -o bad.glb --smooth 2 --where foream.L", 2, "did you mean 'forearm.L'");
  expect_refused("hero.glb -o bad.glb --lock nose", 2, "there is no bone 'nose'");
  expect_refused("hero.glb -o bad.glb --smooth 2 --from left", 2, "--smooth does not take --from");
  expect_refused("hero.glb -o bad.glb --transfer missing.glb", 3, "missing.glb");
  expect_refused("missing.glb -o bad.glb --smooth 1", 3, "missing.glb");
  write("strokes.json", R"({"format": "sinew-strokes", "version": 1, "strokes": [
    {"bone": "nose", "radius": 1, "dabs": [{"position": [0, 0, 0]}]}]})");
  expect_refused("hero.glb -o bad.glb --smooth 1 --paint strokes.json", 3,
                 "strokes.json: /strokes/0/bone: there is no bone 'nose'");
  write("strokes.json",
        R"({"format": "sinew-strokes", "version": 1, "strokes": [{"radius": -1}]})");
  expect_refused("hero.glb -o bad.glb --paint strokes.json", 3,
                 "strokes.json: /strokes/0/radius: must be above 0");
}

}  // namespace
}  // namespace sinew
#endif
