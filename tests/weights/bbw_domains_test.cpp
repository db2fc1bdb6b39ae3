// SPDX-License-Identifier: Apache-2.0
// Bounded biharmonic weights where the mesh brings its own domain: in the plane, and in tetrahedra.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/weights/bbw.h"
#include "sinew/weights/rigid.h"
#include "sinew/weights/weight_settings.h"
#include "tests/support/assets.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_bbw.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

Torture flat_limb() {
  return torture("flat", sheet(41, 11, 3), chain({{0.5, 0.5, 3}, {2, 0.5, 3}, {3.5, 0.5, 3}}));
}

TEST(BbwPlane, bones_have_weight_one_along_them_and_the_sheet_is_its_own_domain) {
  const Torture t = flat_limb();
  const Bbw bbw(t.mesh, t.skeleton);
  EXPECT_EQ(bbw.node_count(), t.mesh.vertex_count());
  const SolvedWeights solved = bbw.weights();
  expect_full_weights(solved.weights, t.mesh.vertex_count(), 2, t.name);
  EXPECT_TRUE(solved.notes.converged);
  EXPECT_TRUE(solved.notes.repairs.empty());
  for (std::size_t c = 5; c <= 35; ++c) {
    const double expected = c < 20 ? 1 : c > 20 ? 0 : 0.5;
    EXPECT_NEAR(weight_of(solved.weights, 5 * 41 + c, 0), expected, 1e-6) << c;
  }
}

// But for what comes to rest at the free ends: half the width of the sheet.
TEST(BbwPlane, endpoints_are_linear_along_the_bone) {
  const Torture t = flat_limb();
  const Bbw bbw(t.mesh, t.skeleton);
  const Weights weights = bbw.weights().weights;
  for (const EndpointSource source : {EndpointSource::bones, EndpointSource::joints}) {
    const std::vector<double> e = bbw.endpoints(weights, source).endpoints;
    expect_endpoints(e, weights, t.name);
    for (std::size_t c = 5; c <= 35; ++c) {
      const std::size_t v = 5 * 41 + c;
      const bool comes_to_rest = (c > 5 && c < 10) || (c > 30 && c < 35);
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        const double head = weights.influences[i].bone == 0 ? 0.5 : 2.0;
        EXPECT_NEAR(e[i], (0.1 * double(c) - head) / 1.5, comes_to_rest ? 0.06 : 1e-6) << c;
      }
    }
    // Beyond the ends they stay.
    EXPECT_LT(e[weights.offsets[5 * 41]], 0.01);
    EXPECT_GT(e[weights.offsets[5 * 41 + 40]], 0.99);
  }
}

TEST(BbwPlane, beyond_the_first_and_the_last_bone_endpoints_are_at_rest) {
  const Torture t = flat_limb();
  const Bbw bbw(t.mesh, t.skeleton);
  const Weights weights = bbw.weights().weights;
  std::size_t beyond = 0;
  for (const EndpointSource source : {EndpointSource::bones, EndpointSource::joints}) {
    const std::vector<double> e = bbw.endpoints(weights, source).endpoints;
    for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
      const double x = t.mesh.positions[v].x;
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        const int bone = weights.influences[i].bone;
        if (bone == 0 && x < 0.5 + 1e-9) {
          EXPECT_LT(e[i], 1e-9) << v;
        }
        if (bone == 1 && x > 3.5 - 1e-9) {
          EXPECT_GT(e[i], 1 - 1e-9) << v;
        }
        beyond += x < 0.5 || x > 3.5 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(beyond, 200u);
}

// In the plane the bone lies in the shape: if it held the function up to its end, the slope would
// fall from 1 to 0 there at once. So it lets go before, on caps of any length.
TEST(BbwPlane, endpoints_come_to_rest_at_the_end_of_the_bone_without_a_kink) {
  for (const double cap : {0.2, 0.5, 1.0, 1.5}) {
    const double bone = 6 - 2 * cap;
    const Torture t = torture("cap", sheet(61, 11), chain({{cap, 0.5, 0}, {6 - cap, 0.5, 0}}));
    const Bbw bbw(t.mesh, t.skeleton);
    for (const EndpointSource source : {EndpointSource::bones, EndpointSource::joints}) {
      const std::vector<double> e =
          bbw.endpoints(rigid_weights(t.mesh.positions, t.skeleton), source).endpoints;
      for (std::size_t v = 0; v < e.size(); ++v) {
        const double x = t.mesh.positions[v].x;
        if (x < cap + 1e-9) {
          EXPECT_LT(e[v], 1e-9) << cap << ", " << v;
        }
        if (x > 6 - cap - 1e-9) {
          EXPECT_GT(e[v], 1 - 1e-9) << cap << ", " << v;
        }
        EXPECT_NEAR(e[v], std::clamp((x - cap) / bone, 0.0, 1.0), 0.03) << cap << ", " << v;
      }
      // Along rows, from one edge to the next, times the bone's length.
      for (std::size_t v = 0; v < e.size(); ++v) {
        if (v % 61 == 0 || v % 61 == 60) continue;
        const double before = (e[v] - e[v - 1]) / 0.1 * bone;
        const double after = (e[v + 1] - e[v]) / 0.1 * bone;
        EXPECT_GE(after, -1e-9) << cap << ", " << v;
        EXPECT_LT(std::fabs(after - before), 0.5) << cap << ", " << v;
      }
    }
  }
}

TEST(BbwPlane, scale_and_place_do_not_matter) {
  const Torture t = flat_limb();
  const Weights before = Bbw(t.mesh, t.skeleton).weights().weights;
  for (const double scale : {1e-3, 1e3}) {
    const Torture other = moved(t, scale, Vec3{3000, -2000, 500} * scale);
    EXPECT_LT(largest_difference(Bbw(other.mesh, other.skeleton).weights().weights, before, 2),
              1e-4);
  }
}

TEST(BbwPlane, a_symmetric_shape_has_symmetric_weights) {
  // Vertices are mirrored onto each other, and the triangles too: through the centre.
  const Torture t = flat_limb();
  const Weights weights =
      Bbw(t.mesh, t.skeleton, {.gap = 1e-8, .iterations = 4000}).weights().weights;
  const std::size_t last = t.mesh.vertex_count() - 1;
  for (std::size_t v = 0; v <= last; ++v) {
    EXPECT_NEAR(weight_of(weights, v, 0), weight_of(weights, last - v, 1), 1e-5) << v;
  }
}

TEST(BbwPlane, bones_between_vertices_hold_what_is_around_them) {
  const Torture t = torture("between", sheet(41, 11, 3),
                            chain({{0.52, 0.53, 3}, {2.01, 0.53, 3}, {3.47, 0.53, 3}}));
  const SolvedWeights solved = Bbw(t.mesh, t.skeleton).weights();
  EXPECT_TRUE(solved.notes.repairs.empty());
  for (std::size_t c = 7; c < 33; ++c) {
    if (c > 16 && c < 24) continue;
    EXPECT_GT(weight_of(solved.weights, 5 * 41 + c, c < 20 ? 0 : 1), 0.98) << c;
  }
}

// Walked along from its far end, it would take for ever.
TEST(BbwPlane, a_bone_from_very_far_away_counts_where_it_is_inside) {
  const Torture t = torture("far", sheet(41, 11, 3), chain({{-1e12, 0.53, 3}, {2.01, 0.53, 3}}));
  const SolvedWeights solved = Bbw(t.mesh, t.skeleton).weights();
  EXPECT_TRUE(solved.notes.repairs.empty());
  EXPECT_EQ(weight_of(solved.weights, 5 * 41 + 10, 0), 1);
}

TEST(BbwPlane, a_bone_beside_the_sheet_is_tied_to_it_and_named) {
  const Torture t = torture("beside", sheet(41, 11, 3),
                            loose_bones({{0.5, 0.5, 3}, {1, 0.5, 3}, {4.5, 0.5, 3}, {5, 0.5, 3}}));
  const SolvedWeights solved = Bbw(t.mesh, t.skeleton).weights();
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("bone 1 lies outside"), std::string::npos);
  EXPECT_GT(weight_of(solved.weights, 5 * 41 + 40, 1), 0.99);
}

struct Hand {
  Mesh mesh;
  Skeleton skeleton;
};

#define REAL_HAND_OR_SKIP(variable)               \
  SINEW_ASSET_OR_SKIP(hand_mesh, "hand.mesh");    \
  SINEW_ASSET_OR_SKIP(hand_skeleton, "hand.tgf"); \
  const Hand variable { read_rig(hand_mesh).mesh, read_rig(hand_skeleton).skeleton }

TEST(BbwTetrahedra, the_hand_is_solved_in_its_own_within_bounds) {
  if (sanitized) GTEST_SKIP() << "it is about numbers; smaller ones look at the memory";
  REAL_HAND_OR_SKIP(hand);
  const Bbw bbw(hand.mesh, hand.skeleton);
  EXPECT_EQ(bbw.node_count(), hand.mesh.vertex_count());
  const SolvedWeights solved = bbw.weights();
  expect_full_weights(solved.weights, hand.mesh.vertex_count(), hand.skeleton.bones.size(), "hand");
  EXPECT_TRUE(solved.notes.converged);
  EXPECT_LT(solved.notes.residual, 1e-3);
  const SolvedEndpoints ends = bbw.endpoints(solved.weights);
  expect_endpoints(ends.endpoints, solved.weights, "hand");
  EXPECT_TRUE(ends.notes.converged);
}

TEST(BbwTetrahedra, a_lattice_in_the_surface_of_the_hand_agrees_with_them) {
  if (sanitized) GTEST_SKIP() << "it is about numbers; smaller ones look at the memory";
  REAL_HAND_OR_SKIP(hand);
  const std::size_t bones = hand.skeleton.bones.size();
  Mesh surface = hand.mesh;
  surface.tetrahedra.clear();
  const Weights expected = Bbw(hand.mesh, hand.skeleton).weights().weights;
  const Weights weights = Bbw(surface, hand.skeleton).weights().weights;
  std::vector<char> seen(surface.vertex_count(), 0);
  for (const Triangle& t : surface.triangles) {
    for (const Index v : t) seen[v] = 1;
  }
  double sum = 0, same = 0, count = 0;
  for (std::size_t v = 0; v < seen.size(); ++v) {
    if (seen[v] == 0) continue;
    int best = 0, expected_best = 0;
    for (int b = 0; b < static_cast<int>(bones); ++b) {
      sum += std::fabs(weight_of(weights, v, b) - weight_of(expected, v, b));
      if (weight_of(weights, v, b) > weight_of(weights, v, best)) best = b;
      if (weight_of(expected, v, b) > weight_of(expected, v, expected_best)) expected_best = b;
    }
    same += best == expected_best ? 1 : 0;
    count += 1;
  }
  RecordProperty("mean_difference", std::to_string(sum / count / double(bones)));
  RecordProperty("same_dominant_bone", std::to_string(same / count));
  EXPECT_LT(sum / count / double(bones), 0.004);
  EXPECT_GT(same / count, 0.96);
}

// It passes through the limb, and is flat together with it, as the limb is so small beside it.
TEST(BbwLattice, one_huge_triangle_changes_no_weight_of_what_the_bones_move) {
  const Torture alone = mirrored_limb();
  Surface s = limb();
  const auto first = static_cast<Index>(s.positions.size());
  for (const Vec3& p : {Vec3{-1e4, 0.7, -1e4}, Vec3{1e4, 0.7, -1e4}, Vec3{0, 0.7, 1e4}}) {
    s.positions.push_back(p);
  }
  s.triangles.push_back({first, first + 1, first + 2});
  const Torture huge = torture("huge", s, alone.skeleton);
  const Weights expected = Bbw(alone.mesh, alone.skeleton, small_bbw).weights().weights;
  const SolvedWeights solved = Bbw(huge.mesh, huge.skeleton, small_bbw).weights();
  expect_full_weights(solved.weights, huge.mesh.vertex_count(), 2, huge.name);
  for (std::size_t v = 0; v < first; ++v) {
    for (int b = 0; b < 2; ++b) {
      EXPECT_NEAR(weight_of(solved.weights, v, b), weight_of(expected, v, b), 1e-6) << v;
    }
  }
  ASSERT_FALSE(solved.notes.repairs.empty());
  EXPECT_EQ(solved.notes.repairs[0],
            "triangles with edges of more than 10 times the extent of all bones are left out: 1");
}

// Tetrahedra around two bones of length 1 along y, that no bone goes through.
Torture scales_around_bones(std::size_t count) {
  Surface s;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2.399963 * static_cast<double>(i);
    const double y = 2 * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const Vec3 center{0.3 * std::cos(angle), y, 0.3 * std::sin(angle)};
    const auto first = static_cast<Index>(s.positions.size());
    for (const Vec3& d : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      s.positions.push_back(center + d * 0.004);
    }
    for (const Triangle& t :
         {Triangle{0, 2, 1}, Triangle{0, 1, 3}, Triangle{0, 3, 2}, Triangle{1, 2, 3}}) {
      s.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  return torture("scales", s, chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}));
}

TEST(BbwLattice, small_parts_around_the_bones_follow_the_bones_beside_them) {
  const Torture scales = scales_around_bones(1000);
  const SolvedWeights solved = Bbw(scales.mesh, scales.skeleton, small_bbw).weights();
  expect_full_weights(solved.weights, scales.mesh.vertex_count(), 2, scales.name);
  EXPECT_EQ(solved.notes.adrift, 0u);
  for (std::size_t v = 0; v < scales.mesh.vertex_count(); ++v) {
    const double y = scales.mesh.positions[v].y, upper = weight_of(solved.weights, v, 1);
    if (y < 0.6) {
      EXPECT_LT(upper, 0.2) << y;
    }
    if (y > 1.4) {
      EXPECT_GT(upper, 0.8) << y;
    }
    if (std::fabs(y - 1) < 0.02) {
      EXPECT_NEAR(upper, 0.5, 0.15) << y;
    }
  }
  const auto& repairs = solved.notes.repairs;
  EXPECT_TRUE(std::any_of(repairs.begin(), repairs.end(), [](const std::string& repair) {
    return repair.find("4000 vertices lie in 1000 small parts around the bones") !=
           std::string::npos;
  }));
}

// In the plane nothing goes around the bones: a part that they do not touch is not silent.
TEST(BbwLattice, flat_parts_far_from_all_that_has_a_bone_make_a_poor_result) {
  Mesh mesh;
  for (const Vec3& p :
       {Vec3{-0.005, 0.02, 0}, Vec3{0.3, 0.6, 0}, Vec3{0.3, 1.2, 0}, Vec3{0.3, 1.8, 0}}) {
    const auto first = static_cast<Index>(mesh.positions.size());
    for (const Vec3& d : {Vec3{0, 0, 0}, Vec3{0.01, 0, 0}, Vec3{0, 0.01, 0}}) {
      mesh.positions.push_back(p + d);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  Skin skin;
  WeightSettings settings;
  settings.method = "bbw";
  settings.endpoints = "none";
  const WeightResult result =
      compute_weights(mesh, chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}), skin, settings);
  EXPECT_TRUE(poor(result.report));
  EXPECT_EQ(result.report.solve.adrift, 3u);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(skin.weights, v, mesh.positions[v].y < 1 ? 0 : 1), 1) << v;
  }
}

}  // namespace
}  // namespace sinew
