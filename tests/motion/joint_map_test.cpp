// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/joint_map.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/human.h"

namespace sinew {
namespace {

// A row of joints, each below the one before, at one place.
Skeleton row(const std::vector<std::string>& names) {
  Skeleton skeleton;
  for (std::size_t j = 0; j < names.size(); ++j) {
    Joint joint;
    joint.name = names[j];
    joint.parent = static_cast<int>(j) - 1;
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

std::set<std::string> described(const Skeleton& source, const Skeleton& target) {
  std::set<std::string> pairs;
  for (const JointPair& pair : map_joints(source, target).pairs) {
    pairs.insert(source.joints[pair.source].name + " " + target.joints[pair.target].name + " " +
                 name_of(pair.by));
  }
  return pairs;
}

TEST(JointMap, every_part_finds_its_like_on_its_own_side) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const JointMap map = map_joints(source, target);
  ASSERT_EQ(map.pairs.size(), source.joints.size());
  for (const JointPair& pair : map.pairs) {
    EXPECT_EQ(pair.source, pair.target);
    EXPECT_EQ(pair.by, PairedBy::part);
  }
  EXPECT_TRUE(unmapped_sources(map, source).empty());
  EXPECT_TRUE(unmapped_targets(map, target).empty());
}

TEST(JointMap, rows_of_a_spine_are_laid_over_each_other) {
  using Pairs = std::set<std::string>;
  EXPECT_EQ(described(row({"hips", "spine_a", "spine_b", "spine_c"}),
                      row({"hips", "s1_spine", "s2_spine"})),
            (Pairs{"hips hips name", "spine_a s1_spine part", "spine_b s1_spine part",
                   "spine_b s2_spine part", "spine_c s2_spine part"}));
  EXPECT_EQ(described(row({"hips", "spine_a"}), row({"hips", "s1_spine", "s2_spine"})),
            (Pairs{"hips hips name", "spine_a s1_spine part", "spine_a s2_spine part"}));
}

TEST(JointMap, joints_of_a_limb_left_over_move_the_last_or_follow) {
  using Pairs = std::set<std::string>;
  EXPECT_EQ(described(row({"lwrist", "lhand"}), row({"hand.L"})),
            (Pairs{"lwrist hand.L part", "lhand hand.L part"}));
  EXPECT_EQ(described(row({"LeftForeArm"}), row({"DEF-forearm.L", "DEF-forearm.L.001"})),
            (Pairs{"LeftForeArm DEF-forearm.L part"}));
}

TEST(JointMap, other_joints_are_paired_by_name_if_there_is_no_doubt) {
  using Pairs = std::set<std::string>;
  EXPECT_EQ(described(row({"cape:Tail_01", "wing", "wing", "left wing"}),
                      row({"tail.01", "wing", "LeftWing", "leftleg"})),
            (Pairs{"cape:Tail_01 tail.01 name", "left wing LeftWing name"}));
}

TEST(JointMap, guesses_are_marked_and_the_rest_is_listed) {
  const Skeleton source = row({"LeftUpLeg", "LeftLeg", "LeftFoot", "Prop"});
  Skeleton target = row({"frame", "leg_1.L", "leg_2.L", "leg_3.L", "hat"});
  target.joints[0].is_frame = true;
  using Pairs = std::set<std::string>;
  EXPECT_EQ(described(source, target),
            (Pairs{"LeftUpLeg leg_1.L guess", "LeftLeg leg_2.L guess", "LeftFoot leg_3.L guess"}));
  const JointMap map = map_joints(source, target);
  EXPECT_EQ(unmapped_sources(map, source), std::vector<JointIndex>{3});
  EXPECT_EQ(unmapped_targets(map, target), std::vector<JointIndex>{4});
}

}  // namespace
}  // namespace sinew
