// SPDX-License-Identifier: Apache-2.0
// What a rig keeps, as people set it, see it and use it from a terminal.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/io/obj.h"
#include "sinew/mesh/mesh.h"
#include "tests/support/cli.h"
#include "tests/support/comparing.h"

namespace sinew {
namespace {

class CliSettings : public Cli {
 protected:
  CliSettings() {
    EXPECT_EQ(run("sample tube3 -o tube.glb --resolution 300").status, 0);
    write("pose.json", R"({"joints": {"1": {"rotation": [0, 0, 0.5, 0.8660254037844386]}}})");
  }

  void expect_run(const std::string& arguments) const {
    const Result result = run(arguments);
    ASSERT_EQ(result.status, 0) << arguments << "\n" << result.err;
  }

  nlohmann::json settings_of(const char* file) const {
    const Result result = run(std::string("info --json ") + file);
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out)["settings"];
  }

  // In the pose, by the method with its options.
  std::vector<Vec3> posed(const std::string& file, const std::string& method) const {
    expect_run("deform " + file + " --pose pose.json -o posed.obj --method " + method);
    return read_rig(folder_ / "posed.obj").mesh.positions;
  }

  std::string joint(int index) const {
    return read_rig(folder_ / "tube.glb").skeleton.joints[index].name;
  }
};

TEST_F(CliSettings, every_setting_is_kept_listed_and_can_be_removed) {
  const std::string first = joint(0), second = joint(1);
  write("drivers.json", R"({"controls": [{"name": "breath"}], "drivers": [{"joint": ")" + second +
                            R"(", "share": {"source": ")" + first + R"(", "share": 0.5}}]})");
  write("curves.json", R"({"placement": 1.5, "controls": {")" + second + R"(": {"slide": 0.1}}})");
  write("limits.json",
        R"({"limits": {")" + second + R"(": {"hinge": [0, 0, 1], "range": [-33.3, 140]}}})");
  const std::string all =
      "edit tube.glb -o all.glb --filter '" + first + "=0:0,0.3:0.1,1:1' --twist-filter '" + first +
      "=free:0:0,0.5:1,1:0' --twist-endpoints projection --twist-share '" + second +
      "=0.25' --blend-share 0.75 --drivers drivers.json "
      "--offset-curves curves.json --limits limits.json --muscle '" +
      first + "' --by-angle '" + second + ":0:60:0.5'";
  expect_run(all);
  const nlohmann::json settings = settings_of("all.glb");
  EXPECT_EQ(settings["twist_endpoint_weights"], true);
  EXPECT_EQ(settings["blend_shares"]["mean"], 0.75);
  EXPECT_EQ(settings["filters"][first]["stretch"][1], nlohmann::json({0.3, 0.1}));
  EXPECT_EQ(settings["filters"][first]["twist"]["free"][1], nlohmann::json({0.5, 1}));
  EXPECT_EQ(settings["muscles"][first]["angle"]["joint"], second);
  EXPECT_EQ(settings["twist_shares"][second], nlohmann::json({0.25, 0.75}));
  EXPECT_EQ(settings["drivers"][0]["joint"], second);
  EXPECT_EQ(settings["offset_curves"]["placement"], 1.5);
  EXPECT_EQ(settings["limits"][second]["range"], nlohmann::json({-33.3, 140}));
  const std::string text = run("info all.glb").out;
  for (const char* label : {"twist endpoints", "blend shares", "filters", "muscles", "twist shares",
                            "offset curves", "generalized bones", "control", "joint limits"}) {
    EXPECT_TRUE(contains(text, std::string("  ") + label)) << label << "\n" << text;
  }
  // The same steps again, or one of them, change nothing.
  const std::string bytes = read_file(folder_ / "all.glb");
  const std::string steps = all.substr(std::string("edit tube.glb -o all.glb").size());
  for (const std::string& same : {steps, std::string(" --blend-share 0.75")}) {
    expect_run("edit all.glb -o again.glb" + same);
    EXPECT_EQ(read_file(folder_ / "again.glb"), bytes) << same;
  }

  expect_run(
      "edit all.glb -o none.glb --filter '" + first + "=none' --twist-filter '" + first +
      "=none' --twist-endpoints none --twist-share '" + second +
      "=none' --blend-share none --drivers none --offset-curves none --limits none --muscle '" +
      first + "=none'");
  // The sample has shares of its own.
  nlohmann::json expected = settings_of("tube.glb");
  expected["twist_shares"].erase(second);
  EXPECT_EQ(settings_of("none.glb"), expected);
}

TEST_F(CliSettings, muscles_bulge_by_methods_that_read_endpoint_weights) {
  expect_run("edit tube.glb -o strong.glb --muscle '" + joint(0) + "' --by-angle '" + joint(1) +
             ":0:60:0.5'");
  const auto plain = posed("tube.glb", "stbs-dqs");
  EXPECT_GT(largest_difference(posed("strong.glb", "stbs-dqs"), plain),
            0.01 * bounding_box(plain).diagonal());
  EXPECT_EQ(posed("strong.glb", "lbs"), posed("tube.glb", "lbs"));
}

TEST_F(CliSettings, where_no_method_is_named_blend_shares_decide) {
  expect_run("edit tube.glb -o mixed.glb --blend-share 0");
  for (const auto& [file, method] :
       {std::pair{"tube.glb", "stbs-dqs"}, std::pair{"mixed.glb", "stbs-mixed"}}) {
    const std::string pose = std::string(file) + " --pose pose.json ";
    const Result deformed = run("deform " + pose + "-o posed.obj --json");
    ASSERT_EQ(deformed.status, 0) << deformed.err;
    EXPECT_EQ(nlohmann::json::parse(deformed.out)["method"], method);
    expect_run("render " + pose + "--size 90 -o a.png");
    expect_run("render " + pose + "--size 90 -o b.png --method " + method);
    EXPECT_EQ(image("a.png").pixels(), image("b.png").pixels()) << method;
    const Result compared = run("compare " + pose + "--json");
    ASSERT_EQ(compared.status, 0) << compared.err;
    EXPECT_EQ(nlohmann::json::parse(compared.out)["methods"].back()["method"], method);
    const std::string cache = std::string("bake ") + file + " --to cache --clip 0 --fps 4 -o ";
    expect_run(cache + "a.pc2");
    expect_run(cache + "b.pc2 --method " + method);
    EXPECT_EQ(read_file(folder_ / "a.pc2"), read_file(folder_ / "b.pc2")) << method;
  }
  EXPECT_GT(largest_difference(posed("mixed.glb", "stbs-mixed"), posed("tube.glb", "stbs-dqs")),
            0.01);
}

TEST_F(CliSettings, methods_use_what_the_rig_keeps_unless_told_otherwise) {
  const auto linear = posed("tube.glb", "lbs"), dual = posed("tube.glb", "dqs");
  ASSERT_GT(largest_difference(linear, dual), 0.01);
  expect_run("edit tube.glb -o mixed.glb --blend-share 1 --blend-share 0 --where 'x > 0'");
  const auto mixed = posed("mixed.glb", "mixed");
  const Mesh mesh = read_rig(folder_ / "tube.glb").mesh;
  for (std::size_t v = 0; v < mixed.size(); ++v) {
    const Vec3& expected = mesh.positions[v].x > 0 ? linear[v] : dual[v];
    EXPECT_LT(distance(mixed[v], expected), 1e-5) << v;
  }
  EXPECT_LT(largest_difference(posed("mixed.glb", "mixed --blend-share 1"), dual), 1e-5);
  EXPECT_EQ(posed("mixed.glb", "lbs"), linear);

  if (run("deform tube.glb --pose pose.json -o posed.obj --method ocd-arc").status != 0) return;
  write("curves.json", R"({"roundness": 0.1, "placement": 1.2})");
  expect_run("edit tube.glb -o sharp.glb --offset-curves curves.json");
  const auto arc = posed("tube.glb", "ocd-arc"), sharp = posed("sharp.glb", "ocd-arc");
  EXPECT_GT(largest_difference(arc, sharp), 1e-3);
  EXPECT_EQ(posed("sharp.glb", "ocd-arc --roundness 0.5"), arc);
  EXPECT_EQ(posed("tube.glb", "ocd-spline --placement 1.2"), posed("sharp.glb", "ocd-spline"));
}

TEST_F(CliSettings, computing_weights_leaves_alone_what_it_does_not_compute) {
  const std::string first = joint(0);
  expect_run(
      "edit tube.glb -o kept.glb --twist-endpoints projection --blend-share 0.25 --filter '" +
      first + "=0:0,0.3:0.1,1:1'");
  const Rig before = read_rig(folder_ / "kept.glb");
  expect_run("weights kept.glb --endpoints idw -o endpoints.glb --endpoint-weights-out e.dmat");
  const Rig endpoints = read_rig(folder_ / "endpoints.glb");
  EXPECT_NE(endpoints.skin.endpoints, before.skin.endpoints);
  EXPECT_EQ(endpoints.skin.twist_endpoints, before.skin.twist_endpoints);
  EXPECT_EQ(endpoints.skin.filters, before.skin.filters);
  EXPECT_EQ(endpoints.skin.blend_shares, before.skin.blend_shares);

  const Result computed =
      run("weights kept.glb --method shepard --endpoints idw -o bones.glb --json");
  ASSERT_EQ(computed.status, 0) << computed.err;
  const auto report = nlohmann::json::parse(computed.out)["twist_endpoints"];
  const Rig bones = read_rig(folder_ / "bones.glb");
  EXPECT_NE(bones.skin.weights, before.skin.weights);
  ASSERT_EQ(bones.skin.twist_endpoints.size(), bones.skin.weights.influences.size());
  EXPECT_EQ(report["kept"].get<std::size_t>() + report["added"].get<std::size_t>(),
            bones.skin.weights.influences.size());
  EXPECT_GT(report["kept"].get<std::size_t>(), 0u);
  EXPECT_GT(report["added"].get<std::size_t>(), 0u);
  EXPECT_EQ(bones.skin.filters, before.skin.filters);
  EXPECT_EQ(bones.skin.blend_shares, before.skin.blend_shares);

  // The same for weights from files, where a command reads them.
  write("pose.json", R"({"joints": {"1": {"rotation": [0.5, 0.5, 0.5, 0.5]}}})");
  const auto expected = posed("endpoints.glb", "stbs-lbs");
  EXPECT_LT(largest_difference(posed("kept.glb --endpoint-weights e.dmat", "stbs-lbs"), expected),
            1e-5);
  expect_run("edit endpoints.glb -o without.glb --twist-endpoints none");
  EXPECT_GT(largest_difference(posed("without.glb", "stbs-lbs"), expected), 1e-3);
}

TEST_F(CliSettings, bad_files_are_named_and_nothing_is_written) {
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Result result = run("edit tube.glb -o bad.glb " + arguments);
    EXPECT_EQ(result.status, 3) << arguments << "\n" << result.err;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.glb")) << arguments;
  };
  write("bad.json", R"({"drivers": [{"joint": "no such"}]})");
  refused("--drivers bad.json", "bad.json: /drivers/0/joint: there is no joint 'no such'");
  write("bad.json", R"({"placement": -1})");
  refused("--offset-curves bad.json", "bad.json: /placement: must be above 0");
  write("bad.dmat", "1 2\n0.5\n0.5\n");
  refused("--blend-share bad.dmat", "bad.dmat: line 1: it has 2 rows and 1 columns");
  refused("--twist-endpoints bad.dmat", "bad.dmat: line 1: it has 2 rows and 1 columns");
  refused("--joint-weights bad.dmat", "bad.dmat: line 1: it has 2 rows and 1 columns");
  refused("--drivers missing.json", "missing.json");
  EXPECT_EQ(run("edit tube.glb -o bad.glb --filter 'no such=0:0'").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.glb"));
}

}  // namespace
}  // namespace sinew
#endif
