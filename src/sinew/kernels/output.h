// SPDX-License-Identifier: Apache-2.0
// The caller's output buffers.
#pragma once

#include <cstddef>

namespace sinew {

// How results are written: through the caches, or with non-temporal stores of whole cache lines,
// which are faster for results larger than the caches or in write-combined memory. Non-temporal
// stores need tightly packed positions without normals and tangents.
enum class Writing {
  automatic,      // around the caches from 24 MB on
  into_caches,    // for results that are read soon
  around_caches,  // for results that are read by others
};

// Where results are written. The floats of vertex v start v * stride bytes after the pointer, so
// that both separate arrays and interleaved vertex buffers work; bytes in between are not touched.
// A null pointer skips that attribute. Buffers must have room for all vertices of the rig, which
// cannot be checked.
struct Output {
  float* positions = nullptr;
  std::size_t position_stride = 3 * sizeof(float);
  float* normals = nullptr;
  std::size_t normal_stride = 3 * sizeof(float);
  float* tangents =
      nullptr;  // four floats each, the last is the handedness; if the rig has tangents
  std::size_t tangent_stride = 4 * sizeof(float);
  Writing writing = Writing::automatic;
};

}  // namespace sinew
