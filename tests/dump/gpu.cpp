// SPDX-License-Identifier: Apache-2.0
// Rigs and poses as shaders read them, and what the core makes of them: sinew_dump gpu FOLDER
// writes cases.json and the floats that it refers to, floats.bin. For each method there are the
// reference's positions, `normals` and `tangents` of the deformed surface, and `rough_normals`
// without gradients.
#include "sinew/kernels/gpu.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/core/file.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/told_pose.h"
#include "sinew/kernels/binding.h"
#include "sinew/samples/samples.h"
#include "tests/dump/dump.h"
#include "tests/kernels/kernel_rig.h"
#include "tests/kernels/shaped_tube.h"

namespace sinew {
namespace {

using nlohmann::json;

struct Case {
  std::string name;
  Rig rig;
  std::vector<BoneState> bones;
  std::vector<double> shapes;
};

// Half a turn along one bone.
Case twisted_box() {
  Case result{"box", make_sample("box", 1000), {}, {}};
  auto bones = rest_bones(result.rig);
  bones[0].twist_end = pi;
  result.bones = bone_states(result.rig.skeleton, bones);
  return result;
}

// A tube bent, twisted and stretched by its joints.
std::vector<BoneState> strained(const Rig& tube) {
  const PoseTeller teller(tube.skeleton);
  ToldPose pose{rest_pose(tube), {}, {}};
  teller.turn(pose, 0, {}, radians(120));
  teller.stretch(pose, 0, 1.4);
  teller.turn(pose, 1, std::vector<ToldBend>{{{0, 0, 1}, radians(70)}}, radians(-60));
  teller.stretch(pose, 1, 0.8);
  return bone_states(tube, pose);
}

// With endpoint weights of their own for the twist, and filters.
Case filtered_tube() {
  Case result{"filtered tube", make_tube(), {}, {}};
  Skin& skin = result.rig.skin;
  for (const double e : skin.endpoints) skin.twist_endpoints.push_back(e * e);
  skin.filters.resize(result.rig.skeleton.bones.size());
  skin.filters[0].stretch.points = {{0.1, 0}, {0.5, 0.7}, {0.9, 1}};
  skin.filters[0].twist.points = {{0, 0.2}, {0.6, 0.4}, {1, 1}};
  result.bones = strained(result.rig);
  return result;
}

// Textures of many rows.
Case mannequin() {
  Case result{"mannequin", make_sample("mannequin", 6000), {}, {}};
  const Clip& clip = result.rig.clips.front();
  result.bones = bone_states(result.rig, clip, 0.4 * duration(clip));
  return result;
}

// Everything at once on unordered vertices: eight influences, four turns of twist, scale.
Case strewn() {
  Case result{"eight influences", test::kernel_rig({.vertices = 900, .influences = 8}), {}, {}};
  result.bones = test::kernel_pose(result.rig, {.most_stretch = 3, .scale = true});
  return result;
}

Case shaped(bool own_normals) {
  Case result{own_normals ? "shapes" : "shapes without normals", test::shaped_tube(), {}, {}};
  if (!own_normals) result.rig.mesh.normals = {};
  result.bones = strained(result.rig);
  result.shapes = {0.5, 0.25};
  return result;
}

class Floats {
 public:
  // Where an array is: its first float, how many there are, and how many in each element.
  json put(const std::vector<float>& values, std::size_t components) {
    const std::size_t first = all_.size();
    all_.insert(all_.end(), values.begin(), values.end());
    return {first, values.size(), components};
  }
  template <class Vector>
  json put(const std::vector<Vector>& values) {
    std::vector<float> flat;
    for (const Vector& v : values) {
      for (std::size_t k = 0; k < 3; ++k) flat.push_back(static_cast<float>(component(v, k)));
    }
    return put(flat, 3);
  }
  std::string bytes() const {
    std::string bytes(all_.size() * sizeof(float), 0);
    std::memcpy(bytes.data(), all_.data(), bytes.size());
    return bytes;
  }

 private:
  static double component(const Vec3& v, std::size_t k) { return v[k]; }
  static double component(const Vec4& v, std::size_t k) { return v[k]; }

  std::vector<float> all_;
};

json dumped(const Case& one, Floats& floats) {
  const GpuSkin skin = gpu_skin(one.rig, {.gradients = true});
  json result{{"name", one.name},
              {"vertex_count", one.rig.mesh.vertex_count()},
              {"arrays",
               {{"positions", floats.put(skin.positions, 3)},
                {"normals", floats.put(skin.normals, 3)},
                {"tangents", floats.put(skin.tangents, 4)},
                {"vertices", floats.put(skin.vertices, 4)},
                {"influences", floats.put(skin.influences, 4)},
                {"gradients", floats.put(skin.gradients, 4)},
                {"delta_ranges", floats.put(skin.delta_ranges, 2)},
                {"deltas", floats.put(skin.deltas, 4)}}}};
  const std::size_t shape_count = one.rig.mesh.shapes.size();
  const std::size_t texels = gpu_pose_texels(one.bones.size(), shape_count);
  std::vector<float> poses;  // one after the other, as in a crowd
  const Binding exact(one.rig), rough(one.rig, {.slopes = false});
  for (const char* name : {"lbs", "dqs", "mixed", "stbs-lbs", "stbs-dqs", "stbs-mixed"}) {
    const Method method = method_from_name(name, one.rig);
    const Deformed truth = deform_reference(one.rig, one.bones, one.shapes, method, true);
    const auto by_kernel = [&](const Binding& binding) {
      Palette palette(Plan(binding, method));
      palette.update(one.bones, one.shapes);
      return palette.deformed(true);
    };
    // The kernels, like the shaders, keep the gradients of the mesh without shapes.
    const Deformed surface = one.rig.mesh.shapes.empty() ? truth : by_kernel(exact);
    const GpuMethod shader = gpu_method(name);
    const std::size_t first = poses.size();
    poses.resize(first + 4 * texels);
    fill_gpu_pose(shader, one.bones, one.shapes, shape_count, std::span(poses).subspan(first));
    result["methods"].push_back({{"name", name},
                                 {"pose", first / 4},
                                 {"blend", shader.blend},
                                 {"positions", floats.put(truth.positions)},
                                 {"normals", floats.put(surface.normals)},
                                 {"rough_normals", floats.put(by_kernel(rough).normals)},
                                 {"tangents", floats.put(surface.tangents)}});
  }
  result["arrays"]["poses"] = floats.put(poses, 4);
  return result;
}

}  // namespace

void dump_gpu_cases(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Floats floats;
  json cases = json::array();
  for (Case one :
       {twisted_box(), filtered_tube(), mannequin(), strewn(), shaped(true), shaped(false)}) {
    test::set_blend_shares(one.rig);
    cases.push_back(dumped(one, floats));
  }
  write_file(folder / "floats.bin", floats.bytes());
  write_file(folder / "cases.json", cases.dump());
}

}  // namespace sinew
