// SPDX-License-Identifier: Apache-2.0
// Offset curve deformation (Gregory and Weston 2008): each point moves on its own offset curve,
// which consists of lines and arcs, or is a B-spline. Left out of builds with SINEW_WITH_OCD=OFF.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/filter.h"

namespace sinew {

class Method;
struct Rig;
struct BoneState;

// Artist controls of one influence curve. The defaults change nothing; the first four also change
// the shape at rest.
struct CurveControls {
  double along = 0;     // moves the offset curves along the twist axis, in mesh units
  double outward = 0;   // moves them away from the axis, in mesh units; never past the axis
  double rescale = 1;   // scales the bind parameter about the curve's middle
  double slide = 0;     // then shifts it, in fractions of the curve's length
  FilterCurve twist{};  // blend of a bone's two end twists along it
  FilterCurve scale{};  // blend of scale from the middle of each bone to the middle of the next
};

// A chain of bones whose offset curves carry the skin. If one bone's tail is not the next one's
// head, the chain passes through their midpoint.
struct InfluenceCurve {
  std::vector<BoneIndex> bones;
  // The parent bone of the chain, or -1. If the two meet at an angle of less than 60 degrees at
  // bind, the curve starts with the parent bone. Otherwise it starts with a piece that extends the
  // first bone straight backwards and moves rigidly with the parent bone (a thigh in a pelvis).
  BoneIndex lead_in = no_bone;
  CurveControls controls{};
};

// All maximal chains of bones that point to each other. Chains end where the skeleton branches, and
// each branch starts a chain whose lead-in is the bone before it.
std::vector<InfluenceCurve> default_curves(const Skeleton& skeleton);

// Offset curves of straight lines along the bones, joined by circular arcs.
struct OffsetCurveArc {
  // The radius of the arc inside a bend, as a fraction of the point's distance from the bone (times
  // the cosine of half the bend angle); 0 makes a sharp crease.
  double roundness = 0.5;
  std::vector<InfluenceCurve> curves{};  // empty: default_curves
  // The weight of each curve at each vertex, vertices x curves; rows are scaled to sum 1. Empty:
  // from the rig's bone weights or, if it has none, from the distance to the curves.
  std::vector<double> painted_weights{};

  // The method with these settings.
  operator Method() const;
};

// Offset curves that are cubic B-splines.
struct OffsetCurveSpline {
  // Control points lie at the joints and at this distance from them, in radii of the limb there,
  // but at most half a bone away. Must be positive. Bends do not fold on the inside up to an angle
  // of 2 atan(placement), by default 131 degrees.
  double placement = 2.2;
  std::vector<InfluenceCurve> curves{};   // empty: default_curves
  std::vector<double> painted_weights{};  // as above

  // The method with these settings.
  operator Method() const;
};

// A rig's mesh bound to its curves once and deformed in many poses. Gives the same result as
// deform_reference without blend shapes; if blend shapes change, the mesh must be bound again.
// Allocates memory in the first frame only. Runs on thread_count() threads; the result does not
// depend on their number.
class OffsetCurveSkin {
 public:
  // The rig must be valid. Throws UsageError for a setting out of range, a bone that does not
  // exist, or the wrong number of painted weights; InputError for weights that do not fit the rig.
  // A vertex that no curve influences does not move. Normals take four times the memory and time of
  // the positions, six times with tangents.
  OffsetCurveSkin(const Rig& rig, const OffsetCurveArc& settings, bool with_normals = false);
  OffsetCurveSkin(const Rig& rig, const OffsetCurveSpline& settings, bool with_normals = false);
  ~OffsetCurveSkin();
  OffsetCurveSkin(OffsetCurveSkin&&) noexcept;
  OffsetCurveSkin& operator=(OffsetCurveSkin&&) noexcept;

  // `bones` are the states of all the rig's bones; `out` gets one position per vertex, in world
  // space. Throws UsageError if a count is wrong; whether the states belong to this rig is not
  // checked. The float version is accurate to 2e-5 of the mesh's size.
  void deform(std::span<const BoneState> bones, std::span<Vec3> out);
  void deform(std::span<const BoneState> bones, std::span<Vec3f> out);
  // The same with normals, for a skin bound with them, and with tangents if the rig has them (leave
  // `tangents` empty to omit them).
  void deform(std::span<const BoneState> bones, std::span<Vec3> positions, std::span<Vec3> normals,
              std::span<Vec4> tangents = {});

 private:
  struct Data;

  void pose(std::span<const BoneState> bones);
  void check_room(std::size_t count) const;

  std::unique_ptr<Data> data_;
};

}  // namespace sinew
