// SPDX-License-Identifier: Apache-2.0
// Volumes of poses of one shape.
#pragma once

#include <optional>
#include <vector>

#include "sinew/geometry/components.h"
#include "sinew/measure/volume.h"
#include "sinew/mesh/weld.h"

namespace sinew::detail {

// An edge from `from` to `to` that `times` more triangles run along than run back.
struct RimEdge {
  Index from, to;
  int times;
};

// A surface with its holes closed; rims, their lengths and parts are those at rest.
class ClosedSurface {
 public:
  // The mesh must be sound.
  ClosedSurface(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest);

  // See volume_change(). May be called on several threads at once.
  std::optional<VolumeChange> change(const std::vector<Vec3>& deformed) const;

 private:
  struct PartSize {
    double volume = 0;
    double area = 0;
    double fan_area = 0;
  };
  // Of welded positions.
  std::vector<PartSize> sizes(const std::vector<Vec3>& positions) const;
  std::vector<Vec3> hole_middles(const std::vector<Vec3>& positions) const;

  Welded welded_;
  std::vector<Triangle> triangles_;  // of welded vertices, all the same way around
  std::vector<RimEdge> rim_;
  std::vector<double> rim_lengths_;
  Components parts_, holes_;
  std::vector<Index> anchors_;  // a vertex of each part
  std::vector<PartSize> rest_;
  double extent_;
};

}  // namespace sinew::detail
