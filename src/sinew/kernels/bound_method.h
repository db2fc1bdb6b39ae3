// SPDX-License-Identifier: Apache-2.0
// What a method's fast path implements. Callers use Plan and Palette (binding.h).
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/deform.h"
#include "sinew/kernels/output.h"

namespace sinew {

// One pose, with all memory that deforming in it takes. Sizes and strides are checked before any
// of these is called.
class PosedMethod {
 public:
  virtual ~PosedMethod() = default;
  // Allocates nothing, unless the method's page says so. Missing shapes count as 0.
  virtual void update(std::span<const BoneState> bones, std::span<const double> shapes) = 0;
  // Allocates nothing; the same bits whatever the number of threads.
  virtual void deform(const Output& output) = 0;
  // For a method whose fast path is in double precision: its result unrounded, in place of what
  // deform() would give. Returns whether it did.
  virtual bool deform_exactly(Deformed&, bool /*with_normals*/) { return false; }
};

// A method made ready for one rig, which may be changed or go. Poses may outlive it.
class BoundMethod {
 public:
  virtual ~BoundMethod() = default;
  // The memory of one character.
  virtual std::unique_ptr<PosedMethod> make_pose() const = 0;
  // What deform() reads for each pose, in bytes, with all shapes at work; 0 if nobody counted.
  virtual std::size_t bytes_read(bool /*with_normals*/) const { return 0; }
};

}  // namespace sinew
