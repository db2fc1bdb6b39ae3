// SPDX-License-Identifier: Apache-2.0
// A clip without a skeleton, as exact as one likes: as blend shapes, or frame by frame.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/deform/method.h"
#include "sinew/rig/rig.h"

namespace sinew {

// How exact the blend shapes are.
struct MorphOptions {
  // Bound on each vertex's distance from the true result, in per cent of the bounding box's
  // diagonal.
  double max_error = 0.1;
  // Keys may be at these frames alone; missing: 60 a second, or up to
  // 480 where the clip is fast, and at its own keys.
  std::optional<double> frames_per_second{};
};

// What was made of a clip, and how far it is from the true result.
struct MorphReport {
  std::string clip;
  std::size_t vertices = 0;
  std::size_t targets = 0;
  std::size_t moments = 0;  // that errors were measured at: all places for keys, and in between
  double bound = 0;         // per cent of the bounding box's diagonal, as the errors
  double max_error = 0;
  double rms_error = 0;
  std::string remedy;  // what would meet the bound; empty if it is met
};

// Whether the largest error keeps the bound.
bool is_within_bound(const MorphReport& report);

// As the command line prints it, without a line break at the end; and as one JSON object.
std::string to_text(const MorphReport& report);
std::string to_json(const MorphReport& report);

// The rig without skeleton, and how good it is.
struct Morphed {
  Rig rig;
  MorphReport report;
};

// The mesh in world space at the clip's first moment, without skeleton and weights; a blend shape
// for each further key, which takes it to where the clip has it then; and one clip, of the same
// name, that fades from each to the next. Keys are as far apart as the bound allows. Blend shapes
// that the mesh had are part of the result. Normals and tangents go along where the mesh has them.
//
// Throws UsageError for options out of range, or if the shapes would take more than a GiB;
// InputError for a rig that is not valid or has no weights, or a clip that takes a vertex to
// infinity.
Morphed bake_morph(const Rig& rig, const Clip& clip, const Method& method,
                   const MorphOptions& options = {}, const Progress& progress = {});

// Frames of a clip, evenly spaced from 0 to its end, or just past it: one after another, each with
// all vertices in order, in world space.
struct CachedClip {
  std::vector<double> times;
  std::vector<Vec3f> positions;
};

// Throws as bake_morph; at most a GiB of them, too.
CachedClip bake_cache(const Rig& rig, const Clip& clip, const Method& method,
                      double frames_per_second, const Progress& progress = {});

}  // namespace sinew
