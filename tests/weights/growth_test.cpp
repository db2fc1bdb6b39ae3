// SPDX-License-Identifier: Apache-2.0
// Work that grows with the size of what it is given, and not with its square.
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/skeleton/mirror.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/lattice.h"
#include "sinew/weights/detail/solids.h"
#include "tests/support/count_steps.h"

namespace sinew {
namespace {

// Twice as much takes twice as many instructions; with the square of it, four times as many.
// `make(n)` is what `work` is measured on.
template <class Make, class Work>
void expect_in_proportion(std::size_t size, const Make& make, const Work& work) {
  set_thread_count(1);
  const auto steps_at = [&](std::size_t n) {
    const auto subject = make(n);
    return count_steps([&] { work(subject); });
  };
  const auto few = steps_at(size), many = steps_at(2 * size);
  set_thread_count(0);
  if (!few || !many) GTEST_SKIP() << "processes may not be watched here";
  EXPECT_LT(double(*many), 2.6 * double(*few)) << *few << " and " << *many << " instructions";
}

// Two chains on both sides of a plane.
Skeleton mirrored_chains(std::size_t count) {
  Skeleton skeleton;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const double side = i < count ? -1 : 1;
    const double y = static_cast<double>(i % count);
    Joint joint;
    joint.name = (i < count ? "L" : "R") + std::to_string(i % count);
    joint.parent = i % count == 0 ? -1 : static_cast<int>(i) - 1;
    skeleton.joints.push_back(joint);
    Bone bone;
    bone.joint = static_cast<int>(i);
    bone.head = {side, y, 0};
    bone.tail = {side, y + 1, 0};
    skeleton.bones.push_back(bone);
  }
  return skeleton;
}

TEST(Growth, pairing_the_bones_of_two_sides) {
  expect_in_proportion(24, mirrored_chains, [](const Skeleton& skeleton) {
    mirror_bones(skeleton, {{0, 0, 0}, {1, 0, 0}}, 1e-5);
  });
}

// Triangles one above the other, apart.
Mesh islands_in_a_row(std::size_t count) {
  Mesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<Index>(mesh.positions.size());
    const double y = 2 * static_cast<double>(i);
    for (const Vec3& p : {Vec3{0, y, 0}, Vec3{1, y, 0}, Vec3{0, y, 1}}) mesh.positions.push_back(p);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

// Four times as many take four times as long; with the square of their number it would be sixteen.
TEST(Growth, finding_bodies_in_a_row) {
  set_thread_count(1);
  const auto seconds = [](std::size_t count) {
    const Mesh mesh = islands_in_a_row(count);
    return cpu_seconds([&] { detail::find_solids(mesh.positions, mesh.triangles); });
  };
  const double few = seconds(5000);
  EXPECT_LT(seconds(20000), 9 * few);
  set_thread_count(0);
}

TEST(Growth, lattices_of_many_parts) {
  set_thread_count(1);
  const std::vector<Vec3> points{{0, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<int, 2>> segments{{0, 1}};
  const Skeleton skeleton = skeleton_from_segments(points, segments);
  const auto seconds = [&](std::size_t count) {
    const Mesh mesh = islands_in_a_row(count);
    return cpu_seconds(
        [&] { detail::lattice_domain(mesh.positions, mesh.triangles, skeleton, 200, {}); });
  };
  const double few = seconds(5000);
  EXPECT_LT(seconds(20000), 9 * few);
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
