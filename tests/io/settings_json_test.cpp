// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/settings_json.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/deform/default_curves.h"
#include "sinew/io/dmat.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(SettingsJson, names_what_a_rig_keeps) {
  const Rig rig = tube_rig({.settings = true});
  const nlohmann::json settings = nlohmann::json::parse(settings_to_json(rig));
  EXPECT_EQ(settings["twist_endpoint_weights"], true);
  EXPECT_EQ(settings["blend_shares"]["most"], 1);
  EXPECT_EQ(settings["filters"]["joint 0"]["twist"]["free"][1], nlohmann::json({0.5, 1}));
  EXPECT_FALSE(settings["filters"].contains("joint 2"));
  EXPECT_EQ(settings["twist_shares"], nlohmann::json({{"joint 1", {0.25, 0.75}}}));
  EXPECT_EQ(settings["drivers"][1]["share"]["source"], "joint 0");
  EXPECT_EQ(settings["offset_curves"]["curves"][1]["bones"],
            nlohmann::json({"joint 1", "joint 2"}));
  EXPECT_EQ(settings["offset_curves"]["painted"], true);
  const nlohmann::json none = nlohmann::json::parse(settings_to_json(
      tube_rig({.endpoints = false, .shapes = false, .clips = false, .controls = false})));
  EXPECT_EQ(none["twist_endpoint_weights"], false);
  EXPECT_TRUE(none["blend_shares"].is_null());
  EXPECT_TRUE(none["filters"].empty());
  EXPECT_TRUE(none["offset_curves"].is_null());
}

TEST(SettingsJson, muscles_are_listed_by_name_and_read_again) {
  Rig rig = tube_rig({.settings = true});
  const nlohmann::json settings = nlohmann::json::parse(settings_to_json(rig));
  EXPECT_EQ(settings["muscles"]["joint 0"], nlohmann::json({{"stretch", 0.75}}));
  EXPECT_EQ(settings["muscles"]["joint 1"]["angle"]["joint"], "joint 2");
  EXPECT_FALSE(settings["muscles"].contains("joint 2"));
  EXPECT_EQ(muscles_to_json(rig), settings["muscles"].dump(2));
  EXPECT_EQ(parse_muscles(muscles_to_json(rig), rig), rig.skin.muscles);
  EXPECT_TRUE(parse_muscles("{}", rig).empty());
  const auto refused = [&](const char* json) {
    return bad_input([&] { parse_muscles(json, rig); });
  };
  EXPECT_EQ(refused(R"({"joint 0": {"profile": [[0, 0]]}})"),
            "/joint 0: nothing drives it: it needs \"stretch\" or \"angle\"");
  EXPECT_NE(refused(R"({"joint 7": {"stretch": 1}})").find("/joint 7: "), std::string::npos);
  EXPECT_NE(refused(R"({"joint 0": {"strecth": 1}})").find("strecth"), std::string::npos);
  EXPECT_NE(refused(R"({"0": {"angle": {"joint": "joint 1", "range": [5, 5], "gain": 1}}})")
                .find("they must differ"),
            std::string::npos);
}

TEST(SettingsJson, what_is_listed_can_be_read_again) {
  const Rig rig = tube_rig({.settings = true});
  const nlohmann::json settings = nlohmann::json::parse(settings_to_json(rig));
  const nlohmann::json drivers = {{"controls", settings["controls"]},
                                  {"drivers", settings["drivers"]}};
  const GeneralizedBones bones = parse_drivers(drivers.dump(), rig);
  EXPECT_EQ(bones.controls, rig.controls);
  EXPECT_EQ(bones.drivers, rig.drivers);
  const nlohmann::json limits = {{"limits", settings["limits"]}};
  EXPECT_EQ(parse_limits(limits.dump(), rig).size(), rig.limits.size());
  nlohmann::json curves = settings["offset_curves"];
  curves.erase("painted");
  curves.erase("curves");
  EXPECT_EQ(parse_offset_curves(curves.dump(), rig), rig.offset_curves);
}

TEST(SettingsJson, joints_that_share_a_name_are_numbers) {
  Rig rig = tube_rig({.settings = true});
  rig.skeleton.joints[2].name = rig.skeleton.joints[1].name;
  const nlohmann::json settings = nlohmann::json::parse(settings_to_json(rig));
  EXPECT_EQ(settings["drivers"][0]["joint"], 2);
  EXPECT_EQ(settings["offset_curves"]["curves"][1]["bones"], nlohmann::json({1, 2}));
}

TEST(SettingsJson, controls_of_drivers_may_be_named) {
  const Rig rig = tube_rig();
  const GeneralizedBones bones = parse_drivers(
      R"({"drivers": [{"joint": "joint 2", "follow": {"property": "rotation", "axis": [1, 0, 0],
          "control": "smile",
          "curve": {"interpolation": "linear", "times": [0, 1], "values": [0, 30]}}}]})",
      rig);
  EXPECT_EQ(bones.controls, rig.controls);
  ASSERT_EQ(bones.drivers.size(), 1u);
  EXPECT_EQ(bones.drivers[0].joint, 2);
  EXPECT_EQ(std::get<ControlInput>(std::get<Follow>(bones.drivers[0].rule).input).control, 1);
}

TEST(SettingsJson, bad_drivers_are_refused_with_their_place) {
  const Rig rig = tube_rig();
  const auto refused = [&](const char* text) {
    return bad_input([&] { parse_drivers(text, rig); });
  };
  EXPECT_EQ(refused(R"({"driver": []})"),
            "/driver: is not known here; there may be controls, drivers, poseSpaces");
  EXPECT_EQ(refused(R"({"controls": [{"name": "a", "defalt": 1}]})"),
            "/controls/0/defalt: is not known here; there may be name, default");
  EXPECT_EQ(refused(R"({"controls": [{"name": "a"}, {"name": "a"}]})"),
            "/controls/1/name: another control has this name already");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": 1, "speed": 2}]})"),
            "/drivers/0/speed: is not known here; there may be joint, share, follow");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": 1, "share": {"source": 0, "shares": 1}}]})"),
            "/drivers/0/share/shares: is not known here; there may be source, share");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": 1, "share": {}, "follow": {}}]})"),
            "/drivers/0: has a share or follows something, not both");
  const auto followed = [&](const std::string& members, const std::string& curve) {
    return refused((R"({"drivers": [{"joint": 1, "follow": {"property": "scale", )" + members +
                    R"(, "curve": {"interpolation": "linear", )" + curve + "}}}]}")
                       .c_str());
  };
  const std::string curve = R"("times": [0, 1], "values": [1, 2])";
  EXPECT_EQ(followed(R"("control": 0)", curve), "");
  EXPECT_EQ(
      followed(R"("control": 0, "axs": [1, 0, 0])", curve),
      "/drivers/0/follow/axs: is not known here; there may be property, axis, angle, control, "
      "curve");
  EXPECT_EQ(followed(R"("control": 0, "angle": {"joint": 0})", curve),
            "/drivers/0/follow: follows an angle or a control, not both");
  EXPECT_EQ(followed(R"("angle": {"joint": 0, "about": 1})", curve),
            "/drivers/0/follow/angle/about: is not known here; there may be joint, axis");
  EXPECT_EQ(followed(R"("control": 0)", curve + R"(, "ease": 1)"),
            "/drivers/0/follow/curve/ease: is not known here; there may be interpolation, times, "
            "values, in, out");
  EXPECT_EQ(followed(R"("control": 0)", R"("times": [], "values": [])"),
            "/drivers/0/follow/curve/times: needs a time at least");
  const auto bent = [&](const char* kind, const char* in, const char* out) {
    return refused((R"({"drivers": [{"joint": 1, "follow": {"property": "scale", "control": 0,
                        "curve": {"times": [0, 1], "values": [1, 2], "interpolation": ")" +
                    std::string(kind) + R"(", "in": [[0, 0], )" + in + R"(], "out": [)" + out +
                    R"(, [0, 0]]}}}]})")
                       .c_str());
  };
  EXPECT_EQ(bent("bezier", "[-0.5, 0]", "[0.5, 0]"), "");
  EXPECT_EQ(bent("bezier", "[0.5, 0]", "[0.5, 0]"),
            "/drivers/0/follow/curve/in/1/0: must be 0 or less: the handle lies before its key");
  EXPECT_EQ(bent("bezier", "[-0.5, 0]", "[-0.5, 0]"),
            "/drivers/0/follow/curve/out/0/0: must be 0 or more: the handle lies after its key");
  EXPECT_EQ(bent("hermite", "[0.5, 0]", "[-0.5, 0]"), "");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": "joint 3", "share": {}}]})"),
            "/drivers/0/joint: there is no joint 'joint 3' (did you mean 'joint 0', 'joint 1' or "
            "'joint 2'?)");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": 7}]})"),
            "/drivers/0/joint: must be an index into the 3 joints, but is 7");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": 1, "share": {"source": 0, "share": 1e999}}]})"),
            "line 1, byte 0: not usable as JSON: it has a number too large to be represented");
  EXPECT_EQ(refused(R"({"drivers": [{"joint": 1, "share": {"source": 1, "share": 1}}]})")
                .find("/drivers: drivers: generalized bones depend on each other in a cycle"),
            0u);
}

TEST(SettingsJson, limits_are_read_and_bad_ones_refused_with_their_place) {
  const Rig rig = tube_rig();
  const auto limits = parse_limits(
      R"({"limits": {"joint 1": {"hinge": [0, 0, 2], "range": [-10, 20]}, "0": {"cone": 30}}})",
      rig);
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0], (IkLimit{0, ConeLimit{{0, 1, 0}, radians(30)}}));
  EXPECT_EQ(limits[1], (IkLimit{1, HingeLimit{{0, 0, 1}, radians(-10), radians(20)}}));
  const auto refused = [&](const std::string& text) {
    return bad_input([&] { parse_limits(text, rig); });
  };
  EXPECT_EQ(refused("{}"), "/limits: is required but missing");
  EXPECT_EQ(refused(R"({"limit": {}})"), "/limit: is not known here; there may be limits");
  EXPECT_EQ(refused(R"({"limits": []})"), "/limits: must be an object of names or numbers");
  EXPECT_EQ(refused(R"({"limits": {"joint 1": {"cone": 5}, "1": {"cone": 5}}})"),
            "/limits: joint 1 has a limit already");
  const auto refused_limit = [&](const std::string& limit) {
    return refused(R"({"limits": {"joint 1": )" + limit + "}}");
  };
  EXPECT_EQ(refused_limit("null"), "/limits/joint 1: must be an object, but is of type null");
  EXPECT_EQ(refused_limit(R"({"cone": 5, "hinge": [1, 0, 0]})"),
            "/limits/joint 1/hinge: is not known here; there may be cone, twist, axis");
  EXPECT_EQ(refused_limit(R"({"cone": 5, "twist": [1]})"),
            "/limits/joint 1/twist: must have 2 numbers, but has 1");
  EXPECT_EQ(refused_limit(R"({"x": [5, 10]})"),
            "/limits/joint 1: a limit goes from 5 to 10 degrees; it goes from -180 to 180 at most, "
            "and 0 is in it");
}

TEST(SettingsJson, offset_curves_change_what_is_said) {
  const Rig rig = tube_rig({.settings = true});
  const OffsetCurves kept = parse_offset_curves(R"({"roundness": 1})", rig);
  EXPECT_EQ(kept.roundness, 1);
  EXPECT_EQ(kept.placement, rig.offset_curves.placement);
  EXPECT_EQ(kept.painted_weights, rig.offset_curves.painted_weights);
  const OffsetCurves controlled =
      parse_offset_curves(R"({"controls": {"joint 2": {"slide": 0.5}}})", rig);
  EXPECT_EQ(controlled.curves[1].controls.slide, 0.5);
  EXPECT_EQ(controlled.curves[1].controls.rescale, 0.75);
  EXPECT_EQ(controlled.curves[0], rig.offset_curves.curves[0]);
  const OffsetCurves other = parse_offset_curves(R"({"curves": [{"bones": ["joint 0"]}]})", rig);
  EXPECT_EQ(other.curves, (std::vector<InfluenceCurve>{{.bones = {0}}}));
  EXPECT_TRUE(other.painted_weights.empty());
  // Without curves of its own, a rig has the default ones.
  const Rig plain = tube_rig();
  const OffsetCurves defaults =
      parse_offset_curves(R"({"controls": {"joint 1": {"along": 0.5}}})", plain);
  ASSERT_EQ(defaults.curves.size(), default_curves(plain.skeleton).size());
  EXPECT_EQ(defaults.curves[0].bones, default_curves(plain.skeleton)[0].bones);
  EXPECT_EQ(defaults.curves[0].controls.along, 0.5);
}

TEST(SettingsJson, painted_weights_come_as_rows_or_as_a_file) {
  const Rig rig = tube_rig({.settings = true});
  const std::size_t vertices = rig.mesh.vertex_count();
  nlohmann::json rows = nlohmann::json::array();
  Matrix matrix{vertices, 2, {}};
  for (std::size_t v = 0; v < vertices; ++v) rows.push_back({double(v), 1});
  for (std::size_t v = 0; v < vertices; ++v) matrix.values.push_back(double(v));
  matrix.values.resize(2 * vertices, 1);
  const OffsetCurves by_rows =
      parse_offset_curves(nlohmann::json{{"paintedWeights", rows}}.dump(), rig);
  EXPECT_EQ(by_rows.painted_weights[2 * 5], 5);
  EXPECT_EQ(by_rows.painted_weights[2 * 5 + 1], 1);
  const auto by_file = [&](const Matrix& m) {
    return parse_offset_curves(R"({"paintedWeights": "paint.dmat"})", rig,
                               [&](const std::string& name) {
                                 EXPECT_EQ(name, "paint.dmat");
                                 return write_dmat(m);
                               });
  };
  EXPECT_EQ(by_file(matrix), by_rows);
  EXPECT_TRUE(parse_offset_curves(R"({"paintedWeights": null})", rig).painted_weights.empty());
  EXPECT_EQ(bad_input([&] {
              by_file({1, 2, {1, 1}});
            }),
            "/paintedWeights: has 1 rows and 2 columns, but there are 208 vertices and 2 curves");
  matrix.values[3] = -1;
  EXPECT_EQ(bad_input([&] { by_file(matrix); }),
            "/paintedWeights: vertex 3 has the weight -1 for curve 0; weights are numbers from 0 "
            "on");
}

TEST(SettingsJson, bad_offset_curves_are_refused_with_their_place) {
  const Rig rig = tube_rig({.settings = true});
  const auto refused = [&](const char* text) {
    return bad_input([&] { parse_offset_curves(text, rig); });
  };
  EXPECT_EQ(refused(R"({"roundness": -1})"), "/roundness: must be 0 or more");
  EXPECT_EQ(refused(R"({"placement": "far"})"),
            "/placement: must be a number, but is of type string");
  EXPECT_EQ(refused(R"({"curves": [{"bones": ["elbow"]}]})").find("/curves/0/bones/0: "), 0u);
  EXPECT_EQ(refused(R"({"curves": [{"bones": [0, 0]}]})"),
            "/curves/0/bones/1: names a bone that is in the curve already");
  EXPECT_EQ(refused(R"({"curves": [{"bones": [0]}, {"bones": [0, 2]}]})"),
            "/curves/1/bones/1: 'joint 2' is not connected to 'joint 0', the bone before it in the "
            "curve");
  EXPECT_EQ(refused(R"({"curves": [{"bones": [1, 0]}]})"),
            "/curves/0/bones/1: 'joint 0' is not connected to 'joint 1', the bone before it in the "
            "curve");
  EXPECT_EQ(refused(R"({"curves": [{"bones": [2], "leadIn": 0}]})"),
            "/curves/0/leadIn: 'joint 0' is not connected to 'joint 2', where the curve starts");
  EXPECT_EQ(refused(R"({"curves": [{"bones": [0], "outwards": 1}]})").find("/curves/0/outwards: "),
            0u);
  EXPECT_EQ(refused(R"({"controls": {"joint 1": {"twist": [[0, 1], [1, 0]]}}})")
                .find("/controls/joint 1/twist: filter point 1: "),
            0u);
  EXPECT_EQ(refused(R"({"paintedWeights": [[1, 0]]})"),
            "/paintedWeights: has 1 rows, but there are 208 vertices");
  EXPECT_EQ(refused(R"({"paintedWeights": "paint.dmat"})"),
            "/paintedWeights: names a file, but only rows of numbers can be read here");
  EXPECT_EQ(bad_input([&] {
              parse_offset_curves(R"({"paintedWeights": "paint.dmat"})", rig,
                                  [](const std::string& name) -> std::string {
                                    throw FileError(name + ": cannot be opened");
                                  });
            }),
            "/paintedWeights: paint.dmat: cannot be opened");
}

TEST(SettingsJson, a_curve_passes_where_bones_meet_or_hang_from_each_other) {
  Rig rig = tube_rig();
  // A gap between the bones, as between a collar bone and an arm: the second hangs from the first.
  rig.skeleton.bones[0].tail.y -= 0.5;
  EXPECT_EQ(parse_offset_curves(R"({"curves": [{"bones": [0, 1]}]})", rig).curves[0].bones.size(),
            2u);
  // No bone hangs from another, but they meet.
  Rig segments;
  const std::vector<Vec3> points{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
  const std::vector<std::array<int, 2>> ends{{0, 1}, {1, 2}};
  segments.skeleton = skeleton_from_segments(points, ends);
  for (Joint& joint : segments.skeleton.joints) joint.parent = no_joint;
  EXPECT_EQ(
      parse_offset_curves(R"({"curves": [{"bones": [0, 1]}]})", segments).curves[0].bones.size(),
      2u);
}

}  // namespace
}  // namespace sinew
