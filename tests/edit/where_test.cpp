// SPDX-License-Identifier: Apache-2.0
// Which vertices a step is for.
#include "sinew/edit/where.h"

#include <gtest/gtest.h>

#include "sinew/edit/edit.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

class Where : public testing::Test {
 protected:
  Where() : rig_(make_tube({.bones = 3, .rings = 41, .sides = 8})) {
    rig_.mesh.parts = {{"left (new)", "", 0, 8, 0, 0, 0, 0}, {"rest", "", 8, 320, 0, 0, 0, 0}};
  }

  // Whether `where` selects the vertices that `expected` says.
  template <class Expected>
  void expect_selected(const std::string& where, Expected expected) const {
    const std::vector<bool> selected = selected_vertices(rig_, where);
    ASSERT_EQ(selected.size(), rig_.mesh.vertex_count());
    std::size_t count = 0;
    for (std::size_t v = 0; v < selected.size(); ++v) {
      ASSERT_EQ(selected[v], expected(v)) << where << ", vertex " << v;
      count += selected[v] ? 1 : 0;
    }
    EXPECT_GT(count, 0u) << where;
    EXPECT_LT(count, selected.size()) << where;
  }

  std::string problem(const std::string& where) const {
    return wrong_usage([&] { selected_vertices(rig_, where); });
  }

  double weight(std::size_t v, int bone) const { return weight_of(rig_.skin, v, bone); }
  Vec3 at(std::size_t v) const { return rig_.mesh.positions[v]; }

  Rig rig_;
};

TEST_F(Where, nothing_means_everything) { EXPECT_TRUE(selected_vertices(rig_, "").empty()); }

TEST_F(Where, bones_select_what_they_move) {
  expect_selected("bone1", [&](std::size_t v) { return weight(v, 1) > 0; });
  expect_selected("1", [&](std::size_t v) { return weight(v, 1) > 0; });
  expect_selected("bone0, 1", [&](std::size_t v) { return weight(v, 0) + weight(v, 1) > 0; });
  rig_.skeleton.joints[1].name = "arm (upper), left";
  expect_selected("arm (upper), left", [&](std::size_t v) { return weight(v, 1) > 0; });
  expect_selected("weight('arm (upper), left') > 0.5",
                  [&](std::size_t v) { return weight(v, 1) > 0.5; });
}

TEST_F(Where, expressions_compare_and_join) {
  expect_selected("x > 0.1 and weight(bone1) > 0.2",
                  [&](std::size_t v) { return at(v).x > 0.1 && weight(v, 1) > 0.2; });
  expect_selected("x<0 or y>=0.1 and z>0",
                  [&](std::size_t v) { return at(v).x < 0 || (at(v).y >= 0.1 && at(v).z > 0); });
  expect_selected("not (x <= 1 or y != 0.2)",
                  [&](std::size_t v) { return !(at(v).x <= 1 || at(v).y != 0.2); });
  expect_selected("abs(x - 1) * 2 < 1e-1 + 0.4",
                  [&](std::size_t v) { return std::fabs(at(v).x - 1) * 2 < 0.5; });
  expect_selected("-x + 2*y > -1/2", [&](std::size_t v) { return -at(v).x + 2 * at(v).y > -0.5; });
  expect_selected("vertex = 17", [](std::size_t v) { return v == 17; });
  expect_selected("influences == 2",
                  [&](std::size_t v) { return rig_.skin.weights.row(v).size() == 2; });
  expect_selected("endpoint(bone1) > 0.5", [&](std::size_t v) {
    const Bone& bone = rig_.skeleton.bones[1];
    return weight(v, 1) > 0 && project_on_segment(at(v), bone.head, bone.tail) > 0.5;
  });
  expect_selected("part('left (new)')", [](std::size_t v) { return v < 8; });
  expect_selected("not part(rest)", [](std::size_t v) { return v < 8; });
}

TEST_F(Where, mistakes_are_named_with_their_column) {
  EXPECT_EQ(problem("x > "),
            "--where 'x > ': column 5: the expression ends where a number or a condition should "
            "follow");
  EXPECT_EQ(
      problem("x > 1 and y"),
      "--where 'x > 1 and y': column 11: a condition was expected here, and this is a number");
  EXPECT_EQ(problem("(x > 1) + 2 > 0"),
            "--where '(x > 1) + 2 > 0': column 1: a number was expected here, and this is a "
            "condition");
  EXPECT_EQ(problem("x > 1 y"), "--where 'x > 1 y': column 7: 'y' was not expected here");
  EXPECT_EQ(problem("wieght(bone1) > 1").substr(0, 81),
            "--where 'wieght(bone1) > 1': column 1: there is no 'wieght' (did you mean 'weight");
  EXPECT_EQ(problem("x > 1 and weight(bone9) > 1").substr(0, 77),
            "--where 'x > 1 and weight(bone9) > 1': column 11: there is no bone 'bone9' (d");
  EXPECT_EQ(
      problem("abs(x)"),
      "--where 'abs(x)': column 1: this is a number; compare it with another, as in \"x > 0\"");
  EXPECT_EQ(problem("(x > 1"), "--where '(x > 1': column 7: ')' was expected here");
  EXPECT_EQ(problem("weight(bone1 > 1"),
            "--where 'weight(bone1 > 1': column 8: ')' is missing after the name");
  EXPECT_EQ(problem("x > 1.2.3"), "--where 'x > 1.2.3': column 5: '1.2.3' is not a number");
  EXPECT_EQ(problem("part(hat)").substr(0, 53),
            "--where 'part(hat)': column 6: there is no part 'hat'");
  EXPECT_EQ(problem("twist_endpoint(bone1) > 0"),
            "--where 'twist_endpoint(bone1) > 0': column 1: the rig has no twist endpoint weights");
  EXPECT_EQ(problem("bone9").substr(0, 24), "there is no bone 'bone9'");
  std::string sum = "x";
  for (int i = 0; i < 30000; ++i) sum += "+x";
  EXPECT_NE(problem(sum + " > 1").find("the expression is too long"), std::string::npos);
  EXPECT_NE(problem(std::string(500, '(') + "x > 1").find("nested too deep"), std::string::npos);
  EXPECT_NE(problem(std::string(100000, '-') + "x > 1").find("nested too deep"), std::string::npos);
}

TEST_F(Where, only_selected_vertices_change_and_seams_stay_closed) {
  // The tube's two parts as files have them: each with vertices of its own along the seam.
  const std::size_t count = rig_.mesh.vertex_count();
  for (Index v = 160; v < 168; ++v) {
    rig_.mesh.positions.push_back(rig_.mesh.positions[v]);
    rig_.skin.weights.push_row(
        std::vector<Influence>(rig_.skin.weights.row(v).begin(), rig_.skin.weights.row(v).end()));
  }
  rig_.skin.endpoints = projection_endpoints(rig_.mesh.positions, rig_.skeleton, rig_.skin.weights);
  for (Triangle& t : rig_.mesh.triangles) {
    const bool beyond = std::any_of(t.begin(), t.end(), [](Index v) { return v >= 168; });
    for (Index& v : t) {
      if (beyond && v >= 160 && v < 168) v = v - 160 + static_cast<Index>(count);
    }
  }
  rig_.mesh.parts.clear();
  // Uneven, so that smoothing changes every vertex.
  for (std::size_t i = 0; i < rig_.skin.weights.influences.size(); ++i) {
    Influence& influence = rig_.skin.weights.influences[i];
    if (influence.weight < 1) continue;
    influence.bone = (influence.bone + static_cast<int>(i) / 8 % 2) % 3;
  }
  for (std::size_t i = 0; i < 8; ++i) {
    for (const std::size_t k : {rig_.skin.weights.offsets[160 + i]}) {
      rig_.skin.weights.influences[rig_.skin.weights.offsets[count + i]] =
          rig_.skin.weights.influences[k];
    }
  }
  const Rig before = rig_;
  const std::string where = "vertex >= 40 and vertex < " + std::to_string(count);
  const std::vector<EditStep> steps{SmoothStep{3, where}};
  edit(rig_, steps);
  std::size_t changed = 0;
  for (std::size_t v = 0; v < rig_.mesh.vertex_count(); ++v) {
    const auto row = rig_.skin.weights.row(v), old = before.skin.weights.row(v);
    const bool same = std::equal(row.begin(), row.end(), old.begin(), old.end());
    changed += same ? 0 : 1;
    // Of each pair along the seam one is not selected.
    if (v < 40 || v >= count || (v >= 160 && v < 168)) {
      EXPECT_TRUE(same) << v;
    }
  }
  EXPECT_GT(changed, 100u);
}

}  // namespace
}  // namespace sinew
