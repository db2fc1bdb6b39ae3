// SPDX-License-Identifier: Apache-2.0
// Offset curve deformation (Gregory and Weston, seed 003): every point rides on an offset curve of
// its own, made of lines and arcs or of a B-spline. Left out of builds with SINEW_WITH_OCD=OFF.
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

// What an artist may change of one influence curve. As they stand here, they change nothing; the
// first four move the shape at rest, too.
struct CurveControls {
  double along = 0;     // moves the offset curves along the twist axis, in mesh units
  double outward = 0;   // moves them away from the axis, in mesh units; never past the axis
  double rescale = 1;   // stretches the bind parameter about the curve's middle
  double slide = 0;     // and then moves it, in fractions of the curve's length
  FilterCurve twist{};  // along each bone: how its two twist angles are mixed
  FilterCurve
      scale{};  // from the middle of each bone to the middle of the next: how scale goes over
};

// A chain of bones whose offset curves carry the skin. Where one bone's tail is not the next one's
// head, the chain goes through the middle between the two.
struct InfluenceCurve {
  std::vector<int> bones;
  // The bone that the chain grows out of, or -1. Where the two meet and bend by less than 60
  // degrees at bind, the curve starts with that bone; otherwise it starts with a piece that
  // continues the first bone straight backwards and moves rigidly with that bone (a thigh in a
  // pelvis).
  int lead_in = -1;
  CurveControls controls{};
};

// Every maximal chain of bones that point to each other; chains end where the skeleton branches,
// and each branch starts a chain of its own that grows out of the bone before it.
std::vector<InfluenceCurve> default_curves(const Skeleton& skeleton);

// Curves of straight lines along the bones, joined by circular arcs.
struct OffsetCurveArc {
  // The radius of the arc inside a bend, as a share of the point's distance from the bone (times
  // the cosine of half the bend); 0 is a sharp crease.
  double roundness = 0.5;
  std::vector<InfluenceCurve> curves{};  // empty: default_curves
  // How much each curve counts at each vertex, vertices x curves; rows are scaled to sum 1. Empty:
  // from the rig's bone weights, or from the distance to the curves where it has none.
  std::vector<double> painted_weights{};

  // The method with these settings.
  operator Method() const;
};

// Cubic B-splines through the space around the bones.
struct OffsetCurveSpline {
  // Control points lie at the joints and at this distance from them, in radii of the limb there,
  // but no further than half of a bone. Above 0. Bends do not fold inside up to 2 atan(placement):
  // 131 degrees.
  double placement = 2.2;
  std::vector<InfluenceCurve> curves{};   // empty: default_curves
  std::vector<double> painted_weights{};  // as above

  // The method with these settings.
  operator Method() const;
};

// A rig's mesh bound to its curves once, to be deformed in many poses. Equal to deform_reference
// without blend shapes: a mesh whose shapes change must be bound again. No memory is allocated in a
// frame, except in the first; runs on thread_count() threads, with the same bits whatever their
// number.
class OffsetCurveSkin {
 public:
  // Throws UsageError for a setting out of range, a bone that does not exist, or painted weights of
  // the wrong number; InputError for weights that do not fit the rig, which must be valid. A vertex
  // that no curve reaches stays where it is. Normals take four times the memory and time of the
  // positions, six times with tangents.
  OffsetCurveSkin(const Rig& rig, const OffsetCurveArc& settings, bool with_normals = false);
  OffsetCurveSkin(const Rig& rig, const OffsetCurveSpline& settings, bool with_normals = false);
  ~OffsetCurveSkin();
  OffsetCurveSkin(OffsetCurveSkin&&) noexcept;
  OffsetCurveSkin& operator=(OffsetCurveSkin&&) noexcept;

  // `bones` are the states of all the rig's bones; `out` has one place per vertex, in world space.
  // Throws UsageError for other numbers of them; that they are this rig's is for the caller to see
  // to. In float, rounding takes up to 2e-5 of the mesh's size.
  void deform(std::span<const BoneState> bones, std::span<Vec3> out);
  void deform(std::span<const BoneState> bones, std::span<Vec3f> out);
  // The same with normals, for a skin that was bound with them, and tangents, if the rig has them
  // (none: left out).
  void deform(std::span<const BoneState> bones, std::span<Vec3> positions, std::span<Vec3> normals,
              std::span<Vec4> tangents = {});

 private:
  struct Data;

  void pose(std::span<const BoneState> bones);
  void check_room(std::size_t count) const;

  std::unique_ptr<Data> data_;
};

}  // namespace sinew
