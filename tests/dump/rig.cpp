// SPDX-License-Identifier: Apache-2.0
// Prints the joint matrices of a glTF file, as compare_fk.mjs wants them: for each skin that a mesh
// has, each joint's map from bind to world (16 numbers by columns), at rest and at moments of each
// clip; and at those moments the vertices of each skinned primitive, by linear blend skinning.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/deform/posed_rig.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/layout.h"
#include "sinew/kernels/binding.h"
#include "tests/dump/dump.h"
#include "tests/dump/parts_json.h"

namespace sinew {
namespace {

using nlohmann::json;

// A rig packed for linear blend skinning along one clip.
struct Skin {
  Palette palette;
  PosedRig posed;
  ClipPlan clip;

  Skin(const Rig& rig, const Clip& played)
      : palette(Plan(Binding(rig), method_from_name("lbs", rig))),
        posed(RigPlan(rig), {.detail = BoneDetail::matrices}),
        clip(posed.plan(), played) {}
};

json matrix(const Affine& map) {
  json numbers = json::array();
  for (std::size_t column = 0; column < 4; ++column) {
    const Vec3& v = column < 3 ? map.linear[column] : map.translation;
    for (const double x : {v.x, v.y, v.z, column < 3 ? 0.0 : 1.0}) numbers.push_back(x);
  }
  return numbers;
}

json skins_at(const Model& model, const gltf::Layout& layout, const Pose& pose) {
  std::set<int> used;
  for (const auto& part : layout.parts) used.insert(part.skin);
  const std::vector<Affine> maps = bone_maps(model.rig, pose);
  json skins = json::array();
  for (const int skin : used) {
    if (skin < 0) continue;
    json joints = json::array();
    for (const int bone : layout.bone_of_slot[skin]) {
      joints.push_back(matrix(maps[bone]));
    }
    skins.push_back(std::move(joints));
  }
  return skins;
}

// What a viewer would draw, by the fast kernels.
json vertices_at(const Model& model, const gltf::Layout& layout, double time, Skin& skin) {
  skin.posed.play(skin.clip, time);
  skin.palette.update(skin.posed.bones(), skin.posed.shapes());
  std::vector<Vec3f> positions(model.rig.mesh.vertex_count());
  Output output;
  output.positions = &positions.data()->x;
  deform(skin.palette, output);
  return parts_to_json(layout, positions);
}

json dump(const std::filesystem::path& path) {
  Model model = read_gltf(path);
  // Other programs know nothing of generalized bones.
  model.rig.drivers.clear();
  model.rig.shape_drivers.clear();
  model.rig.pose_spaces.clear();
  const gltf::Layout layout = gltf::layout_of(*model.source);
  json clips = json::array();
  for (const Clip& clip : model.rig.clips) {
    json moments = json::array();
    Skin skin(model.rig, clip);
    for (const double share : {0.0, 0.013, 0.21, 0.37, 0.5, 0.68, 0.943, 1.0}) {
      const double time = share * duration(clip);
      moments.push_back({{"time", time},
                         {"skins", skins_at(model, layout, pose_at(model.rig, clip, time))},
                         {"parts", vertices_at(model, layout, time, skin)}});
    }
    clips.push_back({{"name", clip.name}, {"moments", std::move(moments)}});
  }
  return {{"rest", skins_at(model, layout, rest_pose(model.rig))}, {"clips", std::move(clips)}};
}

}  // namespace

void dump_rig(const std::filesystem::path& file) { std::puts(dump(file).dump().c_str()); }

}  // namespace sinew
