// SPDX-License-Identifier: Apache-2.0
// The weights of driven blend shapes as tracks of a clip.
#pragma once

#include <span>
#include <vector>

#include "sinew/rig/rig.h"

namespace sinew::baking {

// The weights of the rig's driven shapes at so many times of a clip, one after the other.
class ShapeTracks {
 public:
  // `move_tolerance`: how far a vertex may be off by leaving out keys, in the mesh's units.
  ShapeTracks(const Rig& rig, double move_tolerance);

  // The weights at the next time.
  void add(std::span<const double> weights);

  // In place of what the clip says of these shapes.
  void put_into(Clip& clip, std::span<const double> times) const;

 private:
  const Rig& rig_;
  double move_tolerance_ = 0;
  std::vector<bool> is_driven_;
  std::vector<std::vector<double>> weights_;  // by shape, for the driven ones
};

}  // namespace sinew::baking
