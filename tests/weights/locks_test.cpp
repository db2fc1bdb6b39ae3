// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/locks.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

Locks lock(std::initializer_list<int> bones) {
  Locks locks;
  for (const int bone : bones) locks.set(bone);
  return locks;
}

using Row = std::vector<Influence>;

TEST(Locks, normalising_scales_only_what_is_not_locked) {
  Weights weights =
      weights_from_dense(std::vector<double>{0.25, 0.5, 1, 0.5, 0, 0, 1.5, 0.5, 0}, 3);
  normalize(weights, lock({0}));
  EXPECT_EQ(to_dense(weights, 3), (std::vector<double>{0.25, 0.25, 0.5, 0.5, 0, 0, 1.5, 0, 0}));
}

TEST(Locks, setting_a_weight_takes_from_the_unlocked_ones_in_proportion) {
  Row row = {{0, 0.5}, {1, 0.125}, {2, 0.375}};
  set_weights(row, Row{{1, 0.25}}, lock({0}));
  EXPECT_EQ(row, (Row{{0, 0.5}, {1, 0.25}, {2, 0.25}}));
}

TEST(Locks, a_weight_cannot_exceed_what_the_locked_ones_leave) {
  Row row = {{0, 0.75}, {2, 0.25}};
  set_weights(row, Row{{1, 0.9}}, lock({0}));
  EXPECT_EQ(row, (Row{{0, 0.75}, {2, 0}, {1, 0.25}}));
}

TEST(Locks, a_locked_bone_is_not_set) {
  const Row before = {{0, 0.5}, {1, 0.5}};
  Row row = before;
  set_weights(row, Row{{0, 1.0}}, lock({0}));
  EXPECT_EQ(row, before);
}

TEST(Locks, what_nobody_else_can_take_stays) {
  Row row = {{0, 0.5}, {1, 0.5}, {2, 0}};
  set_weights(row, Row{{1, 0.1}}, lock({0}));
  EXPECT_EQ(row, (Row{{0, 0.5}, {1, 0.5}, {2, 0}}));
  Row alone = {{1, 1}};
  set_weights(alone, Row{{1, 0}}, {});
  EXPECT_EQ(alone, (Row{{1, 1}}));
  Row empty;
  set_weights(empty, Row{{3, 0.2}}, {});
  EXPECT_EQ(empty, (Row{{3, 1}}));
}

TEST(Locks, two_weights_set_at_once_are_treated_alike) {
  Row row = {{0, 0.2}, {1, 0.2}, {2, 0.6}};
  set_weights(row, Row{{0, 0.75}, {1, 0.75}}, {});
  EXPECT_EQ(row, (Row{{0, 0.5}, {1, 0.5}, {2, 0}}));
}

}  // namespace
}  // namespace sinew
