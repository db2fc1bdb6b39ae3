// SPDX-License-Identifier: Apache-2.0
// Flat shapes in any plane have the weights that they have in z = 0.
#include <gtest/gtest.h>

#include "sinew/weights/bbw.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

Skeleton flat_strip_bones() { return chain({{0.5, 0.5, 0}, {2, 0.5, 0}, {3.5, 0.5, 0}}); }

Torture flat_strip(const Surface& s) { return torture("strip", s, flat_strip_bones()); }

Torture turned_into(Torture t, const Quat& turn, double scale) {
  const auto move = [&](Vec3& p) { p = rotate(turn, p) * scale; };
  for (Vec3& p : t.mesh.positions) move(p);
  for (Bone& bone : t.skeleton.bones) {
    move(bone.head);
    move(bone.tail);
  }
  return t;
}

struct FlatSkin {
  Weights weights;
  std::vector<double> endpoints, by_joints;
};

FlatSkin solve_flat(const Torture& t) {
  const Bbw bbw(t.mesh, t.skeleton);
  FlatSkin skin{bbw.weights().weights, {}, {}};
  skin.endpoints = bbw.endpoints(skin.weights).endpoints;
  skin.by_joints = bbw.endpoints(skin.weights, EndpointSource::joints).endpoints;
  return skin;
}

// Of vertex v of one skin and vertex v % size of the other; of endpoint weights where they matter.
double skin_difference(const FlatSkin& a, const FlatSkin& b, std::size_t size) {
  double most = 0;
  for (std::size_t v = 0; v < a.weights.vertex_count(); ++v) {
    for (std::size_t i = a.weights.offsets[v]; i < a.weights.offsets[v + 1]; ++i) {
      const Influence& one = a.weights.influences[i];
      most = std::max(most, std::fabs(one.weight - weight_of(b.weights, v % size, one.bone)));
      for (std::size_t j = b.weights.offsets[v % size]; j < b.weights.offsets[v % size + 1]; ++j) {
        if (b.weights.influences[j].bone != one.bone || one.weight < 0.05) continue;
        most = std::max({most, std::fabs(a.endpoints[i] - b.endpoints[j]),
                         std::fabs(a.by_joints[i] - b.by_joints[j])});
      }
    }
  }
  return most;
}

TEST(BbwFlat, the_plane_the_scale_and_a_little_noise_do_not_matter) {
  const FlatSkin expected = solve_flat(flat_strip(sheet(41, 11)));
  for (const double noise : {0.0, 1e-6, 1e-4, 4e-3}) {
    Surface s = sheet(41, 11);
    add_noise(s, noise);
    for (const Quat& turn : planes()) {
      for (const double scale : {1e-3, 1.0, 1e3}) {
        if (noise > 0 && noise < 1e-3 && scale != 1) continue;
        const FlatSkin skin = solve_flat(turned_into(flat_strip(s), turn, scale));
        // Heights are left out; what is left is a plane that leans by its noise.
        EXPECT_LT(skin_difference(skin, expected, 41 * 11), 1e-4 + 2 * noise)
            << noise << ", " << scale;
      }
    }
  }
}

TEST(BbwFlat, both_sides_of_a_card_have_the_weights_of_one) {
  const FlatSkin expected = solve_flat(flat_strip(sheet(41, 11)));
  for (const double thickness : {0.0, 1e-5, 8e-3}) {
    for (const bool rim : {false, true}) {
      const Surface s = card(41, 11, thickness, rim);
      for (const Quat& turn : planes()) {
        const Torture t = turned_into(flat_strip(s), turn, 1);
        EXPECT_LT(skin_difference(solve_flat(t), expected, 41 * 11), 2e-3)
            << thickness << ", " << rim;
      }
    }
  }
}

TEST(BbwFlat, a_bone_between_vertices_holds_both_sides_of_a_card) {
  Torture t = torture("between", card(41, 11, 4e-3, true),
                      chain({{0.52, 0.53, 0}, {2.01, 0.53, 0}, {3.47, 0.53, 0}}));
  Torture one = torture("one", sheet(41, 11), t.skeleton);
  EXPECT_LT(skin_difference(solve_flat(t), solve_flat(one), 41 * 11), 5e-3);
}

TEST(BbwFlat, a_card_that_is_not_one_keeps_its_lattice) {
  const Torture t = flat_strip(card(41, 11, 0.1, true));
  EXPECT_NE(Bbw(t.mesh, t.skeleton, {.lattice_nodes = 1500}).node_count(), t.mesh.vertex_count());
}

TEST(BbwFlat, the_notes_of_a_shape_with_some_thickness_say_that_it_is_flat) {
  const Torture t = flat_strip(card(41, 11, 4e-3, true));
  const Bbw bbw(t.mesh, t.skeleton);
  const SolvedWeights solved = bbw.weights();
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("the shape is flat"), std::string::npos);
  EXPECT_EQ(bbw.endpoints(solved.weights).notes.repairs, solved.notes.repairs);
}

// An arm in front of a body, both in one plane but for a little: each follows its own bone.
TEST(BbwFlat, layers_that_lie_over_one_another_stay_apart) {
  Surface s = sheet(21, 21);
  Surface arm = moved(sheet(21, 5), 1, {1, 1, 0.005});
  append(s, arm);
  const Torture t = torture(
      "layers", s, loose_bones({{0.23, 0.2, 0}, {0.23, 1.8, 0}, {1.17, 1.21, 0}, {2.81, 1.21, 0}}));
  const Weights weights = Bbw(t.mesh, t.skeleton).weights().weights;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(weights, v, v < 441 ? 0 : 1), 1) << v;
  }
}

// A bone drawn in the plane z = 0 while the art is elsewhere: as if it were in it.
TEST(BbwFlat, bones_that_hover_over_the_art_move_what_is_below_them) {
  Torture t = flat_strip(sheet(41, 11));
  const FlatSkin expected = solve_flat(t);
  for (Bone& bone : t.skeleton.bones) bone.head.z = bone.tail.z = 0.7;
  EXPECT_LT(skin_difference(solve_flat(t), expected, 41 * 11), 0.05);
}

}  // namespace
}  // namespace sinew
