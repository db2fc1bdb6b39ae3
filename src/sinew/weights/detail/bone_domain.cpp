// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_domain.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/geometry/flatness.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/lattice.h"
#include "sinew/weights/detail/lay_flat.h"
#include "sinew/weights/detail/on_bone.h"

namespace sinew::detail {
namespace {

// A triangle with an edge of more times the extent of all bones than this is no part of what they
// move. One of them would make the shape flat, and the cubes of a lattice as large as the bones.
constexpr double far_too_long = 10;

// Leaves them out unless there are no others; returns how many there were.
std::size_t leave_out_huge(const std::vector<Vec3>& positions, const Skeleton& skeleton,
                           std::vector<Triangle>& triangles) {
  Box box{skeleton.bones[0].head, skeleton.bones[0].head};
  for (const Bone& bone : skeleton.bones) {
    box.low = component_min(component_min(box.low, bone.head), bone.tail);
    box.high = component_max(component_max(box.high, bone.head), bone.tail);
  }
  const double longest = far_too_long * box.diagonal();
  std::vector<Triangle> kept;
  for (const Triangle& t : triangles) {
    const Vec3 &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]];
    if (std::max({distance(a, b), distance(b, c), distance(c, a)}) <= longest) kept.push_back(t);
  }
  if (kept.empty() || kept.size() == triangles.size()) return 0;
  std::swap(kept, triangles);
  return kept.size() - triangles.size();
}

std::vector<std::size_t> find_same_ends(const Skeleton& skeleton) {
  std::map<std::array<double, 6>, std::size_t> first;
  std::vector<std::size_t> same;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Vec3 &head = skeleton.bones[b].head, &tail = skeleton.bones[b].tail;
    same.push_back(
        first.try_emplace({head.x, head.y, head.z, tail.x, tail.y, tail.z}, b).first->second);
  }
  return same;
}

}  // namespace

bool BoneDomain::is_alone(std::size_t sample, std::size_t bone) const {
  const std::vector<BoneAt>& here = bones_at[sample];
  return !here.empty() && std::all_of(here.begin(), here.end(), [&](const BoneAt& b) {
    return same_ends[b.bone] == same_ends[bone];
  });
}

BoneDomain bone_domain(const Mesh& mesh, const Skeleton& skeleton, std::size_t lattice_nodes,
                       const Progress& progress) {
  BoneDomain d;
  d.skeleton = skeleton;
  d.positions = mesh.positions;
  bool in_plane = false;
  std::vector<std::string> repairs;
  if (mesh.tetrahedra.empty()) {
    Welded welded = weld(mesh.positions, mesh.triangles);
    const std::size_t huge = leave_out_huge(welded.positions, skeleton, welded.triangles);
    if (huge > 0) {
      repairs.push_back(fmt::format(
          "triangles with edges of more than {} times the extent of all bones are left out: {}",
          far_too_long, huge));
    }
    if (const auto flat = find_flat(welded.positions, welded.triangles)) {
      in_plane = true;
      if (flat->thickness > 1e-9 * flat->width) {
        repairs.push_back(
            fmt::format("the shape is flat (its thickness is {:.2g} of its width); weights are "
                        "computed in its plane",
                        flat->thickness / flat->width));
      }
      lay_flat(*flat, welded);
      lay_flat(*flat, d.skeleton);
      for (Vec3& p : d.positions) p = flat->flattened(p);
    }
    d.node_vertex = std::move(welded.representative_of);
    d.welded_positions = std::move(welded.positions);
    d.triangles = std::move(welded.triangles);
  } else {
    d.node_vertex.resize(mesh.positions.size());
    std::iota(d.node_vertex.begin(), d.node_vertex.end(), Index{0});
    d.welded_positions = mesh.positions;
    d.triangles = mesh.triangles;
  }
  d.on_bone = on_bone_tolerance(d.skeleton, d.positions);
  d.same_ends = find_same_ends(d.skeleton);
  Mesh plain;
  plain.positions = d.welded_positions;
  plain.triangles = d.triangles;
  plain.tetrahedra = mesh.tetrahedra;
  d.domain =
      in_plane || !mesh.tetrahedra.empty()
          ? mesh_domain(plain, d.skeleton)
          : lattice_domain(plain.positions, plain.triangles, d.skeleton, lattice_nodes, progress);
  d.domain.repairs.insert(d.domain.repairs.begin(), repairs.begin(), repairs.end());
  d.bones_at.resize(d.domain.samples.size());
  parallel_for(d.bones_at.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      for (std::size_t b = 0; b < d.skeleton.bones.size(); ++b) {
        const auto t = parameter_on(d.skeleton.bones[b], d.domain.sample_points[s], d.on_bone);
        if (t) d.bones_at[s].push_back({static_cast<int>(b), *t});
      }
    }
  });
  std::vector<std::size_t> elements(d.domain.elements.size());
  std::iota(elements.begin(), elements.end(), std::size_t{0});
  std::vector<int> nodes(d.domain.points.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const int count = static_cast<int>(nodes.size());
  d.domain.order = EliminationOrder(bilaplacian(d.domain, elements, nodes, count), d.domain.points);
  return d;
}

}  // namespace sinew::detail
