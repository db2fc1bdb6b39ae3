// SPDX-License-Identifier: Apache-2.0
// The caller's buffers that results go to.
#pragma once

#include <cstddef>

namespace sinew {

// How results are written: into the caches, or around them in whole lines, as suits results that
// are larger than the caches or that lie in write-combined memory. Only positions alone, tightly
// packed, can go around.
enum class Writing {
  automatic,      // around the caches from 24 MB on
  into_caches,    // for results that are read soon
  around_caches,  // for results that are read by others
};

// Where the results go: vertex v's three floats start `stride` bytes times v after the pointer, so
// that separate arrays and interleaved vertex buffers both serve. Bytes between are left alone.
// Null leaves that part out. There must be room for all vertices of the rig: a pointer says
// nothing of that.
struct Output {
  float* positions = nullptr;
  std::size_t position_stride = 3 * sizeof(float);
  float* normals = nullptr;
  std::size_t normal_stride = 3 * sizeof(float);
  float* tangents = nullptr;  // four floats each, the last the handedness; if the rig has them
  std::size_t tangent_stride = 4 * sizeof(float);
  Writing writing = Writing::automatic;
};

}  // namespace sinew
