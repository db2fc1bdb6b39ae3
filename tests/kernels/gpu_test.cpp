// SPDX-License-Identifier: Apache-2.0
// The arrays for GPUs: read as docs/gpu.md says, they place vertices where the reference does.
#include "sinew/kernels/gpu.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "shaped_tube.h"
#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/told_pose.h"

namespace sinew {
namespace {

Vec3 three(const std::vector<float>& floats, std::size_t first) {
  return {double(floats[first]), double(floats[first + 1]), double(floats[first + 2])};
}

Quat pure_quaternion(const Vec3& v) { return {v.x, v.y, v.z, 0}; }

// The formulas of docs/gpu.md in double precision, on the floats of the arrays.
class PageReader {
 public:
  PageReader(const GpuSkin& skin, const std::vector<float>& pose, float blend)
      : skin_(skin), pose_(pose), blend_(blend) {}

  Vec3 at(std::size_t v) const {
    const float* vertex = &skin_.vertices[4 * v];
    const Vec3 p = shaped(v);
    if (vertex[1] == 0) return p;
    Vec3 straight, b;
    Quat r{0, 0, 0, 0}, d{0, 0, 0, 0}, pivot;
    for (std::size_t i = 0; i < std::size_t(vertex[1]); ++i) {
      const float* influence = &skin_.influences[4 * (std::size_t(vertex[0]) + i)];
      const std::size_t bone = 24 * std::size_t(influence[0]);
      const double w = double(influence[1]);
      const Quat q0{double(pose_[bone]), double(pose_[bone + 1]), double(pose_[bone + 2]),
                    double(pose_[bone + 3])};
      const Vec3 u{double(pose_[bone + 15]), double(pose_[bone + 19]), double(pose_[bone + 23])};
      const double x = pi * (double(influence[3]) - 0.5) * double(pose_[bone + 7]);
      const Quat q = q0 * rotation_about(u, 2 * x);
      const Vec3 head =
          three(pose_, bone + 4) + double(influence[2]) * double(pose_[bone + 11]) * rotate(q0, u);
      const Vec3 arm = p - three(pose_, bone + 8);
      const Vec3 scaled{dot(three(pose_, bone + 12), arm), dot(three(pose_, bone + 16), arm),
                        dot(three(pose_, bone + 20), arm)};
      straight += w * (head + rotate(q, scaled));
      if (i == 0) pivot = q;
      const double sign = dot(q, pivot) < -1e-6 ? -1 : 1;
      r = r + q * (sign * w);
      d = d + (pure_quaternion(head) * q + q * pure_quaternion(arm)) * (sign * w);
      b += w * (scaled - arm);
    }
    const Quat moved = (d + r * pure_quaternion(b)) * conjugate(r);
    const double share = double(blend_ < 0 ? vertex[3] : blend_);
    return lerp(straight, moved.vector() / dot(r, r), share);
  }

 private:
  Vec3 shaped(std::size_t v) const {
    Vec3 p = three(skin_.positions, 3 * v);
    if (skin_.delta_ranges.empty()) return p;
    const auto first = std::size_t(skin_.delta_ranges[2 * v]);
    const auto count = std::size_t(skin_.delta_ranges[2 * v + 1]);
    for (std::size_t i = first; i < first + count; ++i) {
      const auto weight = std::size_t(skin_.deltas[12 * i + 3]);
      p += double(pose_[weight]) * three(skin_.deltas, 12 * i);
    }
    return p;
  }

  const GpuSkin& skin_;
  const std::vector<float>& pose_;
  float blend_;
};

std::vector<float> gpu_pose_of(const GpuMethod& method, const Rig& rig,
                               std::span<const BoneState> bones,
                               std::span<const double> shapes = {}) {
  const std::size_t shape_count = rig.mesh.shapes.size();
  std::vector<float> floats(4 * gpu_pose_texels(bones.size(), shape_count), -1.0f);
  fill_gpu_pose(method, bones, shapes, shape_count, floats);
  return floats;
}

void expect_reference(const Rig& rig, std::span<const BoneState> bones,
                      std::span<const double> shapes) {
  for (const char* name : {"lbs", "dqs", "mixed", "stbs-lbs", "stbs-dqs", "stbs-mixed"}) {
    for (const bool gradients : {false, true}) {
      const GpuSkin skin = gpu_skin(rig, {.gradients = gradients});
      const GpuMethod method = gpu_method(name);
      const std::vector<float> pose = gpu_pose_of(method, rig, bones, shapes);
      const PageReader reader(skin, pose, method.blend);
      const Deformed truth = deform_reference(rig, bones, shapes, method_from_name(name, rig));
      const double size = bounding_box(truth.positions).diagonal();
      for (std::size_t v = 0; v < truth.positions.size(); ++v) {
        ASSERT_LT(distance(reader.at(v), truth.positions[v]), 1e-6 * size) << name << " " << v;
      }
    }
  }
}

TEST(Gpu, arrays_say_where_the_reference_places_vertices) {
  const Rig rig = test::kernel_rig({.vertices = 300, .influences = 8});
  expect_reference(rig, test::kernel_pose(rig, {.most_stretch = 3, .scale = true}), {});
}

TEST(Gpu, filters_twist_weights_and_shapes_are_in_them) {
  Rig rig = test::shaped_tube();
  for (const double e : rig.skin.endpoints) rig.skin.twist_endpoints.push_back(e * e);
  rig.skin.filters.resize(rig.skeleton.bones.size());
  rig.skin.filters[1].stretch.points = {{0.1, 0}, {0.5, 0.7}, {0.9, 1}};
  rig.skin.filters[1].twist.points = {{0, 0.2}, {0.6, 0.4}, {1, 1}};
  test::set_blend_shares(rig);
  const PoseTeller teller(rig.skeleton);
  ToldPose pose{rest_pose(rig), {}, {}};
  teller.turn(pose, 1, std::vector<ToldBend>{{{0, 0, 1}, 1}}, 3);
  teller.stretch(pose, 1, 1.5);
  expect_reference(rig, bone_states(rig, pose), std::vector<double>{0.5, -0.25});
}

// A bone posed by its ends scales along its axis by lbs, and not by dqs.
TEST(Gpu, bones_posed_by_their_ends_scale_where_they_do_in_the_core) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses[0].end = poses[1].start = lerp(poses[0].start, poses[0].end, 1.5);
  poses[1].end += Vec3{0.5, 0, 0};
  const std::vector<BoneState> bones = bone_states(rig.skeleton, poses);
  const GpuSkin skin = gpu_skin(rig);
  for (const char* name : {"lbs", "dqs", "stbs-lbs", "stbs-dqs"}) {
    const GpuMethod method = gpu_method(name);
    const std::vector<float> pose = gpu_pose_of(method, rig, bones);
    const PageReader reader(skin, pose, method.blend);
    const Deformed truth = deform_reference(rig, bones, {}, method_from_name(name, rig));
    for (std::size_t v = 0; v < truth.positions.size(); ++v) {
      ASSERT_LT(distance(reader.at(v), truth.positions[v]), 1e-6) << name << " " << v;
    }
  }
}

TEST(Gpu, influences_begin_with_the_largest_and_neighbours_have_no_weight) {
  const Rig rig = make_tube();
  const GpuSkin plain = gpu_skin(rig), exact = gpu_skin(rig, {.gradients = true});
  EXPECT_TRUE(plain.gradients.empty());
  bool has_neighbours = false;
  for (const GpuSkin* skin : {&plain, &exact}) {
    std::size_t next = 0;
    for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
      const float* vertex = &skin->vertices[4 * v];
      ASSERT_EQ(std::size_t(vertex[0]), next);
      next += std::size_t(vertex[2]);
      double sum = 0, last = 1;
      for (std::size_t i = 0; i < std::size_t(vertex[2]); ++i) {
        const double w = double(skin->influences[4 * (std::size_t(vertex[0]) + i) + 1]);
        EXPECT_EQ(w > 0, i < std::size_t(vertex[1]));
        EXPECT_LE(w, last);
        last = w;
        sum += w;
      }
      EXPECT_NEAR(sum, 1, 1e-6);
      has_neighbours = has_neighbours || vertex[2] > vertex[1];
    }
  }
  EXPECT_TRUE(has_neighbours);
  // Weights sum to 1 everywhere, so their gradients sum to 0.
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    Vec3 sum;
    double longest = 0;
    const float* vertex = &exact.vertices[4 * v];
    for (std::size_t i = 0; i < std::size_t(vertex[2]); ++i) {
      const Vec3 gradient = three(exact.gradients, 12 * (std::size_t(vertex[0]) + i));
      sum += gradient;
      longest = std::max(longest, length(gradient));
    }
    EXPECT_LT(length(sum), 1e-5 * (1 + longest));
  }
}

TEST(Gpu, textures_longer_than_a_row_have_whole_rows) {
  const GpuSkin few = gpu_skin(test::kernel_rig({.vertices = 50}));
  EXPECT_LT(few.influences.size(), 4 * gpu_texture_width);
  const GpuSkin many = gpu_skin(test::kernel_rig({.vertices = 5000}));
  EXPECT_GT(many.influences.size(), 4 * gpu_texture_width);
  EXPECT_EQ(many.influences.size() % (4 * gpu_texture_width), 0u);
}

TEST(Gpu, shapes_follow_the_bones_and_missing_ones_are_0) {
  const Rig rig = test::shaped_tube();
  const auto bones = bone_states(rig.skeleton, rest_bones(rig));
  ASSERT_EQ(gpu_pose_texels(bones.size(), 2), 6 * bones.size() + 1);
  const std::vector<float> pose =
      gpu_pose_of(gpu_method("lbs"), rig, bones, std::vector<double>{0.5});
  const std::vector<float> end(pose.end() - 4, pose.end());
  EXPECT_EQ(end, (std::vector<float>{0.5f, 0, 0, 0}));
}

TEST(Gpu, what_does_not_fit_is_refused) {
  const Rig rig = test::shaped_tube();
  const auto bones = bone_states(rig.skeleton, rest_bones(rig));
  std::vector<float> floats(4 * gpu_pose_texels(bones.size(), 2));
  const GpuMethod method = gpu_method("stbs-dqs");
  EXPECT_THROW(fill_gpu_pose(method, bones, {}, 2, std::span(floats).subspan(1)), UsageError);
  EXPECT_THROW(fill_gpu_pose(method, bones, std::vector<double>(3), 2, floats), UsageError);
  EXPECT_THROW(gpu_method("delta-mush"), UsageError);
  EXPECT_THROW(gpu_method(""), UsageError);
  Rig broken = rig;
  broken.skin.endpoints[0] = 2;
  EXPECT_THROW(gpu_skin(broken), InputError);
}

}  // namespace
}  // namespace sinew
