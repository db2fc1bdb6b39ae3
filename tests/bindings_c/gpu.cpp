// SPDX-License-Identifier: Apache-2.0
// Arrays for GPUs through the C interface.
#include "sinew/kernels/gpu.h"

#include "sinew/deform/posed_rig.h"
#include "sinew/samples/samples.h"
#include "tests/bindings_c/c_api.h"

namespace sinew::c_api {
namespace {

class CGpu : public CApi {};

std::vector<float> floats_in(const sinew_array& array) {
  EXPECT_TRUE(array.count == 0 || array.type == SINEW_FLOAT32);
  EXPECT_TRUE(array.count == 0 || array.stride == array.components * sizeof(float));
  const auto* first = static_cast<const float*>(array.data);
  return {first, first + array.count * array.components};
}

TEST_F(CGpu, a_rig_has_the_core_s_arrays) {
  const Rig core = make_sample("mannequin", 300);
  const OwnedRig rig = sample("mannequin", 300);
  for (const bool gradients : {false, true}) {
    auto options = sized<sinew_gpu_skin_options>();
    options.gradients = gradients ? 1 : 0;
    OwnedGpuSkin skin;
    ASSERT_OK(sinew_gpu_skin_create(rig, &options, skin.out()));
    const GpuSkin expected = gpu_skin(core, {.gradients = gradients});
    const struct {
      sinew_gpu_field field;
      const std::vector<float>& values;
      std::uint32_t components;
    } fields[] = {{SINEW_GPU_POSITIONS, expected.positions, 3},
                  {SINEW_GPU_NORMALS, expected.normals, 3},
                  {SINEW_GPU_TANGENTS, expected.tangents, 4},
                  {SINEW_GPU_VERTICES, expected.vertices, 4},
                  {SINEW_GPU_INFLUENCES, expected.influences, 4},
                  {SINEW_GPU_GRADIENTS, expected.gradients, 4},
                  {SINEW_GPU_DELTA_RANGES, expected.delta_ranges, 2},
                  {SINEW_GPU_DELTAS, expected.deltas, 4}};
    for (const auto& [field, values, components] : fields) {
      sinew_array array{};
      ASSERT_OK(sinew_gpu_skin_get(skin, field, &array));
      EXPECT_EQ(array.components, values.empty() ? 0 : components) << field;
      EXPECT_EQ(floats_in(array), values) << field;
    }
  }
}

TEST_F(CGpu, a_pose_has_the_core_s_floats_by_every_method) {
  const Rig core = make_sample("arm", 200);
  const OwnedRig rig = sample("arm", 200);
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_play(pose, 0, 0.4));
  PosedRig posed((RigPlan(core)));
  posed.play(ClipPlan(posed.plan(), core.clips[0]), 0.4);
  std::size_t texels = 0;
  ASSERT_OK(sinew_gpu_pose_size(pose, &texels));
  ASSERT_EQ(texels, gpu_pose_texels(core.skeleton.bones.size(), core.mesh.shapes.size()));
  for (const char* name : {"lbs", "dqs", "mixed", "stbs-lbs", "stbs-dqs", "stbs-mixed"}) {
    std::vector<float> expected(4 * texels), actual(4 * texels);
    fill_gpu_pose(gpu_method(name), posed.bones(), posed.shapes(), core.mesh.shapes.size(),
                  expected);
    ASSERT_OK(sinew_gpu_pose(pose, name, actual.data(), actual.size()));
    EXPECT_EQ(actual, expected) << name;
    float blend = 7;
    ASSERT_OK(sinew_gpu_blend(name, &blend));
    EXPECT_EQ(blend, gpu_method(name).blend) << name;
  }
}

TEST_F(CGpu, what_makes_no_sense_is_refused) {
  const OwnedRig rig = strip();
  OwnedGpuSkin skin;
  EXPECT_REFUSED(sinew_gpu_skin_create(rig, nullptr, nullptr), SINEW_ERROR_USAGE, "skin");
  OwnedRig bare;
  ASSERT_OK(sinew_rig_create("bare", bare.out()));
  EXPECT_REFUSED(sinew_gpu_skin_create(bare, nullptr, skin.out()), SINEW_ERROR_USAGE, "bones");
  ASSERT_OK(sinew_gpu_skin_create(rig, nullptr, skin.out()));
  sinew_array array{};
  EXPECT_REFUSED(sinew_gpu_skin_get(skin, static_cast<sinew_gpu_field>(99), &array),
                 SINEW_ERROR_USAGE, "99");
  EXPECT_REFUSED(sinew_gpu_skin_get(skin, SINEW_GPU_POSITIONS, nullptr), SINEW_ERROR_USAGE,
                 "array");
  const OwnedPose pose = pose_of(rig);
  std::vector<float> floats(48);
  EXPECT_REFUSED(sinew_gpu_pose(pose, nullptr, nullptr, 48), SINEW_ERROR_USAGE, "floats");
  EXPECT_REFUSED(sinew_gpu_pose(pose, nullptr, floats.data(), 47), SINEW_ERROR_USAGE, "48");
  EXPECT_REFUSED(sinew_gpu_pose(pose, "delta-mush", floats.data(), 48), SINEW_ERROR_USAGE,
                 "delta-mush");
  EXPECT_OK(sinew_gpu_pose(pose, nullptr, floats.data(), 48));
  float blend = 0;
  EXPECT_REFUSED(sinew_gpu_blend("nothing", &blend), SINEW_ERROR_USAGE, "nothing");
  EXPECT_REFUSED(sinew_gpu_blend("lbs", nullptr), SINEW_ERROR_USAGE, "blend");
  EXPECT_REFUSED(sinew_gpu_pose_size(pose, nullptr), SINEW_ERROR_USAGE, "texels");
}

}  // namespace
}  // namespace sinew::c_api
