// SPDX-License-Identifier: Apache-2.0
// Muscles as blend shapes of the baked rig, and tracks for their weights.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/muscles.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

// Adds the shapes, as they are in the rest pose, and removes the muscles. Returns what was added.
std::vector<BulgeShape> bake_bulges(const Rig& rig, const StateOptions& states, Rig& baked);

// Engines and editors may keep the weights of shapes within 0 and 1 (Blender's sliders do), and
// drives leave that range: a muscle that gets thinner gets a second shape, "thin_" and the bone's
// name, that does the opposite, and shapes that are driven beyond 1 are made larger. `first_shape`
// is the first from muscles; all clips must have their tracks.
void keep_weights_in_range(Rig& baked, std::size_t first_shape);

// The drives of muscles at so many times of a clip, one after the other.
class BulgeTracks {
 public:
  // `first_shape`: that of the bulges in the baked rig. `move_tolerance`: how far a vertex may be
  // off by leaving out keys, in the mesh's units. The bulges must outlive this.
  BulgeTracks(std::span<const BulgeShape> bulges, std::size_t first_shape, double move_tolerance)
      : bulges_(bulges),
        first_shape_(first_shape),
        move_tolerance_(move_tolerance),
        drives_(bulges.size()) {}

  // The drives at the next time.
  void add(std::span<const BoneState> states);
  // `times` are all of them.
  void put_into(Clip& clip, std::span<const double> times) const;

 private:
  std::span<const BulgeShape> bulges_;
  std::size_t first_shape_;
  double move_tolerance_;
  std::vector<std::vector<double>> drives_;  // by bulge
};

}  // namespace sinew::baking
