// SPDX-License-Identifier: Apache-2.0
// The noun everything is about: a mesh, a skeleton, the weights that tie them, and their motion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/motion/clip.h"
#include "sinew/motion/generalized.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/filter.h"
#include "sinew/skin/weights.h"

namespace sinew {

// All that is known of a character. validate() says what must hold.
struct Rig {
  std::string name;
  Mesh mesh;  // at bind time
  Skeleton skeleton;
  Weights weights;  // one row per vertex, or none at all for a mesh without skin
  // Endpoint weights in [0, 1], one for each of weights.influences; or empty.
  std::vector<double> endpoints;
  std::vector<double> twist_endpoints;  // for the twist, where it is to differ; or empty
  std::vector<BoneFilter> filters;      // one per bone, applied to the two above; or empty
  std::vector<Clip> clips;
  std::vector<Control> controls;
  std::vector<Driver> drivers;
  std::vector<std::string> notes;  // what was odd in the file and how it was read

  friend bool operator==(const Rig&, const Rig&) = default;
};

// Throws InputError naming the part of the rig that breaks a rule: of the mesh, the skeleton, the
// weights, the endpoint weights, the filters, the clips, the controls or the generalized bones.
void validate(const Rig& rig);

// Every joint at rest, every shape and control at its default.
Pose rest_pose(const Rig& rig);

// The rest pose with the clip's channels on top at `time`, generalized bones computed: for one
// moment, as it makes the clip ready first (ClipPlan does that once). Throws UsageError for a clip
// that drives what the rig does not have, InputError as driver_order().
Pose pose_at(const Rig& rig, const Clip& clip, double time);

// Computes the generalized bones in a pose that was made or changed by hand. Throws UsageError for
// a pose of another rig (see apply), InputError as driver_order().
void apply_drivers(const Rig& rig, Pose& pose);

// The palette of linear blend skinning: bone i's map from mesh space at bind to world space,
// G_joint(pose) * inverse_bind (seed 004 eq. 10). Throws UsageError for a pose or frames that are
// not one per joint, InputError for a bone of a joint that does not exist.
std::vector<Affine> bone_maps(const Rig& rig, const Pose& pose);
// The same from the joints' frames in world space.
std::vector<Affine> bone_maps(const Skeleton& skeleton, std::span<const Affine> globals);

// The clip of that name, or, if no clip has it, with that number. Throws UsageError listing the
// clips there are, with the nearest names.
const Clip& find_clip(const Rig& rig, std::string_view name_or_number);

}  // namespace sinew
