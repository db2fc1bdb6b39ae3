// SPDX-License-Identifier: Apache-2.0
#include "ogre.h"

#include "posing.h"
#include "sculpture.h"

namespace sinew::gallery {
namespace {

constexpr Vec3 ogre_hide{0.33, 0.36, 0.20}, ogre_cloth{0.24, 0.13, 0.07},
    ogre_tusk{0.80, 0.74, 0.58}, ogre_eye{0.90, 0.75, 0.20}, ogre_lip{0.34, 0.18, 0.13};

constexpr Vec3 ogre_hips{0, 0.86, -0.02}, ogre_chest{0, 1.34, -0.03}, ogre_neck{0, 1.66, 0.06},
    ogre_brow{0, 1.90, 0.20};
constexpr Vec3 ogre_shoulder{0.44, 1.55, -0.02}, ogre_elbow{0.72, 1.18, -0.04},
    ogre_wrist{0.88, 0.80, 0.10};
constexpr Vec3 ogre_hip{0.23, 0.82, 0}, ogre_knee{0.28, 0.47, 0.06}, ogre_ankle{0.29, 0.14, 0};

Mesh ogre_mesh(const Detail& detail) {
  Sculpture ogre("ogre", ogre_hide);
  // The trunk, broad above and round below.
  ogre.add({0, 1.00, 0}, {0, 1.36, -0.02}, 0.40, 0.36, 0);
  ogre.add({0, 1.02, 0.15}, {0, 1.14, 0.16}, 0.37, 0.36, 0.12);
  ogre.add_pair({0.16, 1.44, 0.10}, {0.24, 1.46, 0.09}, 0.22, 0.20, 0.08);
  ogre.add_pair({0.16, 1.56, -0.12}, {0.34, 1.56, -0.08}, 0.22, 0.20, 0.10);
  ogre.add_pair({0.44, 1.56, -0.02}, {0.50, 1.48, -0.02}, 0.20, 0.18, 0.08);
  // Arms: thicker below than above.
  ogre.add_pair(ogre_shoulder, ogre_elbow, 0.165, 0.125, 0.06);
  ogre.add_pair({0.58, 1.38, 0.03}, {0.64, 1.30, 0.03}, 0.12, 0.10, 0.05);
  ogre.add_pair(ogre_elbow, ogre_wrist, 0.125, 0.115, 0.04);
  ogre.add_pair({0.76, 1.08, 0.0}, {0.82, 0.94, 0.04}, 0.135, 0.12, 0.05);
  ogre.add_pair({0.89, 0.78, 0.11}, {0.92, 0.66, 0.15}, 0.125, 0.135, 0.04);
  for (int i = 0; i < 4; ++i) {
    const double along = -0.085 + 0.058 * i;
    const Vec3 knuckle{0.945 - 0.15 * along, 0.595, 0.16 + along};
    ogre.add_pair(knuckle + Vec3{0.02, 0.05, 0}, knuckle, 0.046, 0.044, 0.012, {0, 0, 1}, 1, 0.6);
    ogre.add_pair(knuckle, knuckle + Vec3{-0.10, -0.035, 0.01}, 0.044, 0.036, 0.01, {0, 0, 1}, 1,
                  0.6);
  }
  ogre.add_pair({0.87, 0.70, 0.25}, {0.84, 0.60, 0.29}, 0.050, 0.036, 0.02, {0, 0, 1}, 1, 0.6);
  // Short legs.
  ogre.add_pair(ogre_hip, ogre_knee, 0.235, 0.165, 0.10);
  ogre.add_pair(ogre_knee, ogre_ankle, 0.155, 0.115, 0.04);
  ogre.add_pair({0.285, 0.34, -0.03}, {0.29, 0.24, -0.03}, 0.125, 0.11, 0.04);
  ogre.add_pair({0.29, 0.09, -0.05}, {0.31, 0.075, 0.20}, 0.105, 0.105, 0.05, {0, 1, 0}, 0.75);
  for (int i = 0; i < 3; ++i) {
    const double x = 0.24 + 0.075 * i;
    ogre.add_pair({x, 0.065, 0.22}, {x + 0.01, 0.050, 0.31}, 0.052, 0.046, 0.012, {0, 1, 0}, 0.9,
                  0.6);
  }
  // The head, sunk between the shoulders: skull, brow, snout, jaw.
  ogre.add({0, 1.74, 0.10}, {0, 1.84, 0.13}, 0.185, 0.165, 0.05, {0, 0, 1}, 1, 0.7);
  ogre.add({0, 1.70, 0.20}, {0, 1.66, 0.25}, 0.155, 0.140, 0.04, {0, 0, 1}, 1, 0.7);
  ogre.add_pair({0.03, 1.865, 0.27}, {0.11, 1.855, 0.235}, 0.050, 0.045, 0.03, {0, 0, 1}, 1, 0.6);
  ogre.add({0, 1.80, 0.29}, {0, 1.755, 0.345}, 0.045, 0.060, 0.025, {0, 0, 1}, 1, 0.6);
  ogre.add_pair({0.17, 1.80, 0.10}, {0.30, 1.87, 0.05}, 0.055, 0.018, 0.02, {0, 0, 1}, 0.6, 0.6);
  ogre.color = ogre_lip;
  ogre.add({-0.075, 1.655, 0.365}, {0.075, 1.655, 0.365}, 0.026, 0.026, 0.01, {0, 1, 0}, 0.8, 0.5);
  ogre.color = ogre_tusk;
  ogre.add_pair({0.075, 1.645, 0.375}, {0.088, 1.735, 0.395}, 0.024, 0.008, 0.004, {0, 0, 1}, 1,
                0.35);
  ogre.color = ogre_eye;
  ogre.add_pair({0.072, 1.818, 0.285}, {0.072, 1.818, 0.286}, 0.026, 0.026, 0.003, {0, 0, 1}, 1,
                0.35);
  ogre.color = ogre_cloth;
  ogre.add({0, 0.84, 0.03}, {0, 0.80, 0.03}, 0.40, 0.37, 0.02, {0, 0, 1}, 0.95);
  return ogre.mesh(detail.vertices(16000));
}

}  // namespace

Rig make_ogre(const Detail& detail) {
  Rig rig;
  rig.name = "ogre";
  rig.mesh = ogre_mesh(detail);
  std::vector<BonePlan> plans{{"back", "", ogre_hips, ogre_chest},
                              {"chest", "back", ogre_chest, ogre_neck},
                              {"head", "chest", ogre_neck, ogre_brow}};
  for (const bool left : {true, false}) {
    const auto on_side = [&](const Vec3& p) { return left ? p : Vec3{-p.x, p.y, p.z}; };
    const std::string side = left ? ".L" : ".R";
    plans.push_back({"upper_arm" + side, "chest", on_side(ogre_shoulder), on_side(ogre_elbow)});
    plans.push_back(
        {"forearm" + side, "upper_arm" + side, on_side(ogre_elbow), on_side(ogre_wrist)});
    plans.push_back({"thigh" + side, "back", on_side(ogre_hip), on_side(ogre_knee)});
    plans.push_back({"shin" + side, "thigh" + side, on_side(ogre_knee), on_side(ogre_ankle)});
  }
  rig.skeleton = make_skeleton(plans);
  return rig;
}

}  // namespace sinew::gallery
