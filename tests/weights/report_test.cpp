// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/report.h"

#include <limits>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/bleeding.h"
#include "sinew/weights/compare.h"
#include "sinew/weights/report_json.h"
#include "sinew/weights/smoothness.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

int bone_of(const Rig& rig, const char* joint) {
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    const std::size_t j = rig.skeleton.bones[b].joint;
    if (rig.skeleton.joints[j].name == joint) return static_cast<int>(b);
  }
  return -1;
}

TEST(Bleeding, the_samples_with_their_own_weights_have_none) {
  for (const char* name : {"mannequin", "beast", "giraffe", "arm"}) {
    const Rig rig = make_sample(name, 4000);
    const std::size_t count =
        find_bleeding(rig.mesh, rig.skeleton, rig.skin.weights).vertices.size();
    EXPECT_EQ(count, 0u) << name;
  }
}

TEST(Bleeding, a_finger_tied_to_the_thigh_is_found) {
  Rig rig = make_sample("mannequin", 4000);
  const int thigh = bone_of(rig, "thigh.L");
  ASSERT_NE(thigh, -1);
  const auto is_finger = [&](int bone) {
    const std::size_t joint = rig.skeleton.bones[static_cast<std::size_t>(bone)].joint;
    const std::string& name = rig.skeleton.joints[joint].name;
    return name.find("index") != std::string::npos && name.find(".L") != std::string::npos;
  };
  Weights weights;
  std::vector<Index> wrong;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    if (is_finger(dominant_bone(rig.skin.weights.row(v)))) {
      weights.push_row(std::vector<Influence>{{thigh, 1.0}});
      wrong.push_back(static_cast<Index>(v));
    } else {
      weights.push_row(rig.skin.weights.row(v));
    }
  }
  ASSERT_GT(wrong.size(), 20u);
  const std::vector<Index> found = find_bleeding(rig.mesh, rig.skeleton, weights).vertices;
  const auto hits = std::count_if(wrong.begin(), wrong.end(), [&](Index v) {
    return std::binary_search(found.begin(), found.end(), v);
  });
  EXPECT_EQ(static_cast<std::size_t>(hits), wrong.size());
  EXPECT_EQ(found.size(), wrong.size());
}

TEST(Bleeding, a_bone_that_is_near_through_the_air_alone_does_not_count) {
  // A thick tube and a thin one beside it, whose bone is much nearer to the thick one's side than
  // that one's own.
  Rig rig = make_tube({.bones = 1, .radius = 1});
  const Rig thin = make_tube({.bones = 1, .radius = 0.1});
  const std::size_t thick_count = rig.mesh.vertex_count();
  for (Vec3 p : thin.mesh.positions) rig.mesh.positions.push_back(p + Vec3{0, 1.15, 0});
  for (const Triangle& t : thin.mesh.triangles) {
    const auto first = static_cast<Index>(thick_count);
    rig.mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  rig.skeleton =
      skeleton_from_segments(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1.15, 0}, {1, 1.15, 0}},
                             std::vector<std::array<int, 2>>{{0, 1}, {2, 3}});
  Weights right, wrong;
  std::vector<Index> wrong_ones;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const int own = v < thick_count ? 0 : 1;
    const bool near = own == 0 && rig.mesh.positions[v].y > 0.9;
    right.push_row(std::vector<Influence>{{own, 1.0}});
    wrong.push_row(std::vector<Influence>{{near ? 1 : own, 1.0}});
    if (near) wrong_ones.push_back(static_cast<Index>(v));
  }
  EXPECT_TRUE(find_bleeding(rig.mesh, rig.skeleton, right).vertices.empty());
  EXPECT_EQ(find_bleeding(rig.mesh, rig.skeleton, wrong).vertices, wrong_ones);
}

TEST(Bleeding, scale_and_place_do_not_matter) {
  Rig rig = make_sample("mannequin", 2000);
  Weights mixed;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    mixed.push_row(rig.skin.weights.row((v * 7919) % rig.mesh.vertex_count()));
  }
  const std::vector<Index> before = find_bleeding(rig.mesh, rig.skeleton, mixed).vertices;
  EXPECT_GT(before.size(), rig.mesh.vertex_count() / 3);
  const auto move = [](const Vec3& p) { return p * 1024 + Vec3{4096, -8192, 0}; };
  for (Vec3& p : rig.mesh.positions) p = move(p);
  for (Bone& bone : rig.skeleton.bones) {
    bone.head = move(bone.head);
    bone.tail = move(bone.tail);
  }
  const std::vector<Index> after = find_bleeding(rig.mesh, rig.skeleton, mixed).vertices;
  EXPECT_NEAR(double(before.size()), double(after.size()), 2);
}

TEST(Smoothness, a_linear_ramp_has_the_energy_that_can_be_computed_by_hand) {
  // A plate of 2 x 1 on which bone 1's weight rises from 0 to 1 over the length: half of the area
  // times the squared slope.
  for (const double scale : {1.0, 1e-3, 1e3}) {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    for (Vec3& p : mesh.positions) p *= scale;
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const Weights weights = weights_from_dense(std::vector<double>{1, 0, 0, 1, 0, 1, 1, 0}, 2);
    const std::vector<double> energy = dirichlet_energy(mesh, weights, 2);
    EXPECT_NEAR(energy[0], 0.25, 1e-12);
    EXPECT_NEAR(energy[1], 0.25, 1e-12);
  }
}

TEST(Smoothness, needles_and_triangles_without_area_count_a_finite_amount) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.5, 1e-30, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 0, 1}, {2, 2, 2}};
  const Weights weights = weights_from_dense(std::vector<double>{1, 0, 0, 1, 1, 0, 0, 1}, 2);
  for (const double energy : dirichlet_energy(mesh, weights, 2)) {
    EXPECT_TRUE(std::isfinite(energy));
    EXPECT_GT(energy, 0);
    EXPECT_LT(energy, 100);
  }
}

TEST(Report, a_sound_rig_is_not_poor) {
  const Rig rig = make_tube();
  const WeightReport report = make_report(rig.mesh, rig.skeleton, skin_of(rig));
  EXPECT_FALSE(poor(report));
  EXPECT_TRUE(findings(report).empty());
  EXPECT_LT(report.largest_sum_error, 1e-12);
  EXPECT_EQ(report.min_influences, 1u);
  EXPECT_EQ(report.max_influences, 2u);
  EXPECT_EQ(report.histogram.size(), 3u);
  EXPECT_EQ(report.histogram[1] + report.histogram[2], rig.mesh.vertex_count());
  EXPECT_TRUE(report.has_endpoints);
  EXPECT_GT(report.dirichlet_total, 0);
}

TEST(Report, uncovered_not_converged_and_not_finite_are_poor) {
  const Rig rig = make_tube();
  Skin gaps;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    gaps.weights.push_row(v == 7 ? std::span<const Influence>() : rig.skin.weights.row(v));
  }
  const WeightReport uncovered = make_report(rig.mesh, rig.skeleton, gaps);
  EXPECT_EQ(uncovered.uncovered, 1u);
  EXPECT_TRUE(poor(uncovered));
  SolveNotes stuck;
  stuck.converged = false;
  EXPECT_TRUE(poor(make_report(rig.mesh, rig.skeleton, skin_of(rig), stuck)));
  EXPECT_TRUE(poor(make_report(rig.mesh, rig.skeleton, skin_of(rig), {}, stuck)));
  Skin broken = skin_of(rig);
  broken.weights.influences[3].weight = std::numeric_limits<double>::quiet_NaN();
  const WeightReport report = make_report(rig.mesh, rig.skeleton, broken);
  EXPECT_FALSE(report.finite);
  EXPECT_TRUE(poor(report));
  EXPECT_FALSE(to_text(report).empty());
  broken = skin_of(rig);
  broken.endpoints[3] = 1.5;
  EXPECT_FALSE(make_report(rig.mesh, rig.skeleton, broken).finite);
  broken.weights.influences[3].bone = 2;
  EXPECT_EQ(bad_input([&] { make_report(rig.mesh, rig.skeleton, broken); }),
            "vertex 3: it is tied to bone 2, but there are 2 bones");
}

TEST(Report, sums_other_than_1_are_found) {
  const Rig rig = make_tube({.bones = 1});
  Skin skin = skin_of(rig);
  skin.weights.influences[5].weight = 1.5;
  const WeightReport report = make_report(rig.mesh, rig.skeleton, skin);
  EXPECT_DOUBLE_EQ(report.largest_sum_error, 0.5);
  EXPECT_EQ(findings(report).size(), 1u);
  EXPECT_FALSE(poor(report));
}

TEST(Report, a_bone_that_lost_its_skin_is_a_finding_by_name) {
  const Rig rig = make_tube();
  Skin skin;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    skin.weights.push_row(std::vector<Influence>{{0, 1.0}});
  }
  const WeightReport report = make_report(rig.mesh, rig.skeleton, skin);
  ASSERT_EQ(report.idle_bones.size(), 1u);
  EXPECT_EQ(report.idle_bones[0].bone, 1);
  EXPECT_FALSE(poor(report));
  const std::string& name = report.idle_bones[0].name;
  EXPECT_EQ(findings(report), std::vector<std::string>{"1 bone moves none of the skin around it: " +
                                                       (name.empty() ? "bone 1" : name)});
  const auto json = nlohmann::json::parse(report_to_json(report));
  EXPECT_EQ(json["idle_bones"][0]["bone"], 1);
}

// The text stays short however many there are; JSON has them all.
TEST(Report, bleeding_is_summed_up_by_bone_in_text_and_listed_in_json) {
  Rig rig = make_sample("mannequin", 4000);
  const int thigh = bone_of(rig, "thigh.L");
  Skin skin;
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const bool high = rig.mesh.positions[v].y > 1.6;
    wrong += high ? 1 : 0;
    if (high) {
      skin.weights.push_row(std::vector<Influence>{{thigh, 1.0}});
    } else {
      skin.weights.push_row(rig.skin.weights.row(v));
    }
  }
  ASSERT_GT(wrong, 150u);
  const WeightReport report = make_report(rig.mesh, rig.skeleton, skin);
  const nlohmann::json json = nlohmann::json::parse(report_to_json(report))["bleeding"];
  EXPECT_EQ(json["count"], wrong);
  EXPECT_EQ(json["vertices"].size(), wrong);
  ASSERT_EQ(json["bones"].size(), 1u);
  EXPECT_EQ(json["bones"][0]["bone"], thigh);
  EXPECT_EQ(json["bones"][0]["name"], "thigh.L");
  EXPECT_EQ(json["bones"][0]["vertices"], wrong);
  const std::string text = to_text(report);
  EXPECT_NE(text.find(std::to_string(wrong) + " to thigh.L"), std::string::npos) << text;
  EXPECT_LT(text.size(), 1000u);
}

TEST(Report, text_and_json_say_the_same) {
  const Rig rig = make_tube();
  SolveNotes notes;
  notes.unknowns = 123;
  notes.residual = 1e-9;
  notes.repairs = {"3 vertices were joined"};
  WeightReport report = make_report(rig.mesh, rig.skeleton, skin_of(rig), notes);
  report.method = "heat";
  report.seconds = 0.25;
  const nlohmann::json json = nlohmann::json::parse(report_to_json(report));
  EXPECT_EQ(json["vertices"], rig.mesh.vertex_count());
  EXPECT_EQ(json["method"], "heat");
  EXPECT_EQ(json["influences"]["max"], 2);
  EXPECT_EQ(json["bleeding"]["count"], 0);
  EXPECT_EQ(json["smoothness"]["per_bone"].size(), 2u);
  EXPECT_EQ(json["solve"]["unknowns"], 123);
  EXPECT_EQ(json["findings"][0], "3 vertices were joined");
  EXPECT_EQ(json["poor"], false);
  const std::string text = to_text(report);
  EXPECT_NE(text.find("976 of 976 vertices"), std::string::npos) << text;
  EXPECT_NE(text.find("123 unknowns"), std::string::npos);
  EXPECT_NE(text.find("3 vertices were joined"), std::string::npos);
}

}  // namespace
}  // namespace sinew
