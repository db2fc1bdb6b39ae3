// SPDX-License-Identifier: Apache-2.0
// Report of a bake: what it produced, and its error against the true stretchable, twistable bones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/skeleton/indices.h"

namespace sinew {

// A bone that was split.
struct BakedBone {
  std::string name;  // of its joint
  BoneIndex bone = 0;
  int segments = 0;
  double twist = 0;     // the largest difference of the two ends' twists, in degrees
  double shortest = 1;  // its length in the poses, as a fraction of its bind length
  double longest = 1;
  double radius = 0;  // of the limb around it: mean distance of its vertices from its axis
  double max_error_percent =
      0;  // over the vertices it moves most, in per cent of their limbs' radius
  double max_error_box_percent = 0;  // the same in per cent of the bounding box's diagonal
};

// A bone with vertices farther from the true result than the bound allows.
struct BoneOverBound {
  std::string name;  // of its joint
  BoneIndex bone = 0;
  double max_error_percent = 0;  // per cent of the limb's radius
};

// Helpers in poses outside the clips. Errors in the same units as in BakeReport.
struct LiveReport {
  std::size_t poses = 0;         // number of poses in which the errors below were measured
  double max_error_percent = 0;  // with helpers moved by the table
  double max_error_box_percent = 0;
  double plain_error_box = 0;   // of the rig's own linear blend skinning
  std::size_t constraints = 0;  // 0: there are none
  // With helpers turned by the constraints, in the poses without stretch.
  double constraint_error = 0;
  double constraint_error_box = 0;
};

// What a bake made and what it lost.
struct BakeReport {
  std::vector<BakedBone> bones;  // those that were split
  std::size_t helpers = 0;
  std::size_t vertices = 0;
  std::size_t clips = 0;
  std::size_t keys = 0;               // of all tracks that were added
  std::size_t poses = 0;              // number of poses in which the errors were measured
  bool generic_poses = false;         // generated, because there are no clips
  std::size_t influence_limit = 0;    // 0: none
  std::size_t max_influences = 0;     // per vertex, as baked
  std::size_t needed_influences = 0;  // before they were limited
  std::size_t pruned = 0;             // vertices that lost an influence
  std::optional<double> bound;        // per cent of the limb's radius
  double max_error_percent = 0;       // per cent of the limb's radius, as the bound
  double max_error_box_percent = 0;   // per cent of the bounding box's diagonal
  double rms_error_box = 0;
  double plain_error_box = 0;  // largest, of the rig's own linear blend skinning
  std::optional<LiveReport> live;
  std::vector<BoneOverBound> over_bound;  // bones that miss the bound, worst first; split or not
  std::string remedy;                     // how to meet the bound; empty if it is met
  std::vector<std::string> notes;         // what could not be converted
};

// Whether the bound is met, or there is none.
bool is_within_bound(const BakeReport& report);

// The text that the command line prints: lines of label and value, without a trailing line break.
std::string to_text(const BakeReport& report);

// One object, indented by two spaces, with the same names.
std::string to_json(const BakeReport& report);

}  // namespace sinew
