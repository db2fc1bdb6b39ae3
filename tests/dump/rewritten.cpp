// SPDX-License-Identifier: Apache-2.0
// Writes files for the validator into a folder: every real model there is, read and written again
// as it is and with changes; and rigs made by code. manifest.json says what came from where.
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "sinew/bake/bake.h"
#include "sinew/bake/morph.h"
#include "sinew/core/file.h"
#include "sinew/edit/edit.h"
#include "sinew/io/gltf.h"
#include "tests/dump/dump.h"
#include "tests/support/assets.h"
#include "tests/support/corrected_arm.h"
#include "tests/support/edited_rigs.h"
#include "tests/support/muscled_arm.h"
#include "tests/support/puppets.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

using nlohmann::json;
using WeightFormat = GltfOptions::WeightFormat;

class Writer {
 public:
  explicit Writer(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }

  void write(const std::string& name, const Model& model, const GltfOptions& options = {},
             const std::filesystem::path& original = {}) {
    const std::filesystem::path path = folder_ / name;
    write_gltf(path, model, options);
    json entry = {{"file", path.string()}, {"original", nullptr}};
    if (!original.empty()) entry["original"] = original.string();
    manifest_.push_back(std::move(entry));
  }

  void finish() { write_file(folder_ / "manifest.json", manifest_.dump(1)); }

 private:
  std::filesystem::path folder_;
  json manifest_ = json::array();
};

void rewrite_model(Writer& writer, const std::filesystem::path& path) {
  const Model model = read_gltf(path);
  const std::string name = path.filename().string();
  writer.write(name + ".same.glb", model, {}, path);
  writer.write(name + ".same.gltf", model, {}, path);

  Model changed = model;
  for (Vec3& p : changed.rig.mesh.positions) p *= 1.25;
  changed.rig.skin.endpoints.assign(changed.rig.skin.weights.influences.size(), 0.5);
  for (Clip& clip : changed.rig.clips) clip.name += " again";
  for (Joint& joint : changed.rig.skeleton.joints) joint.rest.translation *= 1.25;
  for (Bone& bone : changed.rig.skeleton.bones) {
    bone.head *= 1.25;
    bone.tail *= 1.25;
    bone.inverse_bind.translation *= 1.25;
  }
  if (changed.rig.skeleton.bones.size() > 1) {
    Joint helper;
    helper.name = "helper";
    helper.parent = changed.rig.skeleton.bones[0].joint;
    helper.rest.translation = {0, 0.5, 0};
    changed.rig.skeleton.joints.push_back(helper);
    Bone bone = changed.rig.skeleton.bones[0];
    bone.joint = static_cast<int>(changed.rig.skeleton.joints.size()) - 1;
    bone.tail_joint = no_joint;
    const int number = static_cast<int>(changed.rig.skeleton.bones.size());
    changed.rig.skeleton.bones.push_back(bone);
    for (Influence& influence : changed.rig.skin.weights.influences) {
      if (influence.bone == 0) influence.bone = number;
    }
  }
  writer.write(name + ".changed.glb", changed, {.weights = WeightFormat::unorm16}, path);

  writer.write(name + ".new.glb", {model.rig, nullptr});

  if (!model.rig.skin.weights.influences.empty() && !model.rig.skeleton.bones.empty()) {
    Model edited = model;
    const std::array<EditStep, 3> steps{SmoothStep{2}, MirrorStep{}, PruneStep{4}};
    edit(edited.rig, steps);
    writer.write(name + ".edited.glb", edited, {}, path);

    BakeOptions options{.segments = 2, .all_bones = true};
    options.endpoints = ProjectionOptions{};
    writer.write(name + ".baked.glb", {bake(model.rig, options).rig, model.source}, {}, path);
    if (!model.rig.clips.empty()) {
      Morphed morphed = bake_morph(model.rig, model.rig.clips.front(),
                                   method_from_name("lbs", model.rig), {1, 10});
      writer.write(name + ".morph.glb", {std::move(morphed.rig), model.source}, {}, path);
    }
    options.live = LiveHelpers::vrm;
    const Baked live = bake(model.rig, options);
    writer.write(name + ".live.glb", {live.rig, model.source, live.constraints}, {}, path);
  }
}

Rig shared_joint_rig() {
  const std::array points = {Vec3{0, 0, 0},  Vec3{0, 1, 0}, Vec3{1, 1, 0},
                             Vec3{-1, 1, 0}, Vec3{5, 0, 0}, Vec3{5, 1, 0}};
  const std::array<std::array<int, 2>, 4> segments = {{{0, 1}, {1, 2}, {1, 3}, {4, 5}}};
  Rig rig;
  rig.name = "fork";
  rig.skeleton = skeleton_from_segments(points, segments);
  for (const auto& [from, to] : segments) {
    const Vec3 &a = points[from], &b = points[to];
    const auto first = static_cast<Index>(rig.mesh.positions.size());
    for (const Vec3& p : {a, b, (a + b) * 0.5 + Vec3{0, 0, 0.25}}) rig.mesh.positions.push_back(p);
    rig.mesh.triangles.push_back({first, first + 1, first + 2});
    const Influence all{static_cast<int>(first / 3), 1};
    for (int i = 0; i < 3; ++i) rig.skin.weights.push_row({&all, 1});
  }
  return rig;
}

void write_made(Writer& writer) {
  const Rig tube = tube_rig();
  writer.write("tube.glb", {tube, nullptr});
  writer.write("tube.gltf", {tube, nullptr});
  writer.write("settings.glb", {tube_rig({.settings = true}), nullptr});
  const Model everything{everything_kept(), nullptr};
  writer.write("everything.glb", everything);
  writer.write("everything_again.glb", parse_gltf(to_glb(everything)));
  writer.write("unorm8.glb", {tube, nullptr}, {.weights = WeightFormat::unorm8});
  const Rig many = tube_rig({.segments = 11, .influences = 9});
  writer.write("nine_influences.glb", {many, nullptr});
  writer.write("nine_influences_unorm16.glb", {many, nullptr}, {.weights = WeightFormat::unorm16});
  writer.write("many_joints.glb", {tube_rig({.segments = 300, .influences = 5}), nullptr});
  writer.write("shared_joint.glb", {shared_joint_rig(), nullptr});
  writer.write("puppet.glb", to_gltf(dancing_puppet()));
  const Model arm = corrected_arm();
  writer.write("correctives.glb", arm);
  writer.write("correctives.baked.glb", {bake(arm.rig).rig, arm.source});
  const Model muscles = muscled_arm();
  writer.write("muscles.glb", muscles);
  writer.write("muscles.baked.glb", {bake(muscles.rig).rig, muscles.source});
  Rig still = tube_rig({.clips = false, .controls = false});
  still.skin.weights = {};
  still.skin.endpoints.clear();
  still.skin.twist_endpoints.clear();
  still.skin.filters.clear();
  still.skeleton = {};
  writer.write("no_skin.glb", {still, nullptr});
  Rig unbound = tube_rig({.endpoints = false});
  unbound.skin.weights = {};
  writer.write("unbound.glb", {unbound, nullptr});
  Rig bare = tube_rig();
  bare.mesh = {};
  bare.skin.weights = {};
  bare.skin.endpoints.clear();
  bare.skin.twist_endpoints.clear();
  bare.clips[0].channels.erase(bare.clips[0].channels.begin() + 3);
  writer.write("no_mesh.glb", {bare, nullptr});
  Rig only_controls = tube;
  std::erase_if(only_controls.clips[0].channels, [](const Channel& channel) {
    return !std::holds_alternative<ControlChannel>(channel);
  });
  writer.write("only_controls.glb", {only_controls, nullptr});
  Rig uncovered = tube;
  for (std::size_t i = 0; i < 40; ++i) uncovered.skin.weights.influences[i].weight = 0;
  writer.write("uncovered.glb", {uncovered, nullptr});
}

}  // namespace

void dump_rewritten(const std::filesystem::path& folder) {
  Writer writer(folder);
  write_made(writer);
  const auto models = all_assets({".glb", ".gltf"});
  if (models.empty()) std::puts(missing_model("*.glb").c_str());
  for (const auto& path : models) rewrite_model(writer, path);
  writer.finish();
}

}  // namespace sinew
