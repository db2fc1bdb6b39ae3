// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/deform.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/targets.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

using test::kernel_pose;
using test::kernel_rig;
using test::PoseOptions;
using test::RigOptions;
using test::tile_methods;

struct Result {
  std::vector<float> positions, normals, tangents;
};

Result run(const Binding& binding, const Method& method, std::span<const BoneState> pose,
           std::span<const double> shapes = {}) {
  const Plan plan(binding, method);
  Palette palette(plan);
  palette.update(pose, shapes);
  Result result;
  const std::size_t count = binding.vertex_count();
  result.positions.resize(3 * count, NAN);
  result.normals.resize(3 * count, NAN);
  result.tangents.resize(4 * count, NAN);
  Output output;
  output.positions = result.positions.data();
  output.normals = result.normals.data();
  output.tangents = result.tangents.data();
  deform(palette, output);
  // Positions alone go another way.
  std::vector<float> alone(3 * count, NAN);
  deform(palette, {.positions = alone.data()});
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_NEAR(alone[i], result.positions[i], 1e-4f * (1 + std::fabs(alone[i])));
  }
  result.positions = alone;
  return result;
}

Vec3 at(const std::vector<float>& values, std::size_t v, std::size_t stride = 3) {
  return {values[stride * v], values[stride * v + 1], values[stride * v + 2]};
}

double worst_distance(const std::vector<float>& values, const std::vector<Vec3>& expected) {
  double worst = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    const double d = distance(at(values, v), expected[v]);
    worst = d <= worst ? worst : d;  // NaN comes through
  }
  return worst;
}

// What the reference does at fixed weights and endpoint weights: meshes whose vertices have no
// triangles have no gradients.
void expect_matches_reference(const Rig& rig, std::span<const BoneState> pose,
                              const std::string& where, std::span<const double> shapes = {}) {
  const Binding binding(rig);
  const double diagonal = bounding_box(rig.mesh.positions).diagonal();
  for (const auto& [name, method] : tile_methods(rig)) {
    SCOPED_TRACE(where + ", " + name);
    const Deformed expected = deform_reference(rig, pose, shapes, method, true);
    const Result result = run(binding, method, pose, shapes);
    EXPECT_LE(worst_distance(result.positions, expected.positions), 2e-5 * diagonal);
    double normal = 0, tangent = 0;
    for (std::size_t v = 0; v < expected.normals.size(); ++v) {
      // A nearly singular derivative magnifies rounding: single vertices may be further off than
      // the mean.
      const double n = distance(at(result.normals, v), expected.normals[v]);
      const Vec4& t = expected.tangents[v];
      const double along = distance(at(result.tangents, v, 4), Vec3{t.x, t.y, t.z});
      EXPECT_LT(n, 2e-3) << v;
      EXPECT_LT(along, 2e-3) << v;
      normal += n;
      tangent += along;
      EXPECT_EQ(static_cast<double>(result.tangents[4 * v + 3]), t.w);
    }
    const auto count = static_cast<double>(expected.normals.size());
    EXPECT_LE(normal / count, 1e-5);
    EXPECT_LE(tangent / count, 1e-5);
  }
}

class KernelTargets : public ::testing::Test {
 protected:
  ~KernelTargets() override { use_kernel_target(""); }
};

TEST_F(KernelTargets, all_match_the_reference_for_twists_of_720_degrees_and_stretches_of_10) {
  const Rig rig = kernel_rig();
  const auto pose = kernel_pose(rig);
  ASSERT_GE(kernel_targets().size(), 1u);
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    expect_matches_reference(rig, pose, target);
  }
}

TEST_F(KernelTargets, all_match_the_reference_where_few_joints_bend) {
  const Rig rig = kernel_rig();
  const auto pose = test::few_bends(rig);
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    expect_matches_reference(rig, pose, target);
  }
}

TEST_F(KernelTargets, all_match_the_reference_under_scale) {
  const Rig rig = kernel_rig({.influences = 6}, 7);
  PoseOptions options;
  options.scale = true;
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    expect_matches_reference(rig, kernel_pose(rig, options, 8), target);
  }
}

TEST_F(KernelTargets, all_match_the_reference_on_random_rigs) {
  for (unsigned seed = 20; seed < 26; ++seed) {
    test::Random random(seed);
    const test::RigOptions options{.vertices = 1 + random.below(200),
                                   .bones = 1 + random.below(20),
                                   .influences = 1 + random.below(6),
                                   .origin = random.vector(1)};
    const Rig rig = kernel_rig(options, seed);
    PoseOptions pose;
    pose.scale = seed % 2 == 0;
    for (const std::string& target : kernel_targets()) {
      use_kernel_target(target);
      expect_matches_reference(rig, kernel_pose(rig, pose, seed + 1),
                               target + ", rig " + std::to_string(seed));
    }
  }
}

TEST_F(KernelTargets, all_blend_bones_that_are_half_a_turn_apart_the_same_way_round) {
  const Rig rig = make_tube();
  const Quat turn = rotation_about(normalized(Vec3{0.3, -0.8, 0.5}), 1.1);
  for (const double twist : {pi, -pi, 3 * pi}) {
    std::vector<BonePose> poses = rest_bones(rig);
    for (BonePose& pose : poses) {
      pose.start = rotate(turn, pose.start);
      pose.end = rotate(turn, pose.end);
      pose.rotation = turn;
    }
    poses[1].twist_start = poses[1].twist_end = twist;
    const auto states = bone_states(rig.skeleton, poses);
    const Method method = Skinning{BoneMap::stbs, DualQuaternionBlend{}};
    const Deformed expected = deform_reference(rig, states, {}, method);
    for (const std::string& target : kernel_targets()) {
      use_kernel_target(target);
      const Result result = run(Binding(rig), method, states);
      EXPECT_LE(worst_distance(result.positions, expected.positions), 4e-6) << target << twist;
    }
  }
}

TEST_F(KernelTargets, unknown_ones_are_refused) {
  std::string known;
  for (const std::string& target : kernel_targets()) known += (known.empty() ? "" : ", ") + target;
  EXPECT_EQ(wrong_usage([&] { use_kernel_target("PDP-11"); }),
            "the machine has no PDP-11; it has " + known);
}

TEST(Kernels, many_influences_match_the_reference) {
  const Rig rig = kernel_rig({.bones = 30, .influences = 25}, 3);
  expect_matches_reference(rig, kernel_pose(rig), "25 influences");
}

TEST(Kernels, any_number_of_vertices_is_right) {
  for (const std::size_t vertices : {0u, 1u, 15u, 16u, 17u, 33u}) {
    const Rig rig = kernel_rig({.vertices = vertices}, 4);
    const Binding binding(rig);
    const auto pose = kernel_pose(rig);
    const Method method = Skinning{BoneMap::stbs, LinearBlend{}};
    const Result result = run(binding, method, pose);
    const Deformed expected = deform_reference(rig, pose, {}, method);
    EXPECT_LE(worst_distance(result.positions, expected.positions), 1e-6) << vertices;
  }
}

TEST(Kernels, shapes_far_from_the_origin_keep_their_detail) {
  const Rig rig = kernel_rig({.origin = {300, 200, -100}}, 5);
  auto pose = kernel_pose(rig);
  // Posed near the origin, so that a float can hold the result.
  for (BoneState& state : pose) {
    const Vec3 shift{-300, -200, 100};
    state.posed_head += shift;
    state.posed_tail += shift;
    state.matrix.translation += shift;
  }
  const Binding binding(rig);
  for (const auto& [name, method] : tile_methods(rig)) {
    const Deformed expected = deform_reference(rig, pose, {}, method);
    const Result result = run(binding, method, pose);
    double worst = 0;
    for (std::size_t v = 0; v < expected.positions.size(); ++v) {
      if (!rig.skin.weights.row(v).empty()) {
        worst = std::max(worst, distance(at(result.positions, v), expected.positions[v]));
      }
    }
    EXPECT_LE(worst, 5e-6 * bounding_box(rig.mesh.positions).diagonal()) << name;
  }
}

TEST(Kernels, separate_twist_endpoints_match_the_reference) {
  Rig rig = kernel_rig();
  for (const double e : rig.skin.endpoints) rig.skin.twist_endpoints.push_back(1 - e * e);
  expect_matches_reference(rig, kernel_pose(rig), "separate");
}

std::vector<BoneFilter> some_filters(const Rig& rig) {
  std::vector<BoneFilter> filters(rig.skeleton.bones.size());
  for (std::size_t b = 0; b < filters.size(); b += 2) {
    filters[b].stretch.points = {{0, 0.2}, {0.5, 0.3}, {1, 0.9}};
    filters[b].twist.points = {{0.3, 0}, {0.6, 1}};
  }
  return filters;
}

TEST(Kernels, set_filters_equals_binding_with_them_and_can_be_undone) {
  Rig rig = kernel_rig();
  Binding changed(rig);
  Rig filtered = rig;
  filtered.skin.filters = some_filters(rig);
  const auto pose = kernel_pose(rig);
  expect_matches_reference(filtered, pose, "filtered");
  set_filters(changed, filtered.skin.filters);
  for (const auto& [name, method] : tile_methods(rig)) {
    EXPECT_EQ(run(changed, method, pose).positions, run(Binding(filtered), method, pose).positions)
        << name;
  }
  set_filters(changed, {});
  const Method method = Skinning{BoneMap::stbs, DualQuaternionBlend{}};
  EXPECT_EQ(run(changed, method, pose).positions, run(Binding(rig), method, pose).positions);
  EXPECT_EQ(wrong_usage([&] { set_filters(changed, std::vector<BoneFilter>(2)); }),
            "there must be one filter for each bone, or none");
}

TEST(Kernels, dense_and_sparse_shapes_are_added_before_skinning) {
  Rig rig = kernel_rig();
  test::Random random(9);
  BlendShape dense, sparse;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    dense.positions.push_back(random.vector(0.02));
    dense.normals.push_back(random.vector(0.1));
    if (v % 7 != 3) continue;
    sparse.vertices.push_back(static_cast<Index>(v));
    sparse.positions.push_back(random.vector(0.05));
    sparse.tangents.push_back(random.vector(0.1));
  }
  rig.mesh.shapes = {dense, sparse, dense};
  const std::vector<double> weights{-0.7, 1.6, 0};
  expect_matches_reference(rig, kernel_pose(rig), "shapes", weights);
}

TEST(Kernels, shapes_turn_the_normals_of_a_mesh_that_has_none) {
  Rig rig = make_tube();
  BlendShape bulge;
  for (std::size_t v = 200; v < 500; ++v) {
    bulge.vertices.push_back(static_cast<Index>(v));
    const Vec3& p = rig.mesh.positions[v];
    const double amount = 0.5 * std::sin(pi * static_cast<double>(v - 200) / 300);
    bulge.positions.push_back(Vec3{0, p.y, p.z} * amount);
  }
  rig.mesh.shapes = {bulge};
  const auto pose = bone_states(rig.skeleton, rest_bones(rig));
  const Binding binding(rig);
  const Method method = Skinning{};
  const auto error = [&](double weight) {
    const std::vector<double> weights{weight};
    const Deformed expected = deform_reference(rig, pose, weights, method, true);
    return worst_distance(run(binding, method, pose, weights).normals, expected.normals);
  };
  EXPECT_LE(error(0), 1e-5);
  EXPECT_LE(error(1), 1e-5);
  EXPECT_LE(error(0.5), 0.1);
}

TEST(Kernels, at_rest_nothing_moves) {
  const Rig rig = kernel_rig();
  std::vector<BonePose> rest;
  for (const Bone& bone : rig.skeleton.bones) rest.push_back({bone.head, bone.tail, {}, 0, 0});
  const auto pose = bone_states(rig.skeleton, rest);
  const Binding binding(rig);
  for (const auto& [name, method] : tile_methods(rig)) {
    EXPECT_LE(worst_distance(run(binding, method, pose).positions, rig.mesh.positions), 1e-6)
        << name;
  }
}

TEST(Kernels, a_pose_without_stretch_and_twist_matches_the_reference) {
  const Rig rig = kernel_rig();
  PoseOptions still;
  still.twist = 0;
  still.least_stretch = still.most_stretch = 1;
  expect_matches_reference(rig, kernel_pose(rig, still), "still");
}

TEST(Kernels, interleaved_output_touches_nothing_else) {
  const Rig rig = kernel_rig();
  const Binding binding(rig);
  const auto pose = kernel_pose(rig);
  for (const auto& [name, method] : tile_methods(rig)) {
    const Result expected = run(binding, method, pose);
    struct Vertex {
      float uv[2];
      float position[3];
      std::uint8_t color[4];
      float normal[3];
      float tangent[4];
    };
    Vertex blank;
    std::memset(&blank, 0x5a, sizeof(blank));
    std::vector<Vertex> buffer(binding.vertex_count(), blank);
    const Plan plan(binding, method);
    Palette palette(plan);
    palette.update(pose);
    deform(palette, {buffer[0].position, sizeof(Vertex), buffer[0].normal, sizeof(Vertex),
                     buffer[0].tangent, sizeof(Vertex)});
    for (std::size_t v = 0; v < buffer.size(); ++v) {
      ASSERT_EQ(std::memcmp(buffer[v].uv, blank.uv, sizeof(blank.uv)), 0) << name;
      ASSERT_EQ(std::memcmp(buffer[v].color, blank.color, sizeof(blank.color)), 0) << name;
      ASSERT_EQ(std::memcmp(buffer[v].normal, &expected.normals[3 * v], 12), 0) << name;
      ASSERT_EQ(std::memcmp(buffer[v].tangent, &expected.tangents[4 * v], 16), 0) << name;
    }
  }
}

class AroundCaches : public testing::TestWithParam<bool> {};

TEST_P(AroundCaches, the_same_is_written) {
  // Strewn vertices are written block by block, those in order in smaller steps.
  const Rig rig = GetParam() ? make_tube({.rings = 401}) : kernel_rig({.vertices = 5001});
  const Binding binding(rig);
  const auto pose = kernel_pose(rig);
  for (const auto& [name, method] : tile_methods(rig)) {
    const Plan plan(binding, method);
    Palette palette(plan);
    palette.update(pose);
    std::vector<float> expected(3 * binding.vertex_count());
    deform(palette, {.positions = expected.data(), .writing = Writing::into_caches});
    for (std::size_t shift = 0; shift <= 16; ++shift) {  // from anywhere in a cache line on
      std::vector<float> around(expected.size() + 40, -1.0f);
      deform(palette, {.positions = around.data() + shift, .writing = Writing::around_caches});
      const auto first = around.begin() + static_cast<std::ptrdiff_t>(shift);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first)) << name << ' ' << shift;
      EXPECT_TRUE(std::all_of(around.begin(), first, [](float x) { return x == -1; })) << name;
      const auto after =
          around.begin() + static_cast<std::ptrdiff_t>(shift + 3 * binding.vertex_count());
      EXPECT_TRUE(std::all_of(after, around.end(), [](float x) { return x == -1; })) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, AroundCaches, testing::Bool());

TEST(Kernels, vertices_are_sorted_so_that_tiles_have_few_bones) {
  // The first two sets share no bone, nor do the others that follow each other.
  constexpr int sets[4][2] = {{0, 9}, {1, 8}, {2, 9}, {3, 8}};
  Rig rig = kernel_rig({.vertices = 32, .bones = 10});
  rig.skin = {};
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const auto& [a, b] = sets[v % 4];
    rig.skin.weights.push_row(std::vector<Influence>{{a, 0.5}, {b, 0.5}});
  }
  EXPECT_EQ(Binding(rig).mean_influences(), 3);
}

TEST(Kernels, meshes_whose_neighbours_share_bones_match_the_reference) {
  // Sorted along the chain, tiles are runs of 16 or of 4 vertices, which are written otherwise.
  for (const std::size_t stretch : {4u, 16u, 40u}) {
    Rig rig = kernel_rig({.vertices = 1000});
    const Weights strewn = rig.skin.weights;
    rig.skin.weights = {};
    rig.skin.endpoints.clear();
    for (std::size_t v = 0; v < strewn.vertex_count(); ++v) {
      rig.skin.weights.push_row(strewn.row(v / stretch * 7 % strewn.vertex_count()));
      for (std::size_t i = 0; i < rig.skin.weights.row(v).size(); ++i) {
        rig.skin.endpoints.push_back(static_cast<double>(v % 13) / 12);
      }
    }
    expect_matches_reference(rig, kernel_pose(rig), "runs of " + std::to_string(stretch));
  }
}

TEST(Kernels, the_number_of_threads_does_not_change_a_bit) {
  const Rig rig = kernel_rig({.vertices = 9000}, 6);
  const Binding binding(rig);
  const auto pose = kernel_pose(rig);
  for (const auto& [name, method] : tile_methods(rig)) {
    set_thread_count(1);
    const Result one = run(binding, method, pose);
    for (const int threads : {2, 5}) {
      set_thread_count(threads);
      const Result many = run(binding, method, pose);
      EXPECT_EQ(one.positions, many.positions) << name;
      EXPECT_EQ(one.normals, many.normals) << name;
    }
    set_thread_count(0);
  }
}

TEST(Kernels, a_palette_serves_one_pose_after_another) {
  const Rig rig = kernel_rig();
  const Binding binding(rig);
  const Method method = Skinning{BoneMap::stbs, DualQuaternionBlend{}};
  const Plan plan(binding, method);
  Palette palette(plan);
  PoseOptions still;
  still.twist = 0;
  still.least_stretch = still.most_stretch = 1;
  for (const auto& pose : {kernel_pose(rig), kernel_pose(rig, still), kernel_pose(rig, {}, 5)}) {
    palette.update(pose);
    std::vector<float> positions(3 * binding.vertex_count());
    deform(palette, {.positions = positions.data()});
    EXPECT_EQ(positions, run(binding, method, pose).positions);
  }
}

// Where the ends of a twist lie on both sides of half a turn from the next bone, some of the
// vertices that the two share need the other sign of a quaternion, and some do not.
TEST(Kernels, twists_of_about_half_a_turn_are_blended_the_short_way_at_every_vertex) {
  const Rig rig = make_tube();
  const Binding binding(rig);
  const Method method = method_from_name("stbs-dqs", rig);
  for (const double twist : {170.0, 200.0, 250.0, 340.0}) {
    auto bones = rest_bones(rig);
    bones[0].twist_end = radians(twist);
    const auto states = bone_states(rig.skeleton, bones);
    EXPECT_LE(worst_distance(run(binding, method, states).positions,
                             deform_reference(rig, states, {}, method).positions),
              2e-6)
        << twist;
  }
}

TEST(Kernels, settings_that_do_not_fit_the_rig_are_refused) {
  const Rig rig = kernel_rig();
  const Binding binding(rig);
  const Plan plan(binding, Skinning{});
  Palette palette(plan);
  EXPECT_EQ(wrong_usage([&] { palette.update(std::vector<BoneState>(3)); }),
            "the pose has 3 bones, the palette was made for 9");
}

}  // namespace
}  // namespace sinew
