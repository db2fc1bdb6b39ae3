// SPDX-License-Identifier: Apache-2.0
// Each rule that a rig must keep, broken alone: the message names the part and the place in it.
#include <functional>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(RigValidation, rigs_with_all_there_can_be_and_with_nothing_are_valid) {
  validate(tube_rig());
  validate(tube_rig({.settings = true}));
  validate(tube_rig({.endpoints = false, .shapes = false, .clips = false, .controls = false}));
  validate(Rig{});
  Rig bare = tube_rig();
  bare.skin.weights = {};
  bare.skin.endpoints.clear();
  bare.skin.twist_endpoints.clear();
  validate(bare);
}

TEST(RigValidation, each_broken_rule_is_named_with_its_place) {
  const std::pair<std::function<void(Rig&)>, const char*> breaks[] = {
      {[](Rig& r) { r.mesh.positions[5].y = not_a_number; },
       "vertex 5: its position is not finite"},
      {[](Rig& r) { r.mesh.shapes[1].positions.pop_back(); },
       "shape 1: its arrays have different lengths"},
      {[](Rig& r) { r.skeleton.joints[1].parent = 7; },
       "joint 1 (joint 1): its parent 7 does not exist; there are 3 joints"},
      {[](Rig& r) { r.skeleton.joints[0].parent = 2; },
       "skeleton: the joints form a cycle: joint 0 (joint 0) -> joint 2 (joint 2) -> joint 1 "
       "(joint 1); give one of them no parent"},
      {[](Rig& r) { r.skeleton.joints[2].rest.rotation.w = 2; },
       "joint 2 (joint 2): its rest transform is not finite or its rotation is no unit quaternion"},
      {[](Rig& r) { r.skeleton.joints[1].twist_shares->own = 0.8; },
       "joint 1 (joint 1): its twist shares are 0.25 and 0.8; they must be at least 0 with a sum "
       "of at "
       "most 1"},
      {[](Rig& r) { r.skeleton.bones[1].tail = r.skeleton.bones[1].head; },
       "bone 1: its head and tail must be two different finite points"},
      {[](Rig& r) { r.skin.weights.offsets.pop_back(); },
       "weights: their offsets must begin with 0 and end with the number of influences"},
      {[](Rig& r) { r.skin.weights.push_row({}); }, "weights: 209 rows for 208 vertices"},
      {[](Rig& r) { r.skin.weights.offsets[1] = 5; },
       "vertex 1: its row goes from 5 to 4, but there are 416 influences"},
      {[](Rig& r) { r.skin.weights.influences[2].bone = 3; },
       "vertex 1: it is tied to bone 3, but there are 3 bones"},
      {[](Rig& r) { r.skin.weights.influences[2].bone = -1; },
       "vertex 1: it is tied to bone -1, but there are 3 bones"},
      {[](Rig& r) { r.skin.weights.influences[7].weight = -0.5; },
       "vertex 3: its weight for bone 0 is -0.5; weights are numbers from 0 on"},
      {[](Rig& r) { r.skin.endpoints.pop_back(); },
       "endpoint weight: 415 values for 416 influences"},
      {[](Rig& r) { r.skin.endpoints[1] = 1.25; },
       "vertex 0: its endpoint weight for bone 0 is 1.25; it must be in [0, 1]"},
      {[](Rig& r) { r.skin.twist_endpoints.pop_back(); },
       "twist endpoint weight: 415 values for 416 influences"},
      {[](Rig& r) { r.skin.twist_endpoints[1] = not_a_number; },
       "vertex 0: its twist endpoint weight for bone 0 is nan; it must be in [0, 1]"},
      {[](Rig& r) { r.skin.weights = {}; }, "endpoint weight: 416 values for 0 influences"},
      {[](Rig& r) { r.skin.filters.pop_back(); }, "filters: 2 filters for 3 bones"},
      {[](Rig& r) { r.skin.filters[1].stretch.points[2].y = 0.125; },
       "bone 1 ('joint 1'), stretch filter point 2: (1, 0.125) must lie in [0, 1] x [0, 1], right "
       "of the point before it and not below it"},
      {[](Rig& r) { r.skin.filters[1].twist.points[0].x = -1; },
       "bone 1 ('joint 1'), twist filter point 0: (-1, 0) must lie in [0, 1] x [0, 1], right of "
       "the point before it and not below it"},
      {[](Rig& r) { r.skin.blend_shares.assign(207, 0.5); },
       "blend shares: 207 blend shares for 208 vertices"},
      {[](Rig& r) {
         r.skin.blend_shares.assign(208, 0.5);
         r.skin.blend_shares[3] = 1.5;
       },
       "vertex 3: its blend share is 1.5; it must be from 0 to 1"},
      {[](Rig& r) { r.offset_curves.roundness = -1; },
       "offset curves: the roundness is -1; it must be 0 or more"},
      {[](Rig& r) { r.offset_curves.placement = not_a_number; },
       "offset curves: control points are placed nan radii from the joints; it must be "
       "above 0"},
      {[](Rig& r) {
         r.offset_curves.curves = {{.bones = {0, 3}}};
       },
       "influence curve 0: it names bone 3, but there are 3"},
      {[](Rig& r) {
         r.offset_curves.curves = {{.bones = {0}}};
         r.offset_curves.curves[0].controls.twist.points = {{0, 1}, {1, 0}};
       },
       "influence curve 0: filter point 1: (1, 0) must lie in [0, 1] x [0, 1], right of the point "
       "before it and not below it"},
      {[](Rig& r) { r.offset_curves.painted_weights = {1}; },
       "offset curves: 1 painted weights for 208 vertices and 0 curves"},
      {[](Rig& r) { std::get<TranslationChannel>(r.clips[0].channels[1]).joint = 3; },
       "clip 'bend', channel 1: it drives joint 3, but there are 3"},
      {[](Rig& r) { r.mesh.shapes.pop_back(); },
       "clip 'bend', channel 3: it drives 2 blend shapes from number 0 on, but there are 1"},
      {[](Rig& r) { std::get<ControlChannel>(r.clips[0].channels[4]).control = 2; },
       "clip 'bend', channel 4: it drives control 2, but there are 2"},
      {[](Rig& r) { r.controls[1].default_value = not_a_number; },
       "control 1 ('smile'): its value is not finite"},
      {[](Rig& r) { r.drivers[1].joint = 3; }, "driver 1: it drives joint 3, which does not exist"},
      {[](Rig& r) {
         r.drivers[1].rule = RotationShare{1, 0.5};
       },
       "drivers: generalized bones depend on each other in a cycle: joint 1 (joint 1) -> joint 1 "
       "(joint 1); remove one of them"},
      {[](Rig& r) {
         r.limits = {{3, ConeLimit{}}};
       },
       "limit 0: there is no joint 3; there are 3"},
      {[](Rig& r) {
         r.limits = {{1, ConeLimit{}}, {1, HingeLimit{}}};
       },
       "limit 1: joint 1 has a limit already"},
      {[](Rig& r) {
         r.limits = {{1, HingeLimit{{0, 0, 0}}}};
       },
       "limit 0: the axis of a limit is a vector of unit length"},
  };
  for (const auto& [change, message] : breaks) {
    Rig rig = tube_rig();
    change(rig);
    EXPECT_EQ(bad_input([&] { validate(rig); }), message);
  }
}

TEST(RigValidation, a_mesh_without_skin_has_no_row_at_all_and_not_one_of_none) {
  Rig rig = tube_rig();
  rig.skin.weights.offsets = {0};
  EXPECT_EQ(bad_input([&] { validate(rig); }),
            "weights: their offsets must begin with 0 and end with the number of influences");
  rig.skin.weights = {};
  rig.skin.endpoints.clear();
  rig.skin.twist_endpoints.clear();
  rig.skin.weights.push_row({});
  EXPECT_EQ(bad_input([&] { validate(rig); }), "weights: 1 rows for 208 vertices");
}

}  // namespace
}  // namespace sinew
