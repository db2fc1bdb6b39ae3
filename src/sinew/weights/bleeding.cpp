// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/bleeding.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/mesh/bvh.h"
#include "sinew/mesh/triangle.h"
#include "sinew/skeleton/limbs.h"
#include "sinew/weights/compare.h"

namespace sinew {
namespace {

constexpr double near_ratio = 2;
// The surface begins at the vertex itself, and bones may end on it.
constexpr double sight_begin = 1e-6;
constexpr double sight_end = 1 - 1e-6;

struct Reach {
  std::size_t bone;
  Vec3 point;  // of the bone, nearest to the vertex
  double distance;
};

class Judge {
 public:
  Judge(const Mesh& mesh, const Skeleton& skeleton)
      : mesh_(mesh),
        skeleton_(skeleton),
        limbs_(find_limbs(skeleton)),
        bvh_(mesh.positions, mesh.triangles) {}

  bool bleeds(std::size_t vertex, int dominant, std::vector<Reach>& reaches) const {
    if (dominant < 0) return false;
    const Vec3& p = mesh_.positions[vertex];
    reaches.clear();
    for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
      const Bone& bone = skeleton_.bones[b];
      const Vec3 point = lerp(bone.head, bone.tail, closest_on_segment(p, bone.head, bone.tail));
      reaches.push_back({b, point, distance(p, point)});
    }
    std::stable_sort(reaches.begin(), reaches.end(),
                     [](const Reach& a, const Reach& b) { return a.distance < b.distance; });
    const auto first =
        std::find_if(reaches.begin(), reaches.end(), [&](const Reach& r) { return sees(p, r); });
    const bool blind = first == reaches.end();
    const double limit = near_ratio * (blind ? reaches.front().distance : first->distance);
    const int limb = limbs_.of_bone[static_cast<std::size_t>(dominant)];
    return std::none_of(reaches.begin(), reaches.end(), [&](const Reach& r) {
      return r.distance <= limit && limbs_.connected(limb, limbs_.of_bone[r.bone]) &&
             (blind || sees(p, r));
    });
  }

 private:
  bool sees(const Vec3& p, const Reach& r) const {
    return !bvh_.any_hit({p, r.point - p}, sight_begin, sight_end);
  }

  const Mesh& mesh_;
  const Skeleton& skeleton_;
  Limbs limbs_;
  Bvh bvh_;
};

}  // namespace

std::vector<Index> bleeding_vertices(const Mesh& mesh, const Skeleton& skeleton,
                                     const Weights& weights) {
  validate(weights, mesh.vertex_count(), skeleton.bones.size());
  if (skeleton.bones.empty()) return {};
  const Judge judge(mesh, skeleton);
  std::vector<char> bleeds(mesh.vertex_count(), 0);
  parallel_for(bleeds.size(), 512, [&](std::size_t begin, std::size_t end) {
    std::vector<Reach> reaches;
    for (std::size_t v = begin; v < end; ++v) {
      bleeds[v] = judge.bleeds(v, dominant_bone(weights.row(v)), reaches) ? 1 : 0;
    }
  });
  std::vector<Index> vertices;
  for (std::size_t v = 0; v < bleeds.size(); ++v) {
    if (bleeds[v] != 0) vertices.push_back(static_cast<Index>(v));
  }
  return vertices;
}

}  // namespace sinew
