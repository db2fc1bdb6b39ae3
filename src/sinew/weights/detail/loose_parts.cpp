// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/loose_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/mesh/triangle.h"

namespace sinew::detail {
namespace {

// The smallest body that a guest stays with where most is loose, in lengths of its bone.
constexpr double least_guest_body = 0.25;
// Around loose parts and bones, in extents of their box: its faces pull at nothing near them.
constexpr double box_margin = 0.25;

double distance_to_bones(const Vec3& point, const Skeleton& skeleton) {
  double least = std::numeric_limits<double>::infinity();
  for (const Bone& bone : skeleton.bones) {
    const double t = closest_on_segment(point, bone.head, bone.tail);
    least = std::min(least, distance(point, lerp(bone.head, bone.tail, t)));
  }
  return least;
}

bool is_bare(const LatticeBody& body) { return body.bones.empty() && body.guests.empty(); }

// Whether it has guests alone, all of them much longer than it is.
bool is_too_small(const LatticeBody& body) {
  if (!body.bones.empty() || body.guests.empty()) return false;
  return std::all_of(body.guests.begin(), body.guests.end(), [&](const Guest& guest) {
    const Line& line = body.lines[guest.bone];  // in units of the body's size
    return least_guest_body * distance(line.head, line.tail) > 1;
  });
}

// The twelve triangles of a box whose corners follow `first`, x lowest first, facing outwards.
std::vector<Triangle> box_triangles(Index first) {
  std::vector<Triangle> triangles;
  constexpr Index faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& face : faces) {
    triangles.push_back({first + face[0], first + face[1], first + face[2]});
    triangles.push_back({first + face[0], first + face[2], first + face[3]});
  }
  return triangles;
}

}  // namespace

std::vector<char> find_loose(std::vector<LatticeBody>& bodies, const std::vector<Vec3>& positions,
                             const Skeleton& skeleton) {
  std::vector<char> loose(bodies.size(), 0);
  // Only bare bodies and small ones with guests can be loose.
  const bool any = std::any_of(bodies.begin(), bodies.end(), [](const LatticeBody& body) {
    return is_bare(body) || is_too_small(body);
  });
  if (!any) return loose;
  std::vector<Triangle> skin;
  std::size_t with_guests = 0;
  for (const LatticeBody& body : bodies) {
    if (is_too_small(body)) {
      with_guests += body.solid.vertices.size();
    } else if (!is_bare(body)) {
      skin.insert(skin.end(), body.solid.triangles.begin(), body.solid.triangles.end());
    }
  }
  const Bvh bvh(positions, skin);
  parallel_for(bodies.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const LatticeBody& body = bodies[i];
      if (!is_bare(body)) continue;
      const double to_bone = distance_to_bones(body.frame.center, skeleton);
      loose[i] = bvh.closest(body.frame.center, to_bone) ? 0 : 1;
    }
  });
  std::size_t vertices = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (loose[i] != 0) vertices += bodies[i].solid.vertices.size();
  }
  if (vertices <= with_guests) return std::vector<char>(bodies.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!is_too_small(bodies[i])) continue;
    bodies[i].guests.clear();
    loose[i] = 1;
  }
  return loose;
}

std::optional<LatticeBody> take_loose(std::vector<LatticeBody>& bodies,
                                      const std::vector<char>& loose, const Skeleton& skeleton,
                                      std::vector<Vec3>& positions,
                                      std::vector<std::string>& repairs) {
  LatticeBody whole;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (loose[i] == 0) continue;
    const std::vector<Index>& vertices = bodies[i].solid.vertices;
    whole.solid.vertices.insert(whole.solid.vertices.end(), vertices.begin(), vertices.end());
    ++parts;
  }
  if (parts == 0) return std::nullopt;
  std::sort(whole.solid.vertices.begin(), whole.solid.vertices.end());
  repairs.push_back(
      fmt::format("{} vertices lie in {} small parts around the bones; they get the weights of the "
                  "space around them",
                  whole.solid.vertices.size(), parts));
  Box box{positions[whole.solid.vertices[0]], positions[whole.solid.vertices[0]]};
  const auto include = [&](const Vec3& p) {
    box = {component_min(box.low, p), component_max(box.high, p)};
  };
  for (const Index v : whole.solid.vertices) include(positions[v]);
  for (const Bone& bone : skeleton.bones) {
    include(bone.head);
    include(bone.tail);
  }
  const double margin = box_margin * box.diagonal();
  whole.solid.triangles = box_triangles(static_cast<Index>(positions.size()));
  for (unsigned corner = 0; corner < 8; ++corner) {
    const auto side = [&](unsigned axis, double low, double high) {
      return (corner >> axis & 1) != 0 ? high + margin : low - margin;
    };
    positions.push_back({side(0, box.low.x, box.high.x), side(1, box.low.y, box.high.y),
                         side(2, box.low.z, box.high.z)});
  }
  return whole;
}

}  // namespace sinew::detail
