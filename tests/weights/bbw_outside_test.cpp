// SPDX-License-Identifier: Apache-2.0
// Bones that lie beside the shape: skirts, capes, hair, bones drawn next to the art.
#include <gtest/gtest.h>

#include "sinew/skin/projection.h"
#include "sinew/weights/bbw.h"
#include "sinew/weights/stretchable.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/small_bbw.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// A box along y from 0 to 2, of half width 0.25.
Surface square_limb() { return cylinder(2, 0.25 * std::sqrt(2.0), 25, 4); }

// Turned by an eighth, so that its sides face x and z.
Surface upright_box() {
  Surface s = square_limb();
  const Quat turn = rotation_about(Vec3{0, 1, 0}, pi / 4);
  for (Vec3& p : s.positions) p = rotate(turn, p);
  return s;
}

// An open cone about y: radius 0.2 at the waist, y = 1, and 0.6 at the hem, y = 0.
Surface skirt() {
  Surface s;
  const Index rings = 17, sides = 32;
  for (Index r = 0; r < rings; ++r) {
    const double y = 1 - double(r) / (rings - 1), radius = 0.2 + 0.4 * (1 - y);
    for (Index i = 0; i < sides; ++i) {
      const double a = 2 * pi * i / sides;
      s.positions.push_back({radius * std::cos(a), y, radius * std::sin(a)});
    }
  }
  for (Index r = 0; r + 1 < rings; ++r) {
    for (Index i = 0; i < sides; ++i) {
      const Index a = r * sides + i, b = r * sides + (i + 1) % sides;
      s.triangles.push_back({a, b, a + sides});
      s.triangles.push_back({b, b + sides, a + sides});
    }
  }
  return s;
}

double endpoint_at(const std::vector<double>& e, const Weights& weights, std::size_t vertex,
                   int bone) {
  for (std::size_t i = weights.offsets[vertex]; i < weights.offsets[vertex + 1]; ++i) {
    if (weights.influences[i].bone == bone) return e[i];
  }
  return -1;
}

std::size_t count_mentions(const SolveNotes& notes, const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      notes.repairs.begin(), notes.repairs.end(),
      [&](const std::string& repair) { return repair.find(text) != std::string::npos; }));
}

// By how much endpoint weights differ from projection, at most, over what a bone moves more than
// all others together.
double off_projection(const Torture& t, const Weights& weights, const std::vector<double>& e) {
  const std::vector<double> expected = projection_endpoints(t.mesh.positions, t.skeleton, weights);
  double most = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (weights.influences[i].weight > 0.5) most = std::max(most, std::fabs(e[i] - expected[i]));
  }
  return most;
}

TEST(BbwOutside, a_bone_beside_a_box_stretches_it_however_far_away_it_is) {
  for (const double offset : {0.26, 0.3, 0.5, 1.0, 10.0, 100.0}) {
    for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0.6, 0, 0.8}}) {
      const Vec3 d = direction * offset;
      // The first way is across a side, the second runs across an edge.
      if (offset < 0.36 && direction.z != 0) continue;
      const Torture t =
          torture("beside", upright_box(), chain({d + Vec3{0, 0, 0}, d + Vec3{0, 2, 0}}));
      const Bbw bbw(t.mesh, t.skeleton, small_bbw);
      const SolvedWeights solved = bbw.weights();
      EXPECT_EQ(count_mentions(solved.notes, "bone 0 lies outside"), 1u);
      for (const EndpointSource source : {EndpointSource::bones, EndpointSource::joints}) {
        const SolvedEndpoints ends = bbw.endpoints(solved.weights, source);
        EXPECT_EQ(count_mentions(ends.notes, "bone 0 lies outside"), 1u);
        EXPECT_EQ(count_mentions(ends.notes, "by projection"), 0u);
        EXPECT_LT(off_projection(t, solved.weights, ends.endpoints), 0.1) << offset;
      }
    }
  }
}

TEST(BbwOutside, scale_does_not_matter) {
  for (const double scale : {1e-3, 1e3}) {
    const Torture t =
        moved(torture("beside", upright_box(), chain({{0.3, 0, 0}, {0.3, 2, 0}})), scale, {});
    const Bbw bbw(t.mesh, t.skeleton, small_bbw);
    const Weights weights = bbw.weights().weights;
    EXPECT_LT(off_projection(t, weights, bbw.endpoints(weights).endpoints), 0.1) << scale;
  }
}

TEST(BbwOutside, a_slanting_bone_stretches_what_lies_across_from_it) {
  for (const double lean : {0.5, 2.0}) {
    const Torture t = torture("slanting", upright_box(), chain({{0.4, 0, 0}, {0.4 + lean, 2, 0}}));
    const Bbw bbw(t.mesh, t.skeleton, small_bbw);
    const Weights weights = bbw.weights().weights;
    EXPECT_LT(off_projection(t, weights, bbw.endpoints(weights).endpoints), 0.2) << lean;
  }
}

// A chain of bones, all of them outside: each moves what is beside it.
TEST(BbwOutside, a_chain_beside_a_limb_divides_it_like_one_inside) {
  const std::vector<Vec3> joints{{0, 0.1, 0}, {0, 1, 0}, {0, 1.9, 0}};
  std::vector<Vec3> beside = joints;
  for (Vec3& p : beside) p.x = 0.6;
  const Torture in = torture("in", limb(), chain(joints)),
                out = torture("out", limb(), chain(beside));
  const Bbw inside(in.mesh, in.skeleton, small_bbw), outside(out.mesh, out.skeleton, small_bbw);
  const Weights expected = inside.weights().weights, weights = outside.weights().weights;
  EXPECT_LT(largest_difference(weights, expected, 2), 0.2);
  for (std::size_t v = 0; v < out.mesh.vertex_count(); ++v) {
    const double y = out.mesh.positions[v].y;
    if (std::fabs(y - 1) < 0.4) continue;
    EXPECT_GT(weight_of(weights, v, y < 1 ? 0 : 1), 0.9) << v;
  }
  EXPECT_LT(off_projection(out, weights, outside.endpoints(weights).endpoints), 0.15);
}

TEST(BbwOutside, bones_beside_a_skirt_stretch_it) {
  // Around it, a little outside of the hem and well outside at the waist.
  std::vector<Vec3> ends;
  for (int k = 0; k < 6; ++k) {
    const double a = 2 * pi * k / 6;
    ends.push_back({0.45 * std::cos(a), 0.95, 0.45 * std::sin(a)});
    ends.push_back({0.65 * std::cos(a), 0.05, 0.65 * std::sin(a)});
  }
  const Torture t = torture("skirt", skirt(), loose_bones(ends));
  const Bbw bbw(t.mesh, t.skeleton, small_bbw);
  const SolvedWeights solved = bbw.weights();
  EXPECT_EQ(count_mentions(solved.notes, "lies outside"), 6u);
  const SolvedEndpoints e = bbw.endpoints(solved.weights);
  EXPECT_EQ(count_mentions(e.notes, "lies outside"), 6u);
  EXPECT_LT(off_projection(t, solved.weights, e.endpoints), 0.25);
  for (int k = 0; k < 6; ++k) {
    // The nearest vertices of the upper and of the lower hem.
    const auto side = static_cast<std::size_t>(std::lround(32 * k / 6.0)) % 32;
    EXPECT_GT(weight_of(solved.weights, side, k), 0.5) << k;
    EXPECT_GT(weight_of(solved.weights, 16 * 32 + side, k), 0.8) << k;
    EXPECT_LT(endpoint_at(e.endpoints, solved.weights, side, k), 0.1) << k;
    EXPECT_GT(endpoint_at(e.endpoints, solved.weights, 16 * 32 + side, k), 0.9) << k;
  }
}

// Inside at the waist only: what runs beside the skirt from there on counts, too.
TEST(BbwOutside, a_bone_that_leaves_the_shape_still_stretches_what_runs_beside_it) {
  const Torture t = torture("leaving", upright_box(), chain({{0.2, 0, 0}, {0.5, 2, 0}}));
  const Bbw bbw(t.mesh, t.skeleton, small_bbw);
  const SolvedWeights solved = bbw.weights();
  EXPECT_EQ(count_mentions(solved.notes, "bone 0 lies partly outside"), 1u);
  const SolvedEndpoints e = bbw.endpoints(solved.weights);
  EXPECT_LT(off_projection(t, solved.weights, e.endpoints), 0.1);
}

// As the root bone of a character, on the ground between its feet.
TEST(BbwOutside, what_has_a_nearer_bone_of_its_own_is_not_taken_away) {
  const Torture with = fork(0.8);
  Torture t = with;
  t.skeleton = loose_bones(
      {{-0.7, 0.5, 0}, {-0.7, 3.9, 0}, {0.7, 0.5, 0}, {0.7, 3.9, 0}, {0, -0.5, 0}, {0, 3, 0}});
  const Weights weights = Bbw(t.mesh, t.skeleton, small_bbw).weights().weights;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    if (t.mesh.positions[v].y < 4) continue;
    EXPECT_LT(weight_of(weights, v, 2), 0.05) << v;
  }
}

TEST(BbwOutside, in_the_plane_bones_beside_the_art_stretch_it) {
  for (const double y : {-0.3, 1.3, -5.0, 40.0}) {
    const Torture t = torture("art", sheet(41, 11), chain({{0, y, 0}, {2, y, 0}, {4, y, 0}}));
    const Bbw bbw(t.mesh, t.skeleton);
    const SolvedWeights solved = bbw.weights();
    EXPECT_EQ(count_mentions(solved.notes, "lies outside"), 2u);
    for (std::size_t r = 0; r < 11; ++r) {
      EXPECT_GT(weight_of(solved.weights, r * 41 + 10, 0), 0.95) << y;
      EXPECT_GT(weight_of(solved.weights, r * 41 + 30, 1), 0.95) << y;
    }
    for (const EndpointSource source : {EndpointSource::bones, EndpointSource::joints}) {
      const SolvedEndpoints e = bbw.endpoints(solved.weights, source);
      EXPECT_EQ(count_mentions(e.notes, "lies outside"), 2u);
      EXPECT_LT(off_projection(t, solved.weights, e.endpoints), 0.2) << y;
    }
  }
}

// Whatever the domain: where ties do not help, projection does.
TEST(BbwOutside, no_bone_with_something_beside_it_is_left_stiff) {
  for (const Torture& t : torture_set()) {
    if (is_limb_again(t)) continue;
    const Bbw bbw(t.mesh, t.skeleton, small_bbw);
    const Weights weights = bbw.weights().weights;
    EXPECT_TRUE(bones_that_cannot_stretch(t.mesh.positions, t.skeleton, weights,
                                          bbw.endpoints(weights).endpoints)
                    .empty())
        << t.name;
  }
}

}  // namespace
}  // namespace sinew
