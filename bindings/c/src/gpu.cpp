// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/gpu.h"

#include "bindings/c/src/arrays.h"
#include "bindings/c/src/pose.h"
#include "sinew/deform/muscles.h"

namespace sinew::c {
namespace {

// A rig as a GPU reads it. It never changes.
struct GpuSkinObject final : Object {
  using Handle = sinew_gpu_skin;
  static constexpr const char* name = "GPU skin";
  const char* kind() const override { return name; }

  explicit GpuSkinObject(GpuSkin made) : skin(std::move(made)) {}
  const GpuSkin skin;
};

sinew_array gpu_array(const GpuSkin& skin, sinew_gpu_field field) {
  switch (field) {
    case SINEW_GPU_POSITIONS:
      return view_of_floats(skin.positions, 3);
    case SINEW_GPU_NORMALS:
      return view_of_floats(skin.normals, 3);
    case SINEW_GPU_TANGENTS:
      return view_of_floats(skin.tangents, 4);
    case SINEW_GPU_VERTICES:
      return view_of_floats(skin.vertices, 4);
    case SINEW_GPU_INFLUENCES:
      return view_of_floats(skin.influences, 4);
    case SINEW_GPU_GRADIENTS:
      return view_of_floats(skin.gradients, 4);
    case SINEW_GPU_DELTA_RANGES:
      return view_of_floats(skin.delta_ranges, 2);
    case SINEW_GPU_DELTAS:
      return view_of_floats(skin.deltas, 4);
    default:
      throw UsageError("there is no field " + std::to_string(static_cast<int>(field)));
  }
}

std::size_t shape_count(const PoseObject& pose) { return pose.rig().rig().mesh.shapes.size(); }
bool has_muscles(const PoseObject& pose) { return sinew::has_muscles(pose.rig().rig().skin); }

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_gpu_skin_create(const sinew_rig* rig, const sinew_gpu_skin_options* options,
                                   sinew_gpu_skin** skin) {
  return guarded([&] {
    sinew_gpu_skin*& out = result(skin, "skin");
    const sinew_gpu_skin_options given = options_from(options, "options");
    const auto state = live<RigObject>(rig)->state();
    require_skin(state->rig());
    out = make_handle(std::make_shared<GpuSkinObject>(
        gpu_skin(state->rig(), {.gradients = given.gradients != 0})));
  });
}

sinew_status sinew_gpu_skin_get(const sinew_gpu_skin* skin, sinew_gpu_field field,
                                sinew_array* array) {
  return guarded([&] {
    sinew_array& out = result(array, "array");
    out = gpu_array(live<GpuSkinObject>(skin)->skin, field);
  });
}

sinew_status sinew_gpu_skin_free(sinew_gpu_skin* skin) {
  return guarded([&] { free_handle<GpuSkinObject>(skin); });
}

sinew_status sinew_gpu_pose_size(sinew_pose* pose, size_t* texels) {
  return guarded([&] {
    std::size_t& out = result(texels, "texels");
    const auto posed = live<PoseObject>(pose);
    const std::scoped_lock lock(posed->mutex);
    out = gpu_pose_texels(posed->bones().size(), shape_count(*posed), has_muscles(*posed));
  });
}

sinew_status sinew_gpu_pose(sinew_pose* pose, const char* method, float* floats,
                            size_t float_count) {
  return guarded([&] {
    const auto posed = live<PoseObject>(pose);
    require(floats, "floats");
    const GpuMethod found = gpu_method(method == nullptr ? "stbs-dqs" : method);
    const std::scoped_lock lock(posed->mutex);
    fill_gpu_pose(found, posed->bones(), posed->shapes(), shape_count(*posed),
                  {floats, float_count}, has_muscles(*posed));
  });
}

sinew_status sinew_gpu_blend(const char* method, float* blend) {
  return guarded([&] {
    float& out = result(blend, "blend");
    out = gpu_method(text_or(method, "stbs-dqs")).blend;
  });
}
