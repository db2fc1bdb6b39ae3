// SPDX-License-Identifier: Apache-2.0
// Steps that are given what is in files, and painting, through the C interface.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/bindings_c/c_api.h"

namespace sinew::c_api {
namespace {

class CEditing : public CApi {};

using Json = nlohmann::json;

// Of a stroke over the middle of a sample.
const char* const some_strokes =
    R"({"format": "sinew-strokes", "version": 1, "strokes": [{"bone": 0, "mode": "replace",
        "radius": 0.4, "dabs": [{"position": [0.3, 0, 0]}, {"triangle": 7, "barycentric": [1, 0, 0]}]}]})";

std::string step_of(const std::string& name, const std::string& content) {
  return "[{\"" + name + "\": " + content + "}]";
}

TEST_F(CEditing, steps_take_what_is_in_files_in_place_of_their_names) {
  const std::string file = testing::TempDir() + "sinew_c_strokes.json";
  std::ofstream(file) << some_strokes;
  const OwnedRig from_file = sample("arm", 300), rig = sample("arm", 300);
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  ASSERT_OK(sinew_rig_edit(from_file, step_of("paint", "\"" + file + "\"").c_str(), nullptr,
                           nullptr, nullptr));
  OwnedBuffer report;
  ASSERT_OK(
      sinew_rig_edit(rig, step_of("paint", some_strokes).c_str(), nullptr, nullptr, report.out()));
  EXPECT_NE(field_of(rig, SINEW_WEIGHTS), before);
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), field_of(from_file, SINEW_WEIGHTS));
  EXPECT_EQ(Json::parse(text_in(report)).at("steps")[0].at("arguments"), "/0/paint");
  std::ofstream(file) << "{}";
  EXPECT_REFUSED(
      sinew_rig_edit(rig, step_of("paint", "\"" + file + "\"").c_str(), nullptr, nullptr, nullptr),
      SINEW_ERROR_INPUT, file + ": /format: ");
  std::filesystem::remove(file);

  ASSERT_OK(sinew_rig_edit(rig,
                           R"([{"drivers": {"controls": [{"name": "breath", "default": 0.25}]}},
                                    {"offset-curves": {"roundness": 0.25}}])",
                           nullptr, nullptr, nullptr));
  EXPECT_EQ(field_of(rig, SINEW_CONTROL_DEFAULTS), std::vector<double>{0.25});
  const std::string row = Json(std::vector<double>(count_of(rig, SINEW_BONE), 0.25)).dump();
  std::string rows;
  for (std::size_t v = 0; v < count_of(rig, SINEW_VERTEX); ++v) rows += (v > 0 ? "," : "") + row;
  ASSERT_OK(sinew_rig_edit(rig, step_of("twist-endpoints", "[" + rows + "]").c_str(), nullptr,
                           nullptr, nullptr));
  EXPECT_EQ(field_of(rig, SINEW_TWIST_ENDPOINTS),
            std::vector<double>(count_of(rig, SINEW_INFLUENCE), 0.25));
}

TEST_F(CEditing, weights_are_transferred_from_another_handle) {
  const OwnedRig source = sample("arm", 300), rig = sample("arm", 200);
  ASSERT_OK(
      sinew_rig_edit(source, step_of("paint", some_strokes).c_str(), nullptr, nullptr, nullptr));
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  const auto number = reinterpret_cast<std::uintptr_t>(static_cast<sinew_rig*>(source));
  const auto other = [](std::uintptr_t handle) {
    return step_of("transfer", "{\"rig\": " + std::to_string(handle) + "}");
  };
  ASSERT_OK(sinew_rig_edit(rig, other(number).c_str(), nullptr, nullptr, nullptr));
  EXPECT_NE(field_of(rig, SINEW_WEIGHTS), before);
  EXPECT_REFUSED(sinew_rig_edit(rig, other(0).c_str(), nullptr, nullptr, nullptr),
                 SINEW_ERROR_HANDLE, "NULL");
  EXPECT_REFUSED(sinew_rig_edit(rig, other(number + 1).c_str(), nullptr, nullptr, nullptr),
                 SINEW_ERROR_HANDLE, "rig");
  EXPECT_REFUSED(
      sinew_rig_edit(rig, step_of("transfer", "{\"rig\": -1}").c_str(), nullptr, nullptr, nullptr),
      SINEW_ERROR_INPUT, "/0/transfer: ");
}

TEST_F(CEditing, what_is_wrong_in_a_content_is_named_with_its_place) {
  const OwnedRig rig = sample("arm", 150);
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  const auto refused = [&](const std::string& name, const std::string& content, sinew_status status,
                           const std::string& message) {
    EXPECT_REFUSED(sinew_rig_edit(rig, step_of(name, content).c_str(), nullptr, nullptr, nullptr),
                   status, message);
  };
  refused("paint", "{}", SINEW_ERROR_INPUT, "/0/paint/format: is required");
  Json strokes = Json::parse(some_strokes);
  strokes["strokes"][0]["bone"] = "tail";
  refused("paint", strokes.dump(), SINEW_ERROR_INPUT, "/0/paint/strokes/0/bone: ");
  strokes["strokes"][0]["radius"] = -1;
  refused("paint", strokes.dump(), SINEW_ERROR_INPUT, "/0/paint/strokes/0/radius: ");
  refused("paint", "[1]", SINEW_ERROR_INPUT, "/0/paint: it is neither");
  refused("smooth", "{}", SINEW_ERROR_INPUT, "/0/smooth: it is neither");
  refused("drivers", R"({"drivers": [{"joint": "tail"}]})", SINEW_ERROR_INPUT,
          "/0/drivers/drivers/0/joint: ");
  refused("offset-curves", R"({"curves": [], "paintedWeights": "x.dmat"})", SINEW_ERROR_INPUT,
          "/0/offset-curves/paintedWeights: names a file");
  refused("blend-share", "[0.5]", SINEW_ERROR_INPUT, "/0/blend-share: it has 1 rows");
  refused("blend-share", "[]", SINEW_ERROR_INPUT, "/0/blend-share: it has 0 rows");
  refused("twist-endpoints", "[[1, 2], [1]]", SINEW_ERROR_INPUT, "/0/twist-endpoints/1: ");
  refused("joint-weights", "[[1, \"a\"]]", SINEW_ERROR_INPUT, "/0/joint-weights/0: ");
  std::string deep(100000, '[');
  refused("paint", "{\"a\":" + deep, SINEW_ERROR_INPUT, "nested");
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), before);
}

sinew_brush brush_for(const char* bone, double radius) {
  auto brush = sized<sinew_brush>();
  brush.bone = bone;
  brush.radius = radius;
  return brush;
}

// Weights and both kinds of endpoint weights, with their bones.
std::vector<std::vector<double>> skin_of(const sinew_rig* rig) {
  return {field_of(rig, SINEW_WEIGHTS), field_of(rig, SINEW_ENDPOINTS),
          field_of(rig, SINEW_TWIST_ENDPOINTS)};
}

const double middle[3] = {0.25, 0.25, 0.5};

TEST_F(CEditing, painted_strokes_replay_to_the_same_bits) {
  OwnedRig rig = sample("mannequin", 2000), copy;
  ASSERT_OK(
      sinew_rig_edit(rig, R"([{"twist-endpoints": "projection"}])", nullptr, nullptr, nullptr));
  ASSERT_OK(sinew_rig_copy(rig, copy.out()));
  auto options = sized<sinew_painter_options>();
  options.locks = "hand.L";
  OwnedPainter painter;
  ASSERT_OK(sinew_painter_create(rig, &options, painter.out()));
  std::vector<sinew_brush> brushes;
  brushes.push_back(brush_for("forearm.L", 0.2));
  brushes.back().mirror = 1;
  brushes.push_back(brush_for("forearm.L", 0.1));
  brushes.back().target = "endpoints";
  brushes.back().mode = "replace";
  brushes.back().falloff = "constant";
  brushes.push_back(brushes.back());
  brushes.back().target = "twist-endpoints";
  brushes.back().value = 1.0 / 3;
  brushes.push_back(brush_for(nullptr, 0.3));
  brushes.back().mode = "smooth";
  brushes.back().strength = 1.0 / 7;
  int elbow = -1;
  const int joint = [&] {
    int found = -1;
    EXPECT_OK(sinew_rig_find(rig, SINEW_BONE, "forearm.L", &found));
    return found;
  }();
  const std::vector<double> heads = field_of(rig, SINEW_BONE_HEADS);
  ASSERT_OK(sinew_painter_pick(painter, &heads[3 * joint], nullptr, &elbow, nullptr));
  ASSERT_GE(elbow, 0);
  for (const sinew_brush& brush : brushes) {
    ASSERT_OK(sinew_painter_begin(painter, &brush));
    for (const int triangle : {elbow, elbow + 1}) {
      std::size_t changed = 0;
      ASSERT_OK(sinew_painter_dab(painter, triangle, middle, &changed));
      EXPECT_GT(changed, 0u);
      auto rows = sized<sinew_painted_rows>();
      ASSERT_OK(sinew_painter_changed(painter, &rows));
      EXPECT_EQ(rows.vertices.count, changed);
      EXPECT_EQ(rows.offsets.count, changed + 1);
      EXPECT_EQ(rows.twist_endpoints.count, rows.weights.count);
      EXPECT_LT(changed, count_of(rig, SINEW_VERTEX) / 4);
    }
    ASSERT_OK(sinew_painter_end(painter));
  }
  EXPECT_EQ(skin_of(rig), skin_of(copy));
  ASSERT_OK(sinew_painter_apply(painter, rig));
  const auto before = skin_of(copy), painted = skin_of(rig);
  for (std::size_t kind = 0; kind < 3; ++kind) EXPECT_NE(painted[kind], before[kind]) << kind;

  OwnedBuffer strokes;
  ASSERT_OK(sinew_painter_strokes(painter, strokes.out()));
  EXPECT_EQ(Json::parse(text_in(strokes)).at("strokes").size(), brushes.size());
  const std::string steps = R"([{"lock": "hand.L"}, {"paint": )" + text_in(strokes) + "}]";
  ASSERT_OK(sinew_rig_edit(copy, steps.c_str(), nullptr, nullptr, nullptr));
  EXPECT_EQ(skin_of(copy), painted);
}

TEST_F(CEditing, strokes_are_undone_and_redone_and_their_rows_told) {
  const OwnedRig rig = strip();
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  OwnedPainter painter;
  ASSERT_OK(sinew_painter_create(rig, nullptr, painter.out()));
  auto rows = sized<sinew_painted_rows>();
  ASSERT_OK(sinew_painter_changed(painter, &rows));
  EXPECT_EQ(rows.vertices.count, 0u);
  int done = 1;
  ASSERT_OK(sinew_painter_undo(painter, &done));
  EXPECT_EQ(done, 0);
  auto brush = brush_for("1", 10);
  brush.mode = "replace";
  brush.falloff = "constant";
  brush.strength = 1;
  brush.value = 0.25;
  ASSERT_OK(sinew_painter_begin(painter, &brush));
  ASSERT_OK(sinew_painter_dab(painter, 0, middle, nullptr));
  ASSERT_OK(sinew_painter_changed(painter, &rows));
  // The two vertices that bone b has alone keep it: no other bone can take weight.
  ASSERT_EQ(rows.vertices.count, 4u);
  EXPECT_EQ(static_cast<const std::uint32_t*>(rows.vertices.data)[3], 3u);
  EXPECT_EQ(doubles(rows.weights),
            (std::vector<double>{0.75, 0.25, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25}));
  EXPECT_EQ(rows.endpoints.count, 0u);
  ASSERT_OK(sinew_painter_undo(painter, &done));
  EXPECT_EQ(done, 1);
  ASSERT_OK(sinew_painter_changed(painter, &rows));
  EXPECT_EQ(doubles(rows.weights), (std::vector<double>{1, 1, 0.5, 0.5, 0.5, 0.5}));
  OwnedBuffer none;
  ASSERT_OK(sinew_painter_strokes(painter, none.out()));
  EXPECT_EQ(Json::parse(text_in(none)).at("strokes").size(), 0u);
  ASSERT_OK(sinew_painter_apply(painter, rig));
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), before);
  ASSERT_OK(sinew_painter_redo(painter, &done));
  EXPECT_EQ(done, 1);
  ASSERT_OK(sinew_painter_redo(painter, &done));
  EXPECT_EQ(done, 0);
  OwnedBuffer one;
  ASSERT_OK(sinew_painter_strokes(painter, one.out()));
  EXPECT_EQ(Json::parse(text_in(one)).at("strokes").size(), 1u);
}

TEST_F(CEditing, a_painter_finds_triangles_and_refuses_what_makes_no_sense) {
  const OwnedRig rig = strip();
  OwnedPainter painter;
  ASSERT_OK(sinew_painter_create(rig, nullptr, painter.out()));
  const double above[3] = {0.75, 0.25, 5}, down[3] = {0, 0, -1}, up[3] = {0, 0, 1}, zero[3] = {};
  const double infinite[3] = {0, HUGE_VAL, 0}, outside[3] = {1, 1, 0};
  int triangle = 7;
  double at[3] = {};
  ASSERT_OK(sinew_painter_pick(painter, above, down, &triangle, at));
  EXPECT_EQ(triangle, 0);
  EXPECT_NEAR(at[1], 0.5, 1e-12);
  ASSERT_OK(sinew_painter_pick(painter, above, nullptr, &triangle, nullptr));
  EXPECT_EQ(triangle, 0);
  ASSERT_OK(sinew_painter_pick(painter, above, up, &triangle, at));
  EXPECT_EQ(triangle, -1);
  EXPECT_REFUSED(sinew_painter_pick(painter, above, zero, &triangle, at), SINEW_ERROR_USAGE,
                 "direction");
  EXPECT_REFUSED(sinew_painter_pick(painter, infinite, down, &triangle, at), SINEW_ERROR_USAGE,
                 "origin");
  EXPECT_REFUSED(sinew_painter_pick(painter, nullptr, down, &triangle, at), SINEW_ERROR_USAGE,
                 "origin");
  EXPECT_REFUSED(sinew_painter_pick(painter, above, down, nullptr, at), SINEW_ERROR_USAGE,
                 "triangle");

  EXPECT_REFUSED(sinew_painter_dab(painter, 0, middle, nullptr), SINEW_ERROR_USAGE, "begin");
  EXPECT_REFUSED(sinew_painter_begin(painter, nullptr), SINEW_ERROR_USAGE, "brush");
  const auto refused = [&](const auto& change, const char* message) {
    auto brush = brush_for("a", 1);
    change(brush);
    EXPECT_REFUSED(sinew_painter_begin(painter, &brush), SINEW_ERROR_USAGE, message);
  };
  refused([](sinew_brush& b) { b.bone = nullptr; }, "brush.bone");
  refused([](sinew_brush& b) { b.bone = "tail"; }, "tail");
  refused([](sinew_brush& b) { b.radius = 0; }, "radius");
  refused([](sinew_brush& b) { b.strength = 2; }, "strength");
  refused([](sinew_brush& b) { b.mode = "erase"; }, "brush.mode is 'erase'; there are add");
  refused([](sinew_brush& b) { b.target = "hair"; }, "brush.target");
  refused([](sinew_brush& b) { b.falloff = "hair"; }, "brush.falloff");
  refused([](sinew_brush& b) { b.target = "endpoints"; }, "endpoint weights");
  const auto brush = brush_for("a", 1);
  ASSERT_OK(sinew_painter_begin(painter, &brush));
  std::size_t changed = 7;
  EXPECT_REFUSED(sinew_painter_dab(painter, 4, middle, &changed), SINEW_ERROR_USAGE, "triangle 4");
  EXPECT_EQ(changed, 0u);
  EXPECT_REFUSED(sinew_painter_dab(painter, SIZE_MAX, middle, nullptr), SINEW_ERROR_USAGE,
                 "triangle");
  EXPECT_REFUSED(sinew_painter_dab(painter, 0, outside, nullptr), SINEW_ERROR_USAGE,
                 "barycentric must be three numbers");
  EXPECT_REFUSED(sinew_painter_dab(painter, 0, nullptr, nullptr), SINEW_ERROR_USAGE, "barycentric");
  EXPECT_REFUSED(sinew_painter_changed(painter, nullptr), SINEW_ERROR_USAGE, "rows");

  OwnedRig bare;
  ASSERT_OK(sinew_rig_create(nullptr, bare.out()));
  OwnedPainter none;
  EXPECT_REFUSED(sinew_painter_create(bare, nullptr, none.out()), SINEW_ERROR_USAGE, "no bones");
  EXPECT_REFUSED(sinew_painter_create(rig, nullptr, nullptr), SINEW_ERROR_USAGE, "painter");
  auto options = sized<sinew_painter_options>();
  options.locks = "a,tail";
  EXPECT_REFUSED(sinew_painter_create(rig, &options, none.out()), SINEW_ERROR_USAGE, "tail");
  options.locks = nullptr;
  options.mirror_normal[0] = HUGE_VAL;
  EXPECT_REFUSED(sinew_painter_create(rig, &options, none.out()), SINEW_ERROR_USAGE,
                 "mirror_normal");
  const OwnedRig larger = sample("arm", 200);
  EXPECT_REFUSED(sinew_painter_apply(painter, larger), SINEW_ERROR_USAGE,
                 "painted were 6 vertices");
  EXPECT_REFUSED(sinew_painter_apply(painter, nullptr), SINEW_ERROR_HANDLE, "rig");
}

}  // namespace
}  // namespace sinew::c_api
