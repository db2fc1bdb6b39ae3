// SPDX-License-Identifier: Apache-2.0
// A simple interface to any method: bind once, then deform pose after pose.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/deform.h"

namespace sinew {

// What a Deformer computes, and by which path.
struct DeformerOptions {
  bool normals = false;    // also normals, and tangents if the mesh has them
  bool reference = false;  // use deform_reference instead of the fast path
};

// To write into your own buffers, or to avoid allocation per frame, use a Palette instead.
class Deformer {
 public:
  // The rig must be valid and outlive this. Throws UsageError if the method does not fit it,
  // InputError if it is invalid.
  Deformer(const Rig& rig, Method method, const DeformerOptions& options = {});
  ~Deformer();
  Deformer(Deformer&&) noexcept;
  Deformer& operator=(Deformer&&) noexcept;

  // `bones` are the states of all the rig's bones; `shapes` are the pose's blend-shape weights,
  // missing ones count as 0. Offset curves are bound again if the weights differ from those of the
  // last call. Throws UsageError for a wrong number of states, and for more weights than shapes.
  Deformed at(std::span<const BoneState> bones, std::span<const double> shapes);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// Throws InputError naming the first vertex that is not finite.
void require_finite(const Deformed& deformed);

}  // namespace sinew
