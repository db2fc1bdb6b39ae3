// SPDX-License-Identifier: Apache-2.0
// Paints bone weights and endpoint weights on the surface, stroke by stroke.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "sinew/core/plane.h"
#include "sinew/geometry/bvh.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/skin.h"
#include "sinew/weights/locks.h"

namespace sinew {

// What is painted.
enum class PaintTarget { bone_weights, endpoints, twist_endpoints };
// What a dab does to it.
enum class PaintMode {
  add,       // the strength
  subtract,  // the strength
  replace,   // by the brush's value
  smooth,    // towards the mean of the neighbours
  sharpen,   // what has more gets more: shares go towards their squares
};
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
  BoneIndex bone = 0;     // ignored where paints_all_bones()
  double value = 1;       // target of `replace`
  double radius = 1;      // along the surface, in the mesh's units
  double strength = 0.5;  // in [0, 1]: how much a dab adds, subtracts or mixes in at its center
  Falloff falloff = Falloff::smooth;
  bool mirror = false;  // also apply the mirrored dab to the mirrored bone
};

// Smoothing and sharpening bone weights is for all bones of a vertex.
inline bool paints_all_bones(const Brush& brush) {
  return brush.target == PaintTarget::bone_weights &&
         (brush.mode == PaintMode::smooth || brush.mode == PaintMode::sharpen);
}

// Holds the weights being painted, with precomputed data that makes a dab cost time in proportion
// to the vertices within its radius (plus the logarithm of the mesh size to find the mirrored
// point).
//
// A dab changes the vertices within the radius along the surface; it does not jump over gaps or to
// the other side of a thin sheet. Copies of a vertex along seams are painted alike. All vertices of
// a dab change simultaneously, computed from their values before the dab. Bone weights stay
// normalised as by set_weights(): locked bones keep their weights, and a vertex does not change if
// no other unlocked bone can take or give weight. Bones whose weight becomes 0 leave the row. A
// bone new to a vertex gets the endpoint weight of the vertex's neighbours or, if they have none,
// the one given by projection. Endpoint weights are painted where the bone has weight and is not
// locked, and stay in [0, 1].
//
// Sharpening moves the unlocked bone weights of a vertex towards their squares, scaled to the same
// sum: repeated, the strongest bone takes all. An endpoint weight is such a share of the tail, with
// the head's beside it: it goes to the end that has more.
//
// Where a dab and its mirror image overlap, each bone gets its own amount; a bone that is its own
// mirror image gets the larger of the two. Bones are paired by mirror_bones(). For a bone that
// crosses the plane, the mirrored dab adds to endpoint weights where this one subtracts, and vice
// versa.
class WeightPainter {
 public:
  // Throws InputError for a mesh or weights that break a rule or do not fit, and as mirror_bones().
  WeightPainter(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin,
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

  // A stroke is the unit of undo. A dab outside a stroke is a stroke of its own; beginning a stroke
  // ends the previous one. Painting discards undone strokes. The last 256 strokes are kept.
  void begin_stroke();
  void end_stroke();

  // Paints, and returns the mesh's vertices whose weights changed, ascending; valid until the next
  // call. Throws UsageError for an invalid brush (a bone that does not exist, a radius that is not
  // positive, endpoint weights the skin does not have) or a point that is not on the mesh.
  std::span<const Index> dab(const Brush& brush, const SurfacePoint& at);
  // Throws UsageError for an invalid brush.
  void require(const Brush& brush) const;

  // Undo or redo one stroke; false if there is none. Both end the current stroke.
  bool undo();
  bool redo();
  bool can_undo() const;
  bool can_redo() const;

  // What the last dab, undo or redo changed: the mesh's vertices, ascending; valid until the next.
  std::span<const Index> changed() const;

  // The current row of a vertex. Throws UsageError for a vertex out of range.
  std::vector<Influence> row(std::size_t vertex) const;
  // The current rows of these vertices, in their order, with the same endpoint weight arrays as the
  // input and nothing else. Throws UsageError for a vertex out of range.
  Skin rows(std::span<const Index> vertices) const;
  // The skin with all current weights and endpoint weights, of the kinds that it had; filters and
  // blend shares are as they were.
  Skin skin() const;

 private:
  class Canvas;
  std::unique_ptr<Canvas> canvas_;
};

}  // namespace sinew
