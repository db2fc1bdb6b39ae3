// SPDX-License-Identifier: Apache-2.0
// The slopes that bindings pack, beside those of the reference.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/internal/skin_slopes.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/detail/pack.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

using kernels::PackedRig;
using kernels::tile_size;

// With triangles about every vertex.
Rig surface_rig(const test::RigOptions& options) {
  Rig rig = test::kernel_rig(options);
  for (Index v = 0; v + 2 < rig.mesh.vertex_count(); ++v) {
    rig.mesh.triangles.push_back({v, v + 1, v + 2});
  }
  rig.mesh.normals.values.assign(rig.mesh.vertex_count(), {0, 0, 1});
  return rig;
}

// Vertices without weights get those of the vertex before.
Rig with_all_weights(Rig rig) {
  const Weights weights = rig.skin.weights;
  const std::vector<double> ends = rig.skin.endpoints;
  rig.skin.weights = {};
  rig.skin.endpoints.clear();
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::size_t from = weights.row(v).empty() ? v - 1 : v;
    rig.skin.weights.push_row(weights.row(from));
    for (std::size_t i = weights.offsets[from]; i < weights.offsets[from + 1]; ++i) {
      rig.skin.endpoints.push_back(ends[i]);
    }
  }
  return rig;
}

// Every `step`-th vertex is in the mesh twice: every other triangle about it has the second one,
// which comes after all others and has the weights of the vertex before.
Rig with_seams(Rig rig, Index step) {
  Mesh& mesh = rig.mesh;
  const auto count = static_cast<Index>(mesh.vertex_count());
  std::vector<Index> twin(count);
  for (Index v = 0; v < count; ++v) twin[v] = v;
  const Weights weights = rig.skin.weights;
  const auto copied = [&](auto& values, std::size_t at) {
    const auto value = values[at];
    values.push_back(value);
  };
  for (Index v = step; v < count; v += step) {
    twin[v] = static_cast<Index>(mesh.vertex_count());
    copied(mesh.positions, v);
    copied(mesh.normals.values, v);
    if (!mesh.tangents.empty()) copied(mesh.tangents, v);
    if (!rig.skin.blend_shares.empty()) copied(rig.skin.blend_shares, v);
    rig.skin.weights.push_row(weights.row(v - 1));
    for (auto* ends : {&rig.skin.endpoints, &rig.skin.twist_endpoints}) {
      if (ends->empty()) continue;
      for (std::size_t i = weights.offsets[v - 1]; i < weights.offsets[v]; ++i) copied(*ends, i);
    }
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 2) {
    for (Index& corner : mesh.triangles[t]) corner = twin[corner];
  }
  return rig;
}

// Along both directions at a vertex: of the weight, and of the endpoint weights times the weight.
struct Slopes {
  std::array<double, 6> numbers{};
};

Slopes expected_slopes(const SkinSlope& slope, const kernels::PlaneDirections& plane) {
  const Vec3 stretch = slope.stretch * slope.at.weight, twist = slope.twist * slope.at.weight;
  return {{dot(slope.weight, plane.s), dot(slope.weight, plane.t), dot(stretch, plane.s),
           dot(stretch, plane.t), dot(twist, plane.s), dot(twist, plane.t)}};
}

// Of one lane of a tile, by bone.
std::map<std::uint32_t, Slopes> packed_slopes(const PackedRig& packed, std::size_t slot) {
  std::map<std::uint32_t, Slopes> slopes;
  const std::size_t tile = slot / tile_size, lane = slot % tile_size;
  for (std::size_t i = packed.first_slope[tile]; i < packed.first_slope[tile + 1]; ++i) {
    Slopes made;
    const auto take = [&](const auto& from, std::size_t block, std::size_t to) {
      for (std::size_t k = 0; k < 2; ++k) {
        made.numbers[to + k] = double(from[(2 * block + k) * tile_size + lane]);
      }
    };
    take(packed.weight_slopes, i, 0);
    if (const std::size_t block = packed.slopes[i].endpoints; block != kernels::no_endpoints) {
      take(packed.stretch_slopes, block, 2);
      take(packed.twist_slopes.empty() ? packed.stretch_slopes : packed.twist_slopes, block, 4);
    }
    slopes[packed.entries[packed.slopes[i].entry].bone] = made;
  }
  return slopes;
}

void expect_those_of_the_reference(const Rig& rig) {
  const Binding binding(rig);
  const PackedRig& packed = *binding.packed();
  const SkinRows rows = unfiltered_skin_rows(rig);
  const SkinSlopes reference(rig.mesh.positions, rig.mesh.triangles, rig.mesh.normals.values, rows);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  std::vector<SkinSlope> slopes;
  SkinSlopes::Fan fan;
  std::size_t compared = 0;
  for (std::size_t slot = 0; slot < rig.mesh.vertex_count(); ++slot) {
    reference.at(packed.order[slot], slopes, fan);
    const auto found = packed_slopes(packed, slot);
    const kernels::PlaneDirections plane = kernels::directions_at(packed, slot);
    for (const SkinSlope& slope : slopes) {
      const Slopes expected = expected_slopes(slope, plane);
      const auto at = found.find(static_cast<std::uint32_t>(slope.at.bone));
      const Slopes made = at == found.end() ? Slopes{} : at->second;
      const double largest =
          std::max({length(slope.weight), length(slope.stretch), length(slope.twist)});
      for (std::size_t k = 0; k < 6; ++k) {
        // Slopes that turn nothing by a hundred thousandth are left out.
        ASSERT_NEAR(made.numbers[k], expected.numbers[k], 2e-5 * largest + 2e-5 / size)
            << "vertex " << packed.order[slot] << ", bone " << int(slope.at.bone) << ", " << k;
        compared += expected.numbers[k] != 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, rig.mesh.vertex_count());
}

TEST(Slopes, are_those_of_the_reference) {
  expect_those_of_the_reference(surface_rig({.vertices = 9000}));
  expect_those_of_the_reference(with_all_weights(surface_rig({.vertices = 9000})));
}

TEST(Slopes, are_those_of_the_reference_where_the_twist_has_endpoints_of_its_own) {
  Rig rig = with_all_weights(surface_rig({.vertices = 5000}));
  test::Random random(7);
  rig.skin.twist_endpoints.resize(rig.skin.weights.influences.size());
  for (double& e : rig.skin.twist_endpoints) e = random.between(0, 1);
  expect_those_of_the_reference(rig);
}

// Numbers of bones beyond those that are looked up quickly.
TEST(Slopes, are_those_of_the_reference_with_many_bones_about_each_vertex) {
  expect_those_of_the_reference(with_all_weights(surface_rig({.vertices = 5000, .bones = 150})));
}

TEST(Slopes, do_not_end_at_seams) {
  expect_those_of_the_reference(with_seams(with_all_weights(surface_rig({.vertices = 9000})), 3));
}

TEST(Slopes, have_the_same_bits_for_any_number_of_threads) {
  const Rig rig = with_seams(with_all_weights(surface_rig({.vertices = 20000})), 50);
  set_thread_count(1);
  const Binding one(rig);
  const PackedRig& expected = *one.packed();
  for (const int threads : {2, 0}) {
    set_thread_count(threads);
    const Binding many(rig);
    const PackedRig& packed = *many.packed();
    EXPECT_EQ(packed.first_slope, expected.first_slope);
    EXPECT_EQ(packed.weight_slopes, expected.weight_slopes);
    EXPECT_EQ(packed.stretch_slopes, expected.stretch_slopes);
    EXPECT_EQ(packed.raw_stretch, expected.raw_stretch);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
