// SPDX-License-Identifier: Apache-2.0
// Endpoint weights by bounded biharmonic functions, in small lattices as in bbw_test.cpp.
#include <gtest/gtest.h>

#include "sinew/skin/projection.h"
#include "sinew/weights/bbw.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/inverse_distance.h"
#include "sinew/weights/rigid.h"
#include "tests/support/small_bbw.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

constexpr EndpointSource sources[] = {EndpointSource::bones, EndpointSource::joints};

double endpoint_of(const std::vector<double>& endpoints, const Weights& weights, std::size_t vertex,
                   int bone) {
  for (std::size_t i = weights.offsets[vertex]; i < weights.offsets[vertex + 1]; ++i) {
    if (weights.influences[i].bone == bone) return endpoints[i];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(BbwEndpoints, every_broken_mesh_has_them_within_bounds) {
  for (const Torture& t : torture_set()) {
    if (is_limb_again(t)) continue;
    const Bbw bbw(t.mesh, t.skeleton, {.lattice_nodes = 1500, .gap = 1e-2});
    const Weights weights = bbw.weights().weights;
    for (const EndpointSource source : sources) {
      const SolvedEndpoints solved = bbw.endpoints(weights, source);
      expect_endpoints(solved.endpoints, weights, t.name);
      EXPECT_TRUE(solved.notes.converged) << t.name;
    }
  }
}

TEST(BbwEndpoints, scale_and_place_do_not_matter) {
  const Torture t = boneless_islands();
  const Bbw here(t.mesh, t.skeleton, small_bbw);
  const Weights weights = here.weights().weights;
  for (const double scale : {1e-3, 1e3}) {
    const Torture other = moved(t, scale, Vec3{1500, -1000, 800} * scale);
    const Bbw there(other.mesh, other.skeleton, small_bbw);
    for (const EndpointSource source : sources) {
      EXPECT_LT(largest_difference(here.endpoints(weights, source).endpoints,
                                   there.endpoints(weights, source).endpoints),
                1e-4);
    }
  }
}

// Vertices all along the bones, and some around them.
TEST(BbwEndpoints, vertices_on_a_bone_have_its_parameter_exactly) {
  Surface s = limb();
  const std::size_t first = s.positions.size();
  for (int k = 0; k <= 10; ++k) s.positions.push_back({0, 0.25 * k, 0});
  const Torture t =
      torture("on it", s, loose_bones({{0, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 2.5, 0}}));
  const Bbw bbw(t.mesh, t.skeleton, small_bbw);
  Weights weights;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    weights.push_row(std::vector<Influence>{{0, 0.5}, {1, 0.5}});
  }
  for (const EndpointSource source : sources) {
    const std::vector<double> e = bbw.endpoints(weights, source).endpoints;
    expect_endpoints(e, weights, "on it");
    for (std::size_t k = 0; k <= 10; ++k) {
      const double y = 0.25 * double(k);
      EXPECT_EQ(endpoint_of(e, weights, first + k, y <= 1 ? 0 : 1), y <= 1 ? y : (y - 1) / 1.5);
    }
    // The centre of the cap at the bottom is where the first bone starts.
    EXPECT_EQ(endpoint_of(e, weights, 25 * 16, 0), 0);
  }
}

// The same mesh and the same bones twice, at one place.
TEST(BbwEndpoints, bones_at_one_place_have_the_same) {
  const Torture one = torture("one", limb(), chain({{0, 0.1, 0}, {0, 1, 0}, {0, 1.9, 0}}));
  const std::size_t n = one.mesh.vertex_count();
  Torture both = one;
  both.mesh.positions.insert(both.mesh.positions.end(), one.mesh.positions.begin(),
                             one.mesh.positions.end());
  for (Triangle t : one.mesh.triangles) {
    for (Index& v : t) v += static_cast<Index>(n);
    both.mesh.triangles.push_back(t);
  }
  both.skeleton = loose_bones({{0, 0.1, 0},
                               {0, 1, 0},
                               {0, 1, 0},
                               {0, 1.9, 0},  // and again
                               {0, 0.1, 0},
                               {0, 1, 0},
                               {0, 1, 0},
                               {0, 1.9, 0}});
  const Bbw alone(one.mesh, one.skeleton, small_bbw);
  const Weights weights = alone.weights().weights;
  const std::vector<double> expected = alone.endpoints(weights).endpoints;
  Weights shared = weights;
  for (std::size_t v = 0; v < n; ++v) {
    std::vector<Influence> row(weights.row(v).begin(), weights.row(v).end());
    for (Influence& influence : row) influence.bone = BoneIndex(influence.bone + 2);
    shared.push_row(row);
  }
  const SolvedEndpoints solved = Bbw(both.mesh, both.skeleton, small_bbw).endpoints(shared);
  const std::vector<double>& e = solved.endpoints;
  ASSERT_EQ(e.size(), 2 * expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(e[i], e[i + expected.size()]) << i;
    EXPECT_NEAR(e[i], expected[i], 0.02) << i;
  }
}

// Jacobson and Sorkine 2011, figs. 7 and 8: a bone that ends well before the cap beyond it.
TEST(BbwEndpoints, a_cap_beyond_the_end_gets_the_full_twist_as_with_no_other_smooth_method) {
  const Torture t = torture("cap", cylinder(2, 0.25), chain({{0, 0.5, 0}, {0, 1.5, 0}}));
  const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
  const std::size_t centre = 25 * 16 + 1, rim = 24 * 16;
  const Bbw bbw(t.mesh, t.skeleton, small_bbw);
  const std::vector<double> by_distance =
      inverse_distance_endpoints(t.mesh.positions, t.skeleton, weights);
  const std::vector<double> by_heat = heat_endpoints(t.mesh, t.skeleton, weights).endpoints;
  const std::vector<double> by_bbw = bbw.endpoints(weights).endpoints;
  const std::vector<double> by_joints = bbw.endpoints(weights, EndpointSource::joints).endpoints;
  for (const std::vector<double>* e : {&by_bbw, &by_joints}) {
    for (const std::size_t v : {centre, rim}) {
      EXPECT_GE((*e)[v], 0.99);
      EXPECT_LT(by_distance[v], 0.99);
      EXPECT_LT(by_heat[v], 0.998);
      EXPECT_LT(by_heat[v], (*e)[v]);
    }
    EXPECT_LE((*e)[0], 0.01);
    EXPECT_NEAR((*e)[12 * 16], 0.5, 1e-3);
    for (std::size_t r = 7; r < 17; ++r) EXPECT_LT((*e)[r * 16], (*e)[(r + 1) * 16]) << r;
  }
}

// Jacobson and Sorkine 2011, fig. 2, with as little as a tenth of the bone's length beyond its
// ends: too short for a smooth function to come to rest there by itself.
TEST(BbwEndpoints, short_caps_are_at_rest_and_smoothly_so) {
  const Torture t =
      torture("short caps", cylinder(1.2, 0.25, 49), chain({{0, 0.1, 0}, {0, 1.1, 0}}));
  const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
  const Bbw bbw(t.mesh, t.skeleton, {.lattice_nodes = 6000});
  for (const EndpointSource source : sources) {
    const std::vector<double> e = bbw.endpoints(weights, source).endpoints;
    for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
      const double y = t.mesh.positions[v].y;
      if (y < 0.1) {
        EXPECT_LT(e[v], 1e-3) << v;
      }
      if (y > 1.1) {
        EXPECT_GT(e[v], 1 - 1e-3) << v;
      }
      EXPECT_NEAR(e[v], std::clamp(y - 0.1, 0.0, 1.0), 0.1) << v;
    }
    // Rings are 0.025 apart. It rises all the way, nowhere much faster than along the bone, and
    // comes to rest more gently than projection, whose slope falls from 1 to 0 at once.
    double last = 0;
    for (std::size_t r = 4; r < 45; ++r) {
      const double slope = (e[(r + 1) * 16] - e[r * 16]) / 0.025;
      EXPECT_GE(slope, 0) << r;
      EXPECT_LT(slope, 1.25) << r;
      EXPECT_LT(std::fabs(slope - last), 0.6) << r;
      last = slope;
    }
  }
}

TEST(BbwEndpoints, beyond_a_joint_a_bone_has_reached_its_end) {
  const Torture t = torture("limb", cylinder(4, 0.25, 49),
                            chain({{0, 0.1, 0}, {0, 1.3, 0}, {0, 2.6, 0}, {0, 3.9, 0}}));
  const Bbw bbw(t.mesh, t.skeleton, small_bbw);
  const Weights weights = bbw.weights().weights;
  const std::vector<double> e = bbw.endpoints(weights).endpoints;
  std::size_t seen = 0;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const double y = t.mesh.positions[v].y;
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const Bone& bone = t.skeleton.bones[weights.influences[i].bone];
      const double along = (y - bone.head.y) / (bone.tail.y - bone.head.y);
      EXPECT_NEAR(e[i], std::clamp(along, 0.0, 1.0), 0.1) << v;
      seen += along < -0.2 || along > 1.2 ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 10u);
}

TEST(BbwEndpoints, weights_that_no_way_leads_to_get_projections_and_the_notes_say_so) {
  const Torture t = close_cylinders();
  const std::size_t half = t.mesh.vertex_count() / 2;
  Weights crossed;
  for (std::size_t v = 0; v < 2 * half; ++v) {
    crossed.push_row(std::vector<Influence>{{v < half ? 1 : 0, 1.0}});
  }
  const SolvedEndpoints solved = Bbw(t.mesh, t.skeleton, small_bbw).endpoints(crossed);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("by projection"), std::string::npos);
  EXPECT_EQ(solved.endpoints, projection_endpoints(t.mesh.positions, t.skeleton, crossed));
}

}  // namespace
}  // namespace sinew
