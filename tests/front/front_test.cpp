// SPDX-License-Identifier: Apache-2.0
// The front header: what it includes is there, and so is what it speaks of. (The install tests run
// its example, and compile it where the runtime is alone.)
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/sinew.h"
#include "tests/support/paths.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::set<std::string> front_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) {
    found.insert((*i)[1]);
  }
  return found;
}

const fs::path front_folder = source_folder() / "src";

// All that a program gets from an #include of `header`, each file once, without comments.
std::string with_included(const std::string& header, std::set<std::string>& seen) {
  if (!seen.insert(header).second) return {};
  std::istringstream in(read_file(front_folder / header));
  std::string text;
  for (std::string line; std::getline(in, line);) {
    text += line.substr(0, line.find("//")) + "\n";
    if (line.starts_with("#include \"sinew/")) {
      text += with_included(line.substr(10, line.rfind('"') - 10), seen);
    }
  }
  return text;
}

// A header that was renamed would drop out of an __has_include without a word.
TEST(Front, includes_headers_that_are_there) {
  const std::string text = read_file(front_folder / "sinew" / "sinew.h");
  const auto included = front_matches(text, "\n#include \"([^\"]+)\"");
  const auto asked_for = front_matches(text, "__has_include\\(\"([^\"]+)\"\\)");
  EXPECT_GE(included.size(), 12u);
  EXPECT_GE(asked_for.size(), 5u);
  for (const std::string& header : included)
    EXPECT_TRUE(fs::exists(front_folder / header)) << header;
  for (const std::string& header : asked_for) EXPECT_EQ(included.count(header), 1u) << header;
}

TEST(Front, speaks_of_functions_and_types_that_it_declares) {
  const std::string text = read_file(front_folder / "sinew" / "sinew.h");
  const std::string comment = text.substr(0, text.find("// ```cpp"));
  std::set<std::string> seen;
  const std::string declared = with_included("sinew/sinew.h", seen);
  const auto functions = front_matches(comment, "\\b([a-z_]+)\\(\\)");
  EXPECT_GE(functions.size(), 14u);
  for (const std::string& name : functions) {
    EXPECT_NE(declared.find(" " + name + "("), std::string::npos) << name;
  }
  const auto types =
      front_matches(comment, "\\b(Rig|Pose|[A-Z][a-z]+(?:Rig|Plan)|Plan|Binding|Palette)\\b");
  EXPECT_EQ(types, (std::set<std::string>{"Binding", "ClipPlan", "Palette", "Plan", "Pose",
                                          "PosedRig", "Rig", "RigPlan"}));
  for (const std::string& name : types) {
    const bool is_there = declared.find("\nclass " + name + " {") != std::string::npos ||
                          declared.find("\nstruct " + name + " {") != std::string::npos;
    EXPECT_TRUE(is_there) << name;
  }
}

// Each verb can be called with what the header alone declares.
TEST(Front, declares_the_whole_way_from_a_character_to_its_vertices) {
  const Rig rig = make_sample("arm", 300);
  const Binding binding(rig);
  const Plan plan(binding, method_from_name("stbs-lbs", rig));
  const RigPlan bones(rig);
  const ClipPlan clip(bones, rig.clips.at(0));
  PosedRig posed(bones);
  Palette palette(plan);
  posed.play(clip, clip.duration() / 2);
  palette.update(posed.bones(), posed.shapes());
  std::vector<Vec3f> vertices(rig.mesh.vertex_count());
  deform(palette, {.positions = &vertices[0].x});
  const Deformed expected = deform_reference(rig, posed.bones(), posed.shapes(),
                                             method_from_name("stbs-lbs", rig), false);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vec3 p{vertices[v].x, vertices[v].y, vertices[v].z};
    ASSERT_LT(distance(p, expected.positions[v]), 1e-5 * size) << v;
  }
}

}  // namespace
}  // namespace sinew
