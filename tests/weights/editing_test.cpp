// SPDX-License-Identifier: Apache-2.0
// Every way of editing weights on every mesh that breaks assumptions.
#include <gtest/gtest.h>

#include "sinew/skin/projection.h"
#include "sinew/weights/brush.h"
#include "sinew/weights/mirror.h"
#include "sinew/weights/prune.h"
#include "sinew/weights/report.h"
#include "sinew/weights/rigid.h"
#include "sinew/weights/smooth.h"
#include "sinew/weights/transfer.h"
#include "tests/support/torture.h"

namespace sinew {
namespace {

Skin rigid_skin(const Torture& t) {
  Skin skin;
  skin.weights = rigid_weights(t.mesh.positions, t.skeleton);
  skin.endpoints = projection_endpoints(t.mesh.positions, t.skeleton, skin.weights);
  return skin;
}

void expect_sound(const Torture& t, const Skin& skin) {
  EXPECT_EQ(skin.endpoints.size(), skin.weights.influences.size());
  const WeightReport report = make_report(t.mesh, t.skeleton, skin);
  EXPECT_TRUE(report.finite);
  EXPECT_EQ(report.uncovered, 0u);
  EXPECT_LT(report.largest_sum_error, 1e-9);
  EXPECT_TRUE(std::isfinite(report.dirichlet_total));
}

TEST(Editing, every_operation_keeps_every_mesh_covered) {
  for (const Torture& t : torture_set()) {
    SCOPED_TRACE(t.name);
    const Skin skin = rigid_skin(t);
    const Skin smoothed = smooth(t.mesh, skin, {.iterations = 3, .endpoints = true});
    expect_sound(t, smoothed);
    expect_sound(t, prune(smoothed, 2).skin);
    for (const MirrorFrom from : {MirrorFrom::positive, MirrorFrom::both}) {
      expect_sound(t, mirror(t.mesh, t.skeleton, smoothed, {.plane = {}, .from = from}).skin);
    }
  }
}

TEST(Editing, weights_pass_from_every_mesh_to_a_plain_one_and_back) {
  const Torture plain = torture("limb", limb(), limb_bones());
  for (const Torture& t : torture_set()) {
    SCOPED_TRACE(t.name);
    const Skin skin = rigid_skin(t);
    const Transferred there = transfer(t.mesh, skin, plain.mesh);
    EXPECT_EQ(there.matched + there.filled.size() + there.far.size(), plain.mesh.vertex_count());
    expect_sound({plain.name, plain.mesh, t.skeleton}, there.skin);
    expect_sound(t, transfer(plain.mesh, there.skin, t.mesh).skin);
  }
}

TEST(Editing, filters_and_blend_shares_stay) {
  const Torture t = torture("limb", limb(), limb_bones());
  Skin skin = rigid_skin(t);
  skin.filters.resize(t.skeleton.bones.size());
  skin.filters[1].twist.points = {{0, 0}, {0.5, 0.2}, {1, 1}};
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    skin.blend_shares.push_back(double(v) / double(t.mesh.vertex_count()));
  }
  const auto expect_kept = [&](const Skin& edited) {
    EXPECT_EQ(edited.filters, skin.filters);
    EXPECT_EQ(edited.blend_shares, skin.blend_shares);
  };
  const Skin smoothed = smooth(t.mesh, skin, {.iterations = 3, .endpoints = true});
  ASSERT_NE(smoothed.weights, skin.weights);
  expect_kept(smoothed);
  expect_kept(prune(smoothed, 1).skin);
  expect_kept(mirror(t.mesh, t.skeleton, smoothed).skin);
  WeightPainter painter(t.mesh, t.skeleton, skin);
  ASSERT_FALSE(painter.dab({.bone = 1, .radius = 0.5}, *painter.nearest({0.25, 0.5, 0})).empty());
  expect_kept(painter.skin());
  // Shares belong to the source's vertices, filters to bones that the target has, too.
  const Transferred there = transfer(t.mesh, skin, t.mesh);
  EXPECT_EQ(there.skin.filters, skin.filters);
  EXPECT_TRUE(there.skin.blend_shares.empty());
}

TEST(Editing, every_mesh_with_a_surface_can_be_painted_and_restored) {
  for (const Torture& t : torture_set()) {
    SCOPED_TRACE(t.name);
    WeightPainter painter(t.mesh, t.skeleton, rigid_skin(t));
    const Skin before = painter.skin();
    const auto at = painter.nearest({0.2, 1, 0.1});
    EXPECT_EQ(at.has_value(), !t.mesh.triangles.empty());
    if (!at) continue;
    const int last = static_cast<int>(t.skeleton.bones.size()) - 1;
    const double size = bounding_box(t.mesh.positions).diagonal();
    const double radius = size > 0 ? 0.2 * size : 1;  // all vertices may be at one place
    painter.begin_stroke();
    for (const PaintMode mode : {PaintMode::add, PaintMode::smooth, PaintMode::subtract}) {
      for (const PaintTarget target : {PaintTarget::bone_weights, PaintTarget::endpoints}) {
        painter.dab({.target = target,
                     .mode = mode,
                     .bone = mode == PaintMode::subtract ? 0 : last,
                     .radius = radius,
                     .mirror = true},
                    *at);
      }
    }
    expect_sound(t, painter.skin());
    painter.undo();
    EXPECT_EQ(painter.skin(), before);
  }
}

}  // namespace
}  // namespace sinew
