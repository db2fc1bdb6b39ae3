// SPDX-License-Identifier: Apache-2.0
// No false alarms, and no bleeding missed.
#include "sinew/weights/bleeding.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/io/io.h"
#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/weld.h"
#include "sinew/samples/samples.h"
#include "sinew/skeleton/limbs.h"
#include "sinew/weights/compare.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/detail/bone_ways.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/rigid.h"
#include "tests/support/assets.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/sanitized.h"
#include "tests/support/u_shape.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

Weights weighed_by(const char* name, const Mesh& mesh, const Skeleton& skeleton) {
  WeightMethod method = weight_method_from_name(name);
  if (auto* bbw = std::get_if<BbwOptions>(&method)) bbw->lattice_nodes = 400;
  return compute_weights(mesh, skeleton, method, std::nullopt).skin.weights;
}

void expect_no_alarm(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights,
                     const std::string& name) {
  const Bleeding bleeding = find_bleeding(mesh, skeleton, weights);
  const std::vector<Index>& found = bleeding.vertices;
  EXPECT_TRUE(found.empty()) << name << ": " << found.size() << ", such as vertex "
                             << found.front();
  EXPECT_TRUE(bleeding.idle_bones.empty()) << name << ": bone " << bleeding.idle_bones.front();
}

void expect_no_alarm_by_any_method(const Mesh& mesh, const Skeleton& skeleton,
                                   const std::string& name) {
  for (const char* method : {"rigid", "idw", "shepard", "voxel", "heat", "bbw"}) {
    if (sanitized && std::string(method) == "bbw") continue;
    expect_no_alarm(mesh, skeleton, weighed_by(method, mesh, skeleton), name + ", " + method);
  }
}

bool names_a_finger(const std::string& name) {
  for (const char* finger : {"index", "middle", "ring", "pinky", "thumb", "claw"}) {
    if (name.find(finger) != std::string::npos) return true;
  }
  return false;
}

const std::string& joint_of(const Rig& rig, std::size_t bone) {
  return rig.skeleton.joints[rig.skeleton.bones[bone].joint].name;
}

// Without the bones of fingers; hands have what these had.
Rig without_finger_bones(const Rig& rig) {
  Rig result = rig;
  result.skeleton.bones.clear();
  std::vector<int> now(rig.skeleton.bones.size(), -1);
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    if (names_a_finger(joint_of(rig, b))) continue;
    now[b] = static_cast<int>(result.skeleton.bones.size());
    result.skeleton.bones.push_back(rig.skeleton.bones[b]);
  }
  const auto bone_named = [&](const std::string& name) {
    for (std::size_t b = 0; b < result.skeleton.bones.size(); ++b) {
      if (joint_of(result, b) == name) return static_cast<int>(b);
    }
    return -1;
  };
  const int left = bone_named("hand.L"), right = bone_named("hand.R");
  result.skin.weights = {};
  std::vector<double> sums;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    sums.assign(result.skeleton.bones.size(), 0.0);
    for (const Influence& i : rig.skin.weights.row(v)) {
      const std::size_t b = i.bone;
      const int hand = joint_of(rig, b).find(".L") != std::string::npos ? left : right;
      sums[now[b] >= 0 ? now[b] : hand] += i.weight;
    }
    std::vector<Influence> row;
    for (std::size_t b = 0; b < sums.size(); ++b) {
      if (sums[b] > 0) row.push_back({static_cast<int>(b), sums[b]});
    }
    result.skin.weights.push_row(row);
  }
  return result;
}

TEST(Bleeding, broken_meshes_raise_no_alarm) {
  for (const Torture& t : torture_set()) {
    if (!is_limb_again(t)) expect_no_alarm_by_any_method(t.mesh, t.skeleton, t.name);
  }
}

TEST(Bleeding, samples_raise_no_alarm_by_any_method) {
  for (const char* name : {"mannequin", "beast", "giraffe"}) {
    const Rig rig = make_sample(name, sanitized ? 500 : 2000);
    expect_no_alarm(rig.mesh, rig.skeleton, rig.skin.weights, name);
    expect_no_alarm_by_any_method(rig.mesh, rig.skeleton, name);
  }
}

// Fingertips see no bone, and other limbs are nearer through the air than the hand's.
TEST(Bleeding, fingers_without_bones_belong_to_the_hand) {
  for (const char* name : {"mannequin", "beast"}) {
    const Rig rig = without_finger_bones(make_sample(name, sanitized ? 1000 : 5000));
    expect_no_alarm(rig.mesh, rig.skeleton, rig.skin.weights, name);
    if (!sanitized) expect_no_alarm_by_any_method(rig.mesh, rig.skeleton, name);
  }
}

// A hand at a thigh, whose long fingers have no bones of their own: the thigh's bone is nearer to
// the tips than the hand's, and neither is in sight.
TEST(Bleeding, fingertips_beside_a_thigh_are_on_the_hands_bone_or_bleed) {
  // The wide prong is the leg, the base the trunk, the thin prong an arm that ends in a finger
  // bent towards the leg.
  Surface s = moved(u_card(0.3, true), 1, {0, 0, 0.15});
  std::vector<bool> on_arm;
  for (Vec3& p : s.positions) {
    on_arm.push_back(p.x > 1.1);
    if (p.x > 1.1 && p.y > 1.5) p.x += 0.15 * std::sin((p.y - 1.5) * 2.1) - 0.1 * (p.y - 1.5);
  }
  Skeleton skeleton = loose_bones({{0.5, 0.6, 0}, {0.5, 2.8, 0}, {1.35, 0.5, 0}, {1.35, 1.4, 0}});
  Torture t = torture("arm and leg", s, skeleton);
  Weights right, wrong;
  std::vector<Index> tips;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const Vec3& p = t.mesh.positions[v];
    const bool arm = on_arm[v], tip = arm && p.y > 2.2;
    right.push_row(std::vector<Influence>{{arm ? 1 : 0, 1.0}});
    wrong.push_row(std::vector<Influence>{{arm && !tip ? 1 : 0, 1.0}});
    if (tip) tips.push_back(static_cast<Index>(v));
  }
  ASSERT_GT(tips.size(), 100u);
  expect_no_alarm(t.mesh, t.skeleton, right, "right");
  const Bleeding found = find_bleeding(t.mesh, t.skeleton, wrong);
  EXPECT_EQ(found.vertices, tips);
  EXPECT_EQ(found.bones, std::vector<BoneIndex>(tips.size(), BoneIndex(0)));
}

TEST(Bleeding, models_by_artists_raise_no_alarm) {
  for (const char* name :
       {"CesiumMan.glb", "Fox.glb", "RiggedFigure.glb", "RiggedSimple.glb", "SimpleSkin.gltf"}) {
    SINEW_ASSET_OR_SKIP(path, name);
    const Rig rig = read_rig(path);
    expect_no_alarm(rig.mesh, rig.skeleton, rig.skin.weights, name);
    if (!sanitized) expect_no_alarm_by_any_method(rig.mesh, rig.skeleton, name);
  }
}

// Ties all that `from` has most of to `to` alone; the vertices.
std::vector<Index> tie(Rig& rig, const std::string& from, const std::string& to) {
  int target = -1;
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    if (joint_of(rig, b) == to) target = static_cast<int>(b);
  }
  Weights weights;
  std::vector<Index> tied;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const std::size_t bone = dominant_bone(rig.skin.weights.row(v));
    if (joint_of(rig, bone).rfind(from, 0) != 0) {
      weights.push_row(rig.skin.weights.row(v));
      continue;
    }
    weights.push_row(std::vector<Influence>{{target, 1.0}});
    tied.push_back(static_cast<Index>(v));
  }
  rig.skin.weights = weights;
  return tied;
}

// Ties each of `from` to each of `to` and expects all of that to be found, and nothing else.
void expect_ties_found(const Rig& model, const std::string& name,
                       const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::size_t found = 0, made = 0;
  for (const std::string& part : from) {
    for (const std::string& bone : to) {
      Rig rig = model;
      const std::vector<Index> tied = tie(rig, part, bone);
      ASSERT_FALSE(tied.empty()) << part;
      const std::vector<Index> alarms =
          find_bleeding(rig.mesh, rig.skeleton, rig.skin.weights).vertices;
      EXPECT_EQ(alarms, tied) << name << ": " << part << " to " << bone;
      made += tied.size();
      found += alarms.size();
    }
  }
  std::printf("%s: %zu of %zu vertices tied by hand found\n", name.c_str(), found, made);
}

struct Tie {
  std::string from, to;
};

// Ties within a limb, where skin goes over into the skin of the bone it is tied to. Expects what
// had less than a twentieth of that bone before to be found, and nothing that was not tied.
void expect_ties_within_limb_found(const Rig& model, const std::string& name,
                                   const std::vector<Tie>& ties) {
  std::size_t found = 0, made = 0;
  for (const auto& [from, to] : ties) {
    Rig rig = model;
    const std::vector<Index> tied = tie(rig, from, to);
    ASSERT_FALSE(tied.empty()) << from;
    std::vector<Index> wrong;
    for (const Index v : tied) {
      double before = 0;
      for (const Influence& i : model.skin.weights.row(v)) {
        if (joint_of(model, i.bone) == to) before += i.weight;
      }
      if (before < 0.05) wrong.push_back(v);
    }
    EXPECT_GT(wrong.size(), tied.size() / 4) << name << ": " << from;
    const Bleeding alarms = find_bleeding(rig.mesh, rig.skeleton, rig.skin.weights);
    const auto& vertices = alarms.vertices;
    EXPECT_TRUE(std::includes(vertices.begin(), vertices.end(), wrong.begin(), wrong.end()))
        << name << ": " << from << " to " << to << ", " << vertices.size() << " of " << tied.size();
    EXPECT_TRUE(std::includes(tied.begin(), tied.end(), vertices.begin(), vertices.end()))
        << name << ": " << from << " to " << to << ", " << vertices.size() << " of " << tied.size();
    for (const BoneIndex bone : alarms.bones) EXPECT_EQ(joint_of(rig, bone), to);
    made += tied.size();
    found += vertices.size();
  }
  std::printf("%s: %zu of %zu vertices tied within their limb found\n", name.c_str(), found, made);
}

TEST(Bleeding, a_lower_leg_that_follows_its_own_thigh_is_found) {
  expect_ties_within_limb_found(make_sample("mannequin", 3000), "mannequin",
                                {{"shin.L", "thigh.L"},
                                 {"foot.L", "thigh.L"},
                                 {"toes.L", "thigh.L"},
                                 {"toes.L", "shin.L"},
                                 {"hand.L", "forearm.L"},
                                 {"index_3.L", "index_1.L"}});
  expect_ties_within_limb_found(
      make_sample("beast", 3000), "beast",
      {{"shin.L", "thigh.L"}, {"foot.L", "thigh.L"}, {"toes.L", "thigh.L"}, {"tail_6", "tail_3"}});
}

TEST(Bleeding, a_lower_leg_that_follows_its_own_thigh_is_found_on_models_by_artists) {
  SINEW_ASSET_OR_SKIP(man, "CesiumMan.glb");
  SINEW_ASSET_OR_SKIP(fox, "Fox.glb");
  expect_ties_within_limb_found(read_rig(man), "CesiumMan",
                                {{"leg_joint_L_2", "leg_joint_L_1"},
                                 {"leg_joint_L_3", "leg_joint_L_1"},
                                 {"leg_joint_L_5", "leg_joint_L_1"},
                                 {"leg_joint_L_5", "leg_joint_L_2"}});
  expect_ties_within_limb_found(read_rig(fox), "Fox",
                                {{"b_LeftLeg02_016", "b_LeftLeg01_015"},
                                 {"b_LeftFoot01_017", "b_LeftLeg01_015"},
                                 {"b_LeftFoot02_018", "b_LeftLeg01_015"},
                                 {"b_LeftFoot02_018", "b_LeftLeg02_016"},
                                 {"b_RightHand_08", "b_RightUpperArm_06"}});
}

// Where a part is thick compared with its bone, the next bone is hardly farther away.
TEST(Bleeding, skin_of_a_big_part_that_follows_the_next_bone_is_found) {
  // A head on a neck, of which a band follows the neck.
  const Torture t =
      torture("head", cylinder(3, 1, 31), chain({{0, 0.2, 0}, {0, 1.2, 0}, {0, 2.2, 0}}));
  Weights weights;
  std::vector<Index> tied;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const double y = t.mesh.positions[v].y;
    const bool is_band = y > 2.25 && y < 2.75;
    weights.push_row(std::vector<Influence>{{y < 1.2 || is_band ? 0 : 1, 1.0}});
    if (is_band) tied.push_back(static_cast<Index>(v));
  }
  EXPECT_EQ(find_bleeding(t.mesh, t.skeleton, weights).vertices, tied);
  expect_no_alarm(t.mesh, t.skeleton, rigid_weights(t.mesh.positions, t.skeleton), "right");

  SINEW_ASSET_OR_SKIP(man, "CesiumMan.glb");
  Rig cesium = read_rig(man);
  const std::vector<Index> head = tie(cesium, "Skeleton_neck_joint_2", "Skeleton_neck_joint_1");
  const std::vector<Index> found =
      find_bleeding(cesium.mesh, cesium.skeleton, cesium.skin.weights).vertices;
  EXPECT_GT(found.size(), 3 * head.size() / 4);
  EXPECT_TRUE(std::includes(head.begin(), head.end(), found.begin(), found.end()));
}

// A bone without skin lies between bones that have some, or it is not used at all.
TEST(Bleeding, a_bone_without_skin_is_judged_by_what_follows_it) {
  const Torture t =
      torture("limb", cylinder(4, 0.2, 41), chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 4, 0}}));
  Weights used, unused;
  std::vector<Index> tied;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const double y = t.mesh.positions[v].y;
    used.push_row(std::vector<Influence>{{y < 2 ? 0 : 2, 1.0}});
    unused.push_row(std::vector<Influence>{{y < 1 ? 0 : 1, 1.0}});
    if (y > 1.05 && y < 2) tied.push_back(static_cast<Index>(v));
  }
  EXPECT_EQ(find_bleeding(t.mesh, t.skeleton, used).vertices, tied);
  EXPECT_TRUE(find_bleeding(t.mesh, t.skeleton, unused).vertices.empty());
}

TEST(Bleeding, what_lies_beside_a_part_tied_elsewhere_raises_no_alarm) {
  expect_ties_found(make_sample("mannequin", 1500), "coarse mannequin",
                    {"index_2.L", "index_3.L", "thumb_2.L"}, {"hips", "chest", "thigh.L"});
}

TEST(Bleeding, parts_of_limbs_tied_elsewhere_are_found_and_nothing_else) {
  const std::vector<std::string> trunk{"hips", "spine", "chest", "head"};
  constexpr std::size_t size = 3000;
  const Rig mannequin = make_sample("mannequin", size), beast = make_sample("beast", size);
  expect_ties_found(mannequin, "mannequin",
                    {"index_2.L", "hand.L", "forearm.L", "shin.L", "foot.L"}, trunk);
  expect_ties_found(beast, "beast", {"claw_a_2.L", "hand.L", "forearm.L", "shin.L", "foot.L"},
                    trunk);
  for (const Rig& rig : {mannequin, beast}) {
    expect_ties_found(rig, "to thighs", {"hand.L", "forearm.L", "foot.L"}, {"thigh.L", "thigh.R"});
    expect_ties_found(rig, "to the other leg", {"shin.L"}, {"shin.R", "thigh.R", "forearm.L"});
  }
  expect_ties_found(mannequin, "to the other hand", {"index_2.L"}, {"middle_2.R"});
  Rig boneless = without_finger_bones(mannequin);
  const std::vector<Index> hand = tie(boneless, "hand.R", "thigh.R");
  EXPECT_EQ(find_bleeding(boneless.mesh, boneless.skeleton, boneless.skin.weights).vertices, hand);
}

TEST(Bleeding, parts_of_limbs_tied_elsewhere_are_found_on_models_by_artists) {
  SINEW_ASSET_OR_SKIP(man, "CesiumMan.glb");
  SINEW_ASSET_OR_SKIP(fox, "Fox.glb");
  const std::vector<std::string> mans_trunk{"Skeleton_torso_joint_1", "Skeleton_torso_joint_2",
                                            "torso_joint_3", "Skeleton_neck_joint_2"};
  const Rig cesium = read_rig(man);
  expect_ties_found(cesium, "CesiumMan",
                    {"Skeleton_arm_joint_L__2_", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5"},
                    mans_trunk);
  expect_ties_found(cesium, "CesiumMan, to thighs",
                    {"Skeleton_arm_joint_L__2_", "leg_joint_L_3", "leg_joint_L_5"},
                    {"leg_joint_L_1", "leg_joint_R_1"});
  expect_ties_found(read_rig(fox), "Fox",
                    {"b_RightForeArm_07", "b_RightHand_08", "b_LeftFoot01_017", "b_LeftFoot02_018",
                     "b_Tail03_014"},
                    {"b_LeftLeg01_015", "b_RightLeg01_019", "b_Hip_01", "b_Spine01_02",
                     "b_Spine02_03", "b_Head_05"});
}

TEST(Bleeding, ways_of_some_vertices_are_those_found_for_all) {
  for (const char* name : {"mannequin", "beast", "arm"}) {
    const Rig rig = make_sample(name, 3000);
    const detail::BoneWays ways(rig.mesh, rig.skeleton);
    const Limbs limbs = find_limbs(rig.skeleton);
    std::size_t around = 0;
    for (int limb = 0; limb < limbs.count; ++limb) {
      std::vector<char> wanted(rig.skeleton.bones.size(), 0);
      for (std::size_t b = 0; b < wanted.size(); ++b) wanted[b] = limbs.of_bone[b] == limb ? 1 : 0;
      const std::vector<double> all = ways.ways(wanted);
      for (std::size_t first = 0; first < all.size(); first += all.size() / 8) {
        std::vector<Index> some;
        for (std::size_t v = first; v < std::min(first + 20, all.size()); ++v) {
          some.push_back(static_cast<Index>(v));
        }
        const std::vector<double> found = ways.ways(wanted, some);
        ASSERT_EQ(found.size(), some.size());
        for (std::size_t i = 0; i < some.size(); ++i) {
          ASSERT_LE(std::abs(found[i] - all[some[i]]), 1e-11 * all[some[i]])
              << name << ", limb " << limb << ", vertex " << some[i];
          if (all[some[i]] > 1.01 * ways.straight(some[i], wanted)) ++around;
        }
      }
    }
    EXPECT_GT(around, 100u) << name;  // most paths bend
  }
}

// How far each vertex is, along edges, from where a bone is the nearest, in lengths of the path to
// the nearest bone (its depth). A row of numbers per bone.
struct Depths {
  std::vector<double> depth;
  std::vector<int> nearest;
  std::vector<std::vector<double>> beyond;
};

Depths measure_depths(const Mesh& mesh, const Skeleton& skeleton, const std::vector<char>& used) {
  const detail::BoneWays ways(mesh, skeleton);
  const auto& places = ways.welded().positions;
  const std::size_t n = places.size(), bones = skeleton.bones.size();
  std::vector<std::vector<double>> to_bone;
  for (std::size_t b = 0; b < bones; ++b) {
    std::vector<char> wanted(bones, 0);
    wanted[b] = 1;
    to_bone.push_back(ways.ways(wanted));
  }
  std::vector<int> nearest(n, 0);
  std::vector<double> depth(n, std::numeric_limits<double>::infinity());
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t b = 0; b < bones; ++b) {
      if (used[b] == 0 || to_bone[b][v] >= depth[v]) continue;
      depth[v] = to_bone[b][v];
      nearest[v] = static_cast<int>(b);
    }
  }
  std::vector<std::vector<double>> beyond;
  for (std::size_t b = 0; b < bones; ++b) {
    std::vector<double> lengths(n, std::numeric_limits<double>::infinity());
    const auto excess = [&](std::size_t v) { return to_bone[b][v] - 1.05 * depth[v]; };
    for (std::size_t v = 0; v < n; ++v) {
      if (excess(v) > 0) continue;
      lengths[v] = 0;
      for (const Index next : ways.neighbors()[v]) {
        const double there = excess(next);
        if (there <= 0) continue;
        const double part = there / (there - excess(v));
        lengths[next] = std::min(lengths[next], part * distance(places[v], places[next]));
      }
    }
    beyond.push_back(ways.spread(std::move(lengths)));
    for (std::size_t v = 0; v < n; ++v) beyond[b][v] /= depth[v];
  }
  Depths result;
  result.beyond.resize(bones);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Index welded = ways.welded().representative_of[v];
    result.depth.push_back(depth[welded]);
    result.nearest.push_back(nearest[welded]);
    for (std::size_t b = 0; b < bones; ++b) result.beyond[b].push_back(beyond[b][welded]);
  }
  return result;
}

int parent_bone(const Skeleton& skeleton, int bone) {
  for (int joint = skeleton.joints[skeleton.bones[bone].joint].parent; joint != no_joint;
       joint = skeleton.joints[joint].parent) {
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      if (skeleton.bones[b].joint == joint) return static_cast<int>(b);
    }
  }
  return -1;
}

// Ties the skin of every bone to every other bone of its limb and of limbs next to it. A tied
// vertex bleeds in truth if
// - no correct skin has it like that: neither the rig's own weights nor bone heat, bounded
//   biharmonic or geodesic voxel weights give that bone a twentieth of it;
// - it is well out of the bone's reach: more than 1.75 depths beyond where that bone is the
//   nearest, and, if its nearest bone is the first of a limb that branches from that bone, more
//   than a third of the nearest bone's length from where it begins;
// - its bone keeps some skin. Otherwise the bone is to be named.
// Alarms beside the tied ones have to belong to a patch of them that follows the same bone.
void expect_all_real_ties_found(const Rig& model, const std::string& name) {
  const Skeleton& skeleton = model.skeleton;
  const std::size_t bones = skeleton.bones.size(), vertices = model.mesh.vertex_count();
  const Weights& own = model.skin.weights;
  std::vector<Weights> skins{own};
  for (const char* method : {"heat", "bbw", "voxel"}) {
    skins.push_back(weighed_by(method, model.mesh, skeleton));
  }
  std::vector<char> used(bones, 0);
  for (const Influence& i : own.influences) {
    if (i.weight >= 0.05) used[i.bone] = 1;
  }
  const Depths depths = measure_depths(model.mesh, skeleton, used);
  const Limbs limbs = find_limbs(skeleton);
  const Welded welded = weld(model.mesh.positions, model.mesh.triangles);
  const Adjacency neighbors = vertex_neighbors(welded.positions.size(), welded.triangles, {});
  std::size_t ties = 0, tied = 0, real = 0, found = 0, missed = 0, beside = 0, emptied = 0;
  for (std::size_t from = 0; from < bones; ++from) {
    for (std::size_t to = 0; to < bones; ++to) {
      if (from == to || used[to] == 0) continue;
      if (!limbs.connected(limbs.of_bone[from], limbs.of_bone[to])) continue;
      const int target = static_cast<int>(to);
      Weights weights;
      std::vector<char> is_tied(vertices, 0);
      bool keeps_skin = false;
      for (std::size_t v = 0; v < vertices; ++v) {
        is_tied[v] = dominant_bone(own.row(v)) == int(from) ? 1 : 0;
        if (is_tied[v] != 0) {
          weights.push_row(std::vector<Influence>{{target, 1.0}});
        } else {
          weights.push_row(own.row(v));
          if (weight_of(own, v, int(from)) >= 0.05) keeps_skin = true;
        }
      }
      const auto count = std::count(is_tied.begin(), is_tied.end(), 1);
      if (count == 0) continue;
      const Bleeding alarms = find_bleeding(model.mesh, skeleton, weights);
      ++ties;
      const std::string place = name + ": " + joint_of(model, from) + " to " + joint_of(model, to);
      const bool is_idle =
          std::count(alarms.idle_bones.begin(), alarms.idle_bones.end(), BoneIndex(int(from))) > 0;
      EXPECT_EQ(alarms.idle_bones.size(), is_idle ? 1u : 0u) << place;
      if (!keeps_skin) {
        ++emptied;
        EXPECT_TRUE(is_idle) << place;
        continue;
      }
      tied += count;
      std::vector<char> is_found(vertices, 0), is_found_welded(vertices, 0);
      for (const Index v : alarms.vertices) {
        is_found[v] = 1;
        is_found_welded[welded.representative_of[v]] = 1;
      }
      for (std::size_t v = 0; v < vertices; ++v) {
        if (is_found[v] != 0) ++found;
        if (is_tied[v] == 0) continue;
        const bool is_right = std::any_of(skins.begin(), skins.end(), [&](const Weights& skin) {
          return weight_of(skin, v, target) >= 0.05;
        });
        const int nearest = depths.nearest[v];
        const Bone& bone = skeleton.bones[nearest];
        const bool meets =
            parent_bone(skeleton, nearest) == target &&
            limbs.of_bone[nearest] != limbs.of_bone[to] &&
            distance(model.mesh.positions[v], bone.head) <= distance(bone.head, bone.tail) / 3;
        if (is_right || meets || depths.beyond[to][v] <= 1.75) continue;
        ++real;
        if (is_found[v] != 0) continue;
        ++missed;
        EXPECT_TRUE(is_idle) << place << ", vertex " << v << ", " << depths.beyond[to][v];
      }
      for (std::size_t i = 0; i < alarms.vertices.size(); ++i) {
        const Index v = alarms.vertices[i];
        if (is_tied[v] != 0) continue;
        ++beside;
        const auto& around = neighbors[welded.representative_of[v]];
        EXPECT_EQ(int(alarms.bones[i]), target) << place << ", vertex " << v;
        EXPECT_TRUE(std::any_of(around.begin(), around.end(),
                                [&](Index next) { return is_found_welded[next] != 0; }))
            << place << ", vertex " << v;
      }
    }
  }
  std::printf(
      "%s: %zu ties, %zu of them empty a bone; of %zu vertices tied, %zu are real, %zu of "
      "these missed; %zu alarms, %zu beside the tied\n",
      name.c_str(), ties, emptied, tied, real, missed, found, beside);
}

TEST(Bleeding, every_real_tie_within_limbs_and_between_them_is_found) {
  for (const char* file : {"Fox.glb", "RiggedFigure.glb", "RiggedSimple.glb", "SimpleSkin.gltf"}) {
    SINEW_ASSET_OR_SKIP(path, file);
    expect_all_real_ties_found(read_rig(path), file);
  }
}

TEST(Bleeding, every_real_tie_is_found_on_large_models) {
  if (sanitized) GTEST_SKIP() << "it is about numbers; smaller ones look at the memory";
  for (const char* name : {"mannequin", "giraffe", "beast"}) {
    expect_all_real_ties_found(make_sample(name, 3000), name);
  }
  SINEW_ASSET_OR_SKIP(man, "CesiumMan.glb");
  expect_all_real_ties_found(read_rig(man), "CesiumMan");
}

// A rig need not use a bone, but is told so.
TEST(Bleeding, a_bone_that_lost_its_skin_is_named) {
  const Torture t =
      torture("limb", cylinder(4, 0.2, 41), chain({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 4, 0}}));
  Weights all, last_is_idle, first_is_idle;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const double y = t.mesh.positions[v].y;
    all.push_row(std::vector<Influence>{{y < 1 ? 0 : y < 2 ? 1 : 2, 1.0}});
    last_is_idle.push_row(std::vector<Influence>{{y < 1 ? 0 : 1, 1.0}});
    first_is_idle.push_row(std::vector<Influence>{{y < 2 ? 1 : 2, 1.0}});
  }
  const auto idle = [&](const Weights& weights) {
    return find_bleeding(t.mesh, t.skeleton, weights).idle_bones;
  };
  EXPECT_TRUE(idle(all).empty());
  EXPECT_EQ(idle(last_is_idle), std::vector<BoneIndex>{2});
  // A root without skin carries the rig.
  EXPECT_TRUE(idle(first_is_idle).empty());
}

// A machine of rigid pieces, as many robots are: each follows one bone, wherever bones run.
TEST(Bleeding, loose_pieces_that_follow_one_bone_raise_no_alarm) {
  // The one in the middle has a bone inside and follows that of the piece above.
  Surface s = cylinder(2, 0.2);
  const std::size_t middle = s.positions.size();
  append(s, moved(cylinder(0.4, 0.3), 1, {0, 2.2, 0}));
  append(s, moved(cylinder(1, 0.2), 1, {0, 2.8, 0}));
  const Torture t = torture(
      "machine", s,
      loose_bones({{0, 0.1, 0}, {0, 1.9, 0}, {0, 2.9, 0}, {0, 3.7, 0}, {0, 2.3, 0}, {0, 2.5, 0}}));
  Weights weights;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    weights.push_row(std::vector<Influence>{{v < middle ? 0 : 1, 1.0}});
  }
  expect_no_alarm(t.mesh, t.skeleton, weights, "machine");
}

// An arm that hangs beside the trunk it branches from: next to it, but across a gap.
TEST(Bleeding, the_limb_next_to_it_is_foreign_across_a_gap) {
  for (const bool flat : {true, false}) {
    const Surface shape = flat ? u_shape() : moved(u_card(0.3, true), 1, {0, 0, 0.15});
    const std::vector<Vec3> points = {{0.5, 0.3, 0},  {0.5, 2.8, 0},  {1.35, 0.3, 0},
                                      {1.35, 2.8, 0}, {0.15, 0.1, 0}, {0.85, 0.1, 0}};
    Skeleton skeleton =
        skeleton_from_segments(points, std::vector<std::array<int, 2>>{{0, 1}, {2, 3}, {4, 5}});
    skeleton.joints[2].parent = 0;
    skeleton.joints[4].parent = 0;
    const Torture t = torture("arm", shape, skeleton);
    for (const int wrong_bone : {0, 1}) {
      Weights weights;
      std::vector<Index> wrong;
      for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
        const Vec3& p = t.mesh.positions[v];
        const bool arm = p.x > 1.1;
        // Where the arm's root is far: of the wide trunk its inner side alone.
        const bool tied = p.y > 2.2 && (wrong_bone == 0 ? arm : p.x > 0.9 && !arm);
        weights.push_row(std::vector<Influence>{{arm != tied ? 1 : 0, 1.0}});
        if (tied) wrong.push_back(static_cast<Index>(v));
      }
      EXPECT_EQ(find_bleeding(t.mesh, t.skeleton, weights).vertices, wrong)
          << flat << ", " << wrong_bone;
    }
  }
}

TEST(Bleeding, what_is_tied_across_a_gap_of_a_flat_shape_is_found) {
  for (const Quat& plane : planes()) {
    for (const Surface& shape : {u_shape(), u_card(0.002, true), u_card(0.002, false)}) {
      const Torture t = turned(torture("U", shape, u_bones()), plane);
      const Weights nearest = rigid_weights(t.mesh.positions, t.skeleton);
      std::vector<Index> wrong;
      for (std::size_t v = 0; v < shape.positions.size(); ++v) {
        const Vec3& p = shape.positions[v];
        if (p.x < 1.1 && p.y > 1.2 && weight_of(nearest, v, 1) == 1) {
          wrong.push_back(static_cast<Index>(v));
        }
      }
      ASSERT_GT(wrong.size(), 50u);
      const std::vector<Index> found = find_bleeding(t.mesh, t.skeleton, nearest).vertices;
      EXPECT_TRUE(std::includes(found.begin(), found.end(), wrong.begin(), wrong.end()));
      for (const Index v : found) {
        EXPECT_TRUE(shape.positions[v].x < 1.1 && weight_of(nearest, v, 1) == 1);
      }
      const Weights heat = heat_weights(t.mesh, t.skeleton).weights;
      EXPECT_TRUE(find_bleeding(t.mesh, t.skeleton, heat).vertices.empty());
    }
  }
}

// The way around the gap is hardly longer than that to the prong's own bone, and yet it is one.
TEST(Bleeding, a_thick_part_bleeds_across_a_gap_as_well) {
  Surface shape = u_shape();
  Skeleton skeleton = u_bones();
  const auto widen = [](Vec3& p) { p.x = p.x > 1.001 ? p.x : 1 - 3 * (1 - p.x); };
  for (Vec3& p : shape.positions) widen(p);
  widen(skeleton.bones[0].head);
  widen(skeleton.bones[0].tail);
  const Torture t = torture("wide U", shape, skeleton);
  const Weights nearest = rigid_weights(t.mesh.positions, t.skeleton);
  std::vector<Index> wrong;
  for (std::size_t v = 0; v < shape.positions.size(); ++v) {
    const Vec3& p = shape.positions[v];
    if (p.x > 0.7 && p.x < 1.1 && p.y > 2.2) wrong.push_back(static_cast<Index>(v));
  }
  ASSERT_GT(wrong.size(), 30u);
  const std::vector<Index> found = find_bleeding(t.mesh, t.skeleton, nearest).vertices;
  EXPECT_TRUE(std::includes(found.begin(), found.end(), wrong.begin(), wrong.end()));
  const Weights heat = heat_weights(t.mesh, t.skeleton).weights;
  expect_no_alarm(t.mesh, t.skeleton, heat, "heat");
}

TEST(Bleeding, what_hangs_on_one_limb_is_not_judged_by_what_it_passes) {
  // A sword from a hand down to a leg, which sees none of their bones.
  Surface s = moved(cylinder(2, 0.2), 1, {1, 2, 0});
  append(s, moved(cylinder(2, 0.2), 1, {1.5, 0, 0}));
  const std::size_t sword = s.positions.size();
  append(s, moved(cylinder(3.5, 0.02), 1, {1.25, 0.2, 0}));
  const Torture t =
      torture("sword", s, loose_bones({{1, 2.1, 0}, {1, 3.9, 0}, {1.5, 0.1, 0}, {1.5, 1.9, 0}}));
  Weights on_the_hand, on_both;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const double y = t.mesh.positions[v].y;
    const int own = v < sword / 2 || v >= sword ? 0 : 1;
    on_the_hand.push_row(std::vector<Influence>{{own, 1.0}});
    // Its upper end on the leg, the lower one on the hand.
    on_both.push_row(std::vector<Influence>{{v >= sword && y > 3 ? 1 : own, 1.0}});
  }
  expect_no_alarm(t.mesh, t.skeleton, on_the_hand, "sword");
  const std::vector<Index> found = find_bleeding(t.mesh, t.skeleton, on_both).vertices;
  EXPECT_FALSE(found.empty());
  for (const Index v : found) EXPECT_GE(v, sword);
}

TEST(Bleeding, thread_count_changes_nothing) {
  Rig rig = make_sample("mannequin", 2000);
  tie(rig, "forearm.L", "spine");
  set_thread_count(1);
  const Bleeding one = find_bleeding(rig.mesh, rig.skeleton, rig.skin.weights);
  set_thread_count(0);
  const Bleeding all = find_bleeding(rig.mesh, rig.skeleton, rig.skin.weights);
  EXPECT_FALSE(one.vertices.empty());
  EXPECT_EQ(one.vertices, all.vertices);
  EXPECT_EQ(one.bones, all.bones);
}

}  // namespace
}  // namespace sinew
