// SPDX-License-Identifier: Apache-2.0
// Steps that change settings: what they set, that they can be undone, and what they refuse.
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/deform/default_curves.h"
#include "sinew/edit/edit.h"
#include "sinew/io/io.h"
#include "sinew/skin/projection.h"
#include "tests/support/paths.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

std::filesystem::path setting_file(const std::string& name) {
  const auto folder = binary_folder() / "settings_steps_test";
  std::filesystem::create_directories(folder);
  return folder / name;
}

StepReport run_step(Rig& rig, const char* name, const std::string& argument,
                    const std::string& where = {}) {
  StepText text{name, argument, {}};
  if (!where.empty()) text.modifiers.emplace_back("where", where);
  const std::vector<EditStep> steps{parse_step(text)};
  return edit(rig, steps).steps.at(0);
}

std::string text_fact(const StepReport& report, const std::string& name) {
  for (const StepFact& fact : report.facts) {
    if (fact.name == name) return std::get<std::string>(fact.value);
  }
  return "(none)";
}

double number_fact(const StepReport& report, const std::string& name) {
  for (const StepFact& fact : report.facts) {
    if (fact.name == name) return std::get<double>(fact.value);
  }
  return -1;
}

std::vector<std::string> list_fact(const StepReport& report, const std::string& name) {
  for (const StepFact& fact : report.facts) {
    if (fact.name == name) return std::get<std::vector<std::string>>(fact.value);
  }
  return {"(none)"};
}

Rig plain_tube() {
  return tube_rig({.endpoints = false, .shapes = false, .clips = false, .controls = false});
}

TEST(FilterStep, sets_and_removes_the_filters_of_bones) {
  Rig rig = plain_tube();
  const StepReport report = run_step(rig, "filter", "joint 1,2=0:0,0.3:0.1,1:1");
  EXPECT_EQ(report.arguments, "joint 1,2=0:0,0.3:0.1,1:1");
  EXPECT_EQ(list_fact(report, "filtered"), (std::vector<std::string>{"joint 1", "joint 2"}));
  EXPECT_EQ(list_fact(report, "before"), (std::vector<std::string>{"none", "none"}));
  EXPECT_EQ(text_fact(report, "after"), "0:0,0.3:0.1,1:1");
  ASSERT_EQ(rig.skin.filters.size(), 3u);
  EXPECT_TRUE(rig.skin.filters[0].stretch.is_identity());
  EXPECT_EQ(rig.skin.filters[1].stretch, (FilterCurve{{{0, 0}, {0.3, 0.1}, {1, 1}}}));
  EXPECT_TRUE(rig.skin.filters[1].twist.is_identity());
  const StepReport twist = run_step(rig, "twist-filter", "joint 1=free:0:0,0.5:1,1:0");
  EXPECT_EQ(rig.skin.filters[1].twist, (FilterCurve{{{0, 0}, {0.5, 1}, {1, 0}}, true}));
  EXPECT_EQ(text_fact(twist, "after"), "free:0:0,0.5:1,1:0");
  run_step(rig, "filter", "joint 1,joint 2=none");
  EXPECT_EQ(rig.skin.filters.size(), 3u);
  EXPECT_EQ(list_fact(run_step(rig, "twist-filter", "joint 1=none"), "before"),
            std::vector<std::string>{"free:0:0,0.5:1,1:0"});
  EXPECT_TRUE(rig.skin.filters.empty());
}

TEST(FilterStep, refuses_what_is_no_curve_or_no_bone) {
  Rig rig = plain_tube();
  const auto refused = [&](const char* argument) {
    return wrong_usage([&] { run_step(rig, "filter", argument); });
  };
  EXPECT_EQ(refused("joint 1"), "--filter: 'joint 1' is not of the form NAME=VALUE");
  EXPECT_EQ(refused("joint 1=0:0;1:1"),
            "--filter: '0:0;1:1' is no point of a curve; one is written 0:0,0.3:0.1,1:1, "
            "free:0:0,0.5:1,1:0 or none");
  EXPECT_EQ(refused("joint 1=0:0,0.5:1,1:0"),
            "--filter: filter point 2: (1, 0) must lie in [0, 1] x [0, 1], right of the point "
            "before it and not below it; a curve that falls starts with free:");
  EXPECT_EQ(refused("joint 7=none").find("there is no"), 0u);
}

TEST(TwistEndpointsStep, computes_reads_and_removes) {
  Rig rig = plain_tube();
  const StepReport report = run_step(rig, "twist-endpoints", "projection");
  EXPECT_EQ(rig.skin.twist_endpoints,
            projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights));
  EXPECT_TRUE(rig.skin.endpoints.empty());
  EXPECT_GT(report.largest_endpoint, 0.9);
  const auto file = setting_file("twist.dmat");
  write_matrix(file, {208, 3, std::vector<double>(208 * 3, 0.25)});
  run_step(rig, "twist-endpoints", file.string());
  EXPECT_EQ(rig.skin.twist_endpoints,
            std::vector<double>(rig.skin.weights.influences.size(), 0.25));
  const Rig before = rig;
  write_matrix(file, {208, 2, std::vector<double>(208 * 2, 0.25)});
  EXPECT_EQ(bad_input([&] { run_step(rig, "twist-endpoints", file.string()); }),
            file.string() +
                ": line 1: it has 208 rows and 2 columns, but there are 208 vertices and 3 bones");
  write_matrix(file, {208, 3, std::vector<double>(208 * 3, 1.25)});
  EXPECT_EQ(bad_input([&] { run_step(rig, "twist-endpoints", file.string()); }).find(file.string()),
            0u);
  EXPECT_EQ(rig, before);
  EXPECT_EQ(wrong_usage([&] {
              run_step(rig, "twist-endpoints", "magic");
            }).find("--twist-endpoints: there is no endpoint method 'magic'"),
            0u);
  run_step(rig, "twist-endpoints", "none");
  EXPECT_TRUE(rig.skin.twist_endpoints.empty());
}

TEST(TwistShareStep, sets_and_forgets_the_shares_of_a_joint) {
  Rig rig = plain_tube();
  const StepReport report = run_step(rig, "twist-share", "joint 1=0.25");
  EXPECT_EQ(rig.skeleton.joints[1].twist_shares, (TwistShares{0.25, 0.75}));
  EXPECT_EQ(text_fact(report, "after"), "0.25");
  const StepReport both = run_step(rig, "twist-share", "joint 1=0.25,0.5");
  EXPECT_EQ(rig.skeleton.joints[1].twist_shares, (TwistShares{0.25, 0.5}));
  EXPECT_EQ(list_fact(both, "before"), std::vector<std::string>{"0.25"});
  EXPECT_EQ(text_fact(run_step(rig, "twist-share", "joint 1=0.7"), "after"), "0.7");
  run_step(rig, "twist-share", "joint 1=none");
  EXPECT_FALSE(rig.skeleton.joints[1].twist_shares);
  EXPECT_EQ(wrong_usage([&] { run_step(rig, "twist-share", "joint 1=0.75,0.5"); }),
            "--twist-share: '0.75,0.5' is not a share from 0 to 1, two with a sum of at most 1 "
            "(0.25,0.5), or none");
  EXPECT_EQ(wrong_usage([&] { run_step(rig, "twist-share", "elbow=1"); }).find("there is no"), 0u);
}

TEST(BlendShareStep, sets_all_some_and_none) {
  Rig rig = plain_tube();
  StepReport report = run_step(rig, "blend-share", "0.75");
  EXPECT_EQ(rig.skin.blend_shares, std::vector<double>(208, 0.75));
  EXPECT_EQ(number_fact(report, "changed"), 208);
  report = run_step(rig, "blend-share", "0", "y > 3");
  std::size_t above = 0;
  for (std::size_t v = 0; v < 208; ++v) {
    const bool is_above = rig.mesh.positions[v].y > 3;
    above += is_above ? 1 : 0;
    EXPECT_EQ(rig.skin.blend_shares[v], is_above ? 0 : 0.75);
  }
  EXPECT_EQ(number_fact(report, "changed"), double(above));
  EXPECT_EQ(number_fact(report, "most"), 0.75);
  run_step(rig, "blend-share", "none");
  EXPECT_TRUE(rig.skin.blend_shares.empty());
  run_step(rig, "blend-share", "1", "vertex = 7");
  EXPECT_EQ(rig.skin.blend_shares[7], 1);
  EXPECT_EQ(rig.skin.blend_shares[8], default_blend_share);
  const auto file = setting_file("shares.dmat");
  Matrix matrix{208, 1, std::vector<double>(208, 0.125)};
  write_matrix(file, matrix);
  run_step(rig, "blend-share", file.string());
  EXPECT_EQ(rig.skin.blend_shares, matrix.values);
  matrix.values[9] = -1;
  write_matrix(file, matrix);
  EXPECT_EQ(bad_input([&] { run_step(rig, "blend-share", file.string()); }),
            file.string() + ": row 9: the share is -1; it must be from 0 to 1");
  EXPECT_EQ(wrong_usage([&] { run_step(rig, "blend-share", "1.5"); }),
            "--blend-share: '1.5' is not a number from 0 to 1");
}

TEST(JointWeightsStep, makes_endpoint_weights) {
  Rig rig = plain_tube();
  const auto file = setting_file("joints.dmat");
  Matrix matrix{208, 3, {}};
  for (const double j : {0.5, 0.25, 0.25}) matrix.values.resize(matrix.values.size() + 208, j);
  write_matrix(file, matrix);
  const StepReport report = run_step(rig, "joint-weights", file.string());
  ASSERT_EQ(rig.skin.endpoints.size(), rig.skin.weights.influences.size());
  for (std::size_t i = 0; i < rig.skin.endpoints.size(); ++i) {
    const int bone = rig.skin.weights.influences[i].bone;
    if (bone == 2) continue;
    EXPECT_EQ(rig.skin.endpoints[i], bone == 0 ? 0.375 : 0.5);
  }
  EXPECT_EQ(list_fact(report, "without_tail_joint"), std::vector<std::string>{"joint 2"});
  EXPECT_EQ(wrong_usage([&] { run_step(rig, "joint-weights", "joints.txt"); }),
            "--joint-weights: joints.txt: weights of joints are a .dmat");
}

TEST(DriversStep, clips_follow_their_controls) {
  Rig rig = tube_rig();
  const auto file = setting_file("drivers.json");
  write_file(file, R"({"controls": [{"name": "frown"}, {"name": "breath", "default": 1}],
    "drivers": [{"joint": "joint 1", "share": {"source": "joint 0", "share": 0.5}}]})");
  StepReport report = run_step(rig, "drivers", file.string());
  EXPECT_EQ(list_fact(report, "controls"), (std::vector<std::string>{"frown", "breath"}));
  EXPECT_EQ(list_fact(report, "drivers"), std::vector<std::string>{"joint 1 (joint 1)"});
  EXPECT_EQ(std::get<ControlChannel>(rig.clips[0].channels[4]).control, 1);
  report = run_step(rig, "drivers", "none");
  EXPECT_TRUE(rig.drivers.empty());
  EXPECT_TRUE(rig.controls.empty());
  EXPECT_EQ(rig.clips[0].channels.size(), 4u);
  EXPECT_EQ(number_fact(report, "removed_channels"), 1);
  write_file(file, R"({"drivers": [{"joint": "knee"}]})");
  EXPECT_EQ(bad_input([&] {
              run_step(rig, "drivers", file.string());
            }).find(file.string() + ": /drivers/0/joint: there is no joint 'knee'"),
            0u);
}

TEST(OffsetCurvesStep, changes_settings_and_takes_them_back) {
  Rig rig = plain_tube();
  const auto file = setting_file("curves.json");
  Matrix painted{208, default_curves(rig.skeleton).size(), {}};
  painted.values.assign(208 * painted.columns, 0);
  painted.values[5] = 1;
  write_matrix(setting_file("paint.dmat"), painted);
  write_file(file, R"({"roundness": 0.25, "paintedWeights": "paint.dmat"})");
  const StepReport report = run_step(rig, "offset-curves", file.string());
  EXPECT_EQ(rig.offset_curves.roundness, 0.25);
  EXPECT_EQ(number_fact(report, "painted_vertices"), 1);
  EXPECT_EQ(number_fact(report, "curves"), double(painted.columns));
  run_step(rig, "offset-curves", "none");
  EXPECT_EQ(rig.offset_curves, OffsetCurves{});
  write_file(file, R"({"roundness": 0.25, "paintedWeights": "nothing.dmat"})");
  EXPECT_TRUE(bad_input([&] {
                run_step(rig, "offset-curves", file.string());
              }).starts_with(file.string() + ": /paintedWeights: "));
}

TEST(LimitsStep, sets_all_limits_and_removes_them) {
  Rig rig = plain_tube();
  const auto file = setting_file("limits.json");
  write_file(file, R"({"limits": {"joint 1": {"hinge": [0, 0, 1], "range": [-20, 90]}}})");
  const StepReport report = run_step(rig, "limits", file.string());
  EXPECT_EQ(list_fact(report, "limits"), std::vector<std::string>{"joint 1 (joint 1)"});
  ASSERT_EQ(rig.limits.size(), 1u);
  EXPECT_EQ(rig.limits[0], (IkLimit{1, HingeLimit{{0, 0, 1}, radians(-20), radians(90)}}));
  write_file(file, R"({"limits": {"joint 0": {"cone": 20}}})");
  run_step(rig, "limits", file.string());
  ASSERT_EQ(rig.limits.size(), 1u);
  EXPECT_EQ(rig.limits[0].joint, 0);
  const Rig before = rig;
  write_file(file, R"({"limits": {"joint 0": {"cone": 20}, "joint 1": {"cone": 200}}})");
  EXPECT_EQ(bad_input([&] {
              run_step(rig, "limits", file.string());
            }).find(file.string() + ": /limits/joint 1: a limit"),
            0u);
  EXPECT_EQ(rig, before);
  run_step(rig, "limits", "none");
  EXPECT_TRUE(rig.limits.empty());
}

TEST(SettingsSteps, smoothing_and_pruning_leave_settings_alone) {
  Rig rig = tube_rig({.settings = true});
  rig.skin.weights = {};
  rig.skin.endpoints.clear();
  rig.skin.twist_endpoints.clear();
  // The last bone moves nothing, but has a filter.
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const Influence row[] = {{0, 0.5}, {1, 0.5}};
    rig.skin.weights.push_row(row);
  }
  const Rig before = rig;
  const std::vector<EditStep> steps{SmoothStep{2}, PruneStep{1}, NormalizeStep{}};
  edit(rig, steps);
  EXPECT_EQ(rig.skin.filters, before.skin.filters);
  EXPECT_EQ(rig.skin.blend_shares, before.skin.blend_shares);
  EXPECT_EQ(rig.offset_curves, before.offset_curves);
}

TEST(RemoveShapeStep, removes_shapes_with_all_that_drives_them) {
  Rig rig = tube_rig();
  ASSERT_EQ(rig.mesh.shapes.size(), 2u);
  rig.mesh.shapes.push_back(rig.mesh.shapes[0]);
  rig.mesh.shapes[2].name = "third";
  Curve<double> line;
  line.times = {0, 1};
  line.values = {0, 2};
  rig.shape_drivers = {{0, ControlInput{1}, line}, {2, ControlInput{0}, line}};
  rig.pose_spaces = {{{2}, {{{Vec3{0, 0, 1}}, {1}}}, {}}};
  validate(rig);
  const Rig before = rig;
  const Pose posed = pose_at(before, before.clips[0], 0.3);
  const StepReport report = run_step(rig, "remove-shape", "dent");
  EXPECT_EQ(list_fact(report, "removed_shapes"), std::vector<std::string>{"1 (dent)"});
  ASSERT_EQ(rig.mesh.shapes.size(), 2u);
  EXPECT_EQ(rig.mesh.shapes[0], before.mesh.shapes[0]);
  EXPECT_EQ(rig.mesh.shapes[1], before.mesh.shapes[2]);
  ASSERT_EQ(rig.shape_drivers.size(), 2u);
  EXPECT_EQ(rig.shape_drivers[1].shape, 1);
  EXPECT_TRUE(rig.pose_spaces.empty());
  // What stays moves as it did.
  const Pose left = pose_at(rig, rig.clips[0], 0.3);
  EXPECT_EQ(left.shapes, (std::vector<double>{posed.shapes[0], posed.shapes[2]}));
  EXPECT_EQ(left.joints, posed.joints);

  run_step(rig, "remove-shape", "1");
  EXPECT_EQ(rig.mesh.shapes.size(), 1u);
  EXPECT_EQ(rig.shape_drivers.size(), 1u);
  // All of one name are one shape over several meshes.
  rig.mesh.shapes.push_back(rig.mesh.shapes[0]);
  run_step(rig, "remove-shape", rig.mesh.shapes[0].name);
  EXPECT_TRUE(rig.mesh.shapes.empty());
  EXPECT_TRUE(rig.shape_drivers.empty());
  validate(rig);
}

TEST(RemoveShapeStep, an_example_stays_with_those_of_its_shapes_that_do) {
  Rig rig = tube_rig({.clips = false});
  rig.pose_spaces = {{{2}, {{{Vec3{0, 0, 1}}, {0, 1}}}, {}}};
  run_step(rig, "remove-shape", "0");
  ASSERT_EQ(rig.pose_spaces.size(), 1u);
  EXPECT_EQ(rig.pose_spaces[0].examples[0].shapes, std::vector<int>{0});
}

TEST(RemoveShapeStep, refuses_what_is_no_shape) {
  Rig rig = tube_rig();
  const Rig before = rig;
  EXPECT_EQ(wrong_usage([&] { run_step(rig, "remove-shape", "dint"); }),
            "--remove-shape: there is no blend shape 'dint' (did you mean 'dent'?); there are 2");
  EXPECT_EQ(wrong_usage([&] { run_step(rig, "remove-shape", "2"); }),
            "--remove-shape: there is no blend shape '2'; there are 2");
  EXPECT_EQ(rig, before);
}

}  // namespace
}  // namespace sinew
