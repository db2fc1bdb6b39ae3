// SPDX-License-Identifier: Apache-2.0
// Offset curve deformation (Gregory and Weston 2008): each point moves on its own offset curve,
// which consists of lines and arcs, or is a B-spline. Left out of builds with SINEW_WITH_OCD=OFF.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "sinew/core/vec.h"

namespace sinew {

class Method;
struct Rig;
struct BoneState;

// Offset curves of straight lines along the bones, joined by circular arcs. The curves, their
// weights and what is not given here are the rig's (Rig::offset_curves).
struct OffsetCurveArc {
  std::optional<double> roundness{};  // instead of the rig's

  // The method with these settings.
  operator Method() const;
};

// Offset curves that are cubic B-splines. The rest is as above.
struct OffsetCurveSpline {
  std::optional<double> placement{};  // instead of the rig's

  // The method with these settings.
  operator Method() const;
};

// A rig's mesh bound to its curves once and deformed in many poses, in double precision (Plan and
// Palette are faster, in single precision). Gives the same result as
// deform_reference without blend shapes; if blend shapes change, the mesh must be bound again.
// Allocates memory in the first frame only. Runs on thread_count() threads; the result does not
// depend on their number.
class OffsetCurveSkin {
 public:
  // The rig must be valid. Throws UsageError for a setting out of range; InputError for curves or
  // weights that do not fit the rig.
  // A vertex that no curve influences does not move. Normals take four times the memory and time of
  // the positions, six times with tangents.
  OffsetCurveSkin(const Rig& rig, const OffsetCurveArc& settings, bool with_normals = false);
  OffsetCurveSkin(const Rig& rig, const OffsetCurveSpline& settings, bool with_normals = false);
  ~OffsetCurveSkin();
  OffsetCurveSkin(OffsetCurveSkin&&) noexcept;
  OffsetCurveSkin& operator=(OffsetCurveSkin&&) noexcept;

  // `bones` are the states of all the rig's bones; `out` gets one position per vertex, in world
  // space. Throws UsageError if a count is wrong; whether the states belong to this rig is not
  // checked.
  void deform(std::span<const BoneState> bones, std::span<Vec3> out);
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
