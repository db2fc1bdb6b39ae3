// SPDX-License-Identifier: Apache-2.0
// From a picture and bones drawn on it to a rig that can be posed, drawn and exported:
//
//   Silhouette figure = silhouette(read_image("cat.png"));
//   Puppet puppet = make_puppet(figure, read_picture_bones("cat.json"));
//   puppet.rig.clips.push_back(picture_clip(puppet, picture_loop("wave", puppet.bones)));
//   write_gltf("cat.glb", to_gltf(puppet));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/deform/bone_state.h"
#include "sinew/image/image.h"
#include "sinew/io/gltf.h"
#include "sinew/picture/outline.h"
#include "sinew/picture/silhouette.h"
#include "sinew/puppet/picture_bones.h"
#include "sinew/puppet/picture_motion.h"
#include "sinew/rig/rig.h"
#include "sinew/weights/compute_weights.h"

namespace sinew {

// How the figure is meshed and skinned.
struct PuppetOptions {
  OutlineOptions outline;
  // Longest triangle edge, in pixels; 0: a 30th of the figure's longer side, at least 4.
  double longest_edge = 0;
  double least_angle = 20;  // of triangles, in degrees, where the outline allows it
  // The problem is small but can be hard to solve, hence many iterations.
  WeightMethod weights = BbwOptions{.iterations = 4000};
  std::optional<EndpointMethod> endpoints = BbwEndpointOptions{};
  double pixels_per_unit = 100;
};

// The mesh lies in the plane z = 0 with y upwards, the picture's lower left corner at the origin.
// Each bone has its own joint, without rotation at rest; a bone without children has a frame at its
// tail, which moves the tail. Triangles are in the order in which they are to be drawn.
struct Puppet {
  Rig rig;
  PictureBones bones;
  Image texture;              // the picture, with room for the margin around it
  std::vector<Vec2> places;   // of the vertices in the texture, in pixels
  int width = 0, height = 0;  // of the picture
  double pixels_per_unit = 100;
  SolveNotes weight_notes, endpoint_notes;
};

// Throws InputError for bones that break a rule (see validate), and for a figure whose outline
// needs too many triangles; UsageError for options that make no sense.
Puppet make_puppet(const Silhouette& figure, const PictureBones& bones,
                   const PuppetOptions& options = {}, const Progress& progress = {});

// The bone states when the picture's joints are at `places`, in pixels. Bones turn within the
// plane; a bone of length 0 keeps its rest direction. For the standard methods, bones scale along
// their axes. Throws UsageError if the number of places is wrong.
std::vector<BoneState> puppet_states(const Puppet& puppet, std::span<const Vec2> places,
                                     const StateOptions& options = {});

// The same as a pose of the rig; joints rotate and translate but do not scale.
Pose puppet_pose(const Puppet& puppet, std::span<const Vec2> places);

// The motion as a clip with `keys_per_second` keys per second and one at its end. Throws UsageError
// for a motion that does not fit the bones, or more than 100,000 keys.
Clip picture_clip(const Puppet& puppet, const PictureMotion& motion, double keys_per_second = 60);

// Textured and unlit, with its skin, endpoint weights and clips; drawn in the order of its
// triangles, it needs no sorting.
Model to_gltf(const Puppet& puppet);

}  // namespace sinew
