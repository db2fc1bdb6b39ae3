// SPDX-License-Identifier: Apache-2.0
// What holds for every method of the list.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/deformer.h"
#include "tests/kernels/kernel_rig.h"
#include "tests/kernels/shaped_tube.h"
#include "tests/support/comparing.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

using test::moments;
using test::shaped_tube;
using test::ShapedMoment;

class Methods : public testing::TestWithParam<const MethodInfo*> {
 protected:
  Method on(const Rig& rig) const { return method_from_name(GetParam()->name, rig); }
  ~Methods() override { set_thread_count(0); }
};

// In degrees, the mean over all.
double mean_angle(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    sum += degrees(std::atan2(length(cross(a[v], b[v])), dot(a[v], b[v])));
  }
  return sum / static_cast<double>(a.size());
}

TEST_P(Methods, fast_path_agrees_with_the_reference_pose_after_pose) {
  const Rig rig = shaped_tube();
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const Method method = on(rig);
  Deformer plain(rig, method), with_normals(rig, method, {.normals = true});
  for (const ShapedMoment& moment : moments(rig)) {
    const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, method, true);
    const Deformed positions = plain.at(moment.bones, moment.shapes);
    EXPECT_LE(largest_difference(positions.positions, expected.positions), 2e-5 * size);
    EXPECT_TRUE(positions.normals.empty());
    const Deformed result = with_normals.at(moment.bones, moment.shapes);
    EXPECT_LE(largest_difference(result.positions, expected.positions), 2e-5 * size);
    EXPECT_LE(mean_angle(result.normals, expected.normals), 1.0);
    ASSERT_EQ(result.tangents.size(), expected.tangents.size());
    for (std::size_t v = 0; v < result.tangents.size(); ++v) {
      EXPECT_EQ(result.tangents[v].w, expected.tangents[v].w);
    }
  }
}

TEST_P(Methods, rest_pose_gives_the_rest_shape) {
  const Rig rig = shaped_tube();
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const auto bones = bone_states(rig.skeleton, rest_bones(rig));
  const Deformed exact = deform_reference(rig, bones, {}, on(rig), true);
  EXPECT_LE(largest_difference(exact.positions, rig.mesh.positions), 1e-12 * size);
  EXPECT_LE(largest_difference(exact.normals, rig.mesh.normals.values), 1e-6);
  const Deformed fast = Deformer(rig, on(rig), {.normals = true}).at(bones, {});
  EXPECT_LE(largest_difference(fast.positions, rig.mesh.positions), 1e-6 * size);
  EXPECT_LE(largest_difference(fast.normals, rig.mesh.normals.values), 1e-4);
}

TEST_P(Methods, number_of_threads_does_not_change_a_bit) {
  const Rig rig = test::kernel_rig({.vertices = 5000});
  const auto pose = test::kernel_pose(rig);
  std::vector<Deformed> results;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    results.push_back(Deformer(rig, on(rig), {.normals = true}).at(pose, {}));
    EXPECT_EQ(results.back().positions, results.front().positions);
    EXPECT_EQ(results.back().normals, results.front().normals);
  }
}

TEST_P(Methods, pose_of_another_rig_is_refused) {
  const Rig rig = shaped_tube();
  const auto bones = moments(make_tube({.bones = 4})).front().bones;
  Deformer deformer(rig, on(rig));
  EXPECT_EQ(wrong_usage([&] { deformer.at(bones, {}); }),
            "the pose has 4 bones, the palette was made for 3");
}

TEST_P(Methods, what_the_list_says_of_it_is_so) {
  const Rig rig = shaped_tube();
  const MethodInfo& info = *GetParam();
  EXPECT_EQ(on(rig).traits(), info.traits);
  EXPECT_FALSE(info.summary.empty());
  EXPECT_EQ(find_method(info.name), &info);
  EXPECT_EQ(wrong_usage([&] {
              method_from_name(info.name, rig, {{"colour", {"red"}}});
            }),
            "colour is no option of " + std::string(info.name));
  for (const MethodOption& option : info.options) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    const std::string wrong = wrong_usage([&] {
      method_from_name(info.name, rig, {{std::string(option.name), {"no such word"}}});
    });
    EXPECT_TRUE(wrong.starts_with(option.name)) << wrong;
  }
}

INSTANTIATE_TEST_SUITE_P(, Methods, testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(MethodList, names_are_different) {
  std::set<std::string_view> names;
  for (const MethodInfo* method : methods()) EXPECT_TRUE(names.insert(method->name).second);
  EXPECT_EQ(find_method("no-such"), nullptr);
}

TEST(MethodOptions, joints_are_looked_up_in_the_rig) {
  const Rig rig = shaped_tube();
  EXPECT_TRUE(wrong_usage([&] {
                method_from_name("stretch-it", rig, {{"collapsing", {"tail"}}});
              }).starts_with("collapsing: "));
}

}  // namespace
}  // namespace sinew
