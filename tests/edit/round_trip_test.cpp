// SPDX-License-Identifier: Apache-2.0
// Edit, write, read, edit again: what did not change has the same bytes.
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/settings_json.h"
#include "tests/support/edited_rigs.h"

namespace sinew {
namespace {

TEST(RoundTrip, a_rig_with_everything_is_read_and_written_with_the_same_bytes) {
  const Rig rig = everything_kept();
  const nlohmann::json settings = nlohmann::json::parse(settings_to_json(rig));
  for (const auto& [name, value] : settings.items()) {
    EXPECT_FALSE(value.empty() || value == false) << name << " is not in the rig";
  }
  EXPECT_EQ(settings["offset_curves"]["painted"], true);
  const std::string bytes = to_glb({rig, nullptr});
  const Model read = parse_gltf(bytes);
  EXPECT_EQ(nlohmann::json::parse(settings_to_json(read.rig)), settings);
  EXPECT_EQ(to_glb(read), bytes);
}

TEST(RoundTrip, the_same_settings_again_change_no_byte) {
  const std::string bytes = to_glb({everything_kept(), nullptr});
  Model model = parse_gltf(bytes);
  const EditReport report = edit(model.rig, parsed_steps(setting_steps(model.rig)));
  EXPECT_FALSE(report.changed);
  EXPECT_EQ(to_glb(model), bytes);
}

// In files they are floats, which most numbers are not.
TEST(RoundTrip, numbers_that_are_no_floats_change_no_byte_either) {
  Model model = parse_gltf(to_glb({everything_kept(), nullptr}));
  const auto steps = parsed_steps({{"blend-share", "0.3"}, {"twist-endpoints", "projection"}});
  edit(model.rig, steps);
  const std::string bytes = to_glb(model);
  model = parse_gltf(bytes);
  const EditReport report = edit(model.rig, steps);
  EXPECT_FALSE(report.changed);
  EXPECT_EQ(to_glb(model), bytes);
}

TEST(RoundTrip, a_file_does_not_grow_from_edit_to_edit) {
  std::string bytes = to_glb({everything_kept(), nullptr});
  const std::size_t before = bytes.size();
  for (int i = 0; i < 4; ++i) {
    Model model = parse_gltf(bytes);
    edit(model.rig, parsed_steps({{"smooth", "1"},
                                  {"prune", "2"},
                                  {"twist-endpoints", i % 2 == 0 ? "idw" : "projection"},
                                  {"blend-share", i % 2 == 0 ? "0.25" : "0.5"}}));
    bytes = to_glb(model);
    const Model read = parse_gltf(bytes);
    EXPECT_EQ(read.rig.mesh, model.rig.mesh);
    EXPECT_EQ(read.rig.skeleton, model.rig.skeleton);
    EXPECT_EQ(read.rig.clips, model.rig.clips);
    EXPECT_EQ(read.rig.skin.blend_shares, model.rig.skin.blend_shares);
    EXPECT_EQ(to_glb(read), bytes);
    EXPECT_LT(bytes.size(), before + 200) << i;
  }
}

TEST(RoundTrip, one_setting_changes_its_own_place_in_the_file_alone) {
  const Model before = parse_gltf(to_glb({everything_kept(), nullptr}));
  const auto changed_by = [&](const StepText& step) {
    Model model = before;
    edit(model.rig, parsed_steps({step}));
    const Model after = parse_gltf(to_glb(model));
    EXPECT_EQ(after.rig, model.rig) << step.name;
    std::string places;
    for (const nlohmann::json& change :
         nlohmann::json::diff(before.source->json, after.source->json)) {
      const std::string path = change["path"];
      // Where the new numbers are, in the place of the old.
      if (path.starts_with("/accessors") || path.starts_with("/buffer")) continue;
      places += path + " ";
    }
    return places;
  };
  EXPECT_EQ(changed_by({"filter", "joint 0=none"}),
            "/skins/0/extras/sinew/filters/0/stretch/2 "
            "/skins/0/extras/sinew/filters/0/stretch/1 "
            "/skins/0/extras/sinew/filters/0/stretch/0 ");
  EXPECT_EQ(changed_by({"twist-share", "joint 1=0.5"}), "/skins/0/extras/sinew/twistShares/1 ");
  EXPECT_EQ(
      changed_by({"drivers", "d.json", {}, JsonText{R"({"controls": [{"name": "breath"}]})"}}),
      "/extras/sinew/controls/0/default /extras/sinew/drivers ");
  EXPECT_EQ(changed_by({"offset-curves", "c.json", {}, JsonText{R"({"placement": 2})"}}),
            "/extras/sinew/offsetCurves/placement ");
  EXPECT_EQ(changed_by({"blend-share", "0.5", {{"where", "y > 5"}}}), "");
}

}  // namespace
}  // namespace sinew
