// SPDX-License-Identifier: Apache-2.0
// What bone heat, its endpoint weights and the report need of a mesh and its bones: found once for
// all of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/mesh/weld.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/heat_sources.h"
#include "sinew/weights/detail/heat_surface.h"
#include "sinew/weights/detail/sight.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew::detail {

// The mesh without its seams and the bones, in unit space.
struct WeldedScene {
  UnitSpace space;
  Welded welded;
  std::vector<Segment> bones;
};

// Lines of sight, and what vertices see of the bones.
struct BoneViews {
  std::unique_ptr<Sight> sight;
  Stretches bones, joints;  // joints: the points of bone_ends.h
  SeenSegments seen;        // of the bones
};

// Each part is made when it is first asked for, which one thread at a time may do for each of
// them. The mesh and the skeleton must outlive it.
class BoneScene {
 public:
  BoneScene(const Mesh& mesh, const Skeleton& skeleton) : mesh_(mesh), skeleton_(skeleton) {}

  const Mesh& mesh() const { return mesh_; }
  const Skeleton& skeleton() const { return skeleton_; }

  // Throws InputError for a mesh or skeleton that breaks a rule, and for one without bones.
  const WeldedScene& welded();
  // These two are for after welded(), and may then be made side by side.
  const BoneViews& views();
  HeatSurface& heat_surface();

  // For the memory that lines of sight take; views() makes them anew.
  void give_back_sight();
  // Whether the heat equation is solved once only, which takes less memory.
  void solve_heat_once() { once_ = true; }
  bool solves_heat_once() const { return once_; }

 private:
  const Mesh& mesh_;
  const Skeleton& skeleton_;
  std::optional<WeldedScene> welded_;
  std::optional<BoneViews> views_;
  std::optional<HeatSurface> heat_surface_;
  bool once_ = false;
};

}  // namespace sinew::detail
