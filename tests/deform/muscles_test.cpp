// SPDX-License-Identifier: Apache-2.0
// Muscles: what drives them, and where they move the skin (docs/methods/muscles.md).
#include "sinew/deform/muscles.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "tests/support/comparing.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

double distance_from_axis(const Vec3& p) { return std::hypot(p.y, p.z); }

// One bone from x = 0 to 1.
Rig muscle_tube(const Muscle& muscle) {
  Rig rig = make_tube({.bones = 1, .rings = 41});
  rig.skin.muscles = {muscle};
  return rig;
}

std::vector<BonePose> stretched(const Rig& rig, double factor) {
  std::vector<BonePose> poses = rest_bones(rig);
  poses[0].end = lerp(poses[0].start, poses[0].end, factor);
  return poses;
}

std::vector<Vec3> posed(const Rig& rig, const std::vector<BonePose>& poses,
                        std::string_view method) {
  return deform_reference(rig, bone_states(rig, poses), {}, method_from_name(method, rig))
      .positions;
}

TEST(Muscles, the_drive_keeps_volume_and_follows_the_angle) {
  Muscle muscle{.stretch = 1};
  EXPECT_DOUBLE_EQ(muscle_drive(muscle, 1, 0), 0);
  EXPECT_DOUBLE_EQ(std::pow(1 + muscle_drive(muscle, 0.64, 0), 2) * 0.64, 1);
  EXPECT_DOUBLE_EQ(std::pow(1 + muscle_drive(muscle, 2.25, 0), 2) * 2.25, 1);
  EXPECT_TRUE(std::isfinite(muscle_drive(muscle, 0, 0)));
  muscle.stretch = 5;
  EXPECT_EQ(muscle_drive(muscle, 100, 0), least_drive);
  muscle.stretch = 0;
  muscle.angle = MuscleAngle{.joint = 0, .start = 20, .end = 120, .gain = 0.4};
  EXPECT_EQ(muscle_drive(muscle, 3, 10), 0);
  EXPECT_DOUBLE_EQ(muscle_drive(muscle, 3, 70), 0.2);
  EXPECT_DOUBLE_EQ(muscle_drive(muscle, 3, 170), 0.4);
  std::swap(muscle.angle->start, muscle.angle->end);
  EXPECT_DOUBLE_EQ(muscle_drive(muscle, 3, 20), 0.4);
  EXPECT_DOUBLE_EQ(muscle_drive(muscle, 3, 150), 0);
}

TEST(Muscles, a_shorter_bone_swells_by_its_profile_and_its_ends_stay) {
  const Rig rig = muscle_tube({.stretch = 1});
  for (const char* method : {"stbs-lbs", "stbs-dqs", "stbs-mixed"}) {
    const std::vector<Vec3> moved = posed(rig, stretched(rig, 0.64), method);
    for (std::size_t v = 0; v < moved.size(); ++v) {
      const double e = rig.skin.endpoints[v];
      const double expected = distance_from_axis(rig.mesh.positions[v]) *
                              (1 + 0.25 * bulge_profile(rig.skin.muscles[0], e));
      EXPECT_NEAR(distance_from_axis(moved[v]), expected, 1e-12) << method << " " << v;
      EXPECT_NEAR(moved[v].x, rig.mesh.positions[v].x - 0.36 * e, 1e-12) << method << " " << v;
    }
  }
}

TEST(Muscles, volume_is_kept_where_the_profile_is_one) {
  Muscle muscle{.stretch = 1};
  muscle.profile.points = {{0, 1}, {1, 1}};
  const Rig rig = muscle_tube(muscle);
  for (const double factor : {0.5, 0.8, 1.7}) {
    for (const Vec3& p : posed(rig, stretched(rig, factor), "stbs-lbs")) {
      const double rest = distance_from_axis(rig.mesh.positions[0]);
      EXPECT_NEAR(std::pow(distance_from_axis(p) / rest, 2) * factor, 1, 1e-12);
    }
  }
}

TEST(Muscles, they_twist_with_the_bone_and_move_with_it) {
  const Rig rig = muscle_tube({.stretch = 1});
  Rig plain = rig;
  plain.skin.muscles.clear();
  std::vector<BonePose> poses = stretched(rig, 0.7);
  poses[0].twist_end = 2;
  const std::vector<Vec3> thin = posed(plain, poses, "stbs-dqs"),
                          thick = posed(rig, poses, "stbs-dqs");
  const double drive = bone_states(rig, poses)[0].bulge;
  EXPECT_NEAR(drive, 1 / std::sqrt(0.7) - 1, 1e-15);
  for (std::size_t v = 0; v < thin.size(); ++v) {
    const double scale = 1 + drive * bulge_profile(rig.skin.muscles[0], rig.skin.endpoints[v]);
    EXPECT_NEAR(distance(thick[v], {thin[v].x, scale * thin[v].y, scale * thin[v].z}), 0, 1e-12);
  }
}

TEST(Muscles, only_the_methods_that_read_endpoint_weights_have_them) {
  const Rig rig = muscle_tube({.stretch = 1});
  Rig plain = rig;
  plain.skin.muscles.clear();
  for (const char* method : {"lbs", "dqs", "mixed"}) {
    EXPECT_EQ(posed(rig, stretched(rig, 0.6), method), posed(plain, stretched(rig, 0.6), method));
  }
}

TEST(Muscles, a_side_swells_alone) {
  Muscle muscle{.stretch = 1};
  muscle.side = Vec3{5, 0, 2};  // along the bone counts for nothing
  const Rig rig = muscle_tube(muscle);
  const std::vector<Vec3> moved = posed(rig, stretched(rig, 0.5), "stbs-lbs");
  double front = 0, back = 0;
  for (std::size_t v = 0; v < moved.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    const double growth = distance_from_axis(moved[v]) / distance_from_axis(p) - 1;
    if (p.z > 0.999 * distance_from_axis(p)) front = std::max(front, growth);
    if (p.z < -0.999 * distance_from_axis(p)) back = std::max(back, growth);
  }
  EXPECT_NEAR(front, std::sqrt(2) - 1, 1e-3);
  EXPECT_NEAR(back, 0, 1e-12);
}

// A joint in the middle.
Rig elbow(std::optional<Vec3> axis) {
  Rig rig = make_tube({.bones = 2});
  rig.skin.muscles.resize(2);
  rig.skin.muscles[0].angle = MuscleAngle{
      .joint = rig.skeleton.bones[1].joint, .axis = axis, .start = axis ? -90.0 : 0, .end = 90};
  return rig;
}

TEST(Muscles, a_joint_drives_them_by_its_angle_from_rest) {
  const Rig total = elbow(std::nullopt), about = elbow(Vec3{0, 0, 2});
  const JointIndex joint = total.skeleton.bones[1].joint;
  const auto drive_of = [&](const Rig& rig, const Vec3& axis, double angle) {
    Pose pose = rest_pose(rig);
    pose.joints[joint].rotation =
        pose.joints[joint].rotation * rotation_about(axis, radians(angle));
    return bone_states(rig, pose)[0].bulge;
  };
  EXPECT_NEAR(drive_of(total, {0, 0, 1}, 45), 0.15, 1e-9);
  EXPECT_NEAR(drive_of(total, {0, 1, 0}, -45), 0.15, 1e-9);
  EXPECT_NEAR(drive_of(about, {0, 0, 1}, 45), 0.3 * 0.75, 1e-9);
  EXPECT_NEAR(drive_of(about, {0, 0, 1}, -45), 0.3 * 0.25, 1e-9);
  EXPECT_NEAR(drive_of(about, {0, 1, 0}, 45), 0.15, 1e-9);
}

TEST(Muscles, bones_posed_by_their_ends_drive_them_alike) {
  for (const std::optional<Vec3> axis : {std::optional<Vec3>(), std::optional<Vec3>({0, 0, 1})}) {
    const Rig rig = elbow(axis);
    Pose pose = rest_pose(rig);
    Transform& joint = pose.joints[rig.skeleton.bones[1].joint];
    joint.rotation = joint.rotation * rotation_about(Vec3{0, 0, 1}, radians(50));
    const std::vector<BoneState> by_joints = bone_states(rig, pose);
    std::vector<BonePose> poses;
    for (const BoneState& bone : by_joints) {
      poses.push_back({bone.posed_head, bone.posed_tail, bone.rotation, 0, 0});
    }
    EXPECT_GT(by_joints[0].bulge, 0.1);
    EXPECT_NEAR(bone_states(rig, poses)[0].bulge, by_joints[0].bulge, 1e-9);
  }
}

TEST(Muscles, a_squashed_bone_does_not_count_its_length_twice) {
  const Rig rig = muscle_tube({.stretch = 1});
  EXPECT_EQ(bone_states(rig, stretched(rig, 0.6), {.squash = true})[0].bulge, 0);
  EXPECT_GT(bone_states(rig, stretched(rig, 0.6))[0].bulge, 0.2);
}

TEST(Muscles, bulges_as_shapes_move_the_mesh_alike) {
  Rig rig = elbow(std::nullopt);
  rig.skin.muscles[1].stretch = 1;
  const std::vector<BulgeShape> shapes = bulge_shapes(rig);
  ASSERT_EQ(shapes.size(), 2u);
  Pose pose = rest_pose(rig);
  Transform& joint = pose.joints[rig.skeleton.bones[1].joint];
  joint.rotation = joint.rotation * rotation_about(Vec3{0, 0, 1}, radians(60));
  const std::vector<BoneState> states = bone_states(rig, pose);
  Rig shaped = rig;
  shaped.skin.muscles.clear();
  std::vector<double> weights;
  for (const BulgeShape& bulge : shapes) {
    shaped.mesh.shapes.push_back(bulge.shape);
    weights.push_back(states[bulge.bone].bulge);
  }
  EXPECT_GT(weights[0], 0.1);
  for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
    const Deformed a = deform_reference(rig, states, {}, method_from_name(method, rig));
    const Deformed b = deform_reference(shaped, states, weights, method_from_name(method, rig));
    EXPECT_LT(largest_difference(a.positions, b.positions), 1e-14) << method;
  }
}

TEST(Muscles, normals_are_those_of_the_swollen_triangles) {
  const Rig rig = muscle_tube({.stretch = 1});
  for (const char* name : {"stbs-lbs", "stbs-dqs"}) {
    const Deformed moved = deform_reference(rig, bone_states(rig, stretched(rig, 0.4)), {},
                                            method_from_name(name, rig), true);
    const std::vector<Vec3> expected = vertex_normals(moved.positions, rig.mesh.triangles);
    double worst = 0, plain = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      const Vec3& p = rig.mesh.positions[v];
      if (p.x < 0.1 || p.x > 0.9) continue;  // open ends
      worst = std::max(worst, distance(moved.normals[v], expected[v]));
      plain = std::max(plain, distance(normalized(Vec3{0, p.y, p.z}), expected[v]));
    }
    EXPECT_LT(worst, 0.01) << name;
    EXPECT_GT(plain, 0.05) << name;  // without the bulge they would be off by this
  }
}

}  // namespace
}  // namespace sinew
