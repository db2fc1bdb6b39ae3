// SPDX-License-Identifier: Apache-2.0
// The examples in docs/files.md are read by the readers of their formats.
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/deform/pose_clip.h"
#include "sinew/edit/strokes.h"
#include "sinew/io/bvh.h"
#include "sinew/io/dmat.h"
#include "sinew/io/joint_map_json.h"
#include "sinew/io/keys_json.h"
#include "sinew/io/medit.h"
#include "sinew/io/obj.h"
#include "sinew/io/off.h"
#include "sinew/io/ply.h"
#include "sinew/io/pose_json.h"
#include "sinew/io/settings_json.h"
#include "sinew/io/tgf.h"
#include "sinew/puppet/picture_bones.h"
#include "sinew/puppet/picture_motion.h"
#include "sinew/samples/samples.h"
#include "tests/support/json_schema.h"
#include "tests/support/paths.h"

namespace sinew {
namespace {

struct Example {
  std::string kind;  // what follows the language: "pose" of ```json pose
  std::string text;
};

std::vector<Example> examples_of_page() {
  std::ifstream page(source_folder() / "docs" / "files.md");
  std::vector<Example> examples;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("```")) {
      if (inside) examples.back().text += line + "\n";
      continue;
    }
    inside = !inside;
    if (!inside) continue;
    const std::size_t blank = line.find(' ');
    examples.push_back({blank == std::string::npos ? "" : line.substr(blank + 1), ""});
  }
  return examples;
}

TEST(FilesPage, every_example_is_read) {
  Rig rig = make_sample("mannequin", 500);
  for (const char* name : {"smile", "knee"}) {
    BlendShape& shape = rig.mesh.shapes.emplace_back();
    shape.name = name;
    shape.vertices = {0};
    shape.positions = {Vec3{}};
  }
  Rig bone;
  const std::vector<Vec3> points{{0, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<int, 2>> segments{{0, 1}};
  bone.skeleton = skeleton_from_segments(points, segments);
  const test::JsonSchema schema(
      nlohmann::json::parse(read_file(source_folder() / "docs" / "schema" / "extras.schema.json")));
  PictureBones picture;
  using Read = std::function<void(const std::string&)>;
  const auto extras = [&](const char* definition) -> Read {
    return [&schema, definition](const std::string& text) {
      EXPECT_EQ(schema.problem(nlohmann::json::parse(text), definition), "") << text;
    };
  };
  Skeleton recorded;
  for (const char* name : {"Hips", "LowerBack", "Neck1", "LeftUpLeg", "LeftFingerBase"}) {
    recorded.joints.push_back({name, recorded.joints.empty() ? no_joint : JointIndex(0), {}});
  }
  const std::map<std::string, Read> readers{
      {"document", extras("document")},
      {"node", extras("node")},
      {"skin", extras("skin")},
      {"animation", extras("animation")},
      {"primitive", extras("primitive")},
      {"drivers",
       [&](const std::string& text) {
         const GeneralizedBones read = parse_drivers(text, rig);
         EXPECT_EQ(read.drivers.size(), 2u);
         EXPECT_EQ(read.shape_drivers.size(), 1u);
         EXPECT_EQ(read.pose_spaces.size(), 1u);
       }},
      {"offset-curves",
       [&](const std::string& text) {
         EXPECT_EQ(parse_offset_curves(text, rig).curves[1].controls.outward, 0.005);
       }},
      {"limits", [&](const std::string& text) { EXPECT_EQ(parse_limits(text, rig).size(), 3u); }},
      {"pose",
       [&](const std::string& text) {
         EXPECT_TRUE(std::holds_alternative<ToldPose>(parse_pose(text, rig)));
       }},
      {"keys",
       [&](const std::string& text) {
         EXPECT_EQ(duration(clip_from_poses(rig, "", parse_keys(text, rig).keys)), 2);
       }},
      {"bones",
       [&](const std::string& text) { EXPECT_EQ(std::get<0>(parse_pose(text, bone)).size(), 1u); }},
      {"strokes", [&](const std::string& text) { parse_strokes(text); }},
      {"dmat", [&](const std::string& text) { EXPECT_EQ(read_dmat(text).rows, 3u); }},
      {"obj", [&](const std::string& text) { EXPECT_EQ(read_obj(text).triangles.size(), 1u); }},
      {"off", [&](const std::string& text) { EXPECT_EQ(read_off(text).triangles.size(), 1u); }},
      {"ply", [&](const std::string& text) { EXPECT_EQ(read_ply(text).triangles.size(), 1u); }},
      {"mesh", [&](const std::string& text) { EXPECT_EQ(read_medit(text).tetrahedra.size(), 1u); }},
      {"tgf", [&](const std::string& text) { EXPECT_EQ(read_tgf(text).bones.size(), 2u); }},
      {"bvh", [&](const std::string& text) { EXPECT_EQ(read_bvh(text).clips.size(), 1u); }},
      {"joint-map",
       [&](const std::string& text) {
         EXPECT_EQ(parse_joint_map(text, recorded, rig.skeleton).pairs.size(), 5u);
       }},
      {"picture-bones",
       [&](const std::string& text) {
         picture = parse_picture_bones(text);
         EXPECT_EQ(picture.bones.size(), 1u);
       }},
      {"picture-motion",
       [&](const std::string& text) {
         EXPECT_EQ(parse_picture_motion(text, picture).joints.size(), 2u);
       }},
  };
  std::map<std::string, int> seen;
  for (const Example& example : examples_of_page()) {
    const auto reader = readers.find(example.kind);
    if (reader == readers.end()) {
      ADD_FAILURE() << "nothing reads an example of '" << example.kind << "'";
      continue;
    }
    EXPECT_NO_THROW(reader->second(example.text)) << example.text;
    ++seen[example.kind];
  }
  for (const auto& [kind, read] : readers) EXPECT_GE(seen[kind], 1) << kind;
}

}  // namespace
}  // namespace sinew
