// SPDX-License-Identifier: Apache-2.0
// A simple interface to any method: bind once, then deform pose after pose.
#pragma once

#include <memory>
#include <span>
#include <vector>

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
  explicit Deformer(Data data);
  friend std::vector<Deformer> deformers(const Rig& rig, std::span<const Method> methods,
                                         const DeformerOptions& options);

  std::unique_ptr<Data> data_;
};

// One for each method, in the same order, which share what is computed for the rig. Throws as the
// constructor.
std::vector<Deformer> deformers(const Rig& rig, std::span<const Method> methods,
                                const DeformerOptions& options = {});

// Throws InputError naming the first vertex that is not finite.
void require_finite(const Deformed& deformed);

}  // namespace sinew
