// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/pack_weights.h"
#include "sinew/io/gltf/write.h"
#include "tests/support/assets.h"
#include "tests/support/paths.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

using gltf::Document;
using gltf::Json;
using WeightFormat = GltfOptions::WeightFormat;

Model new_model(const Rig& rig) { return {rig, nullptr}; }

Model reread(const Model& model, const GltfOptions& options = {}) {
  return parse_gltf(to_glb(model, options));
}

// The same triangles between the same places, with the same shapes; normals as single precision has
// them.
void expect_same_surface(const Mesh& mesh, const Mesh& expected) {
  EXPECT_EQ(mesh.positions, expected.positions);
  EXPECT_EQ(mesh.triangles, expected.triangles);
  EXPECT_EQ(mesh.shapes, expected.shapes);
  ASSERT_EQ(mesh.normals.values.size(), expected.normals.values.size());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_LT(distance(mesh.normals.values[v], expected.normals.values[v]), 1e-6);
  }
}

std::filesystem::path scratch(const std::string& name) {
  const auto folder = binary_folder() / "gltf_write_test";
  std::filesystem::create_directories(folder);
  return folder / name;
}

// What a file adds to a rig made by code: a node for the mesh.
Rig with_mesh_node(Rig rig) {
  Joint frame;
  frame.name = rig.name;
  frame.is_frame = true;
  rig.skeleton.joints.push_back(frame);
  return rig;
}

// A file with much that rigs know nothing of.
Model decorated_model() {
  Document document = gltf::new_document(tube_rig(), {});
  Json& json = document.json;
  json["extensionsUsed"] = {"ACME_anything", "KHR_lights_punctual"};
  json["extensions"] = {{"ACME_anything", {{"depth", {1, 2.5, "three", nullptr}}}}};
  json["extras"]["mine"] = {{"keep", true}};
  json["asset"]["copyright"] = "nobody";
  json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.8}, {"znear", 0.01}}}}};
  json["nodes"][0]["extras"] = "a string";
  json["nodes"][1]["camera"] = 0;
  json["materials"][0]["extensions"] = {{"ACME_anything", {{"gloss", 0.125}}}};
  json["meshes"].push_back(json["meshes"][0]);
  json["meshes"][1]["name"] = "unused";
  json["animations"][0]["extras"]["loop"] = true;
  return parse_gltf(gltf::glb_bytes(std::move(document)));
}

TEST(GltfWrite, a_rig_made_by_code_comes_back_bit_for_bit) {
  const Rig rig = with_mesh_node(tube_rig());
  const Rig back = reread(new_model(tube_rig())).rig;
  EXPECT_EQ(back.mesh, rig.mesh);
  EXPECT_EQ(back.skeleton, rig.skeleton);
  EXPECT_EQ(back.skin.weights, rig.skin.weights);
  EXPECT_EQ(back.skin.endpoints, rig.skin.endpoints);
  EXPECT_EQ(back.skin.twist_endpoints, rig.skin.twist_endpoints);
  EXPECT_EQ(back.skin.filters, rig.skin.filters);
  EXPECT_EQ(back.clips, rig.clips);
  EXPECT_EQ(back.controls, rig.controls);
  EXPECT_EQ(back.drivers, rig.drivers);
  EXPECT_EQ(back, rig);
}

TEST(GltfWrite, a_frame_that_held_the_mesh_holds_it_again) {
  const Rig once = reread(new_model(tube_rig())).rig;
  EXPECT_EQ(reread(new_model(once)).rig, once);
}

TEST(GltfWrite, more_than_four_influences_come_back) {
  const Rig rig = tube_rig({.segments = 11, .influences = 9});
  const Rig back = reread(new_model(rig)).rig;
  EXPECT_EQ(summarize(back.skin.weights).max_influences, 9U);
  EXPECT_EQ(back.skin.weights, rig.skin.weights);
  EXPECT_EQ(back.skin.endpoints, rig.skin.endpoints);
}

TEST(GltfWrite, joints_beyond_the_256th_come_back) {
  const Rig rig = tube_rig({.segments = 300});
  EXPECT_EQ(reread(new_model(rig)).rig.skin.weights, rig.skin.weights);
}

TEST(GltfWrite, joints_beyond_the_65536th_cannot_be_named) {
  const Rig rig = tube_rig({.segments = 2});
  const std::vector<Index> rows = {0};
  const Index bone = rig.skin.weights.row(0)[0].bone;
  std::vector<int> slot_of_bone(rig.skeleton.bones.size(), 0);
  slot_of_bone[bone] = 65535;
  EXPECT_EQ(gltf::pack_weights(rig, rows, slot_of_bone, WeightFormat::float32).joints[0], 65535);
  slot_of_bone[bone] = 65536;
  try {
    gltf::pack_weights(rig, rows, slot_of_bone, WeightFormat::float32);
    FAIL() << "it was packed";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "vertex 0: is moved by joint 65536 of its skin, and glTF can name 65536");
  }
}

TEST(GltfWrite, models_come_back_as_they_were) {
  SINEW_GLTF_ASSETS_OR_SKIP(models);
  for (const auto& path : models) {
    const Model model = read_gltf(path);
    const Model back = reread(model);
    EXPECT_EQ(back.rig, model.rig) << path;
    Json before = model.source->json, after = back.source->json;
    for (Json* json : {&before, &after}) {
      json->erase("buffers");
      for (Json& view : (*json)["bufferViews"]) {
        view.erase("buffer");
        view.erase("byteOffset");
      }
    }
    EXPECT_EQ(after, before) << path;
    EXPECT_EQ(to_glb(back), to_glb(model)) << path;

    const auto text = scratch("model.gltf");
    write_gltf(text, model);
    EXPECT_EQ(read_gltf(text).rig, model.rig) << path;
  }
}

TEST(GltfWrite, what_a_rig_does_not_know_is_kept_through_changes) {
  Model model = decorated_model();
  model.rig.skin.weights = tube_rig({.influences = 3}).skin.weights;
  model.rig.skin.endpoints = tube_rig({.influences = 3}).skin.endpoints;
  model.rig.skin.twist_endpoints = tube_rig({.influences = 3}).skin.twist_endpoints;
  for (Vec3& p : model.rig.mesh.positions) p *= 2;
  std::get<TranslationChannel>(model.rig.clips[0].channels[1]).curve.values[1].x = 4;
  const Model back = reread(model);
  EXPECT_EQ(back.rig, model.rig);

  const Json &before = model.source->json, &after = back.source->json;
  for (const char* key : {"extensionsUsed", "extensions", "extras", "asset", "cameras", "nodes",
                          "materials", "scenes", "skins"}) {
    EXPECT_EQ(after[key], before[key]) << key;
  }
  EXPECT_EQ(after["meshes"][1], before["meshes"][1]);
  EXPECT_EQ(after["animations"][0]["extras"], before["animations"][0]["extras"]);
  EXPECT_NE(after["meshes"][0], before["meshes"][0]);
  // Data that was replaced is followed by the new: old accessors read as before.
  const std::size_t old_size = model.source->json["buffers"][0]["byteLength"];
  EXPECT_EQ(back.source->buffers[0].substr(0, old_size),
            model.source->buffers[0].substr(0, old_size));
}

TEST(GltfWrite, only_what_changed_is_replaced) {
  Model model = decorated_model();
  model.rig.mesh.positions[0].x += 1;  // of the first part alone
  const Json before = model.source->json, after = reread(model).source->json;
  const Json &old_primitives = before["meshes"][0]["primitives"],
             &new_primitives = after["meshes"][0]["primitives"];
  EXPECT_EQ(new_primitives[1], old_primitives[1]);
  EXPECT_NE(new_primitives[0]["attributes"]["POSITION"],
            old_primitives[0]["attributes"]["POSITION"]);
  Json first = new_primitives[0];
  first["attributes"]["POSITION"] = old_primitives[0]["attributes"]["POSITION"];
  EXPECT_EQ(first, old_primitives[0]);
  EXPECT_EQ(after["accessors"].size(), before["accessors"].size() + 1);
  EXPECT_EQ(after["animations"], before["animations"]);
}

TEST(GltfWrite, clips_are_added_changed_and_removed_by_name) {
  Model model = decorated_model();
  Clip nod = model.rig.clips[0];
  nod.name = "nod";
  nod.channels.resize(1);
  model.rig.clips.insert(model.rig.clips.begin(), nod);
  const Model two = reread(model);
  EXPECT_EQ(two.rig, model.rig);
  EXPECT_EQ(two.source->json["animations"][1], model.source->json["animations"][0]);

  Model fewer = two;
  fewer.rig.clips.erase(fewer.rig.clips.begin() + 1);
  EXPECT_EQ(reread(fewer).rig, fewer.rig);
  fewer.rig.clips.clear();
  EXPECT_FALSE(reread(fewer).source->json.contains("animations"));
}

TEST(GltfWrite, shapes_endpoints_filters_controls_and_drivers_are_updated) {
  Model model = decorated_model();
  model.rig.mesh.shapes[1].positions[0].y = 2;
  model.rig.mesh.shapes[0].name = "broad";
  model.rig.mesh.shapes[0].default_weight = 0.75;
  model.rig.controls[1].default_value = 0.5;
  model.rig.drivers.pop_back();
  model.rig.skin.filters[0].twist.points = {{0, 1}};
  model.rig.skeleton.joints[0].twist_shares = TwistShares{1, 0};
  model.rig.skeleton.joints[1].twist_shares = TwistShares{0.25, 0.5};
  model.rig.skin.endpoints[4] = 1;
  EXPECT_EQ(reread(model).rig, model.rig);
  model.rig.skin.endpoints.clear();
  model.rig.skin.twist_endpoints.clear();
  model.rig.skin.filters.clear();
  model.rig.drivers.clear();
  model.rig.clips.clear();
  model.rig.controls.clear();
  EXPECT_EQ(reread(model).rig, model.rig);
}

TEST(GltfWrite, helper_joints_are_appended) {
  Model model = decorated_model();
  Skeleton& skeleton = model.rig.skeleton;
  Joint helper;
  helper.name = "helper";
  helper.parent = 1;
  helper.rest.translation = {0, 1, 0};
  skeleton.joints.push_back(helper);
  Bone bone = skeleton.bones[1];
  bone.joint = static_cast<int>(skeleton.joints.size()) - 1;
  bone.tail_joint = 2;
  bone.inverse_bind.translation.y -= 1;
  bone.head.y += 1;
  skeleton.bones.push_back(bone);
  model.rig.skin.filters.emplace_back();
  for (Influence& influence : model.rig.skin.weights.influences) {
    if (influence.bone == 1) influence.bone = 3;
  }
  const Model back = reread(model);
  EXPECT_EQ(back.rig.skin.weights, model.rig.skin.weights);
  ASSERT_EQ(back.rig.skeleton.bones.size(), 4U);
  const Bone& found = back.rig.skeleton.bones[3];
  const Joint& joint = back.rig.skeleton.joints[found.joint];
  EXPECT_EQ(joint.name, "helper");
  EXPECT_EQ(joint.parent, 1);
  EXPECT_EQ(joint.rest, helper.rest);
  EXPECT_EQ(found.inverse_bind, bone.inverse_bind);
  EXPECT_EQ(found.tail, bone.tail);
  EXPECT_EQ(find_joint(back.rig.skeleton, "joint 2"), found.tail_joint);
  EXPECT_EQ(back.source->json["skins"][0]["joints"].size(), 4U);
}

TEST(GltfWrite, bones_on_one_joint_get_nodes_of_their_own) {
  const std::array points = {Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{-1, 1, 0}};
  const std::array<std::array<int, 2>, 3> segments = {{{0, 1}, {1, 2}, {1, 3}}};
  Rig rig;
  rig.skeleton = skeleton_from_segments(points, segments);
  rig.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  rig.mesh.triangles = {{0, 1, 2}};
  for (int v = 0; v < 3; ++v) {
    const Influence all{v, 1};
    rig.skin.weights.push_row({&all, 1});
  }
  ASSERT_EQ(rig.skeleton.bones[1].joint, rig.skeleton.bones[2].joint);
  const Model back = reread(new_model(rig));
  EXPECT_EQ(back.rig.skin.weights, rig.skin.weights);
  std::set<int> joints;
  for (std::size_t b = 0; b < 3; ++b) {
    joints.insert(back.rig.skeleton.bones[b].joint);
    EXPECT_EQ(back.rig.skeleton.bones[b].tail, rig.skeleton.bones[b].tail);
    EXPECT_EQ(back.rig.skeleton.bones[b].head, rig.skeleton.bones[b].head);
  }
  EXPECT_EQ(joints.size(), 3U);
}

TEST(GltfWrite, integer_weights_sum_to_exactly_one) {
  Rig rig = tube_rig({.segments = 11, .influences = 7});
  for (std::size_t i = 0; i < rig.skin.weights.influences.size(); ++i) {
    rig.skin.weights.influences[i].weight *= 1 + 0.3 * std::sin(double(i));  // sums of all sizes
  }
  for (const auto& [format, total] :
       {std::pair(WeightFormat::unorm8, 255.0), std::pair(WeightFormat::unorm16, 65535.0)}) {
    const Rig back = reread(new_model(rig), {.weights = format}).rig;
    for (std::size_t v = 0; v < back.skin.weights.vertex_count(); ++v) {
      double sum = 0, exact_sum = 0;
      for (const Influence& influence : rig.skin.weights.row(v)) exact_sum += influence.weight;
      for (const Influence& influence : back.skin.weights.row(v)) {
        sum += std::round(influence.weight * total);
        for (const Influence& original : rig.skin.weights.row(v)) {
          if (original.bone != influence.bone) continue;
          EXPECT_LT(std::fabs(influence.weight - original.weight / exact_sum), 1 / total);
        }
      }
      EXPECT_EQ(sum, total) << "vertex " << v;
    }
  }
}

TEST(GltfWrite, vertices_without_weights_follow_the_first_joint) {
  Rig rig = tube_rig();
  for (std::size_t i = rig.skin.weights.offsets[5]; i < rig.skin.weights.offsets[6]; ++i) {
    rig.skin.weights.influences[i].weight = 0;
  }
  const Rig back = reread(new_model(rig)).rig;
  ASSERT_EQ(back.skin.weights.row(5).size(), 1U);
  EXPECT_EQ(back.skin.weights.row(5)[0], (Influence{0, 1}));
}

TEST(GltfWrite, a_mesh_that_two_nodes_have_is_split_when_one_changes) {
  Document document = gltf::new_document(tube_rig({.clips = false}), {});
  Json& json = document.json;
  const std::size_t mesh_node = json["nodes"].size() - 1;
  Json copy = json["nodes"][mesh_node];
  json["nodes"].push_back(copy);
  json["scenes"][0]["nodes"].push_back(mesh_node + 1);
  Model model = parse_gltf(gltf::glb_bytes(std::move(document)));
  const std::size_t half = model.rig.mesh.vertex_count() / 2;
  for (std::size_t v = half; v < 2 * half; ++v) model.rig.mesh.positions[v].y += 8;
  const Model back = reread(model);
  EXPECT_EQ(back.rig.mesh.positions, model.rig.mesh.positions);
  EXPECT_EQ(back.source->json["meshes"].size(), 2U);
  EXPECT_EQ(back.source->json["meshes"][0], model.source->json["meshes"][0]);
}

TEST(GltfWrite, a_still_mesh_gains_a_skin) {
  Document document = gltf::new_document(tube_rig({.clips = false, .controls = false}), {});
  Json& json = document.json;
  Json& node = json["nodes"].back();
  node.erase("skin");
  node["translation"] = {0, 3, 0};
  node["scale"] = {-1, 1, 1};
  json.erase("skins");
  for (Json& primitive : json["meshes"][0]["primitives"]) {
    for (const char* name : {"JOINTS_0", "WEIGHTS_0", "_ENDPOINT_0"}) {
      primitive["attributes"].erase(name);
    }
  }
  Model model = parse_gltf(gltf::glb_bytes(std::move(document)));
  Joint joint;
  joint.name = "new";
  model.rig.skeleton.joints.push_back(joint);
  Bone bone;
  bone.joint = static_cast<int>(model.rig.skeleton.joints.size()) - 1;
  bone.tail = {0, 1, 0};
  model.rig.skeleton.bones.push_back(bone);
  for (Influence& influence : model.rig.skin.weights.influences) influence.bone = 1;
  const Rig back = reread(model).rig;
  expect_same_surface(back.mesh, model.rig.mesh);
  ASSERT_EQ(back.skeleton.bones.size(), 1U);
  EXPECT_EQ(back.skeleton.joints[back.skeleton.bones[0].joint].name, "new");
}

TEST(GltfWrite, a_placed_mesh_is_changed_in_its_own_space) {
  Document document = gltf::new_document(tube_rig({.clips = false, .controls = false}), {});
  Json& node = document.json["nodes"].back();
  node.erase("skin");
  node["translation"] = {0, 3, 0};
  node["scale"] = {-2, 2, 2};
  Model model = parse_gltf(gltf::glb_bytes(std::move(document)));
  for (Vec3& p : model.rig.mesh.positions) p.y += 2;
  for (Vec3& n : model.rig.mesh.normals.values) n = -n;
  std::swap(model.rig.mesh.triangles[0], model.rig.mesh.triangles[1]);
  model.rig.mesh.shapes[0].positions[3] = {2, 0, 0};
  expect_same_surface(reread(model).rig.mesh, model.rig.mesh);
}

TEST(GltfWrite, a_rig_that_no_longer_fits_its_file_is_refused) {
  const Model model = decorated_model();
  Model other = model;
  other.rig.mesh = {};
  other.rig.skin.weights = {};
  other.rig.skin.endpoints.clear();
  other.rig.skin.twist_endpoints.clear();
  other.rig.clips.clear();
  EXPECT_EQ(wrong_usage([&] { to_glb(other); }),
            "the rig has 0 vertices, but the file it was read from 208: write it as a new file (a "
            "model without a source) instead");
  other = model;
  other.rig.skin.weights = {};
  other.rig.skin.endpoints.clear();
  other.rig.skin.twist_endpoints.clear();
  EXPECT_EQ(wrong_usage([&] { to_glb(other); }),
            "the rig has no weights, but the file it was read from does: write it as a new file (a "
            "model without a source) instead");
  other = model;
  other.rig.skeleton.joints[2].parent = 0;
  EXPECT_EQ(wrong_usage([&] { to_glb(other); }),
            "joint 2 has another parent than in the file: write it as a new file (a model without "
            "a source) instead");
}

TEST(GltfWrite, curves_that_gltf_cannot_hold_are_followed_closely) {
  Rig rig = tube_rig({.controls = false});
  EulerCurves euler;
  euler.order = EulerOrder::zxy;
  euler.x.times = {0, 1, 2};
  euler.x.values = {0, 2, -1};
  euler.y.interpolation = Interpolation::step;
  euler.y.times = {0.3, 1.3};
  euler.y.values = {0.5, 1.5};
  TranslationChannel bezier;
  bezier.joint = 1;
  bezier.curve.interpolation = Interpolation::bezier;
  bezier.curve.times = {-0.5, 1, 2};
  bezier.curve.values = {{0, 0, 0}, {1, 2, 3}, {0, 1, 0}};
  bezier.curve.in = {{-0.1, {0, 0, 0}}, {-0.9, {0, -1, 0}}, {-0.2, {1, 0, 0}}};
  bezier.curve.out = {{0.4, {1, 0, 0}}, {0.5, {0, 1, 0}}, {0.1, {0, 0, 0}}};
  ScaleChannel thirds;
  thirds.joint = 1;
  thirds.curve.interpolation = Interpolation::bezier;
  thirds.curve.times = {0, 1.5, 3};
  thirds.curve.values = {{1, 1, 1}, {2, 1, 1}, {1, 1, 1}};
  thirds.curve.in = {{-0.5, {0, 0, 0}}, {-0.5, {0.5, 0, 0}}, {-0.5, {0, 0.25, 0}}};
  thirds.curve.out = {{0.5, {0, 0, 0}}, {0.5, {-0.5, 0, 0}}, {0.5, {0, 0, 0}}};
  Clip clip;
  clip.channels = {RotationChannel{2, euler}, bezier, thirds};
  rig.clips = {clip};

  const Rig back = reread(new_model(rig)).rig;
  EXPECT_EQ(std::get<ScaleChannel>(back.clips[0].channels[2]).curve.interpolation,
            Interpolation::hermite);
  for (double time = 0.005; time < 3; time += 0.01) {
    const Pose before = pose_at(rig, rig.clips[0], time),
               after = pose_at(back, back.clips[0], time);
    EXPECT_LT(rotation_angle(conjugate(before.joints[2].rotation) * after.joints[2].rotation), 3e-4)
        << time;
    EXPECT_LT(distance(before.joints[1].translation, after.joints[1].translation), 3e-3) << time;
    EXPECT_LT(distance(before.joints[1].scale, after.joints[1].scale), 1e-6) << time;
  }
}

TEST(GltfWrite, shape_channels_that_drive_single_shapes_become_one) {
  Rig rig = tube_rig({.controls = false});
  ShapeChannel first, second;
  first.curve.times = {0, 1};
  first.curve.values = {{0.0}, {1.0}};
  second.first_shape = 1;
  second.curve.times = {0.5, 1.5};
  second.curve.values = {{1.0}, {0.0}};
  Clip clip;
  clip.channels = {first, second};
  rig.clips = {clip};
  const Rig back = reread(new_model(rig)).rig;
  ASSERT_EQ(back.clips[0].channels.size(), 1U);
  for (double time = 0; time < 2; time += 0.125) {
    const Pose before = pose_at(rig, rig.clips[0], time),
               after = pose_at(back, back.clips[0], time);
    for (std::size_t s = 0; s < 2; ++s) EXPECT_NEAR(before.shapes[s], after.shapes[s], 1e-6);
  }
}

TEST(GltfWrite, images_beside_the_file_come_along) {
  const std::string png("\x89PNG\r\n\x1a\n and so on");
  std::filesystem::create_directories(scratch("images"));
  write_file(scratch("images/skin colour.png"), png);
  Document document = gltf::new_document(tube_rig(), {});
  document.json["images"] = {{{"uri", "skin%20colour.png"}}, {{"uri", "missing.png"}}};
  write_file(scratch("images/model.gltf"), gltf::gltf_text(document));
  const Model model = read_gltf(scratch("images/model.gltf"));

  const Document glb = *parse_gltf(to_glb(model)).source;
  const Json& image = glb.json["images"][0];
  ASSERT_TRUE(image.contains("bufferView"));
  EXPECT_EQ(image["mimeType"], "image/png");
  const Json& view = glb.json["bufferViews"][image["bufferView"].get<std::size_t>()];
  EXPECT_EQ(glb.buffers[0].substr(view["byteOffset"], view["byteLength"]), png);
  EXPECT_EQ(glb.json["images"][1]["uri"], "missing.png");

  write_gltf(scratch("elsewhere.gltf"), model);
  const Json elsewhere = Json::parse(read_file(scratch("elsewhere.gltf")));
  EXPECT_TRUE(elsewhere["images"][0]["uri"].get<std::string>().starts_with("data:image/png;"));
  write_gltf(scratch("images/again.gltf"), model);
  EXPECT_EQ(Json::parse(read_file(scratch("images/again.gltf")))["images"],
            model.source->json["images"]);
}

TEST(GltfWrite, the_same_rig_gives_the_same_bytes) {
  EXPECT_EQ(to_glb(new_model(tube_rig())), to_glb(new_model(tube_rig())));
  const Model model = decorated_model();
  EXPECT_EQ(to_glb(model), to_glb(model));
  EXPECT_EQ(to_glb(reread(model)), to_glb(model));
}

TEST(GltfWrite, a_failure_leaves_the_old_file) {
  const auto path = scratch("kept.glb");
  write_file(path, "old");
  Model broken = new_model(tube_rig());
  broken.rig.mesh.positions[0].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(bad_input([&] { write_gltf(path, broken); }), "vertex 0: its position is not finite");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(wrong_usage([&] { write_gltf(scratch("model.fbx"), new_model(tube_rig())); }),
            scratch("model.fbx").string() + ": glTF is written to files that end in .glb or .gltf");
  const auto nowhere = scratch("no such folder/model.glb");
  EXPECT_EQ(refusal<FileError>([&] { write_gltf(nowhere, new_model(tube_rig())); }),
            nowhere.string() + ": cannot be written: No such file or directory");
}

}  // namespace
}  // namespace sinew
