// SPDX-License-Identifier: Apache-2.0
// The interface of a method's fast path. Callers use Plan and Palette (binding.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sinew/deform/deform.h"
#include "sinew/deform/lane_states.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/kernels/output.h"

namespace sinew {

// Bones in a pose, eight side by side: what does not change, and what does.
struct PosedLanes {
  std::span<const RigPlan::LaneBones> plan;  // at bind
  std::span<const LaneStates> states;        // in the pose
  std::size_t count = 0;                     // of the bones
};

// One pose, with all memory needed to deform in it. The caller has checked sizes and strides.
class PosedMethod {
 public:
  virtual ~PosedMethod() = default;
  // Allocates nothing, unless the method's documentation says so. Missing shapes count as 0.
  virtual void update(std::span<const BoneState> bones, std::span<const double> shapes) = 0;
  // The same for bones side by side, as PosedRig computes them. Returns false if the method does
  // not support it.
  virtual bool update_lanes(const PosedLanes&, std::span<const double> /*shapes*/) { return false; }
  // The vertices that no bone moves, ascending. Asked for after update() alone.
  virtual std::span<const std::uint32_t> still() const { return {}; }
  // Allocates nothing. The result does not depend on the number of threads.
  virtual void deform(const Output& output) = 0;
  // For a method whose fast path is in double precision: gives its result without rounding to
  // float. Returns false if the method does not support it.
  virtual bool deform_exactly(Deformed&, bool /*with_normals*/) { return false; }
};

// A method bound to one rig. It does not refer to the rig any more, and poses may outlive it.
class BoundMethod {
 public:
  virtual ~BoundMethod() = default;
  // The memory of one character.
  virtual std::unique_ptr<PosedMethod> make_pose() const = 0;
  // Whether bones moved by any vector give the same shape, moved by it, but for the vertices that
  // no bone moves, which stay. What is far from the origin is then computed near it, where floats
  // are fine.
  virtual bool follows_bones() const { return true; }
  // How many bytes deform() reads per pose with all shapes active; 0 if not known.
  virtual std::size_t bytes_read(bool /*with_normals*/) const { return 0; }
};

}  // namespace sinew
