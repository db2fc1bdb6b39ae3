// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/samples.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "tests/samples/surface_checks.h"
#include "tests/support/rotations.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

bool is_flat(std::string_view name) { return name == "giraffe"; }
bool is_symmetric(std::string_view name) { return name != "arm" && !is_flat(name); }

// How often the line from p along some odd direction passes through the surface.
std::size_t crossings(const Mesh& mesh, const Vec3& p) {
  const Vec3 direction = normalized(Vec3{0.3713, 0.2971, 0.8797});
  std::size_t count = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.positions[t[0]] - p, b = mesh.positions[t[1]] - p,
               c = mesh.positions[t[2]] - p;
    const double u = dot(direction, cross(b, c)), v = dot(direction, cross(c, a)),
                 w = dot(direction, cross(a, b));
    if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
    if (dot(a * u + b * v + c * w, direction) / (u + v + w) > 0) ++count;
  }
  return count;
}

bool is_in_flat(const Mesh& mesh, const Vec3& p) {
  for (const Triangle& t : mesh.triangles) {
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 a = mesh.positions[t[k]], b = mesh.positions[t[(k + 1) % 3]];
      inside = inside && cross(b - a, p - a).z >= 0;
    }
    if (inside) return true;
  }
  return false;
}

class EachSample : public testing::TestWithParam<std::string> {};

TEST_P(EachSample, is_one_well_shaped_surface_of_the_size_asked_for) {
  for (const std::size_t target : {5000u, 20000u}) {
    if (sanitized && target > 5000) continue;  // more of the same, where memory is looked at
    const Rig rig = make_sample(GetParam(), target);
    validate(rig);
    EXPECT_NEAR(static_cast<double>(rig.mesh.vertex_count()), static_cast<double>(target),
                0.1 * static_cast<double>(target));
    const SurfaceReport report = report_on(rig.mesh.positions, rig.mesh.triangles);
    EXPECT_EQ(report.bad_edges, 0u);
    EXPECT_EQ(report.split_vertices, 0u);
    EXPECT_EQ(report.parts, 1u);
    EXPECT_LT(report.narrow_angles, 0.01);
    EXPECT_GT(report.mean_least_angle, 38);
    if (is_flat(GetParam())) {
      EXPECT_GT(report.border_edges, 0u);
    } else {
      EXPECT_EQ(report.border_edges, 0u);
      EXPECT_GT(report.volume, 0);
      // No handles: the Euler characteristic of a ball.
      EXPECT_EQ(2 * rig.mesh.vertex_count(), rig.mesh.triangles.size() + 4);
    }
    RecordProperty("least_angle", std::to_string(report.least_angle));
    RecordProperty("mean_least_angle", std::to_string(report.mean_least_angle));
  }
}

TEST_P(EachSample, keeps_its_topology_at_the_lowest_resolution) {
  const Rig rig = make_sample(GetParam(), 1);
  validate(rig);
  const SurfaceReport report = report_on(rig.mesh.positions, rig.mesh.triangles);
  EXPECT_EQ(report.bad_edges + report.split_vertices, 0u);
  EXPECT_EQ(report.parts, 1u);
  EXPECT_LT(rig.mesh.vertex_count(), 4000u);
}

TEST_P(EachSample, is_its_own_mirror_image_where_it_should_be) {
  const Rig rig = make_sample(GetParam(), 5000);
  const std::vector<int> images = mirror_vertices(rig.mesh.positions, 1e-6);
  const auto without = static_cast<std::size_t>(std::count(images.begin(), images.end(), -1));
  if (!is_symmetric(GetParam())) {
    EXPECT_EQ(without, rig.mesh.vertex_count());
    return;
  }
  EXPECT_EQ(without, 0u);
  std::vector<int> bone_images;
  for (const Bone& bone : rig.skeleton.bones) {
    std::string name = rig.skeleton.joints[bone.joint].name;
    if (name.ends_with(".L") || name.ends_with(".R")) name.back() = name.back() == 'L' ? 'R' : 'L';
    const int joint = find_joint(rig.skeleton, name);
    for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
      if (rig.skeleton.bones[b].joint == joint) bone_images.push_back(static_cast<int>(b));
    }
    const Bone& image = rig.skeleton.bones[bone_images.back()];
    EXPECT_NEAR(distance({-image.head.x, image.head.y, image.head.z}, bone.head), 0, 1e-9);
    EXPECT_NEAR(distance({-image.tail.x, image.tail.y, image.tail.z}, bone.tail), 0, 1e-9);
  }
  for (std::size_t v = 0; v < images.size(); ++v) {
    const std::size_t image = images[v];
    ASSERT_EQ(rig.skin.weights.row(v).size(), rig.skin.weights.row(image).size());
    for (const Influence& influence : rig.skin.weights.row(v)) {
      double other = -1;
      for (const Influence& candidate : rig.skin.weights.row(image)) {
        if (candidate.bone == bone_images[influence.bone]) {
          other = candidate.weight;
        }
      }
      EXPECT_NEAR(other, influence.weight, 1e-9);
    }
  }
}

TEST_P(EachSample, is_the_same_on_any_number_of_threads) {
  set_thread_count(1);
  const Rig alone = make_sample(GetParam(), 3000);
  set_thread_count(4);
  const Rig together = make_sample(GetParam(), 3000);
  set_thread_count(0);
  EXPECT_EQ(alone, together);
}

TEST_P(EachSample, has_its_skeleton_inside) {
  const Rig rig = make_sample(GetParam(), 5000);
  for (const Bone& bone : rig.skeleton.bones) {
    const std::string& name = rig.skeleton.joints[bone.joint].name;
    for (const double t : {0.0, 0.5, 0.97}) {
      const Vec3 p = lerp(bone.head, bone.tail, t);
      const bool inside =
          is_flat(GetParam()) ? is_in_flat(rig.mesh, p) : crossings(rig.mesh, p) % 2 == 1;
      EXPECT_TRUE(inside) << name << " at " << t;
    }
  }
}

TEST_P(EachSample, weights_cover_every_vertex_and_use_every_bone) {
  const Rig rig = make_sample(GetParam(), 5000);
  const WeightSummary summary = summarize(rig.skin.weights);
  EXPECT_EQ(summary.vertices, rig.mesh.vertex_count());
  EXPECT_EQ(summary.uncovered, 0u);
  EXPECT_LE(summary.max_influences, 6u);
  EXPECT_EQ(rig.skin.endpoints.size(), rig.skin.weights.influences.size());
  std::set<int> used;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : rig.skin.weights.row(v)) {
      EXPECT_GT(influence.weight, 0);
      if (influence.weight > 0.25) used.insert(influence.bone);
      sum += influence.weight;
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
  for (const double e : rig.skin.endpoints) {
    EXPECT_GE(e, 0);
    EXPECT_LE(e, 1);
  }
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    EXPECT_TRUE(used.contains(static_cast<int>(b)))
        << describe_joint(rig.skeleton, rig.skeleton.bones[b].joint) << " moves no vertex";
  }
}

TEST_P(EachSample, clips_loop_and_bend_twist_and_stretch) {
  const Rig rig = make_sample(GetParam(), 1000);
  ASSERT_FALSE(rig.clips.empty());
  double most_turned = 0, most_stretched = 0;
  for (const Clip& clip : rig.clips) {
    const double end = duration(clip);
    const Pose first = pose_at(rig, clip, 0), last = pose_at(rig, clip, end);
    for (std::size_t j = 0; j < first.joints.size(); ++j) {
      EXPECT_NEAR(distance(first.joints[j].translation, last.joints[j].translation), 0, 1e-9);
      expect_same_rotation(first.joints[j].rotation, last.joints[j].rotation, 1e-12);
    }
    for (double t = 0; t < 1; t += 0.125) {
      const Pose pose = pose_at(rig, clip, t * end);
      for (std::size_t j = 0; j < pose.joints.size(); ++j) {
        const Joint& joint = rig.skeleton.joints[j];
        const double cosine = std::fabs(dot(pose.joints[j].rotation, joint.rest.rotation));
        most_turned = std::max(most_turned, degrees(2 * std::acos(std::min(cosine, 1.0))));
        if (joint.parent == no_joint) continue;
        most_stretched =
            std::max(most_stretched, length(pose.joints[j].translation) /
                                         std::max(length(joint.rest.translation), 1e-9));
      }
    }
  }
  // In a plane there is no twisting, and a long neck bends a little at each joint.
  EXPECT_GT(most_turned, is_flat(GetParam()) ? 30 : 80);
  EXPECT_GT(most_stretched, 1.2);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const SampleInfo& info : sample_list()) result.emplace_back(info.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Samples, EachSample, testing::ValuesIn(names()),
                         [](const auto& sample) { return sample.param; });

TEST(Samples, joints_of_tubes_share_twists_evenly) {
  const Rig rig = make_sample("tube", 300);
  ASSERT_EQ(rig.skeleton.bones.size(), 2u);
  EXPECT_EQ(rig.skeleton.joints[1].twist_shares, (TwistShares{0.5, 0.5}));
}

TEST(Samples, a_beast_of_few_triangles_has_whole_wrists) {
  const Rig beast = make_sample("beast", 2000);
  const Bvh surface(beast.mesh.positions, beast.mesh.triangles);
  for (const Bone& bone : beast.skeleton.bones) {
    const std::string& name = beast.skeleton.joints[bone.joint].name;
    if (name != "forearm.L" && name != "hand.L") continue;
    for (int i = 0; i < 10; ++i) {
      // Limbs are 6 cm thick or more on either side there.
      const Vec3 p = lerp(bone.head, bone.tail, i / 10.0);
      EXPECT_GT(surface.closest(p)->distance, 0.025) << name << ", " << i;
    }
  }
}

TEST(Samples, unknown_name_is_answered_with_the_list) {
  try {
    make_sample("unicorn", 1000);
    FAIL();
  } catch (const UsageError& error) {
    for (const SampleInfo& info : sample_list()) {
      EXPECT_NE(std::string(error.what()).find(info.name), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace sinew
