// SPDX-License-Identifier: Apache-2.0
// Bone weights: a sparse matrix in compressed rows, one per vertex, with any number of influences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/skeleton/indices.h"

namespace sinew {

// What share of a vertex follows a bone.
struct Influence {
  BoneIndex bone = 0;
  double weight = 0;
  friend bool operator==(const Influence&, const Influence&) = default;
};

// Row v is influences[offsets[v]] to influences[offsets[v + 1] - 1]. Offsets begin with 0, never
// descend, and end with the number of influences: push_row() ensures that, validate() checks it,
// and all functions rely on it unless they say that they validate.
struct Weights {
  std::vector<std::size_t> offsets{0};
  std::vector<Influence> influences;

  // How many rows there are.
  std::size_t vertex_count() const { return offsets.size() - 1; }
  // `vertex` must be below vertex_count().
  std::span<const Influence> row(std::size_t vertex) const {
    return std::span(influences).subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
  }
  void push_row(std::span<const Influence> row);

  friend bool operator==(const Weights&, const Weights&) = default;
};

// Throws InputError naming the first vertex that breaks a rule: one row per vertex, offsets that
// fit the influences, bones below `bone_count`, weights that are finite and not below 0.
void validate(const Weights& weights, std::size_t vertex_count, std::size_t bone_count);

// The same for an array parallel to the influences: empty or of the same length, with values in [0,
// 1]. `name` is what the message calls one value. The weights themselves must be valid.
void validate_endpoints(const Weights& weights, std::span<const double> endpoints,
                        const char* name);

// One more than the highest bone index in the influences; 0 if there are none.
std::size_t bones_used(const Weights& weights);

// The bone with the largest positive weight; the lowest index if there is a tie, -1 if there is
// none.
BoneIndex dominant_bone(std::span<const Influence> row);

// Conversion from and to a dense row-major matrix, vertices x bones; zeros are not stored. Throws
// UsageError if the number of values is not a multiple of `bone_count`, or a bone is not below it.
Weights weights_from_dense(std::span<const double> dense, std::size_t bone_count);
std::vector<double> to_dense(const Weights& weights, std::size_t bone_count);

// Scales each row to sum 1. Rows without a positive sum are left unchanged.
void normalize(Weights& weights);

// How well the weights cover the mesh, as `sinew info` reports it.
struct WeightSummary {
  std::size_t vertices = 0;
  std::size_t uncovered = 0;       // vertices without a positive weight
  std::size_t not_normalized = 0;  // covered, but the sum differs from 1 by more than 1e-4
  std::size_t max_influences = 0;  // counting positive weights only
  double mean_influences = 0;
};
WeightSummary summarize(const Weights& weights);

}  // namespace sinew
