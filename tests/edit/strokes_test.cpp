// SPDX-License-Identifier: Apache-2.0
// Files of strokes, and their replay.
#include "sinew/edit/strokes.h"

#include <nlohmann/json.hpp>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/edit/edit.h"
#include "tests/support/json_schema.h"
#include "tests/support/paths.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

using nlohmann::json;

PaintStrokes some_strokes() {
  PaintStrokes strokes;
  strokes.mirror_plane = {{1, 0, 0}, {1, 0, 0}};
  PaintStroke add;
  add.bone = "bone0";
  add.brush.radius = 0.3;
  add.brush.strength = 1.0 / 3;
  add.brush.mirror = true;
  add.dabs = {DabPoint{700, {0.1, 0.2, 0.7}}, Vec3{1.1, 0.3, 0.01},
              Ray{{1.2, 5, 0.003}, {0, -1, 0}}};
  PaintStroke smooth;
  smooth.brush.mode = PaintMode::smooth;
  smooth.brush.falloff = Falloff::linear;
  smooth.brush.radius = 0.5;
  smooth.dabs = {Vec3{1, 0, 0.2}};
  PaintStroke endpoints;
  endpoints.bone = "1";
  endpoints.brush.target = PaintTarget::endpoints;
  endpoints.brush.mode = PaintMode::replace;
  endpoints.brush.value = 0.1;
  endpoints.brush.radius = 0.25;
  endpoints.brush.falloff = Falloff::constant;
  endpoints.dabs = {Vec3{1.6, 0, 0.2}};
  PaintStroke sharpen = smooth;
  sharpen.brush.mode = PaintMode::sharpen;
  strokes.strokes = {add, smooth, endpoints, sharpen};
  return strokes;
}

EditReport paint_edit(Rig& rig, const PaintStrokes& strokes) {
  const std::vector<EditStep> steps{PaintStep{strokes, "strokes.json"}};
  return edit(rig, steps);
}

// The file's text with one change.
std::string changed_file(const std::string& pointer, const json& value) {
  json document = json::parse(strokes_to_json(some_strokes()));
  document[json::json_pointer(pointer)] = value;
  return document.dump();
}

std::string strokes_problem(const std::string& text) {
  return bad_input([&] { parse_strokes(text); });
}

TEST(Strokes, written_and_read_they_are_the_same) {
  const std::string text = strokes_to_json(some_strokes());
  EXPECT_EQ(strokes_to_json(parse_strokes(text)), text);
  const PaintStrokes read = parse_strokes(text);
  EXPECT_EQ(read.strokes[0].brush.strength, 1.0 / 3);
  EXPECT_EQ(std::get<DabPoint>(read.strokes[0].dabs[0]), (DabPoint{700, {0.1, 0.2, 0.7}}));
  EXPECT_EQ(read.strokes[2].brush.target, PaintTarget::endpoints);
  EXPECT_EQ(read.strokes[1].brush.falloff, Falloff::linear);
}

TEST(Strokes, replaying_gives_the_bits_of_painting) {
  const PaintStrokes strokes = some_strokes();
  const Rig rig = make_tube();
  WeightPainter painter(rig.mesh, rig.skeleton, rig.skin, strokes.mirror_plane);
  std::set<Index> touched;
  for (const PaintStroke& stroke : strokes.strokes) {
    Brush brush = stroke.brush;
    brush.bone = stroke.bone == "1" ? 1 : 0;
    painter.begin_stroke();
    for (const PaintDab& dab : stroke.dabs) {
      std::optional<SurfacePoint> at;
      if (const auto* point = std::get_if<DabPoint>(&dab)) {
        const Triangle& t = rig.mesh.triangles[point->triangle];
        at = SurfacePoint{rig.mesh.positions[t[0]] * point->barycentric.x +
                              rig.mesh.positions[t[1]] * point->barycentric.y +
                              rig.mesh.positions[t[2]] * point->barycentric.z,
                          point->triangle, point->barycentric, 0};
      } else if (const auto* place = std::get_if<Vec3>(&dab)) {
        at = painter.nearest(*place);
      } else {
        at = painter.pick(std::get<Ray>(dab));
      }
      ASSERT_TRUE(at.has_value());
      for (const Index v : painter.dab(brush, *at)) touched.insert(v);
    }
  }
  Rig replayed = rig, again = rig;
  const EditReport report = paint_edit(replayed, strokes);
  paint_edit(again, parse_strokes(strokes_to_json(strokes)));
  EXPECT_EQ(again, replayed);
  const Skin painted = painter.skin();
  EXPECT_EQ(replayed.skin.weights, painted.weights);
  EXPECT_EQ(replayed.skin.endpoints, painted.endpoints);
  EXPECT_GT(touched.size(), 30u);
  EXPECT_LE(report.steps[0].vertices, touched.size());
  EXPECT_GT(report.steps[0].vertices, 30u);
}

TEST(Strokes, locks_hold_and_missing_rays_are_listed) {
  PaintStrokes strokes = some_strokes();
  strokes.strokes[0].dabs.push_back(Ray{{50, 5, 0}, {0, -1, 0}});
  Rig rig = make_tube({.bones = 3});
  const Rig before = rig;
  const std::vector<EditStep> steps{LockStep{"bone1"}, PaintStep{strokes, "strokes.json"}};
  const EditReport report = edit(rig, steps);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    ASSERT_EQ(weight_of(rig.skin, v, 1), weight_of(before.skin, v, 1));
  }
  for (const StepFact& fact : report.steps[1].facts) {
    if (fact.name != "missed_dabs") continue;
    EXPECT_EQ(std::get<std::vector<std::string>>(fact.value),
              std::vector<std::string>{"/strokes/0/dabs/3"});
  }
}

TEST(Strokes, what_is_wrong_in_a_file_is_named_with_its_place) {
  EXPECT_EQ(strokes_problem("{"), bad_input([] { parse_strokes("{"); }));
  EXPECT_NE(strokes_problem("{").find("line 1"), std::string::npos);
  EXPECT_EQ(strokes_problem("{}"), "/format: is required but missing");
  EXPECT_EQ(strokes_problem(changed_file("/version", 2)),
            "/version: must be from 1 to 1, but is 2");
  EXPECT_EQ(strokes_problem(changed_file("/format", "pose")),
            "/format: must be \"sinew-strokes\", but is \"pose\"");
  EXPECT_EQ(strokes_problem(changed_file("/strokes/0/mode", "multiply")),
            "/strokes/0/mode: is 'multiply'; there are add, subtract, replace, smooth, sharpen");
  EXPECT_EQ(strokes_problem(changed_file("/strokes/1/radius", 0)),
            "/strokes/1/radius: must be above 0, but is 0");
  EXPECT_EQ(strokes_problem(changed_file("/strokes/1/strength", 1.5)),
            "/strokes/1/strength: must be from 0 to 1, but is 1.5");
  EXPECT_EQ(strokes_problem(changed_file("/strokes/0/dabs/0/barycentric", {1, 1, 0})),
            "/strokes/0/dabs/0/barycentric: must be three numbers from 0 on with the sum 1");
  EXPECT_EQ(strokes_problem(changed_file("/strokes/0/dabs/2/ray/direction", {0, 0, 0})),
            "/strokes/0/dabs/2/ray/direction: must not be zero");
  EXPECT_EQ(strokes_problem(changed_file("/strokes/0/dabs/1", json::object())),
            "/strokes/0/dabs/1: must have \"triangle\" and \"barycentric\", or \"position\", or "
            "\"ray\"");
  EXPECT_NE(strokes_problem(changed_file("/strokes/0/pressure", 1)).find("/strokes/0/pressure"),
            std::string::npos);
}

TEST(Strokes, what_does_not_fit_the_rig_is_named_with_its_place) {
  const auto problem = [](auto change) {
    Rig rig = make_tube();
    const Rig before = rig;
    PaintStrokes strokes = some_strokes();
    change(strokes);
    const std::string message = bad_input([&] { paint_edit(rig, strokes); });
    EXPECT_EQ(rig, before);
    return message;
  };
  EXPECT_EQ(problem([](PaintStrokes& s) { s.strokes[0].bone = "bone7"; }).substr(0, 55),
            "strokes.json: /strokes/0/bone: there is no bone 'bone7'");
  EXPECT_EQ(problem([](PaintStrokes& s) { s.strokes[0].bone = ""; }).substr(0, 50),
            "strokes.json: /strokes/0/bone: there is no bone ''");
  EXPECT_EQ(problem([](PaintStrokes& s) { s.strokes[0].dabs[0] = DabPoint{99999}; }),
            "strokes.json: /strokes/0/dabs/0: there is no triangle 99999; the mesh has 1920");
  EXPECT_EQ(
      problem([](PaintStrokes& s) { s.strokes[2].brush.target = PaintTarget::twist_endpoints; }),
      "strokes.json: /strokes/2/dabs/0: the skin has no endpoint weights of this kind to "
      "paint; compute them first");
}

TEST(Strokes, the_schema_allows_what_the_reader_reads) {
  const test::JsonSchema schema(
      json::parse(read_file(source_folder() / "docs" / "schema" / "strokes.schema.json")));
  const auto agree = [&](const std::string& text, bool good) {
    EXPECT_EQ(strokes_problem(text).empty(), good) << text;
    EXPECT_EQ(schema.problem(json::parse(text), "file").empty(), good) << text;
  };
  agree(strokes_to_json(some_strokes()), true);
  for (const char* target : {"bone-weights", "endpoints", "twist-endpoints", "normals"}) {
    agree(changed_file("/strokes/0/target", target), target != std::string("normals"));
  }
  for (const char* mode : {"add", "subtract", "replace", "smooth", "sharpen", "multiply"}) {
    agree(changed_file("/strokes/0/mode", mode), mode != std::string("multiply"));
  }
  for (const char* falloff : {"constant", "linear", "smooth", "sharp"}) {
    agree(changed_file("/strokes/0/falloff", falloff), falloff != std::string("sharp"));
  }
  agree(changed_file("/strokes/0/bone", 3), true);
  agree(changed_file("/strokes/0/bone", -1), false);
  agree(changed_file("/strokes/0/bone", true), false);
  agree(changed_file("/strokes/0/value", 1.5), false);
  agree(changed_file("/strokes/0/strength", -0.5), false);
  agree(changed_file("/strokes/0/radius", 0), false);
  agree(changed_file("/strokes/0/pressure", 1), false);
  agree(changed_file("/strokes/0/dabs/0/position", {0, 0, 0}), false);
  agree(changed_file("/strokes/0/dabs/1/position", {0, 0}), false);
  agree(changed_file("/strokes/0/dabs/2/ray", {{"origin", {0, 0, 0}}}), false);
  agree(changed_file("/version", 2), false);
  agree(changed_file("/mirror_plane", {{"point", {0, 0, 0}}}), false);
}

}  // namespace
}  // namespace sinew
