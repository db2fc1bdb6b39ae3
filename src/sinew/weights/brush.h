// SPDX-License-Identifier: Apache-2.0
// Painting of bone weights and endpoint weights on the surface, stroke by stroke.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "sinew/core/plane.h"
#include "sinew/geometry/bvh.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/locks.h"
#include "sinew/weights/skin_weights.h"

namespace sinew {

// What is painted.
enum class PaintTarget { bone_weights, endpoints, twist_endpoints };
// What a dab does to it.
enum class PaintMode { add, subtract, replace, smooth };
// How strong a dab is at a distance from its center.
enum class Falloff {
  constant,  // 1 up to the radius
  linear,    // 1 - d
  smooth,    // (1 - d^2)^2, with d the distance as a share of the radius
};

// What a dab does, and how far it reaches.
struct Brush {
  PaintTarget target = PaintTarget::bone_weights;
  PaintMode mode = PaintMode::add;
  int bone = 0;           // smoothing of bone weights works on all of them
  double value = 1;       // what `replace` leads to
  double radius = 1;      // along the surface, in the mesh's units
  double strength = 0.5;  // in [0, 1]: what a dab adds, takes or mixes in at its center
  Falloff falloff = Falloff::smooth;
  bool mirror = false;  // the mirrored dab for the mirrored bone as well
};

// Holds the weights that are painted and what a dab needs, so that it costs in proportion to the
// vertices within its radius (and, for finding the mirrored place, the logarithm of the mesh).
//
// A dab changes the vertices within the radius along the surface; it does not jump over gaps or
// to the other side of a thin sheet. Copies of a vertex along seams are painted alike. All vertices
// of a dab change at once, from what they were before it. Bone weights stay normalised as
// set_weights() has it: locked bones keep theirs, and where there is no other unlocked bone to take
// or give, a vertex stays as it is. Bones with weight 0 leave the row; a bone that comes to a
// vertex gets its neighbours' endpoint weight there or, if they have none, that of its projection.
// Endpoint weights are painted where the bone has weight and is not locked, and stay in [0, 1].
//
// Where a dab and its mirror image overlap, each bone gets its own amount, and a bone that is its
// own image the larger of both. Bones are paired by mirror_bones(); for a bone across the plane,
// the mirrored dab of endpoint weights adds where this one takes.
class WeightPainter {
 public:
  // Throws InputError for a mesh or weights that break a rule or do not fit, and as mirror_bones().
  WeightPainter(const Mesh& mesh, const Skeleton& skeleton, const SkinWeights& skin,
                const Plane& mirror_plane = {});
  ~WeightPainter();
  WeightPainter(WeightPainter&&) noexcept;
  WeightPainter& operator=(WeightPainter&&) noexcept;

  // Bones that painting leaves as they are.
  void set_locks(Locks locks);
  const Locks& locks() const;

  // Points of the surface to paint at; triangles are the mesh's.
  std::optional<SurfacePoint> pick(const Ray& ray) const;
  std::optional<SurfacePoint> nearest(const Vec3& p) const;

  // A stroke is what undo takes back at once. A dab outside a stroke is one of its own; beginning a
  // stroke ends the last. Painting forgets what was undone. The last 256 strokes are kept.
  void begin_stroke();
  void end_stroke();

  // Paints, and returns the mesh's vertices whose weights changed, ascending; valid until the next
  // call. Throws UsageError for a brush that cannot be (a bone that does not exist, a radius that
  // is not positive, endpoint weights that are not there) or a point that is not on the mesh.
  std::span<const Index> dab(const Brush& brush, const SurfacePoint& at);

  // Takes a stroke back, or does it again; false if there is none. Ends the stroke at hand.
  bool undo();
  bool redo();
  bool can_undo() const;
  bool can_redo() const;

  // One row as it is now; of any vertex of the mesh. Throws UsageError for another.
  std::vector<Influence> row(std::size_t vertex) const;
  // The whole, with the arrays of endpoint weights that there were in the beginning.
  SkinWeights skin() const;

 private:
  class Canvas;
  std::unique_ptr<Canvas> canvas_;
};

}  // namespace sinew
