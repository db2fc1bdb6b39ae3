// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/suggest.h"

#include <gtest/gtest.h>

#include "sinew/core/notes.h"

namespace sinew {
namespace {

using Names = std::vector<std::string>;

TEST(Suggest, the_nearest_name_comes_first_whatever_the_case_and_the_separators) {
  const Names joints{"forearm.R", "hand.L", "forearm.L", "spine", "forearm.L"};
  EXPECT_EQ(nearest_names("forearm_l", joints), (Names{"forearm.L", "forearm.R"}));
  EXPECT_EQ(did_you_mean("forearm_l", joints), " (did you mean 'forearm.L' or 'forearm.R'?)");
  EXPECT_EQ(nearest_names("sipne", joints), (Names{"spine"}));
}

TEST(Suggest, part_of_a_name_will_do) {
  const Names joints{"hips", "hand.L", "hand.R"};
  EXPECT_EQ(nearest_names("hand", joints), (Names{"hand.L", "hand.R"}));
  EXPECT_EQ(nearest_names("LeftHips", joints), (Names{"hips"}));
}

TEST(Suggest, what_is_far_from_everything_gets_no_suggestion) {
  const Names joints{"hips", "", "a"};
  EXPECT_TRUE(nearest_names("elephant", joints).empty());
  EXPECT_TRUE(nearest_names("", joints).empty());
  EXPECT_EQ(did_you_mean("elephant", joints), "");
  EXPECT_TRUE(nearest_names(std::string(100000, 'x'), Names{std::string(100000, 'y')}).empty());
}

TEST(Notes, what_differs_in_numbers_and_quoted_names_alone_is_counted) {
  const Names notes{"/nodes/3 was left out",    "the mesh is open",        "/nodes/14 was left out",
                    "'hand.L' is scaled by 3%", "'foot' is scaled by 12%", "/nodes/7 was left out"};
  EXPECT_EQ(grouped_notes(notes), (Names{"/nodes/3 was left out (x 3)", "the mesh is open",
                                         "'hand.L' is scaled by 3% (x 2)"}));
}

TEST(Notes, what_is_said_once_stays_as_it_is) {
  const Names notes{"a 1", "b 1", "it's open", "it's shut"};
  EXPECT_EQ(grouped_notes(notes), notes);
  EXPECT_TRUE(grouped_notes({}).empty());
}

}  // namespace
}  // namespace sinew
