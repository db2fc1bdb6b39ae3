// SPDX-License-Identifier: Apache-2.0
// Any method behind one call: bound once, then one pose after another.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/deform.h"

namespace sinew {

// What a Deformer computes, and by which path.
struct DeformerOptions {
  bool normals = false;    // also normals, and tangents if the mesh has them
  bool reference = false;  // deform_reference instead of the fast paths
};

// Who needs results in place, or no allocation in a frame, uses a Palette instead.
class Deformer {
 public:
  // The rig must be valid and outlive this. Throws UsageError where the method does not fit it,
  // InputError where the rig is not valid.
  Deformer(const Rig& rig, Method method, const DeformerOptions& options = {});
  ~Deformer();
  Deformer(Deformer&&) noexcept;
  Deformer& operator=(Deformer&&) noexcept;

  // `bones` are the states of all the rig's bones; `shapes` are the pose's blend-shape weights,
  // those left out count as 0. Offset curves are bound again where these differ from the last
  // call's. Throws UsageError for another number of states, and for more weights than shapes.
  Deformed at(std::span<const BoneState> bones, std::span<const double> shapes);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// Throws InputError naming the first vertex that a pose took to infinity.
void require_finite(const Deformed& deformed);

}  // namespace sinew
