// SPDX-License-Identifier: Apache-2.0
// Weights from another rig, bone by name.
#include "sinew/edit/transfer_step.h"

#include <gtest/gtest.h>

#include "sinew/edit/edit.h"
#include "sinew/edit/match_bones.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

using Names = std::vector<std::string>;

EditReport transfer_edit(Rig& rig, const Rig& source, const std::string& where = {}) {
  TransferStep step{std::make_shared<const Rig>(source), "other.glb"};
  step.where = where;
  const std::vector<EditStep> steps{step};
  return edit(rig, steps);
}

template <class Value>
Value transfer_fact(const EditReport& report, const std::string& name) {
  for (const StepFact& fact : report.steps.at(0).facts) {
    if (fact.name == name) return std::get<Value>(fact.value);
  }
  ADD_FAILURE() << "there is no fact " << name;
  return {};
}

// Bones listed the other way round.
Rig reordered(Rig rig) {
  std::reverse(rig.skeleton.bones.begin(), rig.skeleton.bones.end());
  const int last = static_cast<int>(rig.skeleton.bones.size()) - 1;
  for (Influence& i : rig.skin.weights.influences) i.bone = last - i.bone;
  return rig;
}

TEST(TransferStep, bones_match_by_name_in_whatever_order) {
  const Rig source = reordered(make_tube({.bones = 3, .rings = 161}));
  const Rig expected = make_tube({.bones = 3, .rings = 81});
  Rig rig = expected;
  for (Influence& i : rig.skin.weights.influences) i.bone = 0;
  const EditReport report = transfer_edit(rig, source);
  EXPECT_LT(largest_difference(rig.skin.weights, expected.skin.weights, 3), 1e-9);
  EXPECT_EQ(transfer_fact<std::size_t>(report, "matched"), rig.mesh.vertex_count());
  EXPECT_TRUE(transfer_fact<std::vector<Index>>(report, "filled").empty());
  EXPECT_TRUE(transfer_fact<Names>(report, "bones_without_partner").empty());
  expect_sound(rig.skin, rig);
}

TEST(TransferStep, a_bone_without_partner_gives_its_weights_to_its_ancestor) {
  Rig source = make_tube({.bones = 3});
  source.skeleton.joints[2].name = "finger";
  Rig rig = make_tube({.bones = 3});
  rig.skin = {};
  const EditReport report = transfer_edit(rig, source);
  EXPECT_EQ(transfer_fact<Names>(report, "bones_without_partner"), Names{"finger -> bone1"});
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(rig.skin, v, 2), 0) << v;
    EXPECT_NEAR(weight_of(rig.skin, v, 1),
                weight_of(source.skin, v, 1) + weight_of(source.skin, v, 2), 1e-12);
  }
  // Beyond the end of the bone that stands in.
  ASSERT_FALSE(rig.skin.endpoints.empty());
  EXPECT_EQ(rig.skin.endpoints.back(), 1);
}

TEST(TransferStep, endpoint_weights_that_only_the_rig_has_stay) {
  Rig source = make_tube();
  source.skin.endpoints.clear();
  Rig rig = make_tube();
  for (double& e : rig.skin.endpoints) e = 0.25;
  rig.skin.twist_endpoints.assign(rig.skin.endpoints.size(), 0.75);
  // One vertex with the wrong bone: it has no endpoint weight of the right one yet.
  rig.skin.weights.influences[0].bone = 1;
  transfer_edit(rig, source);
  EXPECT_EQ(weight_of(rig.skin, 0, 0), 1);
  EXPECT_EQ(rig.skin.endpoints[0], 0);
  for (std::size_t i = 1; i < rig.skin.endpoints.size(); ++i) {
    ASSERT_EQ(rig.skin.endpoints[i], 0.25);
    ASSERT_EQ(rig.skin.twist_endpoints[i], 0.75);
  }
}

TEST(TransferStep, what_has_no_match_is_listed_by_vertex_and_by_part) {
  const Rig source = make_tube();
  Rig rig = make_tube();
  const std::size_t count = rig.mesh.vertex_count();
  // A part of its own, far away, and a thorn.
  for (const Vec3& p : {Vec3{0, 9, 0}, Vec3{1, 9, 0}, Vec3{0, 9, 1}}) {
    rig.mesh.positions.push_back(p);
    rig.skin.weights.push_row(std::vector<Influence>{{0, 1.0}});
    rig.skin.endpoints.push_back(0);
  }
  const Index first = static_cast<Index>(count);
  rig.mesh.triangles.push_back({first, first + 1, first + 2});
  rig.mesh.positions[480].y *= 20;
  rig.mesh.parts = {{"tube", "", 0, first, 0, first * 2, 0, 0}, {"hat", "", first, 3, 0, 0, 0, 0}};
  rig.mesh.parts[0].triangle_count = static_cast<Index>(rig.mesh.triangles.size() - 1);
  rig.mesh.parts[1].first_triangle = rig.mesh.parts[0].triangle_count;
  rig.mesh.parts[1].triangle_count = 1;
  const EditReport report = transfer_edit(rig, source);
  const auto filled = transfer_fact<std::vector<Index>>(report, "filled");
  EXPECT_NE(std::find(filled.begin(), filled.end(), 480u), filled.end());
  EXPECT_EQ(transfer_fact<std::vector<Index>>(report, "far"),
            (std::vector<Index>{first, first + 1, first + 2}));
  EXPECT_EQ(transfer_fact<Names>(report, "rejected_parts"),
            (Names{"tube: " + std::to_string(filled.size()) + " of 976", "hat: 3 of 3"}));
}

TEST(TransferStep, only_what_is_asked_for_is_taken) {
  const Rig source = make_tube();
  Rig rig = make_tube();
  for (Influence& i : rig.skin.weights.influences) i.bone = 0;
  rig.skin.endpoints.clear();
  transfer_edit(rig, source, "x > 1");
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    if (rig.mesh.positions[v].x > 1) {
      EXPECT_NEAR(weight_of(rig.skin, v, 1), weight_of(source.skin, v, 1), 1e-12);
    } else {
      EXPECT_EQ(weight_of(rig.skin, v, 1), 0);
    }
  }
  // The rest has endpoint weights, too, now that some have.
  EXPECT_EQ(rig.skin.endpoints.size(), rig.skin.weights.influences.size());
}

TEST(MatchBones, namespaces_are_passed_over_where_nothing_else_matches) {
  Skeleton from = make_tube({.bones = 3}).skeleton, to = from;
  for (Joint& joint : from.joints) joint.name = "mixamorig:" + joint.name;
  const BoneMatch match = match_bones(from, to);
  EXPECT_EQ(match.partner, (std::vector<BoneIndex>{0, 1, 2}));
  EXPECT_EQ(match.by_name, (std::vector<bool>{true, true, true}));
}

TEST(MatchBones, above_all_partners_the_nearest_stands_in) {
  Skeleton from = make_tube({.bones = 3}).skeleton, to = from;
  from.joints[0].name = "armature";
  const BoneMatch match = match_bones(from, to);
  EXPECT_EQ(match.partner, (std::vector<BoneIndex>{1, 1, 2}));
  EXPECT_EQ(match.by_name, (std::vector<bool>{false, true, true}));
}

TEST(MatchBones, nameless_skeletons_match_by_number_and_strangers_do_not) {
  Skeleton from = make_tube({.bones = 3}).skeleton, to = from;
  for (Joint& joint : from.joints) joint.name.clear();
  EXPECT_EQ(bad_input([&] { match_bones(from, to); }),
            "bones: none of the 3 has the name of one of the other 3; rename joints so that they "
            "match");
  for (Joint& joint : to.joints) joint.name.clear();
  EXPECT_EQ(match_bones(from, to).partner, (std::vector<BoneIndex>{0, 1, 2}));
}

}  // namespace
}  // namespace sinew
