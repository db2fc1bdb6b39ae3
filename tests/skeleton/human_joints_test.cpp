// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/human_joints.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace sinew {
namespace {

// "name" below the last joint that is indented by one blank less.
Skeleton tree(const char* text) {
  Skeleton skeleton;
  std::vector<int> path;
  std::string line;
  for (const char* c = text;; ++c) {
    if (*c != '\n' && *c != '\0') {
      line += *c;
      continue;
    }
    const std::size_t depth = line.find_first_not_of(' ');
    if (depth != std::string::npos) {
      path.resize(depth);
      Joint joint;
      joint.name = line.substr(depth);
      joint.parent = path.empty() ? -1 : path.back();
      path.push_back(static_cast<int>(skeleton.joints.size()));
      skeleton.joints.push_back(joint);
    }
    line.clear();
    if (*c == '\0') return skeleton;
  }
}

const char* part_name(HumanPart part) {
  constexpr const char* names[] = {"?",     "hips",     "spine", "neck",  "head",  "clavicle",
                                   "upper", "fore",     "hand",  "thumb", "index", "middle",
                                   "ring",  "little",   "thigh", "shin",  "foot",  "toes",
                                   "hip",   "shoulder", "arm",   "leg"};
  return names[static_cast<int>(part)];
}

// "name=part" of each joint, with L or R for its side and * where it is a guess.
std::string described(const char* text) {
  const Skeleton skeleton = tree(text);
  const std::vector<HumanJoint> parts = human_joints(skeleton);
  std::string result;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    result += (j == 0 ? "" : " ") + std::string(part_name(parts[j].part));
    if (parts[j].side != BodySide::none) result += parts[j].side == BodySide::left ? ".L" : ".R";
    if (parts[j].guessed) result += "*";
  }
  return result;
}

TEST(HumanJoints, mixamo_and_human_ik) {
  EXPECT_EQ(described("mixamorig:Hips\n mixamorig:Spine\n  mixamorig:Spine1\n   mixamorig:Spine2\n"
                      "    mixamorig:Neck\n     mixamorig:Head\n      mixamorig:HeadTop_End\n"
                      "    mixamorig:LeftShoulder\n     mixamorig:LeftArm\n"
                      "      mixamorig:LeftForeArm\n       mixamorig:LeftHand\n"
                      "        mixamorig:LeftHandThumb1\n        mixamorig:LeftHandIndex1\n"
                      " mixamorig:RightUpLeg\n  mixamorig:RightLeg\n   mixamorig:RightFoot\n"
                      "    mixamorig:RightToeBase\n     mixamorig:RightToe_End"),
            "hips spine spine spine neck head ? clavicle.L upper.L fore.L hand.L thumb.L index.L "
            "thigh.R shin.R foot.R toes.R ?");
}

TEST(HumanJoints, vroid_and_vrm) {
  EXPECT_EQ(described("Root\n J_Bip_C_Hips\n  J_Bip_C_Spine\n   J_Bip_C_Chest\n"
                      "    J_Bip_C_UpperChest\n     J_Sec_L_Bust1\n     J_Bip_C_Neck\n"
                      "      J_Bip_C_Head\n       J_Adj_L_FaceEye\n     J_Bip_L_Shoulder\n"
                      "      J_Bip_L_UpperArm\n       J_Bip_L_LowerArm\n        J_Bip_L_Hand\n"
                      "         J_Bip_L_Little1\n  J_Bip_R_UpperLeg\n   J_Bip_R_LowerLeg\n"
                      "    J_Bip_R_Foot\n     J_Bip_R_ToeBase"),
            "? hips spine spine spine ? neck head ? clavicle.L upper.L fore.L hand.L little.L "
            "thigh.R shin.R foot.R toes.R");
}

TEST(HumanJoints, unreals_mannequin) {
  EXPECT_EQ(described("root\n pelvis\n  spine_01\n   spine_02\n    clavicle_l\n     upperarm_l\n"
                      "      lowerarm_l\n       hand_l\n        index_metacarpal_l\n"
                      "         index_01_l\n       lowerarm_twist_01_l\n    neck_01\n     head\n"
                      "  thigh_r\n   calf_r\n    foot_r\n     ball_r\n ik_foot_root\n  ik_foot_l"),
            "? hips spine spine clavicle.L upper.L fore.L hand.L ? index.L ? neck head thigh.R "
            "shin.R foot.R toes.R ? ?");
}

TEST(HumanJoints, rigify_has_its_hips_and_head_in_the_spine) {
  EXPECT_EQ(described("DEF-spine\n DEF-pelvis.L\n DEF-pelvis.R\n DEF-thigh.L\n  DEF-thigh.L.001\n"
                      "   DEF-shin.L\n    DEF-shin.L.001\n     DEF-foot.L\n      DEF-toe.L\n"
                      " DEF-thigh.R\n DEF-spine.001\n  DEF-spine.002\n   DEF-spine.003\n"
                      "    DEF-shoulder.L\n     DEF-upper_arm.L\n      DEF-forearm.L\n"
                      "       DEF-hand.L\n        DEF-palm.01.L\n        DEF-f_index.01.L\n"
                      "    DEF-shoulder.R\n    DEF-spine.004\n     DEF-spine.005\n"
                      "      DEF-spine.006"),
            "hips* ? ? thigh.L thigh.L shin.L shin.L foot.L toes.L thigh.R spine spine spine "
            "clavicle.L upper.L fore.L hand.L ? index.L upper.R neck* neck* head*");
}

TEST(HumanJoints, biped) {
  EXPECT_EQ(described("Bip01\n Bip01 Pelvis\n  Bip01 Spine\n   Bip01 Spine1\n    Bip01 Neck\n"
                      "     Bip01 Head\n      Bip01 HeadNub\n     Bip01 L Clavicle\n"
                      "      Bip01 L UpperArm\n       Bip01 L Forearm\n        Bip01 L Hand\n"
                      "         Bip01 L Finger0\n          Bip01 L Finger01\n"
                      "         Bip01 L Finger2\n   Bip01 R Thigh\n    Bip01 R Calf\n"
                      "     Bip01 R Foot\n      Bip01 R Toe0\n       Bip01 R Toe0Nub\n"
                      " Bip01 Footsteps"),
            "? hips spine spine neck head ? clavicle.L upper.L fore.L hand.L thumb.L thumb.L "
            "middle.L thigh.R shin.R foot.R toes.R ? ?");
}

TEST(HumanJoints, the_cmu_database) {
  // As it is recorded (.asf) and as it was converted for MotionBuilder.
  EXPECT_EQ(described("root\n lhipjoint\n  lfemur\n   ltibia\n    lfoot\n     ltoes\n rhipjoint\n"
                      "  rfemur\n lowerback\n  upperback\n   thorax\n    lowerneck\n"
                      "     upperneck\n      head\n    lclavicle\n     lhumerus\n      lradius\n"
                      "       lwrist\n        lhand\n         lfingers\n        lthumb"),
            "hips* ? thigh.L shin.L foot.L toes.L ? thigh.R spine spine spine neck neck head "
            "clavicle.L upper.L fore.L hand.L hand.L ? thumb.L");
  EXPECT_EQ(described("Hips\n LHipJoint\n  LeftUpLeg\n   LeftLeg\n    LeftFoot\n     LeftToeBase\n"
                      " LowerBack\n  Spine\n   Spine1\n    Neck\n     Neck1\n      Head\n"
                      "    RightShoulder\n     RightArm\n      RightForeArm\n       RightHand\n"
                      "        RightFingerBase\n         RightHandIndex1\n        RThumb"),
            "hips ? thigh.L shin.L foot.L toes.L spine spine spine neck neck head clavicle.R "
            "upper.R fore.R hand.R ? index.R thumb.R");
}

TEST(HumanJoints, names_by_joints_as_in_old_files_and_in_smpl) {
  EXPECT_EQ(
      described("Hips\n Chest\n  Neck\n   Head\n  LeftCollar\n   LeftShoulder\n    LeftElbow\n"
                "     LeftWrist\n LeftHip\n  LeftKnee\n   LeftAnkle"),
      "hips spine neck head clavicle.L upper.L fore.L hand.L thigh.L shin.L foot.L");
  EXPECT_EQ(described("Pelvis\n L_Hip\n  L_Knee\n   L_Ankle\n    L_Foot\n Spine1\n  L_Collar\n"
                      "   L_Shoulder\n    L_Elbow\n     L_Wrist\n      L_Hand"),
            "hips thigh.L shin.L foot.L toes.L spine clavicle.L upper.L fore.L hand.L hand.L");
}

TEST(HumanJoints, numbered_limbs) {
  // Khronos' CesiumMan.
  EXPECT_EQ(
      described("Skeleton_torso_joint_1\n Skeleton_torso_joint_2\n  torso_joint_3\n"
                "   Skeleton_neck_joint_1\n    Skeleton_neck_joint_2\n"
                "   Skeleton_arm_joint_L__4_\n    Skeleton_arm_joint_L__3_\n"
                "     Skeleton_arm_joint_L__2_\n   Skeleton_arm_joint_R\n"
                "    Skeleton_arm_joint_R__2_\n     Skeleton_arm_joint_R__3_\n leg_joint_L_1\n"
                "  leg_joint_L_2\n   leg_joint_L_3\n    leg_joint_L_5\n leg_joint_R_1"),
      "hips* spine spine neck head* upper.L* fore.L* hand.L* upper.R* fore.R* hand.R* thigh.L* "
      "shin.L* foot.L* toes.L* thigh.R*");
  // With a collar bone in front.
  EXPECT_EQ(described("arm_1.L\n arm_2.L\n  arm_3.L\n   arm_4.L"),
            "clavicle.L* upper.L* fore.L* hand.L*");
}

TEST(HumanJoints, daz_and_our_own) {
  EXPECT_EQ(described("hip\n abdomen\n  chest\n   lCollar\n    lShldr\n     lForeArm\n      lHand\n"
                      "       lMid1\n lThigh\n  lShin\n   lFoot\n    lToe"),
            "hips spine spine clavicle.L upper.L fore.L hand.L middle.L thigh.L shin.L foot.L "
            "toes.L");
  EXPECT_EQ(described("hips\n spine\n  spine_2\n   chest\n    neck\n     head\n    breath\n"
                      "    shoulder.L\n     upper_arm.L\n      forearm.L\n       hand.L\n"
                      "      biceps.L\n thigh.L\n  shin.L\n   foot.L\n    toes.L\n  kneecap.L"),
            "hips spine spine spine neck head ? clavicle.L upper.L fore.L hand.L ? thigh.L shin.L "
            "foot.L toes.L ?");
}

TEST(HumanJoints, what_is_no_human_has_no_parts) {
  EXPECT_EQ(described("tentacle_1\n tentacle_2\n  spine_middle\nBone\n Bone.001\n"),
            "? ? spine ? ?");
  EXPECT_EQ(described("index\n ring_gear"), "? ?");
  EXPECT_TRUE(human_joints({}).empty());
}

TEST(HumanJoints, frames_are_no_parts) {
  Skeleton skeleton = tree("hips\n thigh.L");
  skeleton.joints[0].is_frame = true;
  EXPECT_EQ(human_joints(skeleton)[0].part, HumanPart::unknown);
}

TEST(HumanJoints, long_chains_take_no_time) {
  for (const char* name : {"leg", "arm.L", "neck"}) {
    Skeleton skeleton;
    for (int j = 0; j < 50000; ++j) {
      Joint joint;
      joint.name = name;
      joint.parent = j - 1;
      skeleton.joints.push_back(joint);
    }
    EXPECT_EQ(human_joints(skeleton).size(), 50000u);
  }
}

}  // namespace
}  // namespace sinew
