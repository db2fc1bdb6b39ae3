// SPDX-License-Identifier: Apache-2.0
// Visibility of bones from the vertices of a shape.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew::detail {

// An interval of a segment that lies entirely inside or entirely outside the shape.
struct Stretch {
  Segment segment;
  int handle = 0;  // the segment's number
};

struct Stretches {
  std::vector<Stretch> inside, outside;  // in the order of segments
};

// Lines of sight from the vertices of a welded mesh in unit space. Queries may run on several
// threads.
class Sight {
 public:
  virtual ~Sight() = default;

  // Whether the shape is flat as a whole.
  virtual bool is_flat() const = 0;

  virtual Stretches cut(std::span<const Segment> segments) const = 0;
  // Gives back the memory that only cut() needs, which must not be called again.
  virtual void end_cutting() = 0;

  // Whether vertex v sees the point; `inside` says whether the point's interval is inside the
  // shape.
  virtual bool sees(std::size_t v, const Vec3& point, bool inside) const = 0;
};

// In a solid shape or an open surface, a line of sight must not cross a triangle; triangles that it
// runs along do not count. In a flat shape (geometry/flatness.h) lines of sight lie in its plane. A
// line to a point inside must stay within the vertex's own part (triangles connected by vertices;
// parts may overlap); a line to a point outside may leave the shape once and must not re-enter it.
// Vertices without triangles see through all parts. The mesh must outlive the result.
std::unique_ptr<Sight> make_sight(const std::vector<Vec3>& positions,
                                  const std::vector<Triangle>& triangles);
// The same after end_cutting().
std::unique_ptr<Sight> make_sight_without_cuts(const std::vector<Vec3>& positions,
                                               const std::vector<Triangle>& triangles);

}  // namespace sinew::detail
