// SPDX-License-Identifier: Apache-2.0
// A rig: a mesh, a skeleton, the weights that bind them, and their animation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/motion/clip.h"
#include "sinew/motion/generalized.h"
#include "sinew/motion/ik_limits.h"
#include "sinew/motion/shape_drivers.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/influence_curves.h"
#include "sinew/skin/skin.h"

namespace sinew {

// All that is known of a character. validate() says what must hold.
struct Rig {
  std::string name;
  Mesh mesh;  // at bind time
  Skeleton skeleton;
  Skin skin;  // what ties the mesh to the skeleton
  std::vector<Clip> clips;
  std::vector<Control> controls;
  std::vector<Driver> drivers;
  std::vector<ShapeDriver> shape_drivers{};  // blend shapes that follow an angle or a control
  std::vector<PoseSpace> pose_spaces{};      // blend shapes by pose: correctives
  OffsetCurves offset_curves{};              // of the methods that use them
  std::vector<IkLimit> limits{};   // of joints, for inverse kinematics; at most one per joint
  std::vector<std::string> notes;  // oddities of the file, and how they were read

  friend bool operator==(const Rig&, const Rig&) = default;
};

// Throws InputError naming the first thing that is invalid: in the mesh, the skeleton, the weights,
// the endpoint weights, the filters, the muscles, the blend shares, the offset curves, the clips,
// the controls, the generalized bones, the drivers of blend shapes, the pose spaces or the limits.
void validate(const Rig& rig);

// Every joint at rest, every shape and control at its default.
Pose rest_pose(const Rig& rig);

// The shape drivers and pose spaces, checked and prepared. Throws InputError as ShapeDrivers.
ShapeDrivers prepare_shape_drivers(const Rig& rig);

// The rest pose overwritten by the clip's channels at `time`, with generalized bones and driven
// blend shapes computed. For a single moment: it prepares the clip on each call, which ClipPlan
// does once. Throws UsageError for a clip that drives a joint, shape or control that the rig does
// not have, InputError as apply_drivers().
Pose pose_at(const Rig& rig, const Clip& clip, double time);

// Computes the generalized bones and driven blend shapes in a pose that was made or changed by
// hand. Throws UsageError for a pose that does not fit the rig (see apply), InputError as
// driver_order() and ShapeDrivers.
void apply_drivers(const Rig& rig, Pose& pose);

// The palette of linear blend skinning: bone i's map from mesh space at bind to world space,
// G_joint(pose) * inverse_bind (T_i of Jacobson and Sorkine 2011, eq. 1). Throws UsageError if the
// pose does not have one transform per joint, InputError for a bone whose joint does not exist.
std::vector<Affine> bone_maps(const Rig& rig, const Pose& pose);
// The same from the joints' frames in world space, one per joint.
std::vector<Affine> bone_maps(const Skeleton& skeleton, std::span<const Affine> globals);

// The clip with this name or, if there is none, with this number. Throws UsageError listing the
// clips and suggesting similar names.
const Clip& find_clip(const Rig& rig, std::string_view name_or_number);

}  // namespace sinew
