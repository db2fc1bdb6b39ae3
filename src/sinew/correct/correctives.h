// SPDX-License-Identifier: Apache-2.0
// Pose-space correctives (Lewis et al. 2000): examples of how the mesh is to look in some poses
// become blend shapes that the pose turns on (docs/methods/correctives.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/deform/told_pose.h"
#include "sinew/rig/rig.h"

namespace sinew {

// How the mesh is to look in a pose.
struct CorrectiveExample {
  std::string name;             // of the blend shape that it becomes
  ToldPose pose;                // of the rig
  std::vector<Vec3> positions;  // in world space, one for each of the rig's vertices, in its order
};

// How correctives are made and interpolated.
struct CorrectOptions {
  // Whose turns say how near a pose is to an example. If empty, those that are turned from rest in
  // an example; examples that have one in common are interpolated, others are added.
  std::vector<JointIndex> joints{};
  std::optional<double> radius{};  // in radians; see PoseSpace
  // A vertex further from its example than this share of the mesh's size (the diagonal of its
  // bounding box at rest) is off.
  double tolerance = 1e-4;
  bool squash = false;  // StateOptions::squash, as the poses will be shown
};

// A vertex that the corrective does not bring to where the example has it.
struct OffVertex {
  Index vertex = 0;
  double distance = 0;    // as a share of the mesh's size
  bool singular = false;  // the method flattens the space there: nothing could bring it there
};

// One of the blend shapes that were made.
struct CorrectiveReport {
  std::string name;
  int shape = 0;
  std::vector<JointIndex> joints;  // those of its pose space
  std::size_t moved = 0;           // vertices
  std::size_t singular = 0;        // vertices where the method cannot be inverted
  double largest_move = 0;         // before skinning, as a share of the mesh's size
  double largest_off = 0;          // from the example, in its pose, as a share of the mesh's size
  std::vector<OffVertex> off;      // further than the tolerance, in the mesh's order
};

// What make_correctives() returns.
struct Corrected {
  Rig rig;
  std::vector<CorrectiveReport> correctives;  // one for each example
};

// The rig with a blend shape for each example, and the pose spaces that drive them. At rest they do
// nothing; in the pose of an example `method` then shows that example. Correctives that the rig has
// already stay, and are interpolated with the new ones where they share joints. Vertices that the
// method cannot take to the example are left as near as it gets, and reported. The rig must be
// valid. Throws InputError naming the example ("example 0") whose mesh has another number of
// vertices or whose pose turns none of the joints or is that of another example; UsageError for no
// example, poses that do not fit the rig, options out of range and settings of the method that do
// not fit it.
Corrected make_correctives(const Rig& rig, std::span<const CorrectiveExample> examples,
                           const Method& method, const CorrectOptions& options = {},
                           const Progress& progress = {});

// Whether some vertex is off.
bool is_poor(std::span<const CorrectiveReport> correctives);

// The report as one JSON object, and as text for people. Joints by name.
std::string to_json(const Corrected& corrected);
std::string to_text(const Corrected& corrected);

}  // namespace sinew
