// SPDX-License-Identifier: Apache-2.0
// Bakes a clip to blend shapes or to a point cache, without a skeleton and with any accuracy.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/rig/rig.h"

namespace sinew {

// How exact the blend shapes are.
struct MorphOptions {
  // Bound on each vertex's distance from the true result, in per cent of the bounding box's
  // diagonal.
  double max_error_percent = 0.1;
  // Keys are placed only at frames of this rate. If empty: at 60 per second, or up to 480 where the
  // clip is fast, and at the clip's own keys.
  std::optional<double> frames_per_second{};
  StateOptions states{};  // how bones follow joints; the detail is the method's
};

// What was made of a clip, and how far it is from the true result.
struct MorphReport {
  std::string clip;
  std::size_t vertices = 0;
  std::size_t targets = 0;
  std::size_t moments = 0;  // times measured: all possible keys, and in between
  double bound = 0;         // per cent of the bounding box diagonal, like the errors
  double max_error_percent = 0;
  double rms_error = 0;
  std::string remedy;  // how to meet the bound; empty if it is met
};

// Whether the largest error keeps the bound.
bool is_within_bound(const MorphReport& report);

// The text that the command line prints, without a trailing line break; and one JSON object.
std::string to_text(const MorphReport& report);
std::string to_json(const MorphReport& report);

// The rig without skeleton, and how good it is.
struct Morphed {
  Rig rig;
  MorphReport report;
};

// The result has the mesh in world space at the start of the clip, without skeleton and weights; a
// blend shape for each further key, which reproduces the clip at that key; and one clip of the same
// name that fades from each shape to the next. Keys are as far apart as the bound allows. The
// mesh's own blend shapes are baked in. Normals and tangents are included if the mesh has them.
//
// Throws UsageError for options out of range, or if the shapes would take more than a GiB;
// InputError for a rig that is not valid or has no weights, or a clip that takes a vertex to
// infinity.
Morphed bake_morph(const Rig& rig, const Clip& clip, const Method& method,
                   const MorphOptions& options = {}, const Progress& progress = {});

// The frames of a clip, evenly spaced from 0 to its end or just past it, one after another, each
// with all vertices in order, in world space.
struct CachedClip {
  std::vector<double> times;
  std::vector<Vec3f> positions;
};

// Throws as bake_morph, also if the frames would take more than a GiB.
CachedClip bake_cache(const Rig& rig, const Clip& clip, const Method& method,
                      double frames_per_second, const Progress& progress = {},
                      const StateOptions& states = {});

}  // namespace sinew
