// SPDX-License-Identifier: Apache-2.0
// What the methods that look at distances alone have in common.
#include <functional>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/skin/projection.h"
#include "sinew/weights/inverse_distance.h"
#include "sinew/weights/rigid.h"
#include "sinew/weights/shepard.h"
#include "tests/support/refusals.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

struct NamedMethod {
  const char* name;
  std::function<Weights(std::span<const Vec3>, const Skeleton&)> compute;
};

const std::vector<NamedMethod>& methods() {
  static const std::vector<NamedMethod> all = {
      {"rigid", [](auto p, const Skeleton& s) { return rigid_weights(p, s); }},
      {"inverse distance",
       [](auto p, const Skeleton& s) { return inverse_distance_weights(p, s); }},
      {"steep inverse distance",
       [](auto p, const Skeleton& s) { return inverse_distance_weights(p, s, {.alpha = 400}); }},
      {"shepard", [](auto p, const Skeleton& s) { return shepard_weights(p, s); }},
      {"steep shepard",
       [](auto p, const Skeleton& s) { return shepard_weights(p, s, {.drop_rate = 401}); }},
      {"shepard of one joint",
       [](auto p, const Skeleton& s) { return shepard_weights(p, s, {.joints = 1}); }}};
  return all;
}

TEST(DistanceMethods, every_broken_mesh_is_fully_covered) {
  for (const Torture& t : torture_set()) {
    for (const NamedMethod& method : methods()) {
      const Weights weights = method.compute(t.mesh.positions, t.skeleton);
      expect_full_weights(weights, t.mesh.vertex_count(), t.skeleton.bones.size(),
                          t.name + ", " + method.name);
      expect_endpoints(inverse_distance_endpoints(t.mesh.positions, t.skeleton, weights), weights,
                       t.name);
      expect_endpoints(projection_endpoints(t.mesh.positions, t.skeleton, weights), weights,
                       t.name);
    }
  }
}

TEST(DistanceMethods, scale_and_place_do_not_matter) {
  for (const Torture& t : torture_set()) {
    if (t.name == "short and long bones") continue;  // its short bone vanishes far away
    for (const double scale : {1e-3, 1e3, 1e-100, 1e100}) {
      const Torture other = moved(t, scale, Vec3{300, -200, 100} * scale);
      for (const NamedMethod& method : methods()) {
        if (std::string(method.name).rfind("steep", 0) == 0) continue;
        const Weights before = method.compute(t.mesh.positions, t.skeleton);
        const Weights after = method.compute(other.mesh.positions, other.skeleton);
        EXPECT_LT(largest_difference(before, after, t.skeleton.bones.size()), 1e-4)
            << t.name << ", " << method.name << ", " << scale;
      }
    }
  }
}

TEST(DistanceMethods, thread_count_changes_no_bit) {
  std::vector<Vec3> positions;
  Random random(3);
  for (int i = 0; i < 10000; ++i) positions.push_back(random.vector());
  const Skeleton skeleton = chain({{0, -1, 0}, {0, 0, 0}, {0.5, 0.5, 0}, {0, 1, 0}});
  for (const NamedMethod& method : methods()) {
    set_thread_count(1);
    const Weights one = method.compute(positions, skeleton);
    set_thread_count(0);
    EXPECT_EQ(one, method.compute(positions, skeleton)) << method.name;
  }
}

TEST(DistanceMethods, bad_input_is_named) {
  const std::vector<Vec3> good = {{0, 0, 0}};
  const std::vector<Vec3> bad = {{0, 0, 0}, {0, NAN, 0}};
  const Skeleton skeleton = limb_bones();
  for (const NamedMethod& method : methods()) {
    EXPECT_EQ(bad_input([&] { method.compute(good, {}); }),
              "skeleton: it has no bones, and weights need at least one")
        << method.name;
    EXPECT_EQ(bad_input([&] { method.compute(bad, skeleton); }),
              "vertex 1: has a coordinate that is not a finite number; remove or repair the vertex")
        << method.name;
  }
  EXPECT_EQ(wrong_usage([&] { inverse_distance_weights(good, skeleton, {.alpha = 1.5}); }),
            "alpha is 1.5; it must be between 2 and 1000");
  EXPECT_EQ(bad_input([&] { inverse_distance_endpoints(good, skeleton, {}); }),
            "weights: 0 rows for 1 vertices");
  EXPECT_EQ(wrong_usage([&] { shepard_weights(good, skeleton, {.drop_rate = 0}); }),
            "the drop rate is 0; it must be in (0, 1000]");
  EXPECT_EQ(wrong_usage([&] { shepard_weights(good, skeleton, {.joints = 0}); }),
            "0 joints cannot influence a vertex; ask for 1 or more");
}

TEST(Rigid, the_nearest_bone_takes_all_and_the_lowest_of_equals) {
  const Skeleton skeleton = chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}});
  const std::vector<Vec3> positions = {{1, 0.5, 0}, {1, 1.5, 0}, {1, 1, 0}, {0, 1, 0}};
  const Weights weights = rigid_weights(positions, skeleton);
  EXPECT_EQ(to_dense(weights, 2), (std::vector<double>{1, 0, 0, 1, 1, 0, 1, 0}));
}

TEST(InverseDistance, weights_are_the_powers_of_distances) {
  const Skeleton skeleton = loose_bones({{-1, 0, 0}, {-1, 1, 0}, {1, 0, 0}, {1, 1, 0}});
  const std::vector<Vec3> positions = {{-0.5, 0.5, 0}};
  for (const double alpha : {2.0, 3.0, 4.0}) {
    const Weights weights = inverse_distance_weights(positions, skeleton, {.alpha = alpha});
    EXPECT_NEAR(weight_of(weights, 0, 1), 1 / (1 + std::pow(3, alpha)), 1e-12);
  }
}

TEST(InverseDistance, a_vertex_on_bones_is_shared_among_them_alone) {
  const Skeleton skeleton = chain({{0, 0, 0}, {0, 1, 0}, {0.3, 1.7, 0.1}, {3, 3, 3}});
  const std::vector<Vec3> positions = {
      {0, 0.25, 0}, {0, 1, 0}, lerp(Vec3{0.3, 1.7, 0.1}, {3, 3, 3}, 0.3)};
  const Weights weights = inverse_distance_weights(positions, skeleton);
  EXPECT_EQ(to_dense(weights, 3), (std::vector<double>{1, 0, 0, 0.5, 0.5, 0, 0, 0, 1}));
}

TEST(InverseDistance, endpoints_are_exact_at_the_ends_and_fall_off_to_one_half) {
  const Skeleton skeleton = chain({{0.1, 0.2, 0.3}, {0.7, 1.1, 0.9}});
  const Vec3 a = skeleton.bones[0].head;
  const Vec3 b = skeleton.bones[0].tail;
  const std::vector<Vec3> positions = {
      a, b, lerp(a, b, 0.5), lerp(a, b, 1.5), lerp(a, b, 3.0), lerp(a, b, 1000.0)};
  const Weights weights = rigid_weights(positions, skeleton);
  const auto e = inverse_distance_endpoints(positions, skeleton, weights, {.alpha = 2});
  EXPECT_EQ(e[0], 0);
  EXPECT_EQ(e[1], 1);
  EXPECT_NEAR(e[2], 0.5, 1e-12);
  EXPECT_NEAR(e[3], 0.9, 1e-12);
  EXPECT_NEAR(e[4], 9.0 / 13, 1e-12);
  EXPECT_NEAR(e[5], 0.5, 6e-4);
}

// Eqs. 7 and 9 with the joint weights scaled over all joints, as against the bone's own.
TEST(InverseDistance, endpoints_over_all_joints_are_those_of_the_paper) {
  const std::vector<Vec3> joints = {{0, 0, 0}, {0, 1, 0}, {0.5, 1.8, 0.2}, {2, 2, 1}};
  const Skeleton skeleton = chain(joints);
  std::vector<Vec3> positions = joints;
  Random random(4);
  for (int i = 0; i < 50; ++i) positions.push_back(random.vector() * 2);
  const Weights weights = weights_from_dense(std::vector<double>(3 * positions.size(), 1.0 / 3), 3);
  const double alpha = 3;
  const auto e = inverse_distance_endpoints(positions, skeleton, weights,
                                            {.alpha = alpha, .joints = JointSet::all});
  const auto own = inverse_distance_endpoints(positions, skeleton, weights, {.alpha = alpha});
  double difference = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (std::size_t b = 0; b < 3; ++b) {
      const double at = e[3 * v + b];
      if (v < joints.size()) {
        EXPECT_EQ(at, v == b ? 0 : v == b + 1 ? 1 : 0.5);
        continue;
      }
      double sum = 0;
      for (const Vec3& j : joints) sum += std::pow(distance(positions[v], j), -alpha);
      const double head = std::pow(distance(positions[v], joints[b]), -alpha) / sum;
      const double tail = std::pow(distance(positions[v], joints[b + 1]), -alpha) / sum;
      EXPECT_NEAR(at, ((1 - head) + tail) / 2, 1e-12);
      difference = std::max(difference, std::fabs(at - own[3 * v + b]));
    }
  }
  EXPECT_GT(difference, 0.3);
  // For a single bone it is the same.
  const Skeleton single = chain({joints[0], joints[1]});
  const Weights rigid = rigid_weights(positions, single);
  const auto all = inverse_distance_endpoints(positions, single, rigid, {.joints = JointSet::all});
  EXPECT_LT(largest_difference(all, inverse_distance_endpoints(positions, single, rigid)), 1e-12);
}

TEST(Projection, endpoints_are_exact_at_the_ends_and_linear_along_the_bone) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = random.vector() * std::pow(10, 6 * random.number());
    const Vec3 b = a + random.vector() * std::pow(10, 6 * random.number());
    const Skeleton skeleton = chain({a, b});
    const std::vector<Vec3> positions = {a, b, lerp(a, b, 0.25), a - (b - a), b + (b - a)};
    const auto e = projection_endpoints(positions, skeleton, rigid_weights(positions, skeleton));
    EXPECT_EQ(e[0], 0);
    EXPECT_EQ(e[1], 1);
    EXPECT_NEAR(e[2], 0.25, 1e-15 * (1 + length(a) / distance(a, b)));
    EXPECT_EQ(e[3], 0);
    EXPECT_EQ(e[4], 1);
  }
}

TEST(Shepard, weights_are_those_of_the_equation) {
  const Skeleton skeleton =
      loose_bones({{-1, 0, 0}, {-1, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 4}, {0, 1, 4}});
  const std::vector<Vec3> positions = {{-0.5, 0.5, 0}};
  const double d[3] = {0.5, 1.5, std::sqrt(16.25)};
  const double m = 3;
  double products[3];
  for (int i = 0; i < 3; ++i) products[i] = std::pow(d[(i + 1) % 3] * d[(i + 2) % 3], m);
  const Weights weights = shepard_weights(positions, skeleton, {.drop_rate = m});
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(weight_of(weights, 0, i), products[i] / (products[0] + products[1] + products[2]),
                1e-12);
  }
}

TEST(Shepard, only_the_nearest_joints_count_and_ties_are_kept) {
  const Skeleton skeleton =
      loose_bones({{-1, 0, 0}, {-1, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 4}, {0, 1, 4}});
  const std::vector<Vec3> positions = {{-0.5, 0.5, 0}, {0, 0.5, 0}};
  const Weights weights = shepard_weights(positions, skeleton, {.joints = 1});
  EXPECT_EQ(to_dense(weights, 3), (std::vector<double>{1, 0, 0, 0.5, 0.5, 0}));
}

// Two bones from one joint count once: the weights of the others do not change.
TEST(Shepard, the_bones_of_a_joint_divide_what_it_gets) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 1, 0}, {1, -1, 0}, {3, 1, 0}, {3, -1, 0}};
  const std::vector<std::array<int, 2>> segments = {{0, 1}, {0, 2}, {1, 3}, {2, 4}};
  const Skeleton skeleton = skeleton_from_segments(points, segments);
  const std::vector<Vec3> positions = {{-1, 0, 0}};
  const Weights weights = shepard_weights(positions, skeleton, {.drop_rate = 2});
  const double near = 1;
  const double far = 1.0 / 5;  // of (1, 1) and of (1, -1), squared distance 5
  EXPECT_NEAR(weight_of(weights, 0, 0), near / (near + 2 * far) / 2, 1e-12);
  EXPECT_NEAR(weight_of(weights, 0, 1), near / (near + 2 * far) / 2, 1e-12);
  EXPECT_NEAR(weight_of(weights, 0, 2), far / (near + 2 * far), 1e-12);
}

// A pelvis whose bone is the spine is as near to what lies around the hips as the lines to these.
TEST(Shepard, the_lines_to_child_joints_belong_to_the_joint) {
  Skeleton skeleton;
  skeleton.joints.resize(3);
  skeleton.joints[1].parent = 0;
  skeleton.joints[1].rest.translation = {0, 1, 0};
  skeleton.joints[2].parent = 0;
  skeleton.joints[2].rest.translation = {2, 0, 0};
  skeleton.bones = bones_from_joints(skeleton);
  ASSERT_EQ(skeleton.bones[0].tail_joint, 1);
  const std::vector<Vec3> positions = {{1, 0, 0}};
  EXPECT_EQ(weight_of(shepard_weights(positions, skeleton), 0, 0), 1);
}

}  // namespace
}  // namespace sinew
