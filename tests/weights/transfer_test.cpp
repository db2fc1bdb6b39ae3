// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/transfer.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/compare.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

Mesh mesh_of(const Surface& surface) {
  Mesh mesh;
  mesh.positions = surface.positions;
  mesh.triangles = surface.triangles;
  return mesh;
}

Skin constant(std::size_t vertices, int bone) {
  Skin skin;
  for (std::size_t v = 0; v < vertices; ++v) {
    skin.weights.push_row(std::vector<Influence>{{bone, 1.0}});
  }
  return skin;
}

Skin joined(Skin a, const Skin& b) {
  for (std::size_t v = 0; v < b.weights.vertex_count(); ++v) a.weights.push_row(b.weights.row(v));
  return a;
}

TEST(Transfer, onto_itself_changes_nothing) {
  const Rig rig = make_tube();
  const Skin skin{rig.skin.weights, rig.skin.endpoints, {}};
  const Transferred result = transfer(rig.mesh, skin, rig.mesh);
  EXPECT_EQ(result.matched, rig.mesh.vertex_count());
  EXPECT_LT(compare(rig.skin.weights, result.skin.weights, 2).largest, 1e-9);
  ASSERT_EQ(result.skin.endpoints.size(), result.skin.weights.influences.size());
}

TEST(Transfer, another_tessellation_gets_interpolated_weights_and_endpoint_weights) {
  const Rig source = make_tube({.rings = 61, .sides = 16});
  const Rig target = make_tube({.rings = 173, .sides = 24});
  const Transferred result =
      transfer(source.mesh, {source.skin.weights, source.skin.endpoints, {}}, target.mesh);
  EXPECT_LT(compare(target.skin.weights, result.skin.weights, 2).largest, 1e-12);
  for (std::size_t v = 0; v < target.mesh.vertex_count(); ++v) {
    for (std::size_t i = result.skin.weights.offsets[v]; i < result.skin.weights.offsets[v + 1];
         ++i) {
      const Bone& bone = target.skeleton.bones[result.skin.weights.influences[i].bone];
      EXPECT_NEAR(result.skin.endpoints[i],
                  project_on_segment(target.mesh.positions[v], bone.head, bone.tail), 0.005);
    }
  }
}

TEST(Transfer, a_point_that_faces_the_other_way_is_passed_over) {
  // Two sheets close together, facing away from each other; the target lies a little nearer to the
  // wrong one.
  Surface sheets;
  sheets.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.02}, {1, 0, -0.02}, {0, 1, -0.02}};
  sheets.triangles = {{0, 1, 2}, {3, 5, 4}};
  const Skin skin = joined(constant(3, 0), constant(3, 1));
  Surface low;
  low.positions = {{0.1, 0.1, -0.015}, {0.3, 0.1, -0.015}, {0.1, 0.3, -0.015}};
  low.triangles = {{0, 1, 2}};
  const Transferred up = transfer(mesh_of(sheets), skin, mesh_of(low));
  flip(low);
  const Transferred down = transfer(mesh_of(sheets), skin, mesh_of(low));
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_EQ(weight_of(up.skin, v, 0), 1);
    EXPECT_EQ(weight_of(down.skin, v, 1), 1);
  }
  EXPECT_EQ(up.matched, 3u);
}

TEST(Transfer, a_shirt_takes_from_the_shirt_although_the_skin_is_nearer) {
  Surface source = unit_sphere(24, 32);
  const std::size_t skin_count = source.positions.size();
  append(source, moved(unit_sphere(24, 32), 1.02, {}));
  const Skin weights = joined(constant(skin_count, 0), constant(skin_count, 1));
  // The target's shirt clings to the skin, and its skin is tight: each is nearer to the source's
  // skin than to anything else.
  Surface target = moved(unit_sphere(20, 30), 0.98, {});
  const std::size_t target_skin = target.positions.size();
  append(target, moved(unit_sphere(20, 30), 1.008, {}));
  const Transferred result = transfer(mesh_of(source), weights, mesh_of(target));
  EXPECT_EQ(result.paired_parts, 2u);
  for (std::size_t v = 0; v < target.positions.size(); ++v) {
    EXPECT_EQ(weight_of(result.skin, v, v < target_skin ? 0 : 1), 1) << v;
  }
}

TEST(Transfer, vertices_without_a_match_are_filled_over_the_surface) {
  const Rig source = make_tube();
  // Thorns far from the source.
  Mesh target = source.mesh;
  std::size_t thorns = 0;
  for (std::size_t v = 3; v < target.vertex_count(); v += 40, ++thorns) {
    target.positions[v].y *= 20;
    target.positions[v].z *= 20;
  }
  const Transferred result =
      transfer(source.mesh, {source.skin.weights, source.skin.endpoints, {}}, target);
  EXPECT_GE(result.filled.size(), thorns);
  EXPECT_EQ(result.matched + result.filled.size() + result.far.size(), target.vertex_count());
  EXPECT_TRUE(result.far.empty());
  EXPECT_EQ(summarize(result.skin.weights).uncovered, 0u);
  EXPECT_LT(compare(source.skin.weights, result.skin.weights, 2).largest, 0.15);
}

TEST(Transfer, a_hole_is_filled_evenly_from_its_rims) {
  // A strip of which the source has only the two ends.
  const auto strip = [](int from, int to) {
    Surface s;
    for (int x = from; x <= to; ++x) {
      s.positions.push_back({double(x), 0, 0});
      s.positions.push_back({double(x), 1, 0});
      if (x == from) continue;
      const auto at = static_cast<Index>(s.positions.size() - 4);
      s.triangles.push_back({at, at + 2, at + 3});
      s.triangles.push_back({at, at + 3, at + 1});
    }
    return s;
  };
  Surface ends = strip(0, 1);
  append(ends, strip(7, 8));
  const Transferred result =
      transfer(mesh_of(ends), joined(constant(4, 0), constant(4, 1)), mesh_of(strip(0, 8)));
  EXPECT_EQ(result.filled.size(), 10u);
  double last = 1;
  for (std::size_t x = 0; x <= 8; ++x) {
    const double w = weight_of(result.skin, 2 * x, 0);
    EXPECT_LE(w, last);
    EXPECT_LT(last - w, 0.3) << x;
    last = w;
  }
  EXPECT_EQ(last, 0);
}

TEST(Transfer, every_part_is_covered_wherever_it_lies) {
  const Rig source = make_tube();
  Surface far = moved(unit_sphere(6, 8), 0.1, {50, 0, 0});
  far.positions.push_back({-70, 0, 0});  // in no triangle
  const Transferred result =
      transfer(source.mesh, {source.skin.weights, source.skin.endpoints, {}}, mesh_of(far));
  EXPECT_EQ(result.far.size(), far.positions.size());
  for (std::size_t v = 0; v + 1 < far.positions.size(); ++v) {
    EXPECT_NEAR(weight_of(result.skin, v, 1), 1, 1e-12);
  }
  EXPECT_NEAR(weight_of(result.skin, far.positions.size() - 1, 0), 1, 1e-12);
}

TEST(Transfer, a_source_with_gaps_still_covers_the_target) {
  Rig source = make_tube();
  Weights holes;
  for (std::size_t v = 0; v < source.mesh.vertex_count(); ++v) {
    holes.push_row(v % 3 == 0 ? std::span<const Influence>() : source.skin.weights.row(v));
  }
  const Transferred result = transfer(source.mesh, {holes, {}, {}}, source.mesh);
  EXPECT_EQ(summarize(result.skin.weights).uncovered, 0u);
  EXPECT_LT(compare(source.skin.weights, result.skin.weights, 2).largest, 0.15);
  EXPECT_EQ(bad_input([&] { transfer(source.mesh, constant(1, 0), source.mesh); }),
            "weights: 1 rows for 976 vertices");
  Weights empty;
  for (std::size_t v = 0; v < source.mesh.vertex_count(); ++v) empty.push_row({});
  EXPECT_EQ(bad_input([&] {
              transfer(source.mesh, {empty, {}, {}}, source.mesh);
            }),
            "weights: they cover no vertex of the mesh that they come from");
}

TEST(Transfer, a_finer_mannequin_gets_the_weights_of_a_coarse_one) {
  const Rig coarse = make_sample("mannequin", 3000);
  const Rig fine = make_sample("mannequin", 6000);
  const Transferred result =
      transfer(coarse.mesh, {coarse.skin.weights, coarse.skin.endpoints, {}}, fine.mesh);
  const WeightDifference d =
      compare(fine.skin.weights, result.skin.weights, fine.skeleton.bones.size());
  EXPECT_EQ(summarize(result.skin.weights).uncovered, 0u);
  EXPECT_GT(d.dominant_agreement, 0.95);
  EXPECT_LT(d.mean, 0.1);
}

}  // namespace
}  // namespace sinew
