// SPDX-License-Identifier: Apache-2.0
// Paints stroke by stroke, and keeps the strokes so that they can be replayed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/edit/editing.h"
#include "sinew/edit/strokes.h"

namespace sinew {

// A WeightPainter that finds bones and places as files of strokes name them. PaintStep paints with
// it, so that replaying strokes() on the same rig with the same locks gives the same bits.
class StrokePainter {
 public:
  // The rig must be valid and have weights; it is copied. Throws as WeightPainter.
  explicit StrokePainter(const Rig& rig, const Plane& mirror_plane = {}, const Locks& locks = {});

  // The weights as they are painted, and what changed last.
  const WeightPainter& weights() const { return painter_; }

  // The stroke's brush with its bone. Throws UsageError unless the stroke names one bone, or none.
  Brush brush_of(const PaintStroke& stroke) const;
  // The point of the surface that a dab goes to; nothing for a ray that meets none. Throws
  // UsageError for a triangle that does not exist.
  std::optional<SurfacePoint> find(const PaintDab& dab) const;

  // Begins a stroke with the brush and the bone of this one; its dabs do not count. Ends the stroke
  // before. Throws as brush_of().
  void begin(const PaintStroke& stroke);
  // Paints in the present stroke; WeightPainter::changed() then says which vertices changed. False
  // if nothing was found to paint at. Throws UsageError without a stroke, and as
  // WeightPainter::dab().
  bool dab(const PaintDab& dab);
  // Ends the stroke; without one, does nothing.
  void end();

  // One stroke back or forth; false if there is none. Both end the present stroke.
  bool undo();
  bool redo();

  // All strokes that changed something and were not undone, the present one included.
  PaintStrokes strokes() const;
  // Puts the painted rows into a rig with the same vertices and bones. Rows that were not painted
  // stay as that rig has them, bit by bit.
  void put(Editing& editing) const;

 private:
  std::vector<Triangle> triangles_;
  std::vector<Vec3> positions_;
  Skeleton skeleton_;
  Plane mirror_plane_;
  WeightPainter painter_;
  std::vector<bool> painted_;  // vertices that ever changed
  std::optional<PaintStroke> present_;
  Brush brush_;               // of the present stroke
  bool has_changed_ = false;  // by the present stroke
  std::vector<PaintStroke> done_, undone_;
};

}  // namespace sinew
