// SPDX-License-Identifier: Apache-2.0
// Who takes the twist of a joint: tubes do, end parts and trunks never, machines not at all.
#include "sinew/deform/twist_shares.h"

#include <map>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"
#include "sinew/skeleton/body_parts.h"
#include "tests/support/assets.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

constexpr TwistShares before{1, 0}, own{0, 1}, half{0.5, 0.5}, nobody{0, 0};

std::map<std::string, TwistShares> shares_by_name(const Rig& rig) {
  const TwistPlan plan = plan_twists(rig);
  std::map<std::string, TwistShares> shares;
  for (std::size_t b = 0; b < plan.shares.size(); ++b) {
    const std::size_t joint = rig.skeleton.bones[b].joint;
    shares[rig.skeleton.joints[joint].name] = plan.shares[b];
  }
  return shares;
}

void expect_shares(const Rig& rig, const std::map<std::string, TwistShares>& expected) {
  const auto shares = shares_by_name(rig);
  for (const auto& [name, wanted] : expected) {
    ASSERT_TRUE(shares.count(name)) << name;
    EXPECT_EQ(shares.at(name).parent, wanted.parent) << name;
    EXPECT_EQ(shares.at(name).own, wanted.own) << name;
  }
}

const std::map<std::string, TwistShares> person = {
    {"spine", own},     {"spine_2", half},    {"chest", before},     {"neck", own},
    {"head", before},   {"shoulder.L", own},  {"upper_arm.L", own},  {"forearm.L", own},
    {"hand.L", before}, {"thigh.R", own},     {"shin.R", own},       {"foot.R", before},
    {"toes.R", nobody}, {"biceps.L", nobody}, {"kneecap.R", nobody}, {"breath", nobody}};

TEST(TwistShares, a_person_turns_wrists_by_forearms_and_the_head_by_the_neck) {
  expect_shares(make_sample("mannequin", 3000), person);
}

TEST(TwistShares, names_are_hints_and_not_needed) {
  Rig rig = make_sample("mannequin", 3000);
  std::map<std::string, TwistShares> nameless;
  for (std::size_t j = 0; j < rig.skeleton.joints.size(); ++j) {
    std::string& name = rig.skeleton.joints[j].name;
    const auto known = person.find(name);
    name = "j" + std::to_string(j);
    if (known != person.end()) nameless[name] = known->second;
  }
  expect_shares(rig, nameless);
}

TEST(TwistShares, the_rig_itself_has_the_last_word) {
  Rig rig = make_sample("mannequin", 3000);
  const int hand = find_joint(rig.skeleton, "hand.L");
  rig.skeleton.joints[hand].twist_shares = TwistShares{0.25, 0.5};
  expect_shares(rig, {{"hand.L", {0.25, 0.5}}, {"hand.R", before}});
}

TEST(TwistShares, rows_of_bones_share_and_their_last_one_stays_as_it_is) {
  for (const bool named : {false, true}) {
    Rig rig = make_tube({.bones = 4});
    for (std::size_t j = 0; named && j < 4; ++j) {
      rig.skeleton.joints[j].name = "tail" + std::to_string(j);
    }
    const TwistPlan plan = plan_twists(rig);
    EXPECT_EQ(plan.shares[0], nobody);  // hangs on nothing
    EXPECT_EQ(plan.shares[1], half);
    EXPECT_EQ(plan.shares[2], half);
    EXPECT_EQ(plan.shares[3], before);
  }
}

TEST(TwistShares, rigid_skin_is_not_twisted_and_not_stretched) {
  Rig rig = make_tube({.bones = 3});
  // Every vertex moves with one bone, and what lies between two bones is not there.
  Weights weights;
  std::vector<int> leading;
  for (std::size_t v = 0; v < rig.skin.weights.vertex_count(); ++v) {
    Influence most;
    for (const Influence& influence : rig.skin.weights.row(v)) {
      if (influence.weight > most.weight) most = influence;
    }
    leading.push_back(most.bone);
    weights.push_row(std::vector{Influence{most.bone, 1}});
  }
  rig.skin.weights = weights;
  rig.skin.endpoints.clear();
  for (const bool connected : {true, false}) {
    if (!connected) {
      std::erase_if(rig.mesh.triangles, [&](const auto& t) {
        return leading[t[0]] != leading[t[1]] || leading[t[1]] != leading[t[2]];
      });
    }
    for (const TwistShares& shares : plan_twists(rig).shares) EXPECT_EQ(shares, nobody);
    Pose pose = rest_pose(rig);
    pose.joints[1].rotation = rotation_about(Vec3{1, 0, 0}, 2.0);
    if (!connected) pose.joints[2].translation = {1.4, 0.2, 0};
    const auto states = bone_states(rig, pose);
    for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
      const auto stbs = deform_reference(rig, states, {}, method_from_name(method, rig)).positions;
      const auto lbs = deform_reference(rig, states, {}, method_from_name("lbs", rig)).positions;
      for (std::size_t v = 0; v < lbs.size(); ++v) EXPECT_LT(distance(lbs[v], stbs[v]), 1e-12);
    }
  }
}

TEST(TwistShares, a_rig_that_spreads_its_twist_itself_is_left_alone) {
  Rig rig = make_sample("mannequin", 3000);
  const int forearm = find_joint(rig.skeleton, "forearm.L");
  const int hand = find_joint(rig.skeleton, "hand.L");
  Joint helper;
  helper.name = "lowerarm_twist_01_l";
  helper.parent = forearm;
  helper.rest.translation = rig.skeleton.joints[hand].rest.translation * 0.5;
  Bone bone;
  for (const Bone& other : rig.skeleton.bones) {
    if (other.joint == forearm) bone = other;
  }
  bone.joint = static_cast<int>(rig.skeleton.joints.size());
  bone.tail_joint = no_joint;
  bone.head = (bone.head + bone.tail) * 0.5;
  bone.inverse_bind.translation -= helper.rest.translation;
  const int number = static_cast<int>(rig.skeleton.bones.size());
  rig.skeleton.joints.push_back(helper);
  rig.skeleton.bones.push_back(bone);
  for (Influence& influence : rig.skin.weights.influences) {
    const std::size_t b = influence.bone;
    if (rig.skeleton.bones[b].joint == forearm) influence.bone = number;
  }
  expect_shares(rig, {{"hand.L", nobody}, {"hand.R", before}});
}

TEST(TwistShares, weights_of_another_rig_are_refused) {
  Rig rig = make_tube();
  rig.mesh.positions.pop_back();
  try {
    plan_twists(rig);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "976 rows of weights for 975 vertices");
  }
  rig = make_tube();
  rig.skeleton.bones.pop_back();
  EXPECT_EQ(wrong_usage([&] { plan_twists(rig); }), "weights of 2 bones for a skeleton of 1");
}

TEST(TwistShares, real_models_turn_their_heads_and_paws_as_one_piece) {
  SINEW_ASSET_OR_SKIP(fox, "Fox.glb");
  expect_shares(read_rig(fox), {{"b_Spine02_03", before},
                                {"b_Head_05", before},
                                {"b_Neck_04", own},
                                {"b_RightForeArm_07", own},
                                {"b_RightHand_08", before},
                                {"b_Tail02_013", half}});
}

TEST(BodyParts, names_of_common_rigs_are_understood) {
  const std::map<std::string, BodyPart> names = {{"mixamorig:LeftForeArm", BodyPart::limb},
                                                 {"mixamorig:LeftHand", BodyPart::end},
                                                 {"mixamorig:LeftHandIndex1", BodyPart::chain},
                                                 {"mixamorig:Spine2", BodyPart::chain},
                                                 {"mixamorig:Hips", BodyPart::trunk},
                                                 {"mixamorig:LeftToeBase", BodyPart::end},
                                                 {"J_Bip_L_UpperArm", BodyPart::limb},
                                                 {"J_Bip_C_UpperChest", BodyPart::trunk},
                                                 {"DEF-forearm.L.001", BodyPart::limb},
                                                 {"DEF-f_index.01.L", BodyPart::chain},
                                                 {"lowerarm_twist_01_l", BodyPart::twist},
                                                 {"ball_r", BodyPart::end},
                                                 {"clavicle_l", BodyPart::limb},
                                                 {"spine_03", BodyPart::chain},
                                                 {"neck_01", BodyPart::chain},
                                                 {"Bip01 L Forearm", BodyPart::limb},
                                                 {"LeftForeArmRoll", BodyPart::twist},
                                                 {"hand.R", BodyPart::end},
                                                 {"Head", BodyPart::end},
                                                 {"HEAD", BodyPart::end},
                                                 {"handle", BodyPart::unknown},
                                                 {"", BodyPart::unknown},
                                                 {"Bone.001", BodyPart::unknown}};
  for (const auto& [name, part] : names) EXPECT_EQ(body_part(name), part) << name;
}

}  // namespace
}  // namespace sinew
