// SPDX-License-Identifier: Apache-2.0
// What the vertices of a shape see of its bones.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew::detail {

// A stretch of a segment that is inside the shape or outside as a whole.
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

  virtual Stretches cut(std::span<const Segment> segments) const = 0;

  // Whether vertex v sees the point, which is one of a stretch that is inside the shape or not.
  virtual bool sees(std::size_t v, const Vec3& point, bool inside) const = 0;
};

// In a solid shape, or an open surface, a line of sight meets no triangle; one that it runs along
// does not count. In a flat shape (geometry/flatness.h) lines run in its plane and know its
// outline: to what is inside, the line stays within the vertex's own part (triangles connected by
// vertices; a part may lie on top of another); to what is outside, it leaves the shape once and
// does not come back. Vertices without triangles see through all parts. The mesh must outlive the
// result.
std::unique_ptr<Sight> make_sight(const std::vector<Vec3>& positions,
                                  const std::vector<Triangle>& triangles);

}  // namespace sinew::detail
