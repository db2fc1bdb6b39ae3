// SPDX-License-Identifier: Apache-2.0
// Prints the joint matrices of a glTF file, as compare_fk.mjs wants them: for each skin that a mesh
// has, each joint's map from bind to world (16 numbers by columns), at rest and at moments of each
// clip.
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/io/gltf.h"
#include "sinew/io/gltf/layout.h"

namespace {

using nlohmann::json;
using namespace sinew;

json matrix(const Affine& map) {
  json numbers = json::array();
  for (std::size_t column = 0; column < 4; ++column) {
    const Vec3& v = column < 3 ? map.linear[column] : map.translation;
    for (const double x : {v.x, v.y, v.z, column < 3 ? 0.0 : 1.0}) numbers.push_back(x);
  }
  return numbers;
}

json skins_at(const GltfModel& model, const gltf::Layout& layout, const Pose& pose) {
  std::set<int> used;
  for (const auto& part : layout.parts) used.insert(part.skin);
  const std::vector<Affine> maps = bone_maps(model.rig, pose);
  json skins = json::array();
  for (const int skin : used) {
    if (skin < 0) continue;
    json joints = json::array();
    for (const int bone : layout.bone_of_slot[static_cast<std::size_t>(skin)]) {
      joints.push_back(matrix(maps[static_cast<std::size_t>(bone)]));
    }
    skins.push_back(std::move(joints));
  }
  return skins;
}

json dump(const char* path) {
  GltfModel model = read_gltf(path);
  // Other programs know nothing of generalized bones.
  model.rig.drivers.clear();
  const gltf::Layout layout = gltf::layout_of(*model.source);
  json clips = json::array();
  for (const Clip& clip : model.rig.clips) {
    json moments = json::array();
    for (const double share : {0.0, 0.013, 0.21, 0.37, 0.5, 0.68, 0.943, 1.0}) {
      const double time = share * duration(clip);
      moments.push_back(
          {{"time", time}, {"skins", skins_at(model, layout, pose_at(model.rig, clip, time))}});
    }
    clips.push_back({{"name", clip.name}, {"moments", std::move(moments)}});
  }
  return {{"rest", skins_at(model, layout, rest_pose(model.rig))}, {"clips", std::move(clips)}};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: rig_dump FILE\n", stderr);
    return 2;
  }
  try {
    std::puts(dump(arguments[1]).dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
