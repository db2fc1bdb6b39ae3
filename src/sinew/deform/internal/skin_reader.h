// SPDX-License-Identifier: Apache-2.0
// The influences of one vertex after the other, without a copy of them all.
#pragma once

#include "sinew/deform/skin_rows.h"
#include "sinew/skin/projection.h"

namespace sinew {

// Reads what unfiltered_skin_rows() collects. The rig must be valid (validate()), have weights or
// none for all of its vertices, and outlive this.
class SkinReader {
 public:
  explicit SkinReader(const Rig& rig) : rig_(rig), has_skin_(rig.skin.weights.vertex_count() > 0) {}

  // Calls use(place, bone, weight) for each influence of the vertex: its place in
  // Weights::influences, and its weight, normalised and above 0.
  template <class Use>
  void each(std::size_t vertex, Use&& use) const {
    each_place(vertex, [&](std::size_t place, double sum) {
      const auto [bone, weight] = rig_.skin.weights.influences[place];
      use(place, bone, weight / sum);
    });
  }

  // The bones of the same alone, without a division: use(bone).
  template <class Use>
  void each_bone(std::size_t vertex, Use&& use) const {
    each_place(vertex,
               [&](std::size_t place, double) { use(rig_.skin.weights.influences[place].bone); });
  }

  // The same with endpoint weights.
  template <class Use>
  void each_influence(std::size_t vertex, Use&& use) const {
    each(vertex, [&](std::size_t place, BoneIndex bone, double weight) {
      const double stretch = stretch_endpoint(vertex, place, bone);
      use(SkinInfluence{bone, weight, stretch,
                        has_twists() ? rig_.skin.twist_endpoints[place] : stretch});
    });
  }

  // Whether the twist has endpoint weights of its own.
  bool has_twists() const { return !rig_.skin.twist_endpoints.empty(); }

 private:
  // use(place, sum of the vertex's weights)
  template <class Use>
  void each_place(std::size_t vertex, Use&& use) const {
    if (!has_skin_) return;
    const Weights& weights = rig_.skin.weights;
    double sum = 0;
    for (const Influence& influence : weights.row(vertex)) sum += influence.weight;
    if (!(sum > 0)) return;
    const double least = sum * 1e-300;  // a smaller share may be 0
    for (std::size_t i = weights.offsets[vertex]; i < weights.offsets[vertex + 1]; ++i) {
      if (weights.influences[i].weight > least) use(i, sum);
    }
  }

  double stretch_endpoint(std::size_t vertex, std::size_t place, BoneIndex bone) const {
    if (!rig_.skin.endpoints.empty()) return rig_.skin.endpoints[place];
    const Bone& to = rig_.skeleton.bones[bone];
    return project_on_segment(rig_.mesh.positions[vertex], to.head, to.tail);
  }

  const Rig& rig_;
  bool has_skin_;
};

}  // namespace sinew
